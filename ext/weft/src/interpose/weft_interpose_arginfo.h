/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: f469faa7c32221a9c269a553bcb6503c9a06f797 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_interposition, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Weft_Internal_interposition);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Internal", interposition, Weft_Internal_interposition, arginfo_Weft_Internal_interposition)
	ZEND_FE_END
};
