/*
 * Streams that were open when the boot ended. What was said on a socket since it was opened (a greeting, a log-in) is
 * not known, a pipe has one other end, and a file has one position for all: nothing can stand in for them. Their
 * operations throw in a domain. Whatever uses the stream, in PHP or in C, goes through them. Streams that are only
 * written to are used by all.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_wrap.h"
#include "domain/weft_base.h"
#include "inspect/weft_inspect.h"
#include "php_streams.h"
#include "ext/standard/file.h"

/* One for each kind of streams. They point to it as long as the process lives. */
typedef struct guarded_ops {
	php_stream_ops ops; /* first: it is what a stream points to */
	const php_stream_ops *plain;
	struct guarded_ops *next;
} guarded_ops;

static guarded_ops *kinds;

static const php_stream_ops *plain_of(const php_stream *stream)
{
	return ((const guarded_ops *) stream->ops)->plain;
}

static bool stream_refuse(const php_stream *stream)
{
	if (!weft_domain_in_place) {
		return false;
	}
	weft_handle_refuse(strstr(stream->ops->label, "_socket") ? "stream (a socket)" : "stream",
		stream->res ? weft_handle_stream_place(stream->res) : NULL, NULL);
	return true;
}

/* Outside of requests. Modules, and the guard of those that are never left, tell their streams by the address of the
 * operations. */
#define AS_PLAIN(type, call) \
	const php_stream_ops *guarded = stream->ops; \
	type result; \
	stream->ops = plain_of(stream); \
	result = stream->ops->call; \
	stream->ops = guarded; \
	return result

static ssize_t guarded_write(php_stream *stream, const char *buffer, size_t count)
{
	if (stream_refuse(stream)) {
		return -1;
	}
	AS_PLAIN(ssize_t, write(stream, buffer, count));
}

static ssize_t guarded_read(php_stream *stream, char *buffer, size_t count)
{
	if (stream_refuse(stream)) {
		return -1;
	}
	AS_PLAIN(ssize_t, read(stream, buffer, count));
}

static int guarded_close(php_stream *stream, int close_handle)
{
	AS_PLAIN(int, close(stream, close_handle));
}

static int guarded_flush(php_stream *stream)
{
	if (!plain_of(stream)->flush) {
		return 0;
	}
	AS_PLAIN(int, flush(stream));
}

static int guarded_cast(php_stream *stream, int castas, void **ret)
{
	if (stream_refuse(stream)) {
		return FAILURE;
	}
	AS_PLAIN(int, cast(stream, castas, ret));
}

static int guarded_stat(php_stream *stream, php_stream_statbuf *ssb)
{
	if (stream_refuse(stream)) {
		return -1;
	}
	AS_PLAIN(int, stat(stream, ssb));
}

static int guarded_set_option(php_stream *stream, int option, int value, void *parameter)
{
	if (stream_refuse(stream)) {
		/* what says that the other end is gone is not forgotten again */
		return option == PHP_STREAM_OPTION_CHECK_LIVENESS ? PHP_STREAM_OPTION_RETURN_NOTIMPL
														  : PHP_STREAM_OPTION_RETURN_ERR;
	}
	if (!plain_of(stream)->set_option) {
		return PHP_STREAM_OPTION_RETURN_NOTIMPL;
	}
	AS_PLAIN(int, set_option(stream, option, value, parameter));
}

static int guarded_seek(php_stream *stream, zend_off_t offset, int whence, zend_off_t *position)
{
	if (stream_refuse(stream)) {
		return -1;
	}
	AS_PLAIN(int, seek(stream, offset, whence, position));
}

static const php_stream_ops *guard(const php_stream_ops *plain)
{
	guarded_ops *kind = kinds;

	while (kind && kind->plain != plain) {
		kind = kind->next;
	}
	if (kind) {
		return &kind->ops;
	}
	kind = pecalloc(1, sizeof(*kind), 1);
	kind->plain = plain;
	kind->next = kinds;
	kinds = kind;
	kind->ops = (php_stream_ops){.write = guarded_write,
		.read = guarded_read,
		.close = guarded_close,
		.flush = guarded_flush,
		.label = plain->label,
		.seek = plain->seek ? guarded_seek : NULL,
		.cast = plain->cast ? guarded_cast : NULL,
		.stat = plain->stat ? guarded_stat : NULL,
		/* also where there is none: what PHP would do itself, it does to the stream */
		.set_option = guarded_set_option};
	return &kind->ops;
}

static bool is_guarded(const php_stream *stream)
{
	return stream->ops->close == guarded_close;
}

