/*
 * What ext/soap keeps in globals while a call of it is under way: the description of the service, the class map, to
 * whom errors go. Each coroutine that is inside of such a call has its own, so its calls may be left.
 */
#ifndef WEFT_SOAP_H
#define WEFT_SOAP_H

#include "php.h"

/* Its globals, from `typemap` on. Its headers would need libxml's. */
typedef struct {
	HashTable *typemap;
	int namespaces, version;
	void *service;
	bool takes_errors;
	char *error_code;
	zval error_object;
} weft_soap_call;

/* Those that are the running call's come first; NULL: it is not loaded, or this PHP keeps them in a way that is not
 * known, and soap is never left. */
weft_soap_call *weft_soap_globals(void);

/* Stands before each of its functions. `plain`: the function's own handler */
void weft_soap_enter(zif_handler plain, INTERNAL_FUNCTION_PARAMETERS);

#endif /* WEFT_SOAP_H */
