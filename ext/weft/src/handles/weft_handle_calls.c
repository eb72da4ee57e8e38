/*
 * The calls: functions and methods of the modules that handles come from are called through one wrapper. During boot it
 * notes what shapes a handle. In a domain it puts the stand-in where the handle is ($this, an argument), calls, puts
 * the handle back, and gives the handle to the caller where the function has returned the stand-in.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_wrap.h"
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"
#include "domain/weft_domain.h"
#include "php_streams.h"
#include "zend_extensions.h"
#include "ext/standard/file.h"

/* Where the plain handler of a wrapped function is; copies of the function, for classes that extend its class, have it
 * as well. */
static int plain_slot = -1;

#define PLAIN(function) ((zif_handler) (function)->internal_function.reserved[plain_slot])

/* More handles in one call than any function takes. */
#define MAX_PLACES 4

typedef struct {
	zend_object **place; /* $this or an argument */
	zend_object *handle, *object;
	weft_stand_in *stand_in;
} substitution;

/* --- during boot --- */

/* proc_open() gives them in an argument. */
static void note_pipes(zend_execute_data *execute_data)
{
	zval *pipes = ZEND_CALL_NUM_ARGS(execute_data) > 2 ? ZEND_CALL_ARG(execute_data, 3) : NULL, *pipe;

	if (!pipes || !Z_ISREF_P(pipes) || Z_TYPE_P(Z_REFVAL_P(pipes)) != IS_ARRAY) {
		return;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(Z_REFVAL_P(pipes)), pipe) {
		if (Z_TYPE_P(pipe) == IS_RESOURCE) {
			weft_handle_story_note_stream(Z_RES_P(pipe));
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void call_note(zend_execute_data *execute_data, const zval *result, weft_handle_shaping shaping)
{
	uint32_t given = ZEND_CALL_NUM_ARGS(execute_data);
	zend_object *self = NULL, *made = NULL;
	const zval *first = given ? ZEND_CALL_ARG(execute_data, 1) : NULL;

	if (Z_TYPE_P(result) == IS_RESOURCE) {
		weft_handle_story_note_stream(Z_RES_P(result));
		note_pipes(execute_data);
		return;
	}
	if (Z_TYPE(EX(This)) == IS_OBJECT && EX(func)->common.scope) {
		self = Z_OBJ(EX(This));
	} else if (first && Z_TYPE_P(first) == IS_OBJECT) {
		self = Z_OBJ_P(first);
	} else if (shaping == WEFT_SHAPES_STATEMENT || shaping == WEFT_SHAPES_ONCE || shaping == WEFT_SHAPES_CLOSED) {
		self = weft_handle_default_link();
	}
	if (Z_TYPE_P(result) == IS_OBJECT && Z_OBJ_P(result) != self) {
		made = Z_OBJ_P(result);
	}
	if (shaping == WEFT_SHAPES_NOT && self && weft_handle_story_of(self)) {
		self = NULL; /* nothing to add */
	}
	if (self && !EG(exception) && weft_handle_class_of(self)) {
		weft_handle_story_note(execute_data, self, shaping,
			Z_TYPE_P(result) == IS_FALSE ? WEFT_CALL_REFUSED : WEFT_CALL_DONE);
	}
	if (made && weft_handle_class_of(made)) {
		weft_handle_story_note(execute_data, made, shaping, WEFT_CALL_MADE);
	} else if (made) {
		weft_made_at_note(made);
	}
}

/* --- in a domain --- */

static bool substitute_one(zend_object **place, substitution *done, uint32_t *count)
{
	weft_base_handle *handle = weft_base_handle_find(*place);
	weft_stand_in *stand_in;

	if (!handle) {
		return !weft_refused_use(*place);
	}
	if (*count == MAX_PLACES) {
		weft_handle_refuse(ZSTR_VAL((*place)->ce->name), NULL, "too many handles in one call");
		return false;
	}
	stand_in = weft_stand_in_take(handle);
	if (!stand_in) {
		return false;
	}
	done[*count] = (substitution){place, *place, weft_stand_in_object(stand_in), stand_in};
	GC_ADDREF(done[*count].object);
	*place = done[(*count)++].object;
	return true;
}

/* A list of handles, as mysqli_poll() takes, or of options: what is in it would be used as it is. */
static bool is_free_of_handles(const zval *list)
{
	const zval *element;

	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(list), element) {
		ZVAL_DEREF(element);
		if (Z_TYPE_P(element) == IS_OBJECT && weft_base_handle_find(Z_OBJ_P(element))) {
			weft_handle_refuse(ZSTR_VAL(Z_OBJCE_P(element)->name),
				weft_handle_story_place(weft_handle_story_of(Z_OBJ_P(element))), "it was passed in an array");
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Values that phpredis and Memcached store may be large, and are never handles. */
static bool takes_lists_of_handles(const zend_function *function)
{
	return !function->common.scope || strcmp(function->internal_function.module->name, "mysqli") == 0;
}

static bool substitute(zend_execute_data *execute_data, substitution *done, uint32_t *count)
{
	bool lists = takes_lists_of_handles(EX(func));

	if (Z_TYPE(EX(This)) == IS_OBJECT && EX(func)->common.scope && !substitute_one(&Z_OBJ(EX(This)), done, count)) {
		return false;
	}
	for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(execute_data); i++) {
		zval *argument = ZEND_CALL_ARG(execute_data, i), *value = argument;

		ZVAL_DEREF(value);
		if (Z_TYPE_P(argument) == IS_OBJECT && !substitute_one(&Z_OBJ_P(argument), done, count)) {
			return false;
		}
		if (lists && Z_TYPE_P(value) == IS_ARRAY && !is_free_of_handles(value)) {
			return false;
		}
	}
	return true;
}

static void substitutions_put_back(substitution *done, uint32_t count)
{
	while (count--) {
		*done[count].place = done[count].handle;
		weft_stand_in_give(done[count].stand_in);
		OBJ_RELEASE(done[count].object);
	}
}

static void name_handle(zval *value)
{
	zend_object *handle = Z_TYPE_P(value) == IS_OBJECT ? weft_stands_in_for(Z_OBJ_P(value)) : NULL;

	if (handle) {
		zval_ptr_dtor(value);
		ZVAL_OBJ_COPY(value, handle);
	}
}

/* What the application gets is what it knows: multi() of Redis returns $this, curl_multi_info_read() a handle in an
 * array. */
static void name_handles(zval *result)
{
	zval *element;

	name_handle(result);
	if (Z_TYPE_P(result) == IS_ARRAY && Z_REFCOUNTED_P(result) && Z_REFCOUNT_P(result) == 1) {
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(result), element) {
			name_handle(element);
		}
		ZEND_HASH_FOREACH_END();
	}
}

/* Functions of pgsql that get no connection use the one that was opened last. */
static bool uses_default_link(zend_execute_data *execute_data)
{
	const zval *first = ZEND_CALL_NUM_ARGS(execute_data) ? ZEND_CALL_ARG(execute_data, 1) : NULL;
	const char *name = ZSTR_VAL(EX(func)->common.function_name);

	return strcmp(EX(func)->internal_function.module->name, "pgsql") == 0 && (!first || Z_TYPE_P(first) != IS_OBJECT) &&
		strcmp(name, "pg_connect") != 0 && strcmp(name, "pg_pconnect") != 0 && strcmp(name, "pg_unescape_bytea") != 0;
}

static bool give_default_link(void)
{
	weft_pgsql_layout *globals = weft_layout("pgsql");
	zend_object *link = weft_handle_default_link();
	weft_base_handle *handle = link ? weft_base_handle_find(link) : NULL;
	weft_stand_in *stand_in;

	if (!globals || globals->default_link || !handle) {
		return true;
	}
	stand_in = weft_stand_in_take(handle);
	if (!stand_in) {
		return false;
	}
	globals->default_link = weft_stand_in_object(stand_in);
	GC_ADDREF(globals->default_link);
	weft_stand_in_give(stand_in);
	return true;
}

/* Whether it came to its end: false after a fatal error, which callbacks and what is unserialized may have. */
static bool call_with_own(zend_execute_data *execute_data, zval *return_value, substitution *done, uint32_t *count)
{
	volatile bool complete = false;

	zend_try {
		if (substitute(execute_data, done, count)) {
			PLAIN(EX(func))(INTERNAL_FUNCTION_PARAM_PASSTHRU);
			name_handles(return_value);
		}
		complete = true;
	} zend_end_try();
	return complete;
}

static void call_in_domain(zend_execute_data *execute_data, zval *return_value)
{
	substitution done[MAX_PLACES];
	uint32_t count = 0;
	bool complete;

	if (uses_default_link(execute_data) && !give_default_link()) {
		return;
	}
	complete = call_with_own(execute_data, return_value, done, &count);
	substitutions_put_back(done, count);
	if (!complete) {
		zend_bailout();
	}
}

static zend_always_inline void handle_call(INTERNAL_FUNCTION_PARAMETERS, bool shapes)
{
	if (EXPECTED(weft_handle_count + weft_refused_objects && weft_domain_in_place)) {
		call_in_domain(execute_data, return_value);
		return;
	}
	PLAIN(EX(func))(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (UNEXPECTED(!weft_domain_in_place && !weft_snapshot_taken())) {
		call_note(execute_data, return_value, shapes ? weft_handle_shaping_of(EX(func)) : WEFT_SHAPES_NOT);
	}
}

static ZEND_FUNCTION(weft_handle_call)
{
	handle_call(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

/* Another handler, so that curl_setopt() and most others are not looked up by name at each call. */
static ZEND_FUNCTION(weft_handle_shaping_call)
{
	handle_call(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

bool weft_handle_call_is(const zend_function *function)
{
	zif_handler handler = function->internal_function.handler;

	return handler == zif_weft_handle_call || handler == zif_weft_handle_shaping_call;
}

/* --- installation --- */

static void wrap(zend_function *function)
{
	bool shapes = weft_handle_shaping_of(function) != WEFT_SHAPES_NOT;
	zif_handler plain = weft_wrap_function(function, shapes ? zif_weft_handle_shaping_call : zif_weft_handle_call);

	if (plain) {
		function->internal_function.reserved[plain_slot] = (void *) plain;
	}
}

static bool is_of_handles(const zend_function *function)
{
	static const zend_module_entry *last;
	static bool answer;

	if (function->type != ZEND_INTERNAL_FUNCTION || !function->internal_function.module) {
		return false;
	}
	if (function->internal_function.module != last) {
		last = function->internal_function.module;
		answer = weft_handle_module(last);
	}
	return answer;
}

static void wrap_all(HashTable *functions)
{
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(functions, function) {
		if (is_of_handles(function)) {
			wrap(function);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void wrap_openers(void)
{
	static const char *const openers[][2] = {{"standard", "fsockopen"}, {"standard", "pfsockopen"},
		{"standard", "stream_socket_client"}, {"standard", "stream_socket_server"}, {"standard", "fopen"},
		{"standard", "popen"}, {"standard", "proc_open"}, {"standard", "tmpfile"}, {"standard", "opendir"},
		{"standard", "stream_filter_append"}, {"standard", "stream_filter_prepend"}, {"zlib", "gzopen"},
		{"bz2", "bzopen"}, {"SimpleXML", "simplexml_load_string"}, {"SimpleXML", "simplexml_load_file"},
		{"SimpleXML", "simplexml_import_dom"}};

	for (size_t i = 0; i < sizeof(openers) / sizeof(openers[0]); i++) {
		zend_function *function = weft_wrap_find(openers[i][0], NULL, openers[i][1]);

		if (function) {
			wrap(function);
		}
	}
}

void weft_handle_calls_minit(void)
{
	plain_slot = zend_get_resource_handle("weft");
	weft_refused_init(plain_slot);
}

void weft_handle_calls_install(void)
{
	zend_class_entry *ce;

	wrap_all(CG(function_table));
	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		wrap_all(&ce->function_table);
	}
	ZEND_HASH_FOREACH_END();
	wrap_openers();
	weft_handle_shaping_look();
}
