/*
 * What $_SERVER has of a request, and of the boot.
 */
#include <ctype.h>
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "http/weft_text.h"
#include "tls/weft_tls.h"

#include <unistd.h>
#include "SAPI.h"
#include "main/php_main.h"
#include "main/php_variables.h"
#include "zend_hash.h"

/* Longer header names are not made variables: nobody reads them, and they need a buffer. */
#define LONGEST_NAME 256
/* With as many variables of a request $_SERVER need not grow. */
#define ROOM_FOR_HEADERS 32

static zend_string *document_root;
static char *script;
/* What is the same in $_SERVER for every request: the process environment, and where the application is. Before it, in
 * the order of their numbers, what each request has, so that it is written without a look-up. */
static HashTable *template;
/* A $_SERVER that no request has any more: one that need not be copied. Most of what a client sends is what it, or
 * another, has sent before. */
static HashTable *spare;

typedef enum {
	KEY_GATEWAY_INTERFACE,
	KEY_SERVER_SOFTWARE,
	KEY_SCRIPT_NAME,
	KEY_SCRIPT_FILENAME,
	KEY_DOCUMENT_ROOT,
	KEY_PHP_SELF,
	KEY_DOCUMENT_URI,
	KEY_REQUEST_METHOD,
	KEY_REQUEST_SCHEME,
	KEY_REQUEST_URI,
	KEY_QUERY_STRING,
	KEY_SERVER_PROTOCOL,
	KEY_SERVER_NAME,
	KEY_SERVER_PORT,
	KEY_SERVER_ADDR,
	KEY_REMOTE_ADDR,
	KEY_REMOTE_PORT,
	KEYS_OF_ALL, /* how many each $_SERVER has */
	KEY_CONTENT_TYPE = KEYS_OF_ALL,
	KEY_CONTENT_LENGTH,
	KEY_HTTP_HOST,
	KEYS
} key;

static const char *const key_names[KEYS] = {
	"GATEWAY_INTERFACE",
	"SERVER_SOFTWARE",
	"SCRIPT_NAME",
	"SCRIPT_FILENAME",
	"DOCUMENT_ROOT",
	"PHP_SELF",
	"DOCUMENT_URI",
	"REQUEST_METHOD",
	"REQUEST_SCHEME",
	"REQUEST_URI",
	"QUERY_STRING",
	"SERVER_PROTOCOL",
	"SERVER_NAME",
	"SERVER_PORT",
	"SERVER_ADDR",
	"REMOTE_ADDR",
	"REMOTE_PORT",
	"CONTENT_TYPE",
	"CONTENT_LENGTH",
	"HTTP_HOST",
};

static zend_string *keys[KEYS];
static zend_string *time_float_key, *time_key;
static zend_string *method_names[64];
static zend_string *protocols[3];
static zend_string *schemes[2];
/* Header names met before, in lower case, with the variable's name. Bounded: clients make names up. */
static HashTable header_keys;
#define HEADER_KEYS_MAX 256

static zend_string *permanent(const char *text, size_t length)
{
	return zend_string_init_interned(text, length, true);
}

void weft_server_variables_minit(void)
{
	for (int i = 0; i < KEYS; i++) {
		keys[i] = permanent(key_names[i], strlen(key_names[i]));
	}
	time_float_key = permanent(ZEND_STRL("REQUEST_TIME_FLOAT"));
	time_key = permanent(ZEND_STRL("REQUEST_TIME"));
	for (int i = 0; i <= HTTP_SOURCE; i++) {
		const char *name = llhttp_method_name((llhttp_method_t) i);
		method_names[i] = permanent(name, strlen(name));
	}
	protocols[0] = permanent(ZEND_STRL("HTTP/1.0"));
	protocols[1] = permanent(ZEND_STRL("HTTP/1.1"));
	protocols[2] = permanent(ZEND_STRL("HTTP/2.0")); /* as nginx calls it */
	schemes[0] = permanent(ZEND_STRL("http"));
	schemes[1] = permanent(ZEND_STRL("https"));
	zend_hash_init(&header_keys, 64, NULL, NULL, true);
}

/* --- where the application is --- */

