/*
 * How a request reaches a server and its answer comes back: HTTP/1.1 as it is, the same by TLS, or HTTP/2 over TLS, of
 * which each connection has one stream under way. An answer of HTTP/2 is written down as one of HTTP/1.1 would look, so
 * that whoever judges answers need not know.
 */
#ifndef WEFT_BENCH_WIRE_H
#define WEFT_BENCH_WIRE_H
#define _GNU_SOURCE
#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"

/* An answer is never held up by a window. */
#define WINDOW (1 << 24)
#define READ_AT_ONCE 16384

typedef struct {
	int fd;
	SSL *tls;            /* NULL: plain */
	nghttp2_session *h2; /* NULL: HTTP/1.1 */
	uint32_t wants;      /* what a call that could not go on waits for */
	size_t received;
	char *answer;
	/* of HTTP/2 */
	bool asked, ended, broken, leaves;
} wire;

static SSL_CTX *wire_tls;
static bool wire_h2;

static bool wire_speak(const char *protocol)
{
	wire_h2 = strcmp(protocol, "h2") == 0;
	if (strcmp(protocol, "http") == 0) {
		return true;
	}
	wire_tls = SSL_CTX_new(TLS_client_method());
	SSL_CTX_set_mode(wire_tls, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_ENABLE_PARTIAL_WRITE);
	SSL_CTX_set_alpn_protos(wire_tls, (const unsigned char *) (wire_h2 ? "\2h2" : "\10http/1.1"), wire_h2 ? 3 : 9);
	return wire_h2 || strcmp(protocol, "https") == 0;
}

/* As of send() and recv(): -1 with EAGAIN when it must wait. */
static ssize_t wire_of_tls(wire *w, int result)
{
	if (result > 0) {
		return result;
	}
	int error = SSL_get_error(w->tls, result);
	ERR_clear_error();
	w->wants = error == SSL_ERROR_WANT_WRITE ? EPOLLOUT : EPOLLIN;
	errno = error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? EAGAIN : ECONNRESET;
	return error == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

static ssize_t wire_send(wire *w, const void *bytes, size_t length)
{
	w->wants = EPOLLOUT;
	return w->tls != NULL ? wire_of_tls(w, SSL_write(w->tls, bytes, (int) length))
						  : send(w->fd, bytes, length, MSG_NOSIGNAL);
}

static ssize_t wire_recv(wire *w, void *bytes, size_t length)
{
	w->wants = EPOLLIN;
	return w->tls != NULL ? wire_of_tls(w, SSL_read(w->tls, bytes, (int) length)) : recv(w->fd, bytes, length, 0);
}

static ssize_t h2_send(nghttp2_session *session, const uint8_t *bytes, size_t length, int flags, void *of)
{
	(void) session, (void) flags;
	ssize_t n = wire_send(of, bytes, length);
	return n >= 0 ? n : errno == EAGAIN ? NGHTTP2_ERR_WOULDBLOCK : NGHTTP2_ERR_CALLBACK_FAILURE;
}

static void h2_note(wire *w, const void *bytes, size_t length)
{
	if (length < MAX_ANSWER - w->received) {
		memcpy(w->answer + w->received, bytes, length);
		w->received += length;
		w->answer[w->received] = 0;
	} else {
		w->broken = true;
	}
}

static int h2_header(nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_length,
	const uint8_t *value, size_t value_length, uint8_t flags, void *of)
{
	char line[1024];
	bool status = name_length == 7 && memcmp(name, ":status", 7) == 0;
	(void) session, (void) frame, (void) flags;
	int length = snprintf(line, sizeof line, "%.*s%s%.*s%s\r\n", status ? 8 : (int) name_length,
		status ? "HTTP/1.1" : (const char *) name, status ? " " : ": ", (int) value_length, (const char *) value,
		status ? " " : "");
	h2_note(of, line, length < (int) sizeof line ? (size_t) length : sizeof line - 1);
	return 0;
}

static int h2_frame(nghttp2_session *session, const nghttp2_frame *frame, void *of)
{
	(void) session;
	if (frame->hd.type == NGHTTP2_HEADERS) {
		h2_note(of, "\r\n", 2);
	}
	((wire *) of)->leaves |= frame->hd.type == NGHTTP2_GOAWAY;
	return 0;
}

static int h2_data(nghttp2_session *session, uint8_t flags, int32_t id, const uint8_t *bytes, size_t length, void *of)
{
	(void) session, (void) flags, (void) id;
	h2_note(of, bytes, length);
	return 0;
}

static int h2_close(nghttp2_session *session, int32_t id, uint32_t error, void *of)
{
	wire *w = of;
	(void) session, (void) id;
	w->ended = true;
	w->broken |= error != NGHTTP2_NO_ERROR;
	return 0;
}

static nghttp2_session *h2_session(wire *w)
{
	static nghttp2_session_callbacks *callbacks;
	nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
		{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW}};
	nghttp2_session *session;

	if (callbacks == NULL) {
		nghttp2_session_callbacks_new(&callbacks);
		nghttp2_session_callbacks_set_send_callback(callbacks, h2_send);
		nghttp2_session_callbacks_set_on_header_callback(callbacks, h2_header);
		nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, h2_frame);
		nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, h2_data);
		nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, h2_close);
	}
	nghttp2_session_client_new(&session, callbacks, w);
	nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, sizeof settings / sizeof *settings);
	nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, WINDOW);
	return session;
}

