/*
 * A connection's stream. OpenSSL reads and writes the socket through a BIO of our own, without a buffer between: it
 * raises no SIGPIPE, counts what the socket takes, and knows when the socket is empty, which saves a call.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What one record holds. */
#define RECORD 16384
/* The records of a message that is no longer leave in one packet, where the network has such. Of a longer one the
 * client had better have the first while the next is made. */
#define TOGETHER 65536
/* So much may a client send of TLS's own (key updates, empty records) before anything for the application. */
#define BARREN_MOST 65536
/* As weft_transport_send_file(). */
#define FILE_MOST (1024 * 1024)
/* Of it at once. */
#define FILE_READ (4 * RECORD)

/* --- the socket --- */

static int bio_read(BIO *bio, char *to, int room)
{
	weft_tls *tls = BIO_get_data(bio);
	ssize_t got;

	BIO_clear_retry_flags(bio);
	if (tls->drained) {
		BIO_set_retry_read(bio);
		return -1;
	}
	do {
		got = recv(tls->fd, to, (size_t) room, 0);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		if (errno == EAGAIN) {
			tls->drained = true;
			BIO_set_retry_read(bio);
		} else {
			tls->error = errno;
		}
		return -1;
	}
	if (!tls->begun && got > 0) {
		tls->begun = true;
		/* a handshake begins with 22, a method with a letter */
		if ((to[0] >= 'A' && to[0] <= 'Z') || (to[0] >= 'a' && to[0] <= 'z')) {
			tls->plain = true;
			return -1;
		}
	}
	tls->over = got == 0;
	tls->drained = got < room;
	tls->barren += (uint32_t) got;
	if (tls->established && tls->barren > BARREN_MOST) {
		tls->error = EPROTO;
		return -1;
	}
	return (int) got;
}

static int bio_write(BIO *bio, const char *from, int length)
{
	weft_tls *tls = BIO_get_data(bio);
	ssize_t sent;

	BIO_clear_retry_flags(bio);
	do {
		sent = send(tls->fd, from, (size_t) length, MSG_NOSIGNAL | (tls->more ? MSG_MORE : 0));
	} while (sent < 0 && errno == EINTR);
	if (sent < 0) {
		if (errno == EAGAIN) {
			BIO_set_retry_write(bio);
		} else {
			tls->error = errno;
		}
		return -1;
	}
	*tls->sent += (uint64_t) sent;
	return (int) sent;
}

static long bio_ctrl(BIO *bio, int command, long number, void *pointer)
{
	switch (command) {
		case BIO_CTRL_FLUSH: return 1;
		case BIO_CTRL_EOF: return ((const weft_tls *) BIO_get_data(bio))->over;
		default: return 0;
	}
}

static BIO *socket_bio(weft_tls *tls)
{
	static BIO_METHOD *method;
	BIO *bio;

	if (!method) {
		method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "weft");
		BIO_meth_set_read(method, bio_read);
		BIO_meth_set_write(method, bio_write);
		BIO_meth_set_ctrl(method, bio_ctrl);
	}
	bio = BIO_new(method);
	if (bio) {
		BIO_set_data(bio, tls);
		BIO_set_init(bio, 1);
	}
	return bio;
}

/* --- errors --- */

void weft_tls_errors_clear(void)
{
	if (ERR_peek_error()) {
		ERR_clear_error();
	}
}

const char *weft_tls_errors_take(char *text, size_t room)
{
	unsigned long error = ERR_peek_last_error();
	const char *reason = error ? ERR_reason_error_string(error) : NULL;

	snprintf(text, room, "%s", reason ? reason : "unknown error");
	ERR_clear_error();
	return text;
}

/* What became of a call that has not succeeded: -1 with errno, or 0 for the end. */
static ssize_t outcome(weft_tls *tls, int returned, bool sends)
{
	int error = SSL_get_error(tls->ssl, returned);

	tls->waits_to_send = error == SSL_ERROR_WANT_WRITE;
	if (error == SSL_ERROR_WANT_WRITE || (error == SSL_ERROR_WANT_READ && !sends)) {
		errno = EAGAIN;
		return -1;
	}
	tls->ended = true;
	if (error == SSL_ERROR_ZERO_RETURN) {
		return 0;
	}
	/* a write that waits to read would be a renegotiation, which is off */
	tls->failed = true;
	weft_tls_errors_clear();
	errno = tls->error ? tls->error : EPROTO;
	return -1;
}

/* --- life --- */

weft_tls *weft_tls_new(weft_tls_acceptor *acceptor, int fd, uint64_t *sent)
{
	weft_tls *tls = calloc(1, sizeof(*tls));
	BIO *bio = NULL;

	weft_tls_errors_clear();
	if (tls) {
		tls->fd = fd;
		tls->sent = sent;
		tls->ssl = weft_tls_acceptor_ssl(acceptor);
		bio = tls->ssl ? socket_bio(tls) : NULL;
	}
	if (!bio) {
		weft_tls_errors_clear();
		weft_tls_free(tls);
		return NULL;
	}
	SSL_set_bio(tls->ssl, bio, bio);
	SSL_set_accept_state(tls->ssl);
	return tls;
}

void weft_tls_free(weft_tls *tls)
{
	if (tls) {
		SSL_free(tls->ssl);
		free(tls);
	}
}