void weft_http_set_document_root(const char *directory)
{
	size_t length = strlen(directory);

	while (length > 1 && directory[length - 1] == '/') {
		length--;
	}
	if (document_root) {
		zend_string_release_ex(document_root, true);
	}
	document_root = zend_string_init(directory, length, true);
	free(script);
	script = pemalloc(length + sizeof("/index.php"), 1);
	snprintf(script, length + sizeof("/index.php"), "%.*s/index.php", (int) length, directory);
}

const char *weft_sapi_script(void)
{
	char directory[MAXPATHLEN];

	if (!script) {
		weft_http_set_document_root(getcwd(directory, sizeof(directory)) ? directory : "/");
	}
	return script;
}

/* --- before the first request --- */

/* `value` is the table's from now on. */
static void put(HashTable *table, key key, zval *value)
{
	if (key < KEYS_OF_ALL) {
		zval *place = &table->arData[key].val;

		zval_ptr_dtor_nogc(place);
		ZVAL_COPY_VALUE(place, value);
	} else {
		zend_hash_update(table, keys[key], value);
	}
}

static bool is_string(const zval *there, const char *value, size_t length)
{
	return Z_TYPE_P(there) == IS_STRING && Z_STRLEN_P(there) == length && memcmp(Z_STRVAL_P(there), value, length) == 0;
}

static void put_string(HashTable *table, key key, const char *value, size_t length)
{
	zval string;

	if (key < KEYS_OF_ALL && is_string(&table->arData[key].val, value, length)) {
		return;
	}
	ZVAL_STRINGL_FAST(&string, value, length);
	put(table, key, &string);
}

/* A header may not be forged by the environment, and HTTP_PROXY in it would be taken for a client's (httpoxy);
 * argv and argc are the server's command line. */
static bool belongs_to_request(const zend_string *name)
{
	static const char *const others[] = {"argv", "argc", "REQUEST_TIME", "REQUEST_TIME_FLOAT", "PATH_TRANSLATED",
		"PHP_AUTH_USER", "PHP_AUTH_PW", "PHP_AUTH_DIGEST", "HTTPS", "REMOTE_USER", "PATH_INFO", "SSL_PROTOCOL",
		"SSL_CIPHER", "SSL_TLS_SNI"};

	if (strncmp(ZSTR_VAL(name), "HTTP_", 5) == 0 || strncmp(ZSTR_VAL(name), "SSL_CLIENT_", 11) == 0) {
		return true;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (zend_string_equals_cstr(name, others[i], strlen(others[i]))) {
			return true;
		}
	}
	for (int i = KEY_REQUEST_METHOD; i < KEYS; i++) {
		if (zend_string_equals(name, keys[i])) {
			return true;
		}
	}
	return false;
}

void weft_server_variables_forget(void)
{
	if (spare) {
		zend_array_release(spare);
		spare = NULL;
	}
	if (template) {
		zend_array_release(template);
		template = NULL;
	}
}

void weft_server_variables_boot(HashTable *boot)
{
	const char *index = weft_sapi_script();
	zend_string *name;
	zval *value, none;

	template = zend_new_array(KEYS_OF_ALL + zend_hash_num_elements(boot) + ROOM_FOR_HEADERS);
	zend_hash_real_init_mixed(template);
	ZVAL_NULL(&none);
	for (int i = 0; i < KEYS_OF_ALL; i++) {
		zend_hash_add_new(template, keys[i], &none);
	}
	put_string(template, KEY_GATEWAY_INTERFACE, ZEND_STRL("CGI/1.1"));
	put_string(template, KEY_SERVER_SOFTWARE, ZEND_STRL("weft"));
	put_string(template, KEY_SCRIPT_NAME, ZEND_STRL("/index.php"));
	put_string(template, KEY_SCRIPT_FILENAME, index, strlen(index));
	put_string(template, KEY_DOCUMENT_ROOT, ZSTR_VAL(document_root), ZSTR_LEN(document_root));
	put_string(template, KEY_PHP_SELF, ZEND_STRL("/index.php"));
	put_string(template, KEY_DOCUMENT_URI, ZEND_STRL("/index.php"));
	ZEND_HASH_FOREACH_STR_KEY_VAL(boot, name, value) {
		if (name && !belongs_to_request(name)) {
			ZVAL_DEREF(value);
			Z_TRY_ADDREF_P(value);
			if (!zend_hash_add(template, name, value)) {
				Z_TRY_DELREF_P(value);
			}
		}
	} ZEND_HASH_FOREACH_END();
}

