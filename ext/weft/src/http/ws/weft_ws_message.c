/*
 * What goes out: a frame a message (RFC 6455, 5.2), never masked. It is encoded once, however many get it.
 */
#include "http/ws/weft_ws_internal.h"
#include "http/ws/weft_ws_deflate.h"

#define FIN 0x80
/* RSV1: the message is compressed (RFC 7692, 6). */
#define COMPRESSED 0x40
/* Of a length that fits the second byte, and those that say that two or eight more hold it. */
#define SHORT_MAX 125
#define TWO_BYTES 126
#define EIGHT_BYTES 127
#define HEAD_LONGEST 10

static size_t put_head(unsigned char *to, uint8_t first, size_t length)
{
	size_t n = 0;
	int bytes = length <= SHORT_MAX ? 0 : length <= UINT16_MAX ? 2 : 8;

	to[n++] = first;
	to[n++] = (unsigned char) (bytes == 0 ? length : bytes == 2 ? TWO_BYTES : EIGHT_BYTES);
	while (bytes-- > 0) {
		to[n++] = (unsigned char) ((uint64_t) length >> (8 * bytes));
	}
	return n;
}

weft_ws_message *weft_ws_frame_new(uint8_t opcode, const char *data, size_t length)
{
	unsigned char head[HEAD_LONGEST];
	size_t head_length = put_head(head, FIN | opcode, length);
	weft_ws_message *message = safe_pemalloc(1, length, sizeof(*message) + head_length, 1);

	message->references = 1;
	message->head = (uint32_t) head_length;
	message->compressed = NULL;
	message->length = head_length + length;
	memcpy(message->frame, head, head_length);
	if (length > 0) {
		memcpy(message->frame + head_length, data, length);
	}
	return message;
}

weft_ws_message *weft_ws_message_new(bool binary, const char *data, size_t length)
{
	return weft_ws_frame_new(binary ? WEFT_WS_BINARY : WEFT_WS_TEXT, data, length);
}

/* Puts the head before what is behind the room for one that is as long, or longer. */
static weft_ws_message *compressed_frame(char *memory, const weft_ws_message *plain, size_t length)
{
	weft_ws_message *message = (weft_ws_message *) memory;
	unsigned char head[HEAD_LONGEST];
	size_t head_length = put_head(head, (unsigned char) plain->frame[0] | COMPRESSED, length);

	message->references = 1;
	message->head = (uint32_t) head_length;
	message->compressed = message;
	message->length = head_length + length;
	memmove(message->frame + head_length, message->frame + plain->head, length);
	memcpy(message->frame, head, head_length);
	return message;
}

weft_ws_message *weft_ws_message_compressed(weft_ws_message *message, int level)
{
	if (!message->compressed) {
		size_t length;
		char *memory = weft_ws_deflate(message->frame + message->head, message->length - message->head, level,
			offsetof(weft_ws_message, frame) + message->head, &length);

		message->compressed = memory ? compressed_frame(memory, message, length) : message;
	}
	return message->compressed;
}

weft_ws_message *weft_ws_close_frame_new(uint16_t code, const char *reason, size_t length)
{
	char content[WEFT_WS_CONTROL_LONGEST];

	if (code == 0) {
		return weft_ws_frame_new(WEFT_WS_CLOSE, NULL, 0);
	}
	length = MIN(length, WEFT_WS_REASON_LONGEST);
	content[0] = (char) (code >> 8);
	content[1] = (char) code;
	if (length > 0) {
		memcpy(content + 2, reason, length);
	}
	return weft_ws_frame_new(WEFT_WS_CLOSE, content, length + 2);
}

void weft_ws_message_release(weft_ws_message *message)
{
	if (--message->references == 0) {
		if (message->compressed && message->compressed != message) {
			weft_ws_message_release(message->compressed);
		}
		free(message);
	}
}
