/*
 * What compiling declares: functions, classes, and where __halt_compiler() stands.
 *
 * It is there when a file has been compiled, so one that is known to declare is compiled in tables of the domain's own,
 * and what an unknown one has put into the base's is moved: that many of the last. So nobody else may put anything
 * there meanwhile. The compiler is never left, what it has to say waits until it is done, as an error handler may load
 * classes, and a stream of PHP code is read before. A fatal error leaves half a file behind, which nobody is to see.
 */
#include "domain/weft_declarations.h"
#include "globals/weft_c_state.h"
#include "domain/weft_base.h"
#include "domain/weft_tables.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"

#include "zend_exceptions.h"
#include "zend_stream.h"

#define FATAL (E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_PARSE)

/* A file (with the type of the include), or a string. */
typedef struct {
	zend_file_handle *file;
	int type;
	zend_string *source;
	const char *filename;
	zend_compile_position position;
} code;

typedef struct {
	uint32_t functions, classes, constants;
} counts;

typedef struct {
	int type;
	uint32_t line;
	bool unheard; /* OPcache has put the error handler away */
	zend_string *file, *text;
} message;

typedef struct {
	counts before;
	void (*error_cb)(int type, zend_string *file, const uint32_t line, zend_string *text);
	int error_reporting; /* of the application's error handler */
	bool has_handler;
	message *messages;
	uint32_t count;
} compilation;

static zend_op_array *(*plain_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*plain_compile_string)(zend_string *, const char *, zend_compile_position);
/* Paths of files that declare something when they are compiled. */
static HashTable declaring;
/* NULL: whoever says something is heard. */
static compilation *running;

/* --- what was declared --- */

typedef struct {
	zend_string *name;
	zval entry;
} declaration;

typedef struct {
	declaration *items;
	uint32_t count;
} declarations;

static counts count_declared(void)
{
	return (counts){zend_hash_num_elements(EG(function_table)), zend_hash_num_elements(EG(class_table)),
		zend_hash_num_elements(EG(zend_constants))};
}

static bool has_declared(const counts *before)
{
	return zend_hash_num_elements(EG(function_table)) != before->functions ||
		zend_hash_num_elements(EG(class_table)) != before->classes ||
		zend_hash_num_elements(EG(zend_constants)) != before->constants;
}

static Bucket *last(HashTable *table)
{
	Bucket *bucket = &table->arData[table->nNumUsed - 1];

	while (Z_TYPE(bucket->val) == IS_UNDEF) {
		bucket--;
	}
	return bucket;
}

/* Takes what has come behind the first `elements` out of the base's table. */
static declarations take(HashTable *table, uint32_t elements)
{
	declarations taken = {NULL, zend_hash_num_elements(table) - elements};
	dtor_func_t destructor = table->pDestructor;

	if (!taken.count) {
		return taken;
	}
	taken.items = safe_emalloc(taken.count, sizeof(declaration), 0);
	table->pDestructor = NULL;
	for (uint32_t i = taken.count; i-- > 0;) {
		Bucket *bucket = last(table);

		taken.items[i].name = zend_string_copy(bucket->key);
		ZVAL_COPY_VALUE(&taken.items[i].entry, &bucket->val);
		zend_hash_del_bucket(table, bucket);
	}
	table->pDestructor = destructor;
	return taken;
}

/* The base's strings must not say that their class is this one. */
static void forget_cached(const zval *entry)
{
	zend_class_entry *ce = Z_PTR_P(entry);

	if (ZSTR_HAS_CE_CACHE(ce->name) && ZSTR_GET_CE_CACHE(ce->name) == ce) {
		ZSTR_SET_CE_CACHE(ce->name, NULL);
	}
}

static void declarations_put(HashTable *table, declarations *taken)
{
	for (uint32_t i = 0; i < taken->count; i++) {
		zend_hash_add(table, taken->items[i].name, &taken->items[i].entry);
		zend_string_release(taken->items[i].name);
	}
	if (taken->items) {
		efree(taken->items);
	}
}

