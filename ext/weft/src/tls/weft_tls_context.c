/*
 * What a server accepts with: a context of OpenSSL's for each certificate, of which the client's name chooses.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include "reactor/weft_log.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of TLS 1.2, all with forward secrecy and AEAD; TLS 1.3 has no others. */
#define CIPHERS \
	"ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:" \
	"ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
/* Keys of 112 bits of security and more: RSA from 2048 bits on. */
#define SECURITY_LEVEL 2
/* Seconds for which a session is resumed: no longer than there are keys for its ticket. */
#define SESSION_SECONDS ((WEFT_TLS_TICKET_KEYS - 1) * WEFT_TLS_TICKET_KEY_MS / 1000)

struct weft_tls_acceptor {
	const weft_tls_vault *vault;
	const unsigned char *protocols;
	uint32_t protocols_length;
	uint32_t version; /* of the contents it was made from */
	SSL_CTX *first;   /* has the others */
};

/* The contexts of all certificates. The first has it, and keeps it as long as any connection is there. */
typedef struct {
	uint32_t count;
	SSL_CTX *contexts[WEFT_TLS_CERTIFICATES];
} certificates;

static int certificates_index = -1;

static void certificates_free(void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long number, void *arg)
{
	certificates *all = pointer;

	/* the first is the parent */
	for (uint32_t i = 1; all && i < all->count; i++) {
		SSL_CTX_free(all->contexts[i]);
	}
	free(all);
}

/* --- what the client asks for --- */

static int choose_certificate(SSL *ssl, int *alert, void *arg)
{
	const certificates *all = arg;
	const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);

	for (uint32_t i = 0; name && i < all->count; i++) {
		X509 *certificate = SSL_CTX_get0_certificate(all->contexts[i]);
		if (X509_check_host(certificate, name, 0, 0, NULL) == 1) {
			SSL_set_SSL_CTX(ssl, all->contexts[i]);
			return SSL_TLSEXT_ERR_OK;
		}
	}
	return name ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

static int choose_protocol(SSL *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
	unsigned int offered_length, void *arg)
{
	const weft_tls_acceptor *acceptor = arg;
	unsigned char *found;

	if (SSL_select_next_proto(&found, length, acceptor->protocols, acceptor->protocols_length, offered,
			offered_length) != OPENSSL_NPN_NEGOTIATED) {
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	}
	*chosen = found;
	return SSL_TLSEXT_ERR_OK;
}

/* An OCSP answer. */
typedef struct {
	int64_t end;
	size_t length;
	unsigned char der[];
} answer;

/* A stale one would end the connection with clients that look. */
static int staple(SSL *ssl, void *arg)
{
	const answer *is = arg;
	unsigned char *copy = is->end > time(NULL) ? OPENSSL_memdup(is->der, is->length) : NULL;

	if (!copy || SSL_set_tlsext_status_ocsp_resp(ssl, copy, (int) is->length) != 1) {
		OPENSSL_free(copy);
		return SSL_TLSEXT_ERR_NOACK;
	}
	return SSL_TLSEXT_ERR_OK;
}

/* --- what the contents have --- */

static BIO *text_bio(const char *text, uint32_t length)
{
	return BIO_new_mem_buf(text, (int) length);
}

/* The text has been read to its end: what could not be read there was no damaged certificate. */
static bool was_all(void)
{
	unsigned long error = ERR_peek_last_error();
	bool all = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;

	if (all) {
		weft_tls_errors_clear();
	}
	return all;
}

