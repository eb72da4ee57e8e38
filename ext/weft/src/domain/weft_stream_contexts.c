/*
 * Stream contexts that exist at the snapshot: objects of the base hold them (Guzzle, SoapClient, a file system), and
 * what is set on them may be one request's: headers, credentials, a callback. The options are an array, and PHP
 * separates it before it writes: a slot like any other. The notifier is a struct that PHP frees when another comes, so
 * each domain has its own.
 */
#include "globals/weft_c_state.h"
#include "domain/weft_base.h"
#include "weft_compat.h"
#include "php_streams.h"
#include "ext/standard/file.h"

static php_stream_notifier *notifier_copy(const php_stream_notifier *from)
{
	php_stream_notifier *copy = NULL;

	if (from) {
		copy = php_stream_notification_alloc();
		*copy = *from;
		weft_notifier_own_callback(copy);
	}
	return copy;
}

/* What is there becomes NULL first: its callback may be the last to hold something. */
static void notifier_free(php_stream_notifier **notifier)
{
	php_stream_notifier *last = *notifier;

	*notifier = NULL;
	if (last) {
		php_stream_notification_free(last);
	}
}

typedef struct {
	php_stream_context *context; /* its cell holds it */
	php_stream_notifier *base;   /* a copy */
} base_context;

static base_context *contexts;
static uint32_t count;

static void context_remember(php_stream_context *context)
{
	contexts = safe_perealloc(contexts, count + 1, sizeof(base_context), 0, 1);
	contexts[count++] = (base_context){context, notifier_copy(context->notifier)};
}

static void notifiers_forget(void)
{
	for (uint32_t i = 0; i < count; i++) {
		notifier_free(&contexts[i].base);
	}
	free(contexts);
	contexts = NULL;
	count = 0;
}

void weft_stream_contexts_snapshot(void)
{
	zval *item;

	notifiers_forget();
	ZEND_HASH_FOREACH_VAL(&EG(regular_list), item) {
		php_stream_context *context = Z_TYPE_P(item) == IS_RESOURCE ? Z_RES_P(item)->ptr : NULL;

		if (!context || Z_RES_P(item)->type != php_le_stream_context() || Z_TYPE(context->options) != IS_ARRAY) {
			continue;
		}
		weft_references_prepare(&context->options);
		/* the cell points into the context: hold it */
		Z_ADDREF_P(item);
		weft_cell_add(&context->options, &context->options, WEFT_CELL_CONTEXT, Z_RES_P(item));
		context_remember(context);
	}
	ZEND_HASH_FOREACH_END();
}

/* --- the notifiers: an array in the order of the contexts, or NULL when there is none --- */

typedef php_stream_notifier **notifier_array;

static void put_aside(notifier_array *saved, uint32_t i, php_stream_notifier *notifier)
{
	if (EXPECTED(!notifier)) {
		return;
	}
	if (!*saved) {
		*saved = pecalloc(count, sizeof(php_stream_notifier *), 1);
	}
	(*saved)[i] = notifier;
}

static void notifiers_fresh(void *saved)
{
	for (uint32_t i = 0; i < count; i++) {
		put_aside(saved, i, notifier_copy(contexts[i].base));
	}
}

static void notifiers_leave(void *saved)
{
	for (uint32_t i = 0; i < count; i++) {
		put_aside(saved, i, contexts[i].context->notifier);
		contexts[i].context->notifier = NULL;
	}
}

static void notifiers_enter(void *saved)
{
	notifier_array *own = saved;

	for (uint32_t i = 0; *own && i < count; i++) {
		contexts[i].context->notifier = (*own)[i];
	}
	free(*own);
	*own = NULL;
}

static void notifiers_finish(void)
{
	for (uint32_t i = 0; i < count; i++) {
		notifier_free(&contexts[i].context->notifier);
	}
}

static void notifiers_discard(void *saved)
{
	notifier_array own = *(notifier_array *) saved;

	for (uint32_t i = 0; own && i < count; i++) {
		notifier_free(&own[i]);
	}
	free(own);
}

static const weft_c_item notifiers_item = {
	.name = "notifiers of stream contexts",
	.size = sizeof(notifier_array),
	.fresh = notifiers_fresh,
	.leave = notifiers_leave,
	.enter = notifiers_enter,
	.finish = notifiers_finish,
	.discard = notifiers_discard,
	.forget = notifiers_forget,
};

void weft_stream_contexts_minit(void)
{
	weft_c_state_add(&notifiers_item);
}
