/*
 * Pools of database connections, and who uses which.
 *
 * link    a physical connection: a hidden PDO object that nobody else sees
 * pool    the links of one key (DSN, user, password, options, the library's environment) in this worker
 * handle  what the application has: the insides of its PDO object, without a connection of its own
 * lease   a link is leased to a handle, for a call or longer; `pins` tell why longer
 * profile what was set on a link since it was opened, in its order: attributes and SET statements
 *
 * A link is used by one coroutine at a time. Drivers without a pool (SQLite) have a link for each handle, leased
 * for good.
 */
#ifndef WEFT_PDO_POOL_H
#define WEFT_PDO_POOL_H

#include "php.h"
#include "ext/pdo/php_pdo_driver.h"
#include "coroutine/weft_coroutine.h"
#include "pdo/weft_pdo_sql.h"

typedef struct weft_pdo_driver weft_pdo_driver;
typedef struct weft_pdo_pool weft_pdo_pool;
typedef struct weft_pdo_link weft_pdo_link;
typedef struct weft_pdo_handle weft_pdo_handle;
typedef struct weft_pdo_profile weft_pdo_profile;
typedef struct weft_pdo_statement weft_pdo_statement;
typedef struct weft_pdo_waiter weft_pdo_waiter;
typedef struct weft_pdo_call weft_pdo_call;
typedef struct weft_pdo_server weft_pdo_server;

/* Why a link stays leased after a call. */
#define WEFT_PIN_TRANSACTION (1u << 0)
#define WEFT_PIN_TOUCHED (1u << 1)  /* session state that only a reset takes away */
#define WEFT_PIN_SEQUENCE (1u << 2) /* lastInsertId() may ask for it */
#define WEFT_PIN_RESULTS (1u << 3)  /* results that nobody has read */

struct weft_pdo_profile {
	weft_pdo_profile *parent;
	weft_pdo_profile *children;
	weft_pdo_profile *sibling;
	weft_pdo_profile *attributes; /* the last step on the way here that set an attribute; or NULL */
	uint32_t depth;
	zend_string *sql; /* NULL: the step sets an attribute */
	zend_long attribute;
	zval value;
};

struct weft_pdo_link {
	weft_pdo_pool *pool; /* NULL: leased to its handle for good */
	weft_pdo_driver *driver;
	zend_object *hidden; /* the PDO object that owns the connection */
	pdo_dbh_t *dbh;
	uint32_t generation; /* of the process that opened it */
	uint32_t references; /* its statements', and one while it is open */
	weft_pdo_profile *profile;
	int socket;                     /* -1: not known */
	uint32_t sends;                 /* the socket's count when the call began */
	bool broken;                    /* must not be used again */
	bool idle;                      /* in the pool's list */
	const weft_coroutine *kept_for; /* has just prepared a statement on it; only compared */

	weft_pdo_handle *handle; /* whose lease it is; NULL: nobody's */
	void *domain;            /* of the lease */
	uint64_t owner;     /* the coroutine that leased it, or in whose transaction that was spawned; 0: that has ended */
	uint64_t leased_by; /* the coroutine that did; 0: that has ended */
	const weft_coroutine *user; /* inside a call */
	uint32_t depth;             /* of nested calls */
	uint32_t cuts;              /* its user's waits_cut when the outermost one began */
	uint32_t pins;
	bool attributes_changed;         /* in a way that the profile does not tell */
	uint32_t pending;                /* statements with rows still on their way */
	bool in_transaction;             /* as of the last call's end */
	bool dry_run;                    /* it is that of a dry run */
	bool dry_run_transaction;        /* in which the application's is open */
	uint32_t transaction;            /* counts them */
	uint32_t resets;                 /* counts them: each drops what was prepared */
	uint32_t definitions;            /* counts statements that may change what others mean */
	uint32_t settings;               /* counts what may have set something that the profile does not tell */
	bool sequence_moved;             /* lastval() or LAST_INSERT_ID() would answer */
	weft_pdo_handle *sequence_owner; /* whose answer it would be; NULL: not known, or the handle is gone */
	uint64_t leased_at, opened_at, idle_since, last_used;
	uint64_t expires_at; /* 0: when it comes back */
	zend_string *last_sql;
	char holder[96];        /* method and path of the request; as the client sent them */
	uint64_t holder_domain; /* the number of that request's domain */