static void move_declarations(const counts *before)
{
	declarations functions = take(EG(function_table), before->functions);
	declarations classes = take(EG(class_table), before->classes);
	declarations constants = take(EG(zend_constants), before->constants);

	for (uint32_t i = 0; i < classes.count; i++) {
		forget_cached(&classes.items[i].entry);
	}
	weft_domain_needs_tables();
	declarations_put(EG(function_table), &functions);
	declarations_put(EG(class_table), &classes);
	declarations_put(EG(zend_constants), &constants);
}

static void declarations_drop(HashTable *table, uint32_t elements)
{
	while (zend_hash_num_elements(table) > elements) {
		Bucket *bucket = last(table);

		if (table == EG(class_table)) {
			forget_cached(&bucket->val);
		}
		zend_hash_del_bucket(table, bucket);
	}
}

/* The rest will never come. In tables of the domain's own it goes with the domain. */
static void drop_declarations(const counts *before)
{
	if (!weft_has_own_tables()) {
		declarations_drop(EG(zend_constants), before->constants);
		declarations_drop(EG(function_table), before->functions);
		declarations_drop(EG(class_table), before->classes);
	}
}

/* --- what the compiler says --- */

static ZEND_COLD void compilation_on_error(int type, zend_string *file, const uint32_t line, zend_string *text);

/* The engine calls no error handler that wants to hear nothing: all comes to us. */
static void compilation_begin(compilation *compilation)
{
	compilation->before = count_declared();
	compilation->error_cb = zend_error_cb;
	compilation->error_reporting = EG(user_error_handler_error_reporting);
	compilation->has_handler = Z_TYPE(EG(user_error_handler)) != IS_UNDEF;
	zend_error_cb = compilation_on_error;
	EG(user_error_handler_error_reporting) = 0;
	running = compilation;
	weft_no_switch_begin();
}

static void compilation_end(compilation *compilation)
{
	weft_no_switch_end();
	running = NULL;
	EG(user_error_handler_error_reporting) = compilation->error_reporting;
	zend_error_cb = compilation->error_cb;
}

static void message_say(const message *message)
{
	if (message->unheard) {
		zend_error_cb(message->type, message->file, message->line, message->text);
	} else {
		zend_error_zstr_at(message->type, message->file, message->line, message->text);
	}
}

static void compilation_note(compilation *compilation, message said)
{
	zend_string_addref(said.text);
	if (said.file) {
		zend_string_addref(said.file);
	}
	compilation->messages = safe_erealloc(compilation->messages, compilation->count + 1, sizeof(message), 0);
	compilation->messages[compilation->count++] = said;
}

static void say_noted(compilation *compilation)
{
	for (uint32_t i = 0; i < compilation->count; i++) {
		message_say(&compilation->messages[i]);
		zend_string_release(compilation->messages[i].text);
		if (compilation->messages[i].file) {
			zend_string_release(compilation->messages[i].file);
		}
	}
	if (compilation->messages) {
		efree(compilation->messages);
	}
}

/* As if the error handler had run before what made the compiler give up, a syntax error, was thrown. */
static void say_all(compilation *compilation)
{
	zend_object *thrown = EG(exception);
	const zend_op *before = EG(opline_before_exception);

	if (!compilation->count) {
		return;
	}
	EG(exception) = NULL;
	say_noted(compilation);
	if (thrown) {
		if (EG(exception)) {
			zend_exception_set_previous(thrown, EG(exception));
		}
		EG(exception) = thrown;
		EG(opline_before_exception) = before;
	}
}

static void say_fatal(compilation *compilation, const message *message)
{
	drop_declarations(&compilation->before);
	for (uint32_t i = 0; i < compilation->count; i++) {
		compilation->messages[i].unheard |= WEFT_FATAL_SILENCES_HANDLER;
	}
	say_noted(compilation);
	if (EG(exception)) {
		zend_exception_error(EG(exception), E_WARNING);
		EG(exception) = NULL;
	}
	zend_error_cb(message->type, message->file, message->line, message->text);
}

static ZEND_COLD void compilation_on_error(int type, zend_string *file, const uint32_t line, zend_string *text)
{
	compilation *compilation = running;
	message said = {type, line, compilation->has_handler && Z_TYPE(EG(user_error_handler)) == IS_UNDEF, file, text};

	if ((type & FATAL) && !(type & E_DONT_BAIL)) {
		compilation_end(compilation);
		say_fatal(compilation, &said);
		return;
	}
	if (CG(in_compilation) || has_declared(&compilation->before)) {
		compilation_note(compilation, said);
		return;
	}
	/* the file is being opened */
	compilation_end(compilation);
	message_say(&said);
	compilation_begin(compilation);
}

