/*
 * A buffer of bytes.
 */
#ifndef WEFT_BUFFER_H
#define WEFT_BUFFER_H

#include <stddef.h>

/* Bytes that come in at one end and leave at the other. */
typedef struct {
	char *data;
	size_t start, end, room;
} weft_buffer;

static inline size_t weft_buffer_length(const weft_buffer *buffer)
{
	return buffer->end - buffer->start;
}
static inline const char *weft_buffer_data(const weft_buffer *buffer)
{
	return buffer->data + buffer->start;
}
/* Memory that can't be had is fatal to the worker, as it is to PHP's persistent allocator. */
void weft_buffer_append(weft_buffer *buffer, const char *data, size_t length);
/* Room for so many more bytes, which count once `end` is moved. */
char *weft_buffer_reserve(weft_buffer *buffer, size_t length);
void weft_buffer_consume(weft_buffer *buffer, size_t length);
/* Empty, and its memory given back. */
void weft_buffer_free(weft_buffer *buffer);
/* Empty, and its memory given back unless it is what most answers need. */
void weft_buffer_empty(weft_buffer *buffer);

#endif /* WEFT_BUFFER_H */
