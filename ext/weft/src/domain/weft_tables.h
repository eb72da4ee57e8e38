/*
 * The engine's tables of a domain: functions, classes, constants, included files, and the arena and CG(map_ptr_base),
 * which hold what code remembers (run-time caches) and what classes and functions keep (statics, evaluated constants).
 *
 * A domain sees the base's tables until it declares something itself. Then it gets tables of its own: the base's
 * entries and its own. Few pointers lead to all of it, so a switch exchanges those.
 */
#ifndef WEFT_TABLES_H
#define WEFT_TABLES_H

#include "domain/weft_base.h"
#include "domain/weft_php_request.h"

typedef struct weft_tables weft_tables;

/* NULL: the base's, or those of a PHP request (weft_php_request.h). */
extern weft_tables *weft_tables_in_place;

/* What is declared now is the domain's own. */
static inline bool weft_has_own_tables(void)
{
	return weft_tables_in_place || weft_php_request_in_place;
}

/* Tables of its own for the domain that is in place, with what the base's have now; they are in place at once. All code
 * of the domain that is on a stack caches for itself from here on; no frame from `bottom` on is the domain's. */
weft_tables *weft_tables_new(const zend_execute_data *bottom);
/* Puts them in place; the base's must be. And the reverse. */
void weft_tables_enter(weft_tables *tables);
void weft_tables_leave(weft_tables *tables);
/* The class in this bucket of the base's table, whichever is in place; NULL: none, or an alias. A copy has no gaps, so
 * its buckets have other numbers. */
zend_class_entry *weft_tables_base_class(uint32_t bucket);
/* In place: whether this bucket of the class table has been copied from the base's. */
bool weft_tables_is_copied(const Bucket *bucket);
/* In place: the domain links a class that is not OPcache's and that the base knows unlinked. It is the base's, then. */
void weft_tables_link_for_base(weft_tables *tables);
/* In place: lets go of what statics and constants of the domain's own hold. Destructors run. */
void weft_tables_release_values(weft_tables *tables);
/* In place: what static variables and properties of the domain's own hold. */
typedef void (*weft_value_visitor)(zval *value, void *context);
void weft_tables_visit_statics(const weft_tables *tables, weft_value_visitor visit, void *context);
/* In place, when the domain's values are gone: puts the base's back and frees them. What others still hold an object of
 * stays until they don't. */
void weft_tables_end(weft_tables *tables);

/* --- weft_tables_base.c: what hangs off the base's tables --- */

/* Tells of a linked class, a function, a method or a closure of the base. */
void weft_tables_know_class(zend_class_entry *ce);
void weft_tables_know_function(zend_op_array *op_array);
/* Whether a closure or function within code is exchanged here already, or is OPcache's. So is all within it, then. */
bool weft_tables_knows_inner(const zend_op_array *inner);
/* One that is in the base's table and not linked yet. */
void weft_tables_know_unlinked(zend_class_entry *ce);
void weft_tables_forget(void);

typedef struct weft_kept weft_kept;

/* Fills a zeroed CG(map_ptr) table: statics and evaluated constants are the base's where it has them, caches are
 * empty. */
void weft_kept_fill(void *map_base);
/* What lies in the code and the classes themselves, since OPcache does not share them: exchanged word by word. */
weft_kept *weft_kept_new(void);
void weft_kept_exchange(weft_kept *kept);
void weft_kept_free(weft_kept *kept);
/* In place: constants of the base's classes that have not been evaluated yet will be evaluated in a copy. */
void weft_kept_separate(void);
/* In place: lists the static variables that the domain has put beside the base's, which are in `map_base`. */
void weft_kept_list(const weft_kept *kept, const void *map_base, HashTable *own);
void weft_kept_visit(const weft_kept *kept, const void *map_base, weft_value_visitor visit, void *context);
/* In place: lets go of what such variables hold. */
void weft_kept_reset(const weft_kept *kept, const void *map_base);
/* In place: counts what constants and defaults of the base's classes hold, where the domain has evaluated them. */
void weft_kept_count(const weft_kept *kept, const void *map_base, HashTable *counts);
/* In place: frees what the domain has put beside the base's, which is in `map_base`. */
void weft_kept_release(const weft_kept *kept, const void *map_base);

/* --- weft_tables_values.c: what functions and classes of a domain hold --- */

/* Static variables and properties are what is declared. */
void weft_values_reset_function(const zend_op_array *function);
void weft_values_reset_class(zend_class_entry *ce);
/* Visits static variables and properties. */
void weft_values_visit_function(const zend_op_array *function, weft_value_visitor visit, void *context);
void weft_values_visit_class(zend_class_entry *ce, weft_value_visitor visit, void *context);
/* Counts how often objects and arrays are held here: by address. */
void weft_values_count(HashTable *counts, const zval *value);
/* By constants of the class and defaults of its properties; by its static properties. */
void weft_values_count_class(HashTable *counts, zend_class_entry *ce);
void weft_values_count_statics(HashTable *counts, zend_class_entry *ce);
/* All is counted: what others hold along with an array does not count. */
void weft_values_counted(HashTable *counts);
/* Nobody else holds it. */
bool weft_values_hold_alone(const HashTable *counts, const zend_object *object);

/* --- weft_tables_frames.c: code that has begun in the base's tables --- */

void weft_frames_minit(void);
/* Gives all code of the domain that has begun, and all closures that it has made, a cache of its own. */
void weft_frames_part(const zend_execute_data *bottom);
/* Closures that more than one domain may call: their caches are exchanged as well. */
typedef struct weft_shared_closures weft_shared_closures;
weft_shared_closures *weft_shared_closures_new(void);
void weft_shared_closures_enter(weft_shared_closures *list);
void weft_shared_closures_leave(weft_shared_closures *list);
void weft_shared_closures_free(weft_shared_closures *list);

/* What a domain whose tables are to go has there. */
typedef struct {
	uint64_t domain;
	zend_arena *arena;
	HashTable own; /* its classes and tables of static variables, by address */
	HashTable counts;
} weft_tables_contents;

/* Whether an object that goes on existing, and that others hold, needs any of it. Closures get caches of their own
 * instead. */
bool weft_frames_need(const weft_tables_contents *contents);
static inline void weft_tables_list(HashTable *own, const void *address)
{
	zend_hash_index_add_empty_element(own, weft_key_of_address(address));
}

#endif /* WEFT_TABLES_H */
