/*
 * Exchanges what a call of ext/soap has in globals for what lay there before, whenever its coroutine is left.
 */
#include "interpose/guard/weft_soap.h"
#include "coroutine/weft_coroutine.h"
#include "weft_compat.h"

/* Of PHP 8.2 and 8.3; directives tell where their values lie. */
typedef struct {
	HashTable namespaces, encoders, encoders_by_type;
	weft_soap_call call;
	char cache, cache_mode, cache_enabled;
	char *cache_dir;
	zend_long cache_ttl, cache_limit;
	HashTable *cached;
	struct {
		void *charset;
		HashTable *class_map;
		int features;
	} options;
	HashTable services;
	struct {
		int numbers;
		HashTable *seen;
	} references;
} soap_globals;

static soap_globals *globals;

static const char *place_of(const char *directive)
{
	const zend_ini_entry *entry = zend_hash_str_find_ptr(EG(ini_directives), directive, strlen(directive));

	return entry && entry->mh_arg2 ? (const char *) entry->mh_arg2 + (uintptr_t) entry->mh_arg1 : NULL;
}

static soap_globals *find(void)
{
	const char *enabled = place_of("soap.wsdl_cache_enabled");
	soap_globals *found = enabled ? (soap_globals *) (enabled - offsetof(soap_globals, cache_enabled)) : NULL;

	return PHP_VERSION_ID < 80400 && found && place_of("soap.wsdl_cache") == &found->cache_mode &&
			place_of("soap.wsdl_cache_dir") == (const char *) &found->cache_dir &&
			place_of("soap.wsdl_cache_ttl") == (const char *) &found->cache_ttl &&
			place_of("soap.wsdl_cache_limit") == (const char *) &found->cache_limit
		? found
		: NULL;
}

weft_soap_call *weft_soap_globals(void)
{
	static bool sought;

	if (!sought) {
		globals = find();
		sought = true;
	}
	return globals ? &globals->call : NULL;
}

/* --- a call --- */

typedef struct {
	weft_aside aside;
	weft_coroutine *coroutine;
	uint64_t id;
	uint32_t no_switch;
	/* what the others see */
	weft_soap_call call;
	__typeof__(((soap_globals *) NULL)->options) options;
	__typeof__(((soap_globals *) NULL)->references) references;
} soap_frame;

#define SWAP(one, other) \
	do { \
		__typeof__(one) swapped = (one); \
		(one) = (other); \
		(other) = swapped; \
	} while (0)

static void exchange(weft_aside *aside)
{
	soap_frame *frame = (soap_frame *) aside;

	SWAP(globals->call, frame->call);
	SWAP(globals->options, frame->options);
	SWAP(globals->references, frame->references);
}

static void forget(weft_coroutine *coroutine, void *arg)
{
	soap_frame *frame = arg;

	if (coroutine == frame->coroutine && coroutine->id == frame->id) {
		weft_aside_remove(coroutine, &frame->aside);
	}
}

/* A fatal error that soap itself has caught, to make a fault of it, has left a ban behind. */
static void end(soap_frame *frame)
{
	if (EXPECTED(weft_current == frame->coroutine && weft_current->id == frame->id)) {
		weft_aside_remove(weft_current, &frame->aside);
		weft_current->no_switch = MIN(weft_current->no_switch, frame->no_switch);
	} else {
		/* a Fiber that was suspended inside goes on in another coroutine */
		weft_scheduler_each(forget, frame);
	}
}

void weft_soap_enter(zif_handler plain, INTERNAL_FUNCTION_PARAMETERS)
{
	volatile bool complete = false;
	soap_frame frame;

	/* a call in a call puts back itself what it has changed */
	if (!weft_current || weft_aside_find(weft_current, exchange)) {
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		return;
	}
	frame = (soap_frame){{exchange, NULL}, weft_current, weft_current->id, weft_current->no_switch, globals->call,
		globals->options, globals->references};
	weft_aside_add(weft_current, &frame.aside);
	zend_try
	{
		plain(INTERNAL_FUNCTION_PARAM_PASSTHRU);
		complete = true;
	}
	zend_end_try();
	end(&frame);
	if (!complete) {
		exchange(&frame.aside);
		zend_bailout();
	}
}
