/*
 * A request: from its bytes to a coroutine with a domain of its own, and to the end of that.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "http/weft_sending.h"
#include "http/ws/weft_ws.h"
#include "coroutine/weft_frames.h"
#include "coroutine/weft_errors.h"
#include "domain/weft_domain.h"
#include "globals/weft_spans.h"
#include "reactor/weft_log.h"

#include <errno.h>
#include <sys/time.h>
#include <unistd.h>
#include "SAPI.h"
#include "main/php_main.h"
#include "main/php_output.h"
#include "main/php_variables.h"
#include "zend_exceptions.h"

/* A form without files: worth no temporary file before memory is really short. */
#define SMALL_BODY 8192

/* --- its bytes --- */

/* Who is alone with his file has what post_max_size allows. */
static bool has_room_in_files(const weft_http_request *request, uint64_t more)
{
	const weft_http_server *server = request->server;

	return server->input_files == request->in_file || server->input_files + more <= server->config.input_files;
}

static bool request_write(weft_http_request *request, const char *data, size_t length)
{
	size_t written;

	if (!has_room_in_files(request, length)) {
		weft_parser_refuse(&request->parser, 503,
			"The bodies of other requests have all the room there is on the disk now (weft.http_input_files).");
		return false;
	}
	written = weft_spool_write(request->body_file, data, length);
	request->in_file += written;
	request->server->input_files += written;
	if (written < length) {
		weft_log("weft: can't write a request body to its temporary file: %s", strerror(errno));
	}
	return written == length;
}

static bool request_spool(weft_http_request *request, const char *data, size_t length)
{
	if (request->body_file < 0) {
		request->body_file = weft_spool_open();
		if (request->body_file < 0 ||
			!request_write(request, weft_buffer_data(&request->body), weft_buffer_length(&request->body))) {
			return false;
		}
		weft_input_free(request->server, &request->body);
	}
	return request_write(request, data, length);
}

/* Bytes of a body that stay in memory: fewer when many clients have sent part of theirs. */
static size_t memory_for_body(const weft_http_server *server)
{
	const weft_http_config *config = &server->config;

	if (server->input < config->input_memory / 2) {
		return config->body_memory;
	}
	return server->input < config->input_memory ? MIN(config->body_memory, SMALL_BODY) : 0;
}

bool weft_request_keep_body(weft_http_request *request, const char *data, size_t length)
{
	if (request->body_file < 0 && request->body_length + length <= memory_for_body(request->server)) {
		weft_input_append(request->server, &request->body, data, length);
	} else if (!request_spool(request, data, length)) {
		return false;
	}
	request->body_length += length;
	return true;
}

const char *weft_request_header(const weft_http_request *request, weft_parser_known known)
{
	int32_t index = request->parser.known[known];

	return index < 0 ? NULL : request->head + request->parser.headers[index].value;
}

int64_t weft_request_find_header(const weft_http_request *request, const char *name, uint32_t from)
{
	const weft_parser *parser = &request->parser;
	size_t length = strlen(name);

	for (uint32_t i = from; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];

		if (header->name_length == length && strncasecmp(request->head + header->name, name, length) == 0) {
			return i;
		}
	}
	return -1;
}

/* Several Cookie headers are one list. */
static void join_cookies(weft_http_request *request)
{
	const weft_parser *parser = &request->parser;
	weft_buffer joined = {0};

	for (uint32_t i = 0; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];
		if (header->name_length == 6 && strncasecmp(request->head + header->name, "cookie", 6) == 0) {
			if (joined.end) {
				weft_buffer_append(&joined, "; ", 2);
			}
			weft_buffer_append(&joined, request->head + header->value, header->value_length);
		}
	}
	weft_buffer_append(&joined, "", 1);
	request->cookies = request->cookies_copy = joined.data;
}

