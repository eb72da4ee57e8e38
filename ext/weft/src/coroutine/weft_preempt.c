#include "coroutine/weft_preempt.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"

#include <strings.h>

/* In the frame that runs, a jump may lead back to a declaration, and a file may be about to be loaded because of what
 * was asked. A caller goes on behind its call. */
static bool leads_to_declaration(const zend_execute_data *frame, bool runs)
{
	const zend_op_array *code = &frame->func->op_array;
	const zend_op *end = code->opcodes + code->last, *op = code->opcodes;

	/* a frame that an exception leaves stands at an instruction of the engine's */
	if (!runs && frame->opline >= op && frame->opline < end) {
		op = frame->opline;
	}
	for (; op < end; op++) {
		if (weft_declares(op->opcode) || (runs && op >= frame->opline && op->opcode == ZEND_INCLUDE_OR_EVAL)) {
			return true;
		}
	}
	return false;
}

/* Classes and functions are everybody's: "declare it unless it exists" must come to its end before another asks, and
 * so must a file that loads others before it declares. PHP 8.4 and later come here in the frame of an internal
 * function, whose caller may have just asked. */
static bool is_among_declarations(const zend_execute_data *frame)
{
	bool runs = true;

	for (; frame; frame = frame->prev_execute_data) {
		if (frame->func && ZEND_USER_CODE(frame->func->type)) {
			if (leads_to_declaration(frame, runs)) {
				return true;
			}
			runs = false;
		}
	}
	return false;
}

bool weft_may_preempt(const zend_execute_data *frame)
{
	return weft_can_suspend() && !is_among_declarations(frame) && !EG(exception) && !weft_coroutine_alone()
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
