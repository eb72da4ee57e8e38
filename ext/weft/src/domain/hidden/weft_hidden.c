/*
 * The snapshot's list of objects with hidden state, and the exchange of their bytes when a domain leaves and enters.
 */
#include "domain/hidden/weft_hidden.h"
#include "domain/weft_domain.h"
#include "domain/weft_base.h"
#include "ext/random/php_random.h"
#include "weft_compat.h"
#include "weft_grow.h"

typedef struct {
	zend_object *object;
	zend_object *pristine; /* as the snapshot found it; never changes */
} copied_object;

typedef struct {
	char *live;
	char *pristine;
	size_t size;
} watched_bytes;

static copied_object *copied;
static watched_bytes *watched;
static weft_hidden_map **maps;
static uint32_t copied_count, copied_size, watched_count, watched_size, map_count, map_size;
/* Changes with every snapshot: what a domain has of an older one is worth nothing. */
static uint32_t generation;

struct weft_hidden {
	uint32_t generation;
	uint32_t count, watched, maps; /* when it was made */
	bool in_place;
	char **bytes;               /* of each watched memory that differs, else NULL */
	weft_hidden_parked *parked; /* of each map */
	zend_object *copies[];      /* NULL: nothing differs from the pristine one */
};

uint32_t weft_hidden_count(void)
{
	return copied_count + watched_count + map_count;
}

/* --- the snapshot --- */

/* References among the values that an object keeps would be shared by its copies. */
static void prepare_values(zend_object *object)
{
	zval *values;
	int count;

	object->handlers->get_gc(object, &values, &count);
	for (int i = 0; i < count; i++) {
		if (Z_ISREF(values[i])) {
			/* perhaps a copy of the element: held, so that it is tracked and not unwrapped here */
			zend_reference *reference = Z_REF(values[i]);

			GC_ADDREF(reference);
			weft_references_prepare(&values[i]);
			GC_DELREF(reference);
		} else if (Z_TYPE(values[i]) == IS_ARRAY) {
			weft_references_prepare(&values[i]);
		}
	}
}

static void watch_bytes(void *live, size_t size)
{
	WEFT_GROW(watched, watched_count, watched_size);
	watched[watched_count] = (watched_bytes){.live = live, .pristine = pemalloc(size, 1), .size = size};
	memcpy(watched[watched_count++].pristine, live, size);
}

void weft_hidden_snapshot(zend_object *object)
{
	weft_hidden_kind kind = weft_hidden_classify(object);
	zend_object *copy;

	if (weft_hidden_has_values(object)) {
		prepare_values(object);
	}
	if (kind == WEFT_HIDDEN_MAP) {
		WEFT_GROW(maps, map_count, map_size);
		maps[map_count++] = weft_hidden_map_snapshot(object);
	} else if (kind == WEFT_HIDDEN_BYTES) {
		watch_bytes(WEFT_RANDOM_ENGINE_STATE(object), WEFT_RANDOM_ENGINE_SIZE(object));
	} else if (kind == WEFT_HIDDEN_COPIED && (copy = weft_hidden_copy(object, object->ce))) {
		WEFT_GROW(copied, copied_count, copied_size);
		copied[copied_count++] = (copied_object){.object = object, .pristine = copy};
		weft_domain_prepare_when_left(true);
	}
}

void weft_hidden_forget(void)
{
	for (uint32_t i = 0; i < copied_count; i++) {
		OBJ_RELEASE(copied[i].pristine);
	}
	for (uint32_t i = 0; i < watched_count; i++) {
		free(watched[i].pristine);
	}
	for (uint32_t i = 0; i < map_count; i++) {
		weft_hidden_map_forget(maps[i]);
	}
	free(copied);
	free(watched);
	free(maps);
	weft_domain_prepare_when_left(false);
	copied = NULL;
	watched = NULL;
	maps = NULL;
	copied_count = copied_size = watched_count = watched_size = map_count = map_size = 0;
	generation++;
}

/* --- a domain's --- */

static weft_hidden *new_hidden(void)
{
	weft_hidden *hidden = pecalloc(1, sizeof(*hidden) + copied_count * sizeof(zend_object *), 1);

	hidden->generation = generation;
	hidden->count = copied_count;
	hidden->watched = watched_count;
	hidden->maps = map_count;
	hidden->in_place = true;
	hidden->bytes = watched_count ? pecalloc(watched_count, sizeof(char *), 1) : NULL;
	hidden->parked = map_count ? pecalloc(map_count, sizeof(weft_hidden_parked), 1) : NULL;
	return hidden;
}

