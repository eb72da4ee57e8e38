/*
 * exit() in the main script ends its coroutines too: a background loop must not keep a script alive that wants
 * to end. The engine leaves no trace of an exit() once it has unwound, so its beginning is noted here.
 */
#include "async/weft_async.h"
#include "coroutine/weft_wrap.h"

bool weft_script_exits;

static void note_exit(void)
{
	if (weft_current && weft_current == weft_main) {
		weft_script_exits = true;
	}
}

#if WEFT_EXIT_IS_OPCODE

static user_opcode_handler_t next_handler;

static int on_exit_opcode(zend_execute_data *execute_data)
{
	note_exit();
	return next_handler ? next_handler(execute_data) : ZEND_USER_OPCODE_DISPATCH;
}

void weft_exit_minit(void)
{
	next_handler = zend_get_user_opcode_handler(ZEND_EXIT);
	zend_set_user_opcode_handler(ZEND_EXIT, on_exit_opcode);
}

#else

static zif_handler plain_exit;

static ZEND_NAMED_FUNCTION(exit_function)
{
	note_exit();
	plain_exit(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

void weft_exit_minit(void)
{
	plain_exit = weft_wrap("core", NULL, "exit", exit_function);
}

#endif
