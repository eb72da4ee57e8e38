/*
 * What a client's bytes mean, found out slowly and all at once (RFC 6455, 5): to compare with.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* Aborts with these words unless it holds. */
void promise(int holds, const char *what);

#define MODEL_LONGEST 400000
#define MODEL_MESSAGES 300

typedef struct {
	bool binary;
	size_t at, length; /* in `text` */
} model_message;

/* The stream deserves some close, or may. */
enum { MODEL_ANY = -1, MODEL_PERHAPS = -2 };

typedef struct {
	model_message messages[MODEL_MESSAGES];
	int count;
	int code;                 /* of the close that the stream deserves; 0: none */
	bool client_closed;       /* and it is the client's own */
	bool idle[MODEL_LONGEST]; /* when so many bytes have come, nothing is incomplete */
	char text[MODEL_LONGEST];
	size_t text_length;
} model;

/* Of at most MODEL_LONGEST bytes. Messages have at most `most` bytes. */
void model_read(model *self, const unsigned char *bytes, size_t length, size_t most);
/* What may be the beginning of UTF-8, and with `whole` is all of it. */
bool model_is_utf8(const unsigned char *text, size_t length, bool whole);
/* What was sent to a client: whole frames but for the last, none masked, nothing behind a close. */
void model_check_sent(const unsigned char *bytes, size_t length);

#endif /* MODEL_H */
