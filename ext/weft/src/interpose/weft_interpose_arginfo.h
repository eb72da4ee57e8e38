/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 10d5469850d541fc673c3435997cf2624dbef9af */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_interposition, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Weft_interposition);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft", interposition, Weft_interposition, arginfo_Weft_interposition)
	ZEND_FE_END
};
