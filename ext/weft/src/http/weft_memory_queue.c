/*
 * The queue for memory. A worker has some (--max-memory): a burst of requests that need some MB each would pass it
 * together and fail, although each of them alone has room. So a request that is about to begin waits while those that
 * run use more than a share of the limit, or would if each of them came to use what the latest have used on average.
 * And of those that run, while more is in use, only the eldest goes on when it has waited for something else; the
 * others follow in their order as memory becomes free, before any begins: many requests grow only after their first
 * query.
 *
 * What parked requests have (weft_parked.c) counts as what the application takes: it stays, whoever waits.
 *
 * Nobody waits for ever. One always runs. What stays when nobody runs (the base, a leak) is no reason to wait, nor is
 * it when none but endless requests run, as streams of events: without that, one of them would keep the floor where it
 * was for as long as it runs. And who has waited for weft.http_memory_wait_ms since a request ended goes on all the
 * same: the eldest may need what another holds, or never end.
 */
#include "http/weft_http_internal.h"
#include "domain/weft_memory.h"
#include "reactor/weft_log.h"

/* The average goes up at once and comes down by this part of the difference with each request that ends. */
#define EXPECT_LESS 8
/* A request is endless that has run for so many times weft.http_memory_wait_ms. */
#define ENDLESS 6
#define TELL_EVERY (60 * WEFT_NS_PER_SEC)

typedef struct weft_memory_waiter waiter;
struct weft_memory_waiter {
	weft_timer timer;
	weft_coroutine *coroutine;
	waiter *next;
	uint64_t age; /* of its request; those that have not begun come last */
	bool waited_enough;
};

#define NOT_BEGUN UINT64_MAX

/* There is one in a worker. */
static weft_memory_queue *the_queue;
static uint64_t last_end; /* of a request */

/* What is in use when nobody runs, and from where on others wait. */
static void set_floor(weft_memory_queue *queue, size_t used)
{
	size_t above = queue->limit > used ? queue->limit - used : 0;

	queue->floor = used;
	queue->ceiling = used + above / 100 * queue->share;
}

/* Nobody runs, or only who will for long. */
static bool is_quiet(const weft_memory_queue *queue)
{
	return !queue->youngest || weft_now() - queue->youngest->memory.since >= ENDLESS * queue->patience;
}

/* What is in use counts as much more as what stays. */
static void raise_floor(weft_memory_queue *queue, size_t by)
{
	set_floor(queue, MIN(weft_memory_in_use(), queue->floor + by));
}

static void follow_floor(weft_memory_queue *queue)
{
	size_t used = weft_memory_in_use();

	if (used < queue->floor || is_quiet(queue)) {
		set_floor(queue, used);
	}
}

static bool may_begin(const weft_memory_queue *queue)
{
	size_t expected = queue->floor + (queue->active + 1) * queue->expected;

	return queue->active == 0 || MAX(weft_memory_in_use(), expected) <= queue->ceiling;
}

static bool may_go_on(const weft_memory_queue *queue, uint64_t age)
{
	return weft_memory_in_use() <= queue->ceiling || !queue->eldest || age == queue->eldest->memory.age;
}

static bool may(const weft_memory_queue *queue, uint64_t age)
{
	return age == NOT_BEGUN ? may_begin(queue) : may_go_on(queue, age);
}

static void waited_enough(weft_timer *timer)
{
	waiter *self = (waiter *) timer;
	uint64_t now = weft_now();

	if (now < last_end + the_queue->patience) {
		weft_timer_arm(timer, last_end + the_queue->patience); /* the line moves */
		return;
	}
	self->waited_enough = true;
	weft_wake(self->coroutine);
}

static void queue_enqueue(weft_memory_queue *queue, waiter *self)
{
	waiter **link = &queue->first;

	while (*link && (*link)->age <= self->age) {
		link = &(*link)->next;
	}
	self->next = *link;
	*link = self;
}

static void queue_dequeue(weft_memory_queue *queue, const waiter *self)
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
	if (weft_log_is_due(&queue->told, TELL_EVERY)) {
		weft_log_at("warning",
			"weft: requests wait for memory: %u run and use %zu MB of the %zu MB of --max-memory "
			"(weft.http_memory_share)",
			queue->active, weft_memory_in_use() >> 20, queue->limit >> 20);
	}
}

