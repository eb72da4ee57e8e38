/*
 * Chains, twice as many when there are as many entries, half as many when seven of eight are empty.
 */
#include "http/ws/weft_hashed.h"

#include "php.h"

#include <string.h>
#include <sys/random.h>

#define FEWEST 64

/* --- SipHash-1-3 --- */

typedef struct {
	uint64_t v0, v1, v2, v3;
} sip;

static inline uint64_t rotate(uint64_t value, int bits)
{
	return value << bits | value >> (64 - bits);
}

static inline void sip_round(sip *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v1;
	s->v0 += s->v3;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 = rotate(s->v2, 32);
}

static inline void sip_word(sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

/* Made when it is first needed: each worker has its own. */
static const uint64_t *secret(void)
{
	static uint64_t key[2];

	if (!key[0] && getrandom(key, sizeof(key), 0) != (ssize_t) sizeof(key)) {
		/* a kernel without it: the addresses of this process are no public matter either */
		key[1] = (uint64_t) (uintptr_t) &key * UINT64_C(0x9e3779b97f4a7c15);
	}
	key[0] |= 1;
	return key;
}

uint64_t weft_hash(const void *bytes, size_t length)
{
	const uint64_t *key = secret();
	const unsigned char *at = bytes;
	uint64_t word, last = (uint64_t) length << 56;
	sip s = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
		key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
	size_t left = length;

	for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		sip_word(&s, word);
	}
	for (size_t i = 0; i < left; i++) {
		last |= (uint64_t) at[i] << 8 * i;
	}
	sip_word(&s, last);
	s.v2 ^= 0xff;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* --- the table --- */

static void resize(weft_hashed_table *table, uint32_t size)
{
	weft_hashed **buckets = pecalloc(size, sizeof(*buckets), 1);

	for (uint32_t i = 0; table->buckets && i <= table->mask; i++) {
		for (weft_hashed *next, *entry = table->buckets[i]; entry; entry = next) {
			next = entry->next;
			weft_hashed **bucket = &buckets[entry->hash & (size - 1)];
			entry->next = *bucket;
			*bucket = entry;
		}
	}
	if (table->buckets) {
		pefree(table->buckets, 1);
	}
	table->buckets = buckets;
	table->mask = size - 1;
}

static weft_hashed *same_hash(weft_hashed *entry, uint64_t hash)
{
	while (entry && entry->hash != hash) {
		entry = entry->next;
	}
	return entry;
}

weft_hashed *weft_hashed_first(const weft_hashed_table *table, uint64_t hash)
{
	return table->buckets ? same_hash(table->buckets[hash & table->mask], hash) : NULL;
}

weft_hashed *weft_hashed_next(const weft_hashed *entry)
{
	return same_hash(entry->next, entry->hash);
}

void weft_hashed_add(weft_hashed_table *table, weft_hashed *entry, uint64_t hash)
{
	if (!table->buckets) {
		resize(table, FEWEST);
	} else if (table->count > table->mask && table->mask < UINT32_MAX / 2) {
		resize(table, (table->mask + 1) * 2);
	}
	weft_hashed **bucket = &table->buckets[hash & table->mask];
	entry->hash = hash;
	entry->next = *bucket;
	*bucket = entry;
	table->count++;
}

void weft_hashed_remove(weft_hashed_table *table, weft_hashed *entry)
{
	weft_hashed **link = &table->buckets[entry->hash & table->mask];

	while (*link != entry) {
		link = &(*link)->next;
	}
	*link = entry->next;
	table->count--;
	if (table->mask >= FEWEST && table->count < (table->mask + 1) / 8) {
		resize(table, (table->mask + 1) / 2);
	}
}
