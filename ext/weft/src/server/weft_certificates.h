/*
 * The supervisor's side of TLS: reads certificates and keys before it becomes another user, and again at a reload and
 * when they change, and has new keys of tickets made.
 */
#ifndef WEFT_CERTIFICATES_H
#define WEFT_CERTIFICATES_H

#include "php.h"
#include "tls/weft_tls.h"

/* How often it is looked whether the files have changed. */
#define WEFT_CERTIFICATES_LOOK_MS 2000

typedef struct {
	weft_tls_files files;  /* as in the configuration */
	weft_tls_vault *vault; /* NULL: no TLS */
	int fd;                /* of the vault, for zygotes; -1 */
	uint64_t stamp;        /* of the files that were read last */
	uint64_t seen;         /* of those that were there at the last look */
	int64_t stale_at;      /* when they are to be read even so, for an OCSP answer; 0: never */
	HashTable *own_names;  /* the first pair is made here, for these; NULL: it is not */
	int64_t renew_at;      /* when it is made again, in seconds since 1970 */
	uint64_t look_at, rotate_at;
} weft_certificates;

/* What "tls" in the configuration asks for. On failure an exception is thrown. */
bool weft_certificates_open(weft_certificates *self, HashTable *config);
/* When to look; 0: never. */
uint64_t weft_certificates_deadline(const weft_certificates *self);
void weft_certificates_look(weft_certificates *self, uint64_t now);
/* At a reload. Those that are not in order are logged, and the old ones stay. */
void weft_certificates_read(weft_certificates *self);

#endif /* WEFT_CERTIFICATES_H */
