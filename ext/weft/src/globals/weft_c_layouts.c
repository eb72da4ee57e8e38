/*
 * Which layouts are right in this process: what is put in a place for a moment has to be what PHP's own function then
 * tells. Each check reads first what it can, and puts everything back.
 */
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_errors.h"
#include "ext/date/php_date.h"
#include "ext/session/php_session.h"
#include "zend_exceptions.h"

#include <signal.h>

/* What is put in a place is little-endian, and neither a code nor a number that is there by chance. */
#define MARK_NUMBER 1234
#define MARK_TEXT "weft"
#define MARK_SIGNAL 32 /* the C library's own: nobody can have a handler for it */

/* --- asking PHP's functions --- */

/* The answer is UNDEF when there is no such function, or it throws. */
static void ask(const char *function, zval *argument, zval *answer)
{
	zend_execute_data nobody = {0}, *caller = EG(current_execute_data);

	/* Before the script runs nobody calls, and what is thrown to nobody ends PHP. */
	if (!caller) {
		EG(current_execute_data) = &nobody;
	}
	weft_c_call(function, answer, argument ? 1 : 0, argument);
	if (EG(exception)) {
		zval_ptr_dtor(answer);
		ZVAL_UNDEF(answer);
		zend_clear_exception();
	}
	EG(current_execute_data) = caller;
}

/* While these bytes lie at the place. */
static void ask_with(void *place, const void *bytes, size_t size, const char *function, zval *argument, zval *answer)
{
	char before[128];

	ZEND_ASSERT(size <= sizeof(before));
	memcpy(before, place, size);
	memcpy(place, bytes, size);
	ask(function, argument, answer);
	memcpy(place, before, size);
}

static bool answers(zval *answer, zend_long expected)
{
	bool right = Z_TYPE_P(answer) == IS_LONG && Z_LVAL_P(answer) == expected;

	zval_ptr_dtor(answer);
	return right;
}

static bool is_text(zval *answer, const char *expected)
{
	bool right = Z_TYPE_P(answer) == IS_STRING && strcmp(Z_STRVAL_P(answer), expected) == 0;

	zval_ptr_dtor(answer);
	return right;
}

static bool is_type(zval *answer, int type)
{
	bool right = Z_TYPE_P(answer) == type;

	zval_ptr_dtor(answer);
	return right;
}

/* A number of this size is what the function tells. */
static bool tells_number(void *place, size_t size, const char *function)
{
	zend_long mark = MARK_NUMBER;
	zval answer;

	ask_with(place, &mark, size, function, NULL, &answer);
	return answers(&answer, MARK_NUMBER);
}

static bool tells_text(void *place, const void *bytes, size_t size, const char *function, const char *expected)
{
	zval answer;

	ask_with(place, bytes, size, function, NULL, &answer);
	return is_text(&answer, expected);
}

/* A directive says itself where its value lies. */
static bool is_directive_at(const char *name, const void *place)
{
	const zend_ini_entry *directive = zend_hash_str_find_ptr(EG(ini_directives), name, strlen(name));

	return directive && (const char *) directive->mh_arg2 + (uintptr_t) directive->mh_arg1 == place;
}

/* --- the extensions --- */

static bool check_date(void *globals)
{
	zend_date_globals *date = globals;
	timelib_error_container none = {0}, *errors[2] = {&none, NULL};
	zval answer;

	ask_with(&date->last_errors, &errors[0], sizeof(errors[0]), "date_get_last_errors", NULL, &answer);
	if (!is_type(&answer, IS_ARRAY)) {
		return false;
	}
	ask_with(&date->last_errors, &errors[1], sizeof(errors[1]), "date_get_last_errors", NULL, &answer);
	return is_type(&answer, IS_FALSE);
}

static bool check_intl(void *globals)
{
	weft_intl_layout *intl = globals;
	weft_intl_error error = {0};

	if (!tells_number(&intl->error.code, sizeof(intl->error.code), "intl_get_error_code") ||
		!is_directive_at("intl.error_level", &intl->error_level)) {
		return false;
	}
#if PHP_VERSION_ID >= 80500
	error.message = zend_string_init_interned(ZEND_STRL(MARK_TEXT), 1);
#else
	error.message = MARK_TEXT;
#endif
	return tells_text(&intl->error, &error, sizeof(error), "intl_get_error_message", MARK_TEXT ": U_ZERO_ERROR");
}

