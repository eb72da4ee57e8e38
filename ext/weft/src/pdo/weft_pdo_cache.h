/*
 * Prepared statements that nobody uses at the moment, kept with the link that prepared them.
 */
#ifndef WEFT_PDO_CACHE_H
#define WEFT_PDO_CACHE_H

#include "pdo/weft_pdo_pool.h"

/* A driver's part of a prepared statement. */
typedef struct {
	void *data;
	const struct pdo_stmt_methods *methods;
	unsigned supports_placeholders;
	const char *named_rewrite_template;
	const weft_pdo_profile *profile; /* of the link when it was prepared */
	uint32_t settings;               /* the link's count when it was prepared */
	uint32_t parameters;
	uint32_t resets; /* the link's count when it was prepared */
	bool has_columns;
	bool executed;        /* the server knows it */
	uint32_t transaction; /* the last in which it was executed */
	uint32_t definitions; /* weft_pdo_definitions() then */
} weft_pdo_prepared;

void weft_pdo_cache_init(weft_pdo_link *link);
/* Takes it out. False: there is none, or none that may be used now. */
bool weft_pdo_cache_take(weft_pdo_link *link, zend_string *sql, weft_pdo_prepared *prepared);
/* Puts it back, forgets its result; the oldest goes when there are too many. */
void weft_pdo_cache_give(weft_pdo_link *link, zend_string *sql, weft_pdo_prepared *prepared);
/* Ends the driver's part. Sends nothing now where that can wait. */
void weft_pdo_cache_destroy(weft_pdo_link *link, weft_pdo_prepared *prepared);
/* Tells the server of statements that are not wanted any more, when there are many. */
void weft_pdo_cache_tell(weft_pdo_link *link);
/* The server has dropped all statements, or is about to. */
void weft_pdo_cache_forget(weft_pdo_link *link);
void weft_pdo_cache_free(weft_pdo_link *link);
uint32_t weft_pdo_cache_count(const weft_pdo_link *link);

#endif /* WEFT_PDO_CACHE_H */
