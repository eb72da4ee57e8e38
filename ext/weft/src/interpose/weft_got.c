/*
 * The words that carry the address of a libc function:
 *   - jump slots, bound at start (-z now) or at the first call (then they point into the object's own PLT);
 *   - GLOB_DAT entries, which -fno-plt and function pointers use;
 *   - absolute words in data, where libraries keep tables of function pointers.
 * Most lie in the part that the loader has made read-only after relocation (PT_GNU_RELRO); its protection is
 * known, so it can be lifted and put back.
 */
#include "interpose/weft_got.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define WEFT_R_JUMP_SLOT R_X86_64_JUMP_SLOT
#define WEFT_R_GLOB_DAT R_X86_64_GLOB_DAT
#define WEFT_R_ABSOLUTE R_X86_64_64
#elif defined(__aarch64__)
#define WEFT_R_JUMP_SLOT R_AARCH64_JUMP_SLOT
#define WEFT_R_GLOB_DAT R_AARCH64_GLOB_DAT
#define WEFT_R_ABSOLUTE R_AARCH64_ABS64
#else
#error "Weft knows the relocations of x86-64 and aarch64 only"
#endif

/* Objects that implement the calls, or that must reach them unaltered. NSS modules are loaded and used by libc
 * itself, possibly on another thread at this very moment. */
static const char *const left_alone[] = {
	"libc.so.",
	"libc-2.",
	"libpthread",
	"libdl.",
	"libdl-",
	"librt.",
	"librt-",
	"libresolv",
	"libanl",
	"libnss_",
	"ld-linux",
	"ld-2.",
	"linux-vdso",
	"linux-gate",
	/* a debugger that waits for commands stops the process: its own state is one for all coroutines */
	"xdebug.",
	"libasan",
	"libubsan",
	"libtsan",
	"liblsan",
	"libhwasan",
	"vgpreload_",
	"libclang_rt",
};

typedef struct {
	void **word;
	void *original;
	weft_replacement *by;
} patched_word;

/* One loaded object that was gone through. Address, headers and name together tell it from a later one that the
 * loader puts in the same place. */
typedef struct {
	ElfW(Addr) base;
	const ElfW(Phdr) * headers;
	char *name;
	patched_word *words;
	size_t count, room;
	bool loaded;
} known_object;

typedef struct {
	uintptr_t from, to;
} address_range;

static struct {
	pthread_mutex_t lock;
	weft_replacement *table;
	size_t table_size;
	known_object *objects;
	size_t object_count, object_room;
	address_range *libc_ranges; /* where the replaced functions' code may be */
	size_t range_count, range_room;
	unsigned long long adds, subs; /* of the loader, at the last pass */
	bool passed;
	char failed[256];
} got = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The tables of one object that is being gone through. */
typedef struct {
	const struct dl_phdr_info *info;
	const ElfW(Sym) * symbols;
	const char *strings;
	const ElfW(Rela) * jump_slots, *relocations;
	size_t jump_slot_count, relocation_count, relative_count;
	uintptr_t relro_from, relro_to;
	bool relro_open;
	known_object *known;
} object_view;

/* --- small helpers --- */

static bool got_grow(void **list, size_t *room, size_t used, size_t size)
{
	if (used < *room) {
		return true;
	}
	size_t more = *room ? *room * 2 : 16;
	void *larger = realloc(*list, more * size);
	if (!larger) {
		return false;
	}
	*list = larger;
	*room = more;
	return true;
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(((const weft_replacement *) left)->name, ((const weft_replacement *) right)->name);
}

static weft_replacement *find_replacement(const char *name)
{
	weft_replacement key = {.name = name};

	return bsearch(&key, got.table, got.table_size, sizeof(key), compare_names);
}

static bool in_object(const struct dl_phdr_info *info, uintptr_t address, uint32_t flags)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type == PT_LOAD && (header->p_flags & flags) == flags &&
			address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz) {
			return true;
		}
	}
	return false;
}

static bool in_libc(uintptr_t address)
{
	for (size_t i = 0; i < got.range_count; i++) {
		if (address >= got.libc_ranges[i].from && address < got.libc_ranges[i].to) {
			return true;
		}
	}
	return false;
}

