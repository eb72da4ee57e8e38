/*
 * Finds a function or method by its name, exchanges its handler, and says which ones were missing.
 */
#include "coroutine/weft_wrap.h"
#include "zend_smart_str.h"

static smart_str missing; /* from before the first request on */

static zend_function *wrapped_find(const char *class_name, const char *name)
{
	HashTable *functions = CG(function_table);

	if (class_name) {
		zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), class_name, strlen(class_name));

		if (!ce) {
			return NULL;
		}
		functions = &ce->function_table;
	}
	return zend_hash_str_find_ptr(functions, name, strlen(name));
}

/* Nobody can call it, so nothing is amiss. */
static bool is_disabled(const char *name)
{
	const char *list = zend_ini_string("disable_functions", sizeof("disable_functions") - 1, 0);
	size_t length = strlen(name);

	for (const char *at = list; at && (at = strstr(at, name)); at += length) {
		if ((at == list || strchr(", ", at[-1])) && (!at[length] || strchr(", ", at[length]))) {
			return true;
		}
	}
	return false;
}

static void note_missing(const char *class_name, const char *name)
{
	if (missing.s) {
		smart_str_appends_ex(&missing, ", ", true);
	}
	if (class_name) {
		smart_str_appends_ex(&missing, class_name, true);
		smart_str_appends_ex(&missing, "::", true);
	}
	smart_str_appends_ex(&missing, name, true);
	smart_str_appends_ex(&missing, "()", true);
}

zend_function *weft_wrap_find(const char *module, const char *class_name, const char *name)
{
	zend_function *function = wrapped_find(class_name, name);

	if (function && function->type == ZEND_INTERNAL_FUNCTION) {
		return function;
	}
	if (zend_hash_str_exists(&module_registry, module, strlen(module)) && (class_name || !is_disabled(name))) {
		note_missing(class_name, name);
	}
	return NULL;
}

zif_handler weft_wrap_function(zend_function *function, zif_handler handler)
{
	zif_handler plain = function->internal_function.handler;

	if (plain == handler) {
		return NULL;
	}
	if (plain) { /* else php.ini has disabled it */
		function->internal_function.handler = handler;
	}
	return plain;
}

/* Classes that extend the class have copied its methods when they were declared. The handler alone does not tell which
 * method it is: those of a module that is never left have the same one. */
static void wrap_copies(const zend_function *method, zif_handler plain)
{
	const zend_class_entry *scope = method->common.scope;
	zend_class_entry *ce;
	zend_function *function;

	ZEND_HASH_MAP_FOREACH_PTR(CG(class_table), ce) {
		if (ce == scope || !(ce->ce_flags & ZEND_ACC_LINKED) || !instanceof_function(ce, scope)) {
			continue;
		}
		ZEND_HASH_MAP_FOREACH_PTR(&ce->function_table, function) {
			if (function->type == ZEND_INTERNAL_FUNCTION && function->common.scope == scope &&
				function->internal_function.handler == plain &&
				zend_string_equals(function->common.function_name, method->common.function_name)) {
				weft_wrap_function(function, method->internal_function.handler);
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	ZEND_HASH_FOREACH_END();
}

zif_handler weft_wrap(const char *module, const char *class_name, const char *name, zif_handler handler)
{
	zend_function *function = weft_wrap_find(module, class_name, name);
	zif_handler plain = function ? weft_wrap_function(function, handler) : NULL;

	if (plain && class_name) {
		wrap_copies(function, plain);
	}
	return plain;
}

void weft_wrap_report(void)
{
	if (missing.s) {
		smart_str_0(&missing);
		zend_error(E_WARNING,
			"Weft did not find %s: what PHP keeps while they run, or they make of a connection, may be seen by other "
			"requests. "
			"Load all extensions in php.ini, and report this with the version of PHP",
			ZSTR_VAL(missing.s));
		smart_str_free_ex(&missing, true);
	}
}
