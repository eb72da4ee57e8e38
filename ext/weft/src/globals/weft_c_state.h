/*
 * State that belongs to a domain but lives in C globals of the engine and its extensions.
 */
#ifndef WEFT_C_STATE_H
#define WEFT_C_STATE_H

#include "php.h"
#include "php_streams.h"

/* One kind of state. While no domain is in place every item is as the base has it, or will be overwritten by
 * the next enter. */
typedef struct {
	const char *name;
	size_t size; /* of what a domain saves */
	/* After the capture: how much more a domain saves, and where that lies, counted from its state on. NULL: nothing */
	size_t (*more)(size_t place);
	void (*capture)(void);            /* remembers the base's state; may be NULL */
	void (*fresh)(void *saved);       /* fills in what a new domain starts with; NULL: zeros */
	void (*leave)(void *saved);       /* moves the live state away */
	void (*leave_again)(void *saved); /* the same, when nothing has changed since it was entered; NULL: leave */
	void (*enter)(void *saved);       /* makes it live; NULL: nothing to do */
	void (*finish)(void);         /* the domain in place ends: release what is live; may be NULL; may run PHP code */
	void (*discard)(void *saved); /* frees what is left of a domain that is not in place; may be NULL */
	void (*again)(void *saved);   /* discard and fresh at once; NULL: those. Items that have it come first */
	void (*renew)(void *saved);   /* leave, discard, fresh and enter at once; NULL: those */
	void (*forget)(void);         /* the opposite of capture; may be NULL */
} weft_c_item;

/* weft_spans.c: most of it */
extern const weft_c_item weft_c_spans;
/* weft_c_input.c */
/* Gives filter_input() this $_SERVER; NULL: takes all away that it has. False when its copies can't be reached: then no
 * request may leave any behind. */
bool weft_c_input_filter(const zval *server);
/* weft_c_ini.c */
extern const weft_c_item weft_c_ini;
/* weft_c_process.c */
extern const weft_c_item weft_c_stat_cache, weft_c_timezone, weft_c_locale, weft_c_umask, weft_c_directory;
void weft_c_process_wrap(void);
/* The domain in place works there, as after chdir(). */
void weft_c_directory_enter(const char *directory);
/* weft_c_environment.c */
extern const weft_c_item weft_c_environment;
void weft_c_environment_wrap(void);
/* weft_c_callbacks.c */
extern const weft_c_item weft_c_assertions;
void weft_c_callbacks_wrap(void);
/* weft_c_registered.c: among the spans */
void weft_c_registered_wrap(void);
void weft_c_registered_forget(void);
/* weft_c_private.c: among the spans */
/* In the first request, before there is any. */
void weft_c_private_rinit(void);
/* weft_c_resources.c */
void weft_c_resources_rinit(void);
bool weft_c_autoloaders_found(void);
bool weft_c_directory_found(void);
/* weft_c_signals.c */
extern const weft_c_item weft_c_signals;
void weft_c_signals_wrap(void);
/* The handler that the process has now for a signal stays, and hears it, whatever requests do with the signal. */
void weft_c_signals_reserve(int number);
/* The handler that the process has now for a signal comes back whenever no request has one of its own, so that the
 * signal never has its default action, which would end the process. Requests may block it, and wait for it. */
void weft_c_signals_keep(int number);
/* Whether the signal spares this process: PHP code handles it, it is ignored, or it is one of those that are kept. */
bool weft_c_signals_handled(int number);
/* weft_c_messages.c */
extern const weft_c_item weft_c_text_domain, weft_c_syslog;
void weft_c_messages_wrap(void);
/* weft_c_extensions.c */
extern const weft_c_item weft_c_random, weft_c_detect_order;

/* For a floor above: one more kind, put in place after those of this room. From MINIT. */
void weft_c_state_add(const weft_c_item *item);
/* Replaces the PHP functions and hooks that tell of changes. */
void weft_c_state_rinit(void);
/* The base's state as it is now becomes what domains start with. */
void weft_c_state_capture(void);
bool weft_c_state_captured(void);
void weft_c_state_forget(void);
/* Room for a domain's state, filled with what a new domain starts with. */
void *weft_c_state_new(void);
/* Room for the state of a domain that is in place: to be left before it is entered. */
void *weft_c_state_new_in_place(void);
void weft_c_state_leave(void *state);
/* The same, when nothing can have changed since it was entered. */
void weft_c_state_leave_again(void *state);
void weft_c_state_enter(void *state);
void weft_c_state_finish(void);
void weft_c_state_free(void *state);
/* Of the domain in place: as if it had been left and freed, and another had been made and entered. */
void weft_c_state_renew(void *state);

/* Calls a PHP function of C without arguments checked by anybody; result may be NULL. */
void weft_c_call(const char *name, zval *result, uint32_t count, zval *arguments);

#endif /* WEFT_C_STATE_H */
