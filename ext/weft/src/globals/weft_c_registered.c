/*
 * What the boot registers for the end of a request: shutdown functions, output buffers with their callbacks, tick
 * functions, headers and the callback for them. Under PHP-FPM the boot is a part of each request, so all of these
 * belong to each request. The snapshot keeps copies here, since the base's own are not in place while a request runs.
 */
#include "globals/weft_spans.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_wrap.h"
#include "weft_compat.h"
#include "php_output.h"
#include "SAPI.h"
#include "ext/standard/basic_functions.h"

/* --- shutdown functions --- */

static HashTable *shutdown_functions;

HashTable *weft_boot_shutdown_functions(void)
{
	return shutdown_functions;
}

/* Those of C stay with the process: a function of ours that waits for the script's coroutines. */
static bool is_ours(php_shutdown_function_entry *entry)
{
	const zend_function *function = entry->fci_cache.function_handler;

	/* no function of PHP's has such a name */
	return function && function->type == ZEND_INTERNAL_FUNCTION &&
		(!function->common.function_name || ZSTR_VAL(function->common.function_name)[0] == '{');
}

void weft_boot_image_shutdown_functions(void *image)
{
	HashTable *functions = BG(user_shutdown_function_names);
	zend_string *name;
	zval *value;

	*(HashTable **) image = NULL;
	if (!functions) {
		return;
	}
	ALLOC_HASHTABLE(shutdown_functions);
	zend_hash_init(shutdown_functions, zend_hash_num_elements(functions), NULL, functions->pDestructor, 0);
	ZEND_HASH_FOREACH_STR_KEY_VAL(functions, name, value) {
		php_shutdown_function_entry copy;

		if (is_ours(Z_PTR_P(value))) {
			continue;
		}
		weft_copy_shutdown_function(&copy, Z_PTR_P(value));
		if (name) {
			zend_hash_update_mem(shutdown_functions, name, &copy, sizeof(copy));
		} else {
			zend_hash_next_index_insert_mem(shutdown_functions, &copy, sizeof(copy));
		}
	}
	ZEND_HASH_FOREACH_END();
	if (zend_hash_num_elements(shutdown_functions) == 0) {
		weft_boot_forget_shutdown_functions(NULL);
	}
}

void weft_boot_forget_shutdown_functions(void *image)
{
	HashTable *functions = shutdown_functions;

	shutdown_functions = NULL;
	if (functions) {
		zend_array_destroy(functions);
	}
}

/* --- output buffers, the outermost first --- */

typedef struct {
	zval callback; /* NULL: a plain buffer */
	size_t size;
	int flags;
} boot_buffer;

static boot_buffer *buffers;
static int buffer_count;

static void keep_buffer(const php_output_handler *handler)
{
	boot_buffer *buffer = &buffers[buffer_count++];

	buffer->size = handler->size;
	buffer->flags = handler->flags & PHP_OUTPUT_HANDLER_STDFLAGS;
	if (handler->flags & PHP_OUTPUT_HANDLER_USER) {
		weft_output_handler_callback(handler, &buffer->callback);
	} else if (zend_string_equals_literal(handler->name, "default output handler")) {
		ZVAL_NULL(&buffer->callback);
	} else {
		ZVAL_STR_COPY(&buffer->callback, handler->name); /* of an extension, which is found by its name */
	}
}

void weft_boot_keep_buffers(const zend_output_globals *output)
{
	php_output_handler **handlers = output->handlers.elements;
	/* php.ini's own buffer each request has anyway */
	int first = PG(output_buffering) || WEFT_HAS_OUTPUT_HANDLER() ? 1 : 0;

	weft_boot_forget_buffers(NULL);
	if (output->handlers.top > first) {
		buffers = safe_emalloc((size_t) (output->handlers.top - first), sizeof(boot_buffer), 0);
	}
	for (int i = first; i < output->handlers.top; i++) {
		keep_buffer(handlers[i]);
	}
}

void weft_boot_forget_buffers(void *image)
{
	while (buffer_count > 0) {
		zval_ptr_dtor(&buffers[--buffer_count].callback);
	}
	if (buffers) {
		efree(buffers);
		buffers = NULL;
	}
}

