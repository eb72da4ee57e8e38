/*
 * The classes whose objects are handles of connections and of libraries, and the functions that shape one: what a
 * stand-in must be told again to be what the boot has made of the handle.
 */
#include "handles/weft_handles_internal.h"
#include "coroutine/weft_wrap.h"

static const weft_handle_class classes[] = {
	{"Redis", WEFT_HANDLE_REPLAYED, true},
	{"mysqli", WEFT_HANDLE_REPLAYED, true},
	{"PgSql\\Connection", WEFT_HANDLE_REPLAYED, true},
	{"Memcached", WEFT_HANDLE_REPLAYED, true},
	{"CurlHandle", WEFT_HANDLE_COPIED, false},
	{"CurlMultiHandle", WEFT_HANDLE_REPLAYED, false},
	{"CurlShareHandle", WEFT_HANDLE_REPLAYED, false},

	{"RedisArray", WEFT_HANDLE_REFUSED, false},
	{"RedisCluster", WEFT_HANDLE_REFUSED, false},
	{"RedisSentinel", WEFT_HANDLE_REFUSED, false},
	{"mysqli_stmt", WEFT_HANDLE_REFUSED, false},
	{"mysqli_result", WEFT_HANDLE_REFUSED, false},
	{"PgSql\\Result", WEFT_HANDLE_REFUSED, false},
	{"PgSql\\Lob", WEFT_HANDLE_REFUSED, false},
	{"Memcache", WEFT_HANDLE_REFUSED, false},
	{"AMQPConnection", WEFT_HANDLE_REFUSED, false},
	{"AMQPChannel", WEFT_HANDLE_REFUSED, false},
	{"AMQPExchange", WEFT_HANDLE_REFUSED, false},
	{"AMQPQueue", WEFT_HANDLE_REFUSED, false},
	{"MongoDB\\Driver\\Manager", WEFT_HANDLE_REFUSED, false},
	{"MongoDB\\Driver\\Server", WEFT_HANDLE_REFUSED, false},
	{"MongoDB\\Driver\\Session", WEFT_HANDLE_REFUSED, false},
	{"MongoDB\\Driver\\Cursor", WEFT_HANDLE_REFUSED, false},
	{"Socket", WEFT_HANDLE_REFUSED, false},
	{"FTP\\Connection", WEFT_HANDLE_REFUSED, false},
	{"IMAP\\Connection", WEFT_HANDLE_REFUSED, false},
	{"LDAP\\Connection", WEFT_HANDLE_REFUSED, false},
	{"LDAP\\Result", WEFT_HANDLE_REFUSED, false},
	{"SNMP", WEFT_HANDLE_REFUSED, false},
	{"SQLite3", WEFT_HANDLE_REFUSED, false},
	{"SQLite3Stmt", WEFT_HANDLE_REFUSED, false},
	{"SQLite3Result", WEFT_HANDLE_REFUSED, false},
	{"GearmanClient", WEFT_HANDLE_REFUSED, false},
	{"GearmanWorker", WEFT_HANDLE_REFUSED, false},
	{"RdKafka", WEFT_HANDLE_REFUSED, false},
};

