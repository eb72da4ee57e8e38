/*
 * Waiting for a monitor: the coroutine that leaves gives it to the first in the queue. A wait that could never end is
 * refused: the coroutine inside waits for the one that asks, be it for another library or for its end.
 */
#include "interpose/guard/weft_monitor.h"
#include "coroutine/weft_client_call.h"

#include "zend_exceptions.h"
#include "zend_gc.h"
#include "zend_smart_str.h"
#include <pthread.h>

/* How many waits are followed one after another in search of a circle. */
#define CIRCLE_MAX 64

struct weft_monitor_waiter {
	weft_coroutine *coroutine;
	bool is_inside; /* it was given its turn */
	weft_monitor_waiter *next;
};

weft_monitor *weft_monitors[WEFT_MONITORED_MODULES];
bool weft_monitor_owes_collection;
static weft_monitor *all;
/* Monitors of handles that nobody uses. Their memory stays theirs, for a frame whose coroutine has ended may ask one
 * for its turn. */
static weft_monitor *unused;
static HashTable of_handles;

static weft_monitor *enlist(weft_monitor *monitor, const char *name)
{
	monitor->library = name;
	monitor->last = &monitor->first;
	monitor->next = all;
	monitor->link = &all;
	if (all) {
		all->link = &monitor->next;
	}
	all = monitor;
	return monitor;
}

bool weft_monitor_add(const zend_module_entry *module, const char *library)
{
	weft_monitor *monitor = all;

	if ((uint32_t) module->module_number >= WEFT_MONITORED_MODULES) {
		return false;
	}
	while (monitor && (monitor->handle || strcmp(monitor->library, library) != 0)) {
		monitor = monitor->next;
	}
	weft_monitors[module->module_number] = monitor ? monitor : enlist(pecalloc(1, sizeof(weft_monitor), 1), library);
	return true;
}

weft_monitor *weft_monitor_find_handle(const void *handle)
{
	return zend_hash_index_find_ptr(&of_handles, (zend_ulong) handle);
}

weft_monitor *weft_monitor_of_handle(const void *handle, const char *name)
{
	weft_monitor *monitor = weft_monitor_find_handle(handle);

	if (monitor) {
		return monitor;
	}
	monitor = unused;
	if (monitor) {
		unused = monitor->next;
	} else {
		monitor = pecalloc(1, sizeof(*monitor), 1);
	}
	monitor->handle = handle;
	zend_hash_index_update_ptr(&of_handles, (zend_ulong) handle, monitor);
	return enlist(monitor, name);
}

void weft_monitor_forget_handle(weft_monitor *monitor)
{
	if (!monitor->handle || monitor->depth || monitor->first) {
		return;
	}
	zend_hash_index_del(&of_handles, (zend_ulong) monitor->handle);
	monitor->handle = NULL;
	*monitor->link = monitor->next;
	if (monitor->next) {
		monitor->next->link = monitor->link;
	}
	monitor->next = unused;
	unused = monitor;
}

static weft_monitor *monitor_at(const void *place)
{
	weft_monitor *monitor = all;

	while (monitor && monitor != place) {
		monitor = monitor->next;
	}
	return monitor;
}

/* --- circles --- */

typedef struct {
	const weft_coroutine *us;
	const weft_coroutine *last; /* the one that waits for us */
	int depth;
} search;

static bool waits_for_us(const weft_coroutine *coroutine, void *arg);

/* Children of one that ends are its parent's. */
static bool any_child_waits(const weft_coroutine *coroutine, search *in)
{
	for (const weft_coroutine *child = coroutine->children; child; child = child->sibling_next) {
		if (waits_for_us(child, in) || any_child_waits(child, in)) {
			return true;
		}
	}
	return false;
}

/* Whether one of those that `waiter` waits for waits for us in the end. */
static bool leads_to_us(const weft_coroutine *waiter, search *in)
{
	const weft_monitor *monitor = monitor_at(waiter->wait.on);

	if (monitor) {
		return monitor->owner && waits_for_us(monitor->owner, in);
	}
	if (waiter->wait.on == &waiter->children) {
		return any_child_waits(waiter, in);
	}
	return weft_each_awaited && weft_each_awaited(waiter, waits_for_us, in);
}

