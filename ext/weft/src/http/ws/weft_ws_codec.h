/*
 * What was agreed of an extension that changes messages (RFC 6455, 5.8): frames of those have RSV1.
 */
#ifndef WEFT_WS_CODEC_H
#define WEFT_WS_CODEC_H

#include "http/ws/weft_ws_internal.h"

struct weft_ws_codec {
	/* A whole message that came with RSV1, in place; of more than `most` bytes nothing comes out. 0, or the code of the
	 * close that it deserves. Memory is counted as what clients have sent (weft_input_append()). */
	uint16_t (*decode)(weft_ws_codec *codec, weft_http_server *server, weft_buffer *message, size_t most);
	/* A message as this client is to get it, with a reference for the caller. */
	weft_ws_message *(*encode)(weft_ws_codec *codec, weft_ws_message *message);
	void (*free)(weft_ws_codec *codec);
};

#endif /* WEFT_WS_CODEC_H */
