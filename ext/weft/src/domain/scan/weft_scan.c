/*
 * Plans the scan and runs it.
 *
 * The base's bytes are laid out anew in the order in which they are compared, so that a scan reads memory forward.
 * Of a class with several objects only what differs between them is laid out for each; the rest is kept once, in a
 * shape. So a scan reads little but the live slots.
 */
#include "domain/scan/weft_scan.h"
#include "reactor/weft_reactor.h"
#include "weft_valgrind.h"

/* Fewer objects of a class than this are no shape: a group costs as much as a few compares. */
#define WEFT_SHAPE_MEMBERS 6
/* Cells that appear later are compared one by one until they are this many, and one in so many of all. */
#define WEFT_LATE_CELLS 64
#define WEFT_LATE_SHARE 8

typedef struct {
	char *start;
	const zend_class_entry *class; /* of an object; NULL: cells */
	uint32_t first;                /* record, or the first cell */
	uint32_t size;                 /* bytes of a record; how many cells */
	uint32_t stride;               /* from cell to cell */
	uint32_t shape;                /* number, from 1; 0: none */
} scan_member;

static struct {
	bool stale;
	bool check; /* the environment variable WEFT_SCAN_CHECK: compare all again, one by one (for tests) */
	bool level; /* memcheck watches */
	const weft_scan_kernel_entry *kernel;
	weft_scan_plan plan;
	scan_member *members;
	uint32_t member_count;
	uint64_t *differing;
	uint32_t planned_cells;
} scan = {.stale = true};

/* --- members --- */

static void add_member(uint32_t number)
{
	const weft_object_record *record = &weft_base_state.records[number];

	scan.members[scan.member_count++] = (scan_member){
		.start = record->region,
		.class = record->object->ce,
		.first = number,
		.size = record->size,
	};
}

/* How far the next cell of a table is from the one before. */
static uint32_t stride(const weft_cell *cell)
{
	return cell->kind == WEFT_CELL_VARIABLE ? sizeof(Bucket) : sizeof(zval);
}

static bool continues(const weft_cell *before, const weft_cell *cell)
{
	return cell->kind != WEFT_CELL_REFERENCE && cell->kind != WEFT_CELL_CONTEXT && cell->kind == before->kind &&
		cell->owner == before->owner && (char *) cell->slot == (char *) before->slot + stride(cell);
}

/* Returns the cell after those of the member. */
static uint32_t add_cells(uint32_t first)
{
	const weft_cell *cells = weft_base_state.cells;
	uint32_t end = first + 1;

	while (end < weft_base_state.cell_count && continues(&cells[end - 1], &cells[end])) {
		end++;
	}
	scan.members[scan.member_count++] = (scan_member){
		.start = (char *) cells[first].slot,
		.first = first,
		.size = end - first,
		.stride = stride(&cells[first]),
	};
	return end;
}

static void find_members(void)
{
	const weft_base *base = &weft_base_state;

	scan.members = safe_pemalloc(base->record_count + base->cell_count + 1, sizeof(scan_member), 0, 1);
	for (uint32_t i = 0; i < base->record_count; i++) {
		add_member(i);
	}
	for (uint32_t i = 0; i < base->cell_count;) {
		i = add_cells(i);
	}
	scan.planned_cells = base->cell_count;
	scan.differing = safe_pemalloc(scan.member_count + 1, sizeof(uint64_t), 0, 1);
}

/* --- their order --- */

#define ORDER(left, right) ((left) < (right) ? -1 : 1)

static int by_class(const void *a, const void *b)
{
	const scan_member *left = a, *right = b;

	if (left->class != right->class) {
		return ORDER((uintptr_t) left->class, (uintptr_t) right->class);
	}
	if (left->size != right->size) {
		return ORDER(left->size, right->size);
	}
	return ORDER(left->start, right->start);
}

/* Objects, then cells; objects by shape, those without first. */
static int by_group(const void *a, const void *b)
{
	const scan_member *left = a, *right = b;

	if (!left->class != !right->class) {
		return ORDER(!left->class, !right->class);
	}
	if (left->shape != right->shape) {
		return ORDER(left->shape, right->shape);
	}
	if (left->stride != right->stride) {
		return ORDER(left->stride, right->stride);
	}
	if (left->size != right->size) {
		return ORDER(left->size, right->size);
	}
	return ORDER(left->start, right->start);
}

