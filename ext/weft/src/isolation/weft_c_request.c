/*
 * C-level state of a request: output, headers and request information, handlers, small things.
 */
#include "isolation/weft_c_state.h"
#include "php_main.h"
#include "php_output.h"
#include "SAPI.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/php_filestat.h"
#include "zend_smart_str.h"

/* --- output: without this one request's page ends up in another's buffer --- */

static void output_fresh(void *saved)
{
	zend_output_globals *output = saved;

	memset(output, 0, sizeof(*output));
	zend_stack_init(&output->handlers, sizeof(php_output_handler *));
	output->flags = PHP_OUTPUT_ACTIVATED | (PG(implicit_flush) ? PHP_OUTPUT_IMPLICITFLUSH : 0);
}

static void output_leave(void *saved)
{
	memcpy(saved, &output_globals, sizeof(output_globals));
}

static void output_enter(void *saved)
{
	memcpy(&output_globals, saved, sizeof(output_globals));
}

static void output_discard(void *saved)
{
	zend_output_globals *output = saved;

	/* whoever ran the request has ended its buffers; what a fatal error left is dropped unsent */
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

const weft_c_item weft_c_output = {
	.name = "output",
	.size = sizeof(zend_output_globals),
	.fresh = output_fresh,
	.leave = output_leave,
	.enter = output_enter,
	.discard = output_discard,
};

/* --- output_add_rewrite_var() and session.use_trans_sid: what is added to links and forms --- */

/* The rest is what ini directives say. */
#define REWRITER_SIZE offsetof(url_adapt_state_ex_t, tags)

typedef struct {
	url_adapt_state_ex_t *rewriters; /* two; NULL: none was in use */
} rewriting_state;

static bool is_rewriting(const url_adapt_state_ex_t *rewriter)
{
	return rewriter->active || rewriter->url_app.s || rewriter->form_app.s;
}

static void nothing_fresh(void *saved)
{
}

static void take_rewriter(url_adapt_state_ex_t *to, url_adapt_state_ex_t *from)
{
	int type = from->type;

	memcpy(to, from, REWRITER_SIZE);
	memset(from, 0, REWRITER_SIZE);
	from->type = type;
}

static void rewriting_leave(void *saved)
{
	rewriting_state *state = saved;

	if (EXPECTED(!is_rewriting(&BG(url_adapt_session_ex)) && !is_rewriting(&BG(url_adapt_output_ex)))) {
		return;
	}
	state->rewriters = safe_pemalloc(2, sizeof(url_adapt_state_ex_t), 0, 1);
	take_rewriter(&state->rewriters[0], &BG(url_adapt_session_ex));
	take_rewriter(&state->rewriters[1], &BG(url_adapt_output_ex));
}

static void rewriting_enter(void *saved)
{
	rewriting_state *state = saved;

	if (UNEXPECTED(state->rewriters)) {
		memcpy(&BG(url_adapt_session_ex), &state->rewriters[0], REWRITER_SIZE);
		memcpy(&BG(url_adapt_output_ex), &state->rewriters[1], REWRITER_SIZE);
		free(state->rewriters);
		state->rewriters = NULL;
	}
}

static void rewriting_discard(void *saved)
{
	rewriting_state *state = saved;

	for (int i = 0; state->rewriters && i < 2; i++) {
		url_adapt_state_ex_t *rewriter = &state->rewriters[i];

		smart_str_free(&rewriter->result);
		smart_str_free(&rewriter->buf);
		smart_str_free(&rewriter->tag);
		smart_str_free(&rewriter->arg);
		smart_str_free(&rewriter->attr_val);
		smart_str_free(&rewriter->form_app);
		smart_str_free(&rewriter->url_app);
	}
	free(state->rewriters);
}

const weft_c_item weft_c_rewriting = {
	.name = "rewriting",
	.size = sizeof(rewriting_state),
	.fresh = nothing_fresh,
	.leave = rewriting_leave,
	.enter = rewriting_enter,
	.discard = rewriting_discard,
};

/* --- SAPI: request information, headers, uploaded files --- */

/* What ini directives own, and the process-wide table of body readers, stay where they are. */
static void move_sapi(sapi_globals_struct *to, const sapi_globals_struct *from)
{
	to->server_context = from->server_context;
	to->request_info = from->request_info;
	to->sapi_headers = from->sapi_headers;
	to->read_post_bytes = from->read_post_bytes;
	to->post_read = from->post_read;
	to->headers_sent = from->headers_sent;
	to->global_stat = from->global_stat;
	to->rfc1867_uploaded_files = from->rfc1867_uploaded_files;
	to->options = from->options;
	to->sapi_started = from->sapi_started;
	to->global_request_time = from->global_request_time;
	to->callback_func = from->callback_func;
	to->fci_cache = from->fci_cache;
}

/* The parts of the base that a request without a server behind it starts with. */
static sapi_globals_struct base_sapi;

static void sapi_capture(void)
{
	base_sapi.sapi_headers.http_response_code = SG(sapi_headers).http_response_code ? 200 : 0;
	base_sapi.request_info.proto_num = SG(request_info).proto_num;
	base_sapi.request_info.no_headers = SG(request_info).no_headers;
	base_sapi.request_info.argc = SG(request_info).argc;
	base_sapi.request_info.argv = SG(request_info).argv;
	base_sapi.options = SG(options);
	base_sapi.sapi_started = SG(sapi_started);
	base_sapi.sapi_headers.send_default_content_type = 1;
	ZVAL_UNDEF(&base_sapi.callback_func);
}

static void sapi_fresh(void *saved)
{
	sapi_globals_struct *sapi = saved;

	*sapi = base_sapi;
	zend_llist_init(&sapi->sapi_headers.headers, sizeof(sapi_header_struct), (void (*)(void *)) sapi_free_header, 0);
}

static void sapi_leave(void *saved)
{
	move_sapi(saved, &sapi_globals);
}

static void sapi_enter(void *saved)
{
	move_sapi(&sapi_globals, saved);
}

static void sapi_discard(void *saved)
{
	sapi_globals_struct *sapi = saved;

	/* sapi_deactivate() has done all this when the request had a server behind it */
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
	zval_ptr_dtor(&sapi->callback_func);
}

const weft_c_item weft_c_sapi = {
	.name = "sapi",
	.size = sizeof(sapi_globals_struct),
	.capture = sapi_capture,
	.fresh = sapi_fresh,
	.leave = sapi_leave,
	.enter = sapi_enter,
	.discard = sapi_discard,
};

/* --- error and exception handlers, the last error --- */

typedef struct {
	zval error_handler;
	zval exception_handler;
	int error_reporting;
	zend_stack error_reportings;
	zend_stack error_handlers;
	zend_stack exception_handlers;
	int last_type;
	int last_line;
	zend_string *last_message;
	zend_string *last_file;
} error_state;

/* The base's handlers, each held once. A domain starts with them, and with no previous ones to go back to. */
static struct {
	zval error_handler;
	zval exception_handler;
	int error_reporting;
} base_errors;

static void errors_forget(void)
{
	zval_ptr_dtor(&base_errors.error_handler);
	zval_ptr_dtor(&base_errors.exception_handler);
	ZVAL_UNDEF(&base_errors.error_handler);
	ZVAL_UNDEF(&base_errors.exception_handler);
}

static void errors_capture(void)
{
	errors_forget();
	ZVAL_COPY(&base_errors.error_handler, &EG(user_error_handler));
	ZVAL_COPY(&base_errors.exception_handler, &EG(user_exception_handler));
	base_errors.error_reporting = EG(user_error_handler_error_reporting);
}

static void errors_fresh(void *saved)
{
	error_state *state = saved;

	ZVAL_COPY(&state->error_handler, &base_errors.error_handler);
	ZVAL_COPY(&state->exception_handler, &base_errors.exception_handler);
	state->error_reporting = base_errors.error_reporting;
	zend_stack_init(&state->error_reportings, sizeof(int));
	zend_stack_init(&state->error_handlers, sizeof(zval));
	zend_stack_init(&state->exception_handlers, sizeof(zval));
}

static void errors_leave(void *saved)
{
	error_state *state = saved;

	state->error_handler = EG(user_error_handler);
	state->exception_handler = EG(user_exception_handler);
	state->error_reporting = EG(user_error_handler_error_reporting);
	state->error_reportings = EG(user_error_handlers_error_reporting);
	state->error_handlers = EG(user_error_handlers);
	state->exception_handlers = EG(user_exception_handlers);
	state->last_type = PG(last_error_type);
	state->last_line = PG(last_error_lineno);
	state->last_message = PG(last_error_message);
	state->last_file = PG(last_error_file);
}

static void errors_enter(void *saved)
{
	const error_state *state = saved;

	EG(user_error_handler) = state->error_handler;
	EG(user_exception_handler) = state->exception_handler;
	EG(user_error_handler_error_reporting) = state->error_reporting;
	EG(user_error_handlers_error_reporting) = state->error_reportings;
	EG(user_error_handlers) = state->error_handlers;
	EG(user_exception_handlers) = state->exception_handlers;
	PG(last_error_type) = state->last_type;
	PG(last_error_lineno) = state->last_line;
	PG(last_error_message) = state->last_message;
	PG(last_error_file) = state->last_file;
}

static void destroy_handlers(zend_stack *handlers)
{
	while (!zend_stack_is_empty(handlers)) {
		zval handler = *(zval *) zend_stack_top(handlers);

		zend_stack_del_top(handlers);
		zval_ptr_dtor(&handler);
	}
	zend_stack_destroy(handlers);
}

static void release_string(zend_string **string)
{
	if (*string) {
		zend_string_release(*string);
		*string = NULL;
	}
}

static void errors_finish(void)
{
	zval error_handler = EG(user_error_handler), exception_handler = EG(user_exception_handler);

	destroy_handlers(&EG(user_error_handlers));
	destroy_handlers(&EG(user_exception_handlers));
	zend_stack_clean(&EG(user_error_handlers_error_reporting), NULL, true);
	ZVAL_COPY(&EG(user_error_handler), &base_errors.error_handler);
	ZVAL_COPY(&EG(user_exception_handler), &base_errors.exception_handler);
	EG(user_error_handler_error_reporting) = base_errors.error_reporting;
	zval_ptr_dtor(&error_handler);
	zval_ptr_dtor(&exception_handler);
}

static void errors_discard(void *saved)
{
	error_state *state = saved;

	destroy_handlers(&state->error_handlers);
	destroy_handlers(&state->exception_handlers);
	zend_stack_destroy(&state->error_reportings);
	zval_ptr_dtor(&state->error_handler);
	zval_ptr_dtor(&state->exception_handler);
	release_string(&state->last_message);
	release_string(&state->last_file);
}

const weft_c_item weft_c_errors = {
	.name = "errors",
	.size = sizeof(error_state),
	.capture = errors_capture,
	.fresh = errors_fresh,
	.leave = errors_leave,
	.enter = errors_enter,
	.finish = errors_finish,
	.discard = errors_discard,
	.forget = errors_forget,
};

/* --- shutdown functions: each request runs its own --- */

static void shutdown_leave(void *saved)
{
	*(HashTable **) saved = BG(user_shutdown_function_names);
}

static void shutdown_enter(void *saved)
{
	BG(user_shutdown_function_names) = *(HashTable **) saved;
}

static void free_shutdown_functions(HashTable *functions)
{
	if (functions) {
		zend_hash_destroy(functions);
		FREE_HASHTABLE(functions);
	}
}

/* Unlike PHP's own, this lets a fatal error in a destructor reach whoever ends the request. */
static void shutdown_finish(void)
{
	HashTable *functions = BG(user_shutdown_function_names);

	BG(user_shutdown_function_names) = NULL;
	free_shutdown_functions(functions);
}

static void shutdown_discard(void *saved)
{
	free_shutdown_functions(*(HashTable **) saved);
}

const weft_c_item weft_c_shutdown = {
	.name = "shutdown functions",
	.size = sizeof(HashTable *),
	.fresh = nothing_fresh,
	.leave = shutdown_leave,
	.enter = shutdown_enter,
	.finish = shutdown_finish,
	.discard = shutdown_discard,
};

/* --- tick functions: the engine's list holds the caller of the user's list --- */

typedef struct {
	zend_llist engine;
	zend_llist *user;
} tick_state;

/* What extensions have put there when they were loaded: ext/pcntl's dispatcher. */
static zend_llist base_ticks;

static void ticks_forget(void)
{
	zend_llist_destroy(&base_ticks);
	memset(&base_ticks, 0, sizeof(base_ticks));
}

static void ticks_capture(void)
{
	ticks_forget();
	if (BG(user_tick_functions)) {
		/* the caller of the boot's tick functions is among them: a domain starts without those */
		zend_llist_init(&base_ticks, PG(tick_functions).size, PG(tick_functions).dtor, PG(tick_functions).persistent);
	} else {
		zend_llist_copy(&base_ticks, &PG(tick_functions));
	}
}

static void ticks_fresh(void *saved)
{
	tick_state *state = saved;

	zend_llist_copy(&state->engine, &base_ticks);
}

static void ticks_leave(void *saved)
{
	tick_state *state = saved;

	state->engine = PG(tick_functions);
	state->user = BG(user_tick_functions);
}

static void ticks_enter(void *saved)
{
	const tick_state *state = saved;

	PG(tick_functions) = state->engine;
	BG(user_tick_functions) = state->user;
}

static void ticks_finish(void)
{
	zend_llist *user = BG(user_tick_functions);

	zend_llist_clean(&PG(tick_functions));
	BG(user_tick_functions) = NULL;
	if (user) {
		zend_llist_destroy(user);
		efree(user);
	}
}

static void ticks_discard(void *saved)
{
	tick_state *state = saved;

	zend_llist_destroy(&state->engine);
	if (state->user) {
		zend_llist_destroy(state->user);
		efree(state->user);
	}
}

const weft_c_item weft_c_ticks = {
	.name = "ticks",
	.size = sizeof(tick_state),
	.capture = ticks_capture,
	.fresh = ticks_fresh,
	.leave = ticks_leave,
	.enter = ticks_enter,
	.finish = ticks_finish,
	.discard = ticks_discard,
	.forget = ticks_forget,
};

/* --- strtok: the string being cut, and where --- */

typedef struct {
	zend_string *string;
	char *last;
	size_t length;
} strtok_state;

static void strtok_leave(void *saved)
{
	strtok_state *state = saved;

	state->string = BG(strtok_string);
	state->last = BG(strtok_last);
	state->length = BG(strtok_len);
}

static void strtok_enter(void *saved)
{
	const strtok_state *state = saved;

	BG(strtok_string) = state->string;
	BG(strtok_last) = state->last;
	BG(strtok_len) = state->length;
}

static void strtok_discard(void *saved)
{
	release_string(&((strtok_state *) saved)->string);
}

const weft_c_item weft_c_strtok = {
	.name = "strtok",
	.size = sizeof(strtok_state),
	.fresh = nothing_fresh,
	.leave = strtok_leave,
	.enter = strtok_enter,
	.discard = strtok_discard,
};

/* --- small values --- */

typedef struct {
	int exit_status;
	int ticks_count;
	short connection_status;
	unsigned char header_is_being_sent;
	bool in_error_log;
	bool in_user_include;
} scalar_state;

static void scalars_leave(void *saved)
{
	scalar_state *state = saved;

	state->exit_status = EG(exit_status);
	state->ticks_count = EG(ticks_count);
	state->connection_status = PG(connection_status);
	state->header_is_being_sent = PG(header_is_being_sent);
	state->in_error_log = PG(in_error_log);
	state->in_user_include = PG(in_user_include);
	/* a remembered stat() is a guess about a file that the next domain may have reason to see anew */
	if (BG(CurrentStatFile) || BG(CurrentLStatFile)) {
		php_clear_stat_cache(0, NULL, 0);
	}
}

static void scalars_enter(void *saved)
{
	const scalar_state *state = saved;

	EG(exit_status) = state->exit_status;
	EG(ticks_count) = state->ticks_count;
	PG(connection_status) = state->connection_status;
	PG(header_is_being_sent) = state->header_is_being_sent;
	PG(in_error_log) = state->in_error_log;
	PG(in_user_include) = state->in_user_include;
}

const weft_c_item weft_c_scalars = {
	.name = "scalars",
	.size = sizeof(scalar_state),
	.fresh = nothing_fresh,
	.leave = scalars_leave,
	.enter = scalars_enter,
};
