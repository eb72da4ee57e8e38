/*
 * A request whose code waits for the next message of its WebSocket, perhaps for hours. It keeps its domain and its
 * stack, but is none of those that run: it takes no place of --concurrency, is not counted as one that needs memory
 * soon or has computed for long, and the board shows nothing of it. Their number has a limit of its own
 * (weft.ws_waiting).
 *
 * When its message has come it goes on before others begin, as everybody who has waited: it is counted again, whether
 * there is room or not.
 */
#include "http/weft_http_internal.h"

void weft_request_park(weft_http_request *request)
{
	weft_http_server *server = request->server;

	if (request->parked) {
		return;
	}
	request->parked = true;
	weft_memory_queue_park(request);
	weft_admission_ended(request);
	request->takes_long = false;
	weft_board_hide_request(server->shown, request->shown);
	request->shown = NULL;
	weft_http_server_slot_free(server);
}

void weft_request_unpark(weft_http_request *request)
{
	weft_http_server *server = request->server;

	if (!request->parked) {
		return;
	}
	request->parked = false;
	server->running++;
	weft_memory_queue_unpark(request);
	request->shown = weft_board_show_request(server->shown, weft_just_now(), weft_request_id(request),
		weft_request_shown_method(request), request->uri);
	weft_http_server_show_load(server);
}
