/*
 * Looks through the variables of the program, or the library, that PHP's engine is in.
 */
#include "globals/weft_program.h"
#include "zend_gc.h"

#include <dlfcn.h>
#include <link.h>

typedef struct {
	char *from, *to;
} range;

static range variables;

static range range_of(const struct dl_phdr_info *program, const ElfW(Phdr) * segment)
{
	char *from = (char *) (program->dlpi_addr + segment->p_vaddr);

	return (range){from, from + segment->p_memsz};
}

static bool is_in(range range, const void *address)
{
	return (const char *) address >= range.from && (const char *) address < range.to;
}

/* The last segment that may be written to, without what is read-only once the program is loaded. */
static range find_variables(const struct dl_phdr_info *program)
{
	range found = {NULL, NULL}, fixed = {NULL, NULL};

	for (int i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &program->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD && (segment->p_flags & PF_W)) {
			found = range_of(program, segment);
		} else if (segment->p_type == PT_GNU_RELRO) {
			fixed = range_of(program, segment);
		}
	}
	if (found.from && is_in(fixed, found.from) && fixed.to < found.to) {
		found.from = fixed.to;
	}
	found.from = (char *) (((uintptr_t) found.from + sizeof(void *) - 1) & ~(sizeof(void *) - 1));
	return found;
}

static int look_at_program(struct dl_phdr_info *program, size_t size, void *address)
{
	for (int i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &program->dlpi_phdr[i];

		if (segment->p_type == PT_LOAD && is_in(range_of(program, segment), address)) {
			variables = find_variables(program);
			return 1;
		}
	}
	return 0;
}

static void look_for_program(void)
{
	if (!variables.from) {
		dl_iterate_phdr(look_at_program, (void *) (uintptr_t) zend_gc_get_status);
	}
}

void *weft_program_find(size_t size, bool (*is_it)(void *place))
{
	look_for_program();
	for (char *place = variables.from; place + size <= variables.to; place += sizeof(void *)) {
		if (is_it(place)) {
			return place;
		}
	}
	return NULL;
}

WEFT_READS_ALL static void copy_words(void **copy, void *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		copy[i] = words[i];
	}
}

WEFT_READS_ALL static void **find_set(void *const *before, void **words, size_t count, bool (*is_it)(void **place))
{
	for (size_t i = 0; i < count; i++) {
		if (!before[i] && words[i] && is_it(&words[i])) {
			return &words[i];
		}
	}
	return NULL;
}

void **weft_program_find_pointer(void (*set)(void), bool (*is_it)(void **place))
{
	void **before, **found;
	size_t count;

	look_for_program();
	count = (size_t) (variables.to - variables.from) / sizeof(void *);
	before = pemalloc(count * sizeof(void *) + 1, 1);
	copy_words(before, (void **) variables.from, count);
	set();
	found = find_set(before, (void **) variables.from, count, is_it);
	pefree(before, 1);
	return found;
}
