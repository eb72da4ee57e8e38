/*
 * One coroutine at a time reads from a stream, and one writes to it. PHP reads into a buffer of the stream's, and takes
 * for granted that nobody else moves it or frees the stream meanwhile. Who closes a stream ends the calls that wait for
 * it, as closing a socket would, and frees it when they are over.
 *
 * Streams that run PHP code (wrappers and filters in PHP) count for a coroutine that is alone as well: that code may
 * start others.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_wrap.h"
#include "interpose/guard/weft_handle_turn.h"
#include "interpose/weft_calls.h"
#include "php_streams.h"
#include "ext/standard/file.h"
#include "ext/standard/proc_open.h"

#include <fcntl.h>
#include <sys/stat.h>

typedef enum { READS, WRITES, LOCKS, DOES_BOTH, COPIES, CLOSES, ENDS_PROCESS } use;

/* Number, module, class, function, what it does with the stream that it gets first. */
/* clang-format off */
#define FOR_EACH_CALL(call) \
	call(0, "standard", NULL, "fread", READS) \
	call(1, "standard", NULL, "fgets", READS) \
	call(2, "standard", NULL, "fgetc", READS) \
	call(3, "standard", NULL, "fgetcsv", READS) \
	call(4, "standard", NULL, "fscanf", READS) \
	call(5, "standard", NULL, "fpassthru", READS) \
	call(6, "standard", NULL, "fseek", DOES_BOTH) \
	call(7, "standard", NULL, "rewind", DOES_BOTH) \
	call(8, "standard", NULL, "stream_get_contents", READS) \
	call(9, "standard", NULL, "stream_get_line", READS) \
	call(10, "standard", NULL, "stream_socket_recvfrom", READS) \
	call(11, "standard", NULL, "stream_socket_accept", READS) \
	call(12, "standard", NULL, "readdir", READS) \
	call(13, "standard", NULL, "rewinddir", READS) \
	call(14, "standard", NULL, "fwrite", WRITES) \
	call(15, "standard", NULL, "fputs", WRITES) \
	call(16, "standard", NULL, "fputcsv", WRITES) \
	call(17, "standard", NULL, "fprintf", WRITES) \
	call(18, "standard", NULL, "vfprintf", WRITES) \
	call(19, "standard", NULL, "fflush", WRITES) \
	call(20, "standard", NULL, "stream_socket_sendto", WRITES) \
	call(21, "standard", NULL, "stream_socket_enable_crypto", DOES_BOTH) \
	call(22, "standard", NULL, "stream_filter_append", DOES_BOTH) \
	call(23, "standard", NULL, "stream_filter_prepend", DOES_BOTH) \
	call(24, "standard", NULL, "stream_filter_remove", DOES_BOTH) \
	call(25, "standard", NULL, "stream_copy_to_stream", COPIES) \
	call(26, "standard", NULL, "fclose", CLOSES) \
	call(27, "standard", NULL, "pclose", CLOSES) \
	call(28, "standard", NULL, "closedir", CLOSES) \
	call(29, "standard", "directory", "close", CLOSES) \
	call(30, "standard", "directory", "read", READS) \
	call(31, "standard", "directory", "rewind", READS) \
	call(32, "standard", NULL, "proc_close", ENDS_PROCESS) \
	call(33, "zlib", NULL, "gzclose", CLOSES) \
	call(34, "bz2", NULL, "bzclose", CLOSES) \
	call(35, "standard", NULL, "ftruncate", WRITES) \
	call(36, "standard", NULL, "flock", LOCKS) \
	call(37, "zlib", NULL, "gzread", READS) \
	call(38, "zlib", NULL, "gzgets", READS) \
	call(39, "zlib", NULL, "gzgetc", READS) \
	call(40, "zlib", NULL, "gzpassthru", READS) \
	call(41, "zlib", NULL, "gzseek", DOES_BOTH) \
	call(42, "zlib", NULL, "gzrewind", DOES_BOTH) \
	call(43, "zlib", NULL, "gzwrite", WRITES) \
	call(44, "zlib", NULL, "gzputs", WRITES) \
	call(45, "bz2", NULL, "bzread", READS) \
	call(46, "bz2", NULL, "bzwrite", WRITES) \
	call(47, "bz2", NULL, "bzflush", WRITES)
/* clang-format on */

static const struct {
	const char *module, *class, *name;
	use use;
} calls[] = {
#define AS_ENTRY(number, ...) [number] = {__VA_ARGS__},
	FOR_EACH_CALL(AS_ENTRY)};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static zif_handler plain_calls[CALLS];

/* --- streams --- */

static php_stream *stream_at(const zval *value)
{
	const zend_resource *resource = value && Z_TYPE_P(value) == IS_RESOURCE ? Z_RES_P(value) : NULL;

	if (!resource || !resource->ptr) {
		return NULL;
	}
	if (resource->type == php_file_le_stream_filter()) {
		const php_stream_filter *filter = resource->ptr;

		return filter->chain ? filter->chain->stream : NULL;
	}
	return weft_handle_stream_of(resource);
}

static php_stream *argument_stream(const zend_execute_data *call, uint32_t number)
{
	zval *argument;

	if (number == 1 && Z_TYPE(call->This) == IS_OBJECT && call->func->common.scope) {
		return stream_at(weft_handle_of_directory(Z_OBJ(call->This)));
	}
	if (ZEND_CALL_NUM_ARGS(call) < number) {
		return NULL;
	}
	argument = ZEND_CALL_ARG(call, number);
	ZVAL_DEREF(argument);
	return stream_at(argument);
}