static bool check_imap(void *globals)
{
	weft_imap_layout *imap = globals;
	char text[] = MARK_TEXT;
	weft_imap_error error = {.text = text, .length = sizeof(text) - 1}, *errors = &error;

	return is_directive_at("imap.enable_insecure_rsh", &imap->enable_rsh) &&
		tells_text(&imap->errors, &errors, sizeof(errors), "imap_last_error", MARK_TEXT);
}

static bool check_libxml_errors(weft_libxml_layout *libxml)
{
	struct {
		int domain, code;
		char rest[248]; /* more than libxml2 has in any version */
	} error = {.code = MARK_NUMBER};
	zend_llist list, *errors = &list;
	zval answer, ignored, *told, *code;
	bool right = false;

	zend_llist_init(&list, sizeof(error), NULL, 0);
	zend_llist_add_element(&list, &error);
	ask_with(&libxml->errors, &errors, sizeof(errors), "libxml_get_errors", NULL, &answer);
	told = Z_TYPE(answer) == IS_ARRAY ? zend_hash_index_find(Z_ARRVAL(answer), 0) : NULL;
	if (told && Z_TYPE_P(told) == IS_OBJECT) {
		code = zend_read_property(Z_OBJCE_P(told), Z_OBJ_P(told), ZEND_STRL("code"), true, &ignored);
		right = Z_TYPE_P(code) == IS_LONG && Z_LVAL_P(code) == MARK_NUMBER;
	}
	zval_ptr_dtor(&answer);
	zend_llist_destroy(&list);
	return right;
}

static bool check_libxml_loader(weft_libxml_layout *libxml)
{
	weft_libxml_loader loader;
	zval answer;

	memset(&loader, 0, sizeof(loader));
#if PHP_VERSION_ID >= 80300
	loader.function_handler = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("strlen"));
#else
	ZVAL_STR(&loader.callback, zend_string_init_interned(ZEND_STRL("strlen"), 1));
	loader.call.size = sizeof(loader.call);
#endif
	ask_with(&libxml->loader, &loader, sizeof(loader), "libxml_get_external_entity_loader", NULL, &answer);
	return is_text(&answer, "strlen");
}

static bool check_libxml_context(weft_libxml_layout *libxml)
{
	php_stream_context *context = php_stream_context_alloc();
	zval before, argument, answer;
	bool right;

	ZVAL_COPY(&before, &libxml->stream_context);
	ZVAL_RES(&argument, context->res);
	ask("libxml_set_streams_context", &argument, &answer);
	right = Z_TYPE(libxml->stream_context) == IS_RESOURCE && Z_RES(libxml->stream_context) == context->res;
	zval_ptr_dtor(right ? &libxml->stream_context : &before);
	if (right) {
		ZVAL_COPY_VALUE(&libxml->stream_context, &before);
	}
	zval_ptr_dtor(&argument);
	zval_ptr_dtor(&answer);
	return right;
}

static bool check_libxml(void *globals)
{
	return check_libxml_errors(globals) && check_libxml_loader(globals) && check_libxml_context(globals);
}

/* How an encoding begins. */
typedef struct {
	int number;
	const char *name;
	const void *rest[12];
} encoding;

static bool check_detect_order(weft_mbstring_layout *mbstring)
{
	const encoding mark = {.name = MARK_TEXT};
	const void *marks[] = {&mark};
	const struct {
		const void **order;
		size_t size;
	} list = {marks, 1};
	const zval *first;
	zval answer;
	bool right = false;

	ask_with(&mbstring->current_detect_order_list, &list, sizeof(list), "mb_detect_order", NULL, &answer);
	if (Z_TYPE(answer) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL(answer)) == 1) {
		first = zend_hash_index_find(Z_ARRVAL(answer), 0);
		right = first && Z_TYPE_P(first) == IS_STRING && strcmp(Z_STRVAL_P(first), MARK_TEXT) == 0;
	}
	zval_ptr_dtor(&answer);
	return right;
}

