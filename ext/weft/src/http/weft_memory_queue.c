/*
 * The queue for memory. memory_limit is a worker's: a burst of requests that need some MB each would pass it together
 * and fail, although each of them alone has room. So a request that is about to begin waits while those that run use
 * more than a share of the limit, or would if each of them came to use what the latest have used on average: many
 * grow only after their first query.
 *
 * Nobody waits for ever. One always runs. What stays when nobody runs (the base, a leak) is no reason to wait, and a
 * request that has waited for weft.http_memory_wait_ms begins all the same.
 */
#include "http/weft_http_internal.h"

/* The average goes up at once and comes down by this part of the difference with each request that ends. */
#define EXPECT_LESS 8
#define TELL_EVERY (60 * WEFT_SECOND)

typedef struct weft_memory_waiter waiter;
struct weft_memory_waiter {
	weft_timer timer;
	weft_coroutine *coroutine;
	waiter *next;
	bool waited_enough;
};

/* What is in use when nobody runs, and from where on others wait. */
static void set_floor(weft_memory_queue *queue, size_t used)
{
	size_t above = queue->limit > used ? queue->limit - used : 0;

	queue->floor = used;
	queue->ceiling = used + above / 100 * queue->share;
}

void weft_memory_queue_init(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;

	queue->share = server->config.memory_share;
	queue->limit = (size_t) PG(memory_limit);
	set_floor(queue, zend_memory_usage(false));
}

static bool has_room(const weft_memory_queue *queue)
{
	size_t expected = queue->floor + (queue->active + 1) * queue->expected;

	return queue->active == 0 || queue->share == 0 || MAX(zend_memory_usage(false), expected) <= queue->ceiling;
}

static void waited_enough(weft_timer *timer)
{
	waiter *self = (waiter *) timer;

	self->waited_enough = true;
	weft_wake(self->coroutine);
}

static void enqueue(weft_memory_queue *queue, waiter *self)
{
	waiter **link = &queue->first;

	while (*link) {
		link = &(*link)->next;
	}
	*link = self;
}

static void dequeue(weft_memory_queue *queue, const waiter *self)
{
	waiter **link = &queue->first;

	while (*link != self) {
		link = &(*link)->next;
	}
	*link = self->next;
}

static void wake_first(const weft_memory_queue *queue)
{
	if (queue->first) {
		weft_wake(queue->first->coroutine);
	}
}

static void tell(weft_memory_queue *queue)
{
	uint64_t now = weft_now();

	if (!queue->told || now - queue->told >= TELL_EVERY) {
		queue->told = now;
		fprintf(stderr, "weft: requests wait for memory: %u run and use %zu MB of the %zu MB of memory_limit "
			"(weft.http_memory_share)\n", queue->active, zend_memory_usage(false) >> 20, queue->limit >> 20);
	}
}

static void wait_for_room(weft_http_server *server)
{
	static const weft_wait_info waiting = {.what = "memory", .fd = -1};
	weft_memory_queue *queue = &server->memory;
	waiter self = {.timer.fire = waited_enough, .coroutine = weft_current};

	tell(queue);
	enqueue(queue, &self);
	weft_timer_arm(&self.timer, weft_now() + server->config.memory_wait_ms * WEFT_MILLISECOND);
	do {
		if (weft_suspend(&waiting) != 0) {
			break;
		}
	} while (!self.waited_enough && !(queue->first == &self && has_room(queue)));
	weft_timer_disarm(&self.timer);
	dequeue(queue, &self);
}

void weft_memory_queue_enter(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;
	bool waits = queue->first || !has_room(queue);

	if (UNEXPECTED(waits)) {
		wait_for_room(server);
	}
	queue->active++;
	if (UNEXPECTED(waits)) {
		/* Looks again when this one has had its turn, and has taken what it needs at once. */
		wake_first(queue);
	}
}

void weft_memory_queue_measure(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;
	size_t used = zend_memory_usage(false);
	size_t average = used > queue->floor ? (used - queue->floor) / queue->active : 0;

	if (average >= queue->expected) {
		queue->expected = average;
	} else {
		queue->expected -= (queue->expected - average) / EXPECT_LESS;
	}
}

void weft_memory_queue_leave(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;

	if (--queue->active == 0) {
		set_floor(queue, zend_memory_usage(false));
	}
	wake_first(queue);
}
