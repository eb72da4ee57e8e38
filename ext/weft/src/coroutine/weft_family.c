/*
 * Who was spawned by whom: a cancellation goes down to all that descend from its target. Only what PHP code spawns has
 * a parent; a request and the main script have none, so what outlives a request is nobody's child.
 */
#include "coroutine/weft_coroutine.h"

static void link_to(weft_coroutine *parent, weft_coroutine *child)
{
	child->parent = parent;
	child->sibling_next = parent->children;
	child->sibling_link = &parent->children;
	if (child->sibling_next) {
		child->sibling_next->sibling_link = &child->sibling_next;
	}
	parent->children = child;
}

static void unlink_from_parent(weft_coroutine *child)
{
	*child->sibling_link = child->sibling_next;
	if (child->sibling_next) {
		child->sibling_next->sibling_link = child->sibling_link;
	}
	child->parent = NULL;
	child->sibling_next = NULL;
	child->sibling_link = NULL;
}

void weft_family_join(weft_coroutine *child)
{
	if (weft_current) {
		link_to(weft_current, child);
	}
}

void weft_family_leave(weft_coroutine *coroutine)
{
	weft_coroutine *parent = coroutine->parent;

	while (coroutine->children) {
		weft_coroutine *child = coroutine->children;

		unlink_from_parent(child);
		if (parent) {
			link_to(parent, child);
		}
	}
	if (!parent) {
		return;
	}
	unlink_from_parent(coroutine);
	if (!parent->children && parent->wait.on == &parent->children) {
		weft_wake(parent);
	}
}

/* The next one below `root` that is not below `coroutine`. */
static weft_coroutine *next_beside(const weft_coroutine *root, weft_coroutine *coroutine)
{
	while (coroutine != root && !coroutine->sibling_next) {
		coroutine = coroutine->parent;
	}
	return coroutine == root ? NULL : coroutine->sibling_next;
}

void weft_cancel_children(weft_coroutine *coroutine, zend_object *exception)
{
	weft_coroutine *child = coroutine->children;

	while (child) {
		if (child->cancel_requested) {
			child = next_beside(coroutine, child);
			continue;
		}
		weft_cancel(child, exception);
		child = child->children ? child->children : next_beside(coroutine, child);
	}
}

void weft_cancel_family(weft_coroutine *coroutine, zend_object *exception)
{
	weft_cancel(coroutine, exception);
	weft_cancel_children(coroutine, exception);
}

int weft_wait_for_children(void)
{
	weft_wait_info info = {.what = "the end of its children", .fd = -1, .on = &weft_current->children};

	while (weft_current->children) {
		int result = weft_suspend(&info);

		if (result != 0) {
			return result;
		}
	}
	return 0;
}
