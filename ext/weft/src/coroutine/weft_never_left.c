/*
 * The list of those functions, and the wrappers that keep whoever is inside from being left.
 */
#include "coroutine/weft_never_left.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"

#include "zend_compile.h"

/* Whoever is current when a region begins is so when it ends: that is the point. */
static weft_coroutine *region_begin(void)
{
	weft_coroutine *self = weft_current;

	if (self) {
		self->no_switch++;
	}
	return self;
}

static void region_end(weft_coroutine *self)
{
	if (self) {
		self->no_switch--;
	}
}

/* --- PHP functions --- */

/* Each with the test that fails without its line, and what it keeps. */
#define NEVER_LEFT(_) \
	/* engine_state/multisort.phpt: the list of comparisons, freed at its end */ \
	_("standard", NULL, array_multisort, array_multisort) \
	/* engine_state/scanner.phpt: the scanner's place in the text, while it prints */ \
	_("standard", NULL, highlight_file, highlight_file) \
	_("standard", NULL, highlight_string, highlight_string) \
	_("standard", NULL, php_strip_whitespace, php_strip_whitespace) \
	_("standard", NULL, show_source, show_source) \
	_("tokenizer", NULL, token_get_all, token_get_all) \
	/* engine_state/msgpack.phpt: the list of what has been seen, for all at once (igbinary has one for each call) */ \
	_("msgpack", NULL, msgpack_pack, msgpack_pack) \
	_("msgpack", NULL, msgpack_serialize, msgpack_serialize) \
	_("msgpack", NULL, msgpack_unpack, msgpack_unpack) \
	_("msgpack", NULL, msgpack_unserialize, msgpack_unserialize) \
	_("msgpack", "messagepack", pack, messagepack_pack) \
	_("msgpack", "messagepack", unpack, messagepack_unpack) \
	_("msgpack", "messagepackunpacker", execute, messagepackunpacker_execute) \
	/* engine_state/collator.phpt: the collator that compares, while objects become strings */ \
	_("intl", NULL, collator_asort, collator_asort) \
	_("intl", NULL, collator_sort, collator_sort) \
	_("intl", "collator", asort, collator_asort_method) \
	_("intl", "collator", sort, collator_sort_method) \
	_("tokenizer", "phptoken", tokenize, phptoken_tokenize)

#define WRAPPER(module, class_name, function_name, id) \
	static zif_handler plain_##id; \
	static ZEND_FUNCTION(weft_never_left_##id) \
	{ \
		weft_coroutine *self = region_begin(); \
		plain_##id(INTERNAL_FUNCTION_PARAM_PASSTHRU); \
		region_end(self); \
	}
NEVER_LEFT(WRAPPER)

/* When all modules are there, in whatever order they were loaded: engine_state/loaded-first.phpt,
 * engine_state/not-found.phpt */
static void wrap_callers(void)
{
#define WRAP(module, class_name, function_name, id) \
	plain_##id = weft_wrap(module, class_name, #function_name, zif_weft_never_left_##id);
	NEVER_LEFT(WRAP)
}

/* --- the compiler (engine_state/compiler.phpt): it says that it is at work, but not to an error handler --- */

static zend_op_array *(*plain_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*plain_compile_string)(zend_string *, const char *, zend_compile_position);

static zend_op_array *compile_file_unleft(zend_file_handle *file, int type)
{
	weft_coroutine *self = region_begin();
	zend_op_array *compiled = plain_compile_file(file, type);

	region_end(self);
	return compiled;
}

static zend_op_array *compile_string_unleft(zend_string *source, const char *filename, zend_compile_position position)
{
	weft_coroutine *self = region_begin();
	zend_op_array *compiled = plain_compile_string(source, filename, position);

	region_end(self);
	return compiled;
}

void weft_never_left_rinit(void)
{
	if (plain_compile_file) {
		return;
	}
	wrap_callers();
	plain_compile_file = zend_compile_file;
	zend_compile_file = compile_file_unleft;
	plain_compile_string = zend_compile_string;
	zend_compile_string = compile_string_unleft;
}
