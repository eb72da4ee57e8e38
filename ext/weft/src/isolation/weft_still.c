#include "isolation/weft_still.h"
#include "interpose/weft_interpose.h"
#include "php_weft.h"
#include "zend_alloc_sizes.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages that were written to are tried again after so many times weft.still_pages scans. */
#define WEFT_STILL_AGAIN 32
/* Fewer pages are not worth a fault each. */
#define WEFT_STILL_LEAST 8
/* So many pages that were written to are looked at one by one; with more, the scan is planned anew. */
#define WEFT_STILL_WOKEN 8

static struct {
	uintptr_t *pages;         /* ascending */
	uint32_t count;
	bool *awake;              /* for each: has been written to */
	volatile uint32_t *woken; /* their numbers, in the order in which that happened */
	volatile uint32_t woken_count;
	uint32_t planned;         /* of these, how many the plan knows */
	bool replan;
	bool open;                /* all are writable, and the next scan looks at all */
	bool chosen;              /* once, or more often */
	bool given_up;
	zend_ulong scans;         /* since the choice, or since the base is as it is */
	struct sigaction before;
} still;

/* --- pages --- */

/* The number of this page, or of the first one after it. */
static uint32_t lower_bound(uintptr_t page)
{
	uint32_t low = 0, high = still.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (still.pages[middle] < page) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static bool is_asleep(uintptr_t page)
{
	uint32_t number = lower_bound(page);

	return number < still.count && still.pages[number] == page && !still.awake[number];
}

/* Whether one call is enough for both. The allocator's pages between two that are to be writable are so already. */
static bool go_together(uint32_t one, uint32_t next, int protection)
{
	if (protection & PROT_WRITE) {
		return still.pages[one] / ZEND_MM_CHUNK_SIZE == still.pages[next] / ZEND_MM_CHUNK_SIZE;
	}
	return !still.awake[next] && still.pages[next] == still.pages[one] + WEFT_STILL_PAGE;
}

static bool protect(int protection)
{
	bool done = true;

	for (uint32_t first = 0, end; first < still.count; first = end) {
		end = first + 1;
		if (still.awake[first]) {
			continue;
		}
		while (end < still.count && go_together(end - 1, end, protection)) {
			end++;
		}
		done &= mprotect((void *) still.pages[first], still.pages[end - 1] + WEFT_STILL_PAGE - still.pages[first],
			protection) == 0;
	}
	return done;
}

static void wake(uint32_t number)
{
	still.awake[number] = true;
	still.woken[still.woken_count] = number;
	still.woken_count++;
}

/* --- the signal --- */

/* Somebody else's fault. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (still.before.sa_flags & SA_SIGINFO) {
		still.before.sa_sigaction(number, info, context);
	} else if (still.before.sa_handler != SIG_DFL && still.before.sa_handler != SIG_IGN) {
		still.before.sa_handler(number);
	} else if (info->si_code > 0) {
		/* the instruction is tried again, and faults again */
		signal(number, SIG_DFL);
	} else if (still.before.sa_handler == SIG_DFL) {
		/* sent by somebody: it comes when this handler is left */
		signal(number, SIG_DFL);
		raise(number);
	}
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t) info->si_addr & ~(WEFT_STILL_PAGE - 1);
	int error = errno;

	if (info->si_code != SEGV_ACCERR || !is_asleep(page)) {
		pass_on(number, info, context);
		return;
	}
	if (mprotect((void *) page, WEFT_STILL_PAGE, PROT_READ | PROT_WRITE) == 0) {
		wake(lower_bound(page));
	} else if (protect(PROT_READ | PROT_WRITE)) {
		/* no room for a mapping more; all together are fewer */
		still.open = true;
	} else {
		pass_on(number, info, context);
	}
	errno = error;
}

static bool listen_for_faults(void)
{
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK}, now;
	sigset_t blocked;

	/* a mask outlives exec */
	if (sigprocmask(SIG_BLOCK, NULL, &blocked) != 0 || sigismember(&blocked, SIGSEGV) ||
		sigaction(SIGSEGV, NULL, &now) != 0) {
		return false;
	}
	if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) {
		return true;
	}
	still.before = now;
	return sigaction(SIGSEGV, &action, NULL) == 0;
}

/* --- begin and end --- */