/* --- compiling --- */

static bool is_isolated(void)
{
	return weft_domain_in_place && weft_base_state.taken;
}

/* Whether what is declared now would be the base's, and must not. */
static bool must_not_declare(void)
{
	return !weft_has_own_tables() && !weft_in_autoloader();
}

static zend_op_array *compile_plainly(const code *code)
{
	return code->file ? plain_compile_file(code->file, code->type)
					  : plain_compile_string(code->source, code->filename, code->position);
}

/* True in `declares`: there was something that had to be moved. */
static zend_op_array *compile(const code *code, bool *declares)
{
	zend_op_array *compiled = NULL;
	compilation compilation = {0};

	compilation_begin(&compilation);
	zend_try
	{
		compiled = compile_plainly(code);
	}
	zend_catch
	{
		if (running == &compilation) {
			compilation_end(&compilation);
			drop_declarations(&compilation.before);
		}
		zend_bailout();
	}
	zend_end_try();
	compilation_end(&compilation);
	*declares = must_not_declare() && has_declared(&compilation.before);
	if (*declares) {
		move_declarations(&compilation.before);
	}
	say_all(&compilation);
	return compiled;
}

/* Streams other than files may be of PHP code. False: it can't be read, and that has been said. */
static bool read_stream(zend_file_handle *file, int type, const char *path)
{
	php_stream_wrapper *wrapper = php_stream_locate_url_wrapper(path, NULL, 0);
	char *text;
	size_t length;

	if (!wrapper || wrapper == &php_plain_files_wrapper || zend_stream_fixup(file, &text, &length) == SUCCESS) {
		return true;
	}
	if (!EG(exception)) {
		zend_message_dispatcher(type == ZEND_REQUIRE ? ZMSG_FAILED_REQUIRE_FOPEN : ZMSG_FAILED_INCLUDE_FOPEN,
			ZSTR_VAL(file->filename));
	}
	return false;
}

static zend_op_array *compile_path(zend_file_handle *file, int type, zend_string *path)
{
	zend_op_array *compiled;
	bool declares;

	if (!read_stream(file, type, ZSTR_VAL(path))) {
		return NULL;
	}
	if (must_not_declare() && zend_hash_exists(&declaring, path)) {
		weft_domain_needs_tables();
	}
	compiled = compile(&(code){.file = file, .type = type}, &declares);
	if (declares) {
		zend_hash_add_empty_element(&declaring, path);
	}
	return compiled;
}

static zend_op_array *compile_script(zend_file_handle *file, int type)
{
	zend_op_array *compiled;
	zend_string *path;

	weft_c_files_notice();
	weft_opcache_time_goes_on();
	if (!is_isolated() || !file->filename) {
		return plain_compile_file(file, type);
	}
	path = file->opened_path ? zend_string_copy(file->opened_path) : zend_resolve_path(file->filename);
	if (!path) {
		path = zend_string_copy(file->filename);
	}
	compiled = compile_path(file, type, path);
	zend_string_release(path);
	return compiled;
}

static zend_op_array *compile_code(zend_string *source, const char *filename, zend_compile_position position)
{
	bool declares;

	weft_opcache_time_goes_on();
	if (!is_isolated()) {
		return plain_compile_string(source, filename, position);
	}
	/* whether it declares or not: what is compiled in the base's arena stays there */
	weft_domain_needs_tables();
	return compile(&(code){.source = source, .filename = filename, .position = position}, &declares);
}

void weft_compiling_rinit(void)
{
	if (!declaring.arData) {
		zend_hash_init(&declaring, 8, NULL, NULL, 1);
	}
	if (plain_compile_file) {
		return;
	}
	plain_compile_file = zend_compile_file;
	zend_compile_file = compile_script;
	plain_compile_string = zend_compile_string;
	zend_compile_string = compile_code;
}

void weft_compiling_forget(void)
{
	if (declaring.arData) {
		zend_hash_destroy(&declaring);
		memset(&declaring, 0, sizeof(declaring));
	}
}
