/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 7c388d78671356cb270fd9617f9baea574b514ed */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Http_finish_request, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Http_request_id, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Http_name_route, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Http_send_file, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, file, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, offset, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, length, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_serve_scripts, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, directory, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_Weft_Internal_serve_files arginfo_Weft_Internal_serve_scripts

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_serve_for_test, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, config, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, handler, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(Weft_Http_finish_request);
ZEND_FUNCTION(Weft_Http_request_id);
ZEND_FUNCTION(Weft_Http_name_route);
ZEND_FUNCTION(Weft_Http_send_file);
ZEND_FUNCTION(Weft_Internal_serve_scripts);
ZEND_FUNCTION(Weft_Internal_serve_files);
ZEND_FUNCTION(Weft_Internal_serve_for_test);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Http", finish_request, Weft_Http_finish_request, arginfo_Weft_Http_finish_request)
	ZEND_NS_FALIAS("Weft\\Http", request_id, Weft_Http_request_id, arginfo_Weft_Http_request_id)
	ZEND_NS_FALIAS("Weft\\Http", name_route, Weft_Http_name_route, arginfo_Weft_Http_name_route)
	ZEND_NS_FALIAS("Weft\\Http", send_file, Weft_Http_send_file, arginfo_Weft_Http_send_file)
	ZEND_NS_FALIAS("Weft\\Internal", serve_scripts, Weft_Internal_serve_scripts, arginfo_Weft_Internal_serve_scripts)
	ZEND_NS_FALIAS("Weft\\Internal", serve_files, Weft_Internal_serve_files, arginfo_Weft_Internal_serve_files)
	ZEND_NS_FALIAS("Weft\\Internal", serve_for_test, Weft_Internal_serve_for_test, arginfo_Weft_Internal_serve_for_test)
	ZEND_FE_END
};
