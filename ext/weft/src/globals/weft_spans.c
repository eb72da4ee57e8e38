/*
 * Saves and restores the spans that a domain has changed (weft_spans.h).
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_layouts.h"
#include "globals/weft_c_state.h"

static const weft_span *const lists[] = {
	weft_engine_spans,
	weft_input_spans,
	weft_stream_spans,
	weft_private_spans,
	weft_extension_spans,
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))
#define MAX_SPANS 64 /* the bits of a span_set */
#define HALF_A_LINE 32
#define ALIGNED(size) (((size) + 15) & ~(size_t) 15)

/* One that exists in this process. */
typedef struct {
	char *live;
	uint32_t size;
	uint32_t at; /* in the images, and in what a domain has saved */
	const weft_span *span;
} found_span;

typedef uint64_t span_set;

typedef struct {
	span_set saved; /* whose bytes are kept */
	span_set lent;  /* whose bytes were, when it was entered */
} span_state;

/* What is compared at a switch: numbers without a call, each size in a loop of its own. */
typedef struct {
	const char *live, *image;
	size_t size;
	uint32_t number;
} compared;

typedef enum {
	ONE_BYTE,
	TWO_BYTES,
	FOUR_BYTES,
	EIGHT_BYTES,
	SIXTEEN_BYTES,
	HALF_A_LINE_OR_MORE, /* 32 to 64 bytes */
	ANY_BYTES,
	KINDS
} compared_kind;

static struct {
	compared items[MAX_SPANS];
	uint32_t count;
} plan[KINDS];

static found_span found[MAX_SPANS];
static uint32_t found_count;
/* Those of which each domain has something of its own from the start. They are never as the image. */
static span_set owned;
/* Those that have something to do at a domain's end. */
static span_set finished;
static char *images;
static size_t images_size;
/* Where a domain's bytes lie, from its span_state on. */
static size_t bytes_place;

void weft_span_as_base(void *image)
{
}

/* --- finding them --- */

static char *span_find(const weft_span *span)
{
	char *globals;

	if (span->find) {
		return span->find();
	}
	if (!span->module) {
		return span->address;
	}
	globals = weft_layout(span->module);
	if (!globals) {
		return NULL;
	}
	return span->by_pointer ? *(char **) (globals + span->offset) : globals + span->offset;
}

static void find_list(const weft_span *list)
{
	for (const weft_span *span = list; span->name; span++) {
		char *live = span_find(span);

		if (live) {
			ZEND_ASSERT(found_count < MAX_SPANS);
			found[found_count++] = (found_span){live, (uint32_t) span->size, (uint32_t) images_size, span};
		}
		/* in any case: what is kept of the base has its size from an earlier capture */
		images_size += ALIGNED(span->size);
	}
}

static void spans_forget(void)
{
	for (uint32_t i = 0; i < found_count; i++) {
		if (found[i].span->forget) {
			found[i].span->forget(images + found[i].at);
		}
	}
	free(images);
	images = NULL;
	found_count = 0;
	images_size = 0;
	owned = finished = 0;
	for (int kind = 0; kind < KINDS; kind++) {
		plan[kind].count = 0;
	}
}

/* What `start` says is so until the next capture. */
static bool is_owned(const found_span *here)
{
	char *own = emalloc(here->size);
	bool answer;

	memcpy(own, images + here->at, here->size);
	answer = here->span->start(own);
	if (answer) {
		here->span->end(own);
	}
	efree(own);
	return answer;
}

static void make_image(uint32_t i)
{
	const found_span *here = &found[i];

	if (here->span->image) {
		memcpy(images + here->at, here->live, here->size);
		here->span->image(images + here->at);
	}
	if (here->span->start && is_owned(here)) {
		owned |= UINT64_C(1) << i;
	}
	if (here->span->finish) {
		finished |= UINT64_C(1) << i;
	}
}

static compared_kind comparison_for(size_t size)
{
	switch (size) {
		case 1: return ONE_BYTE;
		case 2: return TWO_BYTES;
		case 4: return FOUR_BYTES;
		case 8: return EIGHT_BYTES;
		case 16: return SIXTEEN_BYTES;
		default: return size >= HALF_A_LINE && size <= 2 * HALF_A_LINE ? HALF_A_LINE_OR_MORE : ANY_BYTES;
	}
}

static void plan_comparison(uint32_t i)
{
	const found_span *here = &found[i];
	compared_kind kind = comparison_for(here->size);

	plan[kind].items[plan[kind].count++] = (compared){here->live, images + here->at, here->size, i};
}

static void spans_capture(void)
{
	spans_forget();
	for (size_t i = 0; i < LISTS; i++) {
		find_list(lists[i]);
	}
	images = pecalloc(1, images_size, 1);
	for (uint32_t i = 0; i < found_count; i++) {
		make_image(i);
		if (!(owned & (UINT64_C(1) << i))) {
			plan_comparison(i);
		}
	}
}

static size_t more_for_bytes(size_t place)
{
	bytes_place = place;
	return images_size;
}

static char *bytes_of(span_state *state, const found_span *here)
{
	return (char *) state + bytes_place + here->at;
}

/* --- a domain's --- */

static void start_spans(span_state *state, span_set set)
{
	for (span_set left = set; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		memcpy(bytes_of(state, here), images + here->at, here->size);
		here->span->start(bytes_of(state, here));
	}
	state->saved = owned;
}

static void spans_fresh(void *saved)
{
	start_spans(saved, owned);
}

#define COMPARE(kind, differs) \
	for (const compared *item = plan[kind].items, *end = item + plan[kind].count; item < end; item++) { \
		if (UNEXPECTED(differs)) { \
			set |= UINT64_C(1) << item->number; \
		} \
	}
