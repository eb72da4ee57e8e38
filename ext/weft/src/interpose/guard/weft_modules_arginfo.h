/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 471dfc04a0326cd08450733b5b4830d6cfc46a64 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_modules, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Weft_Internal_modules);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Internal", modules, Weft_Internal_modules, arginfo_Weft_Internal_modules)
	ZEND_FE_END
};
