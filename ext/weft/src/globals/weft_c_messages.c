/*
 * Where a request's messages come from and go to: the message domain of gettext, the log.
 */
#include "globals/weft_c_state.h"
#include "coroutine/weft_wrap.h"
#include <libintl.h>
#include <syslog.h>

/* --- gettext's domain of messages --- */

static char *base_text_domain;

static void text_domain_forget(void)
{
	free(base_text_domain);
	base_text_domain = NULL;
}

static void text_domain_capture(void)
{
	text_domain_forget();
	base_text_domain = strdup(textdomain(NULL));
}

static void text_domain_leave(void *saved)
{
	const char *now = textdomain(NULL);

	if (UNEXPECTED(strcmp(now, base_text_domain) != 0)) {
		*(char **) saved = strdup(now);
		textdomain(base_text_domain);
	}
}

static void text_domain_enter(void *saved)
{
	char **own = saved;

	if (UNEXPECTED(*own)) {
		textdomain(*own);
		free(*own);
		*own = NULL;
	}
}

static void text_domain_discard(void *saved)
{
	free(*(char **) saved);
}

const weft_c_item weft_c_text_domain = {
	.name = "text domain",
	.size = sizeof(char *),
	.capture = text_domain_capture,
	.leave = text_domain_leave,
	.enter = text_domain_enter,
	.discard = text_domain_discard,
	.forget = text_domain_forget,
};

/* --- openlog() --- */

typedef struct {
	char *name; /* NULL: not opened */
	zend_long options;
	zend_long facility;
} log_state;

static log_state own_log, base_log;
static zif_handler plain_openlog, plain_closelog;

static log_state copy_of_log(const log_state *log)
{
	return (log_state){log->name ? strdup(log->name) : NULL, log->options, log->facility};
}

/* The C library keeps the pointer to the name. */
static void open_log(const log_state *log)
{
	closelog();
	if (log->name) {
		openlog(log->name, (int) log->options, (int) log->facility);
	}
	PG(have_called_openlog) = log->name != NULL;
}

static ZEND_FUNCTION(weft_openlog)
{
	zval *arguments = ZEND_CALL_ARG(execute_data, 1);

	plain_openlog(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (Z_TYPE_P(return_value) == IS_TRUE && Z_TYPE(arguments[0]) == IS_STRING) {
		char *name = own_log.name;

		own_log = (log_state){strdup(Z_STRVAL(arguments[0])), zval_get_long(&arguments[1]),
			zval_get_long(&arguments[2])};
		open_log(&own_log);
		free(name);
	}
}

static ZEND_FUNCTION(weft_closelog)
{
	plain_closelog(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	free(own_log.name);
	own_log.name = NULL;
}

static void log_capture(void)
{
	free(base_log.name);
	base_log = copy_of_log(&own_log);
}

static void log_fresh(void *saved)
{
	*(log_state *) saved = copy_of_log(&base_log);
}

static void log_leave(void *saved)
{
	*(log_state *) saved = own_log;
	if (UNEXPECTED(own_log.name)) {
		closelog();
		PG(have_called_openlog) = false;
		own_log.name = NULL;
	}
}

static void log_enter(void *saved)
{
	own_log = *(log_state *) saved;
	if (UNEXPECTED(own_log.name)) {
		open_log(&own_log);
	}
}

static void log_discard(void *saved)
{
	free(((log_state *) saved)->name);
}

static void log_forget(void)
{
	free(base_log.name);
	base_log.name = NULL;
}

const weft_c_item weft_c_syslog = {
	.name = "log",
	.size = sizeof(log_state),
	.capture = log_capture,
	.fresh = log_fresh,
	.leave = log_leave,
	.enter = log_enter,
	.discard = log_discard,
	.forget = log_forget,
};

void weft_c_messages_wrap(void)
{
	plain_openlog = weft_wrap("standard", NULL, "openlog", zif_weft_openlog);
	plain_closelog = weft_wrap("standard", NULL, "closelog", zif_weft_closelog);
}
