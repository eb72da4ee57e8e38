/*
 * The inner loops of the scan. They are written once, with the compiler's vectors of 32 bytes, and compiled for each
 * kind of processor. Not wider: measured with AVX-512 it is no faster, since memory is the limit.
 */
#include "domain/scan/weft_scan.h"

typedef uint32_t window __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t one_cell __attribute__((vector_size(16), aligned(4), may_alias));
typedef uint64_t halves __attribute__((vector_size(32)));
/* What a group expects. Not may_alias: so the compiler knows that a store elsewhere doesn't change it, and keeps it in
 * registers. */
typedef uint32_t expectation __attribute__((vector_size(32), aligned(4)));

typedef struct {
	char *const *starts;
	const uint32_t *stream;
	uint32_t member;
	uint64_t *differing;
	uint32_t found;
} progress;

#define ANY(vector) (((halves) (vector))[0] | ((halves) (vector))[1] | ((halves) (vector))[2] | ((halves) (vector))[3])

static zend_always_inline void prefetch(const char *start, uint32_t windows)
{
#pragma GCC unroll 10
	for (uint32_t i = 0; i < windows; i += 2) {
		__builtin_prefetch(start + i * WEFT_SCAN_WINDOW);
	}
}

static zend_always_inline ptrdiff_t window_at(uint32_t i, uint32_t windows, ptrdiff_t size)
{
	return i + 1 < windows ? (ptrdiff_t) i * WEFT_SCAN_WINDOW : size - WEFT_SCAN_WINDOW;
}

/* `windows` is a constant in the unrolled ones: what they expect stays in registers. */
static zend_always_inline void scan_shape(const weft_scan_objects *group, uint32_t windows, progress *state)
{
	const uint32_t *stream = state->stream;
	uint32_t member = state->member, end = member + group->members, found = state->found;
	const expectation *masks = (const expectation *) group->masks, *common = (const expectation *) group->expected;
	uint64_t *differing = state->differing;
	ptrdiff_t size = group->size;

	for (; member < end; member++) {
		const char *live = state->starts[member];
		window differs = {0};
		uint32_t varies = 0;

		prefetch(state->starts[member + WEFT_SCAN_AHEAD], windows);
#pragma GCC unroll 10
		for (uint32_t i = 0; i < windows; i++) {
			window seen = *(const window *) (live + window_at(i, windows, size));

			differs |= (seen ^ common[i]) & masks[i];
		}
		for (uint32_t i = 0; i < group->varying_count; i++) {
			varies |= *(const uint32_t *) (live + group->varying[i]) ^ stream[i];
		}
		stream += group->varying_count;
		differing[found] = member;
		found += (ANY(differs) | varies) != 0;
	}
	state->stream = stream;
	state->member = member;
	state->found = found;
}

static zend_always_inline void scan_loose(const weft_scan_objects *group, uint32_t windows, progress *state)
{
	const uint32_t *stream = state->stream;
	uint32_t member = state->member, end = member + group->members, found = state->found;
	const expectation *masks = (const expectation *) group->masks;
	uint64_t *differing = state->differing;
	ptrdiff_t size = group->size;

	for (; member < end; member++) {
		const char *live = state->starts[member];
		window differs = {0};

		prefetch(state->starts[member + WEFT_SCAN_AHEAD], windows);
#pragma GCC unroll 10
		for (uint32_t i = 0; i < windows; i++) {
			window seen = *(const window *) (live + window_at(i, windows, size));

			differs |= (seen ^ *(const window *) stream) & masks[i];
			stream += WEFT_SCAN_LANES;
		}
		differing[found] = member;
		found += ANY(differs) != 0;
	}
	state->stream = stream;
	state->member = member;
	state->found = found;
}

static zend_always_inline void scan_cells(const weft_scan_cells *group, progress *state)
{
	static const one_cell mask = {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0};
	uint32_t end = state->member + group->members;

	for (; state->member < end; state->member++) {
		const char *live = state->starts[state->member];
		one_cell differs = {0};

		__builtin_prefetch(state->starts[state->member + WEFT_SCAN_AHEAD]);
		for (uint32_t i = 0; i < group->cells; i++) {
			differs |= *(const one_cell *) live ^ *(const one_cell *) state->stream;
			live += group->stride;
			state->stream += 4;
		}
		differs &= mask;
		state->differing[state->found] = state->member;
		state->found += (differs[0] | differs[1] | differs[2]) != 0;
	}
}

#define SCAN_OBJECTS(windows) \
	if (group->expected) { \
		scan_shape(group, windows, &state); \
	} else { \
		scan_loose(group, windows, &state); \
	} \
	break;

#define WEFT_SCAN_KERNEL(name, target) \
	target static uint32_t name(const weft_scan_plan *plan, uint64_t *differing) \
	{ \
		progress state = {.starts = plan->starts, .stream = plan->stream, .differing = differing}; \
\
		for (uint32_t i = 0; i < plan->object_groups; i++) { \
			const weft_scan_objects *group = &plan->objects[i]; \
\
			switch (group->windows) { \
				case 1: SCAN_OBJECTS(1) \
				case 2: SCAN_OBJECTS(2) \
				case 3: SCAN_OBJECTS(3) \
				case 4: SCAN_OBJECTS(4) \
				case 5: SCAN_OBJECTS(5) \
				case 6: SCAN_OBJECTS(6) \
				case 7: SCAN_OBJECTS(7) \
				case 8: SCAN_OBJECTS(8) \
				case 9: SCAN_OBJECTS(9) \
				case 10: SCAN_OBJECTS(10) \
				default: SCAN_OBJECTS(group->windows) \
			} \
		} \
		for (uint32_t i = 0; i < plan->cell_groups; i++) { \
			scan_cells(&plan->cells[i], &state); \
		} \
		return state.found; \
	}

WEFT_SCAN_KERNEL(scan_plain, )

#if defined(__x86_64__)
#define WEFT_SCAN_AVX2 1
WEFT_SCAN_KERNEL(scan_avx2, __attribute__((target("avx2"))))
#endif

/* --- the choice --- */

static bool wanted(const char *name)
{
	const char *forced = getenv("WEFT_SCAN");

	return !forced || !*forced || strcmp(forced, name) == 0;
}

const weft_scan_kernel_entry *weft_scan_choose_kernel(void)
{
	static const weft_scan_kernel_entry plain = {"plain", scan_plain};
#ifdef WEFT_SCAN_AVX2
	static const weft_scan_kernel_entry avx2 = {"avx2", scan_avx2};

	if (wanted(avx2.name) && __builtin_cpu_supports("avx2")) {
		return &avx2;
	}
#endif
	return &plain;
}
