/*
 * permessage-deflate between a socket and weft_ws_deflate.h: what is agreed on, and when a message is compressed.
 */
#include "http/ws/weft_ws_internal.h"
#include "http/ws/weft_ws_deflate.h"

/* --- what is agreed on --- */

uint8_t weft_ws_agree_on_deflate(weft_http_request *request)
{
	static const char name[] = "sec-websocket-extensions";
	char answer[WEFT_WS_DEFLATE_ANSWER], line[sizeof(name) + sizeof(answer) + 4];
	uint8_t bits = 0;

	if (!request->server->config.ws_compress) {
		return 0;
	}
	for (int64_t i = -1; bits == 0 && (i = weft_request_find_header(request, name, (uint32_t) (i + 1))) >= 0;) {
		const char *offers = request->head + request->parser.headers[i].value;

		bits = weft_ws_deflate_agree(offers, strlen(offers), answer);
	}
	if (bits > 0) {
		weft_buffer_append(&request->response.head, line,
			(size_t) snprintf(line, sizeof(line), "Sec-WebSocket-Extensions: %s\r\n", answer));
	}
	return bits;
}

/* --- what comes --- */

size_t weft_ws_longest(const weft_ws *socket, bool compressed)
{
	size_t most = socket->server->config.ws_max_message;

	return compressed ? weft_ws_deflate_bound(most) : most;
}

static uint16_t code_of(weft_ws_inflated result)
{
	switch (result) {
		case WEFT_WS_INFLATED: return 0;
		case WEFT_WS_INFLATED_TOO_LONG: return WEFT_WS_TOO_BIG;
		case WEFT_WS_INFLATED_NO_MEMORY: return WEFT_WS_TRY_LATER;
		default: return WEFT_WS_BAD_TEXT; /* "data not consistent with the type of the message" */
	}
}

uint16_t weft_ws_decompress(weft_ws *socket, weft_buffer *message)
{
	weft_http_server *server = socket->server;
	size_t made;
	char *plain;
	weft_ws_inflated result = weft_ws_inflate(weft_buffer_data(message), weft_buffer_length(message),
		server->config.ws_max_message, &plain, &made);

	if (result != WEFT_WS_INFLATED) {
		return code_of(result);
	}
	weft_input_free(server, message);
	*message = (weft_buffer){.data = plain, .end = made, .room = made};
	server->input += made;
	return server->input > server->config.input_memory ? WEFT_WS_TRY_LATER : 0;
}

/* --- what goes --- */

static bool may_compress(const weft_ws *socket, const weft_ws_message *message)
{
	const weft_http_config *config = &socket->server->config;
	size_t length = message->length - message->head;

	return socket->deflate_bits > 0 && length >= config->ws_compress_min &&
		weft_ws_deflate_fits(socket->deflate_bits, length);
}

weft_ws_message *weft_ws_message_for(const weft_ws *socket, weft_ws_message *message)
{
	if (may_compress(socket, message)) {
		message = weft_ws_message_compressed(message, socket->server->config.compress_level[WEFT_CODING_GZIP]);
	}
	message->references++;
	return message;
}
