/*
 * Domains: what shares state. A request and all the coroutines it spawns are one domain.
 *
 * The base is the snapshot (weft_snapshot_take()). While a domain's values are in place, every slot that
 * differs from the base is that domain's own. weft_domain_enter() moves the dirty slots of the domain in place
 * into its private list, puts the base back, and lays the other domain's private values over it.
 */
#ifndef WEFT_DOMAIN_H
#define WEFT_DOMAIN_H

#include "php.h"
#include "domain/weft_histogram.h"

typedef struct weft_domain weft_domain;

typedef struct {
	uint32_t objects;           /* live objects in the base */
	uint32_t slots;             /* values compared at a switch */
	uint32_t shared_references; /* tracked through their inner value */
	uint64_t switches;          /* between domains */
	weft_histogram scans;  /* comparing all slots with the base: at switches and at a domain's end. Some are timed */
	uint64_t spared;       /* scans left out, because no PHP code had run since the one before */
	weft_histogram whole;  /* switches between domains, from beginning to end. Some are timed */
	uint64_t dirty;        /* slots moved, in all */
	uint64_t late_classes; /* classes and functions met after the snapshot */
	uint64_t tables;       /* domains that have declared something, and so got tables of their own */
} weft_isolation_stats;

/* Takes the snapshot: what exists now is the base. Once per process. False with an exception on failure. */
bool weft_snapshot_take(void);
bool weft_snapshot_taken(void);
/* Forgets the base and makes what exists now the new one. Only while the base is in place and no domain keeps
 * values. Statistics begin anew. */
bool weft_snapshot_take_again(void);
/* For floors that prepare something for it; before anything is recorded. May call PHP code. */
typedef void (*weft_snapshot_hook)(void);
void weft_snapshot_on_take(weft_snapshot_hook hook);
const weft_isolation_stats *weft_isolation_statistics(void);

/* A fresh domain that sees the base; one reference. Without a snapshot (isolation=off) a domain still has C-level
 * state of its own (output, headers, request info), but shares every PHP value. */
weft_domain *weft_domain_new(void);
/* For coroutines: a fresh domain; and one that sees nothing of the base. What the code of that declares, makes and
 * changes is a PHP request of its own, as under PHP-FPM (weft_php_request.h). */
void *weft_domain_begin(void);
void *weft_domain_begin_php_request(void);
void weft_domain_addref(weft_domain *domain);
/* On the stack on which it runs, what lies below this frame is not its own. */
void weft_domain_set_bottom(weft_domain *domain, const zend_execute_data *frame);
/* 1, 2, …; never used again. */
uint64_t weft_domain_id(const weft_domain *domain);
/* When it began, on the clock of weft_lately(). No two are the same, and who began later has the greater. */
uint64_t weft_domain_began(const weft_domain *domain);
/* How many have one: each coroutine that runs in it, and who called weft_domain_new(). */
uint32_t weft_domain_references(const weft_domain *domain);
/* The last reference frees what is left of it. */
void weft_domain_release(weft_domain *domain);

/* Puts this domain's state in place (NULL: the base). No-op when it is. Runs no PHP code. */
void weft_domain_enter(weft_domain *domain);

/* Nanoseconds that the code of the domain in place has computed. */
uint64_t weft_domain_cpu_time(void);
/* The same of any domain, until that time. */
uint64_t weft_domain_cpu_time_of(const weft_domain *domain, uint64_t now);

/* The coroutines that the code of a domain has spawned. The floor that spawns them counts them. */
typedef struct {
	uint32_t count; /* that have not ended */
	bool refused;   /* it may spawn no more */
	bool outlive;   /* their request is over, and they have time left: a worker waits for them before it ends */
} weft_domain_coroutines;
/* Of the domain in place, or of any; not of the base (NULL). To be counted on. */
weft_domain_coroutines *weft_domain_coroutines_of(weft_domain *domain);
/* weft_memory_charge() for a domain. */
void weft_domain_charge(weft_domain *domain, zend_long bytes);

/* What was asked of databases for a domain. The floors that ask count it, since those above want to tell. */
typedef struct {
	uint32_t count; /* statements that were sent */
	uint64_t time; /* nanoseconds that whoever sent them has waited, for a connection as well; not those who still do */
	uint32_t open; /* who still do */
	uint64_t begun; /* the times when those began, added up */
	uint32_t turns; /* how often it has stood in line for a connection */
} weft_domain_queries;
/* Of the domain in place, to be counted on. */
weft_domain_queries *weft_domain_queries_in_place(void);
/* The same of any domain, with the time of those who still wait. */
weft_domain_queries weft_domain_queries_of(const weft_domain *domain);
/* In that domain, and back in the one in place. C only: for what becomes one of its objects. */
void weft_domain_visit(weft_domain *domain, void (*visit)(void *arg), void *arg);

