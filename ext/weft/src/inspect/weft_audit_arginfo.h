/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: c269c664b6ca4cb285ec14ede42c7b4d116d763a */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_changes, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Internal_census arginfo_Weft_Internal_changes

#define arginfo_Weft_Internal_references arginfo_Weft_Internal_changes

#define arginfo_Weft_Internal_shared_values arginfo_Weft_Internal_changes

#define arginfo_Weft_Internal_footprint arginfo_Weft_Internal_changes


ZEND_FUNCTION(Weft_Internal_changes);
ZEND_FUNCTION(Weft_Internal_census);
ZEND_FUNCTION(Weft_Internal_references);
ZEND_FUNCTION(Weft_Internal_shared_values);
ZEND_FUNCTION(Weft_Internal_footprint);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Internal", changes, Weft_Internal_changes, arginfo_Weft_Internal_changes)
	ZEND_NS_FALIAS("Weft\\Internal", census, Weft_Internal_census, arginfo_Weft_Internal_census)
	ZEND_NS_FALIAS("Weft\\Internal", references, Weft_Internal_references, arginfo_Weft_Internal_references)
	ZEND_NS_FALIAS("Weft\\Internal", shared_values, Weft_Internal_shared_values, arginfo_Weft_Internal_shared_values)
	ZEND_NS_FALIAS("Weft\\Internal", footprint, Weft_Internal_footprint, arginfo_Weft_Internal_footprint)
	ZEND_FE_END
};
