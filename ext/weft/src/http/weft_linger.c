/*
 * Coroutines that outlive their request. Nobody waits for them, and --concurrency doesn't count them; but they keep the
 * request's values and connections. So they have a limit: when it has passed, they are cancelled, and ended after as
 * long again as by exit(), if they catch that. max_execution_time goes on to count what they compute.
 */
#include "http/weft_http_internal.h"
#include "async/weft_async.h"
#include "coroutine/weft_coroutine.h"
#include "reactor/weft_log.h"

#include "zend_exceptions.h"

typedef struct weft_linger {
	weft_timer timer;
	struct weft_linger *next, **link;
	uint64_t domain;
	uint64_t cpu_before; /* nanoseconds that it had computed when max_execution_time began */
	uint32_t limit_ms;
	uint32_t count;
	bool again;
	weft_domain *alive; /* while there is one of it */
	zend_object *cancellation;
	char *request; /* "GET /path", as weft_request_shown_method() has it */
} linger;

static linger *all;

static void linger_enlist(linger *self)
{
	self->next = all;
	self->link = &all;
	if (all) {
		all->link = &self->next;
	}
	all = self;
}

static void linger_free(linger *self)
{
	*self->link = self->next;
	if (self->next) {
		self->next->link = self->link;
	}
	free(self->request);
	free(self);
}

static bool is_one_of(const weft_coroutine *coroutine, const linger *self)
{
	return coroutine->domain && weft_domain_id(coroutine->domain) == self->domain;
}

static void count_one(weft_coroutine *coroutine, void *arg)
{
	linger *self = arg;

	if (is_one_of(coroutine, self)) {
		self->alive = coroutine->domain;
		self->count++;
	}
}

static void cancel_one(weft_coroutine *coroutine, void *arg)
{
	linger *self = arg;

	if (is_one_of(coroutine, self)) {
		weft_cancel_at_once(coroutine, self->cancellation);
	}
}

static void linger_arm(linger *self, uint64_t since)
{
	weft_timer_arm(&self->timer, since + (uint64_t) self->limit_ms * WEFT_NS_PER_MS);
}

/* A PHP request keeps its objects apart. */
static void cancel_all(void *arg)
{
	linger *self = arg;

	weft_domain_coroutines_of(self->alive)->refused = true;
	weft_domain_coroutines_of(self->alive)->outlive = !self->again;
	self->cancellation = self->again ? zend_create_unwind_exit()
									 : weft_async_cancellation_for_others(WEFT_LINGER_OVER, self->limit_ms);
	weft_scheduler_each(cancel_one, self);
	OBJ_RELEASE(self->cancellation);
}

static void limit_passed(weft_timer *timer)
{
	linger *self = (linger *) timer;

	self->count = 0;
	weft_scheduler_each(count_one, self);
	if (self->count == 0) {
		linger_free(self);
		return;
	}
	weft_log("weft: %s: %u %s %u ms after its end and will be cancelled (weft.http_linger_ms)", self->request,
		self->count, self->count == 1 ? "coroutine still ran" : "coroutines still ran", self->limit_ms);
	weft_domain_visit(self->alive, cancel_all, self);
	self->again = true;
	linger_arm(self, weft_now());
}

void weft_linger_watch(const weft_http_request *request, weft_domain *domain)
{
	linger *self = pecalloc(1, sizeof(*self), 1);
	const char *method = weft_request_shown_method(request);
	size_t path = strcspn(request->uri, "?"); /* the query may hold what is nobody's business */
	size_t room = strlen(method) + path + 2;

	self->timer.fire = limit_passed;
	self->domain = weft_domain_id(domain);
	self->limit_ms = request->server->config.linger_ms;
	self->request = pemalloc(room, 1);
	snprintf(self->request, room, "%s %.*s", method, (int) path, request->uri);
	self->cpu_before = request->cpu_before;
	weft_domain_coroutines_of(domain)->outlive = true;
	linger_enlist(self);
	linger_arm(self, request->limit.answered ? request->limit.since : weft_now());
}

static void find_awaited(weft_coroutine *coroutine, void *arg)
{
	bool *any = arg;

	*any = *any || (coroutine->domain && weft_domain_coroutines_of(coroutine->domain)->outlive);
}

bool weft_linger_goes_on(void)
{
	bool any = false;

	if (all) {
		weft_scheduler_each(find_awaited, &any);
	}
	return any;
}

static linger *find_in_place(void)
{
	linger *self = weft_domain_in_place ? all : NULL;

	while (self && self->domain != weft_domain_id(weft_domain_in_place)) {
		self = self->next;
	}
	return self;
}

void weft_linger_cpu_begin(void)
{
	linger *self = find_in_place();

	if (self) {
		self->cpu_before = weft_domain_cpu_time();
	}
}

/* PHP's words, as for the request itself. */
void weft_linger_look(void)
{
	const linger *self = find_in_place();
	uint64_t limit = EG(timeout_seconds) > 0 ? (uint64_t) EG(timeout_seconds) * WEFT_NS_PER_SEC : 0;

	if (!self || !limit || weft_domain_cpu_time() < self->cpu_before + limit) {
		return;
	}
	weft_log("weft: %s: a coroutine computed for longer than max_execution_time after its end", self->request);
	zend_error_noreturn(E_ERROR, "Maximum execution time of " ZEND_LONG_FMT " second%s exceeded", EG(timeout_seconds),
		EG(timeout_seconds) == 1 ? "" : "s");
}
