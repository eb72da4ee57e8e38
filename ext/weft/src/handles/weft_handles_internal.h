/*
 * Between the files of this floor.
 */
#ifndef WEFT_HANDLES_INTERNAL_H
#define WEFT_HANDLES_INTERNAL_H

#include "weft_classes.h"
#include "handles/weft_handles.h"
#include "php.h"
#include "coroutine/weft_coroutine.h"

/* --- weft_handle_classes.c: what is known of whom --- */

typedef enum {
	WEFT_HANDLE_REPLAYED, /* a stand-in is made by the calls that made and shaped the handle */
	WEFT_HANDLE_COPIED,   /* by curl_copy_handle() */
	WEFT_HANDLE_REFUSED   /* there is none */
} weft_handle_way;

typedef struct {
	const char *name;
	weft_handle_way way;
	bool in_line; /* a connection: one coroutine at a time */
} weft_handle_class;

/* What a call says of the handle that it is for. */
typedef enum {
	WEFT_SHAPES_NOT,
	WEFT_SHAPES_ANEW,      /* it opens: what came before counts no more */
	WEFT_SHAPES_ONCE,      /* the last call of this function counts */
	WEFT_SHAPES_KEYED,     /* the last call with this first argument */
	WEFT_SHAPES_MORE,      /* each counts */
	WEFT_SHAPES_STATEMENT, /* SQL: counts if it sets something of the session */
	WEFT_SHAPES_CLIENT,    /* client() of Redis: keyed, and counts if it sets something */
	WEFT_SHAPES_CLOSED,    /* nothing is left to stand in for */
	WEFT_SHAPES_HOLDS,     /* curl_multi_add_handle() */
	WEFT_SHAPES_LETS_GO    /* curl_multi_remove_handle() */
} weft_handle_shaping;

/* NULL: objects of this class are nothing to us. */
const weft_handle_class *weft_handle_class_find(zend_class_entry *ce);
const weft_handle_class *weft_handle_class_of(const zend_object *object);
weft_handle_shaping weft_handle_shaping_of(const zend_function *function);
/* Looks up whatever shapes one, so that what is missing is reported. */
void weft_handle_shaping_look(void);
/* Whether there is such a class in this process that may come from this module. */
bool weft_handle_module(const zend_module_entry *module);

/* --- weft_place.c: where in PHP code --- */

typedef struct {
	zend_string *file, *caller_file; /* the second: the application's, when the first is a package's; else NULL */
	uint32_t line, caller_line;
} weft_place;

/* The innermost PHP code from that frame on; the strings are the code's. False: there is none. */
bool weft_place_find(weft_place *place, const zend_execute_data *frame);
zend_string *weft_place_describe(const weft_place *place);

/* --- weft_handle_story.c: what happened to a handle during boot --- */

typedef struct weft_handle_story weft_handle_story;

typedef enum {
	WEFT_CALL_DONE,
	WEFT_CALL_REFUSED, /* it has returned false: nothing to repeat */
	WEFT_CALL_MADE     /* the handle */
} weft_call_outcome;

/* A call during boot is over: `subject` is the handle that it was for or that it has made. */
void weft_handle_story_note(zend_execute_data *call, zend_object *subject, weft_handle_shaping shaping,
	weft_call_outcome outcome);
void weft_handle_story_note_stream(const zend_resource *resource);
const weft_handle_story *weft_handle_story_of(const zend_object *object);
const char *weft_handle_story_place(const weft_handle_story *story);
const char *weft_handle_stream_place(const zend_resource *resource);
/* Why nobody can stand in for it, or NULL. */
const char *weft_handle_story_hindrance(const weft_handle_story *story);
bool weft_handle_story_is_closed(const weft_handle_story *story);
/* Does it all again; `*made` is the object, as far as it is. False with an exception, or with `*failed` set: the
 * function that did not do what it did then. */
bool weft_handle_story_replay(const weft_handle_story *story, const zend_object *handle, zend_object **made,
	const char **failed);
void weft_handle_stories_forget(void);
/* The connection that pgsql's functions use when none is given; the boot's. */
zend_object *weft_handle_default_link(void);

/* --- weft_stand_ins.c: who stands in for whom --- */

typedef struct weft_stand_in weft_stand_in;

extern uint32_t weft_handle_count; /* handles of the base */
typedef struct weft_base_handle weft_base_handle;

/* NULL: no handle of the base. */
weft_base_handle *weft_base_handle_find(const zend_object *object);
/* The domain's, for one call by this coroutine; NULL with an exception. */
weft_stand_in *weft_stand_in_take(weft_base_handle *handle);
void weft_stand_in_give(weft_stand_in *stand_in);
zend_object *weft_stand_in_object(const weft_stand_in *stand_in);
/* The handle of the base that this object stands in for in the domain in place, or NULL. */
zend_object *weft_stands_in_for(const zend_object *object);
void weft_base_handles_take(void);
void weft_stand_ins_minit(void);
void weft_stand_ins_rshutdown(void);

/* --- weft_handle_calls.c: the calls --- */

/* Whether this function is called through the wrapper there. */
bool weft_handle_call_is(const zend_function *function);
void weft_handle_calls_minit(void);
void weft_handle_calls_install(void);

/* --- weft_handle_properties.c: what has no function --- */

/* Replaces the handlers of the object's class. */
void weft_handle_properties_of(zend_object *object);
/* A copy of the handle itself; NULL when its class has none. */
zend_object *weft_handle_copy(zend_object *object);

/* --- weft_refused.c: objects whose state can't be copied --- */

extern uint32_t weft_refused_objects;
/* In a domain, with an exception, when the object is one. */
bool weft_refused_use(const zend_object *object);
/* Of this class requests may use all but what would change them. */
bool weft_refused_only_to_change(zend_class_entry *ce);
/* Gets ready for objects of this class of C. */
void weft_refused_class(zend_class_entry *ce);
void weft_refused_take(void);
void weft_refused_forget(void);
/* Where a function's plain handler is kept. */
void weft_refused_init(int slot);

/* --- weft_refused_handlers.c --- */

void weft_refused_handlers(zend_object *object);

/* --- weft_made_at.c --- */

void weft_made_at_minit(void);
/* Objects of this class of C are noted from now on. */
void weft_made_at_class(zend_class_entry *ce);
/* By a function that makes it without asking its class. */
void weft_made_at_note(const zend_object *object);
/* NULL: not known. Until the next call. */
const char *weft_made_at(const zend_object *object);
void weft_made_at_forget(void);

/* --- weft_handle_streams.c: streams --- */

void weft_handle_streams_install(void);
/* NULL: the resource is no stream, or a closed one. */
php_stream *weft_handle_stream_of(const zend_resource *resource);
bool weft_handle_stream_is_of_boot(const zend_resource *resource);
/* The stream of an object of class Directory; NULL: it has none. */
const zval *weft_handle_of_directory(zend_object *directory);

/* --- weft_stream_turns.c --- */

void weft_stream_turns_install(void);
void weft_handle_streams_take(void);
void weft_handle_streams_forget(void);
bool weft_handle_stream_is_refused(const zend_resource *resource);
void weft_handle_streams_rshutdown(void);

/* --- weft_handles.c --- */

void weft_handle_refuse(const char *what, const char *place, const char *why);

#endif /* WEFT_HANDLES_INTERNAL_H */
