/*
 * TLS with OpenSSL: the files that a server is given, what all its processes share of them, and streams.
 *
 * This floor knows no PHP value and no HTTP. Where Weft was built without OpenSSL nothing here works, and
 * weft_tls_available() says so.
 *
 * The vault is memory that the supervisor writes and all workers of all generations read: certificates with their keys,
 * and the keys of tickets. So a worker needs no right to read the files, a certificate is replaced without a restart,
 * and any worker resumes a session that another has begun.
 */
#ifndef WEFT_TLS_H
#define WEFT_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

bool weft_tls_available(void);

/* --- weft_tls_vault.c --- */

/* Keys of tickets: the first encrypts, the others still decrypt. */
#define WEFT_TLS_TICKET_KEYS 3
/* How long each of them encrypts: what they know opens recorded TLS 1.2 sessions. */
#define WEFT_TLS_TICKET_KEY_MS (60 * 60 * 1000)

typedef struct weft_tls_vault weft_tls_vault;
typedef struct {
	unsigned char name[16];
	unsigned char cipher[32];
	unsigned char mac[32];
} weft_tls_ticket_key;

/* Makes one, with its first keys of tickets, and a descriptor for other processes. NULL with errno. */
weft_tls_vault *weft_tls_vault_new(int *fd);
/* For who reads. NULL: it is none. */
weft_tls_vault *weft_tls_vault_map(int fd);
/* Replaces what it holds. False: it is too much. */
bool weft_tls_vault_fill(weft_tls_vault *vault, const char *contents, size_t length);
/* Which contents it holds: another number with each. */
uint32_t weft_tls_vault_version(const weft_tls_vault *vault);
/* A copy of them, which the caller frees after it has wiped it. NULL: none. */
char *weft_tls_vault_copy(const weft_tls_vault *vault, size_t *length, uint32_t *version);
void weft_tls_vault_rotate(weft_tls_vault *vault);
void weft_tls_vault_ticket_keys(const weft_tls_vault *vault, weft_tls_ticket_key keys[WEFT_TLS_TICKET_KEYS]);

/* --- weft_tls_files.c --- */

#define WEFT_TLS_CERTIFICATES 64
/* Room for a sentence. */
#define WEFT_TLS_PROBLEM 1024

typedef enum {
	WEFT_TLS_CLIENTS_ANY,      /* are asked for no certificate */
	WEFT_TLS_CLIENTS_OPTIONAL, /* may show one */
	WEFT_TLS_CLIENTS_REQUIRED  /* without one there is no connection */
} weft_tls_clients;

typedef struct {
	struct {
		const char *certificate; /* with those of its authorities behind it */
		const char *key;
	} pairs[WEFT_TLS_CERTIFICATES]; /* the first is for who asks for no name, or for one that none has */
	uint32_t count;
	const char *authorities; /* of clients; NULL: none */
	weft_tls_clients clients;
} weft_tls_files;

/* Reads them, and puts them into the vault when they are in order. Otherwise the vault stays as it is and `problem` has
 * a sentence. What is no obstacle, as a certificate that has expired, is logged. `stale_at`: when the first OCSP answer
 * is valid no more, in seconds since 1970; 0: there is none. */
bool weft_tls_files_load(const weft_tls_files *files, weft_tls_vault *vault, int64_t *stale_at,
	char problem[WEFT_TLS_PROBLEM]);
/* Of the files as they are: another number when one has changed. */
uint64_t weft_tls_files_stamp(const weft_tls_files *files);

/* --- weft_tls_self_signed.c --- */

/* Makes a certificate for these names and addresses, which nobody has signed, and its key, unless the files hold one
 * for them that is valid for a while. Until when that will do, in seconds since 1970; 0: there is none. */
int64_t weft_tls_self_signed(const char *certificate, const char *key, const char *const *names, uint32_t count,
	char problem[WEFT_TLS_PROBLEM]);

/* --- weft_tls_context.c --- */

/* What a worker accepts with. */
typedef struct weft_tls_acceptor weft_tls_acceptor;

/* `protocols` as in ALPN: each with its length before it, the best first. Both outlive it. NULL: the contents can't be
 * used, which was logged. */
weft_tls_acceptor *weft_tls_acceptor_new(const weft_tls_vault *vault, const unsigned char *protocols, uint32_t length);
void weft_tls_acceptor_free(weft_tls_acceptor *acceptor);

/* --- weft_tls_stream.c --- */

/* The server's side of a connection. */
typedef struct weft_tls weft_tls;

typedef enum {
	WEFT_TLS_DONE,
	WEFT_TLS_AGAIN, /* the socket must be waited for */
	WEFT_TLS_PLAIN, /* the client speaks plain HTTP, or another protocol of words */
	WEFT_TLS_FAILED
} weft_tls_result;

/* The socket does not block, and stays the caller's. What it takes is counted in *sent. NULL: no memory. */
weft_tls *weft_tls_new(weft_tls_acceptor *acceptor, int fd, uint64_t *sent);
weft_tls_result weft_tls_handshake(weft_tls *tls);
/* Why it failed. */
const char *weft_tls_problem(const weft_tls *tls);
/* As recv(): less than there is room for means that nothing more has come, but for the end, perhaps: who has seen an
 * edge of that asks once more. */
ssize_t weft_tls_receive(weft_tls *tls, char *to, size_t room);
/* The client's stream has ended, or can't go on: the next receive says which. */
bool weft_tls_ended(const weft_tls *tls);
/* As sendmsg(): less than all, or -1 with EAGAIN, means that the socket takes no more. The rest comes first at the next
 * call, with as much or more behind it, from wherever it is by then. `more`: another call comes at once. */
ssize_t weft_tls_send(weft_tls *tls, const struct iovec *parts, int count, bool more);
/* The same of a file. 0: it has nothing there. */
ssize_t weft_tls_send_file(weft_tls *tls, int file, uint64_t offset, uint64_t length);
/* It waits to send, though it was asked to receive or to shake hands. */
bool weft_tls_waits_to_send(const weft_tls *tls);
/* Nothing more comes, and nothing is missing (close_notify). */
void weft_tls_end(weft_tls *tls);
void weft_tls_free(weft_tls *tls);

/* --- weft_tls_about.c --- */

/* What was chosen by ALPN, with its length; NULL: nothing. */
const unsigned char *weft_tls_protocol(const weft_tls *tls, unsigned int *length);
/* Tells of a connection, and of its client's certificate, in the names that Apache's mod_ssl gave them. */
void weft_tls_describe(const weft_tls *tls, void (*tell)(void *arg, const char *name, const char *value), void *arg);

#endif /* WEFT_TLS_H */