/* "http://host/path": the host replaces the header's (RFC 9112, 3.2.2), the rest is the target. */
static void take_absolute_target(weft_http_request *request, char *target)
{
	char *host = strstr(target, "://") + 3;
	size_t length = strcspn(host, "/?#");

	request->host = request->host_copy = strndup(host, length);
	if (host[length] == '/') {
		request->uri = host + length;
	} else {
		size_t room = strlen(host + length) + 2;
		request->uri = request->uri_copy = pemalloc(room, 1);
		snprintf(request->uri, room, "/%s", host + length);
	}
}

void weft_request_take_head(weft_http_request *request, const char *head, size_t length)
{
	const weft_parser *parser = &request->parser;
	char *query;

	/* Every part is followed by a byte that isn't part of it (space, CR), so all can be ended in place. */
	request->head = pemalloc(length + 1, 1);
	request->head_length = length;
	request->server->input += length;
	memcpy(request->head, head, length);
	request->head[length] = '\0';
	for (uint32_t i = 0; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];
		if (header->value_length == 0) {
			((weft_parser_header *) header)->value = (uint32_t) length;
		} else {
			request->head[header->value + header->value_length] = '\0';
		}
	}
	request->uri = request->head + parser->target;
	request->uri[parser->target_length] = '\0';
	request->host = (char *) weft_request_header(request, WEFT_HEADER_HOST);
	if (request->uri[0] != '/' && request->uri[0] != '*') {
		take_absolute_target(request, request->uri);
	}
	query = strchr(request->uri, '?');
	request->query_copy = query ? strdup(query + 1) : NULL;
	request->query = request->query_copy ? request->query_copy : request->head + length;
	if (parser->known_count[WEFT_HEADER_COOKIE] > 1) {
		join_cookies(request);
	} else {
		request->cookies = (char *) weft_request_header(request, WEFT_HEADER_COOKIE);
	}
	request->began = weft_just_now(); /* when the reactor got its last bytes, or the request before it was answered */
}

/* PHP asks for it once, when $_SERVER is built: the request's domain has come into place just before. */
double weft_request_time(const weft_http_request *request)
{
	uint64_t age = weft_just_now() - request->began;
	struct timeval now;

	gettimeofday(&now, NULL);
	return (double) now.tv_sec + (double) now.tv_usec / 1e6 - (double) age / (double) WEFT_NS_PER_SEC;
}

/* --- PHP's side of its life --- */

weft_http_request *weft_request_current(void)
{
	return weft_sapi_is_server() ? SG(server_context) : NULL;
}

bool weft_http_running_request(weft_board_request *copy)
{
	const weft_http_request *request = SG(server_context);
	weft_board_request *shown = NULL;

	return weft_sapi_is_server() && request && weft_read_mapped(&shown, &request->shown, sizeof(shown)) &&
		weft_read_mapped(copy, shown, sizeof(*copy)) && copy->began;
}

void weft_request_tell_aborted(weft_http_request *request)
{
	PG(connection_status) |= PHP_CONNECTION_ABORTED;
	php_output_set_status(PHP_OUTPUT_DISABLED);
	if (request->cancelled && !request->coroutine->cancellation) {
		return; /* it unwinds already */
	}
	if (weft_current) {
		weft_cancel_withdraw(weft_current);
	}
	/* Not PHP's bailout, which frees nothing: this unwinds, running finally blocks, as an ended Fiber does. */
	if (!PG(ignore_user_abort) && request->ending < WEFT_END_OUTPUT && EG(current_execute_data) && !EG(exception)) {
		zend_throw_graceful_exit();
	}
}

static void fill_request_info(weft_http_request *request)
{
	const char *authorization = weft_request_header(request, WEFT_HEADER_AUTHORIZATION);
	sapi_request_info *info = &SG(request_info);

	memset(info, 0, sizeof(*info));
	info->request_method = weft_parser_method(&request->parser);
	info->query_string = request->query;
	info->request_uri = request->uri;
	info->content_type = weft_request_header(request, WEFT_HEADER_CONTENT_TYPE);
	info->content_length = (zend_long) request->body_length;
	info->path_translated = request->script.file ? request->script.file : (char *) weft_sapi_script();
	SG(server_context) = request;
	SG(sapi_headers).http_response_code = 200;
	php_handle_auth_data(authorization);
}

