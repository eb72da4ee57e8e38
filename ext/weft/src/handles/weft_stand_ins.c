/*
 * Stand-ins: for each handle of the base and each domain that uses it, the object that does the work.
 */
#include "handles/weft_handles_internal.h"
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"
#include "domain/weft_domain.h"

/* A coroutine that waits until a sibling's call is over. */
typedef struct turn {
	weft_coroutine *coroutine;
	struct turn *next;
} turn;

struct weft_stand_in {
	weft_base_handle *handle;
	zend_object *object;  /* NULL: it is being made */
	weft_coroutine *user; /* who is in the middle of a call */
	uint32_t depth;       /* of calls in callbacks of calls */
	turn *line;
};

struct weft_base_handle {
	zend_object *object;
	const weft_handle_class *class;
	const weft_handle_story *story;
	HashTable stand_ins; /* domain => weft_stand_in */
};

uint32_t weft_handle_count;
static HashTable handles; /* object number => weft_base_handle */

static zend_ulong stand_in_key(const void *domain)
{
	return (zend_ulong) (uintptr_t) domain >> 4;
}

weft_base_handle *weft_base_handle_find(const zend_object *object)
{
	weft_base_handle *handle = zend_hash_index_find_ptr(&handles, object->handle);

	return handle && handle->object == object ? handle : NULL;
}

zend_object *weft_stand_in_object(const weft_stand_in *stand_in)
{
	return stand_in->object;
}