static void forget_pages(void)
{
	if (still.awake) {
		protect(PROT_READ | PROT_WRITE);
		still.replan = true;
	}
	free(still.pages);
	free(still.awake);
	free((void *) still.woken);
	still.pages = NULL;
	still.awake = NULL;
	still.woken = NULL;
	still.count = still.woken_count = still.planned = 0;
	still.open = false;
	weft_still_give_back();
}

static void begin(void)
{
	still.count = weft_still_choose(&still.pages);
	if (still.count < WEFT_STILL_LEAST || !listen_for_faults()) {
		forget_pages();
		return;
	}
	still.awake = pecalloc(still.count, sizeof(*still.awake), 1);
	still.woken = safe_pemalloc(still.count, sizeof(*still.woken), 0, 1);
	still.replan = true;
	if (!protect(PROT_READ)) {
		forget_pages();
	}
}

void weft_still_end(void)
{
	forget_pages();
	still.chosen = false;
	still.scans = 0;
}

void weft_still_give_up(void)
{
	weft_still_end();
	still.given_up = true;
	weft_faults_may_be_blocked = true;
}

void weft_still_open(void)
{
	if (still.count && !still.open) {
		protect(PROT_READ | PROT_WRITE);
		still.open = true;
	}
}

static bool is_due(void)
{
	zend_ulong scans = (zend_ulong) WEFT_G(still_pages) * (still.chosen ? WEFT_STILL_AGAIN : 1);

	/* elsewhere the processor's pages may be larger than the allocator's */
	return ++still.scans >= scans && scans && !still.given_up && is_zend_mm() &&
		sysconf(_SC_PAGESIZE) == (long) WEFT_STILL_PAGE;
}

void weft_still_scanned(void)
{
	if (UNEXPECTED(still.open)) {
		still.open = false;
		if (!protect(PROT_READ)) {
			forget_pages();
		}
	}
	if (UNEXPECTED(is_due())) {
		still.scans = 0;
		still.chosen = true;
		forget_pages();
		begin();
	}
}

uint32_t weft_still_count(void)
{
	return still.count - still.woken_count;
}

/* --- the scan --- */

bool weft_still_covers(const weft_object_record *record)
{
	uintptr_t page = (uintptr_t) record->region & ~(WEFT_STILL_PAGE - 1);
	uintptr_t end = (uintptr_t) record->region + record->size;

	if (!still.count) {
		return false;
	}
	for (; page < end; page += WEFT_STILL_PAGE) {
		if (!is_asleep(page)) {
			return false;
		}
	}
	return true;
}

void weft_still_planned(void)
{
	still.planned = still.woken_count;
	still.replan = false;
}

bool weft_still_plan_is_old(void)
{
	return still.replan || still.woken_count - still.planned > WEFT_STILL_WOKEN;
}

static bool differs(const weft_object_record *record)
{
	return memcmp(record->region, weft_base_state.copies + record->copy, record->size) != 0;
}

static void leave_if_different(const weft_object_record *record, weft_private_list *list)
{
	if (differs(record)) {
		weft_slots_leave_record(record, list);
	}
}

/* The first record that ends behind this address. They are in the order of memory. */
static uint32_t first_record(uintptr_t address)
{
	const weft_object_record *records = weft_base_state.records;
	uint32_t low = 0, high = weft_base_state.record_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if ((uintptr_t) records[middle].region + records[middle].size <= address) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void leave_page(uintptr_t page, weft_private_list *list)
{
	const weft_base *base = &weft_base_state;

	for (uint32_t i = first_record(page); i < base->record_count; i++) {
		if ((uintptr_t) base->records[i].region >= page + WEFT_STILL_PAGE) {
			break;
		}
		leave_if_different(&base->records[i], list);
	}
}

void weft_still_leave(weft_private_list *list)
{
	/* putting a value back may wake the page beside it, which makes one more */
	for (uint32_t i = still.planned; i < still.woken_count; i++) {
		leave_page(still.pages[still.woken[i]], list);
	}
	for (uint32_t i = 0; UNEXPECTED(still.open) && i < weft_base_state.record_count; i++) {
		if (weft_still_covers(&weft_base_state.records[i])) {
			leave_if_different(&weft_base_state.records[i], list);
		}
	}
}

const weft_object_record *weft_still_find_difference(void)
{
	for (uint32_t i = 0; i < weft_base_state.record_count; i++) {
		const weft_object_record *record = &weft_base_state.records[i];

		if (weft_still_covers(record) && differs(record)) {
			return record;
		}
	}
	return NULL;
}
