#include "coroutine/weft_preempt.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"

#include <strings.h>

/* Classes and functions are everybody's: "declare it unless it exists" must come to its end before another asks. */
static bool declares(const zend_execute_data *frame)
{
	const zend_op_array *code = frame && frame->func && ZEND_USER_CODE(frame->func->type) ? &frame->func->op_array : NULL;

	for (uint32_t i = 0; code && i < code->last; i++) {
		zend_uchar opcode = code->opcodes[i].opcode;

		if (opcode == ZEND_DECLARE_CLASS || opcode == ZEND_DECLARE_CLASS_DELAYED || opcode == ZEND_DECLARE_FUNCTION) {
			return true;
		}
	}
	return false;
}

bool weft_may_preempt(const zend_execute_data *frame)
{
	return weft_can_suspend() && !declares(frame) && !EG(exception) && !weft_coroutine_alone()
#ifdef WEFT_HAVE_DELAYED_OOM
		&& !ZEND_HAS_OOM()
#endif
		;
}

/* The directive's digits are CRTO; T is when to compile, and 5 is tracing. */
static bool is_tracing_or_off(const char *jit)
{
	static const char *const others[] = {"", "disable", "off", "no", "false", "0", "tracing", "on", "yes", "true", "1"};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strcasecmp(jit, others[i]) == 0) {
			return true;
		}
	}
	return ZEND_STRTOL(jit, NULL, 10) / 10 % 10 == 5;
}

bool weft_interrupts_are_harmless(void)
{
	const char *buffer = zend_ini_string("opcache.jit_buffer_size", sizeof("opcache.jit_buffer_size") - 1, 0);
	const char *jit = zend_ini_string("opcache.jit", sizeof("opcache.jit") - 1, 0);

	return !buffer || !jit || ZEND_STRTOL(buffer, NULL, 10) <= 0 || is_tracing_or_off(jit);
}
