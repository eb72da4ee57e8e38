/*
 * What a statement leaves behind in its session, told from its text. Knows no PDO.
 *
 * The safe side is the default: a statement that is not known to leave nothing behind counts as one that does.
 * Functions and procedures of the database's own can set what they like; docs/database.md says so.
 */
#ifndef WEFT_PDO_SQL_H
#define WEFT_PDO_SQL_H

#include <stddef.h>
#include <stdint.h>

typedef enum { WEFT_SQL_OTHER_DIALECT, WEFT_SQL_POSTGRESQL, WEFT_SQL_MYSQL } weft_sql_dialect;

/* It sets something for the session that the same text sets again on any other connection: SET name = constant,
 * USE. Nothing else. */
#define WEFT_SQL_SETTING (1u << 0)
/* It may leave state that only a reset takes away. */
#define WEFT_SQL_TOUCHES (1u << 1)
/* It may change what other statements mean. */
#define WEFT_SQL_DEFINES (1u << 2)
/* It may move a sequence: lastval() and currval() answer for this session afterwards.
 * With MySQL: LAST_INSERT_ID(value) has set that. */
#define WEFT_SQL_SEQUENCE (1u << 3)
/* It asks the session for what an earlier statement left: lastval(), LAST_INSERT_ID(). */
#define WEFT_SQL_ASKS_SESSION (1u << 4)
/* More than one statement: several results may follow. */
#define WEFT_SQL_SEVERAL (1u << 5)
/* INSERT or REPLACE. */
#define WEFT_SQL_INSERTS (1u << 6)

uint32_t weft_sql_classify(const char *sql, size_t length, weft_sql_dialect dialect);

#endif /* WEFT_PDO_SQL_H */
