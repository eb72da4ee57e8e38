/*
 * Where objects were made during boot, for those that a request may not use. Noted for every object of a class that may
 * turn out to be one, by its number, until the snapshot.
 */
#include "handles/weft_handles_internal.h"
#include "async/weft_async.h"
#include "coroutine/weft_coroutine.h"
#include "domain/weft_domain.h"
#include "domain/hidden/weft_hidden.h"
#include "zend_closures.h"
#include "zend_generators.h"

typedef struct {
	const zend_object *object; /* gone, perhaps */
	weft_place at;             /* its strings are owned */
} place;

typedef zend_object *(*create)(zend_class_entry *ce);

static place *places;
static uint32_t place_count;
static HashTable creators; /* class of C => its plain function */
static zend_string *told;  /* what weft_made_at() has returned last */

static void forget_place(place *of)
{
	if (of->at.file) {
		zend_string_release(of->at.file);
	}
	if (of->at.caller_file) {
		zend_string_release(of->at.caller_file);
	}
	memset(of, 0, sizeof(*of));
}

static place *room_for(const zend_object *object)
{
	if (object->handle >= place_count) {
		uint32_t count = MAX(object->handle + 1, place_count * 2);

		places = safe_perealloc(places, count, sizeof(place), 0, 1);
		memset(places + place_count, 0, (count - place_count) * sizeof(place));
		place_count = count;
	}
	return &places[object->handle];
}

void weft_made_at_note(const zend_object *object)
{
	const zend_execute_data *frame = EG(current_execute_data);
	weft_place at;
	place *of;

	if (object->ce == zend_ce_generator && (frame = weft_innermost_php(frame))) {
		frame = frame->prev_execute_data; /* it begins in its own frame */
	}
	if (!weft_place_find(&at, frame)) {
		return;
	}
	zend_string_addref(at.file);
	if (at.caller_file) {
		zend_string_addref(at.caller_file);
	}
	of = room_for(object);
	forget_place(of);
	*of = (place){.object = object, .at = at};
}

static create plain_create(const zend_class_entry *ce)
{
	void *plain = NULL;

	/* a class in C that dl() has brought may have its parent's */
	for (; ce && !plain; ce = ce->parent) {
		plain = zend_hash_index_find_ptr(&creators, (zend_ulong) (uintptr_t) ce >> 3);
	}
	return (create) plain;
}

static zend_object *create_and_note(zend_class_entry *ce)
{
	zend_object *object = plain_create(weft_internal_ancestor(ce))(ce);

	if (!weft_domain_in_place && !weft_snapshot_taken()) {
		weft_made_at_note(object);
	}
	return object;
}

/* Once: what is there at a second dl() may be another wrapper, which calls this one. */
void weft_made_at_class(zend_class_entry *ce)
{
	zend_ulong key = (zend_ulong) (uintptr_t) ce >> 3;

	if (ce->create_object != create_and_note && !zend_hash_index_exists(&creators, key)) {
		zend_hash_index_add_new_ptr(&creators, key, (void *) ce->create_object);
		ce->create_object = create_and_note;
	}
}

void weft_made_at_minit(void)
{
	zend_hash_init(&creators, 64, NULL, NULL, true);
}

const char *weft_made_at(const zend_object *object)
{
	const place *of = object->handle < place_count ? &places[object->handle] : NULL;

	if (!of || of->object != object) {
		return NULL;
	}
	if (told) {
		zend_string_release(told);
	}
	told = weft_place_describe(&of->at);
	return ZSTR_VAL(told);
}

void weft_made_at_forget(void)
{
	for (uint32_t i = 0; i < place_count; i++) {
		forget_place(&places[i]);
	}
	free(places);
	places = NULL;
	place_count = 0;
	if (told) {
		zend_string_release(told);
		told = NULL;
	}
}