static bool waits_for_us(const weft_coroutine *coroutine, void *arg)
{
	search *in = arg;
	bool found;

	if (coroutine == in->us) {
		return true;
	}
	if (coroutine->state != WEFT_COROUTINE_SUSPENDED || in->depth == CIRCLE_MAX) {
		return false;
	}
	in->depth++;
	found = leads_to_us(coroutine, in);
	in->depth--;
	if (found && !in->last) {
		in->last = coroutine;
	}
	return found;
}

/* --- messages --- */

static zend_class_entry *deadlock_class(void)
{
	zend_class_entry *class = zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("async\\deadlockerror"));

	return class ? class : zend_ce_error;
}

static const weft_monitor *monitor_held_by(const weft_coroutine *coroutine)
{
	for (const weft_monitor *monitor = all; monitor; monitor = monitor->next) {
		if (monitor->depth && monitor->owner == coroutine) {
			return monitor;
		}
	}
	return NULL;
}

/* "coroutine #3, in a call of libldap, waits for a call of c-client" */
static void describe(smart_str *text, const weft_coroutine *coroutine, const char *waits, const weft_wait_info *info)
{
	const weft_monitor *held = monitor_held_by(coroutine), *awaited = monitor_at(info->on);

	smart_str_append_printf(text, "oroutine #%" PRIu64, coroutine->id);
	if (held) {
		smart_str_append_printf(text, ", in a call of %s,", held->library);
	}
	smart_str_append_printf(text, " %s for ", waits);
	if (awaited) {
		smart_str_append_printf(text, "a call of %s", awaited->library);
	} else {
		smart_str_append_printf(text, "%s%s", strcmp(info->what, "coroutine") == 0 ? "another " : "", info->what);
	}
}

static void refuse_circle(const weft_coroutine *other, const weft_wait_info *ours)
{
	smart_str text = {0};

	smart_str_appendc(&text, 'C');
	describe(&text, weft_current, "can't wait", ours);
	smart_str_appends(&text, ": c");
	describe(&text, other, "waits", other == weft_current ? ours : &other->wait);
	smart_str_appends(&text,
		", so neither would go on. Don't wait in code that an extension calls, or call the extension before or after");
	smart_str_0(&text);
	zend_throw_error(deadlock_class(), "%s", ZSTR_VAL(text.s));
	smart_str_free(&text);
}

/* The one that would wait for the running coroutine if that waited; NULL: there is none. */
static const weft_coroutine *find_circle(const weft_wait_info *info)
{
	weft_wait_info before = weft_current->wait;
	search in = {.us = weft_current};
	bool found;

	weft_current->wait = *info;
	found = leads_to_us(weft_current, &in);
	weft_current->wait = before;
	return found ? (in.last ? in.last : weft_current) : NULL;
}

/* The running coroutine is about to wait in a call of a library. False: an exception says why it must not. */
static bool may_wait(const weft_wait_info *info)
{
	const weft_coroutine *other = find_circle(info);

	if (other) {
		refuse_circle(other, info);
	}
	return !other;
}

static void refuse_to_wait(const weft_monitor *monitor)
{
	if (!monitor->owner) {
		zend_throw_error(NULL,
			"%s can't be used here: another coroutine was in the middle of a call of it when this process was forked. "
			"Fork outside of such calls",
			monitor->library);
		return;
	}
	zend_throw_error(NULL,
		"Coroutine #%" PRIu64 " is in the middle of a call of %s, and this code can't wait for its end: it runs in an "
		"autoloader, in an output callback, or below a call that is never left (docs/extensions.md)",
		monitor->owner->id, monitor->library);
}

/* --- waiting --- */

static weft_wait_info wait_for(const weft_monitor *monitor)
{
	return (weft_wait_info){.what = monitor->library, .fd = -1, .on = monitor};
}

bool weft_monitor_is_out_of_reach(const weft_monitor *monitor)
{
	weft_wait_info info = wait_for(monitor);

	return monitor->depth && monitor->owner != weft_current &&
		(!weft_can_suspend() || !monitor->owner || find_circle(&info));
}

static void leave_queue(weft_monitor *monitor, const weft_monitor_waiter *waiter)
{
	weft_monitor_waiter **link = &monitor->first;

	while (*link && *link != waiter) {
		link = &(*link)->next;
	}
	if (*link) {
		*link = waiter->next;
		monitor->last = *link ? monitor->last : link;
	}
}

