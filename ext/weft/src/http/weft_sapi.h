/*
 * What PHP sees of a request: superglobals, directives, scripts.
 */
#ifndef WEFT_SAPI_H
#define WEFT_SAPI_H

#include "http/weft_http_internal.h"

/* --- weft_server_variables.c --- */
void weft_server_variables_minit(void);
/* Whether PHP gets to see a request's headers of that name. */
bool weft_header_is_shown(const char *name, size_t length);
/* `boot` is what $_SERVER has when the application has booted. */
void weft_server_variables_boot(HashTable *boot);
void weft_server_variables_forget(void);
/* Those of the request in place, as PHP does it. False: PHP has to, since it has something to add. */
bool weft_server_variables_build(zval *server);
/* The request has no use for its array any more: takes it, if it is of use to the next. */
void weft_server_variables_keep(zval *server);

/* --- weft_superglobals.c --- */
void weft_superglobals_rshutdown(void);
/* Takes what $_SERVER and $_ENV have now as what every request starts with. */
void weft_sapi_boot_superglobals(void);
void weft_sapi_build_superglobals(weft_http_request *request);

/* --- weft_user_ini.c: classic mode --- */
/* The first so many bytes of each script's path are the document root's. */
void weft_user_ini_begin(size_t root_length);
/* Sets the directives that hold for the request's script. */
void weft_user_ini_activate(const weft_http_request *request);

/* --- weft_script.c: classic mode --- */

/* From now on scripts below this directory are executed. */
void weft_scripts_serve(const char *directory);
/* Fills request->script; false when there is none to execute. Once for a request. */
bool weft_script_find(weft_http_request *request);
void weft_script_free(weft_script *script);
/* In a domain that is a PHP request. A fatal error ends it, and CG(unclean_shutdown) tells. */
void weft_script_execute(weft_script *script);
/* What C code knows of them; the variables themselves are the domain's. */
void weft_sapi_drop_superglobals(void);
/* $_SERVER has it from the boot (an environment variable, say), not from the server or the client. */
bool weft_sapi_is_of_boot(const char *name, size_t length);
void weft_sapi_server_variables(zval *array);
/* SCRIPT_FILENAME */
const char *weft_sapi_script(void);

/* --- weft_sapi_functions.c --- */
void weft_sapi_register_functions(void);
void weft_sapi_rshutdown(void);

#endif /* WEFT_SAPI_H */
