/*
 * Bytes that grow at one end and are taken from the other: what a client has sent, and what it is still to get.
 */
#include "http/weft_http_internal.h"

/* Small answers fit without growing; an idle connection holds no buffer at all. */
#define SMALLEST 1024

char *weft_buffer_reserve(weft_buffer *buffer, size_t length)
{
	size_t used = weft_buffer_length(buffer);

	if (buffer->room - buffer->end < length) {
		if (buffer->start > 0) {
			memmove(buffer->data, buffer->data + buffer->start, used);
			buffer->start = 0;
			buffer->end = used;
		}
		if (buffer->room - used < length) {
			size_t room = buffer->room ? buffer->room : SMALLEST;
			while (room - used < length) {
				room *= 2;
			}
			buffer->data = perealloc(buffer->data, room, 1);
			buffer->room = room;
		}
	}
	return buffer->data + buffer->end;
}

void weft_buffer_append(weft_buffer *buffer, const char *data, size_t length)
{
	if (length > 0) {
		memcpy(weft_buffer_reserve(buffer, length), data, length);
		buffer->end += length;
	}
}

void weft_input_append(weft_http_server *server, weft_buffer *buffer, const char *data, size_t length)
{
	server->input -= buffer->room;
	weft_buffer_append(buffer, data, length);
	server->input += buffer->room;
}

void weft_input_free(weft_http_server *server, weft_buffer *buffer)
{
	server->input -= buffer->room;
	weft_buffer_free(buffer);
}

void weft_buffer_consume(weft_buffer *buffer, size_t length)
{
	buffer->start += length;
	if (buffer->start == buffer->end) {
		buffer->start = buffer->end = 0;
	}
}

void weft_buffer_empty(weft_buffer *buffer)
{
	if (buffer->room > SMALLEST) {
		weft_buffer_free(buffer);
	}
	buffer->start = buffer->end = 0;
}

void weft_buffer_free(weft_buffer *buffer)
{
	free(buffer->data);
	memset(buffer, 0, sizeof(*buffer));
}