/* May end in a fatal error, and goes on rightly when it is called again after that. */
static void make_copies(weft_hidden *hidden)
{
	for (uint32_t i = 0; i < hidden->count; i++) {
		const copied_object *item = &copied[i];

		if (!hidden->copies[i] && !weft_hidden_is_as(item->object, item->pristine)) {
			hidden->copies[i] = weft_hidden_copy(item->pristine, item->object->ce);
		}
	}
}

static bool hidden_is_stale(const weft_hidden *hidden)
{
	return hidden->generation != generation;
}

void weft_hidden_prepare(weft_hidden **of_domain)
{
	if (*of_domain && hidden_is_stale(*of_domain)) {
		weft_hidden_release(of_domain);
	}
	if (!*of_domain && weft_hidden_count()) {
		*of_domain = new_hidden();
	}
	if (*of_domain && (*of_domain)->in_place) {
		make_copies(*of_domain);
	}
}

static void exchange_copies(weft_hidden *hidden)
{
	for (uint32_t i = 0; i < hidden->count; i++) {
		if (hidden->copies[i]) {
			weft_hidden_exchange(copied[i].object, hidden->copies[i]);
		}
	}
}

static void leave_bytes(weft_hidden *hidden)
{
	for (uint32_t i = 0; i < watched_count; i++) {
		const watched_bytes *bytes = &watched[i];

		if (memcmp(bytes->live, bytes->pristine, bytes->size) == 0) {
			continue;
		}
		if (!hidden->bytes[i]) {
			hidden->bytes[i] = pemalloc(bytes->size, 1);
		}
		memcpy(hidden->bytes[i], bytes->live, bytes->size);
		memcpy(bytes->live, bytes->pristine, bytes->size);
	}
}

static void enter_bytes(weft_hidden *hidden)
{
	for (uint32_t i = 0; i < watched_count; i++) {
		if (hidden->bytes[i]) {
			memcpy(watched[i].live, hidden->bytes[i], watched[i].size);
			free(hidden->bytes[i]);
			hidden->bytes[i] = NULL;
		}
	}
}

void weft_hidden_leave(weft_hidden **of_domain)
{
	weft_hidden *hidden;

	weft_hidden_prepare(of_domain);
	hidden = *of_domain;
	if (!hidden || !hidden->in_place) {
		return;
	}
	exchange_copies(hidden);
	leave_bytes(hidden);
	for (uint32_t i = 0; i < map_count; i++) {
		weft_hidden_map_leave(maps[i], &hidden->parked[i]);
	}
	hidden->in_place = false;
}

void weft_hidden_enter(weft_hidden **of_domain)
{
	weft_hidden *hidden = *of_domain;

	if (!hidden || hidden_is_stale(hidden) || hidden->in_place) {
		return;
	}
	exchange_copies(hidden);
	enter_bytes(hidden);
	for (uint32_t i = 0; i < map_count; i++) {
		weft_hidden_map_enter(maps[i], &hidden->parked[i]);
	}
	hidden->in_place = true;
}

void weft_hidden_visit(void (*visit)(zend_object *object, void *context), void *context)
{
	for (uint32_t i = 0; i < copied_count; i++) {
		if (!weft_hidden_is_as(copied[i].object, copied[i].pristine)) {
			visit(copied[i].object, context);
		}
	}
	for (uint32_t i = 0; i < map_count; i++) {
		zend_object *map = weft_hidden_map_changed(maps[i]);

		if (map) {
			visit(map, context);
		}
	}
}

void weft_hidden_release(weft_hidden **of_domain)
{
	weft_hidden *hidden = *of_domain;

	if (!hidden) {
		return;
	}
	/* destructors may suspend: nothing of this may be reachable then */
	*of_domain = NULL;
	for (uint32_t i = 0; i < hidden->watched; i++) {
		free(hidden->bytes[i]);
	}
	for (uint32_t i = 0; i < hidden->maps; i++) {
		weft_hidden_map_destroy_parked(&hidden->parked[i]);
	}
	for (uint32_t i = 0; i < hidden->count; i++) {
		if (hidden->copies[i]) {
			OBJ_RELEASE(hidden->copies[i]);
		}
	}
	free(hidden->bytes);
	free(hidden->parked);
	free(hidden);
}