zend_object *weft_stands_in_for(const zend_object *object)
{
	const weft_base_handle *handle;

	ZEND_HASH_FOREACH_PTR(&handles, handle) {
		const weft_stand_in *own = zend_hash_index_find_ptr(&handle->stand_ins, stand_in_key(weft_domain_in_place));

		if (own && own->object == object) {
			return handle->object;
		}
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

/* --- making one --- */

static bool is_refused(const weft_base_handle *handle, const char **why)
{
	*why = handle->class->way == WEFT_HANDLE_REFUSED ? NULL : weft_handle_story_hindrance(handle->story);
	return handle->class->way == WEFT_HANDLE_REFUSED || *why;
}

/* pg_connect() makes what it opens the default connection, which the domain may have chosen already. */
static zend_object **default_link(void)
{
	weft_pgsql_layout *globals = weft_layout("pgsql");

	return globals ? &globals->default_link : NULL;
}

/* After a fatal error in the middle of making it: frames that are gone may have kept references to it, so what is
 * behind it goes as the engine lets it go then, without its destructor. */
static void stand_in_abandon(zend_object *object)
{
	GC_ADD_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED | IS_OBJ_FREE_CALLED);
	object->handlers->free_obj(object);
	OBJ_RELEASE(object);
}

static zend_object *replay(const weft_base_handle *handle, const char **failed)
{
	zend_object **link = strcmp(handle->class->name, "PgSql\\Connection") == 0 ? default_link() : NULL;
	zend_object *chosen = link ? *link : NULL, *object = NULL;
	volatile bool complete = false, done = false;

	if (chosen) {
		GC_ADDREF(chosen);
	}
	zend_try {
		done = weft_handle_story_replay(handle->story, handle->object, &object, failed);
		complete = true;
	} zend_end_try();
	if (link) {
		if (*link) {
			OBJ_RELEASE(*link);
		}
		*link = chosen;
	}
	if (!complete) {
		if (object) {
			stand_in_abandon(object);
		}
		zend_bailout();
	}
	if (!done && object) {
		OBJ_RELEASE(object);
	}
	return done ? object : NULL;
}

static zend_object *make(const weft_base_handle *handle)
{
	const char *failed = NULL, *place = weft_handle_story_place(handle->story);
	zend_object *object = handle->class->way == WEFT_HANDLE_COPIED ? weft_handle_copy(handle->object)
																   : replay(handle, &failed);

	if (!object && !EG(exception)) {
		zend_string *why = failed
			? zend_strpprintf(0, "%s() did not do in this request what it did during boot", failed)
			: zend_strpprintf(0, "a copy of it could not be made");

		weft_handle_refuse(handle->class->name, place, ZSTR_VAL(why));
		zend_string_release(why);
	}
	if (object && EG(exception)) {
		OBJ_RELEASE(object);
		object = NULL;
	}
	return object;
}

/* --- taking turns --- */

/* Whoever has been called first may not have run yet: one that calls in a loop does not pass the line. One that can't
 * wait goes on where nobody is in the middle of a call. */
static bool stand_in_must_wait(const weft_stand_in *stand_in)
{
	return stand_in->handle->class->in_line && stand_in->user != weft_current &&
		(stand_in->depth || (stand_in->line && weft_can_suspend()));
}

/* A connection speaks with one at a time: answers come in the order of questions. */
static bool wait_in_line(weft_stand_in *stand_in)
{
	static const char *const what = "a sibling's call on the same connection";
	turn own = {.coroutine = weft_current}, **link = &stand_in->line;
	int status = 0;

	if (!weft_can_suspend()) {
		weft_handle_refuse(stand_in->handle->class->name, weft_handle_story_place(stand_in->handle->story),
			"another coroutine of the request is in the middle of a call on it, and this one can't wait here");
		return false;
	}
	while (*link) {
		link = &(*link)->next;
	}
	*link = &own;
	while (!status && (stand_in->depth || stand_in->line != &own)) {
		status = weft_suspend(&(weft_wait_info){.what = what, .fd = -1, .on = stand_in});
	}
	for (link = &stand_in->line; *link != &own; link = &(*link)->next) {
	}
	*link = own.next;
	if (status && !stand_in->depth && stand_in->line) {
		weft_wake(stand_in->line->coroutine);
	}
	return !status;
}

static void stand_in_begin_call(weft_stand_in *stand_in)
{
	stand_in->user = weft_current;
	stand_in->depth++;
}

void weft_stand_in_give(weft_stand_in *stand_in)
{
	if (--stand_in->depth) {
		return;
	}
	stand_in->user = NULL;
	if (stand_in->line) {
		weft_wake(stand_in->line->coroutine);
	}
}

static weft_stand_in *of_domain(weft_base_handle *handle)
{
	weft_stand_in *own = zend_hash_index_find_ptr(&handle->stand_ins, stand_in_key(weft_domain_in_place));

	if (!own) {
		own = pecalloc(1, sizeof(*own), 1);
		own->handle = handle;
		zend_hash_index_add_new_ptr(&handle->stand_ins, stand_in_key(weft_domain_in_place), own);
	}
	return own;
}

static void make_object(weft_stand_in *own)
{
	volatile bool complete = false;

	zend_try {
		own->object = make(own->handle);
		complete = true;
	} zend_end_try();
	if (!complete || !own->object) {
		weft_stand_in_give(own);
	}
	if (!complete) {
		zend_bailout();
	}
}

weft_stand_in *weft_stand_in_take(weft_base_handle *handle)
{
	weft_stand_in *own;
	const char *why;

	if (is_refused(handle, &why)) {
		weft_handle_refuse(handle->class->name, weft_handle_story_place(handle->story), why);
		return NULL;
	}
	own = of_domain(handle);
	if (stand_in_must_wait(own) && !wait_in_line(own)) {
		return NULL;
	}
	if (own->depth && !own->object) { /* what making it has called, an error handler */
		weft_handle_refuse(handle->class->name, weft_handle_story_place(handle->story),
			"the request's own is just being made, by this use of it");
		return NULL;
	}
	stand_in_begin_call(own);
	if (!own->object) {
		make_object(own);
	}
	return own->object ? own : NULL;
}

/* --- the end of a domain --- */

static bool stand_ins_domain_holds(weft_domain *domain)
{
	const weft_base_handle *handle;

	ZEND_HASH_FOREACH_PTR(&handles, handle) {
		if (zend_hash_index_exists(&handle->stand_ins, stand_in_key(domain))) {
			return true;
		}
	}
	ZEND_HASH_FOREACH_END();
	return false;
}

static void stand_ins_domain_ends(weft_domain *domain)
{
	weft_base_handle *handle;

	ZEND_HASH_FOREACH_PTR(&handles, handle) {
		weft_stand_in *own = zend_hash_index_find_ptr(&handle->stand_ins, stand_in_key(domain));
		zend_object *object = own ? own->object : NULL;

		if (own) {
			own->object = NULL;
			zend_hash_index_del(&handle->stand_ins, stand_in_key(domain));
		}
		if (object) {
			OBJ_RELEASE(object); /* may wait: it closes */
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* --- the base --- */

static void free_stand_in(zval *value)
{
	weft_stand_in *own = Z_PTR_P(value);

	if (own->object) {
		OBJ_RELEASE(own->object);
	}
	free(own);
}

static void free_handle(zval *value)
{
	weft_base_handle *handle = Z_PTR_P(value);

	zend_hash_destroy(&handle->stand_ins);
	free(handle);
}

static void add_handle(zend_object *object, const weft_handle_class *class)
{
	weft_base_handle *handle = pecalloc(1, sizeof(*handle), 1);

	handle->object = object;
	handle->class = class;
	handle->story = weft_handle_story_of(object);
	zend_hash_init(&handle->stand_ins, 8, NULL, free_stand_in, true);
	zend_hash_index_update_ptr(&handles, object->handle, handle);
	weft_handle_properties_of(object);
}

void weft_base_handles_take(void)
{
	zend_hash_clean(&handles);
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];
		const weft_handle_class *class;

		if (!IS_OBJ_VALID(object) || (OBJ_FLAGS(object) & IS_OBJ_FREE_CALLED) || !object->handlers->offset) {
			continue;
		}
		class = weft_handle_class_of(object);
		/* one that is closed says so itself */
		if (class && !weft_handle_story_is_closed(weft_handle_story_of(object))) {
			add_handle(object, class);
		}
	}
	weft_handle_count = zend_hash_num_elements(&handles);
}

void weft_stand_ins_minit(void)
{
	zend_hash_init(&handles, 8, NULL, free_handle, true);
	weft_domain_on_end(stand_ins_domain_holds, stand_ins_domain_ends);
}

void weft_stand_ins_rshutdown(void)
{
	weft_handle_count = 0;
	zend_hash_clean(&handles);
}
