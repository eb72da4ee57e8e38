/*
 * What a request tells the operating system and the C library about the process: signal handlers and alarms, the
 * message domain of gettext, the log.
 */
#include "isolation/weft_c_state.h"
#include "coroutine/weft_coroutine.h"
#include "zend_exceptions.h"
#include <libintl.h>
#include <syslog.h>

static void nothing_fresh(void *saved)
{
}

/* --- signals. They come to the process: a handler stays installed while its domain lives, and runs in whichever is in
 * place when the signal comes. At the domain's end all is as before. --- */

typedef struct {
	zval *handlers; /* pairs: a signal's number, and its handler before */
	uint32_t used;
	bool alarm;
	bool async_changed;
	bool async; /* before */
} signal_state;

static signal_state own_signals;
static zif_handler plain_signal, plain_alarm, plain_async;
static bool putting_back;

static bool is_to_note(void)
{
	return weft_domain_in_place && !putting_back;
}

static bool noted(zend_long number)
{
	for (uint32_t i = 0; i < own_signals.used; i++) {
		if (Z_LVAL(own_signals.handlers[2 * i]) == number) {
			return true;
		}
	}
	return false;
}

static void note_handler(zval *number)
{
	zval *pair;

	if (Z_TYPE_P(number) != IS_LONG || noted(Z_LVAL_P(number))) {
		return;
	}
	own_signals.handlers = safe_perealloc(own_signals.handlers, own_signals.used + 1, 2 * sizeof(zval), 0, 1);
	pair = &own_signals.handlers[2 * own_signals.used++];
	ZVAL_COPY_VALUE(&pair[0], number);
	weft_c_call("pcntl_signal_get_handler", &pair[1], 1, number);
	zend_clear_exception(); /* of a number that is none; the call itself throws it again */
	if (Z_ISUNDEF(pair[1])) {
		own_signals.used--;
	}
}

static ZEND_FUNCTION(weft_pcntl_signal)
{
	if (is_to_note() && ZEND_NUM_ARGS() > 0) {
		note_handler(ZEND_CALL_ARG(execute_data, 1));
	}
	plain_signal(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_pcntl_alarm)
{
	own_signals.alarm |= is_to_note();
	plain_alarm(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_pcntl_async_signals)
{
	bool sets = ZEND_NUM_ARGS() > 0 && Z_TYPE_P(ZEND_CALL_ARG(execute_data, 1)) != IS_NULL;

	plain_async(INTERNAL_FUNCTION_PARAM_PASSTHRU);
	if (is_to_note() && sets && !own_signals.async_changed) {
		own_signals.async_changed = true;
		own_signals.async = Z_TYPE_P(return_value) == IS_TRUE;
	}
}

static void put_signals_back(signal_state *state)
{
	zval value;

	putting_back = true;
	for (uint32_t i = 0; i < state->used; i++) {
		weft_c_call("pcntl_signal", NULL, 2, &state->handlers[2 * i]);
		zval_ptr_dtor(&state->handlers[2 * i + 1]);
	}
	if (state->alarm) {
		ZVAL_LONG(&value, 0);
		weft_c_call("pcntl_alarm", NULL, 1, &value);
	}
	if (state->async_changed) {
		ZVAL_BOOL(&value, state->async);
		weft_c_call("pcntl_async_signals", NULL, 1, &value);
	}
	putting_back = false;
	free(state->handlers);
	memset(state, 0, sizeof(*state));
}

static void signals_leave(void *saved)
{
	*(signal_state *) saved = own_signals;
	memset(&own_signals, 0, sizeof(own_signals));
}

static void signals_enter(void *saved)
{
	own_signals = *(signal_state *) saved;
	memset(saved, 0, sizeof(own_signals));
}

static void signals_finish(void)
{
	signal_state state = own_signals;

	memset(&own_signals, 0, sizeof(own_signals));
	put_signals_back(&state);
}

static void signals_discard(void *saved)
{
	put_signals_back(saved);
}

const weft_c_item weft_c_signals = {
	.name = "signals",
	.size = sizeof(signal_state),
	.fresh = nothing_fresh,
	.leave = signals_leave,
	.enter = signals_enter,
	.finish = signals_finish,
	.discard = signals_discard,
};

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
	.fresh = nothing_fresh,
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
	return (log_state) {log->name ? strdup(log->name) : NULL, log->options, log->facility};
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

		own_log = (log_state) {strdup(Z_STRVAL(arguments[0])), zval_get_long(&arguments[1]), zval_get_long(&arguments[2])};
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

void weft_c_signals_minit(void)
{
	plain_signal = weft_c_wrap("pcntl_signal", zif_weft_pcntl_signal);
	plain_alarm = weft_c_wrap("pcntl_alarm", zif_weft_pcntl_alarm);
	plain_async = weft_c_wrap("pcntl_async_signals", zif_weft_pcntl_async_signals);
	plain_openlog = weft_c_wrap("openlog", zif_weft_openlog);
	plain_closelog = weft_c_wrap("closelog", zif_weft_closelog);
}
