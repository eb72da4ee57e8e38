/*
 * Environment variables that a domain has set with putenv().
 */
#include "globals/weft_c_state.h"
#include "globals/weft_environ.h"
#include "coroutine/weft_wrap.h"
#include <stdlib.h>
#include <time.h>

typedef struct {
	char *name;
	char *value; /* NULL: not set */
} variable;

typedef struct {
	variable *items;
	uint32_t used;
} variable_list;

/* What the domain in place has set, each with the base's value. Not in place, a domain's list has its own values. */
static variable_list changed;
static zif_handler original_putenv;

static char *value_copy(const char *value)
{
	return value ? strdup(value) : NULL;
}

static void variables_clear(variable_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		free(list->items[i].name);
		free(list->items[i].value);
	}
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static void set(const char *name, const char *value)
{
	weft_environ_set(name, value);
	if (strcasecmp(name, "TZ") == 0) {
		tzset();
	}
}

/* The values of the list become the process's, and the other way round. */
static void variables_exchange(variable_list *list)
{
	for (uint32_t i = 0; i < list->used; i++) {
		variable *item = &list->items[i];
		char *value = value_copy(getenv(item->name));

		set(item->name, item->value);
		free(item->value);
		item->value = value;
	}
}

static void variable_note(const char *name)
{
	for (uint32_t i = 0; i < changed.used; i++) {
		if (strcmp(changed.items[i].name, name) == 0) {
			return;
		}
	}
	changed.items = safe_perealloc(changed.items, changed.used + 1, sizeof(variable), 0, 1);
	changed.items[changed.used++] = (variable){strdup(name), value_copy(getenv(name))};
}

/* PHP's own frees the string at the next change, while a look-up may read it, and at the request's end it puts back
 * what was there, as the domain's end does. */
static ZEND_FUNCTION(weft_putenv)
{
	char *setting, *name;
	size_t length, name_length;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STRING(setting, length)
	ZEND_PARSE_PARAMETERS_END();

	name_length = strcspn(setting, "=");
	if (!weft_c_state_captured() || name_length == 0) {
		original_putenv(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	name = estrndup(setting, name_length);
	variable_note(name);
	set(name, setting[name_length] ? setting + name_length + 1 : NULL);
	efree(name);
	RETURN_TRUE;
}

static void environment_leave(void *saved)
{
	if (UNEXPECTED(changed.used)) {
		variables_exchange(&changed);
		*(variable_list *) saved = changed;
		memset(&changed, 0, sizeof(changed));
	}
}

static void environment_enter(void *saved)
{
	variable_list *own = saved;

	if (UNEXPECTED(own->used)) {
		changed = *own;
		memset(own, 0, sizeof(*own));
		variables_exchange(&changed);
	}
}

static void environment_discard(void *saved)
{
	variables_clear(saved);
}

static void environment_forget(void)
{
	variables_clear(&changed);
}

const weft_c_item weft_c_environment = {
	.name = "environment",
	.size = sizeof(variable_list),
	.leave = environment_leave,
	.enter = environment_enter,
	.discard = environment_discard,
	.forget = environment_forget,
};

void weft_c_environment_wrap(void)
{
	original_putenv = weft_wrap("standard", NULL, "putenv", zif_weft_putenv);
}
