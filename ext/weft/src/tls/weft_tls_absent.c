/*
 * Weft without OpenSSL: nothing that needs it is called, since the supervisor refuses the options that do.
 */
#include "tls/weft_tls.h"

bool weft_tls_available(void)
{
#ifdef WEFT_TLS
	return true;
#else
	return false;
#endif
}

#ifndef WEFT_TLS

#include <errno.h>
#include <stdio.h>

bool weft_tls_files_load(const weft_tls_files *files, weft_tls_vault *vault, int64_t *stale_at,
	char problem[WEFT_TLS_PROBLEM])
{
	snprintf(problem, WEFT_TLS_PROBLEM, "This Weft was built without OpenSSL.");
	return false;
}

uint64_t weft_tls_files_stamp(const weft_tls_files *files)
{
	return 0;
}

int64_t weft_tls_self_signed(const char *certificate, const char *key, const char *const *names, uint32_t count,
	char problem[WEFT_TLS_PROBLEM])
{
	return weft_tls_files_load(NULL, NULL, NULL, problem);
}

weft_tls_acceptor *weft_tls_acceptor_new(const weft_tls_vault *vault, const unsigned char *protocols, uint32_t length)
{
	return NULL;
}

void weft_tls_acceptor_free(weft_tls_acceptor *acceptor)
{
}

weft_tls *weft_tls_new(weft_tls_acceptor *acceptor, int fd, uint64_t *sent)
{
	return NULL;
}

weft_tls_result weft_tls_handshake(weft_tls *tls)
{
	return WEFT_TLS_FAILED;
}

const char *weft_tls_problem(const weft_tls *tls)
{
	return "built without OpenSSL";
}

ssize_t weft_tls_receive(weft_tls *tls, char *to, size_t room)
{
	errno = EPROTO;
	return -1;
}

bool weft_tls_ended(const weft_tls *tls)
{
	return true;
}

ssize_t weft_tls_send(weft_tls *tls, const struct iovec *parts, int count, bool more)
{
	errno = EPROTO;
	return -1;
}

ssize_t weft_tls_send_file(weft_tls *tls, int file, uint64_t offset, uint64_t length)
{
	errno = EPROTO;
	return -1;
}

bool weft_tls_waits_to_send(const weft_tls *tls)
{
	return false;
}

void weft_tls_end(weft_tls *tls)
{
}

void weft_tls_free(weft_tls *tls)
{
}

const unsigned char *weft_tls_protocol(const weft_tls *tls, unsigned int *length)
{
	*length = 0;
	return NULL;
}

void weft_tls_describe(const weft_tls *tls, void (*tell)(void *arg, const char *name, const char *value), void *arg)
{
}

#endif /* WEFT_TLS */