static bool check_illegal_characters(weft_mbstring_layout *mbstring)
{
	size_t mark = MARK_NUMBER;
	zval what, answer;

	ZVAL_STRING(&what, "illegal_chars");
	ask_with(&mbstring->illegal_characters, &mark, sizeof(mark), "mb_get_info", &what, &answer);
	zval_ptr_dtor(&what);
	return answers(&answer, MARK_NUMBER);
}

static bool begins_with_i(weft_mbregex_layout *regex, unsigned options)
{
	zval answer;
	bool begins;

	ask_with(&regex->options, &options, sizeof(options), "mb_regex_set_options", NULL, &answer);
	begins = Z_TYPE(answer) == IS_STRING && Z_STRVAL(answer)[0] == 'i';
	zval_ptr_dtor(&answer);
	return begins;
}

/* An mbstring without regular expressions has smaller globals. */
static bool check_mbregex(weft_mbregex_layout *regex)
{
	return regex && tells_number(&regex->search_position, sizeof(regex->search_position), "mb_ereg_search_getpos") &&
		begins_with_i(regex, 1) && !begins_with_i(regex, 0);
}

static bool check_mbstring(void *globals)
{
	weft_mbstring_layout *mbstring = globals;
	const encoding mark = {.name = MARK_TEXT}, *current = &mark;
	const int to_character[] = {1, MARK_NUMBER};
	zval answer;

	ask_with(&mbstring->current_filter_illegal_mode, to_character, sizeof(to_character), "mb_substitute_character",
		NULL, &answer);
	return answers(&answer, MARK_NUMBER) &&
		tells_text(&mbstring->current_internal_encoding, &current, sizeof(current), "mb_internal_encoding",
			MARK_TEXT) &&
		tells_text(&mbstring->current_http_output_encoding, &current, sizeof(current), "mb_http_output", MARK_TEXT) &&
		check_detect_order(mbstring) && check_illegal_characters(mbstring) && check_mbregex(mbstring->regex);
}

static bool check_mysqli(void *globals)
{
	weft_mysqli_layout *mysqli = globals;
	const char *mark = MARK_TEXT;
	zend_long before = mysqli->report_mode;
	zval mode, answer;
	bool right;

	ZVAL_LONG(&mode, before ^ 1);
	ask("mysqli_report", &mode, &answer);
	right = mysqli->report_mode == Z_LVAL(mode);
	zval_ptr_dtor(&answer);
	ZVAL_LONG(&mode, right ? before : 3); /* 3 is what it is when nobody has said anything */
	ask("mysqli_report", &mode, &answer);
	zval_ptr_dtor(&answer);
	return right && tells_number(&mysqli->error_no, sizeof(mysqli->error_no), "mysqli_connect_errno") &&
		tells_text(&mysqli->error_msg, &mark, sizeof(mark), "mysqli_connect_error", MARK_TEXT);
}

static bool check_openssl(void *globals)
{
	weft_openssl_layout *openssl = globals;
	weft_openssl_errors mark = {.codes = {0, MARK_NUMBER}, .top = 1}, *errors = &mark;
	zval answer;

	ask_with(&openssl->errors, &errors, sizeof(errors), "openssl_error_string", NULL, &answer);
	return is_type(&answer, IS_STRING) && mark.bottom == 1;
}

/* A signal that has come, as far as it matters: for which nobody has a handler. */
typedef struct {
	void *next;
	zend_long number;
	siginfo_t info;
} pending_signal;

/* Whether pcntl_signal_dispatch() takes it from the queue, and gives it to the spare ones. */
static bool dispatches(weft_pcntl_layout *pcntl, pending_signal *signal, bool processing)
{
	void *spares = pcntl->spares;
	zval answer;
	bool done;

	pcntl->processing_signal_queue = processing;
	pcntl->head = pcntl->tail = signal;
	pcntl->pending_signals = 1;
	ask("pcntl_signal_dispatch", NULL, &answer);
	done = !pcntl->head && !pcntl->pending_signals && pcntl->spares == signal && signal->next == spares;
	pcntl->head = pcntl->tail = NULL;
	pcntl->pending_signals = 0;
	pcntl->processing_signal_queue = 0;
	pcntl->spares = spares;
	zval_ptr_dtor(&answer);
	return done;
}