/* Those that read and those that write don't wait for each other. */
static const void *read_end(const php_stream *stream)
{
	return stream;
}

static const void *write_end(const php_stream *stream)
{
	return (const char *) stream + 1;
}

static const void *lock_of(const php_stream *stream)
{
	return (const char *) stream + 2;
}

static bool runs_php(const php_stream *stream)
{
	return stream->readfilters.head || stream->writefilters.head || stream->ops == &php_stream_userspace_ops ||
		stream->ops == &php_stream_userspace_dir_ops;
}

/* --- closing --- */

static bool is_used_by_another(const void *end)
{
	const weft_monitor *monitor = weft_monitor_find_handle(end);

	return monitor && monitor->depth && monitor->owner != weft_current;
}

/* What waits for the descriptor is told that it is closed, and what comes back for more finds its end. */
static void lead_nowhere(int fd)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null >= 0) {
		weft_call_dup3(null, fd, O_CLOEXEC);
		close(null);
	}
}

/* A file is never waited for for long, and what is being written to it is to arrive. */
static bool is_waited_for(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static void end_calls_on(php_stream *stream)
{
	php_socket_t fd;

	/* a wrapper in PHP would be asked for a stream that may be another's, or warned of */
	if (stream->ops == &php_stream_userspace_ops || stream->ops == &php_stream_userspace_dir_ops) {
		return;
	}
	if ((is_used_by_another(read_end(stream)) || is_used_by_another(write_end(stream))) && weft_can_suspend() &&
		php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL, (void *) &fd, 0) == SUCCESS &&
		fd > STDERR_FILENO && is_waited_for(fd)) {
		lead_nowhere(fd);
	}
}

/* --- calls --- */

#define TURNS_MAX 24

typedef struct {
	weft_handle_turn turns[TURNS_MAX];
	uint32_t count;
} turns;

static bool take(turns *of, const void *end)
{
	if (of->count == TURNS_MAX) {
		return true; /* a process with that many pipes: those beyond are closed as ever */
	}
	if (!weft_handle_turn_begin(&of->turns[of->count], end, "the same stream")) {
		return false;
	}
	of->count++;
	return true;
}

static bool take_both(turns *of, const php_stream *stream)
{
	return take(of, read_end(stream)) && take(of, write_end(stream));
}

static bool take_to_close(turns *of, php_stream *stream)
{
	/* one of the boot stays open for the others (weft_handle_streams.c) */
	if (!stream || (weft_domain_in_place && stream->res && weft_handle_stream_is_of_boot(stream->res))) {
		return true;
	}
	end_calls_on(stream);
	return take_both(of, stream) && take(of, lock_of(stream));
}

static bool take_pipes(turns *of, const zval *process)
{
	const char *type = process && Z_TYPE_P(process) == IS_RESOURCE ? zend_rsrc_list_get_rsrc_type(Z_RES_P(process))
																   : NULL;
	const php_process_handle *handle = type && strcmp(type, "process") == 0 ? Z_RES_P(process)->ptr : NULL;

	for (int i = 0; handle && i < handle->npipes; i++) {
		zval pipe;

		if (handle->pipes[i]) {
			ZVAL_RES(&pipe, handle->pipes[i]);
			if (!take_to_close(of, stream_at(&pipe))) {
				return false;
			}
		}
	}
	return true;
}

static bool take_turns(turns *of, use use, const zend_execute_data *call)
{
	php_stream *stream = argument_stream(call, 1), *other;

	switch (use) {
		case ENDS_PROCESS: return take_pipes(of, ZEND_CALL_NUM_ARGS(call) ? ZEND_CALL_ARG(call, 1) : NULL);
		case CLOSES: return take_to_close(of, stream);
		case COPIES:
			other = argument_stream(call, 2);
			return (!stream || take(of, read_end(stream))) && (!other || take(of, write_end(other)));
		case LOCKS: return !stream || take(of, lock_of(stream));
		case DOES_BOTH: return !stream || take_both(of, stream);
		default: return !stream || take(of, use == READS ? read_end(stream) : write_end(stream));
	}
}

static zend_never_inline void call_in_turn(size_t number, INTERNAL_FUNCTION_PARAMETERS)
{
	turns of = {.count = 0};

	if (take_turns(&of, calls[number].use, execute_data)) {
		plain_calls[number](INTERNAL_FUNCTION_PARAM_PASSTHRU);
	}
	while (of.count) {
		weft_handle_turn_end(&of.turns[--of.count]);
	}
}

static zend_always_inline void call(size_t number, INTERNAL_FUNCTION_PARAMETERS)
{
	const php_stream *stream;

	if (EXPECTED(!weft_among_others())) {
		stream = weft_current ? argument_stream(execute_data, 1) : NULL;
		if (EXPECTED(!stream || !runs_php(stream))) {
			plain_calls[number](INTERNAL_FUNCTION_PARAM_PASSTHRU);
			return;
		}
	}
	call_in_turn(number, INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

#define AS_FUNCTION(number, ...) \
	static ZEND_FUNCTION(weft_stream_call_##number) \
	{ \
		call(number, INTERNAL_FUNCTION_PARAM_PASSTHRU); \
	}

FOR_EACH_CALL(AS_FUNCTION)

void weft_stream_turns_install(void)
{
#define AS_HANDLER(number, ...) zif_weft_stream_call_##number,
	static const zif_handler own[] = {FOR_EACH_CALL(AS_HANDLER)};

	for (size_t i = 0; i < CALLS; i++) {
		plain_calls[i] = weft_wrap(calls[i].module, calls[i].class, calls[i].name, own[i]);
	}
}
