/*
 * What the files of this floor share. With OpenSSL only.
 */
#ifndef WEFT_TLS_INTERNAL_H
#define WEFT_TLS_INTERNAL_H

#include "tls/weft_tls.h"

#ifdef WEFT_TLS

#include <openssl/ssl.h>

struct weft_tls {
	SSL *ssl;
	uint64_t *sent;
	int fd;
	int error;       /* of the socket; 0: none */
	uint32_t barren; /* bytes received since the last of the application's */
	bool established;
	bool begun;   /* the client has sent something */
	bool plain;   /* and it was no TLS */
	bool drained; /* the socket is empty: the last read has got less than it asked for */
	bool over;    /* the socket has brought the client's end of stream */
	bool more;    /* what is sent now is followed by more at once */
	bool failed;  /* nothing can be sent or received any more */
	bool ended;
	bool waits_to_send;
};

/* A new stream's, of the contents that the vault holds now. */
SSL *weft_tls_acceptor_ssl(weft_tls_acceptor *acceptor);

/* --- the contents of a vault: texts, each with its length before it --- */

/* The next one; false at the end. */
static inline bool weft_tls_contents_next(const char **at, const char *end, const char **text, uint32_t *length)
{
	if ((size_t) (end - *at) < sizeof(*length)) {
		return false;
	}
	__builtin_memcpy(length, *at, sizeof(*length));
	*at += sizeof(*length);
	if ((size_t) (end - *at) < *length) {
		return false;
	}
	*text = *at;
	*at += *length;
	return true;
}

/* Says what is wrong. Always false. */
bool weft_tls_refuse(char problem[WEFT_TLS_PROBLEM], const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Their order: WEFT_TLS_CLIENTS_… as a digit, the authorities of clients, then for each pair certificates, key,
 * the end of an OCSP answer as an int64_t, and that answer. What there is not is empty. */

/* A context for what the contents have, with the names that its certificates are for. NULL, and `problem` has
 * OpenSSL's words. `keys`: whose keys of tickets; NULL: none. */
SSL_CTX *weft_tls_context_new(const char *contents, size_t length, const weft_tls_acceptor *acceptor,
	char problem[WEFT_TLS_PROBLEM]);

/* A file to read, or a directory, which can't be. -1 with errno; ENOTSUP: it is something else. */
int weft_tls_open(const char *path);

/* Until when an OCSP answer in DER is valid for the first of the certificates, in seconds since 1970. 0: it is not to
 * be stapled, and `why` says so. */
int64_t weft_tls_answer_end(const char *answer, size_t length, const char *certificates, size_t certificates_length,
	char why[WEFT_TLS_PROBLEM]);

/* The keys of tickets. */
void weft_tls_tickets_use(SSL_CTX *context, const weft_tls_vault *vault);

/* OpenSSL's queue of errors is the thread's: PHP's own extension may have left some, and must find none of ours. */
void weft_tls_errors_clear(void);
/* The last, which says most, in words, and clears them. */
const char *weft_tls_errors_take(char *text, size_t room);

#endif /* WEFT_TLS */
#endif /* WEFT_TLS_INTERNAL_H */
