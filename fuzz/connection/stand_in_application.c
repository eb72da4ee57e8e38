/*
 * The application, and what stands between it and a connection: each request answers in one of some ways, as the first
 * letter of its path says, in some steps.
 */
#include "stand_ins.h"

#include "http/files/weft_file_conditions.h"
#include "http/files/weft_file_redirect.h"
#include "http/files/weft_files.h"
#include "http/weft_sending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct application application;
struct application {
	weft_http_request *request;
	application *next;
	unsigned left; /* steps */
	char mode;
};

static application *applications;
static weft_coroutine nobody; /* they have no stack of their own */

unsigned stand_in_applications(void)
{
	unsigned count = 0;

	for (application *each = applications; each; each = each->next) {
		count++;
	}
	return count;
}

static void put_head(weft_http_request *request, const char *lines)
{
	weft_buffer_append(&request->response.head, lines, strlen(lines));
}

/* Whoever reads the request reads all of it. */
static void look_at_all(weft_http_request *request)
{
	weft_accepted accepted;
	weft_file_conditions conditions;
	weft_file_range ranges[WEFT_RANGES_MAX];
	const char *range;
	const char *all[] = {request->uri, request->query, request->host, request->cookies, weft_trace_id(request),
		weft_request_id(request), request->remote_address};
	size_t length = 0;
	int count;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		length += all[i] ? strlen(all[i]) : 0;
	}
	for (uint32_t i = 0; i < request->parser.header_count; i++) {
		length += strlen(request->head + request->parser.headers[i].value);
	}
	promise(length < 100000, "limits hold");
	promise(request->body_length <= 4096, "and that of a body");
	promise(strpbrk(request->remote_address, "\r\n, ") == NULL, "an address is one");
	weft_accepted_of(request, &accepted);
	weft_accepted_best(&accepted, &request->server->config.compress);
	weft_conditions_find(&conditions, request);
	weft_conditions_status(&conditions, "\"5-a\"", 784111777);
	range = weft_conditions_range(&conditions, "\"5-a\"", 784111777);
	count = range ? weft_ranges_read(range, 1000, ranges, WEFT_RANGES_MAX) : 0;
	for (int i = 0; i < count; i++) {
		promise(ranges[i].length > 0 && ranges[i].offset + ranges[i].length <= 1000, "ranges lie in the file");
	}
}

static void finish(application *of, bool cut)
{
	weft_http_request *request = of->request;
	weft_http_server *server = request->server;

	weft_response_end(request, cut);
	weft_request_release(request);
	server->running--;
	of->left = 0;
}

static void begin_answer(weft_http_request *request, char mode)
{
	weft_http_response *response = &request->response;

	response->head_ready = true;
	switch (mode) {
		case 'x':
		case 'y': {
			char line[400];

			snprintf(line, sizeof(line), "%s: %.300s", mode == 'x' ? "X-Accel-Redirect" : "X-Sendfile", request->query);
			if (weft_file_redirect_is(line)) {
				weft_file_redirect(request, line);
			}
			return;
		}
		case 'e': response->status = 304; break;
		case 'n': response->status = 204; break;
		case 'l':
			response->has_length = true;
			response->length = 700;
			break;
		case 'g': put_head(request, "ETag: \"5-a\"\r\nVary: Cookie\r\n"); break;
		case 'u': put_head(request, "Upgrade: x\r\nX-Empty:\r\nX-Blank: \t \r\nConnection: close\r\n"); break;
		default: break;
	}
	put_head(request, "Content-Type: text/html\r\n");
}

static void step(application *of)
{
	static char text[3000];
	weft_http_request *request = of->request;

	if (!text[0]) {
		memset(text, 'a', sizeof(text));
	}
	if (--of->left == 0) {
		finish(of, of->mode == 'c' || of->mode == 'l');
		return;
	}
	switch (of->mode) {
		case 'i':
			if (request->exchange && !request->response.committed) {
				weft_buffer lines = {0};

				weft_buffer_append(&lines, "Link: </a>\r\n", 12);
				request->exchange->framing->interim(request, 103, &lines);
				weft_buffer_free(&lines);
			}
			break;
		case 'f':
			weft_response_write(request, text, 10);
			weft_response_flush(request);
			break;
		case 's':
			if (request->exchange) {
				weft_spool_begin(request->exchange);
			}
			weft_response_write(request, text, sizeof(text));
			break;
		default: weft_response_write(request, text, stand_in_dice() % sizeof(text)); break;
	}
}

void stand_in_application(bool all)
{
	application **link = &applications;

	while (*link) {
		application *each = *link;

		do {
			step(each);
		} while (all && each->left > 0);
		if (each->left == 0) {
			/* others may have begun meanwhile */
			for (link = &applications; *link != each; link = &(*link)->next) {
			}
			*link = each->next;
			free(each);
		} else {
			link = &each->next;
		}
	}
}

void weft_admission_ask(weft_http_exchange *exchange)
{
	weft_http_request *request = exchange->request;
	application *of;

	if (weft_files_answer(request)) {
		return;
	}
	if (exchange->server->running >= exchange->server->config.concurrency) {
		exchange->framing->error(exchange, 503, "Too many requests wait.");
		return;
	}
	exchange->state = WEFT_CONNECTION_RUNNING;
	exchange->server->running++;
	weft_request_take_client(request);
	request->references++;
	look_at_all(request);
	of = calloc(1, sizeof(*of));
	of->request = request;
	of->mode = request->uri[0] == '/' ? request->uri[1] : 0;
	of->left = 1 + stand_in_dice() % 4;
	of->next = applications;
	applications = of;
	request->handling = true;
	request->coroutine = &nobody;
	begin_answer(request, of->mode);
}

void weft_admission_leave(weft_http_exchange *exchange)
{
}

void weft_outcome_of_request(weft_http_request *request, int status)
{
}

void weft_outcome_of_refusal(weft_http_exchange *exchange, int status)
{
}

void weft_http_server_show_load(const weft_http_server *server)
{
}

bool weft_http_server_full(const weft_http_server *server)
{
	return false;
}

bool weft_http_forked;

/* Whoever has hung up is told so there; here nothing waits. */
void weft_domain_visit(weft_domain *domain, void (*visit)(void *arg), void *arg)
{
}