/* The domain in place is about to declare a function, a class or a constant: it gets tables of its own, unless it has
 * them, or an autoloader runs: the class that it looks for is everybody's, and nobody will ask it again. */
void weft_domain_needs_tables(void);

/* Of an exception: it tells of a client, not of a failure, so whom it leaves ends as by exit(). NULL: none does. */
extern bool (*weft_ends_quietly)(const zend_object *exception);

/* What became of an exception that nobody can catch any more. */
typedef enum {
	WEFT_UNCAUGHT_NONE,    /* there was none */
	WEFT_UNCAUGHT_EXIT,    /* it was exit(), not an exception */
	WEFT_UNCAUGHT_HANDLED, /* the exception handler took it */
	WEFT_UNCAUGHT_REPORTED /* PHP has reported it; another one may be pending */
} weft_uncaught;
weft_uncaught weft_report_exception(void);

/* The same at the end of a request, where PHP does not ask the exception handler. */
weft_uncaught weft_report_late_exception(void);

/* --- weft_domain_end.c: the end of a request, step by step --- */

typedef enum {
	WEFT_END_SHUTDOWN_FUNCTIONS,
	WEFT_END_DESTRUCTORS, /* of the objects that die with the request */
	WEFT_END_OUTPUT,      /* its callbacks see the request's values and its session */
	WEFT_END_SESSION,     /* is written and closed */
	WEFT_END_VALUES,      /* are given back, so that what is left is destructed here. Not those of a PHP request */
	WEFT_END_STEPS
} weft_end_step;

/* Inside the request's coroutine, with its domain in place. May do I/O and suspend; what it prints still belongs to the
 * response. A fatal error leaves by PHP's long jump, for the caller to catch: then destructors and values want the same
 * step once more, which does the rest.
 * references: how many the caller has, its coroutine's included. When somebody else has one (a coroutine that outlives
 * the request), objects and values stay for it; the last one releases them. */
void weft_domain_end_step(weft_end_step step, uint32_t references);
/* Before the first step, of a request that a client has sent: the shutdown functions that the boot has registered.
 * After exit() or an exception in one, neither the rest nor the request's own are called. Not for requests that Weft
 * makes up itself (warm-up, audit), since what such functions do reaches the outside. */
void weft_domain_run_functions_of_boot(void);
/* Nothing would be done: it is not worth a guard against fatal errors. */
bool weft_domain_has_nothing_to_end(weft_end_step step);
/* All of them, where nothing catches. */
void weft_domain_end(uint32_t references);
/* Then: the values of a domain that is a PHP request, when nothing of the request is to run any more. */
void weft_domain_end_php_request(uint32_t references);

/* After a fatal error in the domain in place, for which PHP has taken all objects for destructed: its own are, those of
 * others are not. */
void weft_domain_spare_destructors(void);
/* There will be no domain any more: what fatal errors have left of the objects of some runs no code. */
void weft_domain_all_over(void);
/* At the process's end: nor do the resources. */
void weft_domain_close_leftovers(void);

/* --- weft_domain_run.c: without a server --- */

/* weft_isolation.c */
/* Puts a domain in place for the running code, in a way the scheduler knows of. */
void weft_domain_move_to(weft_domain *domain);
/* The same, and no frame that is on the stack now will be the domain's. */
void weft_domain_move_into(weft_domain *domain);
/* What a callable threw is its caller's; exit() has ended the callable and nothing else. UNDEF: nothing. Jumps as other
 * fatal errors do after one that unwinds. */
void weft_take_exception(zval *exception);
/* A fatal error in a callable is its caller's as well, who is back in his own domain by now: ends the script. */
ZEND_COLD ZEND_NORETURN void weft_domain_pass_on_fatal(void);
/* What a request's end is elsewhere, for the domain in place. */
void weft_domain_end_callable(const weft_domain *domain);

/* --- for other floors --- */

/* For floors that keep something per domain. `holds` tells whether there is anything (C only); `end` lets go of all
 * of it, when the domain's values are gone and no coroutine will run in it. It may run PHP code and suspend. */
typedef bool (*weft_domain_holds_hook)(weft_domain *domain);
typedef void (*weft_domain_end_hook)(weft_domain *domain);
void weft_domain_on_end(weft_domain_holds_hook holds, weft_domain_end_hook end);

/* Whether a domain needs memory to be left: it is taken while its own code runs, which is told when there is none. */
void weft_domain_prepare_when_left(bool prepare);

/* Called in weft_domain_enter() when the domain (NULL: the base) has come into place. C only. */
typedef void (*weft_domain_enter_hook)(weft_domain *domain);
void weft_domain_on_enter(weft_domain_enter_hook hook);

/* Hooks for the scheduler; called from MINIT. */
void weft_isolation_minit(void);
void weft_isolation_rinit(void);
void weft_isolation_mshutdown(void);
void weft_isolation_rshutdown(void);

#endif /* WEFT_DOMAIN_H */
