/*
 * Stateless session tickets (RFC 5077, RFC 8446 4.6.1): what a session was is in the client's ticket, encrypted with a
 * key that all workers have.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string.h>

static int vault_index = -1;

/* What OpenSSL wants to hear. */
enum { UNKNOWN = 0, GOOD = 1, RENEW = 2, WRONG = -1 };

static bool use_key(const weft_tls_ticket_key *key, const unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
	int encrypts)
{
	char digest[] = "SHA256";
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *) key->mac, sizeof(key->mac)),
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};

	return EVP_MAC_CTX_set_params(mac, parameters) == 1 &&
		EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key->cipher, iv, encrypts) == 1;
}

static int ticket_key(SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
	int encrypts)
{
	weft_tls_ticket_key keys[WEFT_TLS_TICKET_KEYS];
	int result = UNKNOWN;

	weft_tls_vault_ticket_keys(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), vault_index), keys);
	if (encrypts) {
		memcpy(name, keys[0].name, sizeof(keys[0].name));
		result = RAND_bytes(iv, EVP_CIPHER_get_iv_length(EVP_aes_256_cbc())) == 1 &&
				use_key(&keys[0], iv, cipher, mac, encrypts)
			? GOOD
			: WRONG;
	} else {
		for (int i = 0; i < WEFT_TLS_TICKET_KEYS && result == UNKNOWN; i++) {
			if (memcmp(name, keys[i].name, sizeof(keys[i].name)) == 0) {
				result = !use_key(&keys[i], iv, cipher, mac, encrypts) ? WRONG : i == 0 ? GOOD : RENEW;
			}
		}
	}
	OPENSSL_cleanse(keys, sizeof(keys));
	return result;
}

/* With TLS 1.3 each resumption gives a new ticket, without end; what the client has once shown has one. */
static bool client_has_expired(const SSL_SESSION *session)
{
	const X509 *certificate = SSL_SESSION_get0_peer((SSL_SESSION *) session);

	return certificate && X509_cmp_current_time(X509_get0_notAfter(certificate)) <= 0;
}

/* Who isn't resumed shakes hands in full, and gets a new ticket. */
static SSL_TICKET_RETURN may_resume(SSL *ssl, SSL_SESSION *session, const unsigned char *name, size_t length,
	SSL_TICKET_STATUS status, void *arg)
{
	if (session && client_has_expired(session)) {
		return SSL_TICKET_RETURN_IGNORE_RENEW;
	}
	switch (status) {
		case SSL_TICKET_SUCCESS: return SSL_TICKET_RETURN_USE;
		case SSL_TICKET_SUCCESS_RENEW: return SSL_TICKET_RETURN_USE_RENEW;
		default: return SSL_TICKET_RETURN_IGNORE_RENEW;
	}
}

void weft_tls_tickets_use(SSL_CTX *context, const weft_tls_vault *vault)
{
	if (vault_index < 0) {
		vault_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL);
	}
	SSL_CTX_set_ex_data(context, vault_index, (void *) vault);
	SSL_CTX_set_tlsext_ticket_key_evp_cb(context, ticket_key);
	SSL_CTX_set_session_ticket_cb(context, NULL, may_resume, NULL);
}

#endif /* WEFT_TLS */