bool weft_sapi_is_of_boot(const char *name, size_t length)
{
	if (!template || !zend_hash_str_exists(template, name, length)) {
		return false;
	}
	for (int i = 0; i < KEYS; i++) {
		if (zend_string_equals_cstr(keys[i], name, length)) {
			return false;
		}
	}
	return true;
}

/* --- a request's --- */

bool weft_header_is_shown(const char *name, size_t length)
{
	if (length > LONGEST_NAME || (length == 5 && strncasecmp(name, "proxy", 5) == 0)) {
		return false; /* HTTP_PROXY is a directive to clients, in the environment */
	}
	for (size_t i = 0; i < length; i++) {
		if (name[i] != '-' && !isalnum((unsigned char) name[i])) {
			return false; /* "X_Forwarded.For" would pass for "X-Forwarded-For", which a proxy had cleaned */
		}
	}
	return true;
}

static zend_never_inline zend_string *new_header_key(const char *name, size_t length)
{
	char upper[LONGEST_NAME + sizeof("HTTP_")] = "HTTP_";
	zend_string *key;

	if (!weft_header_is_shown(name, length)) {
		return NULL;
	}
	for (size_t i = 0; i < length; i++) {
		upper[5 + i] = name[i] == '-' ? '_' : (char) toupper((unsigned char) name[i]);
	}
	if (zend_hash_num_elements(&header_keys) >= HEADER_KEYS_MAX) {
		return zend_string_init(upper, length + 5, false);
	}
	key = zend_string_init(upper, length + 5, true);
	zend_string_hash_val(key);
	GC_ADD_FLAGS(key, IS_STR_INTERNED | IS_STR_PERMANENT);
	zend_hash_str_add_ptr(&header_keys, name, length, key);
	return key;
}

/* "Accept-Language" is HTTP_ACCEPT_LANGUAGE. A name that is kept lives as long as the process; any other is the
 * request's own, in the request's memory: its $_SERVER frees it. */
static zend_string *header_key(const char *name, size_t length)
{
	zend_string *key;

	if (length > LONGEST_NAME) {
		return NULL;
	}
	key = zend_hash_str_find_ptr(&header_keys, name, length);
	return EXPECTED(key != NULL) ? key : new_header_key(name, length);
}

static void put_header_there(zval *there, const char *value, size_t length)
{
	if (!is_string(there, value, length)) {
		zval_ptr_dtor_nogc(there);
		ZVAL_STRINGL_FAST(there, value, length);
	}
}

/* The key is released. */
static void put_header(HashTable *table, zend_string *key, const char *value, size_t length)
{
	zval *there = zend_hash_find(table, key), string;

	if (there && Z_TYPE_P(there) == IS_STRING) {
		const char *separator = zend_string_equals_literal(key, "HTTP_COOKIE") ? "; " : ", ";
		ZVAL_STR(&string, zend_string_concat3(Z_STRVAL_P(there), Z_STRLEN_P(there), separator, 2, value, length));
	} else {
		ZVAL_STRINGL_FAST(&string, value, length);
	}
	zend_hash_update(table, key, &string);
	zend_string_release(key);
}

static void put_host(HashTable *table, const weft_http_request *request)
{
	const char *host = request->host ? request->host : request->local_address;
	size_t length = strlen(host);
	const char *colon = memchr(host, ':', length);

	if (request->host_copy) {
		put_string(table, KEY_HTTP_HOST, host, length); /* the target's counts, not the header's */
	}
	if (host[0] == '[') {
		const char *bracket = memchr(host, ']', length);
		length = bracket ? (size_t) (bracket - host) + 1 : length;
	} else if (colon && request->host) {
		length = (size_t) (colon - host);
	}
	put_string(table, KEY_SERVER_NAME, host, length);
}

/* What an earlier request has brought from there on. */
static void cut_off(HashTable *table, uint32_t from)
{
	while (table->nNumUsed > from) {
		zend_hash_del_bucket(table, &table->arData[table->nNumUsed - 1]);
	}
}