#define BYTES_DIFFER(length) memcmp(item->live, item->image, length) != 0

static zend_always_inline uint64_t half_lines_differ(const char *one, const char *other)
{
	uint64_t a[HALF_A_LINE / sizeof(uint64_t)], b[HALF_A_LINE / sizeof(uint64_t)];

	memcpy(a, one, sizeof(a));
	memcpy(b, other, sizeof(b));
	return (a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]);
}

/* Without a call: its first bytes and its last, which overlap where it has less than both. */
static zend_always_inline bool ends_differ(const compared *item)
{
	size_t last = item->size - HALF_A_LINE;

	return (half_lines_differ(item->live, item->image) | half_lines_differ(item->live + last, item->image + last)) != 0;
}

/* Those that are not as a domain that has nothing in them finds them. */
static span_set changed_spans(void)
{
	span_set set = owned;

	COMPARE(ONE_BYTE, BYTES_DIFFER(1))
	COMPARE(TWO_BYTES, BYTES_DIFFER(2))
	COMPARE(FOUR_BYTES, BYTES_DIFFER(4))
	COMPARE(EIGHT_BYTES, BYTES_DIFFER(8))
	COMPARE(SIXTEEN_BYTES, BYTES_DIFFER(16))
	COMPARE(HALF_A_LINE_OR_MORE, ends_differ(item))
	COMPARE(ANY_BYTES, BYTES_DIFFER(item->size))
	return set;
}

static bool is_changed(uint32_t i)
{
	const found_span *here = &found[i];
	const char *image = images + here->at;

	if (owned & (UINT64_C(1) << i)) {
		return true;
	}
	/* without a call: most are pointers */
	return here->size == sizeof(void *) ? memcmp(here->live, image, sizeof(void *)) != 0
										: memcmp(here->live, image, here->size) != 0;
}

static bool is_same(uint32_t i, const void *bytes)
{
	const found_span *here = &found[i];

	return here->span->same && here->span->same(bytes, images + here->at);
}

/* Those owned that are not to be ended and started anew. */
static span_set same_spans(void)
{
	span_set set = 0;

	for (span_set left = owned; left; left &= left - 1) {
		uint32_t i = (uint32_t) __builtin_ctzll(left);

		if (is_same(i, found[i].live)) {
			set |= UINT64_C(1) << i;
		}
	}
	return set;
}

static void leave_spans(span_state *state, span_set set)
{
	state->saved = set;
	for (span_set left = state->saved; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		memcpy(bytes_of(state, here), here->live, here->size);
		memcpy(here->live, images + here->at, here->size);
	}
}

static void spans_leave(void *saved)
{
	leave_spans(saved, changed_spans());
}

#if ZEND_DEBUG
static bool is_as_entered(span_state *state)
{
	if (changed_spans() != state->lent) {
		return false;
	}
	for (span_set left = state->lent; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		if (memcmp(here->live, bytes_of(state, here), here->size) != 0) {
			return false;
		}
	}
	return true;
}
#endif

/* What was kept has stayed where it was kept. */
static void spans_leave_again(void *saved)
{
	span_state *state = saved;

#if ZEND_DEBUG
	ZEND_ASSERT(is_as_entered(state));
#endif
	state->saved = state->lent;
	for (span_set left = state->saved; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		memcpy(here->live, images + here->at, here->size);
	}
}

static void spans_enter(void *saved)
{
	span_state *state = saved;

	state->lent = state->saved;
	for (span_set left = state->saved; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		memcpy(here->live, bytes_of(state, here), here->size);
	}
	state->saved = 0;
}

static void spans_finish(void)
{
	for (span_set left = finished; left; left &= left - 1) {
		uint32_t i = (uint32_t) __builtin_ctzll(left);

		if (is_changed(i) && !is_same(i, found[i].live)) {
			found[i].span->finish(found[i].live, images + found[i].at);
		}
	}
}

static void end_spans(span_state *state, span_set set)
{
	for (span_set left = set; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		if (here->span->end) {
			here->span->end(bytes_of(state, here));
		}
	}
}

static void spans_discard(void *saved)
{
	span_state *state = saved;

	end_spans(state, state->saved);
}

/* Those of which what is kept is what would be started. */
static span_set kept_as_started(span_state *state)
{
	span_set set = 0;

	for (span_set left = state->saved & owned; left; left &= left - 1) {
		uint32_t i = (uint32_t) __builtin_ctzll(left);

		if (is_same(i, bytes_of(state, &found[i]))) {
			set |= UINT64_C(1) << i;
		}
	}
	return set;
}

static void spans_again(void *saved)
{
	span_state *state = saved;
	span_set stay = kept_as_started(state);

	end_spans(state, state->saved & ~stay);
	start_spans(state, owned & ~stay);
}

/* What is to be started comes to lie there at once: there each is as its image. */
static void spans_renew(void *saved)
{
	span_state *state = saved;

	leave_spans(state, changed_spans() & ~same_spans());
	spans_discard(state);
	for (span_set left = state->saved & owned; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		here->span->start(here->live);
	}
	state->saved = 0;
}

const weft_c_item weft_c_spans = {
	.name = "spans",
	.size = sizeof(span_state),
	.more = more_for_bytes,
	.capture = spans_capture,
	.fresh = spans_fresh,
	.leave = spans_leave,
	.leave_again = spans_leave_again,
	.enter = spans_enter,
	.finish = spans_finish,
	.discard = spans_discard,
	.again = spans_again,
	.renew = spans_renew,
	.forget = spans_forget,
};
