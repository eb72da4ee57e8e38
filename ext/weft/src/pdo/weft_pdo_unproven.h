/*
 * Connections of PDO drivers in modules that are not proven: PDO calls their tables of functions, below which no other
 * coroutine may run.
 */
#ifndef WEFT_PDO_UNPROVEN_H
#define WEFT_PDO_UNPROVEN_H

/* Puts itself before PDO's constructor when there is such a driver; before others do. */
void weft_pdo_unproven_wrap(void);

#endif /* WEFT_PDO_UNPROVEN_H */