static void start_output(void)
{
	php_output_activate();
	PG(header_is_being_sent) = 0;
	PG(connection_status) = PHP_CONNECTION_NORMAL;
	PG(in_user_include) = 0;
	PG(in_error_log) = 0;
}

static void start_output_handlers(void)
{
	if (WEFT_HAS_OUTPUT_HANDLER()) {
		zval handler;
		ZVAL_STRING(&handler, WEFT_STRING_OF_INI(PG(output_handler)));
		php_output_start_user(&handler, 0, PHP_OUTPUT_HANDLER_STDFLAGS);
		zval_ptr_dtor(&handler);
	} else if (PG(output_buffering)) {
		php_output_start_user(NULL, PG(output_buffering) > 1 ? (size_t) PG(output_buffering) : 0,
			PHP_OUTPUT_HANDLER_STDFLAGS);
	} else if (PG(implicit_flush)) {
		php_output_set_implicit_flush(1);
	}
}

/* The first header, of which nothing need be checked and which replaces none. */
static void add_powered_by(void)
{
	sapi_header_struct header = {estrdup(SAPI_PHP_VERSION_HEADER), sizeof(SAPI_PHP_VERSION_HEADER) - 1};

	zend_llist_add_element(&SG(sapi_headers).headers, &header);
}

static void activate(weft_http_request *request)
{
	start_output();
	fill_request_info(request);
	if (request->script.file) {
		weft_user_ini_activate(request); /* they may say how the body is read */
	}
	sapi_activate(); /* reads the cookies and, for a POST, the body */
	SG(sapi_started) = 1;
	/* PHP-FPM tells PHP of no version, and PHP answers a POST with 302 then, not with 303, where a script sends a
	 * Location */
	SG(request_info).proto_num = request->script.file ? 1000 : request->parser.major * 1000 + request->parser.minor;
	/* PHP would drop a HEAD request's output and with it the knowledge of its length */
	SG(request_info).headers_only = 0;
	if (PG(expose_php) && weft_boot_shows_version()) {
		add_powered_by();
	}
	start_output_handlers();
	weft_boot_register();
	weft_sapi_build_superglobals(request);
	request->last_error = PG(last_error_message);
	request->ignores_abort = PG(ignore_user_abort);
	weft_cpu_limit_begin(request, 0);
}

static void deactivate(weft_http_request *request)
{
	weft_stderr_end(request);
	weft_sapi_drop_superglobals();
	if (SG(request_info).request_body) {
		/* php://input that is still open keeps a reference of its own */
		zend_list_delete(SG(request_info).request_body->res);
		SG(request_info).request_body = NULL;
	}
	SG(post_read) = 1;
	weft_header_callback_clear();
	sapi_deactivate();
	memset(&SG(request_info), 0, sizeof(SG(request_info)));
	SG(sapi_started) = 1;
	SG(server_context) = NULL;
}

static void call_handler(weft_http_request *request)
{
	zend_fcall_info call = request->server->handler;
	zend_fcall_info_cache cache = request->server->handler_cache;
	zval result;

	ZVAL_UNDEF(&result);
	call.retval = &result;
	zend_call_function(&call, &cache);
	zval_ptr_dtor(&result);
}

static void handle_request(weft_http_request *request)
{
	const weft_http_connection *connection = weft_request_connection(request);

	request->handling = true;
	if (connection && connection->half_closed) {
		weft_hang_up_perhaps(request->exchange);
	}
	if (request->aborted || request->limit.ended) {
		return; /* gone before we began: nobody wants the answer */
	}
	request->called = true;
	weft_vm_stack_widen();
	if (request->script.file) {
		weft_script_execute(&request->script);
	} else if (UNEXPECTED(request->job != NULL)) {
		weft_ws_job_run(request);
	} else {
		call_handler(request);
	}
	if (!CG(unclean_shutdown)) {
		weft_vm_stack_narrow();
	}
}

/* What is printed when PHP's output has ended goes where the command line prints: it is begun again, and ends where
 * there is no request. */
