/*
 * Exchanges tables of functions in place, also those that the loader has made read-only, and finds whose they are.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "interpose/guard/weft_module_tables.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* By address. */
static HashTable tables;
static bool has_tables;

static zend_ulong key_of(const void *table)
{
	return (zend_ulong) (uintptr_t) table;
}

const weft_module_table *weft_module_table_of(const void *table)
{
	return has_tables ? zend_hash_index_find_ptr(&tables, key_of(table)) : NULL;
}

/* What /proc/self/maps says of the page; PROT_NONE: nothing. */
static int protection_at(uintptr_t address)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long from, to;
	int protection = PROT_NONE;
	char rights[5], line[4096];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s", &from, &to, rights) == 3 && address >= from && address < to) {
			protection = (rights[0] == 'r' ? PROT_READ : 0) | (rights[1] == 'w' ? PROT_WRITE : 0) |
				(rights[2] == 'x' ? PROT_EXEC : 0);
			break;
		}
	}
	if (maps) {
		fclose(maps);
	}
	return protection;
}

static bool write_words(void **table, void *const *words, size_t size)
{
	uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE), from = (uintptr_t) table & ~(page - 1);
	size_t length = (uintptr_t) table + size - from;
	int before = protection_at((uintptr_t) table);

	if (!(before & PROT_READ) ||
		(!(before & PROT_WRITE) && mprotect((void *) from, length, before | PROT_WRITE) != 0)) {
		return false;
	}
	memcpy(table, words, size);
	if (!(before & PROT_WRITE)) {
		mprotect((void *) from, length, before);
	}
	return true;
}

bool weft_module_table_wrap(const zend_module_entry *module, void *table, const void *wrapped, const void *common,
	size_t size)
{
	size_t count = size / sizeof(void *);
	weft_module_table *entry;
	void **plain, **words;
	bool done;

	if (weft_module_table_of(table)) {
		return true;
	}
	plain = pemalloc(size, 1);
	words = pemalloc(size, 1);
	memcpy(plain, table, size);
	memcpy(words, table, size);
	for (size_t i = 0; i < count; i++) {
		void *by = ((void *const *) wrapped)[i];

		if (by && plain[i] && (!common || plain[i] != ((void *const *) common)[i])) {
			words[i] = by;
		}
	}
	if (!has_tables) {
		zend_hash_init(&tables, 8, NULL, NULL, 1);
		has_tables = true;
	}
	entry = pemalloc(sizeof(*entry), 1);
	*entry = (weft_module_table){.module = module, .plain = plain};
	zend_hash_index_add_new_ptr(&tables, key_of(table), entry);
	done = write_words(table, words, size);
	if (!done) {
		zend_hash_index_del(&tables, key_of(table));
		pefree(entry, 1);
		pefree(plain, 1);
	}
	pefree(words, 1);
	return done;
}

const zend_module_entry *weft_module_at(const void *address)
{
	const zend_module_entry *module;
	struct link_map *map;
	Dl_info object;

	if (!dladdr(address, &object)) {
		return NULL;
	}
	ZEND_HASH_MAP_FOREACH_PTR(&module_registry, module) {
		if (module->handle && dlinfo(module->handle, RTLD_DI_LINKMAP, &map) == 0 &&
			(void *) map->l_addr == object.dli_fbase) {
			return weft_module_kind_of(module) == WEFT_MODULE_PROVEN ? NULL : module;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}
