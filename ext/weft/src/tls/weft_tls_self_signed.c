/*
 * A certificate for development, which nobody has signed but its own key.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DAY (24 * 60 * 60)
/* Browsers take none for longer. */
#define VALID_DAYS 397
/* A new one is made when the old one has less. */
#define LEAST_DAYS 30
#define NAMES_ROOM 4096

static bool is_address(const char *name)
{
	unsigned char address[sizeof(struct in6_addr)];

	return inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1;
}

/* --- the one that is there --- */

static bool is_for(X509 *certificate, const char *name)
{
	return is_address(name) ? X509_check_ip_asc(certificate, name, 0) == 1
							: X509_check_host(certificate, name, 0, 0, NULL) == 1;
}

static BIO *open_old(const char *path)
{
	int fd = weft_tls_open(path);

	return fd >= 0 ? BIO_new_fd(fd, BIO_CLOSE) : NULL;
}

static int64_t renewal_of(X509 *certificate)
{
	struct tm end;

	return ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1 ? (int64_t) timegm(&end) - LEAST_DAYS * DAY : 0;
}

/* When it will do no more; 0: now. */
static int64_t will_do_until(const char *certificate_path, const char *key_path, const char *const *names,
	uint32_t count)
{
	BIO *certificate_file = open_old(certificate_path), *key_file = open_old(key_path);
	X509 *certificate = certificate_file ? PEM_read_bio_X509(certificate_file, NULL, NULL, NULL) : NULL;
	EVP_PKEY *key = key_file ? PEM_read_bio_PrivateKey(key_file, NULL, NULL, "") : NULL;
	int64_t until = certificate ? renewal_of(certificate) : 0;
	bool good = key && X509_check_private_key(certificate, key) == 1 && until > (int64_t) time(NULL);

	for (uint32_t i = 0; good && i < count; i++) {
		good = is_for(certificate, names[i]);
	}
	X509_free(certificate);
	EVP_PKEY_free(key);
	BIO_free(certificate_file);
	BIO_free(key_file);
	weft_tls_errors_clear();
	return good ? until : 0;
}

/* --- a new one --- */

static bool add_extension(X509 *certificate, int kind, const char *value)
{
	X509V3_CTX context;
	X509_EXTENSION *extension;
	bool added;

	X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
	extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
	added = extension && X509_add_ext(certificate, extension, -1) == 1;
	X509_EXTENSION_free(extension);
	return added;
}

static bool add_names(X509 *certificate, const char *const *names, uint32_t count)
{
	char text[NAMES_ROOM] = "";
	size_t length = 0;

	for (uint32_t i = 0; i < count && length < sizeof(text); i++) {
		length += (size_t) snprintf(text + length, sizeof(text) - length, "%s%s:%s", i > 0 ? "," : "",
			is_address(names[i]) ? "IP" : "DNS", names[i]);
	}
	return length < sizeof(text) && add_extension(certificate, NID_subject_alt_name, text);
}

static X509 *sign_for(EVP_PKEY *key, const char *const *names, uint32_t count)
{
	X509 *certificate = X509_new();
	X509_NAME *name = certificate ? X509_get_subject_name(certificate) : NULL;
	uint64_t serial = 0;
	bool good = name && RAND_bytes((unsigned char *) &serial, sizeof(serial)) == 1 &&
		X509_set_version(certificate, 2) == 1 &&
		ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1 &&
		X509_gmtime_adj(X509_getm_notBefore(certificate), -DAY) &&
		X509_gmtime_adj(X509_getm_notAfter(certificate), (VALID_DAYS - 1) * DAY) &&
		X509_set_pubkey(certificate, key) == 1 &&
		X509_NAME_add_entry_by_txt(name, "O", MBSTRING_ASC, (const unsigned char *) "Weft, self-signed", -1, -1, 0) ==
			1 &&
		X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *) names[0], -1, -1, 0) == 1 &&
		X509_set_issuer_name(certificate, name) == 1 && add_names(certificate, names, count) &&
		add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
		add_extension(certificate, NID_key_usage, "critical,digitalSignature,keyCertSign") &&
		add_extension(certificate, NID_ext_key_usage, "serverAuth") && X509_sign(certificate, key, EVP_sha256()) > 0;

	if (!good) {
		X509_free(certificate);
		return NULL;
	}
	return certificate;
}

/* No one who has the old one open gets this one, and who opens it finds it whole. */
static FILE *open_new(const char *path, mode_t mode)
{
	int fd;

	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return fd >= 0 ? fdopen(fd, "w") : NULL;
}

static bool write_files(const char *certificate_path, X509 *certificate, const char *key_path, EVP_PKEY *key)
{
	char new_certificate[PATH_MAX], new_key[PATH_MAX];
	FILE *key_file, *certificate_file;
	bool good;

	snprintf(new_certificate, sizeof(new_certificate), "%s.new", certificate_path);
	snprintf(new_key, sizeof(new_key), "%s.new", key_path);
	key_file = open_new(new_key, 0600);
	certificate_file = open_new(new_certificate, 0644);
	good = key_file && certificate_file && PEM_write_PrivateKey(key_file, key, NULL, NULL, 0, NULL, NULL) == 1 &&
		PEM_write_X509(certificate_file, certificate) == 1;
	if (key_file) {
		good = fclose(key_file) == 0 && good;
	}
	if (certificate_file) {
		good = fclose(certificate_file) == 0 && good;
	}
	return good && rename(new_key, key_path) == 0 && rename(new_certificate, certificate_path) == 0;
}

static int64_t make(const char *certificate_path, const char *key_path, const char *const *names, uint32_t count,
	char problem[WEFT_TLS_PROBLEM])
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = key ? sign_for(key, names, count) : NULL;
	bool written = certificate && write_files(certificate_path, certificate, key_path, key);
	int64_t until = written ? renewal_of(certificate) : 0;

	if (!certificate) {
		char reason[WEFT_TLS_PROBLEM / 2];
		snprintf(problem, WEFT_TLS_PROBLEM, "A certificate can't be made (--tls=self-signed): OpenSSL says \"%s\".",
			weft_tls_errors_take(reason, sizeof(reason)));
	} else if (!written) {
		snprintf(problem, WEFT_TLS_PROBLEM, "The certificate %s can't be written (--tls=self-signed): %s.",
			certificate_path, strerror(errno));
	}
	weft_tls_errors_clear();
	X509_free(certificate);
	EVP_PKEY_free(key);
	return until;
}

/* Of several servers that start at once one makes the pair, and the others find it. -1: they can't be kept apart. */
static int lock_directory_of(const char *path)
{
	char directory[PATH_MAX];
	int fd;

	snprintf(directory, sizeof(directory), "%s", path);
	fd = open(dirname(directory), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		flock(fd, LOCK_EX);
	}
	return fd;
}

int64_t weft_tls_self_signed(const char *certificate_path, const char *key_path, const char *const *names,
	uint32_t count, char problem[WEFT_TLS_PROBLEM])
{
	int lock = lock_directory_of(certificate_path);
	int64_t until = will_do_until(certificate_path, key_path, names, count);

	if (until == 0) {
		until = make(certificate_path, key_path, names, count, problem);
	}
	if (lock >= 0) {
		close(lock);
	}
	return until;
}

#endif /* WEFT_TLS */
