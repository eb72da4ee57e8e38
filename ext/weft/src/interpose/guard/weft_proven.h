/*
 * The modules that may be left in the middle of a call and entered again by another coroutine. Each with the test that
 * shows it, and where that is a checked property of its code, with the reason. A module that neither waits nor calls
 * PHP code is never left in any case: to call it proven only spares its calls the counter.
 */
#ifndef WEFT_PROVEN_H
#define WEFT_PROVEN_H

#define WEFT_COMPUTES "neither waits nor calls PHP code that could"
#define WEFT_STREAMS "what it reads from a stream is kept in the call or its object"
#define WEFT_OWN_STATE "what it keeps for all belongs to the request or the coroutine (docs/internals/engine-state.md)"
#define WEFT_CONNECTION "what it keeps belongs to a connection, and that to one request"

/* name in lower case, reason, test */
#define WEFT_PROVEN_MODULES(_) \
	_("bcmath", WEFT_COMPUTES, "c_state/ini.phpt") \
	_("calendar", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("core", WEFT_OWN_STATE, "engine_state/callbacks.phpt") \
	_("ctype", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("curl", WEFT_CONNECTION, "interpose/curl.phpt") \
	_("date", WEFT_OWN_STATE, "c_state/last_errors.phpt") \
	_("dom", WEFT_STREAMS, "guard/xml.phpt") \
	_("filter", WEFT_OWN_STATE, "engine_state/callbacks.phpt") \
	_("gettext", WEFT_COMPUTES, "isolation/process_state.phpt") \
	_("hash", WEFT_STREAMS, "isolation/hidden_hash.phpt") \
	_("iconv", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("igbinary", "its list of what was seen is the call's", "guard/igbinary.phpt") \
	_("intl", WEFT_OWN_STATE, "engine_state/collator.phpt") \
	_("json", WEFT_OWN_STATE, "engine_state/last_errors.phpt") \
	_("lexbor", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("libxml", WEFT_OWN_STATE, "c_state/libxml.phpt") \
	_("mbstring", WEFT_OWN_STATE, "c_state/mbregex.phpt") \
	_("memcached", WEFT_CONNECTION, "handles/memcached.phpt") \
	_("mysqli", WEFT_CONNECTION, "handles/mysqli.phpt") \
	_("mysqlnd", WEFT_CONNECTION, "interpose/pdo-mysql.phpt") \
	_("openssl", WEFT_CONNECTION, "interpose/http-stream.phpt") \
	_("pcntl", WEFT_OWN_STATE, "c_state/signals.phpt") \
	_("pcre", WEFT_OWN_STATE, "engine_state/callbacks.phpt") \
	_("pdo", WEFT_CONNECTION, "pdo/among_others.phpt") \
	_("pdo_mysql", WEFT_CONNECTION, "interpose/pdo-mysql.phpt") \
	_("pdo_pgsql", WEFT_CONNECTION, "interpose/pdo-pgsql.phpt") \
	_("pdo_sqlite", WEFT_CONNECTION, "pdo/sqlite_busy.phpt") \
	_("pgsql", WEFT_CONNECTION, "c_state/pgsql.phpt") \
	_("posix", WEFT_COMPUTES, "c_state/last_errors.phpt") \
	_("random", WEFT_COMPUTES, "isolation/hidden_random.phpt") \
	_("redis", WEFT_CONNECTION, "interpose/redis.phpt") \
	_("reflection", WEFT_OWN_STATE, "engine_state/callbacks.phpt") \
	_("session", WEFT_OWN_STATE, "locks/sessions.phpt") \
	_("shmop", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("simplexml", WEFT_STREAMS, "guard/xml.phpt") \
	_("sockets", WEFT_CONNECTION, "interpose/connect-and-accept.phpt") \
	_("sodium", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("spl", WEFT_OWN_STATE, "engine_state/error_handling.phpt") \
	_("standard", WEFT_OWN_STATE, "engine_state/callbacks.phpt") \
	_("sysvmsg", "its queues belong to the kernel", "interpose/locks.phpt") \
	_("sysvsem", "its semaphores belong to the kernel", "interpose/locks.phpt") \
	_("sysvshm", WEFT_OWN_STATE, "guard/kinds.phpt") \
	_("tokenizer", "its functions that call PHP code are in weft_never_left.c", "engine_state/scanner.phpt") \
	_("uri", WEFT_COMPUTES, "guard/kinds.phpt") \
	_("weft", "Weft itself", "coroutine/sleeps-in-order.phpt") \
	_("xml", "its parser is an object's, and so is the place in the text", "guard/xml.phpt") \
	_("xmlreader", WEFT_STREAMS, "guard/xml.phpt") \
	_("xmlwriter", WEFT_STREAMS, "guard/xml.phpt") \
	_("zend opcache", WEFT_OWN_STATE, "classic/opcache_while_others_run.phpt") \
	_("zlib", WEFT_OWN_STATE, "c_state/output_handlers.phpt")

#endif /* WEFT_PROVEN_H */