/* PHP puts the time of a request behind all else. */
static bool only_times_follow(const HashTable *table, uint32_t from)
{
	return table->nNumUsed == from + 2 && zend_string_equals(table->arData[from].key, time_float_key) &&
		zend_string_equals(table->arData[from + 1].key, time_key);
}

/* Whether it has nothing but headers behind what each request has. */
static bool has_only_headers(const weft_http_request *request)
{
	const weft_parser *parser = &request->parser;

	return !request->https && !request->script.file && !request->host_copy && !weft_parser_has_body(parser) &&
		parser->known[WEFT_HEADER_CONTENT_LENGTH] < 0 && !weft_request_header(request, WEFT_HEADER_CONTENT_TYPE) &&
		!weft_request_header(request, WEFT_HEADER_AUTHORIZATION);
}

/* As long as they are an earlier request's, in its order, none is looked up. */
static void put_headers(HashTable *table, const weft_http_request *request)
{
	const weft_parser *parser = &request->parser;
	uint32_t place = template->nNumUsed;

	for (uint32_t i = 0; i < parser->header_count; i++) {
		const weft_parser_header *header = &parser->headers[i];
		zend_string *key = header_key(request->head + header->name, header->name_length);

		if (!key) {
			continue;
		}
		if (place < table->nNumUsed && table->arData[place].key == key) {
			put_header_there(&table->arData[place++].val, request->head + header->value, header->value_length);
			continue;
		}
		cut_off(table, place);
		put_header(table, key, request->head + header->value, header->value_length);
		place = table->nNumUsed;
	}
	if (!has_only_headers(request) || !only_times_follow(table, place)) {
		cut_off(table, place);
	}
}

/* Of a connection that stays open both are what they were. */
static bool is_port(const zval *there, uint16_t port)
{
	uint32_t number = 0;

	if (Z_TYPE_P(there) != IS_STRING) {
		return false;
	}
	for (const char *c = Z_STRVAL_P(there); *c; c++) {
		number = number * 10 + (uint32_t) (*c - '0');
	}
	return number == port;
}

static void put_port(HashTable *table, key key, uint16_t port)
{
	char digits[8];
	weft_text text = {digits, digits + sizeof(digits)};

	if (is_port(&table->arData[key].val, port)) {
		return;
	}
	weft_text_number(&text, port);
	put_string(table, key, digits, (size_t) (text.at - digits));
}

static void put_interned(HashTable *table, key key, zend_string *value)
{
	zval string;

	ZVAL_INTERNED_STR(&string, value);
	put(table, key, &string);
}

/* Whether it has what the template has, from this number on up to that: ext/phar changes it. A copy's elements are the
 * same bytes. */
static bool has_of_template(const HashTable *table, uint32_t from, uint32_t to)
{
	return memcmp(&table->arData[from], &template->arData[from], (to - from) * sizeof(Bucket)) == 0;
}

static void put_times(HashTable *table)
{
	zval seconds_float, seconds;

	ZVAL_DOUBLE(&seconds_float, sapi_get_request_time());
	ZVAL_LONG(&seconds, zend_dval_to_lval(Z_DVAL(seconds_float)));
	if (only_times_follow(table, table->nNumUsed - 2)) {
		/* the value alone: beside it is a link of the table's */
		ZVAL_COPY_VALUE(&table->arData[table->nNumUsed - 2].val, &seconds_float);
		ZVAL_COPY_VALUE(&table->arData[table->nNumUsed - 1].val, &seconds);
	} else {
		zend_hash_update(table, time_float_key, &seconds_float);
		zend_hash_update(table, time_key, &seconds);
	}
}

/* Whether PHP would add anything to it, or leave it out. */
static bool php_has_a_say(void)
{
	return PG(register_argc_argv) || SG(request_info).auth_user || SG(request_info).auth_password ||
		SG(request_info).auth_digest || !PG(variables_order) || !strpbrk(PG(variables_order), "sS");
}

bool weft_server_variables_build(zval *server)
{
	if (!template || php_has_a_say()) {
		return false;
	}
	ZVAL_UNDEF(server);
	weft_sapi_server_variables(server);
	put_times(Z_ARRVAL_P(server));
	return true;
}