static void leave_output_to_others(void)
{
	php_output_activate();
	SG(headers_sent) = 1;
}

static void request_run(weft_coroutine *coroutine, void *arg)
{
	weft_http_request *request = arg;
	bool was_socket;

	request->ran = true;
	weft_memory_queue_enter(request);
	weft_request_guarded(request, activate);
	if (!request->fatal) {
		weft_request_guarded(request, handle_request);
		request->handling = false;
		/* what follows must come to its end */
		weft_cancel_withdraw(coroutine);
	}
	weft_request_unpark(request); /* another coroutine of it waits for a message */
	weft_memory_queue_measure(request->server);
	weft_request_end_domain(request);
	was_socket = request->ws;
	weft_ws_request_over(request);
	weft_request_end_response(request);
	if (!was_socket) {
		weft_admission_note_cpu(request);
	}
	weft_request_guarded(request, deactivate);
	weft_request_end_php_request(request);
	if (UNEXPECTED(weft_domain_references(coroutine->domain) > 1)) {
		leave_output_to_others();
		weft_linger_watch(request, coroutine->domain);
	}
}

/* Without a stack to run on, or after a fatal error in the tear-down: whatever is missing of the answer. */
static void finish_without_php(weft_http_request *request)
{
	if (request->exchange && !request->ran) {
		request->exchange->framing->error(request->exchange, 503, "The server has no memory for one more request now.");
	} else if (request->exchange) {
		request->exchange->framing->cut(request->exchange);
	}
}

/* Who computes for long leaves PHP's allocator with lists of free places in no order: what the next one allocates side
 * by side then lies far apart in memory. Under PHP-FPM each request has a new heap. */
static void settle_heap(weft_http_server *server)
{
	uint32_t slices = weft_time_slices_used();

	if (slices != server->slices_settled) {
		server->slices_settled = slices;
		zend_mm_gc(zend_mm_get_heap());
	}
}

static void finished(weft_coroutine *coroutine, void *arg)
{
	weft_http_request *request = arg;
	weft_http_server *server = request->server;

	if (!request->response.ended) {
		finish_without_php(request);
	}
	weft_ws_request_over(request);
	request->coroutine = NULL;
	if (request->fatal && server->events.fatal) {
		server->events.fatal(server->events.arg);
	}
	weft_memory_queue_leave(request);
	weft_time_limit_end(request);
	weft_admission_ended(request);
	weft_board_hide_request(server->shown, request->shown);
	request->shown = NULL;
	weft_ws_job_over(request);
	weft_request_release(request);
	settle_heap(server);
	weft_http_server_slot_free(server);
}

weft_http_request *weft_request_of(const weft_coroutine *coroutine)
{
	while (coroutine && coroutine->entry != request_run) {
		coroutine = coroutine->parent;
	}
	return coroutine ? coroutine->arg : NULL;
}

const char *weft_request_shown_method(const weft_http_request *request)
{
	return request->job || request->ws ? "WS" : weft_parser_method(&request->parser);
}

void weft_request_take_client(weft_http_request *request)
{
	weft_http_connection *connection = weft_request_connection(request);

	if (!connection || request->remote_address[0]) {
		return;
	}
	weft_connection_local_address(connection);
	request->https = connection->tls != NULL;
	memcpy(request->remote_address, connection->remote_address, sizeof(request->remote_address));
	memcpy(request->local_address, connection->local_address, sizeof(request->local_address));
	request->remote_port = connection->remote_port;
	request->local_port = connection->local_port;
	weft_forwarded_apply(request);
}

void weft_request_start(weft_http_request *request)
{
	weft_request_take_client(request);
	request->references++;
	weft_time_limit_begin(request);
	request->shown = weft_board_show_request(request->server->shown, request->began, weft_request_id(request),
		weft_request_shown_method(request), request->uri);
	request->coroutine = weft_coroutine_spawn_apart(request_run, request, finished,
		request->script.file ? weft_domain_begin_php_request : weft_domain_begin);
}
