/*
 * What extensions keep of a request in their globals. Those that may be shared are found through the module registry,
 * never linked.
 *
 * Beside each span: the test that fails without it.
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_errors.h"
#include "ext/date/php_date.h"
#include "ext/random/php_random.h"
#include "zend_exceptions.h"
#include "ext/session/php_session.h"
#include "interpose/guard/weft_soap.h"
#include "weft_compat.h"
#include "zend_smart_str.h"

/* --- pgsql: pg_connect() finds open connections again by their parameters; two requests must not share one --- */

#define PGSQL_TABLES 3

static void image_pgsql(void *image)
{
	HashTable *tables = image;

	for (int i = 0; i < PGSQL_TABLES; i++) {
		HashTable of_base = tables[i];

		zend_hash_init(&tables[i], 0, NULL, of_base.pDestructor, (GC_FLAGS(&of_base) & IS_ARRAY_PERSISTENT) != 0);
	}
}

static void end_pgsql(void *own)
{
	for (int i = 0; i < PGSQL_TABLES; i++) {
		zend_hash_destroy(&((HashTable *) own)[i]);
	}
}

static void end_pgsql_link(void *own)
{
	zend_object *object = *(zend_object **) own;

	*(zend_object **) own = NULL;
	if (object) {
		OBJ_RELEASE(object);
	}
}

static void finish_pgsql_link(void *live, const void *image)
{
	end_pgsql_link(live);
}

static void *find_soap(void)
{
	return weft_soap_globals();
}

/* --- imap: who logs in when a connection is opened again, and what its functions tell when they are over --- */

/* Directives lie there, too. What the boot has asked for is the boot's. */
static void image_imap(void *image)
{
	weft_imap_layout *imap = image;

	imap->user = imap->password = NULL;
	imap->alerts = NULL;
	imap->errors = NULL;
}

static void shut_imap_down(void)
{
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("imap"));

	module->request_shutdown_func(module->type, module->module_number);
}

/* As at a request's end: warns of errors that the request has not asked for. */
static void finish_imap(void *live, const void *image)
{
	shut_imap_down();
}

/* What connections that were closed since have left; the module frees what lies in its own place. */
static void end_imap(void *own)
{
	weft_imap_layout *live = weft_layout("imap"), of_others = *live, *ours = own;
	weft_errors_state errors;

	*live = *ours;
	weft_errors_quiet_begin(&errors);
	shut_imap_down();
	weft_errors_quiet_end(&errors);
	*live = of_others;
	if (ours->user) {
		efree(ours->user);
	}
	if (ours->password) {
		efree(ours->password);
	}
}

/* --- last errors --- */

static void end_mysqli_error(void *own)
{
	char *message = *(char **) own;

	if (message) {
		efree(message);
	}
}

static void end_date_errors(void *own)
{
	timelib_error_container *errors = *(timelib_error_container **) own;

	if (!errors) {
		return;
	}
	for (int i = 0; i < errors->error_count; i++) {
		efree(errors->error_messages[i].message);
	}
	for (int i = 0; i < errors->warning_count; i++) {
		efree(errors->warning_messages[i].message);
	}
	if (errors->error_messages) {
		efree(errors->error_messages);
	}
	if (errors->warning_messages) {
		efree(errors->warning_messages);
	}
	efree(errors);
}

static void end_intl_error(void *own)
{
	weft_intl_error *error = own;

#if PHP_VERSION_ID >= 80500
	if (error->message) {
		zend_string_release(error->message);
	}
#else
	if (error->owned && error->message) {
		efree(error->message);
	}
#endif
}

static void end_openssl_errors(void *own)
{
	free(*(void **) own);
}

/* --- mbstring's regular expressions: the compiled ones as well, since a search keeps a pointer to one --- */

/* oniguruma is there when ext/mbstring was built with it; this extension doesn't need it */
extern void onig_region_free(void *region, int free_self) __attribute__((weak));

static void image_mbregex(void *image)
{
	weft_mbregex_layout *regex = image;
	dtor_func_t destructor = regex->compiled.pDestructor;

	zend_hash_init(&regex->compiled, 0, NULL, destructor, 1);
	ZVAL_UNDEF(&regex->search_string);
	regex->search_string_value = NULL;
	regex->search_position = 0;
	regex->search_pattern = NULL;
	regex->search_registers = NULL;
}

static void end_mbregex(void *own)
{
	weft_mbregex_layout *regex = own;

	zval_ptr_dtor(&regex->search_string);
	if (regex->search_registers && onig_region_free) {
		onig_region_free(regex->search_registers, 1);
	}
	zend_hash_destroy(&regex->compiled);
}