	weft_pdo_waiter *waiters; /* coroutines of its lease that wait for its user */
	weft_pdo_statement *statements;
	HashTable cache;         /* SQL => statement of the driver, idle; oldest first */
	HashTable graves;        /* statements to end when the link is free for it */
	zend_string *deallocate; /* PostgreSQL: SQL that drops statements no longer wanted; or NULL */
	uint32_t deallocate_count;

	weft_pdo_link *next_idle, *previous_idle;
	weft_pdo_link *next, **place; /* of all */
	weft_pdo_link *next_of_handle;
};

struct weft_pdo_waiter {
	weft_coroutine *coroutine;
	weft_pdo_pool *pool;
	const void *domain;
	uint64_t since, until;
	uint64_t rank;               /* the least is the first; see weft_pdo_line.h */
	const weft_pdo_link *wanted; /* no other will do; NULL: any */
	bool opens;                  /* the first connection of its pool: the others in the line wait for that */
	bool called;                 /* one of its own request has left it a link */
	bool asleep;                 /* waits for a wake, and has not had it */
	bool timed_out;
	bool queued; /* stands in the line of its pool */
	weft_timer timer;
	weft_pdo_waiter *next, *previous;
};

typedef struct {
	uint64_t acquired; /* leases begun */
	uint64_t waited;   /* of them after a wait */
	uint64_t timeouts;
	uint64_t opened;
	uint64_t cache_hits;
	uint64_t cache_misses;
	uint32_t waits[64]; /* by the logarithm of their nanoseconds */
} weft_pdo_statistics;

struct weft_pdo_pool {
	uint32_t references;   /* its links', its handles', and of those who are at work on it; 0: nobody uses it */
	uint64_t unused_since; /* counts how often one came to that */
	zend_string *key;
	weft_pdo_driver *driver;
	zend_string *name;  /* for people: no password in it */
	pdo_dbh_t pristine; /* what PDO knows of a connection that has just been opened */
	uint32_t argument_count;
	zval arguments[4];
	zend_string *environment; /* in which its connections are opened; see weft_pdo_environment.h */
	weft_pdo_server *server;
	uint32_t total;         /* links open or about to be */
	uint32_t connecting;    /* of them those about to be */
	uint32_t allowed;       /* how many the server left us when it refused one more */
	uint64_t refused_until; /* until when that counts; 0: it has not */
	zend_string *refusal;   /* what it said; or NULL */
	uint32_t idle_count;
	weft_pdo_link *idle; /* the one used last comes first */
	weft_pdo_link *idle_last;
	weft_pdo_waiter *waiters; /* the line: only its first may take a link */
	weft_pdo_waiter *waiters_last;
	weft_pdo_waiter *wanting; /* who waits for one link only stands in no line */
	weft_pdo_profile root;
	weft_pdo_statistics statistics;
	weft_timer reaper;
	bool reaping;
	weft_timer watch; /* while somebody waits; see weft_pdo_beyond.h */
	bool watching;
	uint64_t reported_at;         /* when the log last heard that it is short; 0: never */
	uint32_t stale;               /* how often the server has refused a statement that was kept */
	bool asked_for_ids;           /* somebody has asked for what he has inserted */
	bool opening;                 /* its first connection: all the rest comes with that */
	weft_pdo_pool *next, **place; /* of all; no place: it is found no more */
};

