/*
 * A hash table whose entries are part of what is kept in it. The keys come from clients, so the hash has a secret: who
 * makes up names can't make them fall together.
 */
#ifndef WEFT_HASHED_H
#define WEFT_HASHED_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft_hashed weft_hashed;
struct weft_hashed {
	weft_hashed *next;
	uint64_t hash;
};

/* All zero: empty. */
typedef struct {
	weft_hashed **buckets;
	uint32_t mask; /* how many buckets there are, less one */
	uint32_t count;
} weft_hashed_table;

/* SipHash-1-3. */
uint64_t weft_hash(const void *bytes, size_t length);
/* The first with this hash, and the next one; NULL: none. Whether it is the one is for the caller to see. */
weft_hashed *weft_hashed_first(const weft_hashed_table *table, uint64_t hash);
weft_hashed *weft_hashed_next(const weft_hashed *entry);
void weft_hashed_add(weft_hashed_table *table, weft_hashed *entry, uint64_t hash);
void weft_hashed_remove(weft_hashed_table *table, weft_hashed *entry);

#endif /* WEFT_HASHED_H */
