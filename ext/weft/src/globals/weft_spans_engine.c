/*
 * What the engine keeps of a request in its globals: output, headers, handlers, small things.
 *
 * Beside each span: the test that fails without it.
 */
#include "globals/weft_spans.h"
#include "weft_compat.h"
#include "php_main.h"
#include "php_output.h"
#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "zend_smart_str.h"

static void release_string(void *own)
{
	zend_string *string = *(zend_string **) own;

	if (string) {
		zend_string_release(string);
	}
}

/* --- request information, headers. What ini directives own, and the table of body readers, stay where they are --- */

static void image_sapi(void *image)
{
	sapi_globals_struct *sapi = image, base;

	memcpy(&base, sapi, offsetof(sapi_globals_struct, global_stat));
	weft_boot_keep_headers(&base.sapi_headers);
	memset(sapi, 0, offsetof(sapi_globals_struct, global_stat) + sizeof(sapi->global_stat));
	sapi->request_info.proto_num = base.request_info.proto_num;
	sapi->request_info.no_headers = base.request_info.no_headers;
	sapi->request_info.argc = base.request_info.argc;
	sapi->request_info.argv = base.request_info.argv;
#if PHP_VERSION_ID >= 80600
	sapi->options = base.options;
	sapi->sapi_started = base.sapi_started;
#endif
	sapi->sapi_headers.http_response_code = base.sapi_headers.http_response_code ? 200 : 0;
	sapi->sapi_headers.send_default_content_type = 1;
	zend_llist_init(&sapi->sapi_headers.headers, sizeof(sapi_header_struct), (void (*)(void *)) sapi_free_header, 0);
}

/* sapi_deactivate() has done all this when the request had a server behind it. */
static void end_sapi(void *own)
{
	sapi_globals_struct *sapi = own;

	zend_llist_destroy(&sapi->sapi_headers.headers);
	if (sapi->sapi_headers.http_status_line) {
		efree(sapi->sapi_headers.http_status_line);
	}
	if (sapi->sapi_headers.mimetype) {
		efree(sapi->sapi_headers.mimetype);
	}
	if (sapi->request_info.request_body) {
		/* php://input was read */
		zend_list_delete(sapi->request_info.request_body->res);
	}
}

static void end_value(void *own)
{
	zval_ptr_dtor(own);
}

/* The time of the request, which each asks for itself; until 8.6 its options, and whether it has begun, lie before. */
#if PHP_VERSION_ID >= 80600
#define FIRST_SAPI_OPTION global_request_time
#define FIRST_OF_SEND_HEADER send_header_fcc
#define LAST_OF_SEND_HEADER send_header_fcc

typedef struct {
	double time;
} sapi_options;

static void end_send_header(void *own)
{
	zend_fcall_info_cache *callback = own;

	if (ZEND_FCC_INITIALIZED(*callback)) {
		zend_fcc_dtor(callback);
	}
}
#else
#define FIRST_SAPI_OPTION options
#define FIRST_OF_SEND_HEADER callback_func
#define LAST_OF_SEND_HEADER fci_cache

typedef struct {
	int options;
	bool started;
	double time;
} sapi_options;

#define end_send_header end_value
#endif

_Static_assert(offsetof(sapi_globals_struct, global_request_time) - offsetof(sapi_globals_struct, FIRST_SAPI_OPTION) ==
		offsetof(sapi_options, time),
	"sapi_options lies as the SAPI's globals do");

static void image_sapi_options(void *image)
{
	((sapi_options *) image)->time = 0;
}

/* --- getlastmod() and its kin: of the script, looked up at the first call --- */

typedef struct {
	zend_long user, group, inode;
	time_t modified;
} script_info;

_Static_assert(offsetof(php_basic_globals, page_mtime) - offsetof(php_basic_globals, page_uid) ==
		offsetof(script_info, modified),
	"script_info lies as the globals do");

static void image_script_info(void *image)
{
	*(script_info *) image = (script_info){-1, -1, -1, -1};
}

/* --- output: without this one request's page ends up in another's buffer --- */

static void image_output(void *image)
{
	zend_output_globals *output = image;

	weft_boot_keep_buffers(output);
	memset(output, 0, sizeof(*output));
	zend_stack_init(&output->handlers, sizeof(php_output_handler *));
	output->flags = PHP_OUTPUT_ACTIVATED | (PG(implicit_flush) ? PHP_OUTPUT_IMPLICITFLUSH : 0);
}

