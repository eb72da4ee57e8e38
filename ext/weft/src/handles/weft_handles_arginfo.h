/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 6ec5a5f6651c084b1b2f0854bab6e13fb3a15860 */




static const zend_function_entry class_Weft_Isolation_HandleOfBootError_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Weft_Isolation_HandleOfBootError(zend_class_entry *class_entry_Error)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Isolation", "HandleOfBootError", class_Weft_Isolation_HandleOfBootError_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_Error);

	return class_entry;
}