/* --- lcg_value() seeds itself anew in each domain; the state of mt_rand() is in weft_c_extensions.c --- */

static void *find_lcg(void)
{
	return WEFT_RANDOM_LCG;
}

/* --- libxml: libxml_use_internal_errors() and the errors it has collected, the stream context, the loader --- */

typedef void (*structured_error)(void *context, void *error);

/* libxml2 is there when PHP's extension is; this extension doesn't need it. */
extern structured_error *__xmlStructuredError(void) __attribute__((weak));

static void *find_libxml_handler(void)
{
	return __xmlStructuredError && weft_layout("libxml") ? __xmlStructuredError() : NULL;
}

/* Of libxml_get_last_error(), and what messages of others quote. */
typedef struct {
	int domain, code;
	char *message;
	int level;
	char *file;
	int line;
	char *strings[3];
	int numbers[2];
	void *context, *node;
} libxml_error;

extern libxml_error *__xmlLastError(void) __attribute__((weak));
extern void xmlResetError(libxml_error *error) __attribute__((weak));

static void *find_libxml_last_error(void)
{
	return __xmlLastError && xmlResetError ? __xmlLastError() : NULL;
}

static void no_libxml_last_error(void *image)
{
	memset(image, 0, sizeof(libxml_error));
}

static void end_libxml_last_error(void *own)
{
	xmlResetError(own);
}

/* An empty list when the base has one. The image has such a one as well, as the base may free its own. */
static bool start_libxml_errors(void *own)
{
	zend_llist **errors = own, *base = *errors;

	if (!base) {
		return false;
	}
	*errors = emalloc(sizeof(zend_llist));
	zend_llist_init(*errors, base->size, base->dtor, 0);
	return true;
}

static void end_libxml_errors(void *own)
{
	zend_llist *errors = *(zend_llist **) own;

	if (errors) {
		zend_llist_destroy(errors);
		efree(errors);
	}
}

#if PHP_VERSION_ID >= 80300
static bool hold_loader(weft_libxml_loader *loader)
{
	if (!ZEND_FCC_INITIALIZED(*loader)) {
		return false;
	}
	zend_fcc_addref(loader);
	if (loader->function_handler->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE) {
		/* made for this one name that __call() answers, and freed with who has it */
		zend_function *copy = emalloc(sizeof(*copy));

		memcpy(copy, loader->function_handler, sizeof(*copy));
		zend_string_addref(copy->common.function_name);
		loader->function_handler = copy;
	}
	return true;
}

static void drop_loader(weft_libxml_loader *loader)
{
	weft_libxml_loader own = *loader;

	memset(loader, 0, sizeof(*loader));
	if (ZEND_FCC_INITIALIZED(own)) {
		zend_fcc_dtor(&own);
	}
}
#else
static bool hold_loader(weft_libxml_loader *loader)
{
	Z_TRY_ADDREF(loader->callback);
	return Z_REFCOUNTED(loader->callback);
}

static void drop_loader(weft_libxml_loader *loader)
{
	zval callback;

	ZVAL_COPY_VALUE(&callback, &loader->callback);
	ZVAL_NULL(&loader->callback);
	loader->call.size = 0;
	zval_ptr_dtor(&callback);
}
#endif

static bool start_libxml(void *own)
{
	weft_libxml_layout *libxml = own;
	bool has_errors = start_libxml_errors(&libxml->errors), has_loader = hold_loader(&libxml->loader);

	Z_TRY_ADDREF(libxml->stream_context);
	return has_errors || has_loader || Z_REFCOUNTED(libxml->stream_context);
}

static void image_libxml(void *image)
{
	weft_libxml_layout *libxml = image;

	memset(&libxml->error_buffer, 0, sizeof(libxml->error_buffer));
	start_libxml(libxml);
}

static void drop_libxml(weft_libxml_layout *libxml)
{
	zval context;

	ZVAL_COPY_VALUE(&context, &libxml->stream_context);
	ZVAL_UNDEF(&libxml->stream_context);
	drop_loader(&libxml->loader);
	zval_ptr_dtor(&context);
}

static void finish_libxml(void *live, const void *image)
{
	drop_libxml(live);
}

static void end_libxml(void *own)
{
	weft_libxml_layout *libxml = own;

	smart_str_free(&libxml->error_buffer);
	drop_libxml(libxml);
	end_libxml_errors(&libxml->errors);
}