static bool check_pcntl_queue(weft_pcntl_layout *pcntl)
{
	pending_signal signal = {.number = NSIG};

	return !pcntl->head && !pcntl->tail && !pcntl->pending_signals && !pcntl->processing_signal_queue &&
		!dispatches(pcntl, &signal, true) && dispatches(pcntl, &signal, false);
}

static bool check_pcntl_table(weft_pcntl_layout *pcntl)
{
	zval number, mark, answer;
	bool right;

	ZVAL_LONG(&number, MARK_SIGNAL);
	if (zend_hash_index_exists(&pcntl->signal_table, MARK_SIGNAL)) {
		return false;
	}
	ZVAL_INTERNED_STR(&mark, zend_string_init_interned(ZEND_STRL(MARK_TEXT), 1));
	zend_hash_index_add_new(&pcntl->signal_table, MARK_SIGNAL, &mark);
	ask("pcntl_signal_get_handler", &number, &answer);
	right = is_text(&answer, MARK_TEXT);
	zend_hash_index_del(&pcntl->signal_table, MARK_SIGNAL);
	return right;
}

static bool tells_async(weft_pcntl_layout *pcntl, bool async)
{
	zval answer;

	ask_with(&pcntl->async_signals, &async, sizeof(async), "pcntl_async_signals", NULL, &answer);
	return is_type(&answer, async ? IS_TRUE : IS_FALSE);
}

/* What hears a signal meanwhile would look for its place, too. */
static bool check_pcntl(void *globals)
{
	weft_pcntl_layout *pcntl = globals;
	sigset_t all, before;
	bool right;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	right = tells_number(&pcntl->last_error, sizeof(pcntl->last_error), "pcntl_get_last_error") &&
		tells_async(pcntl, true) && tells_async(pcntl, false) && pcntl->signal_table.pDestructor == ZVAL_PTR_DTOR &&
		check_pcntl_table(pcntl) && check_pcntl_queue(pcntl);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return right;
}

/* Whose connection is none: PHP has a name for it, the empty one, but none for no default connection. */
static bool check_pgsql_link(weft_pgsql_layout *pgsql)
{
	zend_class_entry *class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pgsql\\connection"));
	zend_object *none = NULL, *link;
	zval object, answer;
	bool right;

	if (!class || object_init_ex(&object, class) == FAILURE) {
		return false;
	}
	link = Z_OBJ(object);
	ask_with(&pgsql->default_link, &none, sizeof(none), "pg_dbname", NULL, &answer);
	right = is_type(&answer, IS_UNDEF);
	if (right) {
		ask_with(&pgsql->default_link, &link, sizeof(link), "pg_dbname", NULL, &answer);
		right = is_text(&answer, "");
	}
	zval_ptr_dtor(&object);
	return right;
}

static bool is_table(const HashTable *table, bool persistent, bool destroys)
{
	return (GC_TYPE_INFO(table) & GC_TYPE_MASK) == IS_ARRAY &&
		((GC_FLAGS(table) & IS_ARRAY_PERSISTENT) != 0) == persistent && table->nTableSize >= HT_MIN_SIZE &&
		(table->nTableSize & (table->nTableSize - 1)) == 0 && (table->pDestructor != NULL) == destroys;
}

/* The tables show what they are only to who has a server. */
static bool check_pgsql(void *globals)
{
	weft_pgsql_layout *pgsql = globals;

	return is_directive_at("pgsql.log_notice", &pgsql->log_notices) &&
		is_directive_at("pgsql.max_links", &pgsql->max_links) && check_pgsql_link(pgsql) &&
		is_table(&pgsql->field_oids, false, true) && is_table(&pgsql->table_oids, false, true) &&
		pgsql->field_oids.pDestructor == pgsql->table_oids.pDestructor && is_table(&pgsql->connections, true, false);
}

static bool check_posix(void *globals)
{
	weft_posix_layout *posix = globals;

	return tells_number(&posix->last_error, sizeof(posix->last_error), "posix_get_last_error");
}

