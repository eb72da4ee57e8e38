/*
 * Functions that exist in a server process only, as they do under other SAPIs.
 */
#include "php_weft.h"
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"

#include "SAPI.h"
#include "ext/standard/php_string.h"
#include "zend_exceptions.h"
#include "weft_sapi_functions_arginfo.h"

static bool registered;

/* "CONTENT-TYPE" and "content-type" are shown as "Content-Type". */
static zend_string *canonical_name(const char *name, size_t length)
{
	zend_string *canonical = zend_string_init(name, length, 0);
	bool first = true;

	for (size_t i = 0; i < length; i++) {
		char *c = &ZSTR_VAL(canonical)[i];
		*c = (char) (first ? zend_toupper_ascii(*c) : zend_tolower_ascii(*c));
		first = *c == '-';
	}
	return canonical;
}

static void add_joined(zval *array, const char *name, size_t name_length, const char *value, size_t value_length)
{
	zend_string *key = canonical_name(name, name_length);
	zval *there = zend_symtable_find(Z_ARRVAL_P(array), key);
	zval joined;

	if (there) {
		const char *separator = zend_string_equals_literal(key, "Cookie") ? "; " : ", ";
		ZVAL_STR(&joined, zend_string_concat3(Z_STRVAL_P(there), Z_STRLEN_P(there), separator, 2, value, value_length));
	} else {
		ZVAL_STRINGL(&joined, value, value_length);
	}
	zend_symtable_update(Z_ARRVAL_P(array), key, &joined);
	zend_string_release(key);
}

ZEND_FUNCTION(getallheaders)
{
	weft_http_request *request = SG(server_context);

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	for (uint32_t i = 0; request && i < request->parser.header_count; i++) {
		const weft_parser_header *header = &request->parser.headers[i];
		if (weft_header_is_shown(request->head + header->name, header->name_length)) {
			add_joined(return_value, request->head + header->name, header->name_length, request->head + header->value,
				header->value_length);
		}
	}
}

ZEND_FUNCTION(apache_response_headers)
{
	zend_llist_position position;
	sapi_header_struct *header;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	header = zend_llist_get_first_ex(&SG(sapi_headers).headers, &position);
	while (header) {
		const char *colon = strchr(header->header, ':');
		if (colon) {
			const char *value = colon + 1 + strspn(colon + 1, " \t");
			add_assoc_string_ex(return_value, header->header, (size_t) (colon - header->header), value);
		}
		header = zend_llist_get_next_ex(&SG(sapi_headers).headers, &position);
	}
}

ZEND_FUNCTION(fastcgi_finish_request)
{
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_BOOL(weft_http_finish_request());
}

/* What Symfony's Response::sendHeaders(103) calls: sends the headers that are set, and more may be set afterwards. A
 * final status sends them as printing does. */
ZEND_FUNCTION(headers_send)
{
	weft_http_request *request = SG(server_context);
	zend_long status = 200;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(status)
	ZEND_PARSE_PARAMETERS_END();
	if (status < 100 || status > 599 || status == 101) {
		zend_argument_value_error(1, "must be a status from 100 to 599, and not 101: protocols are not switched");
		RETURN_THROWS();
	}
	if (status >= 200) {
		SG(sapi_headers).http_response_code = (int) status;
		RETURN_LONG(sapi_send_headers());
	}
	if (request && !SG(headers_sent)) {
		weft_response_interim(request, (int) status, &SG(sapi_headers));
	}
	RETURN_LONG(SAPI_HEADER_SENT_SUCCESSFULLY);
}

void weft_sapi_register_functions(void)
{
	/* The functions must belong to a module: OPcache's optimizer asks each internal function for its own. */
	EG(current_module) = &weft_module_entry;
	registered = zend_register_functions(NULL, ext_functions, NULL, MODULE_TEMPORARY) == SUCCESS;
	EG(current_module) = NULL;
}

/* Before the engine takes everything behind the first user function for a user function. */
void weft_sapi_rshutdown(void)
{
	if (registered) {
		zend_unregister_functions(ext_functions, -1, NULL);
		registered = false;
	}
}
