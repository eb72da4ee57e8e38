#include "coroutine/weft_never_left.h"
#include "coroutine/weft_coroutine.h"

#include "zend_compile.h"

/* Whoever is current when a region begins is so when it ends: that is the point. */
static weft_coroutine *begin(void)
{
	weft_coroutine *self = weft_current;

	if (self) {
		self->no_switch++;
	}
	return self;
}

static void end(weft_coroutine *self)
{
	if (self) {
		self->no_switch--;
	}
}

/* --- PHP functions --- */

/* Each with the test that fails without its line, and what it keeps. */
#define NEVER_LEFT(_) \
	/* engine_state/multisort.phpt: the list of comparisons, freed at its end */ \
	_(NULL, array_multisort, array_multisort) \
	/* engine_state/scanner.phpt: the scanner's place in the text, while it prints */ \
	_(NULL, highlight_file, highlight_file) \
	_(NULL, highlight_string, highlight_string) \
	_(NULL, php_strip_whitespace, php_strip_whitespace) \
	_(NULL, show_source, show_source) \
	_(NULL, token_get_all, token_get_all) \
	/* engine_state/collator.phpt: the collator that compares, while objects become strings */ \
	_(NULL, collator_asort, collator_asort) \
	_(NULL, collator_sort, collator_sort) \
	_("collator", asort, collator_asort_method) \
	_("collator", sort, collator_sort_method) \
	_("phptoken", tokenize, phptoken_tokenize)

#define WRAPPER(class_name, function_name, id) \
	static zif_handler plain_##id; \
	static ZEND_FUNCTION(weft_never_left_##id) \
	{ \
		weft_coroutine *self = begin(); \
		plain_##id(INTERNAL_FUNCTION_PARAM_PASSTHRU); \
		end(self); \
	}
NEVER_LEFT(WRAPPER)

static void wrap(const char *class_name, const char *name, zif_handler wrapper, zif_handler *plain)
{
	HashTable *functions = CG(function_table);
	zend_function *function;

	if (class_name) {
		zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), class_name, strlen(class_name));

		if (!ce) {
			return;
		}
		functions = &ce->function_table;
	}
	function = zend_hash_str_find_ptr(functions, name, strlen(name));
	if (function && function->type == ZEND_INTERNAL_FUNCTION) {
		*plain = function->internal_function.handler;
		function->internal_function.handler = wrapper;
	}
}

void weft_never_left_minit(void)
{
#define WRAP(class_name, function_name, id) \
	wrap(class_name, #function_name, zif_weft_never_left_##id, &plain_##id);
	NEVER_LEFT(WRAP)
}

/* --- the compiler (engine_state/compiler.phpt): it says that it is at work, but not to an error handler --- */

static zend_op_array *(*plain_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*plain_compile_string)(zend_string *source, const char *filename, zend_compile_position position);

static zend_op_array *compile_file_unleft(zend_file_handle *file, int type)
{
	weft_coroutine *self = begin();
	zend_op_array *compiled = plain_compile_file(file, type);

	end(self);
	return compiled;
}

static zend_op_array *compile_string_unleft(zend_string *source, const char *filename, zend_compile_position position)
{
	weft_coroutine *self = begin();
	zend_op_array *compiled = plain_compile_string(source, filename, position);

	end(self);
	return compiled;
}

void weft_never_left_rinit(void)
{
	if (plain_compile_file) {
		return;
	}
	plain_compile_file = zend_compile_file;
	zend_compile_file = compile_file_unleft;
	plain_compile_string = zend_compile_string;
	zend_compile_string = compile_string_unleft;
}