static void start_buffers(void)
{
	for (int i = 0; i < buffer_count; i++) {
		php_output_start_user(&buffers[i].callback, buffers[i].size, buffers[i].flags);
	}
}

/* --- headers, and the status. A cookie is one visitor's: replayed, a session's would be everybody's --- */

static zend_string **headers;
static uint32_t header_count;
static int boot_status; /* 0: none */
static bool shows_version = true;

static bool begins_with(const sapi_header_struct *header, const char *name)
{
	return header->header_len >= strlen(name) && strncasecmp(header->header, name, strlen(name)) == 0;
}

void weft_boot_keep_headers(const sapi_headers_struct *boot)
{
	zend_llist_element *element;

	weft_boot_forget_headers(NULL);
	boot_status = boot->http_response_code == 200 ? 0 : boot->http_response_code;
	shows_version = false;
	headers = safe_emalloc(zend_llist_count((zend_llist *) &boot->headers) + 1, sizeof(*headers), 0);
	for (element = boot->headers.head; element; element = element->next) {
		const sapi_header_struct *header = (const sapi_header_struct *) element->data;

		if (begins_with(header, SAPI_PHP_VERSION_HEADER)) {
			shows_version = true;
		} else if (!begins_with(header, "Set-Cookie:")) {
			headers[header_count++] = zend_string_init(header->header, header->header_len, 0);
		}
	}
}

void weft_boot_forget_headers(void *image)
{
	while (header_count > 0) {
		zend_string_release(headers[--header_count]);
	}
	if (headers) {
		efree(headers);
		headers = NULL;
	}
	shows_version = true;
	boot_status = 0;
}

bool weft_boot_shows_version(void)
{
	return shows_version;
}

static void add_headers(void)
{
	for (uint32_t i = 0; i < header_count; i++) {
		sapi_header_line line = {.line = ZSTR_VAL(headers[i]), .line_len = ZSTR_LEN(headers[i])};

		sapi_header_op(SAPI_HEADER_ADD, &line);
	}
	if (boot_status) {
		SG(sapi_headers).http_response_code = boot_status;
	}
}

/* --- the callback for headers. On the command line, where the boot runs, PHP takes none --- */

static zif_handler plain_header_register_callback;
static zval header_callback;

static ZEND_FUNCTION(weft_header_register_callback)
{
	plain_header_register_callback(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (!weft_c_state_captured() && Z_TYPE_P(return_value) == IS_TRUE) {
		zval_ptr_dtor(&header_callback);
		ZVAL_COPY(&header_callback, ZEND_CALL_ARG(execute_data, 1));
	}
}

void weft_c_registered_wrap(void)
{
	plain_header_register_callback = weft_wrap("standard", NULL, "header_register_callback",
		zif_weft_header_register_callback);
}

void weft_c_registered_forget(void)
{
	zval_ptr_dtor(&header_callback);
	ZVAL_UNDEF(&header_callback);
}

void weft_boot_register(void)
{
	start_buffers();
	add_headers();
	if (!weft_header_callback_is_set() && Z_TYPE(header_callback) != IS_UNDEF) {
		weft_header_callback_set(&header_callback);
	}
}

/* --- tick functions: the engine's list holds the caller of the user's list --- */

/* A domain has copies, in which none of the boot's calls is under way. */
bool weft_boot_copy_user_ticks(void *own)
{
	const zend_llist *boot = *(zend_llist **) own;
	zend_llist *copy;

	if (!boot) {
		return false;
	}
	copy = emalloc(sizeof(*copy));
	zend_llist_init(copy, boot->size, boot->dtor, boot->persistent);
	ZEND_ASSERT(boot->size == sizeof(weft_user_tick));
	for (const zend_llist_element *element = boot->head; element; element = element->next) {
		weft_user_tick tick;

		memcpy(&tick, element->data, sizeof(tick));
		weft_hold_user_tick(&tick);
		zend_llist_add_element(copy, &tick);
	}
	*(zend_llist **) own = copy;
	return true;
}

void weft_boot_image_user_ticks(void *image)
{
	weft_boot_copy_user_ticks(image);
}
