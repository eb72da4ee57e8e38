/*
 * $_SERVER and its kin, built anew for every request.
 */
#include <ctype.h>
#include "http/weft_http_internal.h"
#include "globals/weft_c_state.h"

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
/* A $_SERVER that no request has any more, without what its request brought: one that need not be copied. */
static HashTable *spare;
static zval boot_environment;

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
static zend_string *method_names[64];
static zend_string *protocols[2];
static zend_string *schemes[2];
/* Header names met before, in lower case, with the variable's name. Bounded: clients make names up. */
static HashTable header_keys;
#define HEADER_KEYS_MAX 256

static zend_string *permanent(const char *text, size_t length)
{
	return zend_string_init_interned(text, length, true);
}

void weft_superglobals_minit(void)
{
	for (int i = 0; i < KEYS; i++) {
		keys[i] = permanent(key_names[i], strlen(key_names[i]));
	}
	for (int i = 0; i <= HTTP_SOURCE; i++) {
		const char *name = llhttp_method_name((llhttp_method_t) i);
		method_names[i] = permanent(name, strlen(name));
	}
	protocols[0] = permanent(ZEND_STRL("HTTP/1.0"));
	protocols[1] = permanent(ZEND_STRL("HTTP/1.1"));
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

static void put_string(HashTable *table, key key, const char *value, size_t length)
{
	zval string;

	ZVAL_STRINGL_FAST(&string, value, length);
	put(table, key, &string);
}

/* A header may not be forged by the environment, and HTTP_PROXY in it would be taken for a client's (httpoxy);
 * argv and argc are the server's command line. */
static bool belongs_to_request(const zend_string *name)
{
	static const char *const others[] = {"argv", "argc", "REQUEST_TIME", "REQUEST_TIME_FLOAT", "PATH_TRANSLATED",
		"PHP_AUTH_USER", "PHP_AUTH_PW", "PHP_AUTH_DIGEST", "HTTPS", "REMOTE_USER", "PATH_INFO"};

	if (strncmp(ZSTR_VAL(name), "HTTP_", 5) == 0) {
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

static zval *global(const char *name, size_t length)
{
	zval *value;

	zend_is_auto_global_str(name, length); /* builds it when nobody has asked for it yet */
	value = zend_hash_str_find_ind(&EG(symbol_table), name, length);
	if (value) {
		ZVAL_DEREF(value);
	}
	return value && Z_TYPE_P(value) == IS_ARRAY ? value : NULL;
}

/* PHP interns the names of variables that a request brings, until "the request" ends: the worker's life. Clients make
 * names up, so from now on a name that is known is shared, and any other is its request's own. (OPcache has always done
 * the same.) */
static void stop_interning_names(void)
{
	zend_string_init_interned = zend_string_init_existing_interned;
}

static zend_auto_global *rebuilt[6];
static zend_module_entry *filter;

/* Where PHP keeps them, as long as the process lives. */
static void find_what_is_rebuilt(void)
{
	static const char *const names[] = {"_GET", "_POST", "_COOKIE", "_FILES", "_SERVER", "_REQUEST"};

	_Static_assert(sizeof(names) / sizeof(names[0]) == sizeof(rebuilt) / sizeof(rebuilt[0]), "each has a place");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		rebuilt[i] = zend_hash_str_find_ptr(CG(auto_globals), names[i], strlen(names[i]));
	}
	filter = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("filter"));
}

static void drop_template(void)
{
	if (spare) {
		zend_array_release(spare);
		spare = NULL;
	}
	if (template) {
		zend_array_release(template);
		template = NULL;
	}
	zval_ptr_dtor(&boot_environment);
	ZVAL_UNDEF(&boot_environment);
}

static void make_template(HashTable *boot)
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

/* Called when the application has booted: what its boot put into $_SERVER and $_ENV (a .env file's values, say)
 * every request sees, as if it had booted for that request. */
void weft_sapi_boot_superglobals(void)
{
	zval *server = global(ZEND_STRL("_SERVER"));
	zval *environment = global(ZEND_STRL("_ENV"));

	stop_interning_names();
	find_what_is_rebuilt();
	global(ZEND_STRL("_REQUEST"));
	drop_template();
	if (environment) {
		ZVAL_COPY(&boot_environment, environment);
	}
	make_template(server ? Z_ARRVAL_P(server) : (HashTable *) &zend_empty_array);
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

/* "Accept-Language" is HTTP_ACCEPT_LANGUAGE. A name that is kept lives as long as the process; any other is the
 * request's own, in the request's memory: its $_SERVER frees it. */
static zend_string *header_key(const char *name, size_t length)
{
	char upper[LONGEST_NAME + sizeof("HTTP_")] = "HTTP_";
	zend_string *key;

	if (length > LONGEST_NAME) {
		return NULL;
	}
	key = zend_hash_str_find_ptr(&header_keys, name, length);
	if (key) {
		return key;
	}
	for (size_t i = 0; i < length; i++) {
		char c = name[i];
		if (c != '-' && !isalnum((unsigned char) c)) {
			return NULL; /* "X_Forwarded.For" would pass for "X-Forwarded-For", which a proxy had cleaned */
		}
		upper[5 + i] = c == '-' ? '_' : (char) toupper((unsigned char) c);
	}
	if (length == 5 && memcmp(upper, "HTTP_PROXY", 10) == 0) {
		return NULL;
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

static void put_header(HashTable *table, const weft_http_request *request, const weft_parser_header *header)
{
	zend_string *key = header_key(request->head + header->name, header->name_length);
	const char *value = request->head + header->value;
	zval *there, string;

	if (!key) {
		return;
	}
	there = zend_hash_find(table, key);
	if (there && Z_TYPE_P(there) == IS_STRING) {
		const char *separator = zend_string_equals_literal(key, "HTTP_COOKIE") ? "; " : ", ";
		ZVAL_STR(&string,
			zend_string_concat3(Z_STRVAL_P(there), Z_STRLEN_P(there), separator, 2, value, header->value_length));
	} else {
		ZVAL_STRINGL_FAST(&string, value, header->value_length);
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

static void put_port(HashTable *table, key key, uint16_t port)
{
	zval number;

	ZVAL_STR(&number, zend_long_to_str(port));
	put(table, key, &number);
}

static void put_interned(HashTable *table, key key, zend_string *value)
{
	zval string;

	ZVAL_INTERNED_STR(&string, value);
	put(table, key, &string);
}

/* Whether it has what the template has, from this number on up to that: ext/phar changes it. */
static bool has_of_template(const HashTable *table, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		const zval *value = &table->arData[i].val, *first = &template->arData[i].val;

		if (Z_TYPE_INFO_P(value) != Z_TYPE_INFO_P(first) || Z_LVAL_P(value) != Z_LVAL_P(first)) {
			return false;
		}
	}
	return true;
}

/* The request is over. PHP code writes into copies of it, so when nobody else has it, it is as it was built. */
static void keep_spare(zval *server)
{
	HashTable *table = Z_TYPE_P(server) == IS_ARRAY ? Z_ARRVAL_P(server) : NULL;

	if (!table || !template || spare || GC_REFCOUNT(table) != 1 || table->nNumUsed < template->nNumUsed ||
		!has_of_template(table, 0, KEY_REQUEST_METHOD) || !has_of_template(table, KEYS_OF_ALL, template->nNumUsed)) {
		return;
	}
	while (table->nNumUsed > template->nNumUsed) {
		zend_hash_del_bucket(table, &table->arData[table->nNumUsed - 1]);
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

void weft_sapi_server_variables(zval *array)
{
	const weft_http_request *request = SG(server_context);
	const weft_parser *parser;
	const char *content_type;
	HashTable *table;

	if (!request || !template) {
		php_import_environment_variables(array);
		return;
	}
	parser = &request->parser;
	zval_ptr_dtor(array);
	table = new_server();
	ZVAL_ARR(array, table);
	for (uint32_t i = 0; i < parser->header_count; i++) {
		put_header(table, request, &parser->headers[i]);
	}
	if (request->script.file) {
		put_script(table, &request->script);
	}
	put_interned(table, KEY_REQUEST_METHOD, method_names[parser->llhttp.method]);
	put_interned(table, KEY_SERVER_PROTOCOL, protocols[parser->minor & 1]);
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

/* ext/filter adds each variable that is imported to its own copies of the input. */
static void drop_filter_input(void)
{
	if (filter && filter->request_shutdown_func) {
		filter->request_shutdown_func(filter->type, filter->module_number);
	}
}

/* What php_hash_environment() does, without its laziness: code that names $_SERVER is compiled already, and would
 * not make it be built again. */
void weft_sapi_build_superglobals(weft_http_request *request)
{
	memset(PG(http_globals), 0, sizeof(PG(http_globals)));
	for (size_t i = 0; i < sizeof(rebuilt) / sizeof(rebuilt[0]); i++) {
		if (rebuilt[i] && rebuilt[i]->auto_global_callback) {
			rebuilt[i]->armed = rebuilt[i]->auto_global_callback(rebuilt[i]->name);
		}
	}
	if (!weft_c_input_filter(&PG(http_globals)[TRACK_VARS_SERVER])) {
		drop_filter_input(); /* rather none than another request's */
	}
	if (Z_TYPE(boot_environment) == IS_ARRAY) {
		zval environment;
		ZVAL_COPY(&PG(http_globals)[TRACK_VARS_ENV], &boot_environment);
		ZVAL_COPY(&environment, &boot_environment);
		zend_hash_str_update_ind(&EG(symbol_table), ZEND_STRL("_ENV"), &environment);
	}
}

void weft_sapi_drop_superglobals(void)
{
	drop_filter_input();
	keep_spare(&PG(http_globals)[TRACK_VARS_SERVER]);
	for (int i = 0; i < NUM_TRACK_VARS; i++) {
		zval_ptr_dtor(&PG(http_globals)[i]);
		ZVAL_UNDEF(&PG(http_globals)[i]);
	}
}

void weft_superglobals_rshutdown(void)
{
	drop_template();
}
