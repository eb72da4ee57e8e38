/*
 * Looks at the code that a request is about to run: not everywhere can it be left where it is without others seeing
 * what is half done.
 */
#include "coroutine/weft_preempt.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_time_slice.h"
#include "weft_compat.h"

#include <strings.h>

static bool is_in(const zend_op_array *code, const zend_op *op)
{
	/* a frame that an exception leaves stands at an instruction of the engine's */
	return op >= code->opcodes && op < code->opcodes + code->last;
}

static bool jumps(const zend_op *op)
{
	uint32_t flags = zend_get_opcode_flags(op->opcode);

	return (ZEND_VM_OP1_FLAGS(flags) & ZEND_VM_OP_MASK) == ZEND_VM_OP_JMP_ADDR ||
		(ZEND_VM_OP2_FLAGS(flags) & ZEND_VM_OP_MASK) == ZEND_VM_OP_JMP_ADDR ||
		(flags & ZEND_VM_EXT_MASK) == ZEND_VM_EXT_JMP_ADDR || op->opcode == ZEND_RETURN;
}

static bool calls(const zend_op *op)
{
	return op->opcode == ZEND_DO_ICALL || op->opcode == ZEND_DO_FCALL || op->opcode == ZEND_DO_FCALL_BY_NAME;
}

static bool declares(const zend_op *op)
{
	return op->opcode == ZEND_DECLARE_CLASS || op->opcode == ZEND_DECLARE_CLASS_DELAYED ||
		op->opcode == ZEND_DECLARE_FUNCTION || op->opcode == ZEND_INCLUDE_OR_EVAL;
}

/* Nothing but straight code is left to do, or what a function has answered is still to be looked at. */
static bool is_about_to_declare(const zend_op_array *code, const zend_op *from, bool answered)
{
	for (const zend_op *op = from; op < code->opcodes + code->last; op++) {
		if (declares(op)) {
			return true;
		}
		if (jumps(op)) {
			if (!answered) {
				return false;
			}
			answered = false;
		}
	}
	return false;
}

/* What a request declares is its own, but what its autoloader loads is everybody's. Another's must not load the
 * class between "it is missing" and its declaration or its file, which would then be a second one. Who comes by the
 * same place again without having lost its turn is in a loop, and asks anew in each round. PHP 8.4 and later come
 * here in the frame of the function that answers. */
static bool may_be_left_before_declaration(const zend_execute_data *frame)
{
	static struct {
		uint32_t turn;
		const zend_op *at;
	} kept;
	bool answers = frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION;
	const zend_op_array *code;
	const zend_op *at;

	if (answers) {
		frame = frame->prev_execute_data;
	}
	if (!frame || !frame->func || !ZEND_USER_CODE(frame->func->type)) {
		return true;
	}
	code = &frame->func->op_array;
	at = frame->opline;
	if (!is_in(code, at) || !is_about_to_declare(code, at, answers || (at > code->opcodes && calls(at - 1)))) {
		return true;
	}
	if (kept.at == at && kept.turn == weft_time_slice.turns) {
		return true;
	}
	kept.at = at;
	kept.turn = weft_time_slice.turns;
	return false;
}

bool weft_may_preempt(const zend_execute_data *frame)
{
	return weft_can_suspend() && !EG(exception) && !weft_coroutine_alone()
#ifdef WEFT_HAVE_DELAYED_OOM
		&& !ZEND_HAS_OOM()
#endif
		&& may_be_left_before_declaration(frame);
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
