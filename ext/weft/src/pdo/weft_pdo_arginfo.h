/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: a5b913475298ab325f91d9179a65a2a2ece0040c */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_dry_run, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, on, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_dry_run_undo, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Weft_Pool_stats arginfo_Weft_Internal_dry_run_undo

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Weft_Pool_closeIdle, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Weft_Internal_dry_run);
ZEND_FUNCTION(Weft_Internal_dry_run_undo);
ZEND_METHOD(Weft_Pool, stats);
ZEND_METHOD(Weft_Pool, closeIdle);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Internal", dry_run, Weft_Internal_dry_run, arginfo_Weft_Internal_dry_run)
	ZEND_NS_FALIAS("Weft\\Internal", dry_run_undo, Weft_Internal_dry_run_undo, arginfo_Weft_Internal_dry_run_undo)
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Pool_methods[] = {
	ZEND_ME(Weft_Pool, stats, arginfo_class_Weft_Pool_stats, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Weft_Pool, closeIdle, arginfo_class_Weft_Pool_closeIdle, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Weft_Pool(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft", "Pool", class_Weft_Pool_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL;

	return class_entry;
}