static bool is_left_alone(const struct dl_phdr_info *info)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *base = slash ? slash + 1 : info->dlpi_name;

	for (size_t i = 0; i < sizeof(left_alone) / sizeof(*left_alone); i++) {
		if (strncmp(base, left_alone[i], strlen(left_alone[i])) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_this_extension(const struct dl_phdr_info *info)
{
	return in_object(info, (uintptr_t) &got, 0);
}

/* --- looking at an object --- */

/* glibc relocates these pointers in place, other loaders don't. */
static const void *table_at(const object_view *view, const ElfW(Dyn) * entry)
{
	ElfW(Addr) base = view->info->dlpi_addr, value = entry->d_un.d_ptr;

	return (const void *) (value >= base ? value : base + value);
}

static void read_dynamic(object_view *view, const ElfW(Dyn) * entry)
{
	for (; entry->d_tag != DT_NULL; entry++) {
		switch (entry->d_tag) {
			case DT_SYMTAB: view->symbols = table_at(view, entry); break;
			case DT_STRTAB: view->strings = table_at(view, entry); break;
			case DT_JMPREL: view->jump_slots = table_at(view, entry); break;
			case DT_RELA: view->relocations = table_at(view, entry); break;
			case DT_PLTRELSZ: view->jump_slot_count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
			case DT_RELASZ: view->relocation_count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
			case DT_RELACOUNT: view->relative_count = entry->d_un.d_val; break;
		}
	}
}

static bool view_object(object_view *view, const struct dl_phdr_info *info)
{
	uintptr_t page = (uintptr_t) sysconf(_SC_PAGESIZE);

	*view = (object_view){.info = info};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + header->p_vaddr;
		if (header->p_type == PT_DYNAMIC) {
			read_dynamic(view, (const ElfW(Dyn) *) start);
		} else if (header->p_type == PT_GNU_RELRO) {
			/* As the loader rounds it: a page that is shared with writable data stays writable. */
			view->relro_from = start & ~(page - 1);
			view->relro_to = (start + header->p_memsz) & ~(page - 1);
		}
	}
	return view->symbols && view->strings;
}

/* --- writing --- */

static bool protect_relro(object_view *view, int protection)
{
	return mprotect((void *) view->relro_from, view->relro_to - view->relro_from, protection) == 0;
}

/* Makes the word writable; false when it must be left alone. */
static bool open_word(object_view *view, void **word, bool *failed)
{
	uintptr_t address = (uintptr_t) word;

	if (!in_object(view->info, address, PF_W)) {
		return false;
	}
	if (address >= view->relro_from && address < view->relro_to && !view->relro_open) {
		view->relro_open = protect_relro(view, PROT_READ | PROT_WRITE);
		*failed = !view->relro_open;
		return view->relro_open;
	}
	return true;
}

static bool is_original(uintptr_t address, const weft_replacement *found)
{
	return found->not_of_libc ? address && address == (uintptr_t) found->address : in_libc(address);
}

/* Whether the word leads to libc: it does now, or it is a jump slot that is not bound yet and will. A library
 * that brings a function of that name itself, or a program that overrides libc's, keeps it. */
static bool leads_to_original(const object_view *view, unsigned type, uintptr_t value, const weft_replacement *found)
{
	if (is_original(value, found)) {
		return true;
	}
	if (type != WEFT_R_JUMP_SLOT || !in_object(view->info, value, PF_X)) {
		return false;
	}
	return is_original((uintptr_t) found->address, found);
}

static bool patch_relocation(object_view *view, const ElfW(Rela) * relocation)
{
	unsigned type = (unsigned) ELF64_R_TYPE(relocation->r_info);
	const ElfW(Sym) *symbol = &view->symbols[ELF64_R_SYM(relocation->r_info)];
	known_object *known = view->known;
	bool failed = false;

	if ((type != WEFT_R_JUMP_SLOT && type != WEFT_R_GLOB_DAT && type != WEFT_R_ABSOLUTE) ||
		symbol->st_shndx != SHN_UNDEF || (type == WEFT_R_ABSOLUTE && relocation->r_addend != 0)) {
		return true;
	}
	weft_replacement *found = find_replacement(view->strings + symbol->st_name);
	void **word = (void **) (view->info->dlpi_addr + relocation->r_offset);
	if (!found || *word == found->replacement || !leads_to_original(view, type, (uintptr_t) *word, found) ||
		!got_grow((void **) &known->words, &known->room, known->count, sizeof(patched_word)) ||
		!open_word(view, word, &failed)) {
		return !failed;
	}
	known->words[known->count++] = (patched_word){.word = word, .original = *word, .by = found};
	found->words++;
	*word = found->replacement;
	return true;
}

static bool patch_object(object_view *view)
{
	bool done = true;

	for (size_t i = 0; i < view->jump_slot_count && view->jump_slots; i++) {
		done = patch_relocation(view, &view->jump_slots[i]) && done;
	}
	/* The relative ones come first and name no symbol. */
	for (size_t i = view->relative_count; i < view->relocation_count && view->relocations; i++) {
		done = patch_relocation(view, &view->relocations[i]) && done;
	}
	if (view->relro_open) {
		protect_relro(view, PROT_READ);
	}
	if (!done) {
		strncpy(got.failed, view->info->dlpi_name, sizeof(got.failed) - 1);
	}
	return done;
}

/* --- the loader's list --- */

static known_object *find_known(const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < got.object_count; i++) {
		known_object *known = &got.objects[i];
		if (known->base == info->dlpi_addr && known->headers == info->dlpi_phdr &&
			strcmp(known->name, info->dlpi_name) == 0) {
			return known;
		}
	}
	return NULL;
}

