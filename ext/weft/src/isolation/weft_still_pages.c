/*
 * Which pages may be read-only. The allocator lays pieces of one size side by side in a run of pages. What it keeps
 * inside is not looked at: the size of a piece tells how its run is laid out, and the addresses of pieces where it
 * begins.
 */
#include "isolation/weft_still.h"
#include "php_globals.h"
#include "zend_alloc_sizes.h"

/* Of a page, objects of the base take up so many bytes at least: fewer are not worth a fault. */
#define WEFT_STILL_BYTES 1024
/* Each may take two of the kernel's mappings, of which a process has 65,530, coroutines' stacks included. */
#define WEFT_STILL_MOST 8192
/* Never so many pieces are taken in search of those on the pages. */
#define WEFT_STILL_PIECES 4096
#define MAX_PIECES 128

typedef struct {
	uintptr_t start;
	uint32_t size;                 /* of a piece */
	uint32_t pieces;
	uint32_t pages;
	uint32_t objects;              /* bytes of the base's objects */
	bool known[MAX_PIECES];
} run;

static struct {
	run *runs;                     /* ascending */
	uint32_t count, size;
	HashTable seen;                /* arrays */
} choice;

/* Pieces that were free. */
static struct {
	void **pieces;
	uint32_t count, size;
} taken;

/* --- runs --- */

#define BIN_OF_SIZE(number, bytes, elements, used_pages, x, y) {bytes, elements, used_pages},
static const struct {
	uint32_t size, pieces, pages;
} bins[] = {ZEND_MM_BINS_INFO(BIN_OF_SIZE, x, y)};

/* Where the run of this piece begins. False: it isn't a small piece, or of a run with too many. */
static bool lay_out(uintptr_t piece, size_t size, run *found)
{
	uintptr_t page = piece & ~(WEFT_STILL_PAGE - 1);

	*found = (run) {.size = size};
	if (size && WEFT_STILL_PAGE % size == 0) {
		/* each page is like the other */
		found->pieces = WEFT_STILL_PAGE / size;
		found->pages = 1;
		found->start = page;
		return found->pieces <= MAX_PIECES;
	}
	for (size_t i = 0; i < sizeof(bins) / sizeof(*bins); i++) {
		if (bins[i].size == size) {
			found->pieces = bins[i].pieces;
			found->pages = bins[i].pages;
		}
	}
	for (uint32_t before = 0; before < found->pages; before++) {
		found->start = page - before * WEFT_STILL_PAGE;
		if ((piece - found->start) % size == 0) {
			return found->pieces <= MAX_PIECES && (piece - found->start) / size < found->pieces;
		}
	}
	return false;
}

static run *find_run(uintptr_t piece)
{
	uint32_t low = 0, high = choice.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		run *run = &choice.runs[middle];

		if (piece < run->start) {
			high = middle;
		} else if (piece >= run->start + run->pages * WEFT_STILL_PAGE) {
			low = middle + 1;
		} else {
			return run;
		}
	}
	return NULL;
}

/* The piece's mark; NULL: it lies in no run of ours, or this is not where a piece begins. */
static bool *mark_of(const void *piece)
{
	run *run = find_run((uintptr_t) piece);
	uint32_t offset;

	if (!run) {
		return NULL;
	}
	offset = (uintptr_t) piece - run->start;
	return offset % run->size == 0 && offset / run->size < run->pieces ? &run->known[offset / run->size] : NULL;
}

static void mark(const void *piece)
{
	bool *known = mark_of(piece);

	if (known) {
		*known = true;
	}
}

/* --- what is known --- */

/* All of it is properties. */
static bool is_plain(const zend_object *object)
{
	return object->ce->type == ZEND_USER_CLASS && !object->ce->create_object && object->handlers->offset == 0;
}

static void add_run(const weft_object_record *record)
{
	run new;

	if (!is_plain(record->object) ||
		!lay_out((uintptr_t) record->object, zend_mem_block_size(record->object), &new)) {
		return;
	}
	/* records come in the order of memory */
	if (!choice.count || choice.runs[choice.count - 1].start != new.start) {
		if (choice.count == choice.size) {
			choice.size = choice.size ? choice.size * 2 : 64;
			choice.runs = safe_perealloc(choice.runs, choice.size, sizeof(run), 0, 1);
		}
		choice.runs[choice.count++] = new;
	}
	choice.runs[choice.count - 1].objects += record->size;
}

/* A run in which little is the base's is left alone, and its free pieces with it. */
static void drop_poor_runs(void)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < choice.count; i++) {
		if (choice.runs[i].objects >= choice.runs[i].pages * WEFT_STILL_BYTES) {
			choice.runs[kept++] = choice.runs[i];
		}
	}
	choice.count = kept;
}

static void mark_array(HashTable *array);

/* What the base holds it shares with whoever has it now, so nobody writes to it, and it is never freed. */
static void mark_value(const zval *value)
{
	if (Z_TYPE_P(value) == IS_STRING && Z_REFCOUNTED_P(value)) {
		mark(Z_STR_P(value));
	} else if (Z_TYPE_P(value) == IS_ARRAY && Z_REFCOUNTED_P(value)) {
		mark_array(Z_ARR_P(value));
	}
}