static bool check_session(void *globals)
{
	php_ps_globals *session = globals;
	php_session_status active = php_session_active;
	zend_string *mark = zend_string_init_interned(ZEND_STRL(MARK_TEXT), 1);
	zval answer;

	ask_with(&session->session_status, &active, sizeof(active), "session_status", NULL, &answer);
	return answers(&answer, php_session_active) &&
		tells_text(&session->id, &mark, sizeof(mark), "session_id", MARK_TEXT) &&
		is_directive_at("session.gc_divisor", &session->gc_divisor) &&
		is_directive_at("session.use_cookies", &session->use_cookies) &&
		is_directive_at("session.upload_progress.enabled", &session->rfc1867_enabled) &&
		is_directive_at("session.lazy_write", &session->lazy_write);
}

static bool check_sockets(void *globals)
{
	weft_sockets_layout *sockets = globals;

	return tells_number(&sockets->last_error, sizeof(sockets->last_error), "socket_last_error");
}

static bool check_spl(void *globals)
{
	return weft_c_autoloaders_found();
}

static bool check_standard(void *globals)
{
	return weft_c_directory_found();
}

static bool check_zlib(void *globals)
{
	weft_zlib_layout *zlib = globals;
	const int gzip = 0x1f;

	return is_directive_at("zlib.output_handler", &zlib->output_handler) &&
		tells_text(&zlib->compression_coding, &gzip, sizeof(gzip), "zlib_get_coding_type", "gzip");
}

/* --- the list --- */

typedef struct {
	const char *module;
	size_t size; /* of its globals; 0: what matters is not there */
	bool (*check)(void *globals);
	const char *state; /* for people */
} known_layout;

static const known_layout layouts[] = {
	{"date", sizeof(zend_date_globals), check_date, "the last errors"},
	{"imap", sizeof(weft_imap_layout), check_imap, "the user, the password and the errors of the last call"},
	{"intl", sizeof(weft_intl_layout), check_intl, "the last error"},
	{"libxml", sizeof(weft_libxml_layout), check_libxml, "the errors, the stream context and the loader of entities"},
	{"mbstring", sizeof(weft_mbstring_layout), check_mbstring, "the encodings and the search of mb_ereg"},
	{"mysqli", sizeof(weft_mysqli_layout), check_mysqli, "the last error and mysqli_report()"},
	{"openssl", sizeof(weft_openssl_layout), check_openssl, "the last errors"},
	{"pcntl", sizeof(weft_pcntl_layout), check_pcntl, "the last error and the handlers of signals"},
	{"pgsql", sizeof(weft_pgsql_layout), check_pgsql, "the default connection"},
	{"posix", sizeof(weft_posix_layout), check_posix, "the last error"},
	{"session", sizeof(php_ps_globals), check_session, "the session"},
	{"sockets", sizeof(weft_sockets_layout), check_sockets, "the last error"},
	{"spl", 0, check_spl, "the autoloaders"},
	{"standard", 0, check_standard, "the directory that readdir() reads"},
	{"zlib", sizeof(weft_zlib_layout), check_zlib, "the output compression"},
};

#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static enum { UNSEEN, BEING_SEEN, ABSENT, RIGHT, WRONG } seen[LAYOUTS];
static void *globals_of[LAYOUTS];

static bool is_right(const known_layout *layout, const zend_module_entry *module)
{
	weft_errors_state errors;
	bool right;

	if (layout->size && (!module->globals_ptr || module->globals_size != layout->size)) {
		return false;
	}
	weft_errors_quiet_begin(&errors);
	right = layout->check(module->globals_ptr);
	weft_errors_quiet_end(&errors);
	return right;
}

static void look_at(size_t i)
{
	const char *name = layouts[i].module;
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, name, strlen(name));

	seen[i] = BEING_SEEN;
	if (!module) {
		seen[i] = ABSENT;
	} else {
		globals_of[i] = module->globals_ptr;
		seen[i] = is_right(&layouts[i], module) ? RIGHT : WRONG;
	}
}

void *weft_layout(const char *name)
{
	for (size_t i = 0; i < LAYOUTS; i++) {
		if (strcmp(layouts[i].module, name) == 0) {
			if (seen[i] == UNSEEN) {
				look_at(i);
			}
			return seen[i] == RIGHT ? globals_of[i] : NULL;
		}
	}
	return NULL;
}

void weft_layouts_unknown(void (*tell)(const char *module, const char *state, void *context), void *context)
{
	for (size_t i = 0; i < LAYOUTS; i++) {
		if (seen[i] == WRONG) {
			tell(layouts[i].module, layouts[i].state, context);
		}
	}
}
