/*
 * Looks up of which kind a module is, and has the functions of modules that are not proven wrapped: once at the start,
 * when all are there, and after dl().
 */
#include "interpose/guard/weft_modules.h"
#include "interpose/guard/weft_guarded.h"
#include "interpose/guard/weft_monitor.h"
#include "interpose/guard/weft_modules_arginfo.h"
#include "interpose/guard/weft_proven.h"
#include "interpose/guard/weft_soap.h"
#include "coroutine/weft_wrap.h"
#include "php_weft.h"

#include <strings.h>

const char *const weft_module_kind_names[WEFT_MODULE_KINDS] = {"proven", "guarded", "never left"};

typedef struct {
	const char *name, *reason, *test;
} proven_module;

static const proven_module proven_modules[] = {
#define ENTRY(name, reason, test) {name, reason, test},
	WEFT_PROVEN_MODULES(ENTRY)
#undef ENTRY
};

static bool is_proven(const char *name)
{
	for (size_t i = 0; i < sizeof(proven_modules) / sizeof(*proven_modules); i++) {
		if (strcasecmp(proven_modules[i].name, name) == 0) {
			return true;
		}
	}
	return false;
}

typedef struct {
	const char *name, *library, *kept, *test;
} guarded_module;

static const guarded_module guarded_modules[] = {
#define ENTRY(name, library, kept, test) {name, library, kept, test},
	WEFT_GUARDED_MODULES(ENTRY)
#undef ENTRY
};

/* `list`: names with commas between them, of a directive. */
static bool owner_names(const char *list, const char *name)
{
	const char *at = list;
	size_t length = strlen(name);

	while (at && *at) {
		size_t word;

		at += strspn(at, ", \t");
		word = strcspn(at, ",");
		while (word > 0 && strchr(" \t", at[word - 1])) {
			word--;
		}
		if (word == length && strncasecmp(at, name, length) == 0) {
			return true;
		}
		at += strcspn(at, ",");
	}
	return false;
}

weft_module_kind weft_module_kind_of(const zend_module_entry *module)
{
	if (!module || is_proven(module->name) || owner_names(WEFT_G(proven_modules), module->name)) {
		return WEFT_MODULE_PROVEN;
	}
	if (weft_monitor_of(module)) {
		return WEFT_MODULE_GUARDED;
	}
	/* guard/soap.phpt */
	return strcmp(module->name, "soap") == 0 && weft_soap_globals() ? WEFT_MODULE_PROVEN : WEFT_MODULE_NEVER_LEFT;
}

void weft_modules_each(void (*visit)(const zend_module_entry *, weft_module_kind, void *), void *arg)
{
	const zend_module_entry *module;

	ZEND_HASH_MAP_FOREACH_PTR(&module_registry, module) {
		visit(module, weft_module_kind_of(module), arg);
	}
	ZEND_HASH_FOREACH_END();
}

/* The library whose monitor its calls hold; NULL: it is not guarded. */
static const char *library_of(const zend_module_entry *module)
{
	for (size_t i = 0; i < sizeof(guarded_modules) / sizeof(*guarded_modules); i++) {
		if (strcasecmp(guarded_modules[i].name, module->name) == 0) {
			return guarded_modules[i].library;
		}
	}
	return owner_names(WEFT_G(guarded_modules), module->name) ? module->name : NULL;
}

static void guard(const zend_module_entry *module, weft_module_kind kind, void *arg)
{
	const char *library = kind == WEFT_MODULE_NEVER_LEFT ? library_of(module) : NULL;

	if (library) {
		weft_monitor_add(module, library); /* otherwise it stays never left */
	}
}

/* Before their functions are wrapped. */
static void wrap_calls(void)
{
	weft_modules_each(guard, NULL);
	weft_module_calls_wrap();
}

/* --- what PHP sees --- */

static void add_module(const zend_module_entry *module, weft_module_kind kind, void *list)
{
	add_assoc_string(list, module->name, weft_module_kind_names[kind]);
}

ZEND_FUNCTION(Weft_Internal_modules)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	weft_modules_each(add_module, return_value);
}

/* --- when --- */

static zend_result (*plain_post_startup)(void);

/* Every module has its functions and classes by now, and no script has been compiled, not even one that OPcache
 * preloads: what refers to a handler, or copies a function into a class, comes later. */
static zend_result wrap_after_startup(void)
{
	if (plain_post_startup && plain_post_startup() != SUCCESS) {
		return FAILURE;
	}
	if (!weft_module_calls_prepare()) {
		zend_error(E_CORE_ERROR,
			"Weft needs one of the %d words that PHP has for extensions in each function, and other extensions "
			"have taken them all. Load fewer Zend extensions",
			ZEND_MAX_RESERVED_RESOURCES);
		return FAILURE;
	}
	wrap_calls();
	return SUCCESS;
}

void weft_modules_minit(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
	weft_monitors_minit();
	plain_post_startup = zend_post_startup_cb;
	zend_post_startup_cb = wrap_after_startup;
}

void (*weft_modules_loaded)(void);
static zif_handler plain_dl;

static ZEND_FUNCTION(weft_guard_dl)
{
	plain_dl(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	wrap_calls();
	if (weft_modules_loaded) {
		weft_modules_loaded();
	}
}

void weft_modules_rinit(void)
{
	const zend_function *function;

	if (!plain_dl && (function = zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("dl")))) {
		plain_dl = weft_wrap("standard", NULL, "dl", zif_weft_guard_dl);
	}
	weft_mongodb_rinit();
	weft_apcu_rinit();
}
