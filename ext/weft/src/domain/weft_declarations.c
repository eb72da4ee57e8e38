/*
 * Who declares something: a domain that does gets tables of its own first (weft_tables.h).
 *
 * What runs is seen before it runs: define(), class_alias(), and the instructions that declare. OPcache makes one of
 * define() with two literals. What a file declares at once is weft_compiling.c's.
 */
#include "domain/weft_declarations.h"
#include "globals/weft_c_state.h"
#include "domain/weft_domain.h"
#include "domain/weft_tables.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"
#include "weft_compat.h"

static zif_handler plain_define, plain_class_alias;

/* --- calls and instructions --- */

static ZEND_FUNCTION(weft_define)
{
	weft_domain_needs_tables();
	plain_define(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_class_alias)
{
	weft_domain_needs_tables();
	plain_class_alias(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static const zend_uchar opcodes[] = {ZEND_DECLARE_CONST, ZEND_DECLARE_FUNCTION, ZEND_DECLARE_CLASS,
	ZEND_DECLARE_CLASS_DELAYED, ZEND_DECLARE_ANON_CLASS};
#define OPCODES (sizeof(opcodes) / sizeof(*opcodes))
static user_opcode_handler_t plain_handlers[OPCODES];

/* The class has a bucket under a name that nobody can write, and gets its name in it, unless it has none. The base's
 * stays as it is: here is a copy, and what the name was is the base's. */
static void keep_unnamed_class(const zend_execute_data *frame, bool gets_name)
{
	zend_string *name = Z_STR_P(RT_CONSTANT(frame->opline, frame->opline->op1) + gets_name);
	const Bucket *bucket = (const Bucket *) zend_hash_find(EG(class_table), name);
	const zend_class_entry *ce = bucket ? Z_PTR(bucket->val) : NULL;

	if (!ce || !weft_tables_is_copied(bucket)) {
		return;
	}
	if (gets_name && !ZSTR_IS_INTERNED(bucket->key)) {
		zend_string_addref(bucket->key);
	}
	if (!(ce->ce_flags & (ZEND_ACC_IMMUTABLE | ZEND_ACC_LINKED))) {
		weft_tables_link_for_base(weft_tables_in_place);
	}
}

static int before_declaration(zend_execute_data *frame)
{
	zend_uchar opcode = frame->opline->opcode;

	/* a class without a name has its bucket from the start and is nobody's declaration */
	if (opcode != ZEND_DECLARE_ANON_CLASS) {
		weft_domain_needs_tables();
	}
	if (weft_tables_in_place && opcode != ZEND_DECLARE_CONST && opcode != ZEND_DECLARE_FUNCTION) {
		keep_unnamed_class(frame, opcode != ZEND_DECLARE_ANON_CLASS);
	}
	for (size_t i = 0; i < OPCODES; i++) {
		if (opcodes[i] == opcode && plain_handlers[i]) {
			return plain_handlers[i](frame);
		}
	}
	return ZEND_USER_OPCODE_DISPATCH;
}

/* Not earlier: OPcache's JIT refuses to start when an instruction has such a handler. It asks once, and code that it
 * compiles later calls them. */
void weft_declarations_rinit(void)
{
	static bool set;

	if (set) {
		return;
	}
	set = true;
	plain_define = weft_wrap("core", NULL, "define", zif_weft_define);
	plain_class_alias = weft_wrap("core", NULL, "class_alias", zif_weft_class_alias);
	for (size_t i = 0; i < OPCODES; i++) {
		plain_handlers[i] = zend_get_user_opcode_handler(opcodes[i]);
		zend_set_user_opcode_handler(opcodes[i], before_declaration);
	}
}
