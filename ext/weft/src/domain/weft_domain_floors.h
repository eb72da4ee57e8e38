/*
 * What the floors above keep for a domain: told when it is entered and when it ends. Internal to the floor.
 */
#ifndef WEFT_DOMAIN_FLOORS_H
#define WEFT_DOMAIN_FLOORS_H

#include "domain/weft_domain.h"

/* Whether any of them has something of it. */
bool weft_floors_hold(weft_domain *domain);
void weft_floors_let_go(weft_domain *domain);
void weft_floors_tell_entered(weft_domain *domain);

#endif /* WEFT_DOMAIN_FLOORS_H */