struct weft_pdo_handle {
	pdo_dbh_t *dbh; /* what PDO takes for the connection */
	weft_pdo_driver *driver;
	weft_pdo_pool *pool; /* NULL: its link is its own */
	weft_pdo_profile *profile;
	weft_pdo_link *links;           /* leased */
	weft_pdo_statement *statements; /* all that there are */
	weft_pdo_link *sequence_link;   /* where its last insert ran; only compared */
	zend_string *last_id;           /* MySQL: lastInsertId() */
	zend_string *inserted_id;       /* MySQL: LAST_INSERT_ID() */
	uint32_t warnings;              /* MySQL: of its last statement */
	zval error;                     /* what the driver said of the last error: code, message; or UNDEF */
	void *domain;                   /* that made it */
	bool closed;                    /* that has ended */
	bool persistent;                /* the application asked for a persistent connection */
	weft_pdo_handle *next, **place; /* of all */
	weft_pdo_call *calls;           /* without a pool: what the boot has called on it to make something */
	const weft_pdo_handle *model;   /* of the base, in whose place this one is in a domain; or NULL */
	zval own_arguments[4];          /* without a pool: how to open another one */
	uint32_t own_argument_count;
	zend_string *own_environment; /* NULL: any */
	weft_pdo_profile own_root;
};

extern weft_pdo_pool *weft_pdo_pools;
extern weft_pdo_link *weft_pdo_links;

/* --- weft_pdo_pool.c --- */
void weft_pdo_pool_rshutdown(void);
weft_pdo_pool *weft_pdo_pool_find(zend_string *key);
/* One that nobody holds is remembered for whoever opens the like of it again, unless there are many. */
void weft_pdo_pool_hold(weft_pdo_pool *pool);
void weft_pdo_pool_let_go(weft_pdo_pool *pool);
/* For the first connection of its kind, which is about to be opened; whoever does that holds it. */
weft_pdo_pool *weft_pdo_pool_new(zend_string *key, uint32_t count, zval *arguments, zend_string *environment);
/* It has come. */
void weft_pdo_pool_opened(weft_pdo_pool *pool, weft_pdo_driver *driver, const pdo_dbh_t *fresh);
/* It has not: lets go of the pool. */
void weft_pdo_pool_failed(weft_pdo_pool *pool);

/* --- weft_pdo_line.c --- */
/* Waits for somebody else's first connection. False with an exception. */
bool weft_pdo_pool_wait_for_first(weft_pdo_pool *pool);
/* Whose it is waits himself, until the server has room for it. */
bool weft_pdo_pool_waits_to_open(const weft_pdo_pool *pool);
uint32_t weft_pdo_pool_waiting(const weft_pdo_pool *pool);

/* --- weft_pdo_acquire.c --- */
/* Takes an idle link, opens one, or waits its turn. `wanted` (or NULL) is preferred; with `only_wanted` no other
 * will do. NULL with an exception, or without one when the only one has ended. May suspend. */
weft_pdo_link *weft_pdo_pool_acquire(weft_pdo_pool *pool, weft_pdo_profile *profile, weft_pdo_link *wanted,
	bool only_wanted);
/* Takes room for the first connection of a pool, or waits its turn, which began then. False with an exception. After
 * the server has refused it (an exception), waits at once, or leaves it at that. May suspend. */
bool weft_pdo_pool_acquire_room(weft_pdo_pool *pool, uint64_t since);
bool weft_pdo_pool_acquire_room_again(weft_pdo_pool *pool, uint64_t since);

/* --- weft_pdo_idle.c --- */
/* Gives a link back that this domain had; a broken one is closed, and one beyond the limit that none of the same domain
 * waits for. */
void weft_pdo_pool_release(weft_pdo_link *link, const void *domain);
/* Takes an idle link out, for work on it. */
void weft_pdo_pool_take(weft_pdo_link *link);
/* Closes one that was taken out. */
void weft_pdo_pool_close_link(weft_pdo_link *link);
bool weft_pdo_pool_has_expired(const weft_pdo_link *link, uint64_t now);
/* Closes what is idle: before a fork, say. */
void weft_pdo_pool_close_idle(void);
/* The timer of a pool: closes what has been idle for too long. */
void weft_pdo_pool_reap(weft_timer *timer);

