/*
 * The vault: shared memory with one writer. A number that is odd while it writes tells readers to read again, so nobody
 * ever waits for a reader, and a writer that dies in the middle harms only who has not read yet.
 */
#include "tls/weft_tls.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for certificates and keys: a pair takes 4 to 8 KB. What is not used takes no memory. */
#define ROOM (1024 * 1024)
/* A writer needs microseconds. */
#define TRIES 1000000

struct weft_tls_vault {
	_Atomic uint32_t version;
	_Atomic uint32_t keys_version;
	weft_tls_ticket_key keys[WEFT_TLS_TICKET_KEYS];
	uint32_t length;
	char contents[ROOM];
};

static weft_tls_vault *map(int fd, int protection)
{
	weft_tls_vault *vault = mmap(NULL, sizeof(*vault), protection, MAP_SHARED, fd, 0);

	if (vault == MAP_FAILED) {
		return NULL;
	}
	/* no private key is to be found in a core dump for having been here */
	madvise(vault, sizeof(*vault), MADV_DONTDUMP);
	return vault;
}

static void begin_writing(_Atomic uint32_t *version)
{
	atomic_fetch_add_explicit(version, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static void end_writing(_Atomic uint32_t *version)
{
	atomic_fetch_add_explicit(version, 1, memory_order_release);
}

static void make_key(weft_tls_ticket_key *key)
{
	/* as many bytes come at once, or none in a system without any */
	if (getrandom(key, sizeof(*key), 0) != (ssize_t) sizeof(*key)) {
		abort();
	}
}

weft_tls_vault *weft_tls_vault_new(int *fd)
{
	weft_tls_vault *vault = NULL;

	*fd = memfd_create("weft-tls", MFD_CLOEXEC);
	if (*fd >= 0 && ftruncate(*fd, sizeof(*vault)) == 0) {
		vault = map(*fd, PROT_READ | PROT_WRITE);
	}
	for (size_t i = 0; vault && i < WEFT_TLS_TICKET_KEYS; i++) {
		make_key(&vault->keys[i]);
	}
	return vault;
}

weft_tls_vault *weft_tls_vault_map(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0 || (size_t) status.st_size < sizeof(weft_tls_vault)) {
		return NULL;
	}
	return map(fd, PROT_READ);
}

bool weft_tls_vault_fill(weft_tls_vault *vault, const char *contents, size_t length)
{
	if (length > sizeof(vault->contents)) {
		return false;
	}
	begin_writing(&vault->version);
	memcpy(vault->contents, contents, length);
	if (vault->length > length) {
		explicit_bzero(vault->contents + length, vault->length - length);
	}
	vault->length = (uint32_t) length;
	end_writing(&vault->version);
	return true;
}

uint32_t weft_tls_vault_version(const weft_tls_vault *vault)
{
	return atomic_load_explicit(&vault->version, memory_order_acquire);
}

/* Whether what was read since is what was written. */
static bool is_still(const _Atomic uint32_t *version, uint32_t then)
{
	atomic_thread_fence(memory_order_acquire);
	return (then & 1) == 0 && atomic_load_explicit(version, memory_order_relaxed) == then;
}

char *weft_tls_vault_copy(const weft_tls_vault *vault, size_t *length, uint32_t *version)
{
	char *copy = malloc(sizeof(vault->contents));

	for (uint32_t i = 0; copy && i < TRIES; i++) {
		*version = weft_tls_vault_version(vault);
		*length = vault->length <= sizeof(vault->contents) ? vault->length : 0;
		memcpy(copy, vault->contents, *length);
		if (is_still(&vault->version, *version) && *length > 0) {
			return copy;
		}
	}
	free(copy);
	return NULL;
}

void weft_tls_vault_rotate(weft_tls_vault *vault)
{
	weft_tls_ticket_key fresh;

	make_key(&fresh);
	begin_writing(&vault->keys_version);
	memmove(vault->keys + 1, vault->keys, sizeof(vault->keys) - sizeof(fresh));
	vault->keys[0] = fresh;
	end_writing(&vault->keys_version);
	explicit_bzero(&fresh, sizeof(fresh));
}

void weft_tls_vault_ticket_keys(const weft_tls_vault *vault, weft_tls_ticket_key keys[WEFT_TLS_TICKET_KEYS])
{
	/* half-written keys, by one that has died, only fail to decrypt */
	for (uint32_t i = 0; i < TRIES; i++) {
		uint32_t version = atomic_load_explicit(&vault->keys_version, memory_order_acquire);
		memcpy(keys, vault->keys, sizeof(vault->keys));
		if (is_still(&vault->keys_version, version)) {
			return;
		}
	}
}