/* Names are in lower case. The class is NULL for functions. */
static const struct {
	const char *module, *class, *function;
	weft_handle_shaping shaping;
} shaping[] = {
	{"redis", "redis", "__construct", WEFT_SHAPES_ANEW},
	{"redis", "redis", "connect", WEFT_SHAPES_ANEW},
	{"redis", "redis", "open", WEFT_SHAPES_ANEW},
	{"redis", "redis", "pconnect", WEFT_SHAPES_ANEW},
	{"redis", "redis", "popen", WEFT_SHAPES_ANEW},
	{"redis", "redis", "auth", WEFT_SHAPES_ONCE},
	{"redis", "redis", "select", WEFT_SHAPES_ONCE},
	{"redis", "redis", "setoption", WEFT_SHAPES_KEYED},
	{"redis", "redis", "client", WEFT_SHAPES_CLIENT},

	{"mysqli", "mysqli", "__construct", WEFT_SHAPES_ANEW},
	{"mysqli", "mysqli", "init", WEFT_SHAPES_ANEW},
	{"mysqli", "mysqli", "connect", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "real_connect", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "options", WEFT_SHAPES_KEYED},
	{"mysqli", "mysqli", "set_opt", WEFT_SHAPES_KEYED},
	{"mysqli", "mysqli", "ssl_set", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "set_charset", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "select_db", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "change_user", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "autocommit", WEFT_SHAPES_ONCE},
	{"mysqli", "mysqli", "query", WEFT_SHAPES_STATEMENT},
	{"mysqli", "mysqli", "real_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", "mysqli", "multi_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", "mysqli", "execute_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", "mysqli", "close", WEFT_SHAPES_CLOSED},
	{"mysqli", NULL, "mysqli_init", WEFT_SHAPES_ANEW},
	{"mysqli", NULL, "mysqli_connect", WEFT_SHAPES_ANEW},
	{"mysqli", NULL, "mysqli_real_connect", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_options", WEFT_SHAPES_KEYED},
	{"mysqli", NULL, "mysqli_set_opt", WEFT_SHAPES_KEYED},
	{"mysqli", NULL, "mysqli_ssl_set", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_set_charset", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_select_db", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_change_user", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_autocommit", WEFT_SHAPES_ONCE},
	{"mysqli", NULL, "mysqli_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", NULL, "mysqli_real_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", NULL, "mysqli_multi_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", NULL, "mysqli_execute_query", WEFT_SHAPES_STATEMENT},
	{"mysqli", NULL, "mysqli_close", WEFT_SHAPES_CLOSED},

	{"pgsql", NULL, "pg_connect", WEFT_SHAPES_ANEW},
	{"pgsql", NULL, "pg_pconnect", WEFT_SHAPES_ANEW},
	{"pgsql", NULL, "pg_set_client_encoding", WEFT_SHAPES_ONCE},
	{"pgsql", NULL, "pg_setclientencoding", WEFT_SHAPES_ONCE},
	{"pgsql", NULL, "pg_set_error_verbosity", WEFT_SHAPES_ONCE},
#if PHP_VERSION_ID >= 80300
	{"pgsql", NULL, "pg_set_error_context_visibility", WEFT_SHAPES_ONCE},
#endif
	{"pgsql", NULL, "pg_query", WEFT_SHAPES_STATEMENT},
	{"pgsql", NULL, "pg_exec", WEFT_SHAPES_STATEMENT},
	{"pgsql", NULL, "pg_query_params", WEFT_SHAPES_STATEMENT},
	{"pgsql", NULL, "pg_prepare", WEFT_SHAPES_KEYED},
	{"pgsql", NULL, "pg_close", WEFT_SHAPES_CLOSED},

	{"memcached", "memcached", "__construct", WEFT_SHAPES_ANEW},
	{"memcached", "memcached", "addserver", WEFT_SHAPES_MORE},
	{"memcached", "memcached", "addservers", WEFT_SHAPES_MORE},
	{"memcached", "memcached", "resetserverlist", WEFT_SHAPES_MORE},
	{"memcached", "memcached", "setoption", WEFT_SHAPES_KEYED},
	{"memcached", "memcached", "setoptions", WEFT_SHAPES_MORE},
	{"memcached", "memcached", "setbucket", WEFT_SHAPES_ONCE},
	{"memcached", "memcached", "setsaslauthdata", WEFT_SHAPES_ONCE},
	{"memcached", "memcached", "setencodingkey", WEFT_SHAPES_ONCE},

	{"curl", NULL, "curl_multi_init", WEFT_SHAPES_ANEW},
	{"curl", NULL, "curl_multi_setopt", WEFT_SHAPES_KEYED},
	{"curl", NULL, "curl_multi_add_handle", WEFT_SHAPES_HOLDS},
	{"curl", NULL, "curl_multi_remove_handle", WEFT_SHAPES_LETS_GO},
	{"curl", NULL, "curl_share_init", WEFT_SHAPES_ANEW},
	{"curl", NULL, "curl_share_setopt", WEFT_SHAPES_MORE},
};

#define COUNT(list) (sizeof(list) / sizeof(list[0]))

const weft_handle_class *weft_handle_class_find(zend_class_entry *ce)
{
	for (ce = weft_internal_ancestor(ce); ce; ce = ce->parent) {
		for (size_t i = 0; i < COUNT(classes); i++) {
			if (zend_string_equals_cstr(ce->name, classes[i].name, strlen(classes[i].name))) {
				return &classes[i];
			}
		}
	}
	return NULL;
}

const weft_handle_class *weft_handle_class_of(const zend_object *object)
{
	return weft_handle_class_find(object->ce);
}

static bool is_named(const zend_string *name, const char *known)
{
	return zend_binary_strcasecmp(ZSTR_VAL(name), ZSTR_LEN(name), known, strlen(known)) == 0;
}

weft_handle_shaping weft_handle_shaping_of(const zend_function *function)
{
	const zend_module_entry *module = function->internal_function.module;
	const zend_class_entry *scope = function->common.scope;

	for (size_t i = 0; i < COUNT(shaping); i++) {
		if (!scope == !shaping[i].class && module && strcmp(module->name, shaping[i].module) == 0 &&
			is_named(function->common.function_name, shaping[i].function)) {
			return shaping[i].shaping;
		}
	}
	return WEFT_SHAPES_NOT;
}

void weft_handle_shaping_look(void)
{
	for (size_t i = 0; i < COUNT(shaping); i++) {
		/* Memcached is built without SASL as well */
		if (strcmp(shaping[i].function, "setsaslauthdata") != 0) {
			weft_wrap_find(shaping[i].module, shaping[i].class, shaping[i].function);
		}
	}
}

bool weft_handle_module(const zend_module_entry *module)
{
	for (size_t i = 0; i < COUNT(classes); i++) {
		char *name = zend_str_tolower_dup(classes[i].name, strlen(classes[i].name));
		const zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), name, strlen(name));

		efree(name);
		if (ce && ce->type == ZEND_INTERNAL_CLASS && ce->info.internal.module == module) {
			return true;
		}
	}
	return false;
}