static bool use_certificates(SSL_CTX *context, const char *text, uint32_t length)
{
	BIO *bio = text_bio(text, length);
	X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);
	bool used = certificate && SSL_CTX_use_certificate(context, certificate) == 1;

	X509_free(certificate);
	while (used && (certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {
		if (SSL_CTX_add0_chain_cert(context, certificate) != 1) {
			X509_free(certificate);
			used = false;
		}
	}
	used = used && was_all();
	BIO_free(bio);
	return used;
}

static bool use_key(SSL_CTX *context, const char *text, uint32_t length)
{
	BIO *bio = text_bio(text, length);
	EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
	bool used = key && SSL_CTX_use_PrivateKey(context, key) == 1 && SSL_CTX_check_private_key(context) == 1;

	EVP_PKEY_free(key);
	BIO_free(bio);
	return used;
}

static bool use_authorities(SSL_CTX *context, const char *text, uint32_t length, bool required)
{
	BIO *bio = text_bio(text, length);
	X509 *authority;
	bool used = true;

	while (used && (authority = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL) {
		used = X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority) == 1 &&
			SSL_CTX_add_client_CA(context, authority) == 1;
		X509_free(authority);
	}
	used = used && was_all();
	BIO_free(bio);
	if (used) {
		SSL_CTX_set_verify(context, SSL_VERIFY_PEER | (required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
	}
	return used;
}

static void answer_free(void *parent, void *pointer, CRYPTO_EX_DATA *data, int index, long number, void *arg)
{
	free(pointer);
}

static void use_answer(SSL_CTX *context, const char *end, const char *text, uint32_t length)
{
	static int index = -1;
	answer *made = length > 0 ? malloc(sizeof(*made) + length) : NULL;

	if (index < 0) {
		index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, answer_free);
	}
	if (made) {
		memcpy(&made->end, end, sizeof(made->end));
		made->length = length;
		memcpy(made->der, text, length);
		SSL_CTX_set_ex_data(context, index, made);
		SSL_CTX_set_tlsext_status_cb(context, staple);
		SSL_CTX_set_tlsext_status_arg(context, made);
	}
}

/* What is the same for every certificate. */
static SSL_CTX *plain_context(const weft_tls_acceptor *acceptor)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	if (!context) {
		return NULL;
	}
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_max_proto_version(context, 0);
	SSL_CTX_set_security_level(context, SECURITY_LEVEL);
	SSL_CTX_set_cipher_list(context, CIPHERS);
	/* who has no AES in hardware asks for ChaCha first, and gets it */
	SSL_CTX_set_options(context,
		SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
			SSL_OP_IGNORE_UNEXPECTED_EOF);
	SSL_CTX_set_mode(context,
		SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_read_ahead(context, 1);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_timeout(context, SESSION_SECONDS);
	if (acceptor) {
		weft_tls_tickets_use(context, acceptor->vault);
		SSL_CTX_set_alpn_select_cb(context, choose_protocol, (void *) acceptor);
	}
	return context;
}

/* The next certificate's. NULL at the end, or with `failed`. */
static SSL_CTX *next_context(const char **at, const char *end, const weft_tls_acceptor *acceptor, bool *failed)
{
	const char *certificate, *key, *answer_end, *answer;
	uint32_t certificate_length, key_length, end_length, answer_length;
	SSL_CTX *context;

	if (!weft_tls_contents_next(at, end, &certificate, &certificate_length) ||
		!weft_tls_contents_next(at, end, &key, &key_length) ||
		!weft_tls_contents_next(at, end, &answer_end, &end_length) ||
		!weft_tls_contents_next(at, end, &answer, &answer_length)) {
		return NULL;
	}
	context = plain_context(acceptor);
	if (context && use_certificates(context, certificate, certificate_length) && use_key(context, key, key_length)) {
		use_answer(context, answer_end, answer, answer_length);
		return context;
	}
	*failed = true;
	SSL_CTX_free(context);
	return NULL;
}

/* A session is resumed without a look at the client's certificate, so only among those who ask the same of clients:
 * what they ask, and whose certificates are good. */
typedef struct {
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned int size;
} terms;

static bool terms_of(terms *terms, const char *contents, size_t length)
{
	return EVP_Digest(contents, length, terms->digest, &terms->size, EVP_sha256(), NULL) == 1;
}

/* What the clients of every certificate must show. */
static bool use_clients(SSL_CTX *context, const terms *terms, const char *authorities, uint32_t length, bool required)
{
	return SSL_CTX_set_session_id_context(context, terms->digest, terms->size) == 1 &&
		(length == 0 || use_authorities(context, authorities, length, required));
}

static SSL_CTX *all_contexts(const char *contents, size_t length, const weft_tls_acceptor *acceptor)
{
	const char *at = contents, *end = contents + length, *clients, *authorities;
	uint32_t clients_length, authorities_length;
	certificates *all = calloc(1, sizeof(*all));
	SSL_CTX *context;
	terms terms;
	bool failed = !all || !weft_tls_contents_next(&at, end, &clients, &clients_length) ||
		!weft_tls_contents_next(&at, end, &authorities, &authorities_length) ||
		!terms_of(&terms, contents, (size_t) (at - contents));

	while (!failed && all->count < WEFT_TLS_CERTIFICATES &&
		(context = next_context(&at, end, acceptor, &failed)) != NULL) {
		all->contexts[all->count++] = context;
		failed = !use_clients(context, &terms, authorities, authorities_length,
			clients[0] == '0' + WEFT_TLS_CLIENTS_REQUIRED);
	}
	context = all && all->count > 0 ? all->contexts[0] : NULL;
	if (!context) {
		free(all);
		return NULL;
	}
	SSL_CTX_set_ex_data(context, certificates_index, all);
	SSL_CTX_set_tlsext_servername_callback(context, choose_certificate);
	SSL_CTX_set_tlsext_servername_arg(context, all);
	if (failed) {
		SSL_CTX_free(context);
		return NULL;
	}
	return context;
}

SSL_CTX *weft_tls_context_new(const char *contents, size_t length, const weft_tls_acceptor *acceptor,
	char problem[WEFT_TLS_PROBLEM])
{
	SSL_CTX *context;

	if (certificates_index < 0) {
		certificates_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, certificates_free);
	}
	weft_tls_errors_clear();
	context = all_contexts(contents, length, acceptor);
	if (!context) {
		weft_tls_errors_take(problem, WEFT_TLS_PROBLEM);
	}
	return context;
}

/* --- the acceptor --- */

static void acceptor_read(weft_tls_acceptor *acceptor)
{
	char problem[WEFT_TLS_PROBLEM];
	size_t length;
	uint32_t version;
	char *contents = weft_tls_vault_copy(acceptor->vault, &length, &version);
	SSL_CTX *context = contents ? weft_tls_context_new(contents, length, acceptor, problem) : NULL;

	if (context) {
		SSL_CTX_free(acceptor->first); /* connections that have it keep it */
		acceptor->first = context;
		acceptor->version = version;
	} else if (contents) {
		acceptor->version = version; /* it gets no better by trying again */
		weft_log("weft: the certificates can't be used: %s", problem);
	}
	if (contents) {
		OPENSSL_cleanse(contents, length);
		free(contents);
	}
}

weft_tls_acceptor *weft_tls_acceptor_new(const weft_tls_vault *vault, const unsigned char *protocols, uint32_t length)
{
	weft_tls_acceptor *acceptor = calloc(1, sizeof(*acceptor));

	if (!acceptor) {
		return NULL;
	}
	acceptor->vault = vault;
	acceptor->protocols = protocols;
	acceptor->protocols_length = length;
	acceptor_read(acceptor);
	if (!acceptor->first) {
		free(acceptor);
		return NULL;
	}
	return acceptor;
}

void weft_tls_acceptor_free(weft_tls_acceptor *acceptor)
{
	if (acceptor) {
		SSL_CTX_free(acceptor->first);
		free(acceptor);
	}
}

SSL *weft_tls_acceptor_ssl(weft_tls_acceptor *acceptor)
{
	if (weft_tls_vault_version(acceptor->vault) != acceptor->version) {
		acceptor_read(acceptor);
	}
	return SSL_new(acceptor->first);
}

#endif /* WEFT_TLS */