static void wire_open(wire *w, int fd)
{
	*w = (wire){.fd = fd, .answer = w->answer};
	if (wire_tls != NULL) {
		w->tls = SSL_new(wire_tls);
		SSL_set_fd(w->tls, fd);
		SSL_set_connect_state(w->tls);
	}
	w->h2 = wire_h2 ? h2_session(w) : NULL;
}

static void wire_close(wire *w)
{
	nghttp2_session_del(w->h2);
	SSL_free(w->tls);
	close(w->fd);
	w->h2 = NULL;
	w->tls = NULL;
}

/* The next request begins. */
static void wire_begin(wire *w)
{
	w->received = 0;
	w->asked = w->ended = w->broken = false;
}

static void h2_ask(wire *w, const char *request)
{
	char path[1024], host[64];
	if (sscanf(request, "GET %1000s HTTP/1.1\r\nHost: %60[^\r]", path, host) != 2) {
		fprintf(stderr, "load: HTTP/2 can only GET here\n");
		exit(2);
	}
	const char *given[][2] = {{":method", "GET"}, {":scheme", "https"}, {":authority", host}, {":path", path}};
	nghttp2_nv fields[4];
	for (size_t i = 0; i < 4; i++) {
		fields[i] = (nghttp2_nv){.name = (uint8_t *) given[i][0],
			.namelen = strlen(given[i][0]),
			.value = (uint8_t *) given[i][1],
			.valuelen = strlen(given[i][1])};
	}
	w->broken |= nghttp2_submit_request(w->h2, NULL, fields, 4, NULL, NULL) < 0;
	w->asked = true;
}

/* Sends what is left of a request. 1: it is sent, 0: it must wait, -1: the connection is broken. */
static int wire_write(wire *w, const char *request, size_t length, size_t *sent)
{
	if (w->h2 != NULL) {
		w->asked || (h2_ask(w, request), true);
		int result = nghttp2_session_send(w->h2);
		return w->broken || result != 0 ? -1 : nghttp2_session_want_write(w->h2) ? 0 : 1;
	}
	while (*sent < length) {
		ssize_t n = wire_send(w, request + *sent, length - *sent);
		if (n <= 0) {
			return n < 0 && errno == EAGAIN ? 0 : -1;
		}
		*sent += (size_t) n;
	}
	return 1;
}

/* Reads what is there: as recv(), also where an answer is already complete. */
static ssize_t wire_read(wire *w)
{
	if (w->h2 == NULL) {
		ssize_t n = wire_recv(w, w->answer + w->received, MAX_ANSWER - w->received);
		if (n > 0) {
			w->received += (size_t) n;
			w->answer[w->received] = 0;
		}
		return n;
	}
	uint8_t bytes[READ_AT_ONCE];
	ssize_t n = wire_recv(w, bytes, sizeof bytes);
	if (n > 0 && (nghttp2_session_mem_recv(w->h2, bytes, (size_t) n) < 0 || nghttp2_session_send(w->h2) != 0)) {
		w->broken = true;
	}
	return n > 0 && w->broken ? 0 : n;
}

/* TLS has read more than was asked for: no event will tell. */
static bool wire_has_more(wire *w)
{
	return w->tls != NULL && SSL_pending(w->tls) > 0;
}

/* Whether the whole answer is there: 1, 0 or -1 (malformed). The head is cut off with a NUL when complete. */
static int wire_answer(wire *w, char **body, bool *server_closes)
{
	if (w->h2 == NULL) {
		return answer_complete(w->answer, w->received, body, server_closes);
	}
	char *end = w->ended ? strstr(w->answer, "\r\n\r\n") : NULL;
	*server_closes = w->leaves;
	if (end != NULL) {
		end[2] = 0;
		*body = end + 4;
	}
	return end != NULL ? 1 : w->ended ? -1 : 0;
}

/* Nothing is owed: false when the server has ended the connection. */
static bool wire_rests(wire *w)
{
	ssize_t n;
	if (w->h2 == NULL) {
		char byte;
		return wire_recv(w, &byte, 1) < 0 && errno == EAGAIN;
	}
	while ((n = wire_read(w)) > 0) {
	}
	return n < 0 && errno == EAGAIN && !w->leaves;
}

#endif /* WEFT_BENCH_WIRE_H */
