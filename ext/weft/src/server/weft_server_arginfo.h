/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 389a52440be8c2d20e4f9be6574b7624422c2979 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_supervise, 0, 2, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, config, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, ready, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_configuration, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_become_server, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_scout, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, boot, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_fork_spare, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_wait_as_spare, 0, 2, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, most, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, after, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_tell_warm, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, lines, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_last_words, 0, 1, IS_NEVER, 0)
	ZEND_ARG_TYPE_INFO(0, lines, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_not_booted, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, why, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_run, 0, 1, IS_NEVER, 0)
	ZEND_ARG_TYPE_INFO(0, handler, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, about, IS_ARRAY, 0, "[]")
ZEND_END_ARG_INFO()

#define arginfo_Weft_Server_unknown_directives arginfo_Weft_Server_configuration

#define arginfo_Weft_Server_refused_directives arginfo_Weft_Server_configuration

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Server_start_time_constant, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Internal_warming, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_Weft_Http_join_machines, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, url, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, channel, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_FUNCTION(weft_server_supervise);
ZEND_FUNCTION(weft_server_configuration);
ZEND_FUNCTION(weft_server_become_server);
ZEND_FUNCTION(weft_server_scout);
ZEND_FUNCTION(weft_server_fork_spare);
ZEND_FUNCTION(weft_server_wait_as_spare);
ZEND_FUNCTION(weft_server_tell_warm);
ZEND_FUNCTION(weft_server_last_words);
ZEND_FUNCTION(weft_server_not_booted);
ZEND_FUNCTION(weft_server_run);
ZEND_FUNCTION(weft_server_unknown_directives);
ZEND_FUNCTION(weft_server_refused_directives);
ZEND_FUNCTION(weft_server_start_time_constant);
ZEND_FUNCTION(weft_server_warming);
ZEND_FUNCTION(weft_server_join_machines);


static const zend_function_entry ext_functions[] = {
	ZEND_NS_FALIAS("Weft\\Server", supervise, weft_server_supervise, arginfo_Weft_Server_supervise)
	ZEND_NS_FALIAS("Weft\\Server", configuration, weft_server_configuration, arginfo_Weft_Server_configuration)
	ZEND_NS_FALIAS("Weft\\Server", become_server, weft_server_become_server, arginfo_Weft_Server_become_server)
	ZEND_NS_FALIAS("Weft\\Server", scout, weft_server_scout, arginfo_Weft_Server_scout)
	ZEND_NS_FALIAS("Weft\\Server", fork_spare, weft_server_fork_spare, arginfo_Weft_Server_fork_spare)
	ZEND_NS_FALIAS("Weft\\Server", wait_as_spare, weft_server_wait_as_spare, arginfo_Weft_Server_wait_as_spare)
	ZEND_NS_FALIAS("Weft\\Server", tell_warm, weft_server_tell_warm, arginfo_Weft_Server_tell_warm)
	ZEND_NS_FALIAS("Weft\\Server", last_words, weft_server_last_words, arginfo_Weft_Server_last_words)
	ZEND_NS_FALIAS("Weft\\Server", not_booted, weft_server_not_booted, arginfo_Weft_Server_not_booted)
	ZEND_NS_FALIAS("Weft\\Server", run, weft_server_run, arginfo_Weft_Server_run)
	ZEND_NS_FALIAS("Weft\\Server", unknown_directives, weft_server_unknown_directives, arginfo_Weft_Server_unknown_directives)
	ZEND_NS_FALIAS("Weft\\Server", refused_directives, weft_server_refused_directives, arginfo_Weft_Server_refused_directives)
	ZEND_NS_FALIAS("Weft\\Server", start_time_constant, weft_server_start_time_constant, arginfo_Weft_Server_start_time_constant)
	ZEND_NS_FALIAS("Weft\\Internal", warming, weft_server_warming, arginfo_Weft_Internal_warming)
	ZEND_NS_FALIAS("Weft\\Http", join_machines, weft_server_join_machines, arginfo_Weft_Http_join_machines)
	ZEND_FE_END
};