/* The request is over. PHP code writes into copies of it, so when nobody else has it, it is as it was built. */
void weft_server_variables_keep(zval *server)
{
	HashTable *table = Z_TYPE_P(server) == IS_ARRAY ? Z_ARRVAL_P(server) : NULL;

	if (!table || !template || spare || GC_REFCOUNT(table) != 1 || table->nNumUsed < template->nNumUsed ||
		table->nNumOfElements != table->nNumUsed || !has_of_template(table, 0, KEY_REQUEST_METHOD) ||
		!has_of_template(table, KEYS_OF_ALL, template->nNumUsed)) {
		return;
	}
	/* the next request may have another collector */
	GC_REMOVE_FROM_BUFFER(table);
	spare = table;
	ZVAL_UNDEF(server);
}

static HashTable *new_server(void)
{
	HashTable *table = spare;

	spare = NULL;
	return table ? table : zend_array_dup(template);
}

static void put_script(HashTable *table, const weft_script *script)
{
	zval self;

	put_string(table, KEY_SCRIPT_NAME, script->name, strlen(script->name));
	put_string(table, KEY_SCRIPT_FILENAME, script->file, strlen(script->file));
	ZVAL_STR(&self, strpprintf(0, "%s%s", script->name, script->info));
	put(table, KEY_PHP_SELF, &self);
	Z_ADDREF(self);
	put(table, KEY_DOCUMENT_URI, &self);
	if (script->info[0]) {
		zval info, file;

		ZVAL_STRING(&info, script->info);
		zend_hash_str_update(table, ZEND_STRL("PATH_INFO"), &info);
		ZVAL_STR(&file,
			zend_string_concat2(ZSTR_VAL(document_root), ZSTR_LEN(document_root), Z_STRVAL(info), Z_STRLEN(info)));
		zend_hash_str_update(table, ZEND_STRL("PATH_TRANSLATED"), &file);
	}
}

static void put_of_tls(void *table, const char *name, const char *value)
{
	zval string;

	ZVAL_STRING(&string, value);
	zend_hash_str_update(table, name, strlen(name), &string);
}

void weft_sapi_server_variables(zval *array)
{
	const weft_http_request *request = SG(server_context);
	const weft_http_connection *connection;
	const weft_parser *parser;
	const char *content_type;
	HashTable *table;

	if (!request || !template) {
		php_import_environment_variables(array);
		return;
	}
	parser = &request->parser;
	connection = weft_request_connection(request);
	zval_ptr_dtor(array);
	table = new_server();
	ZVAL_ARR(array, table);
	put_headers(table, request);
	if (request->script.file) {
		put_script(table, &request->script);
	}
	put_interned(table, KEY_REQUEST_METHOD, method_names[parser->llhttp.method]);
	put_interned(table, KEY_SERVER_PROTOCOL, protocols[parser->major == 2 ? 2 : parser->minor & 1]);
	put_interned(table, KEY_REQUEST_SCHEME, schemes[request->https]);
	put_string(table, KEY_REQUEST_URI, request->uri, strlen(request->uri));
	put_string(table, KEY_QUERY_STRING, request->query, strlen(request->query));
	put_host(table, request);
	put_string(table, KEY_SERVER_ADDR, request->local_address, strlen(request->local_address));
	put_port(table, KEY_SERVER_PORT, request->local_port);
	put_string(table, KEY_REMOTE_ADDR, request->remote_address, strlen(request->remote_address));
	put_port(table, KEY_REMOTE_PORT, request->remote_port);
	if (request->https) {
		zval on;
		ZVAL_STRING(&on, "on");
		zend_hash_str_update(table, ZEND_STRL("HTTPS"), &on);
	}
	if (connection && connection->tls) {
		weft_tls_describe(connection->tls, put_of_tls, table);
	}
	content_type = weft_request_header(request, WEFT_HEADER_CONTENT_TYPE);
	if (content_type) {
		put_string(table, KEY_CONTENT_TYPE, content_type, strlen(content_type));
	}
	if (weft_parser_has_body(parser) || parser->known[WEFT_HEADER_CONTENT_LENGTH] >= 0) {
		char text[24];
		int length = snprintf(text, sizeof(text), "%llu", (unsigned long long) request->body_length);
		put_string(table, KEY_CONTENT_LENGTH, text, (size_t) length);
	}
}
