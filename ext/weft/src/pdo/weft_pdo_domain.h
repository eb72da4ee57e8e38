/*
 * What a domain holds of the database, and how that ends with it: statements, then leases, then views and handles.
 */
#ifndef WEFT_PDO_DOMAIN_H
#define WEFT_PDO_DOMAIN_H

void weft_pdo_domain_minit(void);
/* Ends all leases: PHP is about to free the objects. */
void weft_pdo_domain_rshutdown(void);

#endif /* WEFT_PDO_DOMAIN_H */