static known_object *new_known(const struct dl_phdr_info *info)
{
	if (!got_grow((void **) &got.objects, &got.object_room, got.object_count, sizeof(known_object))) {
		return NULL;
	}
	known_object *known = &got.objects[got.object_count];
	*known = (known_object){
		.base = info->dlpi_addr,
		.headers = info->dlpi_phdr,
		.name = strdup(info->dlpi_name),
	};
	if (!known->name) {
		return NULL;
	}
	got.object_count++;
	return known;
}

static void forget_words(known_object *known)
{
	for (size_t i = 0; i < known->count; i++) {
		known->words[i].by->words--;
	}
	known->count = 0;
}

/* Unloaded and loaded again into the same place? Then its words are as the loader made them. */
static bool is_fresh(const known_object *known, const struct dl_phdr_info *info)
{
	return known->count == 0 || !in_object(info, (uintptr_t) known->words[0].word, 0) ||
		*known->words[0].word != known->words[0].by->replacement;
}

static int collect_ranges(struct dl_phdr_info *info, size_t size, void *unused)
{
	if (!is_left_alone(info)) {
		return 0;
	}
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type == PT_LOAD && (header->p_flags & PF_X) &&
			got_grow((void **) &got.libc_ranges, &got.range_room, got.range_count, sizeof(address_range))) {
			uintptr_t start = info->dlpi_addr + header->p_vaddr;
			got.libc_ranges[got.range_count++] = (address_range){start, start + header->p_memsz};
		}
	}
	return 0;
}

static int visit_object(struct dl_phdr_info *info, size_t size, void *argument)
{
	bool *done = argument;
	object_view view;

	got.adds = info->dlpi_adds;
	got.subs = info->dlpi_subs;
	if (is_left_alone(info) || is_this_extension(info) || !view_object(&view, info)) {
		return 0;
	}
	view.known = find_known(info);
	if (!view.known) {
		view.known = new_known(info);
	} else if (is_fresh(view.known, info)) {
		forget_words(view.known);
	} else {
		view.known->loaded = true;
		return 0;
	}
	if (view.known) {
		view.known->loaded = true;
		*done = patch_object(&view) && *done;
	}
	return 0;
}

static int anything_new(struct dl_phdr_info *info, size_t size, void *unused)
{
	/* Counters of the whole process: the first object tells. 1: changed; 2: not. */
	return got.passed && got.adds == info->dlpi_adds && got.subs == info->dlpi_subs ? 2 : 1;
}

static void drop_unloaded(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < got.object_count; i++) {
		known_object *known = &got.objects[i];
		if (known->loaded) {
			got.objects[kept++] = *known;
			continue;
		}
		forget_words(known);
		free(known->words);
		free(known->name);
	}
	got.object_count = kept;
}

/* Takes the loader's lock: never inside of dl_iterate_phdr(), whose own lock a thread in dlopen() wants after that one,
 * and not under ours, which a constructor may want that runs under the loader's. A name that nobody brings yet may
 * come with a library (librt, before glibc 2.34). */