/* Whoever ran the request has ended its buffers; what a fatal error left is dropped unsent. */
static void finish_output(void *own)
{
	zend_output_globals *output = own;

	while (zend_stack_count(&output->handlers)) {
		php_output_handler **handler = zend_stack_top(&output->handlers);

		php_output_handler_free(handler);
		zend_stack_del_top(&output->handlers);
	}
	zend_stack_destroy(&output->handlers);
	if (output->output_start_filename) {
		zend_string_release(output->output_start_filename);
	}
}

/* --- output_add_rewrite_var() and session.use_trans_sid: what is added to links and forms. The rest of such a struct
 * is what ini directives say --- */

#define REWRITER(member) \
	.address = &basic_globals.member, .size = offsetof(url_adapt_state_ex_t, tags), .image = image_rewriter, \
	.end = end_rewriter

static void image_rewriter(void *image)
{
	url_adapt_state_ex_t *rewriter = image;
	int type = rewriter->type;

	memset(image, 0, offsetof(url_adapt_state_ex_t, tags));
	rewriter->type = type;
}

static void end_rewriter(void *own)
{
	url_adapt_state_ex_t *rewriter = own;

	smart_str_free(&rewriter->result);
	smart_str_free(&rewriter->buf);
	smart_str_free(&rewriter->tag);
	smart_str_free(&rewriter->arg);
	smart_str_free(&rewriter->attr_val);
	smart_str_free(&rewriter->form_app);
	smart_str_free(&rewriter->url_app);
}

/* --- error and exception handlers: a domain starts with the base's, and goes back to the base's previous ones --- */

typedef struct {
	int error_reporting;
	zval error_handler;
	zval exception_handler;
	zend_stack error_reportings;
	zend_stack error_handlers;
	zend_stack exception_handlers;
} handlers;

_Static_assert(offsetof(zend_executor_globals, user_exception_handlers) -
			offsetof(zend_executor_globals, user_error_handler_error_reporting) ==
		offsetof(handlers, exception_handlers),
	"handlers lie as the engine's do");

/* The elements of a stack that the image or the base has. */
static void copy_stack(zend_stack *stack, bool of_values)
{
	const zend_stack shared = *stack;

	zend_stack_init(stack, shared.size);
	for (int i = 0; i < shared.top; i++) {
		void *element = (char *) shared.elements + (size_t) i * (size_t) shared.size;

		if (of_values) {
			Z_TRY_ADDREF_P((zval *) element);
		}
		zend_stack_push(stack, element);
	}
}

static bool hold_handlers(void *own)
{
	handlers *state = own;

	Z_TRY_ADDREF(state->error_handler);
	Z_TRY_ADDREF(state->exception_handler);
	copy_stack(&state->error_reportings, false);
	copy_stack(&state->error_handlers, true);
	copy_stack(&state->exception_handlers, true);
	return Z_REFCOUNTED(state->error_handler) || Z_REFCOUNTED(state->exception_handler) ||
		!zend_stack_is_empty(&state->error_handlers) || !zend_stack_is_empty(&state->exception_handlers);
}

static void image_handlers(void *image)
{
	hold_handlers(image);
}

/* A destructor may set a handler again, now and later: the stack must know that it has no room any more. */
static void destroy_handlers(zend_stack *stack)
{
	while (!zend_stack_is_empty(stack)) {
		zval handler = *(zval *) zend_stack_top(stack);

		zend_stack_del_top(stack);
		zval_ptr_dtor(&handler);
	}
	zend_stack_clean(stack, NULL, true);
}

static void finish_handlers(void *live, const void *image)
{
	handlers *state = live;
	const handlers *first = image;
	zval error_handler = state->error_handler, exception_handler = state->exception_handler;

	destroy_handlers(&state->error_handlers);
	destroy_handlers(&state->exception_handlers);
	zend_stack_clean(&state->error_reportings, NULL, true);
	ZVAL_COPY(&state->error_handler, &first->error_handler);
	ZVAL_COPY(&state->exception_handler, &first->exception_handler);
	state->error_reporting = first->error_reporting;
	zval_ptr_dtor(&error_handler);
	zval_ptr_dtor(&exception_handler);
}