weft_tls_result weft_tls_handshake(weft_tls *tls)
{
	int result;

	tls->drained = false;
	weft_tls_errors_clear();
	result = SSL_do_handshake(tls->ssl);
	if (result == 1) {
		tls->waits_to_send = false;
		tls->established = true;
		tls->barren = 0;
		return WEFT_TLS_DONE;
	}
	if (tls->plain) {
		weft_tls_errors_clear();
		return WEFT_TLS_PLAIN;
	}
	switch (SSL_get_error(tls->ssl, result)) {
		case SSL_ERROR_WANT_READ: tls->waits_to_send = false; return WEFT_TLS_AGAIN;
		case SSL_ERROR_WANT_WRITE: tls->waits_to_send = true; return WEFT_TLS_AGAIN;
		default: tls->failed = tls->ended = true; return WEFT_TLS_FAILED;
	}
}

const char *weft_tls_problem(const weft_tls *tls)
{
	static char text[128];

	if (tls->error || tls->over) {
		weft_tls_errors_clear();
		return tls->over ? "the client has hung up" : strerror(tls->error);
	}
	return weft_tls_errors_take(text, sizeof(text));
}

void weft_tls_end(weft_tls *tls)
{
	if (tls->established && !tls->failed && !(SSL_get_shutdown(tls->ssl) & SSL_SENT_SHUTDOWN)) {
		weft_tls_errors_clear();
		SSL_shutdown(tls->ssl);
		weft_tls_errors_clear();
	}
}

bool weft_tls_ended(const weft_tls *tls)
{
	return tls->ended;
}

bool weft_tls_waits_to_send(const weft_tls *tls)
{
	return tls->waits_to_send;
}

/* --- what comes and goes --- */

ssize_t weft_tls_receive(weft_tls *tls, char *to, size_t room)
{
	size_t done = 0, got;
	ssize_t result = 0;

	if (tls->failed) {
		errno = EPROTO;
		return -1;
	}
	tls->drained = false;
	/* until nothing more has come: OpenSSL then holds nothing back, and gives its buffer away */
	while (done < room) {
		weft_tls_errors_clear();
		if (SSL_read_ex(tls->ssl, to + done, room - done, &got) != 1) {
			result = outcome(tls, 0, false);
			break;
		}
		done += got;
		tls->barren = 0;
	}
	return done > 0 ? (ssize_t) done : result;
}

/* Whether the kernel had better wait for what follows the record that ends there. */
static bool is_followed(size_t end, size_t all, bool more)
{
	return end < all ? all <= TOGETHER : more;
}

/* One record or, of one that the socket has taken in part, the rest. */
static ssize_t send_record(weft_tls *tls, const char *from, size_t length, bool more)
{
	size_t sent;

	weft_tls_errors_clear();
	tls->more = more;
	if (SSL_write_ex(tls->ssl, from, length, &sent) == 1) {
		return (ssize_t) sent;
	}
	return outcome(tls, 0, true);
}

/* As many of the parts as a record holds, from `skip` bytes on, and where they are: in one of them, or copied. */
static size_t gather(const struct iovec *parts, int count, size_t skip, char *copy, const char **from)
{
	size_t length = 0;

	while (count > 0 && skip >= parts->iov_len) {
		skip -= parts->iov_len;
		parts++;
		count--;
	}
	if (count > 0 && (count == 1 || parts->iov_len - skip >= RECORD)) {
		*from = (const char *) parts->iov_base + skip;
		return parts->iov_len - skip;
	}
	*from = copy;
	for (; count > 0 && length < RECORD; parts++, count--, skip = 0) {
		size_t piece = parts->iov_len - skip < RECORD - length ? parts->iov_len - skip : RECORD - length;
		memcpy(copy + length, (const char *) parts->iov_base + skip, piece);
		length += piece;
	}
	return length;
}

static bool can_send(const weft_tls *tls)
{
	errno = EPIPE;
	return tls->established && !tls->failed;
}

ssize_t weft_tls_send(weft_tls *tls, const struct iovec *parts, int count, bool more)
{
	static char copy[RECORD];
	const char *from;
	size_t done = 0, length, all = 0;

	for (int i = 0; i < count; i++) {
		all += parts[i].iov_len;
	}
	if (!can_send(tls)) {
		return -1;
	}
	while ((length = gather(parts, count, done, copy, &from)) > 0) {
		ssize_t sent;

		length = length < RECORD ? length : RECORD;
		sent = send_record(tls, from, length, is_followed(done + length, all, more));
		if (sent <= 0) {
			return done > 0 && !tls->failed ? (ssize_t) done : sent;
		}
		done += (size_t) sent;
	}
	return (ssize_t) done;
}

ssize_t weft_tls_send_file(weft_tls *tls, int file, uint64_t offset, uint64_t length)
{
	static char records[FILE_READ];
	size_t done = 0, begin = 0, end = 0; /* what was read */

	if (!can_send(tls)) {
		return -1;
	}
	length = length < FILE_MOST ? length : FILE_MOST;
	while (done < length) {
		size_t piece;
		ssize_t sent;

		if (done == end) {
			size_t wanted = length - done < FILE_READ ? (size_t) (length - done) : FILE_READ;
			ssize_t got = pread(file, records, wanted, (off_t) (offset + done));
			if (got <= 0) {
				return done > 0 ? (ssize_t) done : got;
			}
			begin = end;
			end += (size_t) got;
		}
		piece = end - done < RECORD ? end - done : RECORD;
		sent = send_record(tls, records + (done - begin), piece, is_followed(done + piece, length, false));
		if (sent <= 0) {
			return done > 0 && !tls->failed ? (ssize_t) done : sent;
		}
		done += (size_t) sent;
	}
	return (ssize_t) done;
}

#endif /* WEFT_TLS */
