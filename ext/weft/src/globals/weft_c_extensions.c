/*
 * State of extensions that is too large to look through at each switch, or that PHP frees when another comes.
 */
#include "globals/weft_c_state.h"
#include "globals/weft_c_layouts.h"
#include "ext/random/php_random.h"
#include "weft_compat.h"

/* --- mt_srand() in one request must not make another's numbers predictable, so each seeds its own --- */

static void random_leave(void *saved)
{
	php_random_status_state_mt19937 **mt = saved;

	if (RANDOM_G(mt19937_seeded)) {
		if (!*mt) {
			*mt = pemalloc(sizeof(**mt), 1);
		}
		memcpy(*mt, WEFT_RANDOM_MT, sizeof(**mt));
		RANDOM_G(mt19937_seeded) = false;
	}
}

static void random_enter(void *saved)
{
	const php_random_status_state_mt19937 *mt = *(php_random_status_state_mt19937 **) saved;

	if (mt) {
		memcpy(WEFT_RANDOM_MT, mt, sizeof(*mt));
		RANDOM_G(mt19937_seeded) = true;
	}
}

static void random_discard(void *saved)
{
	free(*(php_random_status_state_mt19937 **) saved);
}

const weft_c_item weft_c_random = {
	.name = "random",
	.size = sizeof(php_random_status_state_mt19937 *),
	.leave = random_leave,
	.enter = random_enter,
	.discard = random_discard,
};

/* --- mb_detect_order(): the list is freed when another comes, so each domain that has set one has its own --- */

typedef struct {
	const void **order; /* NULL: the base's */
	size_t size;
} detect_order;

static weft_mbstring_layout *mbstring;
static detect_order base_order; /* malloc'ed */

static void detect_order_forget(void)
{
	free(base_order.order);
	base_order.order = NULL;
}

static void detect_order_capture(void)
{
	size_t size;

	detect_order_forget();
	mbstring = weft_layout("mbstring");
	if (!mbstring) {
		return;
	}
	size = mbstring->current_detect_order_list_size;
	base_order = (detect_order){safe_pemalloc(size, sizeof(void *), 1, 1), size};
	memcpy(base_order.order, mbstring->current_detect_order_list, size * sizeof(void *));
}

static bool is_base_order(void)
{
	return mbstring->current_detect_order_list_size == base_order.size &&
		memcmp(mbstring->current_detect_order_list, base_order.order, base_order.size * sizeof(void *)) == 0;
}

static void detect_order_leave(void *saved)
{
	size_t size = base_order.size * sizeof(void *);

	if (EXPECTED(!mbstring || is_base_order())) {
		return;
	}
	*(detect_order *) saved = (detect_order){mbstring->current_detect_order_list,
		mbstring->current_detect_order_list_size};
	mbstring->current_detect_order_list = emalloc(size);
	memcpy(mbstring->current_detect_order_list, base_order.order, size);
	mbstring->current_detect_order_list_size = base_order.size;
}

static void detect_order_enter(void *saved)
{
	detect_order *own = saved;

	if (UNEXPECTED(own->order)) {
		efree(mbstring->current_detect_order_list);
		mbstring->current_detect_order_list = own->order;
		mbstring->current_detect_order_list_size = own->size;
		own->order = NULL;
	}
}

static void detect_order_discard(void *saved)
{
	detect_order *own = saved;

	if (own->order) {
		efree(own->order);
	}
}

const weft_c_item weft_c_detect_order = {
	.name = "mbstring",
	.size = sizeof(detect_order),
	.capture = detect_order_capture,
	.leave = detect_order_leave,
	.enter = detect_order_enter,
	.discard = detect_order_discard,
	.forget = detect_order_forget,
};