/* --- PHP's own session. Its ini directives lie in the same struct, and refuse to change while a session is active:
 * weft_c_ini.c leaves what they set to this --- */

/* What session_set_save_handler() was given: values and nothing else, as many as PHP has names for. */
#define HANDLERS_OF_SESSIONS (sizeof(((php_ps_globals *) NULL)->mod_user_names) / sizeof(zval))

static bool hold_session_handlers(void *own)
{
	zval *handlers = (zval *) &((php_ps_globals *) own)->mod_user_names;
	bool any = false;

	for (size_t i = 0; i < HANDLERS_OF_SESSIONS; i++) {
		Z_TRY_ADDREF(handlers[i]);
		any |= Z_REFCOUNTED(handlers[i]);
	}
	return any;
}

static void drop_session_handlers(void *own)
{
	zval *handlers = (zval *) &((php_ps_globals *) own)->mod_user_names;

	for (size_t i = 0; i < HANDLERS_OF_SESSIONS; i++) {
		zval_ptr_dtor(&handlers[i]);
		ZVAL_UNDEF(&handlers[i]);
	}
}

static void image_session(void *image)
{
	php_ps_globals *session = image;

	hold_session_handlers(session);
	session->id = NULL;
	session->session_vars = NULL;
	session->mod_data = NULL;
	session->mod_user_is_open = false;
	session->in_save_handler = false;
	session->rfc1867_progress = NULL;
	ZVAL_UNDEF(&session->http_session_vars);
	if (session->session_status == php_session_active) {
		session->session_status = php_session_none;
	}
}

/* PHP has no frame when it ends a request, so it bails out when a value throws or calls exit() while it is encoded, and
 * the session stays as it was. Here is a frame, and half a session would be written. */
typedef struct {
	ps_serializer own; /* first */
	const ps_serializer *plain;
	bool bailed_out;
} careful_serializer;

static PS_SERIALIZER_ENCODE_FUNC(careful)
{
	const php_ps_globals *session = weft_layout("session");
	careful_serializer *careful = (careful_serializer *) session->serializer;
	zend_string *encoded = careful->plain->encode();

	if (EG(exception)) {
		if (encoded) {
			zend_string_release(encoded);
		}
		zend_exception_error(EG(exception), E_ERROR);
		careful->bailed_out = true;
		zend_bailout();
	}
	return encoded;
}

/* PHP's own end of a request's session. It catches what bails out. */
static void shut_down_session(const zend_module_entry *module, php_ps_globals *session)
{
	zend_execute_data *execute_data = EG(current_execute_data);
	bool unclean = CG(unclean_shutdown);
	careful_serializer careful = {.plain = session->serializer};

	if (session->serializer) {
		careful.own = *session->serializer;
		careful.own.encode = ps_srlzr_encode_careful;
		session->serializer = &careful.own;
	}
	module->request_shutdown_func(module->type, module->module_number);
	session->serializer = careful.plain;
	if (careful.bailed_out) {
		EG(current_execute_data) = execute_data;
		CG(unclean_shutdown) = unclean;
	}
}

/* Writes and closes an open session and forgets the handlers, as at the end of any request. */
static void end_session(void)
{
	zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));
	php_ps_globals *session = weft_layout("session");
	bool disabled;

	if (!session || !module->request_shutdown_func) {
		return;
	}
	disabled = session->session_status == php_session_disabled;
	shut_down_session(module, session);
	session->session_status = disabled ? php_session_disabled : php_session_none;
	session->id = NULL;
	session->session_vars = NULL;
	ZVAL_UNDEF(&session->http_session_vars);
}

static void finish_session(void *live, const void *image)
{
	end_session();
}

bool weft_session_is_open(void)
{
	static const php_ps_globals *session;

	if (UNEXPECTED(!session)) {
		session = weft_layout("session");
	}
	return session && session->session_status == php_session_active;
}

void weft_finish_session(void)
{
	if (weft_session_is_open()) {
		end_session();
	}
}