static void queue_wait_for_room(weft_memory_queue *queue, uint64_t age)
{
	static const weft_wait_info waiting = {.what = "memory", .fd = -1};
	waiter self = {.timer.fire = waited_enough, .coroutine = weft_current, .age = age};

	tell(queue);
	queue_enqueue(queue, &self);
	weft_timer_arm(&self.timer, weft_now() + queue->patience);
	do {
		if (weft_suspend(&waiting) != 0) {
			break;
		}
	} while (!self.waited_enough && !(queue->first == &self && may(queue, age)));
	weft_timer_disarm(&self.timer);
	queue_dequeue(queue, &self);
	/* looks again when this one has had its turn, and has taken what it needs at once */
	wake_first(queue);
}

/* A request that has begun has waited for something else. */
static void after_wait(void)
{
	weft_memory_queue *queue = the_queue;
	const weft_http_request *request;

	if (EXPECTED(weft_memory_in_use() <= queue->ceiling)) {
		return;
	}
	request = weft_request_current();
	if (request && request->memory.counted && !may_go_on(queue, request->memory.age)) {
		queue_wait_for_room(queue, request->memory.age);
	}
}

void weft_memory_queue_init(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;

	queue->share = server->config.max_memory ? server->config.memory_share : 0;
	queue->patience = server->config.memory_wait_ms * WEFT_NS_PER_MS;
	queue->limit = server->config.max_memory;
	weft_memory_set_total(queue->limit);
	set_floor(queue, weft_memory_in_use());
	if (queue->share > 0) {
		the_queue = queue;
		weft_after_wait = after_wait;
	}
}

void weft_memory_queue_end(weft_http_server *server)
{
	if (the_queue == &server->memory) {
		weft_after_wait = NULL;
		the_queue = NULL;
	}
}

/* It is one of those that run. */
static void count(weft_http_request *request)
{
	weft_memory_queue *queue = &request->server->memory;

	request->memory.counted = true;
	request->memory.since = weft_just_now();
	request->memory.age = ++queue->begun;
	request->memory.elder = queue->youngest;
	request->memory.younger = NULL; /* whoever was parked had others behind it, which may be gone */
	if (queue->youngest) {
		queue->youngest->memory.younger = request;
	} else {
		queue->eldest = request;
	}
	queue->youngest = request;
	queue->active++;
}

void weft_memory_queue_enter(weft_http_request *request)
{
	weft_memory_queue *queue = &request->server->memory;

	if (queue->share > 0 && UNEXPECTED(queue->first || !may_begin(queue))) {
		follow_floor(queue);
		if (queue->first || !may_begin(queue)) {
			queue_wait_for_room(queue, NOT_BEGUN);
		}
	}
	count(request);
}

void weft_memory_queue_park(weft_http_request *request)
{
	weft_memory_queue *queue = &request->server->memory;

	request->memory.parked = weft_memory_of_domain();
	raise_floor(queue, request->memory.parked);
	weft_memory_queue_leave(request);
}

void weft_memory_queue_unpark(weft_http_request *request)
{
	weft_memory_queue *queue = &request->server->memory;

	set_floor(queue, queue->floor - MIN(queue->floor, request->memory.parked));
	request->memory.parked = 0;
	count(request);
}

void weft_memory_queue_measure(weft_http_server *server)
{
	weft_memory_queue *queue = &server->memory;
	size_t used = weft_memory_in_use();
	size_t average = used > queue->floor ? (used - queue->floor) / queue->active : 0;

	if (average >= queue->expected) {
		queue->expected = average;
	} else {
		queue->expected -= (queue->expected - average) / EXPECT_LESS;
	}
}

void weft_memory_queue_leave(weft_http_request *request)
{
	weft_memory_queue *queue = &request->server->memory;

	if (!request->memory.counted) {
		return;
	}
	last_end = weft_just_now();
	request->memory.counted = false;
	if (request->memory.elder) {
		request->memory.elder->memory.younger = request->memory.younger;
	} else {
		queue->eldest = request->memory.younger;
	}
	if (request->memory.younger) {
		request->memory.younger->memory.elder = request->memory.elder;
	} else {
		queue->youngest = request->memory.elder;
	}
	queue->active--;
	follow_floor(queue);
	wake_first(queue);
}