/* --- weft_pdo_link.c --- */
void weft_pdo_link_minit(void);
uint32_t weft_pdo_generation(void);
/* It was the parent's, and its socket isn't known: nothing of the driver's may be touched, for it might send. */
bool weft_pdo_link_is_abandoned(const weft_pdo_link *link);
/* For a connection that may outlive the PHP request that it is opened in. NULL with an exception. */
zend_object *weft_pdo_hidden_new(zend_class_entry *ce);
void weft_pdo_hidden_free(zend_object *hidden);
static zend_always_inline void weft_pdo_hidden_release(zend_object *hidden)
{
	if (UNEXPECTED(GC_DELREF(hidden) == 0)) {
		weft_pdo_hidden_free(hidden);
	}
}
/* Makes a link of a connection that PDO has opened in this object. */
weft_pdo_link *weft_pdo_link_new(zend_object *hidden, weft_pdo_driver *driver, weft_pdo_pool *pool,
	weft_pdo_profile *root);
/* Opens a connection in an environment (NULL: any). NULL with an exception. May suspend. */
zend_object *weft_pdo_link_open(uint32_t count, zval *arguments, const zend_string *environment);
/* After a failure to connect: when the request was told to end meanwhile, the driver has put an exception of its own in
 * the place of an end that nothing may catch. Puts the end back. */
void weft_pdo_link_restore_end(void);
/* Closes the connection, unless statements still need it: then when the last of them has gone. */
void weft_pdo_link_close(weft_pdo_link *link);
void weft_pdo_link_release(weft_pdo_link *link);
/* It has no user any more: those of its lease who waited for that look again. */
void weft_pdo_link_wake(weft_pdo_link *link);
/* Brings a link from its profile to this one. False: it can't; with an exception when the server refused. */
bool weft_pdo_link_adapt(weft_pdo_link *link, weft_pdo_profile *profile);
/* Rolls back, resets session state. False: the link must be closed. */
bool weft_pdo_link_clean(weft_pdo_link *link);
/* Looks whether the server has hung up, without asking it. `now`: weft_lately(). */
bool weft_pdo_link_is_alive(weft_pdo_link *link, uint64_t now);
/* It has not, as far as the reactor knows, which costs no system call. False: it is to be looked at. */
bool weft_pdo_link_is_surely_alive(const weft_pdo_link *link, uint64_t now);
/* A call begins. */
void weft_pdo_link_count_sends(weft_pdo_link *link);
/* What the others mean has changed when this has. */
static inline uint32_t weft_pdo_definitions(const weft_pdo_link *link)
{
	return link->definitions + (link->pool ? link->pool->stale : 0);
}
/* After a call that failed: PostgreSQL's session has kept what does not exist any more, as a type that was dropped. */
bool weft_pdo_link_remembers_what_is_gone(const weft_pdo_link *link, const char *state, const zval *error);
/* The running call has not reached the server. */
bool weft_pdo_link_has_sent_nothing(const weft_pdo_link *link);
/* After a call that failed: whether the connection is of no use any more. */
bool weft_pdo_link_is_lost(weft_pdo_link *link, zval *error);

/* --- weft_pdo_statistics.c --- */
void weft_pdo_statistics_minit(void);

/* --- weft_pdo_profile.c --- */
weft_pdo_profile *weft_pdo_profile_find_sql(const weft_pdo_profile *from, const zend_string *sql);
weft_pdo_profile *weft_pdo_profile_find_attribute(const weft_pdo_profile *from, zend_long attribute, zval *value);
/* Returns the known one when there is one; NULL when the pool has too many. */
weft_pdo_profile *weft_pdo_profile_add_sql(weft_pdo_profile *from, zend_string *sql);
weft_pdo_profile *weft_pdo_profile_add_attribute(weft_pdo_profile *from, zend_long attribute, zval *value);
bool weft_pdo_profile_is_ancestor(const weft_pdo_profile *ancestor, const weft_pdo_profile *of);
void weft_pdo_profile_free_children(weft_pdo_profile *root);

#endif /* WEFT_PDO_POOL_H */
