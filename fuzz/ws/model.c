/*
 * The slow reading of frames.
 */
#include "model.h"

#include <stdint.h>
#include <string.h>

/* Bytes of the character that begins there; 0: it is none; -1: it is not whole. */
static int character(const unsigned char *at, size_t left)
{
	int length = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 : at[0] >= 0xe0 && at[0] < 0xf0 ? 3 : 4;

	if ((at[0] >= 0x80 && at[0] < 0xc2) || at[0] > 0xf4) {
		return 0;
	}
	for (int i = 1; i < length && (size_t) i < left; i++) {
		unsigned least = 0x80, most = 0xbf;

		if (i == 1) {
			least = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : least;
			most = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : most;
		}
		if (at[i] < least || at[i] > most) {
			return 0;
		}
	}
	return (size_t) length <= left ? length : -1;
}

bool model_is_utf8(const unsigned char *text, size_t length, bool whole)
{
	size_t at = 0;

	while (at < length) {
		int step = character(text + at, length - at);

		if (step <= 0) {
			return step < 0 && !whole;
		}
		at += (size_t) step;
	}
	return true;
}

typedef struct {
	bool fin, masked;
	unsigned reserved, opcode;
	uint64_t length;
	size_t head;
	bool least; /* its length has as few bytes as it needs, and no sign */
} frame;

/* False: its head is not whole. */
static bool read_head(const unsigned char *at, size_t left, frame *f)
{
	int bytes;

	if (left < 2) {
		return false;
	}
	f->fin = at[0] >> 7;
	f->reserved = at[0] >> 4 & 7;
	f->opcode = at[0] & 15;
	f->masked = at[1] >> 7;
	f->length = at[1] & 127;
	bytes = f->length < 126 ? 0 : f->length == 126 ? 2 : 8;
	f->head = 2 + (size_t) bytes + 4 * f->masked;
	if (left < f->head) {
		return false;
	}
	f->least = true;
	if (bytes > 0) {
		f->length = 0;
		for (int i = 0; i < bytes; i++) {
			f->length = f->length << 8 | at[2 + i];
		}
		f->least = f->length >= (bytes == 2 ? 126 : 65536) && f->length >> 63 == 0;
	}
	return true;
}

static bool is_right(const frame *f, bool in_message)
{
	bool control = f->opcode >= 8;

	if (f->reserved || !f->masked || !f->least) {
		return false;
	}
	if (control) {
		return f->opcode <= 10 && f->fin && f->length <= 125;
	}
	return f->opcode <= 2 && in_message == (f->opcode == 0);
}

static int code_of_close(const unsigned char *content, size_t length)
{
	if (length == 0) {
		return 1005;
	}
	if (length == 1) {
		return 1002;
	}
	int code = content[0] << 8 | content[1];

	/* which others may be sent is nothing that all agree on */
	if (code != 1000 && code != 1001 && (code < 3000 || code > 4999)) {
		return MODEL_ANY;
	}
	for (size_t i = 2; i < length; i++) {
		if (content[i] >= 0x80) {
			return MODEL_ANY; /* wslay leaves out two bytes of each piece of it, and may find it wrong: 1007 */
		}
	}
	return code;
}

/* What follows the mask. */
static void unmask(unsigned char *to, const unsigned char *mask, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		to[i] = mask[4 + i] ^ mask[i % 4];
	}
}

void model_read(model *self, const unsigned char *bytes, size_t length, size_t most)
{
	unsigned opcode = 0; /* of the message that is incomplete; 0: there is none */
	size_t at = 0, begun = 0;
	frame f;

	self->count = self->code = 0;
	self->client_closed = false;
	self->text_length = 0;
	memset(self->idle, 0, length + 1);
	self->idle[0] = true;
	while (read_head(bytes + at, length - at, &f)) {
		const unsigned char *mask = bytes + at + f.head - 4;
		size_t left = length - at - f.head, there = f.length < left ? (size_t) f.length : left;
		unsigned char *to = (unsigned char *) self->text + self->text_length;
		bool control = f.opcode >= 8;

		if (!is_right(&f, opcode != 0)) {
			self->code = f.length > 0 && left == 0 ? MODEL_PERHAPS : 1002; /* wslay looks with the first byte of it */
			return;
		}
		if (!control && opcode == 0) {
			opcode = f.opcode;
			begun = self->text_length;
		}
		if (!control && self->text_length - begun + f.length > most) {
			self->code = left == 0 ? MODEL_PERHAPS : 1009;
			return;
		}
		unmask(to, mask, there);
		at += f.head + there;
		if (!control) {
			self->text_length += there;
			if (opcode == 1 &&
				!model_is_utf8((unsigned char *) self->text + begun, self->text_length - begun,
					f.fin && there == f.length)) {
				self->code = 1007;
				return;
			}
		}
		if (there < f.length) {
			self->code = f.opcode == 8 ? MODEL_PERHAPS : 0; /* or in half a close */
			return;
		}
		if (f.opcode == 8) {
			self->code = code_of_close(to, there);
			self->client_closed = true;
			return;
		}
		if (!control && f.fin) {
			self->messages[self->count++] = (model_message){opcode == 2, begun, self->text_length - begun};
			opcode = 0;
			if (self->count == MODEL_MESSAGES) {
				self->code = MODEL_ANY;
				return;
			}
		}
		self->idle[at] = opcode == 0;
	}
	self->code = at < length ? MODEL_PERHAPS : 0; /* some see in half a head that it is wrong */
}

void model_check_sent(const unsigned char *bytes, size_t length)
{
	size_t at = 0;
	bool closed = false;
	frame f;

	while (at < length) {
		promise(!closed, "nothing follows a close");
		if (!read_head(bytes + at, length - at, &f)) {
			return;
		}
		promise(f.fin && !f.reserved && !f.masked && f.least, "frames that are sent are right");
		promise(f.opcode == 1 || f.opcode == 2 || (f.opcode >= 8 && f.opcode <= 10 && f.length <= 125),
			"and of a kind");
		if (f.length > length - at - f.head) {
			return;
		}
		if (f.opcode == 8) {
			closed = true;
			promise(f.length != 1, "a close has a code or none");
		}
		at += f.head + (size_t) f.length;
	}
}