static void give_to_first(weft_monitor *monitor)
{
	weft_monitor_waiter *next = monitor->first;

	if (next) {
		monitor->first = next->next;
		monitor->last = monitor->first ? monitor->last : &monitor->first;
		monitor->owner = next->coroutine;
		monitor->turn++;
		monitor->depth = 1;
		next->is_inside = true;
		next->coroutine->monitors++;
		weft_wake(next->coroutine);
	}
}

/* A deadlock of the whole script is told to the main script again and again. */
#define CUTS_OF_WHAT_FREES 2

zend_never_inline bool weft_monitor_wait(weft_monitor *monitor, bool frees)
{
	weft_wait_info info = wait_for(monitor);
	weft_monitor_waiter waiter = {.coroutine = weft_current};
	int cuts = 0;

	if (frees && weft_monitor_is_out_of_reach(monitor)) {
		return false;
	}
	if (!weft_can_suspend() || !monitor->owner) {
		refuse_to_wait(monitor);
		return false;
	}
	if (!frees && !may_wait(&info)) {
		return false;
	}
	*monitor->last = &waiter;
	monitor->last = &waiter.next;
	while (!waiter.is_inside && monitor->owner != weft_current && cuts < (frees ? CUTS_OF_WHAT_FREES : 1)) {
		cuts += weft_suspend(&info) != 0;
	}
	if (!waiter.is_inside) {
		leave_queue(monitor, &waiter);
		if (monitor->owner != weft_current) {
			return false;
		}
		monitor->depth++; /* a child has left it a Fiber that is inside */
	}
	if (cuts && !frees) {
		weft_monitor_leave(monitor, monitor->turn);
		return false;
	}
	return true;
}

static bool must_put_off_collection(void)
{
	for (const weft_monitor *monitor = all; monitor; monitor = monitor->next) {
		if (monitor->has_objects && monitor->owner && monitor->owner != weft_current) {
			return true;
		}
	}
	return false;
}

/* What was put off, before the next is inside. */
void weft_monitor_hand_over(weft_monitor *monitor)
{
	if (weft_monitor_owes_collection && !must_put_off_collection() && weft_current && !weft_collecting) {
		weft_monitor_owes_collection = false;
		gc_collect_cycles();
	}
	if (!monitor->depth) {
		give_to_first(monitor);
	}
}

/* --- ends --- */

/* A coroutine has ended, or was ended by a fatal error. What a Fiber has suspended inside stays its parent's: no other
 * may enter meanwhile. */
static void release_all(weft_coroutine *coroutine, bool bailed_out)
{
	weft_coroutine *heir = bailed_out ? NULL : coroutine->parent;
	weft_monitor *next;

	for (weft_monitor *monitor = all; monitor; monitor = next) {
		next = monitor->next;
		if (!monitor->depth || monitor->owner != coroutine) {
			continue;
		}
		coroutine->monitors--;
		monitor->owner = heir;
		if (heir) {
			heir->monitors++;
			weft_wake(heir); /* it may wait for that */
			continue;
		}
		monitor->depth = 0;
		monitor->turn++;
		give_to_first(monitor);
		weft_monitor_forget_handle(monitor);
	}
}

static bool collects_later(void)
{
	bool later = must_put_off_collection();

	weft_monitor_owes_collection |= later;
	return later;
}

/* Of the coroutines that were inside, only the running one is left, if there is one. A call on a handle that was
 * abandoned never goes on, so the handle may be closed; a library may be in any state. */
void weft_monitors_abandon_others(void)
{
	weft_monitor *next;

	for (weft_monitor *monitor = all; monitor; monitor = next) {
		next = monitor->next;
		monitor->first = NULL;
		monitor->last = &monitor->first;
		monitor->owner = monitor->depth && monitor->owner == weft_current ? weft_current : NULL;
		if (monitor->handle && !monitor->owner) {
			monitor->depth = 0;
			monitor->turn++;
			weft_monitor_forget_handle(monitor);
		}
	}
}

static bool is_guarded(const zend_module_entry *module)
{
	return weft_monitor_of(module) != NULL;
}

void weft_monitors_minit(void)
{
	zend_hash_init(&of_handles, 8, NULL, NULL, true);
	weft_is_guarded = is_guarded;
	weft_monitors_release = release_all;
	weft_monitors_may_wait = may_wait;
	weft_collects_later = collects_later;
	pthread_atfork(NULL, NULL, weft_monitors_abandon_others);
}