php_stream *weft_handle_stream_of(const zend_resource *resource)
{
	return resource->type == php_file_le_stream() || resource->type == php_file_le_pstream() ? resource->ptr : NULL;
}

bool weft_handle_stream_is_refused(const zend_resource *resource)
{
	const php_stream *stream = weft_handle_stream_of(resource);

	return stream && is_guarded(stream);
}

/* --- functions that do more than an operation of the stream --- */

static HashTable of_boot; /* number => streams and processes; a request may have others of these numbers */

bool weft_handle_stream_is_of_boot(const zend_resource *resource)
{
	return zend_hash_index_find_ptr(&of_boot, resource->handle) == (void *) resource;
}

/* NULL: it is none of the boot. */
static php_stream *stream_of_boot(const zend_resource *resource)
{
	return weft_handle_stream_is_of_boot(resource) ? weft_handle_stream_of(resource) : NULL;
}

/* A stream that all requests may use stays open for the others. */
static bool keeps_open(const zend_resource *resource)
{
	php_stream *stream = stream_of_boot(resource);

	if (!stream) {
		return false;
	}
	if (!is_guarded(stream)) {
		php_stream_flush(stream);
		return true;
	}
	return stream_refuse(stream);
}

/* The process that proc_open() has started: it belongs to the one that has booted. */
static bool refuse_process(const zend_resource *resource)
{
	const char *type = weft_handle_stream_is_of_boot(resource)
		? zend_rsrc_list_get_rsrc_type((zend_resource *) resource)
		: NULL;

	if (!type || strcmp(type, "process") != 0) {
		return false;
	}
	weft_handle_refuse("process", weft_handle_stream_place(resource), NULL);
	return true;
}

/* A filter would stay in the stream, for all who write to it; bzopen() would close the stream with its own. */
static bool refuse_stream(const zend_resource *resource)
{
	const php_stream *stream = stream_of_boot(resource);

	return stream && stream_refuse(stream);
}

static bool refuse_filter(const zend_resource *resource)
{
	if (!weft_handle_stream_is_of_boot(resource) || resource->type != php_file_le_stream_filter()) {
		return false;
	}
	weft_handle_refuse("stream filter", weft_handle_stream_place(resource), NULL);
	return true;
}

/* What a request sets for a stream that has no context, PHP would keep with the stream, for all. */
static bool has_no_context(const zend_resource *resource)
{
	const php_stream *stream = stream_of_boot(resource);

	return stream && !stream->ctx;
}

static void forget_context(const zend_resource *resource)
{
	php_stream *stream = weft_handle_stream_of(resource);
	zend_resource *context = stream ? stream->ctx : NULL;

	if (context) {
		stream->ctx = NULL;
		zend_list_delete(context);
	}
}

/* Number, module, class, function, what is done instead, and what is returned when nothing was thrown: true, 0, null.
 * Without an instead: the context that the call has made goes. */
/* clang-format off */
#define FOR_EACH_CALL(call) \
	call(0, "standard", NULL, "fclose", keeps_open, IS_TRUE) \
	call(1, "standard", NULL, "pclose", keeps_open, IS_LONG) \
	call(2, "standard", NULL, "closedir", keeps_open, IS_NULL) \
	call(3, "standard", "directory", "close", keeps_open, IS_NULL) \
	call(4, "zlib", NULL, "gzclose", keeps_open, IS_TRUE) \
	call(5, "bz2", NULL, "bzclose", keeps_open, IS_TRUE) \
	call(6, "bz2", NULL, "bzopen", refuse_stream, IS_FALSE) \
	call(7, "bz2", NULL, "bzerrno", refuse_stream, IS_FALSE) \
	call(8, "bz2", NULL, "bzerrstr", refuse_stream, IS_FALSE) \
	call(9, "bz2", NULL, "bzerror", refuse_stream, IS_FALSE) \
	call(10, "standard", NULL, "stream_filter_append", refuse_stream, IS_FALSE) \
	call(11, "standard", NULL, "stream_filter_prepend", refuse_stream, IS_FALSE) \
	call(12, "standard", NULL, "stream_filter_remove", refuse_filter, IS_FALSE) \
	call(13, "standard", NULL, "proc_close", refuse_process, IS_NULL) \
	call(14, "standard", NULL, "proc_terminate", refuse_process, IS_NULL) \
	call(15, "standard", NULL, "proc_get_status", refuse_process, IS_NULL) \
	call(16, "standard", NULL, "stream_context_get_options", NULL, IS_NULL) \
	call(17, "standard", NULL, "stream_context_set_option", NULL, IS_NULL) \
	call(18, "standard", NULL, "stream_context_get_params", NULL, IS_NULL) \
	call(19, "standard", NULL, "stream_context_set_params", NULL, IS_NULL) \
	FOR_EACH_CALL_SINCE_83(call)
