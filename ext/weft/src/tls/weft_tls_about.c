/*
 * What is known of a connection and of its client.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

typedef struct {
	void (*tell)(void *arg, const char *name, const char *value);
	void *arg;
} listener;

const unsigned char *weft_tls_protocol(const weft_tls *tls, unsigned int *length)
{
	const unsigned char *protocol = NULL;

	*length = 0;
	SSL_get0_alpn_selected(tls->ssl, &protocol, length);
	return protocol;
}

static void say(const listener *to, const char *name, const char *value)
{
	to->tell(to->arg, name, value);
}

/* What has been written into `bio`, which is freed. */
static void say_written(const listener *to, const char *name, BIO *bio)
{
	char *text = NULL;

	BIO_write(bio, "", 1); /* its end */
	if (BIO_get_mem_data(bio, &text) > 0 && text) {
		say(to, name, text);
	}
	BIO_free(bio);
}

static void say_name(const listener *to, const char *variable, const X509_NAME *name)
{
	BIO *bio = BIO_new(BIO_s_mem());

	X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
	say_written(to, variable, bio);
}

static void say_time(const listener *to, const char *variable, const ASN1_TIME *time)
{
	BIO *bio = BIO_new(BIO_s_mem());

	ASN1_TIME_print(bio, time);
	say_written(to, variable, bio);
}

/* A part of the subject. One with a zero byte in it is no name of anybody. */
static void say_part(const listener *to, const char *variable, const X509_NAME *name, int part)
{
	int at = X509_NAME_get_index_by_NID(name, part, -1);
	unsigned char *text = NULL;
	int length = at < 0 ? -1 : ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));

	if (length >= 0 && strlen((const char *) text) == (size_t) length) {
		say(to, variable, (const char *) text);
	}
	OPENSSL_free(text);
}

static void say_certificate(const listener *to, X509 *certificate)
{
	const X509_NAME *subject = X509_get_subject_name(certificate);
	BIO *serial = BIO_new(BIO_s_mem()), *text = BIO_new(BIO_s_mem());

	say_name(to, "SSL_CLIENT_S_DN", subject);
	say_name(to, "SSL_CLIENT_I_DN", X509_get_issuer_name(certificate));
	say_part(to, "SSL_CLIENT_S_DN_CN", subject, NID_commonName);
	say_part(to, "SSL_CLIENT_S_DN_O", subject, NID_organizationName);
	say_part(to, "SSL_CLIENT_S_DN_OU", subject, NID_organizationalUnitName);
	say_part(to, "SSL_CLIENT_S_DN_Email", subject, NID_pkcs9_emailAddress);
	i2a_ASN1_INTEGER(serial, X509_get0_serialNumber(certificate));
	say_written(to, "SSL_CLIENT_M_SERIAL", serial);
	say_time(to, "SSL_CLIENT_V_START", X509_get0_notBefore(certificate));
	say_time(to, "SSL_CLIENT_V_END", X509_get0_notAfter(certificate));
	PEM_write_bio_X509(text, certificate);
	say_written(to, "SSL_CLIENT_CERT", text);
}

void weft_tls_describe(const weft_tls *tls, void (*tell)(void *arg, const char *name, const char *value), void *arg)
{
	listener to = {tell, arg};
	const char *name = SSL_get_servername(tls->ssl, TLSEXT_NAMETYPE_host_name);
	X509 *certificate = SSL_get0_peer_certificate(tls->ssl);

	weft_tls_errors_clear();
	say(&to, "SSL_PROTOCOL", SSL_get_version(tls->ssl));
	say(&to, "SSL_CIPHER", SSL_get_cipher_name(tls->ssl));
	if (name) {
		say(&to, "SSL_TLS_SNI", name);
	}
	if (SSL_get_verify_mode(tls->ssl) & SSL_VERIFY_PEER) {
		/* one that does not verify gets no connection */
		say(&to, "SSL_CLIENT_VERIFY", certificate ? "SUCCESS" : "NONE");
	}
	if (certificate) {
		say_certificate(&to, certificate);
	}
	weft_tls_errors_clear();
}

#endif /* WEFT_TLS */
