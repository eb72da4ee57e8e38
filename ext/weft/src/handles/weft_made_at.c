/*
 * Where objects were made during boot, for those that a request may not use. Noted for every object of a class that may
 * turn out to be one, by its number, until the snapshot.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_coroutine.h"
#include "domain/weft_domain.h"
#include "domain/hidden/weft_hidden.h"
#include "zend_closures.h"
#include "zend_generators.h"

typedef struct {
	const zend_object *object;       /* gone, perhaps */
	zend_string *file, *caller_file; /* the second: the application's, when the first is a package's */
	uint32_t line, caller_line;
} place;

typedef zend_object *(*create)(zend_class_entry *ce);

static place *places;
static uint32_t place_count;
static HashTable creators; /* class of C => its plain function */
static zend_string *told;  /* what weft_made_at() has returned last */

static void forget_place(place *at)
{
	if (at->file) {
		zend_string_release(at->file);
	}
	if (at->caller_file) {
		zend_string_release(at->caller_file);
	}
	memset(at, 0, sizeof(*at));
}

static const zend_execute_data *in_php(const zend_execute_data *frame)
{
	while (frame && (!frame->func || !ZEND_USER_CODE(frame->func->type))) {
		frame = frame->prev_execute_data;
	}
	return frame;
}

void weft_made_at_note(const zend_object *object)
{
	const zend_execute_data *frame = in_php(EG(current_execute_data)), *own;
	place *at;

	if (frame && object->ce == zend_ce_generator) {
		frame = in_php(frame->prev_execute_data); /* it begins in its own frame */
	}
	if (!frame) {
		return;
	}
	if (object->handle >= place_count) {
		uint32_t count = MAX(object->handle + 1, place_count * 2);

		places = safe_perealloc(places, count, sizeof(place), 0, 1);
		memset(places + place_count, 0, (count - place_count) * sizeof(place));
		place_count = count;
	}
	at = &places[object->handle];
	forget_place(at);
	at->object = object;
	at->file = zend_string_copy(frame->func->op_array.filename);
	at->line = frame->opline->lineno;
	for (own = frame; own && strstr(ZSTR_VAL(own->func->op_array.filename), "/vendor/");) {
		own = in_php(own->prev_execute_data);
	}
	if (own && own != frame) {
		at->caller_file = zend_string_copy(own->func->op_array.filename);
		at->caller_line = own->opline->lineno;
	}
}

static zend_object *create_and_note(zend_class_entry *ce)
{
	const zend_class_entry *ancestor = weft_internal_ancestor(ce);
	create plain = (create) zend_hash_index_find_ptr(&creators, (zend_ulong) (uintptr_t) ancestor >> 3);
	zend_object *object = plain(ce);

	if (!weft_domain_in_place && !weft_snapshot_taken()) {
		weft_made_at_note(object);
	}
	return object;
}

void weft_made_at_class(zend_class_entry *ce)
{
	zend_hash_index_update_ptr(&creators, (zend_ulong) (uintptr_t) ce >> 3, (void *) ce->create_object);
	ce->create_object = create_and_note;
}

void weft_made_at_minit(void)
{
	zend_hash_init(&creators, 64, NULL, NULL, true);
}

const char *weft_made_at(const zend_object *object)
{
	const place *at = object->handle < place_count ? &places[object->handle] : NULL;

	if (!at || at->object != object) {
		return NULL;
	}
	if (told) {
		zend_string_release(told);
	}
	told = at->caller_file ? zend_strpprintf(0, "%s:%u, called by %s:%u", ZSTR_VAL(at->file), at->line,
								 ZSTR_VAL(at->caller_file), at->caller_line)
						   : zend_strpprintf(0, "%s:%u", ZSTR_VAL(at->file), at->line);
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
