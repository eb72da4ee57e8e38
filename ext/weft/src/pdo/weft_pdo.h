/*
 * PDO: a connection belongs to the domain that opened it. A PDO object that another domain uses (it was opened in
 * boot, say) gives that domain a physical connection of its own, opened with the same arguments, attributes and
 * session settings, until the domain ends. A connection opened before a fork is never touched in the child.
 *
 * PDO may be a shared extension: nothing here links to it.
 */
#ifndef WEFT_PDO_H
#define WEFT_PDO_H

#include "php.h"

void weft_pdo_minit(void);
/* Replaces the methods of PDO when the extension is there; once. */
void weft_pdo_rinit(void);
void weft_pdo_rshutdown(void);

#endif /* WEFT_PDO_H */
