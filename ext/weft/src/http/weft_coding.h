/*
 * Content codings (RFC 9110, 8.4): answers are compressed between the application (weft_response.c) and the message
 * (weft_framing.c), bodies are decompressed between the parser and the request.
 */
#ifndef WEFT_CODING_H
#define WEFT_CODING_H

#include "http/weft_http_internal.h"

/* --- weft_accept_encoding.c --- */
/* What a client takes, by its weights in thousandths. */
typedef struct {
	int16_t weight[WEFT_CODINGS];
	int16_t plain; /* of what is not coded; -1: it says nothing of that, so it takes it */
	bool said;     /* it has sent Accept-Encoding */
} weft_accepted;
void weft_accepted_of(const weft_http_request *request, weft_accepted *accepted);
/* The one that it likes best, and of several the first of ours; WEFT_CODING_NONE: plain. */
weft_coding weft_accepted_best(const weft_accepted *accepted, const weft_codings *ours);
/* gzip, which is x-gzip, too; WEFT_CODING_NONE: it is none of them. */
weft_coding weft_coding_named(const char *name, size_t length);

/* --- weft_coding_config.c --- */
void weft_coding_config_minit(int module_number);
void weft_coding_config_defaults(weft_http_config *config);
/* Whether the Content-Type is one of weft.http_compress_types. */
bool weft_coding_is_for_type(const char *type, size_t length);

/* --- weft_coded_head.c --- */
/* What the application's header lines say of coding. */
typedef struct {
	bool type;   /* is one to compress */
	bool never;  /* it is coded already, a part, or must be sent as it is */
	bool varies; /* by Accept-Encoding, as it says itself */
} weft_coded_head;
void weft_coded_head_look(const weft_buffer *head, weft_coded_head *look);
/* What caches have to know: Vary, and of a coded answer its coding, and that it is not the same bytes any more. */
void weft_coded_head_write(weft_buffer *head, weft_coding coding);
/* A client that asks by the weak tag that it got is answered with that. */
void weft_coded_head_not_modified(weft_http_request *request);

/* --- weft_compress.c --- */
/* As a framing's send(), but that the answer may be compressed on its way. */
void weft_compress_send(weft_http_request *request, const char *data, size_t length, weft_codec_step step);
/* X-Weft-Compression: whether that can be meant. */
bool weft_compress_set(weft_http_request *request, const char *value);
static inline bool weft_compress_runs(const weft_http_response *response)
{
	return UNEXPECTED(response->compression.encoder != NULL);
}
/* The compressor is not needed any more. */
static inline void weft_compress_end(weft_http_response *response)
{
	if (weft_compress_runs(response)) {
		weft_encoder_free(response->compression.encoder);
		response->compression.encoder = NULL;
	}
}

/* --- weft_decompress.c --- */
/* The head of a request with a body is complete. False: its coding is not known, and the parser says so. */
bool weft_decompress_begin(weft_http_request *request);
/* All of the body has come. False: something is missing, and the parser says so. */
bool weft_decompress_end(weft_http_request *request);
static inline void weft_decompress_free(weft_http_request *request)
{
	if (UNEXPECTED(request->decoder != NULL)) {
		weft_decoder_free(request->decoder);
		request->decoder = NULL;
	}
}
/* "gzip, br": what bodies may be coded as. */
const char *weft_decompress_codings(const weft_http_server *server);

#endif /* WEFT_CODING_H */
