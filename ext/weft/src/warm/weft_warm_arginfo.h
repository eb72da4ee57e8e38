/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: da87fd00c4dcc9b258a05cf82c292a6b59aea5d5 */

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_Weft_Internal_record, 0, 1, Weft\\Internal\\Recording, 0)
	ZEND_ARG_TYPE_INFO(0, f, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_adopt, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, a, Weft\\Internal\\Recording, 0)
	ZEND_ARG_OBJ_INFO(0, b, Weft\\Internal\\Recording, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, others, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cold, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, page, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, notes, IS_ARRAY, 0, "[]")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, whole, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_scrub, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO(0, recording, Weft\\Internal\\Recording, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, page, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, notes, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_difference, 0, 2, IS_STRING, 1)
	ZEND_ARG_OBJ_INFO(0, cold, Weft\\Internal\\Recording, 0)
	ZEND_ARG_OBJ_INFO(0, warm, Weft\\Internal\\Recording, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_cool, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, names, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_settle, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_quarantine, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ahead, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seed, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_refused, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Internal_quarantine_end arginfo_Weft_Internal_settle

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_rehearse, 0, 2, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, f, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_descriptors, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Internal_snapshot_again arginfo_Weft_Internal_settle

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Weft_Internal_Recording___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Weft_Internal_Recording_release arginfo_Weft_Internal_settle


ZEND_FUNCTION(Weft_Internal_record);
ZEND_FUNCTION(Weft_Internal_adopt);
ZEND_FUNCTION(Weft_Internal_scrub);
ZEND_FUNCTION(Weft_Internal_difference);
ZEND_FUNCTION(Weft_Internal_cool);
ZEND_FUNCTION(Weft_Internal_settle);
ZEND_FUNCTION(Weft_Internal_quarantine);
ZEND_FUNCTION(Weft_Internal_refused);
ZEND_FUNCTION(Weft_Internal_quarantine_end);
ZEND_FUNCTION(Weft_Internal_rehearse);
ZEND_FUNCTION(Weft_Internal_descriptors);
ZEND_FUNCTION(Weft_Internal_snapshot_again);
ZEND_METHOD(Weft_Internal_Recording, __construct);
ZEND_METHOD(Weft_Internal_Recording, release);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Internal", record, Weft_Internal_record, arginfo_Weft_Internal_record)
	ZEND_NS_FALIAS("Weft\\Internal", adopt, Weft_Internal_adopt, arginfo_Weft_Internal_adopt)
	ZEND_NS_FALIAS("Weft\\Internal", scrub, Weft_Internal_scrub, arginfo_Weft_Internal_scrub)
	ZEND_NS_FALIAS("Weft\\Internal", difference, Weft_Internal_difference, arginfo_Weft_Internal_difference)
	ZEND_NS_FALIAS("Weft\\Internal", cool, Weft_Internal_cool, arginfo_Weft_Internal_cool)
	ZEND_NS_FALIAS("Weft\\Internal", settle, Weft_Internal_settle, arginfo_Weft_Internal_settle)
	ZEND_NS_FALIAS("Weft\\Internal", quarantine, Weft_Internal_quarantine, arginfo_Weft_Internal_quarantine)
	ZEND_NS_FALIAS("Weft\\Internal", refused, Weft_Internal_refused, arginfo_Weft_Internal_refused)
	ZEND_NS_FALIAS("Weft\\Internal", quarantine_end, Weft_Internal_quarantine_end, arginfo_Weft_Internal_quarantine_end)
	ZEND_NS_FALIAS("Weft\\Internal", rehearse, Weft_Internal_rehearse, arginfo_Weft_Internal_rehearse)
	ZEND_NS_FALIAS("Weft\\Internal", descriptors, Weft_Internal_descriptors, arginfo_Weft_Internal_descriptors)
	ZEND_NS_FALIAS("Weft\\Internal", snapshot_again, Weft_Internal_snapshot_again, arginfo_Weft_Internal_snapshot_again)
	ZEND_FE_END
};


static const zend_function_entry class_Weft_Internal_Recording_methods[] = {
	ZEND_ME(Weft_Internal_Recording, __construct, arginfo_class_Weft_Internal_Recording___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Weft_Internal_Recording, release, arginfo_class_Weft_Internal_Recording_release, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Weft_Internal_Recording(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Weft\\Internal", "Recording", class_Weft_Internal_Recording_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_result_default_value;
	ZVAL_UNDEF(&property_result_default_value);
	zend_string *property_result_name = zend_string_init("result", sizeof("result") - 1, 1);
	zend_declare_typed_property(class_entry, property_result_name, &property_result_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_result_name);

	return class_entry;
}
