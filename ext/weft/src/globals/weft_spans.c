/*
 * Saves and restores the spans that a domain has changed (weft_spans.h).
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_state.h"

static const weft_span *const lists[] = {
	weft_engine_spans,
	weft_input_spans,
	weft_stream_spans,
	weft_extension_spans,
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))
#define MAX_SPANS 64 /* the bits of a span_set */
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
	span_set saved; /* what lies in `bytes` */
	char *bytes;    /* NULL: not needed now */
} span_state;

static found_span found[MAX_SPANS];
static uint32_t found_count;
/* Those of which each domain has something of its own from the start. They are never as the image. */
static span_set owned;
static char *images;
static size_t images_size;
/* Who comes into place needs its room no more, and who has left needs some. */
static char *spare_bytes;

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
	globals = span->globals_size ? weft_module_globals_exact(span->module, span->globals_size)
								 : weft_module_globals(span->module, span->offset + span->size);
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
			images_size += ALIGNED(span->size);
		}
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
	owned = 0;
	free(spare_bytes);
	spare_bytes = NULL;
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
	}
}

/* --- a domain's --- */

static void need_bytes(span_state *state)
{
	if (!state->bytes) {
		state->bytes = spare_bytes ? spare_bytes : pemalloc(images_size, 1);
		spare_bytes = NULL;
	}
}

static void need_bytes_no_more(span_state *state)
{
	if (spare_bytes) {
		free(state->bytes);
	} else {
		spare_bytes = state->bytes;
	}
	state->bytes = NULL;
}

static void spans_fresh(void *saved)
{
	span_state *state = saved;

	for (span_set left = owned; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		need_bytes(state);
		memcpy(state->bytes + here->at, images + here->at, here->size);
		here->span->start(state->bytes + here->at);
	}
	state->saved = owned;
}

/* Most are small, and a call would cost more than the comparison. */
static inline bool same(const char *a, const char *b, size_t size)
{
	switch (size) {
		case 1: return memcmp(a, b, 1) == 0;
		case 2: return memcmp(a, b, 2) == 0;
		case 4: return memcmp(a, b, 4) == 0;
		case 8: return memcmp(a, b, 8) == 0;
		case 16: return memcmp(a, b, 16) == 0;
		default: return memcmp(a, b, size) == 0;
	}
}

/* Whether the span is as a domain that has nothing in it finds it. */
static inline bool is_clean(uint32_t i)
{
	return same(found[i].live, images + found[i].at, found[i].size) && !(owned & (UINT64_C(1) << i));
}

static void spans_leave(void *saved)
{
	span_state *state = saved;

	for (uint32_t i = 0; i < found_count; i++) {
		const found_span *here = &found[i];

		if (EXPECTED(is_clean(i))) {
			continue;
		}
		need_bytes(state);
		memcpy(state->bytes + here->at, here->live, here->size);
		memcpy(here->live, images + here->at, here->size);
		state->saved |= UINT64_C(1) << i;
	}
}

static void spans_enter(void *saved)
{
	span_state *state = saved;

	for (span_set left = state->saved; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		memcpy(here->live, state->bytes + here->at, here->size);
	}
	state->saved = 0;
	if (state->bytes) {
		need_bytes_no_more(state);
	}
}

static void spans_finish(void)
{
	for (uint32_t i = 0; i < found_count; i++) {
		if (found[i].span->finish && !is_clean(i)) {
			found[i].span->finish(found[i].live, images + found[i].at);
		}
	}
}

static void spans_discard(void *saved)
{
	span_state *state = saved;

	for (span_set left = state->saved; left; left &= left - 1) {
		const found_span *here = &found[__builtin_ctzll(left)];

		if (here->span->end) {
			here->span->end(state->bytes + here->at);
		}
	}
	if (state->bytes) {
		need_bytes_no_more(state);
	}
}

const weft_c_item weft_c_spans = {
	.name = "spans",
	.size = sizeof(span_state),
	.capture = spans_capture,
	.fresh = spans_fresh,
	.leave = spans_leave,
	.enter = spans_enter,
	.finish = spans_finish,
	.discard = spans_discard,
	.forget = spans_forget,
};
