/*
 * Spans: pieces of the globals of the engine and of extensions that belong to the domain in place. All the code that
 * one needs is in its line: where it lies, what a domain finds there at first, who frees what a domain has put there.
 *
 * What a domain finds at first is the span's image. While nobody is in place every span is as its image, so a domain
 * that has not changed a span neither saves nor restores it. The base is a domain like any other.
 */
#ifndef WEFT_SPANS_H
#define WEFT_SPANS_H

#include "php.h"
#include "SAPI.h"
#include "php_output.h"

typedef struct {
	const char *name; /* NULL: the end of the list. What belongs together has the same name */

	/* Where it lies; whichever is there. */
	void *address;
	const char *module; /* at `offset` in the globals of an extension that may be missing, or unlike weft_c_layouts.h */
	size_t offset;
	bool by_pointer;     /* a pointer to it lies there */
	void *(*find)(void); /* NULL: there is none */
	size_t size;

	/* Makes what a domain starts with from the base's bytes, and takes the references that the image needs itself.
	 * NULL: zeros. */
	void (*image)(void *image);
	void (*forget)(void *image);
	/* Gives a new domain what it can't share with others: references, allocated things. False: nothing, whichever
	 * domain; it depends on the image alone. */
	bool (*start)(void *own);
	/* Whether what the domain in place has of its own there is what a new one would have. NULL: that is not known. */
	bool (*same)(const void *live, const void *image);
	/* Of the domain in place, at its end, when there is something: lets go of what PHP code or a network may have to
	 * do with. */
	void (*finish)(void *live, const void *image);
	/* Frees what a domain that is not in place still has there. NULL: there is never anything. */
	void (*end)(void *own);
} weft_span;

/* A span from one member of the engine's globals to another. */
#define WEFT_SPAN_OF(type, globals, first, last) \
	.address = (char *) &(globals) + offsetof(type, first), \
	.size = offsetof(type, last) + sizeof(((type *) NULL)->last) - offsetof(type, first)
/* The same of an extension. */
#define WEFT_SPAN_IN(name, type, first, last) \
	.module = name, .offset = offsetof(type, first), \
	.size = offsetof(type, last) + sizeof(((type *) NULL)->last) - offsetof(type, first)

/* For `image`: a domain starts with what the base has. */
void weft_span_as_base(void *image);

extern const weft_span weft_engine_spans[], weft_input_spans[], weft_stream_spans[], weft_private_spans[],
	weft_extension_spans[];

/* What is done before the rest of a domain's end. The session: when one is open. */
void weft_finish_shutdown_functions(void);
void weft_finish_session(void);
bool weft_session_is_open(void);

/* --- weft_c_registered.c: what the boot has registered for the end of a request --- */

/* NULL: none. They are called in copies: several requests may be in the middle of one. */
HashTable *weft_boot_shutdown_functions(void);
/* In the request in place, which has what php.ini starts: the boot's buffers around what the request prints, its
 * headers, and its callback for headers. */
void weft_boot_register(void);
/* Whether the header that tells PHP's version is still there. */
bool weft_boot_shows_version(void);

/* For spans. */
void weft_boot_image_shutdown_functions(void *image);
void weft_boot_forget_shutdown_functions(void *image);
void weft_boot_keep_headers(const sapi_headers_struct *boot);
void weft_boot_forget_headers(void *image);
void weft_boot_keep_buffers(const zend_output_globals *output);
void weft_boot_forget_buffers(void *image);
void weft_boot_image_user_ticks(void *image);
bool weft_boot_copy_user_ticks(void *own);

#endif /* WEFT_SPANS_H */
