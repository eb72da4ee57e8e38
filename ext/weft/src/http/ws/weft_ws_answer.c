/*
 * answer(): a text that is answered with another, without PHP. Sockets that have the same two share them.
 */
#include "http/ws/weft_hashed.h"
#include "http/ws/weft_ws_deflate.h"
#include "http/ws/weft_ws_internal.h"

struct weft_ws_answer {
	weft_hashed hashed; /* by the text and the answer's frame; first */
	uint32_t references;
	weft_ws_message *frame;
	size_t length;
	char text[];
};

static weft_hashed_table answers;

static bool is_text_of(const weft_ws_answer *self, const char *text, size_t length)
{
	return self->length == length && memcmp(self->text, text, length) == 0;
}

static bool has_frame(const weft_ws_answer *self, const weft_ws_message *frame)
{
	return self->frame->length == frame->length && memcmp(self->frame->frame, frame->frame, frame->length) == 0;
}

static weft_ws_answer *find(uint64_t hash, zend_string *text, const weft_ws_message *frame)
{
	for (weft_hashed *entry = weft_hashed_first(&answers, hash); entry; entry = weft_hashed_next(entry)) {
		weft_ws_answer *self = (weft_ws_answer *) entry;
		if (is_text_of(self, ZSTR_VAL(text), ZSTR_LEN(text)) && has_frame(self, frame)) {
			return self;
		}
	}
	return NULL;
}

static weft_ws_answer *find_or_make(zend_string *text, weft_ws_message *frame)
{
	uint64_t hash = weft_hash(ZSTR_VAL(text), ZSTR_LEN(text)) ^ weft_hash(frame->frame, frame->length);
	weft_ws_answer *self = find(hash, text, frame);

	if (!self) {
		self = pemalloc(sizeof(*self) + ZSTR_LEN(text), 1);
		self->references = 0;
		self->frame = frame;
		frame->references++;
		self->length = ZSTR_LEN(text);
		memcpy(self->text, ZSTR_VAL(text), self->length);
		weft_hashed_add(&answers, &self->hashed, hash);
	}
	self->references++;
	return self;
}

void weft_ws_answer_free(weft_ws *socket)
{
	weft_ws_answer *self = socket->answer;

	socket->answer = NULL;
	if (self && --self->references == 0) {
		weft_hashed_remove(&answers, &self->hashed);
		weft_ws_message_release(self->frame);
		free(self);
	}
}

bool weft_ws_answers(weft_ws *socket, const char *text, size_t length)
{
	if (!socket->answer || !is_text_of(socket->answer, text, length)) {
		return false;
	}
	/* as a pong: what asks for more than there is room for is not read */
	weft_ws_send_message(socket, socket->answer->frame);
	return true;
}

static bool check(zend_string *text, uint32_t argument)
{
	if (ZSTR_LEN(text) > WEFT_WS_ANSWER_LONGEST || !weft_ws_is_utf8(ZSTR_VAL(text), ZSTR_LEN(text))) {
		zend_argument_value_error(argument, "must be valid UTF-8 of at most %d bytes", WEFT_WS_ANSWER_LONGEST);
		return false;
	}
	return true;
}

ZEND_METHOD(Weft_Http_WebSocket, answer)
{
	zend_string *text, *answer;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(text)
		Z_PARAM_STR(answer)
	ZEND_PARSE_PARAMETERS_END();
	WEFT_WS_OF_THIS();
	if (!check(text, 1) || !check(answer, 2)) {
		RETURN_THROWS();
	}
	weft_ws_message *frame = weft_ws_message_new(false, ZSTR_VAL(answer), ZSTR_LEN(answer));
	weft_ws_answer_free(socket);
	socket->answer = find_or_make(text, frame);
	weft_ws_message_release(frame);
}