const weft_span weft_extension_spans[] = {
	/* isolation/process_state.phpt */
	{.name = "random", .address = &RANDOM_G(combined_lcg_seeded), .size = sizeof(bool)},
	{.name = "random", .find = find_lcg, .size = WEFT_RANDOM_LCG_SIZE},
	{.name = "mbstring",
		WEFT_SPAN_IN("mbstring", weft_mbstring_layout, current_internal_encoding, current_internal_encoding),
		.image = weft_span_as_base},
	{.name = "mbstring",
		WEFT_SPAN_IN("mbstring", weft_mbstring_layout, current_http_output_encoding, current_http_output_encoding),
		.image = weft_span_as_base},
	{.name = "mbstring",
		WEFT_SPAN_IN("mbstring", weft_mbstring_layout, current_filter_illegal_mode, current_filter_illegal_substchar),
		.image = weft_span_as_base},
	/* c_state/libxml.phpt, isolation/process_state.phpt */
	{.name = "libxml",
		.module = "libxml",
		.size = sizeof(weft_libxml_layout),
		.image = image_libxml,
		.forget = end_libxml,
		.start = start_libxml,
		.finish = finish_libxml,
		.end = end_libxml},
	{.name = "libxml", .find = find_libxml_handler, .size = sizeof(structured_error), .image = weft_span_as_base},
	/* c_state/libxml_last_error.phpt */
	{.name = "libxml",
		.find = find_libxml_last_error,
		.size = sizeof(libxml_error),
		.image = no_libxml_last_error,
		.end = end_libxml_last_error},
	/* c_state/pgsql.phpt */
	{.name = "fields of extensions",
		WEFT_SPAN_IN("pgsql", weft_pgsql_layout, field_oids, connections),
		.image = image_pgsql,
		.end = end_pgsql},
	{.name = "fields of extensions",
		WEFT_SPAN_IN("pgsql", weft_pgsql_layout, default_link, default_link),
		.finish = finish_pgsql_link,
		.end = end_pgsql_link},
	/* guard/soap.phpt: between its calls, use_soap_error_handler() */
	{.name = "soap", .find = find_soap, .size = sizeof(weft_soap_call), .image = weft_span_as_base},
	/* guard/imap.phpt */
	{.name = "imap",
		.module = "imap",
		.size = sizeof(weft_imap_layout),
		.image = image_imap,
		.finish = finish_imap,
		.end = end_imap},
	/* c_state/last_errors.phpt */
	{.name = "fields of extensions",
		WEFT_SPAN_IN("date", zend_date_globals, last_errors, last_errors),
		.end = end_date_errors},
	{.name = "fields of extensions", WEFT_SPAN_IN("intl", weft_intl_layout, error, error), .end = end_intl_error},
	{.name = "fields of extensions",
		WEFT_SPAN_IN("mysqli", weft_mysqli_layout, error_msg, error_msg),
		.end = end_mysqli_error},
	{.name = "fields of extensions", WEFT_SPAN_IN("mysqli", weft_mysqli_layout, error_no, error_no)},
	{.name = "fields of extensions",
		WEFT_SPAN_IN("openssl", weft_openssl_layout, errors, errors),
		.end = end_openssl_errors},
	{.name = "fields of extensions", WEFT_SPAN_IN("pcntl", weft_pcntl_layout, last_error, last_error)},
	{.name = "fields of extensions", WEFT_SPAN_IN("posix", weft_posix_layout, last_error, last_error)},
	{.name = "fields of extensions", WEFT_SPAN_IN("sockets", weft_sockets_layout, last_error, last_error)},
	/* c_state/mysqli_report.phpt */
	{.name = "fields of extensions",
		WEFT_SPAN_IN("mysqli", weft_mysqli_layout, report_mode, report_mode),
		.image = weft_span_as_base},
	/* c_state/output_handlers.phpt: the converter of mb_output_handler(), the compressor of ob_gzhandler() */
	{.name = "fields of extensions",
		WEFT_SPAN_IN("mbstring", weft_mbstring_layout, illegal_characters, output_converter)},
	{.name = "fields of extensions", WEFT_SPAN_IN("zlib", weft_zlib_layout, ob_gzhandler, ob_gzhandler)},
	{.name = "fields of extensions", WEFT_SPAN_IN("zlib", weft_zlib_layout, handler_registered, compression_coding)},
	/* c_state/mbregex.phpt */
	{.name = "fields of extensions",
		.module = "mbstring",
		.offset = offsetof(weft_mbstring_layout, regex),
		.size = sizeof(weft_mbregex_layout),
		.by_pointer = true,
		.image = image_mbregex,
		.end = end_mbregex},
	/* locks/sessions.phpt */
	{.name = "session",
		.module = "session",
		.offset = 0,
		.size = sizeof(php_ps_globals),
		.image = image_session,
		.forget = drop_session_handlers,
		.start = hold_session_handlers,
		.finish = finish_session,
		.end = drop_session_handlers},
	{.name = NULL},
};
