/*
 * llhttp's API out of the distribution's C sources, for systems that ship no library of it (Debian 12). The
 * state machine is in weft_llhttp_machine.c: the two declare the same functions differently.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"

#include "api.c"
#include "http.c"