static void resolve_names(weft_replacement *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!table[i].address && !(table[i].address = dlsym(RTLD_DEFAULT, table[i].name))) {
			dlerror(); /* nobody else's business */
		}
	}
}

static bool pass(void)
{
	bool done = true;

	got.range_count = 0;
	dl_iterate_phdr(collect_ranges, NULL);
	for (size_t i = 0; i < got.object_count; i++) {
		got.objects[i].loaded = false;
	}
	dl_iterate_phdr(visit_object, &done);
	drop_unloaded();
	got.passed = true;
	return done;
}

bool weft_got_patch(weft_replacement *table, size_t count)
{
	bool done = true;

	resolve_names(table, count);
	pthread_mutex_lock(&got.lock);
	if (got.table != table) {
		qsort(table, count, sizeof(*table), compare_names);
		got.table = table;
		got.table_size = count;
	}
	if (dl_iterate_phdr(anything_new, NULL) == 1) {
		done = pass();
	}
	pthread_mutex_unlock(&got.lock);
	return done;
}

bool weft_got_replaces(const char *name)
{
	return got.passed && find_replacement(name);
}

/* The caller may be a constructor that runs under the loader's lock, which a pass on another thread wants: so never
 * wait for that pass here. */
void *weft_got_replacement(const char *name, void *address)
{
	const weft_replacement *found = NULL;

	if (pthread_mutex_trylock(&got.lock) == 0) {
		found = got.passed && in_libc((uintptr_t) address) ? find_replacement(name) : NULL;
		pthread_mutex_unlock(&got.lock);
	}
	return found ? found->replacement : address;
}

static int restore_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	object_view view;
	bool failed;
	known_object *known = find_known(info);

	if (!known || is_fresh(known, info) || !view_object(&view, info)) {
		return 0;
	}
	for (size_t i = 0; i < known->count; i++) {
		patched_word *patched = &known->words[i];
		/* Somebody else may have put a hook of their own over ours. */
		if (*patched->word == patched->by->replacement && open_word(&view, patched->word, &failed)) {
			*patched->word = patched->original;
		}
	}
	if (view.relro_open) {
		protect_relro(&view, PROT_READ);
	}
	return 0;
}

void weft_got_restore(void)
{
	pthread_mutex_lock(&got.lock);
	dl_iterate_phdr(restore_object, NULL);
	for (size_t i = 0; i < got.object_count; i++) {
		got.objects[i].loaded = false;
	}
	drop_unloaded();
	free(got.objects);
	free(got.libc_ranges);
	got.objects = NULL;
	got.libc_ranges = NULL;
	got.object_room = got.range_count = got.range_room = 0;
	got.passed = false;
	pthread_mutex_unlock(&got.lock);
}

/* --- other words of an object --- */

typedef struct {
	void *to;
	const void *from;
	size_t size;
} piece_of_data;

static int write_piece(struct dl_phdr_info *info, size_t size, void *argument)
{
	const piece_of_data *piece = argument;
	object_view view;
	bool failed = false;

	if (!in_object(info, (uintptr_t) piece->to, 0)) {
		return 0;
	}
	view_object(&view, info);
	if (!open_word(&view, piece->to, &failed)) {
		return -1;
	}
	memcpy(piece->to, piece->from, piece->size);
	if (view.relro_open) {
		protect_relro(&view, PROT_READ);
	}
	return 1;
}

bool weft_got_write(void *to, const void *from, size_t size)
{
	piece_of_data piece = {to, from, size};

	pthread_mutex_lock(&got.lock);
	int found = dl_iterate_phdr(write_piece, &piece);
	pthread_mutex_unlock(&got.lock);
	return found == 1;
}

const char *weft_got_failed_object(void)
{
	return *got.failed ? got.failed : "the PHP binary";
}

uint32_t weft_got_objects(void)
{
	uint32_t patched = 0;

	for (size_t i = 0; i < got.object_count; i++) {
		patched += got.objects[i].count > 0;
	}
	return patched;
}

uint32_t weft_got_words(void)
{
	uint32_t words = 0;

	for (size_t i = 0; i < got.object_count; i++) {
		words += (uint32_t) got.objects[i].count;
	}
	return words;
}

void weft_got_after_fork(void)
{
	pthread_mutex_init(&got.lock, NULL);
}