static void mark_array(HashTable *array)
{
	zend_string *key;
	zval *value;

	if ((GC_FLAGS(array) & (GC_IMMUTABLE | GC_PERSISTENT)) ||
		!zend_hash_index_add_empty_element(&choice.seen, (zend_ulong) (uintptr_t) array >> 3)) {
		return;
	}
	mark(array);
	if (!(HT_FLAGS(array) & HASH_FLAG_UNINITIALIZED)) {
		mark(HT_GET_DATA_ADDR(array));
	}
	ZEND_HASH_FOREACH_STR_KEY_VAL(array, key, value) {
		if (key && !ZSTR_IS_INTERNED(key)) {
			mark(key);
		}
		mark_value(value);
	}
	ZEND_HASH_FOREACH_END();
}

static void mark_objects(void)
{
	const weft_base *base = &weft_base_state;

	for (uint32_t i = 0; i < base->held_count; i++) {
		if (is_plain(base->held[i])) {
			mark(base->held[i]);
		}
	}
	for (uint32_t i = 0; i < base->record_count; i++) {
		const weft_object_record *record = &base->records[i];
		const char *at = base->copies + record->copy, *end = at + record->size;

		/* first the pointer to the dynamic properties, or not */
		for (at += record->size % sizeof(zval); at < end; at += sizeof(zval)) {
			mark_value((const zval *) at);
		}
	}
}

static void mark_cells(void)
{
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		mark_value(&weft_base_state.cells[i].base);
	}
}

static void mark_globals(void)
{
	for (uint32_t i = 0; i < weft_globals_count(); i++) {
		zval *base;

		weft_globals_base(i, &base);
		mark_value(base);
	}
}

/* --- free pieces --- */

static uint32_t unknown_of_size(uint32_t size)
{
	uint32_t unknown = 0;

	for (uint32_t i = 0; i < choice.count; i++) {
		const run *run = &choice.runs[i];

		for (uint32_t j = 0; run->size == size && j < run->pieces; j++) {
			unknown += !run->known[j];
		}
	}
	return unknown;
}

static void take(void *piece)
{
	if (taken.count == taken.size) {
		taken.size = taken.size ? taken.size * 2 : 64;
		taken.pieces = safe_perealloc(taken.pieces, taken.size, sizeof(void *), 0, 1);
	}
	taken.pieces[taken.count++] = piece;
}

/* Allocates until every piece is known, or the allocator has begun a run that was not there: then none of this size
 * was free any more. What lies elsewhere is freed again. */
static void take_free_pieces(uint32_t size, uint32_t pieces_of_run)
{
	uint32_t wanted = unknown_of_size(size), in_a_row = 0;
	void *others = NULL, *last = NULL;

	for (uint32_t i = 0; wanted && i < WEFT_STILL_PIECES && in_a_row + 1 < pieces_of_run; i++) {
		void *piece = emalloc(size);
		bool *known = mark_of(piece);

		if (known) {
			*known = true;
			take(piece);
			wanted--;
			in_a_row = 0;
		} else {
			in_a_row = (char *) piece == (char *) last + size ? in_a_row + 1 : 0;
			*(void **) piece = others;
			others = piece;
		}
		last = piece;
	}
	while (others) {
		void *next = *(void **) others;

		efree(others);
		others = next;
	}
}

static void take_all_free_pieces(void)
{
	/* a run that was not there must not be one too many */
	if (zend_memory_usage(true) + 2 * ZEND_MM_CHUNK_SIZE > (size_t) PG(memory_limit)) {
		return;
	}
	for (size_t i = 0; i < sizeof(bins) / sizeof(*bins); i++) {
		take_free_pieces(bins[i].size, bins[i].pieces);
	}
}

void weft_still_give_back(void)
{
	for (uint32_t i = 0; i < taken.count; i++) {
		efree(taken.pieces[i]);
	}
	free(taken.pieces);
	memset(&taken, 0, sizeof(taken));
}

/* --- the choice --- */

static bool page_qualifies(const run *run, uint32_t page)
{
	uint32_t from = page * WEFT_STILL_PAGE, to = from + WEFT_STILL_PAGE;

	for (uint32_t piece = from / run->size; piece < run->pieces && piece * run->size < to; piece++) {
		if (!run->known[piece]) {
			return false;
		}
	}
	return true;
}

static uint32_t collect_pages(uintptr_t **pages)
{
	uint32_t count = 0, room = 0;

	for (uint32_t i = 0; i < choice.count; i++) {
		room += choice.runs[i].pages;
	}
	room = MIN(room, WEFT_STILL_MOST);
	*pages = safe_pemalloc(room + 1, sizeof(**pages), 0, 1);
	for (uint32_t i = 0; i < choice.count; i++) {
		for (uint32_t page = 0; page < choice.runs[i].pages && count < room; page++) {
			if (page_qualifies(&choice.runs[i], page)) {
				(*pages)[count++] = choice.runs[i].start + page * WEFT_STILL_PAGE;
			}
		}
	}
	return count;
}

uint32_t weft_still_choose(uintptr_t **pages)
{
	uint32_t count;

	memset(&choice, 0, sizeof(choice));
	/* not from the memory that may be limited: this is in the middle of a switch */
	zend_hash_init(&choice.seen, 256, NULL, NULL, 1);
	for (uint32_t i = 0; i < weft_base_state.record_count; i++) {
		add_run(&weft_base_state.records[i]);
	}
	drop_poor_runs();
	mark_objects();
	mark_cells();
	mark_globals();
	take_all_free_pieces();
	count = collect_pages(pages);
	zend_hash_destroy(&choice.seen);
	free(choice.runs);
	memset(&choice, 0, sizeof(choice));
	return count;
}