static void find_shapes(void)
{
	uint32_t shapes = 0;

	for (uint32_t first = 0, end; first < scan.member_count; first = end) {
		const scan_member *member = &scan.members[first];

		end = first + 1;
		while (end < scan.member_count && scan.members[end].class == member->class &&
			scan.members[end].size == member->size) {
			end++;
		}
		if (member->class && end - first >= WEFT_SHAPE_MEMBERS) {
			shapes++;
			for (uint32_t i = first; i < end; i++) {
				scan.members[i].shape = shapes;
			}
		}
	}
}

static uint32_t group_end(uint32_t first)
{
	const scan_member *members = scan.members, *member = &members[first];
	uint32_t end = first + 1;

	while (end < scan.member_count && !members[end].class == !member->class && members[end].shape == member->shape &&
		members[end].size == member->size && members[end].stride == member->stride) {
		end++;
	}
	return end;
}

/* --- laying out --- */

/* Where the parts of the plan are filled. */
typedef struct {
	weft_scan_objects *objects;
	weft_scan_cells *cells;
	weft_scan_window *windows;
	uint16_t *varying;
	uint32_t *stream;
	uint32_t shape_lanes;
} layout;

static uint32_t windows_of(uint32_t size)
{
	return MAX((size + WEFT_SCAN_WINDOW - 1) / WEFT_SCAN_WINDOW, 1);
}

static ptrdiff_t window_offset(uint32_t window, uint32_t size)
{
	return window + 1 < windows_of(size) ? window * WEFT_SCAN_WINDOW : size - WEFT_SCAN_WINDOW;
}

static const char *base_bytes(const scan_member *member)
{
	return weft_base_state.copies + weft_base_state.records[member->first].copy;
}

static uint32_t base_lane(const scan_member *member, ptrdiff_t offset)
{
	uint32_t lane;

	memcpy(&lane, base_bytes(member) + offset, sizeof(lane));
	return lane;
}

/* The base's bytes under a window; what is before the slots counts as zero. */
static void fill_window(weft_scan_window *window, const scan_member *member, uint32_t number)
{
	ptrdiff_t at = window_offset(number, member->size);

	for (int lane = 0; lane < WEFT_SCAN_LANES; lane++, at += sizeof(uint32_t)) {
		window->lanes[lane] = at >= 0 ? base_lane(member, at) : 0;
	}
}

static weft_scan_window *fill_masks(layout *to, uint32_t size)
{
	weft_scan_window *masks = to->windows;

	for (uint32_t i = 0; i < windows_of(size); i++, to->windows++) {
		for (int lane = 0; lane < WEFT_SCAN_LANES; lane++) {
			to->windows->lanes[lane] = window_offset(i, size) + lane * (ptrdiff_t) sizeof(uint32_t) >= 0 ? UINT32_MAX
																										 : 0;
		}
	}
	return masks;
}

/* The lane varies: it is compared by itself, in no window. */
static void mask_out(weft_scan_window *masks, uint32_t size, ptrdiff_t offset)
{
	for (uint32_t i = 0; i < windows_of(size); i++) {
		ptrdiff_t lane = (offset - window_offset(i, size)) / (ptrdiff_t) sizeof(uint32_t);

		if (lane >= 0 && lane < WEFT_SCAN_LANES) {
			masks[i].lanes[lane] = 0;
		}
	}
}

static bool varies(const scan_member *members, uint32_t count, ptrdiff_t offset)
{
	for (uint32_t i = 1; i < count; i++) {
		if (base_lane(&members[i], offset) != base_lane(members, offset)) {
			return true;
		}
	}
	return false;
}

static void lay_out_shape(layout *to, weft_scan_objects *group, weft_scan_window *masks, const scan_member *members)
{
	group->expected = to->windows;
	for (uint32_t i = 0; i < group->windows; i++) {
		fill_window(to->windows++, members, i);
	}
	group->varying = to->varying;
	for (uint32_t offset = 0; offset < group->size; offset += sizeof(uint32_t)) {
		if (varies(members, group->members, offset)) {
			mask_out(masks, group->size, offset);
			*to->varying++ = offset;
			group->varying_count++;
		}
	}
	for (uint32_t i = 0; i < group->members; i++) {
		for (uint32_t j = 0; j < group->varying_count; j++) {
			*to->stream++ = base_lane(&members[i], group->varying[j]);
		}
	}
}

