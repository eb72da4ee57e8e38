/*
 * llhttp's state machine out of the distribution's C sources; see weft_llhttp.c.
 * Strict mode: this is a server on the open network, and tolerance of malformed framing is how requests are
 * smuggled past the proxy in front.
 */
#define LLHTTP_STRICT_MODE 1
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wextra"

#include "llhttp.c"
