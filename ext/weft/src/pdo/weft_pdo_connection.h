/*
 * What is remembered of each PDO object, and the connections other domains got through it.
 */
#ifndef WEFT_PDO_CONNECTION_H
#define WEFT_PDO_CONNECTION_H

#include "php.h"
#include "ext/pdo/php_pdo_driver.h"

/* dsn, user, password, options */
#define WEFT_PDO_ARGUMENTS 4

typedef struct {
	zend_object *object;
	pdo_dbh_t *own;           /* the connection that the constructor opened */
	void *domain;             /* who opened it; WEFT_PDO_NOBODY when that domain has ended */
	bool closing;             /* nobody may use it any more */
	uint32_t generation;      /* of the process that opened it */
	uint32_t argument_count;
	zval arguments[WEFT_PDO_ARGUMENTS];
	HashTable *attributes;    /* set since, to be set on other connections as well; or NULL */
	HashTable *settings;      /* SQL that set something for the session; or NULL */
	HashTable *leases;        /* domain => hidden PDO object; or NULL */
} weft_pdo_connection;

#define WEFT_PDO_NOBODY ((void *) -1)

void weft_pdo_connection_minit(void);
/* Whether this process, or a domain, must not share a persistent connection with others. */
bool weft_pdo_must_be_private(void);
void weft_pdo_connection_opened(zend_object *object, uint32_t argument_count, zval *arguments);
weft_pdo_connection *weft_pdo_connection_find(const zend_object *object);
/* The running domain opened it, in this process. */
bool weft_pdo_connection_is_own(const weft_pdo_connection *connection);
/* It was opened before a fork: its socket is shared with the parent. */
bool weft_pdo_connection_is_inherited(const weft_pdo_connection *connection);
/* Gives the object the running domain's connection, opening one when needed. False with an exception. May
 * suspend. */
bool weft_pdo_connection_use(zend_object *object);
/* The hidden object whose connection the running domain uses; NULL when it is the object's own. */
zend_object *weft_pdo_connection_lease(const weft_pdo_connection *connection);
void weft_pdo_connection_remember_attribute(weft_pdo_connection *connection, zend_long attribute, zval *value);
void weft_pdo_connection_remember_setting(weft_pdo_connection *connection, zend_string *sql);
/* The object is about to be freed. False: its connection was inherited over a fork and must not be closed. */
bool weft_pdo_connection_forget(zend_object *object);
/* Ends every connection that somebody got through another's object. */
void weft_pdo_connection_end_all(void);

/* --- weft_pdo_close.c --- */
/* Rolls back and closes, without the server's help for its statements. The object stays, as one whose constructor
 * has not run; so do its statements. A persistent connection is left alone. May suspend. */
void weft_pdo_close(zend_object *object, pdo_dbh_t *handle);

#endif /* WEFT_PDO_CONNECTION_H */