static void end_handlers(void *own)
{
	handlers *state = own;

	destroy_handlers(&state->error_handlers);
	destroy_handlers(&state->exception_handlers);
	zend_stack_destroy(&state->error_reportings);
	zval_ptr_dtor(&state->error_handler);
	zval_ptr_dtor(&state->exception_handler);
}

#define IN_LAST_ERROR(own, field) \
	((zend_string **) ((char *) (own) + \
		(offsetof(php_core_globals, field) - offsetof(php_core_globals, last_error_type))))

static void end_last_error(void *own)
{
	release_string(IN_LAST_ERROR(own, last_error_message));
	release_string(IN_LAST_ERROR(own, last_error_file));
}

#if WEFT_HAVE_FATAL_BACKTRACE
/* What the arguments of calls refer to may have destructors. */
static void finish_backtrace(void *live, const void *image)
{
	zval backtrace;

	ZVAL_COPY_VALUE(&backtrace, (zval *) live);
	ZVAL_UNDEF((zval *) live);
	zval_ptr_dtor(&backtrace);
}
#endif

/* --- shutdown functions: each request runs the boot's (weft_c_registered.c), then its own --- */

static void end_shutdown_functions(void *own)
{
	HashTable *functions = *(HashTable **) own;

	if (functions) {
		zend_hash_destroy(functions);
		FREE_HASHTABLE(functions);
	}
}

/* Unlike PHP's own, this lets a fatal error in a destructor reach whoever ends the request. */
void weft_finish_shutdown_functions(void)
{
	HashTable *functions = BG(user_shutdown_function_names);

	BG(user_shutdown_function_names) = NULL;
	end_shutdown_functions(&functions);
}

static void finish_shutdown_functions(void *live, const void *image)
{
	weft_finish_shutdown_functions();
}

/* --- tick functions: the engine's list holds what extensions have put there when they were loaded (ext/pcntl's
 * dispatcher), and the caller of the user's list --- */

static bool copy_ticks(void *own)
{
	zend_llist shared = *(zend_llist *) own;

	if (!zend_llist_count(&shared)) {
		return false;
	}
	zend_llist_copy(own, &shared);
	return true;
}

static void image_ticks(void *image)
{
	copy_ticks(image);
}

static bool same_ticks(const void *live, const void *image)
{
	const zend_llist *ticks = live, *first = image;
	const zend_llist_element *one = ticks->head, *other = first->head;

	while (one && other && memcmp(one->data, other->data, ticks->size) == 0) {
		one = one->next;
		other = other->next;
	}
	return !one && !other;
}

static void end_ticks(void *own)
{
	zend_llist_destroy(own);
}

static void finish_ticks(void *live, const void *image)
{
	zend_llist_clean(live);
}

static void end_user_ticks(void *own)
{
	zend_llist *user = *(zend_llist **) own;

	if (user) {
		zend_llist_destroy(user);
		efree(user);
	}
}

/* The list stays, since the engine's may still hold its caller. */
static void finish_user_ticks(void *live, const void *image)
{
	zend_llist_clean(*(zend_llist **) live);
}

/* --- persistent connections: what pg_pconnect(), pfsockopen() or a Memcached with an id finds again would be spoken
 * to by two requests at once, so "persistent" lasts as long as the domain --- */

static void image_persistent(void *image)
{
	dtor_func_t destructor = ((HashTable *) image)->pDestructor;

	zend_hash_init((HashTable *) image, 8, NULL, destructor, 1);
}

