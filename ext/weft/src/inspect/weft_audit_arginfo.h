/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 4425bc2a45425d7f9b78f0f1e952b6830910d40c */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Isolation_changes, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Isolation_census arginfo_Weft_Isolation_changes

#define arginfo_Weft_Isolation_references arginfo_Weft_Isolation_changes

#define arginfo_Weft_Isolation_shared_values arginfo_Weft_Isolation_changes

#define arginfo_Weft_Isolation_footprint arginfo_Weft_Isolation_changes


ZEND_FUNCTION(Weft_Isolation_changes);
ZEND_FUNCTION(Weft_Isolation_census);
ZEND_FUNCTION(Weft_Isolation_references);
ZEND_FUNCTION(Weft_Isolation_shared_values);
ZEND_FUNCTION(Weft_Isolation_footprint);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Isolation", changes, Weft_Isolation_changes, arginfo_Weft_Isolation_changes)
	ZEND_NS_FALIAS("Weft\\Isolation", census, Weft_Isolation_census, arginfo_Weft_Isolation_census)
	ZEND_NS_FALIAS("Weft\\Isolation", references, Weft_Isolation_references, arginfo_Weft_Isolation_references)
	ZEND_NS_FALIAS("Weft\\Isolation", shared_values, Weft_Isolation_shared_values, arginfo_Weft_Isolation_shared_values)
	ZEND_NS_FALIAS("Weft\\Isolation", footprint, Weft_Isolation_footprint, arginfo_Weft_Isolation_footprint)
	ZEND_FE_END
};
