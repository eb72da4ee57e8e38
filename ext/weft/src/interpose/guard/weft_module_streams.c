/*
 * Streams of modules that are not proven: what fopen(), fread() and their kin call, and unlink() and others with an
 * address.
 */
#include "interpose/guard/weft_module_tables.h"

#define IN_STREAM(otherwise, result, call) \
	WEFT_INSIDE(weft_module_enter, php_stream_ops, stream->ops, otherwise, result, call)
#define IN_WRAPPER(otherwise, result, call) \
	WEFT_INSIDE(weft_module_enter, php_stream_wrapper_ops, wrapper->wops, otherwise, result, call)

/* --- what is open --- */

static ssize_t stream_write(php_stream *stream, const char *buffer, size_t count)
{
	IN_STREAM(-1, ssize_t written =, write(stream, buffer, count));
	return written;
}

static ssize_t stream_read(php_stream *stream, char *buffer, size_t count)
{
	IN_STREAM(-1, ssize_t got =, read(stream, buffer, count));
	return got;
}

static int stream_close(php_stream *stream, int close_handle)
{
	WEFT_INSIDE(weft_module_enter_to_free, php_stream_ops, stream->ops, 0, int result =, close(stream, close_handle));
	return result;
}

static int stream_flush(php_stream *stream)
{
	IN_STREAM(-1, int result =, flush(stream));
	return result;
}

static int stream_seek(php_stream *stream, zend_off_t offset, int whence, zend_off_t *position)
{
	IN_STREAM(-1, int result =, seek(stream, offset, whence, position));
	return result;
}

static int stream_cast(php_stream *stream, int as, void **to)
{
	IN_STREAM(FAILURE, int result =, cast(stream, as, to));
	return result;
}

static int stream_stat(php_stream *stream, php_stream_statbuf *status)
{
	IN_STREAM(-1, int result =, stat(stream, status));
	return result;
}

static int stream_set_option(php_stream *stream, int option, int value, void *parameter)
{
	IN_STREAM(PHP_STREAM_OPTION_RETURN_ERR, int result =, set_option(stream, option, value, parameter));
	return result;
}

static const php_stream_ops stream_wrapped = {
	.write = stream_write,
	.read = stream_read,
	.close = stream_close,
	.flush = stream_flush,
	.seek = stream_seek,
	.cast = stream_cast,
	.stat = stream_stat,
	.set_option = stream_set_option,
};

void weft_module_stream_wrap(php_stream *stream)
{
	const zend_module_entry *module;

	if (weft_module_table_of(stream->ops)) {
		return;
	}
	module = weft_module_at(stream->ops);
	if (module) {
		weft_module_table_wrap(module, (void *) stream->ops, &stream_wrapped, NULL, sizeof(stream_wrapped));
	}
}

void weft_module_resource_wrap(const zend_resource *resource)
{
	if (resource->ptr && (resource->type == php_file_le_stream() || resource->type == php_file_le_pstream())) {
		weft_module_stream_wrap(resource->ptr);
	}
}

/* --- what opens them --- */

static php_stream *wrapper_open(php_stream_wrapper *wrapper, const char *name, const char *mode, int options,
	zend_string **opened, php_stream_context *context STREAMS_DC)
{
	IN_WRAPPER(NULL, php_stream *stream =, stream_opener(wrapper, name, mode, options, opened, context STREAMS_REL_CC));
	if (stream) {
		weft_module_stream_wrap(stream);
	}
	return stream;
}

static php_stream *wrapper_open_directory(php_stream_wrapper *wrapper, const char *name, const char *mode, int options,
	zend_string **opened, php_stream_context *context STREAMS_DC)
{
	IN_WRAPPER(NULL, php_stream *stream =, dir_opener(wrapper, name, mode, options, opened, context STREAMS_REL_CC));
	if (stream) {
		weft_module_stream_wrap(stream);
	}
	return stream;
}

static int wrapper_close(php_stream_wrapper *wrapper, php_stream *stream)
{
	WEFT_INSIDE(weft_module_enter_to_free, php_stream_wrapper_ops, wrapper->wops, 0, int result =,
		stream_closer(wrapper, stream));
	return result;
}

static int wrapper_stat(php_stream_wrapper *wrapper, php_stream *stream, php_stream_statbuf *status)
{
	IN_WRAPPER(-1, int result =, stream_stat(wrapper, stream, status));
	return result;
}

static int wrapper_url_stat(php_stream_wrapper *wrapper, const char *url, int flags, php_stream_statbuf *status,
	php_stream_context *context)
{
	IN_WRAPPER(-1, int result =, url_stat(wrapper, url, flags, status, context));
	return result;
}

static int wrapper_unlink(php_stream_wrapper *wrapper, const char *url, int options, php_stream_context *context)
{
	IN_WRAPPER(0, int result =, unlink(wrapper, url, options, context));
	return result;
}

static int wrapper_rename(php_stream_wrapper *wrapper, const char *from, const char *to, int options,
	php_stream_context *context)
{
	IN_WRAPPER(0, int result =, rename(wrapper, from, to, options, context));
	return result;
}

static int wrapper_mkdir(php_stream_wrapper *wrapper, const char *url, int mode, int options,
	php_stream_context *context)
{
	IN_WRAPPER(0, int result =, stream_mkdir(wrapper, url, mode, options, context));
	return result;
}

static int wrapper_rmdir(php_stream_wrapper *wrapper, const char *url, int options, php_stream_context *context)
{
	IN_WRAPPER(0, int result =, stream_rmdir(wrapper, url, options, context));
	return result;
}

static int wrapper_metadata(php_stream_wrapper *wrapper, const char *url, int option, void *value,
	php_stream_context *context)
{
	IN_WRAPPER(0, int result =, stream_metadata(wrapper, url, option, value, context));
	return result;
}

static const php_stream_wrapper_ops wrapper_wrapped = {
	.stream_opener = wrapper_open,
	.stream_closer = wrapper_close,
	.stream_stat = wrapper_stat,
	.url_stat = wrapper_url_stat,
	.dir_opener = wrapper_open_directory,
	.unlink = wrapper_unlink,
	.rename = wrapper_rename,
	.stream_mkdir = wrapper_mkdir,
	.stream_rmdir = wrapper_rmdir,
	.stream_metadata = wrapper_metadata,
};

void weft_module_wrappers_wrap(void)
{
	const php_stream_wrapper *wrapper;

	ZEND_HASH_MAP_FOREACH_PTR(php_stream_get_url_stream_wrappers_hash_global(), wrapper) {
		const zend_module_entry *module = weft_module_at(wrapper->wops);

		if (module) {
			weft_module_table_wrap(module, (void *) wrapper->wops, &wrapper_wrapped, NULL, sizeof(wrapper_wrapped));
		}
	}
	ZEND_HASH_FOREACH_END();
}