static void lay_out_objects(layout *to, const scan_member *members, uint32_t count)
{
	weft_scan_objects *group = to->objects++;
	weft_scan_window *masks = fill_masks(to, members->size);

	*group = (weft_scan_objects){
		.members = count,
		.windows = windows_of(members->size),
		.size = members->size,
		.masks = masks,
	};
	if (members->shape) {
		lay_out_shape(to, group, masks, members);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = 0; j < group->windows; j++) {
			fill_window((weft_scan_window *) to->stream, &members[i], j);
			to->stream += WEFT_SCAN_LANES;
		}
	}
}

static void lay_out_cells(layout *to, const scan_member *members, uint32_t count)
{
	*to->cells++ = (weft_scan_cells){.members = count, .cells = members->size, .stride = members->stride};
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t j = 0; j < members->size; j++) {
			weft_cell *cell = &weft_base_state.cells[members[i].first + j];

			cell->planned = (zval *) to->stream;
			ZVAL_COPY_VALUE(cell->planned, &cell->base);
			to->stream += sizeof(zval) / sizeof(uint32_t);
		}
	}
}

static void lay_out_starts(void)
{
	char **starts = safe_pemalloc(scan.member_count + WEFT_SCAN_AHEAD, sizeof(*starts), 0, 1);

	for (uint32_t i = 0; i < scan.member_count; i++) {
		starts[i] = scan.members[i].start;
	}
	for (int i = 0; i < WEFT_SCAN_AHEAD; i++) {
		starts[scan.member_count + i] = (char *) starts;
	}
	scan.plan.starts = starts;
}

/* Room for all parts, at least as much as they need. */
static void make_room(layout *to)
{
	size_t object_groups = 0, cell_groups = 0, windows = 0, lanes = 0, stream = 0;

	for (uint32_t first = 0, end; first < scan.member_count; first = end) {
		const scan_member *member = &scan.members[first];

		end = group_end(first);
		if (member->class) {
			object_groups++;
			windows += 2 * windows_of(member->size);
			lanes += member->size / sizeof(uint32_t);
			stream += (size_t) (end - first) * windows_of(member->size) * WEFT_SCAN_LANES;
		} else {
			cell_groups++;
			stream += (size_t) (end - first) * member->size * sizeof(zval) / sizeof(uint32_t);
		}
	}
	to->objects = safe_pemalloc(object_groups + 1, sizeof(*to->objects), 0, 1);
	to->cells = safe_pemalloc(cell_groups + 1, sizeof(*to->cells), 0, 1);
	to->windows = safe_pemalloc(windows + 1, sizeof(*to->windows), 0, 1);
	to->varying = safe_pemalloc(lanes + 1, sizeof(*to->varying), 0, 1);
	to->stream = safe_pemalloc(stream + 1, sizeof(*to->stream), 0, 1);
}

static void lay_out_groups(void)
{
	layout to;

	make_room(&to);
	scan.plan.objects = to.objects;
	scan.plan.cells = to.cells;
	scan.plan.windows = to.windows;
	scan.plan.varying = to.varying;
	scan.plan.stream = to.stream;
	for (uint32_t first = 0, end; first < scan.member_count; first = end) {
		const scan_member *members = scan.members + first;

		end = group_end(first);
		if (members->class) {
			lay_out_objects(&to, members, end - first);
		} else {
			lay_out_cells(&to, members, end - first);
		}
	}
	scan.plan.object_groups = to.objects - scan.plan.objects;
	scan.plan.cell_groups = to.cells - scan.plan.cells;
	lay_out_starts();
}

static void free_plan(void)
{
	for (uint32_t i = 0; i < weft_base_state.cell_count; i++) {
		weft_base_state.cells[i].planned = NULL;
	}
	free(scan.plan.objects);
	free(scan.plan.cells);
	free(scan.plan.windows);
	free(scan.plan.varying);
	free(scan.plan.starts);
	free(scan.plan.stream);
	free(scan.members);
	free(scan.differing);
	memset(&scan.plan, 0, sizeof(scan.plan));
	scan.members = NULL;
	scan.differing = NULL;
	scan.member_count = scan.planned_cells = 0;
	scan.stale = true;
}

static void make_plan(void)
{
	free_plan();
	if (!scan.kernel) {
		scan.kernel = weft_scan_choose_kernel();
		scan.check = getenv("WEFT_SCAN_CHECK") != NULL;
		scan.level = WEFT_MEMCHECK_WATCHES(scan.level);
	}
	find_members();
	qsort(scan.members, scan.member_count, sizeof(scan_member), by_class);
	find_shapes();
	qsort(scan.members, scan.member_count, sizeof(scan_member), by_group);
	lay_out_groups();
	scan.stale = false;
}

