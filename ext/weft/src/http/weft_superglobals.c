/*
 * The superglobals, built anew for every request.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"
#include "domain/weft_domain.h"
#include "globals/weft_c_state.h"

#include "SAPI.h"
#include "main/php_main.h"
#include "main/php_variables.h"
#include "zend_hash.h"

static zval boot_environment;

/* --- before the first request --- */

static zval *variable(const char *name)
{
	zval *value = zend_hash_str_find_ind(&EG(symbol_table), name, strlen(name));

	if (value) {
		ZVAL_DEREF(value);
	}
	return value && Z_TYPE_P(value) == IS_ARRAY ? value : NULL;
}

static zval *global(const char *name, size_t length)
{
	zend_is_auto_global_str(name, length); /* builds it when nobody has asked for it yet */
	return variable(name);
}

/* PHP interns the names of variables that a request brings, until "the request" ends: the worker's life. Clients make
 * names up, so from now on a name that is known is shared, and any other is its request's own. (OPcache has always done
 * the same.) */
static void stop_interning_names(void)
{
	zend_string_init_interned = zend_string_init_existing_interned;
}

typedef enum { BUILT_GET, BUILT_POST, BUILT_COOKIE, BUILT_FILES, BUILT_SERVER, BUILT_REQUEST, BUILT } built;

#define SET(which) (1u << (which))

static const char *const built_names[BUILT] = {"_GET", "_POST", "_COOKIE", "_FILES", "_SERVER", "_REQUEST"};
static const int tracked[BUILT] = {TRACK_VARS_GET, TRACK_VARS_POST, TRACK_VARS_COOKIE, TRACK_VARS_FILES,
	TRACK_VARS_SERVER, -1};

static zend_auto_global *rebuilt[BUILT];
static zend_module_entry *filter;

/* Where PHP keeps them, as long as the process lives. */
static void find_what_is_rebuilt(void)
{
	for (built i = 0; i < BUILT; i++) {
		rebuilt[i] = zend_hash_str_find_ptr(CG(auto_globals), built_names[i], strlen(built_names[i]));
	}
	filter = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("filter"));
}

/* What a request finds in the base's place of them, before anything is built: it need not be built anew where that is
 * the same. */
static bool known_what_base_has, base_has_environment;
static uint32_t base_has_none;

static void look_what_base_has(void)
{
	const zval *environment = variable("_ENV");

	base_has_none = 0;
	for (built i = 0; i < BUILT; i++) {
		const zval *value = variable(built_names[i]);

		if (value && zend_hash_num_elements(Z_ARRVAL_P(value)) == 0) {
			base_has_none |= SET(i);
		}
	}
	base_has_environment = environment && Z_TYPE(boot_environment) == IS_ARRAY &&
		Z_ARR_P(environment) == Z_ARR(boot_environment);
	known_what_base_has = true;
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
	weft_server_variables_forget();
	zval_ptr_dtor(&boot_environment);
	ZVAL_UNDEF(&boot_environment);
	if (environment) {
		ZVAL_COPY(&boot_environment, environment);
	}
	known_what_base_has = false;
	weft_server_variables_boot(server ? Z_ARRVAL_P(server) : (HashTable *) &zend_empty_array);
}

/* --- a request's --- */

/* ext/filter adds each variable that is imported to its own copies of the input. */
static void drop_filter_input(void)
{
	if (filter && filter->request_shutdown_func) {
		filter->request_shutdown_func(filter->type, filter->module_number);
	}
}

/* Those in which there is something that the client has sent. */
static uint32_t sent(const weft_http_request *request)
{
	uint32_t set = SET(BUILT_SERVER);

	if (request->query[0]) {
		set |= SET(BUILT_GET) | SET(BUILT_REQUEST);
	}
	if (request->cookies) {
		set |= SET(BUILT_COOKIE) | SET(BUILT_REQUEST);
	}
	if (request->parser.llhttp.method == HTTP_POST) {
		set |= SET(BUILT_POST) | SET(BUILT_FILES) | SET(BUILT_REQUEST);
	}
	return set;
}

/* Those of which the base's variable is in place, and the request's is as empty: they stay. */
static uint32_t that_stay(const weft_http_request *request)
{
	if (request->script.file || !weft_snapshot_taken()) {
		return 0;
	}
	if (UNEXPECTED(!known_what_base_has)) {
		look_what_base_has();
	}
	return base_has_none & ~sent(request);
}

static void build(built which)
{
	zend_auto_global *global = rebuilt[which];

	if (which == BUILT_SERVER && global && weft_server_variables_build(&PG(http_globals)[TRACK_VARS_SERVER])) {
		zval *server = &PG(http_globals)[TRACK_VARS_SERVER];

		zend_hash_update(&EG(symbol_table), global->name, server);
		Z_ADDREF_P(server);
		global->armed = false;
	} else if (global && global->auto_global_callback) {
		global->armed = global->auto_global_callback(global->name);
	}
}

/* What php_hash_environment() does, without its laziness: code that names $_SERVER is compiled already, and would
 * not make it be built again. */
void weft_sapi_build_superglobals(weft_http_request *request)
{
	bool apart = request->script.file || !weft_snapshot_taken();
	uint32_t stay = that_stay(request);

	memset(PG(http_globals), 0, sizeof(PG(http_globals)));
	for (built i = 0; i < BUILT; i++) {
		if (!(stay & SET(i))) {
			build(i);
		} else if (tracked[i] >= 0) {
			ZVAL_EMPTY_ARRAY(&PG(http_globals)[tracked[i]]);
		}
	}
	if (!weft_c_input_filter(&PG(http_globals)[TRACK_VARS_SERVER])) {
		drop_filter_input(); /* rather none than another request's */
	}
	if (Z_TYPE(boot_environment) == IS_ARRAY) {
		zval environment;
		ZVAL_COPY(&PG(http_globals)[TRACK_VARS_ENV], &boot_environment);
		if (apart || !base_has_environment) {
			ZVAL_COPY(&environment, &boot_environment);
			zend_hash_str_update_ind(&EG(symbol_table), ZEND_STRL("_ENV"), &environment);
		}
	}
}

/* What is left of them is zeros, as a new domain has it: so there is nothing to be moved when this one is left. */
void weft_sapi_drop_superglobals(void)
{
	if (!weft_c_input_filter(NULL)) {
		drop_filter_input();
	}
	weft_server_variables_keep(&PG(http_globals)[TRACK_VARS_SERVER]);
	for (int i = 0; i < NUM_TRACK_VARS; i++) {
		zval_ptr_dtor(&PG(http_globals)[i]);
	}
	memset(PG(http_globals), 0, sizeof(PG(http_globals)));
}

void weft_superglobals_rshutdown(void)
{
	weft_server_variables_forget();
	zval_ptr_dtor(&boot_environment);
	ZVAL_UNDEF(&boot_environment);
}
