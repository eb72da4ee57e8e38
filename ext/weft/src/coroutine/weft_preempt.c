#include "coroutine/weft_preempt.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_time_slice.h"
#include "weft_compat.h"

#include <strings.h>

/* How many instructions a look reads before it goes no further down the stack. What a look costs must not depend on how
 * deep the code is: a request that is alone is asked again and again, and would do nothing else. */
#define INSTRUCTIONS 8192

static bool is_in(const zend_op_array *code, const zend_op *op)
{
	/* a frame that an exception leaves stands at an instruction of the engine's */
	return op >= code->opcodes && op < code->opcodes + code->last;
}

static bool has_declaration(const zend_op_array *code, const zend_op *from)
{
	for (const zend_op *op = from; op < code->opcodes + code->last; op++) {
		if (weft_declares(op->opcode)) {
			return true;
		}
	}
	return false;
}

/* In the frame that runs, a jump may lead back to a declaration. A caller goes on behind its call. */
static const zend_op *first_that_counts(const zend_op_array *code, const zend_op *stands_at, bool runs)
{
	return runs || !is_in(code, stands_at) ? code->opcodes : stands_at;
}

/* Classes and functions are everybody's: "declare it unless it exists" must come to its end before another asks, and
 * so must a file that loads others before it declares. */
static bool is_among_declarations(const zend_execute_data *frame)
{
	int64_t left = INSTRUCTIONS;

	for (bool runs = true; frame && left > 0; frame = frame->prev_execute_data, left--) {
		const zend_op_array *code;
		const zend_op *from;

		if (!frame->func || !ZEND_USER_CODE(frame->func->type)) {
			continue;
		}
		code = &frame->func->op_array;
		from = first_that_counts(code, frame->opline, runs);
		if (has_declaration(code, from)) {
			return true;
		}
		left -= code->opcodes + code->last - from;
		runs = false;
	}
	return false;
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

/* Nothing but straight code is left to do, or what a function has answered is still to be looked at. */
static bool is_about_to_include(const zend_op_array *code, const zend_op *from, bool answered)
{
	for (const zend_op *op = from; op < code->opcodes + code->last; op++) {
		if (op->opcode == ZEND_INCLUDE_OR_EVAL) {
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

/* A file may be about to be loaded because of what was asked. Who comes by the same place again without having lost its
 * turn is in a loop, and asks anew in each round. PHP 8.4 and later come here in the frame of the function that
 * answers. */
static bool may_be_left_before_include(const zend_execute_data *frame)
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
	if (!is_in(code, at) || !is_about_to_include(code, at, answers || (at > code->opcodes && calls(at - 1)))) {
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
		&& !is_among_declarations(frame) && may_be_left_before_include(frame);
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
