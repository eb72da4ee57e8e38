/*
 * The nodes: this worker, and the others. Who is new is told of the members of each.
 *
 * When a node is gone its members leave, and each room has to hear of each: thousands of times thousands of messages.
 * They leave in rounds of the reactor, a SHARE of time in each. Until all have left nothing else is applied, so that
 * what comes later finds them gone.
 */
#include "http/ws/weft_rooms_internal.h"

/* That a new worker waits for what the others know of members. */
#define PATIENCE WEFT_NS_PER_SEC
/* Of one round, for members that leave: as much as for what comes by the bus, which waits meanwhile. */
#define SHARE (2 * WEFT_NS_PER_MS)

static struct {
	weft_ws_node_known *first;
	bool come;                   /* this one is among them: whoever comes later knows of it */
	uint64_t give_up_at;         /* waiting for what others know; 0: it has not begun */
	weft_rooms_line line;        /* those who wait for it */
	weft_ws_node_known *leaving; /* whose members leave now; there may be others */
} nodes;

weft_ws_node_known *weft_nodes_first(void)
{
	return nodes.first;
}

weft_ws_node_known *weft_nodes_find(uint32_t number)
{
	weft_ws_node_known *node = nodes.first;

	while (node && node->number != number) {
		node = node->next;
	}
	return node;
}

weft_ws_node_known *weft_nodes_find_or_make(uint32_t number)
{
	weft_ws_node_known *node = weft_nodes_find(number);

	if (!node) {
		node = pecalloc(1, sizeof(*node), 1);
		node->number = number;
		node->told = true;
		node->end = &node->presences;
		node->next = nodes.first;
		nodes.first = node;
	}
	return node;
}

/* --- what a new one is told --- */

static bool send_member(weft_rooms_job *job)
{
	weft_operation operation = {0};
	bool more = job->presence != NULL;

	if (more) {
		weft_presence_write(&operation, job->presence);
		job->presence = job->presence->next;
	} else {
		weft_operation_begin(&operation, WEFT_OPERATION_MEMBERS_SENT);
	}
	weft_rooms_send(job->to, &operation);
	weft_operation_free(&operation);
	return more;
}

static bool all_have_told(void)
{
	for (const weft_ws_node_known *node = nodes.first; node; node = node->next) {
		if (!node->told) {
			return false;
		}
	}
	return nodes.come;
}

static void look_who_has_told(void)
{
	if (all_have_told()) {
		weft_rooms_wake(&nodes.line, 0);
	}
}

weft_rooms_result weft_nodes_wait_for_members(void)
{
	if (all_have_told() || !weft_can_suspend() || weft_now() >= nodes.give_up_at) {
		return WEFT_ROOMS_DONE;
	}
	return weft_rooms_wait(&nodes.line, 0, nodes.give_up_at);
}

/* --- who comes and goes --- */

/* Who was there before this one is told by nobody: it sees this one join. */
static void tell_of_members(uint32_t number)
{
	if (nodes.come) {
		const weft_ws_node_known *own = weft_nodes_find(weft_ws_node());
		weft_rooms_job *job = weft_rooms_job_new(send_member, number);
		job->presence = own ? own->presences : NULL;
		weft_rooms_jobs_go_on();
	}
}

void weft_rooms_node_come(uint32_t number)
{
	weft_nodes_find_or_make(number);
	if (number != weft_ws_node()) {
		tell_of_members(number);
		return;
	}
	nodes.come = true;
	look_who_has_told();
}

void weft_rooms_node_found(uint32_t number)
{
	if (!weft_nodes_find(number)) {
		weft_nodes_find_or_make(number)->told = false;
		nodes.give_up_at = weft_now() + PATIENCE;
	}
	tell_of_members(number);
}

void weft_rooms_node_again(uint32_t number)
{
	weft_ws_node_known *node = weft_nodes_find(number);

	if (node) {
		weft_presence_doubt(node);
	}
}

static void forget(weft_ws_node_known *node)
{
	weft_ws_node_known **link = &nodes.first;

	while (*link != node) {
		link = &(*link)->next;
	}
	*link = node->next;
	pefree(node, 1);
}

/* --- whose members leave --- */

static void next_leaves(weft_ws_node_known *node)
{
	weft_presence *presence = node->next_to_leave;

	node->next_to_leave = presence->next;
	if (node->leaving == WEFT_NODE_GONE || presence->doubtful) {
		weft_presence_drop(presence);
	}
}

static void all_have_left(weft_ws_node_known *node)
{
	if (node->leaving == WEFT_NODE_GONE) {
		weft_rooms_count_without(node->number);
		forget(node);
	} else {
		node->leaving = WEFT_NODE_STAYS;
		node->told = true;
	}
	nodes.leaving = nodes.first;
	while (nodes.leaving && nodes.leaving->leaving == WEFT_NODE_STAYS) {
		nodes.leaving = nodes.leaving->next;
	}
	look_who_has_told();
}

bool weft_nodes_go_on(void)
{
	uint64_t until = nodes.leaving ? weft_now() + SHARE : 0;

	while (weft_rooms_deliver_on()) {
		if (!nodes.leaving) {
			return true;
		}
		if (weft_now() >= until) {
			return false;
		}
		if (nodes.leaving->next_to_leave) {
			next_leaves(nodes.leaving);
		} else {
			all_have_left(nodes.leaving);
		}
	}
	return false;
}

static void begin_to_leave(weft_ws_node_known *node, weft_node_leaving why)
{
	node->leaving = why;
	node->next_to_leave = node->presences;
	if (!nodes.leaving) {
		nodes.leaving = node;
	}
}

void weft_nodes_apply_members_sent(uint32_t number)
{
	weft_ws_node_known *node = weft_nodes_find(number);

	if (node) {
		begin_to_leave(node, WEFT_NODE_HAS_TOLD);
	}
}

void weft_rooms_node_gone(uint32_t number)
{
	weft_ws_node_known *node = weft_nodes_find(number);

	if (node && number != weft_ws_node()) {
		weft_rooms_jobs_drop(number);
		begin_to_leave(node, WEFT_NODE_GONE);
	}
}

void weft_nodes_forget_all(void)
{
	for (weft_ws_node_known *node = nodes.first; node; node = node->next) {
		if (node->number != weft_ws_node()) {
			weft_rooms_jobs_drop(node->number);
			begin_to_leave(node, WEFT_NODE_GONE);
		}
	}
}
