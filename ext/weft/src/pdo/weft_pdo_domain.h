/*
 * What a domain holds of the database, and how that ends with it: statements, then leases, then views and handles; and
 * what it asks of it.
 */
#ifndef WEFT_PDO_DOMAIN_H
#define WEFT_PDO_DOMAIN_H

#include <stdint.h>

/* A statement is sent for the domain in place. */
void weft_pdo_domain_sends(void);
/* A call that may send one begins. What is told of a request before that is over counts it as well: it hangs, perhaps.
 * When it began, for the next one; 0: nobody wants to know. */
uint64_t weft_pdo_domain_waits(void);
/* It is over. */
void weft_pdo_domain_has_waited(uint64_t since);

void weft_pdo_domain_minit(void);
/* Ends all leases: PHP is about to free the objects. */
void weft_pdo_domain_rshutdown(void);

#endif /* WEFT_PDO_DOMAIN_H */
