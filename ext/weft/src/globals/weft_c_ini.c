/*
 * Ini directives that a domain has changed. The engine keeps all changed ones in a table, so only those are
 * compared. Each is put back the way the engine does it, through the directive's own on_modify.
 */
#include "globals/weft_c_state.h"
#include "weft_grow.h"
#include "zend_ini.h"

typedef struct {
	zend_ini_entry *entry;
	zend_string *value; /* NULL: not changed from the php.ini's value */
	uint8_t modifiable; /* by whom: a section of php.ini takes that from scripts */
} ini_value;

typedef struct {
	ini_value *values;
	uint32_t used;
	uint32_t size;
} ini_list;

/* Directives of this module are only values here: the session item moves all that they set. Their own way would
 * refuse: while a session is active, and a save handler that is the application's always, with a fatal error. */
static int session_module = -1;

/* What the base has changed (in boot, or on the command line). */
static ini_list base_ini;

static void ini_add(ini_list *list, zend_ini_entry *entry, zend_string *value)
{
	WEFT_GROW(list->values, list->used, list->size);
	list->values[list->used++] = (ini_value){entry, value, entry->modifiable};
}

static void ini_clear(ini_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		if (list->values[i].value) {
			zend_string_release(list->values[i].value);
		}
	}
	free(list->values);
	memset(list, 0, sizeof(*list));
}

static void ini_forget(void)
{
	ini_clear(&base_ini);
}

static void ini_capture(void)
{
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));
	zend_ini_entry *entry;

	session_module = module ? module->module_number : -1;
	ini_forget();
	if (!EG(modified_ini_directives)) {
		return;
	}
	ZEND_HASH_FOREACH_PTR(EG(modified_ini_directives), entry) {
		/* one without a value has its first one again */
		if (entry->value) {
			ini_add(&base_ini, entry, zend_string_copy(entry->value));
		}
	}
	ZEND_HASH_FOREACH_END();
}

static const ini_value *ini_find_base(const zend_ini_entry *entry)
{
	for (uint32_t i = 0; i < base_ini.used; i++) {
		if (base_ini.values[i].entry == entry) {
			return &base_ini.values[i];
		}
	}
	return NULL;
}

static void call_on_modify(zend_ini_entry *entry, zend_string *value)
{
	if (entry->on_modify && entry->module_number != session_module) {
		/* the stage of a request's end: no directive refuses or complains then */
		entry->on_modify(entry, value, entry->mh_arg1, entry->mh_arg2, entry->mh_arg3, ZEND_INI_STAGE_DEACTIVATE);
	}
}

/* Gives the entry a value of its own (a reference is taken), or, with NULL, the one it had before any change. */
static void set_value(zend_ini_entry *entry, zend_string *value)
{
	zend_string *old = entry->value;
	bool old_is_own = entry->modified && old != entry->orig_value;

	if (value) {
		if (!entry->modified) {
			if (!EG(modified_ini_directives)) {
				ALLOC_HASHTABLE(EG(modified_ini_directives));
				zend_hash_init(EG(modified_ini_directives), 8, NULL, NULL, 0);
			}
			entry->orig_value = entry->value;
			entry->orig_modifiable = entry->modifiable;
			entry->modified = 1;
			zend_hash_add_ptr(EG(modified_ini_directives), entry->name, entry);
		}
		if (value != entry->orig_value) {
			zend_string_addref(value);
		}
		call_on_modify(entry, value);
		entry->value = value;
	} else if (entry->modified) {
		call_on_modify(entry, entry->orig_value);
		entry->value = entry->orig_value;
		entry->modifiable = entry->orig_modifiable;
		entry->modified = 0;
		entry->orig_value = NULL;
		entry->orig_modifiable = 0;
		zend_hash_del(EG(modified_ini_directives), entry->name);
	}
	if (old_is_own) {
		zend_string_release(old);
	}
}

static void leave_entry(ini_list *list, zend_ini_entry *entry, const ini_value *base)
{
	zend_string *value = entry->modified ? entry->value : NULL;
	zend_string *base_value = base ? base->value : NULL;

	if (value == base_value) {
		return;
	}
	ini_add(list, entry, value ? zend_string_copy(value) : NULL);
	set_value(entry, base_value);
	if (base) {
		entry->modifiable = base->modifiable;
	}
}

/* What most switches find: the engine's table has the base's directives in their order, with the base's values. */
static bool ini_is_unchanged(void)
{
	const HashTable *modified = EG(modified_ini_directives);
	uint32_t count = modified ? modified->nNumUsed : 0;

	if (count != base_ini.used) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const zval *element = &modified->arData[i].val;
		const ini_value *base = &base_ini.values[i];

		if (Z_TYPE_P(element) == IS_UNDEF || Z_PTR_P(element) != base->entry || !base->entry->modified ||
			base->entry->value != base->value) {
			return false;
		}
	}
	return true;
}

static void ini_leave(void *saved)
{
	ini_list *list = saved;
	zend_ini_entry *entry;

	if (EXPECTED(ini_is_unchanged())) {
		return;
	}
	if (EG(modified_ini_directives)) {
		ZEND_HASH_FOREACH_PTR(EG(modified_ini_directives), entry) {
			leave_entry(list, entry, ini_find_base(entry));
		}
		ZEND_HASH_FOREACH_END();
	}
	/* those of the base that the domain has restored are no longer in the engine's table */
	for (uint32_t i = 0; i < base_ini.used; i++) {
		leave_entry(list, base_ini.values[i].entry, &base_ini.values[i]);
	}
}

static void ini_enter(void *saved)
{
	ini_list *list = saved;

	for (uint32_t i = 0; i < list->used; i++) {
		set_value(list->values[i].entry, list->values[i].value);
		if (list->values[i].value) {
			list->values[i].entry->modifiable = list->values[i].modifiable;
			zend_string_release(list->values[i].value);
		}
	}
	list->used = 0;
}

static void ini_discard(void *saved)
{
	ini_clear(saved);
}

const weft_c_item weft_c_ini = {
	.name = "ini",
	.size = sizeof(ini_list),
	.capture = ini_capture,
	.leave = ini_leave,
	.enter = ini_enter,
	.discard = ini_discard,
	.forget = ini_forget,
};