/* --- scanning --- */

static bool member_differs(const scan_member *member)
{
	if (member->class) {
		const weft_object_record *record = &weft_base_state.records[member->first];

		return memcmp(record->region, weft_base_state.copies + record->copy, record->size) != 0;
	}
	for (uint32_t i = member->first; i < member->first + member->size; i++) {
		const weft_cell *cell = &weft_base_state.cells[i];

		if (memcmp(cell->slot, &cell->base, offsetof(zval, u2)) != 0) {
			return true;
		}
	}
	return false;
}

/* The kernel and a plain compare must agree. */
static void check_kernel(uint32_t found)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < scan.member_count; i++) {
		bool flagged = next < found && scan.differing[next] == i;

		if (flagged != member_differs(&scan.members[i])) {
			fprintf(stderr, "weft: the scan (%s) %s member %u of %u, which %s\n", scan.kernel->name,
				flagged ? "reports" : "misses", i, scan.member_count, flagged ? "is the base's" : "differs");
			abort();
		}
		next += flagged;
	}
}

/* The engine leaves the bytes beside null and booleans as they were, perhaps never written. A kernel compares them all
 * the same, and weft_slots.c finds that nothing differs. Memcheck would report each such compare: for it they are
 * written first. */
static void level_members(void)
{
	for (uint32_t i = 0; i < scan.member_count; i++) {
		const scan_member *member = &scan.members[i];
		uint32_t head = member->size % sizeof(zval); /* the properties pointer */

		if (!member->class) {
			for (uint32_t j = 0; j < member->size; j++) {
				weft_level_value((zval *) (member->start + j * member->stride));
			}
			continue;
		}
		for (uint32_t at = head; at < member->size; at += sizeof(zval)) {
			weft_level_value((zval *) (member->start + at));
		}
	}
}

static void leave_member(const scan_member *member, weft_private_list *list)
{
	if (member->class) {
		weft_slots_leave_record(&weft_base_state.records[member->first], list);
		return;
	}
	for (uint32_t i = member->first; i < member->first + member->size; i++) {
		weft_slots_leave_cell(i, list);
	}
}

static bool many_late_cells(void)
{
	uint32_t late = weft_base_state.cell_count - scan.planned_cells;

	return late >= WEFT_LATE_CELLS && late >= scan.planned_cells / WEFT_LATE_SHARE;
}

void weft_scan_prepare(void)
{
	if (UNEXPECTED(scan.stale || many_late_cells())) {
		make_plan();
	}
}

void weft_scan_leave(weft_private_list *list)
{
	bool timed = weft_histogram_wants(&weft_base_state.stats.scans);
	uint64_t start;
	uint32_t found;

	weft_scan_prepare();
	if (UNEXPECTED(scan.level)) {
		level_members();
	}
	start = timed ? weft_now() : 0;
	found = scan.kernel->run(&scan.plan, scan.differing);
	if (timed) {
		weft_histogram_add(&weft_base_state.stats.scans, weft_now() - start);
	}
	if (UNEXPECTED(scan.check)) {
		check_kernel(found);
	}
	for (uint32_t i = 0; i < found; i++) {
		leave_member(&scan.members[scan.differing[i]], list);
	}
	for (uint32_t i = scan.planned_cells; i < weft_base_state.cell_count; i++) {
		weft_slots_leave_cell(i, list);
	}
}

void weft_scan_spare(void)
{
	weft_private_list list = {0};
	uint32_t cells = weft_base_state.cell_count;

	weft_base_state.stats.spared++;
	if (EXPECTED(!scan.check)) {
		return;
	}
	weft_statics_notice_late();
	if (weft_base_state.cell_count != cells) {
		fprintf(stderr, "weft: %u statics are new although no PHP code has run\n", weft_base_state.cell_count - cells);
		abort();
	}
	weft_scan_leave(&list);
	weft_dynamic_properties_leave(&list);
	weft_globals_leave(&list);
	if (list.used) {
		fprintf(stderr, "weft: %u slots differ although no PHP code has run\n", list.used);
		abort();
	}
}

void weft_scan_base_changed(void)
{
	scan.stale = true;
}

void weft_scan_cell_changed(weft_cell *cell)
{
	if (cell->planned) {
		ZVAL_COPY_VALUE(cell->planned, &cell->base);
	}
}

const char *weft_scan_kernel_name(void)
{
	return scan.kernel ? scan.kernel->name : "";
}

void weft_scan_forget(void)
{
	free_plan();
}
