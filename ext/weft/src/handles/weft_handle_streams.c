/*
 * Sockets of PHP's streams that were open when the boot ended. What was said on one since it was opened (a greeting, a
 * log-in) is not known, so nothing can stand in for it: its operations throw in a domain. Whatever uses the stream, in
 * PHP or in C, goes through them.
 */
#include "handles/weft_handles_internal.h"
#include "php_streams.h"
#include "ext/standard/file.h"

/* One for each kind of sockets: generic, tcp, udp, unix, udg, tcp with TLS, and those of other extensions. Streams
 * point to them as long as the process lives. */
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
	weft_handle_refuse("stream (a socket)", stream->res ? weft_handle_stream_place(stream->res) : NULL, NULL);
	return true;
}

static ssize_t guarded_write(php_stream *stream, const char *buffer, size_t count)
{
	return stream_refuse(stream) ? -1 : plain_of(stream)->write(stream, buffer, count);
}

static ssize_t guarded_read(php_stream *stream, char *buffer, size_t count)
{
	return stream_refuse(stream) ? -1 : plain_of(stream)->read(stream, buffer, count);
}

static int guarded_close(php_stream *stream, int close_handle)
{
	return plain_of(stream)->close(stream, close_handle);
}

static int guarded_flush(php_stream *stream)
{
	const php_stream_ops *plain = plain_of(stream);

	return plain->flush ? plain->flush(stream) : 0;
}

static int guarded_cast(php_stream *stream, int castas, void **ret)
{
	return stream_refuse(stream) ? FAILURE : plain_of(stream)->cast(stream, castas, ret);
}

static int guarded_stat(php_stream *stream, php_stream_statbuf *ssb)
{
	return stream_refuse(stream) ? -1 : plain_of(stream)->stat(stream, ssb);
}

static int guarded_set_option(php_stream *stream, int option, int value, void *parameter)
{
	return stream_refuse(stream) ? PHP_STREAM_OPTION_RETURN_ERR
								 : plain_of(stream)->set_option(stream, option, value, parameter);
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
		.seek = plain->seek,
		.cast = plain->cast ? guarded_cast : NULL,
		.stat = plain->stat ? guarded_stat : NULL,
		.set_option = plain->set_option ? guarded_set_option : NULL};
	return &kind->ops;
}

static bool is_guarded(const php_stream *stream)
{
	return stream->ops->close == guarded_close;
}

static php_stream *socket_of(const zend_resource *resource)
{
	php_stream *stream = resource->ptr;

	return stream && (resource->type == php_file_le_stream() || resource->type == php_file_le_pstream()) &&
			strstr(stream->ops->label, "_socket")
		? stream
		: NULL;
}

void weft_handle_streams_take(void)
{
	zval *item;

	ZEND_HASH_FOREACH_VAL(&EG(regular_list), item) {
		php_stream *stream = Z_TYPE_P(item) == IS_RESOURCE ? socket_of(Z_RES_P(item)) : NULL;

		if (stream && !is_guarded(stream)) {
			stream->ops = guard(stream->ops);
			/* What was read ahead would be handed out without an operation. It is lost outside of requests too. */
			stream->readpos = stream->writepos = 0;
		}
	}
	ZEND_HASH_FOREACH_END();
}

bool weft_handle_stream_is_refused(const zend_resource *resource)
{
	const php_stream *stream = socket_of(resource);

	return stream && is_guarded(stream);
}
