/*
 * The vault: shared memory with one writer. What it holds is there twice: the writer fills the half that nobody reads,
 * and then a number, whose last bit says which half counts, goes up. So nobody waits for anybody, and a writer that
 * dies in the middle has changed nothing.
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
/* Once is enough, unless the half was written anew meanwhile, which takes two fillings. */
#define TRIES 1000

typedef struct {
	uint32_t length;
	char bytes[ROOM];
} half;

typedef struct {
	weft_tls_ticket_key all[WEFT_TLS_TICKET_KEYS];
} ring;

struct weft_tls_vault {
	_Atomic uint32_t version;
	_Atomic uint32_t keys_version;
	ring keys[2];
	half contents[2];
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

/* Which half counts. */
static uint32_t counting(uint32_t version)
{
	return version & 1;
}

/* The other half is whole, and counts from now on; what is written into this one comes later than that. */
static void publish(_Atomic uint32_t *version)
{
	atomic_fetch_add_explicit(version, 1, memory_order_release);
	atomic_thread_fence(memory_order_release);
}

/* Whether nothing was written where it was read since `then`. */
static bool is_still(const _Atomic uint32_t *version, uint32_t then)
{
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(version, memory_order_relaxed) == then;
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
		make_key(&vault->keys[0].all[i]);
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
	uint32_t now = counting(atomic_load_explicit(&vault->version, memory_order_relaxed));
	half *old = &vault->contents[now], *fresh = &vault->contents[!now];

	if (length > sizeof(fresh->bytes)) {
		return false;
	}
	memcpy(fresh->bytes, contents, length);
	fresh->length = (uint32_t) length;
	publish(&vault->version);
	explicit_bzero(old->bytes, old->length);
	old->length = 0;
	return true;
}

uint32_t weft_tls_vault_version(const weft_tls_vault *vault)
{
	return atomic_load_explicit(&vault->version, memory_order_acquire);
}

char *weft_tls_vault_copy(const weft_tls_vault *vault, size_t *length, uint32_t *version)
{
	char *copy = malloc(ROOM);

	for (uint32_t i = 0; copy && i < TRIES; i++) {
		*version = weft_tls_vault_version(vault);
		const half *from = &vault->contents[counting(*version)];
		*length = from->length <= sizeof(from->bytes) ? from->length : 0;
		memcpy(copy, from->bytes, *length);
		if (*length > 0 && is_still(&vault->version, *version)) {
			return copy;
		}
	}
	free(copy);
	return NULL;
}

void weft_tls_vault_rotate(weft_tls_vault *vault)
{
	uint32_t now = counting(atomic_load_explicit(&vault->keys_version, memory_order_relaxed));
	ring *old = &vault->keys[now], *fresh = &vault->keys[!now];

	make_key(&fresh->all[0]);
	memcpy(&fresh->all[1], &old->all[0], sizeof(old->all) - sizeof(old->all[0]));
	publish(&vault->keys_version);
	explicit_bzero(old, sizeof(*old));
}

void weft_tls_vault_ticket_keys(const weft_tls_vault *vault, weft_tls_ticket_key keys[WEFT_TLS_TICKET_KEYS])
{
	/* keys that are half another's only fail to decrypt */
	for (uint32_t i = 0; i < TRIES; i++) {
		uint32_t version = atomic_load_explicit(&vault->keys_version, memory_order_acquire);
		const ring *from = &vault->keys[counting(version)];
		memcpy(keys, from->all, sizeof(from->all));
		if (is_still(&vault->keys_version, version)) {
			return;
		}
	}
}