/* The resources that stood for the streams are gone with the domain's values. */
static void end_persistent(void *own)
{
	zend_resource *entry;

	ZEND_HASH_FOREACH_PTR((HashTable *) own, entry) {
		if (entry->type == php_file_le_pstream()) {
			((php_stream *) entry->ptr)->res = NULL;
			((php_stream *) entry->ptr)->ctx = NULL;
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_graceful_reverse_destroy(own);
}

#define SAPI_SPAN(first, last) WEFT_SPAN_OF(sapi_globals_struct, sapi_globals, first, last)
#define EG_SPAN(first, last) WEFT_SPAN_OF(zend_executor_globals, executor_globals, first, last)
#define PG_SPAN(first, last) WEFT_SPAN_OF(php_core_globals, core_globals, first, last)
#define BG_SPAN(member) WEFT_SPAN_OF(php_basic_globals, basic_globals, member, member)

const weft_span weft_engine_spans[] = {
	/* http/two-requests-interleave.phpt */
	{.name = "sapi",
		SAPI_SPAN(server_context, global_stat),
		.image = image_sapi,
		.forget = weft_boot_forget_headers,
		.end = end_sapi},
	{.name = "sapi", SAPI_SPAN(rfc1867_uploaded_files, rfc1867_uploaded_files)},
	{.name = "sapi", SAPI_SPAN(FIRST_SAPI_OPTION, global_request_time), .image = image_sapi_options},
	{.name = "sapi", SAPI_SPAN(FIRST_OF_SEND_HEADER, LAST_OF_SEND_HEADER), .end = end_send_header},
	/* classic/script_info.phpt */
	{.name = "scalars",
		WEFT_SPAN_OF(php_basic_globals, basic_globals, page_uid, page_mtime),
		.image = image_script_info},
	/* isolation/output.phpt */
	{.name = "output",
		.address = &output_globals,
		.size = sizeof(output_globals),
		.image = image_output,
		.forget = weft_boot_forget_buffers,
		.end = finish_output},
	/* c_state/rewriting.phpt */
	{.name = "rewriting", REWRITER(url_adapt_session_ex)},
	{.name = "rewriting", REWRITER(url_adapt_output_ex)},
	/* isolation/error_handlers.phpt, isolation/handlers_below.phpt */
	{.name = "errors",
		EG_SPAN(user_error_handler_error_reporting, user_exception_handlers),
		.image = image_handlers,
		.forget = end_handlers,
		.start = hold_handlers,
		.finish = finish_handlers,
		.end = end_handlers},
	{.name = "errors", PG_SPAN(last_error_type, WEFT_LAST_FIELD_OF_ERROR), .end = end_last_error},
#if WEFT_HAVE_FATAL_BACKTRACE
	/* http/backtrace-of-a-fatal-error.phpt */
	{.name = "errors",
		EG_SPAN(last_fatal_error_backtrace, last_fatal_error_backtrace),
		.finish = finish_backtrace,
		.end = end_value},
#endif
#if WEFT_HAVE_LAST_HTTP_HEADERS
	/* c_state/last_http_headers.phpt */
	{.name = "last headers", BG_SPAN(last_http_headers), .end = end_value},
#endif
	/* isolation/shutdown_functions_and_destructors.phpt */
	{.name = "shutdown functions",
		BG_SPAN(user_shutdown_function_names),
		.image = weft_boot_image_shutdown_functions,
		.forget = weft_boot_forget_shutdown_functions,
		.finish = finish_shutdown_functions,
		.end = end_shutdown_functions},
	/* c_state/ticks.phpt */
	{.name = "ticks",
		PG_SPAN(tick_functions, tick_functions),
		.image = image_ticks,
		.forget = end_ticks,
		.start = copy_ticks,
		.same = same_ticks,
		.finish = finish_ticks,
		.end = end_ticks},
	{.name = "ticks",
		BG_SPAN(user_tick_functions),
		.image = weft_boot_image_user_ticks,
		.forget = end_user_ticks,
		.start = weft_boot_copy_user_ticks,
		.finish = finish_user_ticks,
		.end = end_user_ticks},
	/* isolation/process_state.phpt */
	{.name = "strtok", BG_SPAN(strtok_string), .end = release_string},
	{.name = "strtok", BG_SPAN(strtok_last)},
	{.name = "strtok", BG_SPAN(strtok_len)},
	/* http/exit-in-handler.phpt */
	{.name = "scalars", EG_SPAN(exit_status, exit_status)},
	{.name = "scalars", EG_SPAN(ticks_count, ticks_count)},
	{.name = "scalars", PG_SPAN(connection_status, connection_status)},
	{.name = "scalars", PG_SPAN(header_is_being_sent, header_is_being_sent)},
	{.name = "scalars", PG_SPAN(in_error_log, in_error_log)},
	{.name = "scalars", PG_SPAN(in_user_include, in_user_include)},
	/* c_state/persistent.phpt */
	{.name = "persistent connections",
		EG_SPAN(persistent_list, persistent_list),
		.image = image_persistent,
		.end = end_persistent},
	{.name = NULL},
};