#if PHP_VERSION_ID >= 80300
#define FOR_EACH_CALL_SINCE_83(call) call(20, "standard", NULL, "stream_context_set_options", NULL, IS_NULL)
#else
#define FOR_EACH_CALL_SINCE_83(call)
#endif
/* clang-format on */

static const struct {
	const char *module, *class, *name;
	bool (*instead)(const zend_resource *resource);
	uint32_t returns;
} calls[] = {
#define AS_ENTRY(number, ...) [number] = {__VA_ARGS__},
	FOR_EACH_CALL(AS_ENTRY)};

#define COUNT (sizeof(calls) / sizeof(calls[0]))

static zif_handler plain_calls[COUNT];

const zval *weft_handle_of_directory(zend_object *directory)
{
	return directory->ce->default_properties_count > 1 ? OBJ_PROP_NUM(directory, 1) : NULL;
}

/* The first argument, or what an object of class Directory has. */
static const zval *resource_of(zend_execute_data *execute_data)
{
	if (Z_TYPE(EX(This)) != IS_OBJECT || !EX(func)->common.scope) {
		return ZEND_CALL_NUM_ARGS(execute_data) ? ZEND_CALL_ARG(execute_data, 1) : NULL;
	}
	return weft_handle_of_directory(Z_OBJ(EX(This)));
}

static zend_always_inline void call(size_t number, INTERNAL_FUNCTION_PARAMETERS)
{
	const zval *argument = weft_domain_in_place ? resource_of(execute_data) : NULL;
	const zend_resource *resource = argument && Z_TYPE_P(argument) == IS_RESOURCE ? Z_RES_P(argument) : NULL;
	bool is_context = !calls[number].instead && resource && has_no_context(resource);

	if (resource && calls[number].instead && calls[number].instead(resource)) {
		ZVAL_LONG(return_value, 0);
		Z_TYPE_INFO_P(return_value) = calls[number].returns;
		return;
	}
	plain_calls[number](INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (is_context) {
		forget_context(resource);
	}
}

#define AS_FUNCTION(number, ...) \
	static ZEND_FUNCTION(weft_call_##number) \
	{ \
		call(number, INTERNAL_FUNCTION_PARAM_PASSTHRU); \
	}

FOR_EACH_CALL(AS_FUNCTION)

void weft_handle_streams_forget(void)
{
	zend_hash_clean(&of_boot);
}

void weft_handle_streams_install(void)
{
#define AS_HANDLER(number, ...) zif_weft_call_##number,
	static const zif_handler own[] = {FOR_EACH_CALL(AS_HANDLER)};

	for (size_t i = 0; i < COUNT; i++) {
		plain_calls[i] = weft_wrap(calls[i].module, calls[i].class, calls[i].name, own[i]);
	}
	zend_hash_init(&of_boot, 8, NULL, NULL, true);
}

/* --- the snapshot --- */

/* What was read ahead would be handed out without an operation, as the end would be told. A file goes back by as much;
 * of a socket or a pipe it is lost outside of requests too. */
static void give_back_read_ahead(php_stream *stream)
{
	zend_off_t position;

	if (stream->writepos > stream->readpos && stream->ops->seek && !(stream->flags & PHP_STREAM_FLAG_NO_SEEK)) {
		stream->ops->seek(stream, stream->position, SEEK_SET, &position);
	}
	stream->readpos = stream->writepos = 0;
	stream->eof = 0;
}

static bool is_to_refuse(const zend_resource *resource, const php_stream *stream)
{
	return strstr(stream->ops->label, "_socket") || (!weft_shared_streams() && weft_stream_keeps_state(resource));
}

void weft_handle_streams_take(void)
{
	zval *item;

	ZEND_HASH_FOREACH_VAL(&EG(regular_list), item) {
		php_stream *stream = Z_TYPE_P(item) == IS_RESOURCE ? weft_handle_stream_of(Z_RES_P(item)) : NULL;

		if (Z_TYPE_P(item) == IS_RESOURCE) {
			zend_hash_index_update_ptr(&of_boot, Z_RES_P(item)->handle, Z_RES_P(item));
		}
		if (stream && !is_guarded(stream) && is_to_refuse(Z_RES_P(item), stream)) {
			give_back_read_ahead(stream);
			stream->ops = guard(stream->ops);
		}
	}
	ZEND_HASH_FOREACH_END();
}
