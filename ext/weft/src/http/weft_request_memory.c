/*
 * The memory of requests: what one that is over had, the next ones have.
 */
#include "http/weft_coding.h"
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"

#include <unistd.h>

/* So many that are over keep their memory for others: as many as one round of events brings. */
#ifdef __SANITIZE_ADDRESS__
#define SPARE_REQUESTS 0 /* it is to tell who uses one that is over */
#else
#define SPARE_REQUESTS 64
#endif

/* One that was over, with what it had of memory for its answer; or a new one. */
static weft_http_request *take_memory(weft_http_server *server, weft_buffer *head, weft_buffer *body)
{
	weft_http_request *request = server->spare;

	memset(head, 0, sizeof(*head));
	memset(body, 0, sizeof(*body));
	if (!request) {
		request = pemalloc(sizeof(*request), 1);
		weft_parser_init(&request->parser, &server->limits, weft_request_take_body, request);
		return request;
	}
	weft_parser_init_again(&request->parser, &server->limits, weft_request_take_body, request);
	server->spare = request->limit.next_request;
	server->spare_count--;
	*head = request->response.head;
	*body = request->response.body;
	return request;
}

/* The answer has left or is given up, and its file is closed. */
static void give_memory(weft_http_request *request)
{
	weft_http_server *server = request->server;

	if (server->spare_count >= SPARE_REQUESTS) {
		weft_parser_free(&request->parser);
		weft_response_free(&request->response);
		free(request);
		return;
	}
	weft_parser_empty(&request->parser);
	weft_buffer_empty(&request->response.head);
	weft_buffer_empty(&request->response.body);
	request->limit.next_request = server->spare;
	server->spare = request;
	server->spare_count++;
}

void weft_request_free_spare(weft_http_server *server)
{
	while (server->spare) {
		weft_http_request *request = server->spare;

		server->spare = request->limit.next_request;
		weft_parser_free(&request->parser);
		weft_buffer_free(&request->response.head);
		weft_buffer_free(&request->response.body);
		free(request);
	}
	server->spare_count = 0;
}

weft_http_request *weft_request_new(weft_http_exchange *exchange)
{
	weft_buffer response_head, response_body;
	weft_http_request *request = take_memory(exchange->server, &response_head, &response_body);

	/* the parser clears itself */
	memset(request, 0, offsetof(weft_http_request, parser));
	memset((char *) request + offsetof(weft_http_request, head), 0,
		sizeof(*request) - offsetof(weft_http_request, head));
	request->references = 1;
	exchange->server->input += sizeof(*request);
	request->server = exchange->server;
	request->exchange = exchange;
	request->body_file = -1;
	request->response.status = 200;
	request->response.file = -1;
	request->response.head = response_head;
	request->response.body = response_body;
	return request;
}

void weft_request_release(weft_http_request *request)
{
	if (--request->references > 0) {
		return;
	}
	request->server->input -= sizeof(*request) + request->head_length;
	free(request->head);
	free(request->uri_copy);
	free(request->query_copy);
	free(request->cookies_copy);
	free(request->host_copy);
	weft_input_free(request->server, &request->body);
	weft_buffer_free(&request->stderr_line);
	if (request->body_file >= 0) {
		close(request->body_file);
		request->server->input_files -= request->in_file;
	}
	if (request->response.file >= 0) {
		close(request->response.file);
		request->response.file = -1;
	}
	free(request->response.ranges);
	request->response.ranges = NULL;
	weft_compress_end(&request->response);
	weft_decompress_free(request);
	weft_script_free(&request->script);
	give_memory(request);
}
