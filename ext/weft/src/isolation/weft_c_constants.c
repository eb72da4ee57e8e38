/*
 * Constants that a domain makes with define(): its own, as in a process of its own. Those of an autoloader's file stay
 * for all, since the class that it declares does, and nobody will load that file again.
 *
 * The VM remembers in the code where it found a constant, and how many there were when it found none. Neither may
 * happen to a constant that comes and goes. So it lies at an odd address: the VM takes such a one for a note of its
 * own and looks the constant up each time. And the number of constants is another one after each change.
 *
 * What OPcache makes of define() with two literals, and `const`, is code and not data: it stays for all.
 */
#include "isolation/weft_c_state.h"
#include "coroutine/weft_wrap.h"
#include "coroutine/weft_coroutine.h"

/* How far the number of constants moves at each change: more than a request defines between two. */
#define STRIDE 1024

typedef struct {
	zend_string *key; /* in the table */
	char *memory;     /* the constant lies one byte behind its beginning */
} own_constant;

typedef struct {
	own_constant *items;
	uint32_t used;
	uint32_t size;
} constant_list;

static constant_list own;
static uint32_t bias;
static zif_handler plain_define;

static void *odd_address(const own_constant *constant)
{
	return constant->memory + 1;
}

static void free_constant(own_constant *item)
{
	zend_constant constant;

	memcpy(&constant, odd_address(item), sizeof(constant));
	zval_ptr_dtor(&constant.value);
	zend_string_release(constant.name);
	zend_string_release(item->key);
	efree(item->memory);
}

static void change_number(void)
{
	EG(zend_constants)->nNumOfElements -= bias;
	bias += STRIDE;
	if (bias > UINT32_MAX / 2) {
		bias = 0;
	}
	EG(zend_constants)->nNumOfElements += bias;
}

static void take_over(Bucket *bucket)
{
	zend_constant *constant = Z_PTR(bucket->val);
	own_constant *item;

	if (own.used == own.size) {
		own.size = own.size ? own.size * 2 : 8;
		own.items = safe_perealloc(own.items, own.size, sizeof(own_constant), 0, 1);
	}
	item = &own.items[own.used++];
	item->key = zend_string_copy(bucket->key);
	item->memory = emalloc(sizeof(zend_constant) + 1);
	memcpy(odd_address(item), constant, sizeof(zend_constant));
	efree(constant);
	Z_PTR(bucket->val) = odd_address(item);
}

static ZEND_FUNCTION(weft_define)
{
	HashTable *constants = EG(zend_constants);

	plain_define(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(return_value) == IS_TRUE && weft_domain_in_place && !weft_in_autoloader()) {
		take_over(&constants->arData[constants->nNumUsed - 1]);
	}
}

static void take_out(constant_list *list)
{
	HashTable *constants = EG(zend_constants);
	dtor_func_t destructor = constants->pDestructor;

	constants->pDestructor = NULL;
	for (uint32_t i = list->used; i-- > 0;) {
		zend_hash_del(constants, list->items[i].key);
	}
	constants->pDestructor = destructor;
	change_number();
}

static void constants_leave(void *saved)
{
	if (UNEXPECTED(own.used)) {
		take_out(&own);
		*(constant_list *) saved = own;
		memset(&own, 0, sizeof(own));
	}
}

static void constants_enter(void *saved)
{
	constant_list *list = saved;

	if (EXPECTED(!list->used)) {
		return;
	}
	own = *list;
	memset(list, 0, sizeof(*list));
	for (uint32_t i = 0; i < own.used;) {
		if (zend_hash_add_ptr(EG(zend_constants), own.items[i].key, odd_address(&own.items[i]))) {
			i++;
		} else {
			/* an autoloader has made one of this name for all meanwhile */
			free_constant(&own.items[i]);
			own.items[i] = own.items[--own.used];
		}
	}
	change_number();
}

static void constants_fresh(void *saved)
{
}

static void constants_discard(void *saved)
{
	constant_list *list = saved;

	for (uint32_t i = 0; i < list->used; i++) {
		free_constant(&list->items[i]);
	}
	free(list->items);
}

static void constants_forget(void)
{
	EG(zend_constants)->nNumOfElements -= bias;
	bias = 0;
}

const weft_c_item weft_c_constants = {
	.name = "constants",
	.size = sizeof(constant_list),
	.fresh = constants_fresh,
	.leave = constants_leave,
	.enter = constants_enter,
	.discard = constants_discard,
	.forget = constants_forget,
};

void weft_c_constants_wrap(void)
{
	plain_define = weft_wrap("core", NULL, "define", zif_weft_define);
}
