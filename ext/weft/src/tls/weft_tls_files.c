/*
 * Certificates and keys in files: read, looked at, and put into the vault. In the supervisor.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include "reactor/weft_log.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A certificate with its chain has 4 to 8 KB. */
#define LONGEST (256 * 1024)
/* HAProxy's convention: the answer of a certificate's OCSP responder is beside it. */
#define OCSP_SUFFIX ".ocsp"

/* What goes into the vault. */
typedef struct {
	char *text;
	size_t length;
} contents;

bool weft_tls_refuse(char problem[WEFT_TLS_PROBLEM], const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(problem, WEFT_TLS_PROBLEM, format, arguments);
	va_end(arguments);
	return false;
}

static void wipe(contents *contents)
{
	if (contents->text) {
		OPENSSL_cleanse(contents->text, contents->length);
		free(contents->text);
		contents->text = NULL;
	}
}

/* --- reading --- */

/* A pipe or a device might let the supervisor wait, and what it gives once can't be read again. */
int weft_tls_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (fd < 0 || (fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))) {
		return fd;
	}
	close(fd);
	errno = ENOTSUP;
	return -1;
}

static const char *reason(int error)
{
	if (error == ENOTSUP) {
		return "It is a pipe or a device, and must be a file, which can be read again. One in /run is never on a disk";
	}
	return strerror(error);
}

static bool read_file(const char *path, contents *to)
{
	int fd = weft_tls_open(path);
	ssize_t got;

	*to = (contents){malloc(LONGEST + 1), 0};
	if (fd < 0 || !to->text) {
		int why = errno;
		free(to->text);
		to->text = NULL;
		if (fd >= 0) {
			close(fd);
		}
		errno = why;
		return false;
	}
	while ((got = read(fd, to->text + to->length, LONGEST + 1 - to->length)) > 0) {
		to->length += (size_t) got;
	}
	if (got == 0 && to->length > LONGEST) {
		got = -1;
		errno = EFBIG;
	}
	int error = errno;
	close(fd);
	if (got < 0) {
		wipe(to);
		errno = error;
	}
	return got == 0;
}

static bool append(contents *to, const char *text, size_t length)
{
	uint32_t size = (uint32_t) length;
	char *more = malloc(to->length + sizeof(size) + length);

	if (!more) {
		return false;
	}
	memcpy(more, to->text ? to->text : "", to->length);
	memcpy(more + to->length, &size, sizeof(size));
	memcpy(more + to->length + sizeof(size), text, length);
	length += to->length + sizeof(size);
	wipe(to);
	*to = (contents){more, length};
	return true;
}

/* --- looking at it --- */

static void tell_of_validity(X509 *certificate, const char *path)
{
	const ASN1_TIME *from = X509_get0_notBefore(certificate), *until = X509_get0_notAfter(certificate);
	BIO *bio = BIO_new(BIO_s_mem());
	bool expired = X509_cmp_current_time(until) < 0;
	char date[64] = "";

	if (!expired && X509_cmp_current_time(from) < 0) {
		BIO_free(bio);
		return;
	}
	ASN1_TIME_print(bio, expired ? until : from);
	BIO_read(bio, date, sizeof(date) - 1);
	BIO_free(bio);
	weft_log(expired ? "weft: the certificate %s has expired: it was valid until %s. Browsers refuse it; renew it."
					 : "weft: the certificate %s is not valid before %s. Browsers refuse it; is the clock right?",
		path, date);
}

static bool look_at_certificate(const char *path, const char *option, const contents *file, char *problem, X509 **found)
{
	BIO *bio = BIO_new_mem_buf(file->text, (int) file->length);
	X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);

	BIO_free(bio);
	weft_tls_errors_clear();
	if (!certificate) {
		return weft_tls_refuse(problem,
			"%s holds no certificate in PEM form (%s): there is no readable \"-----BEGIN CERTIFICATE-----\" in it. "
			"\"openssl x509 -inform der -in FILE\" makes PEM of DER.",
			path, option);
	}
	*found = certificate;
	return true;
}

static int ask_for_no_password(char *to, int room, int writes, void *asked)
{
	*(bool *) asked = true;
	return -1;
}

static bool look_at_key(const char *path, const contents *file, char *problem, EVP_PKEY **found)
{
	BIO *bio = BIO_new_mem_buf(file->text, (int) file->length);
	bool encrypted = false;
	EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, ask_for_no_password, &encrypted);

	BIO_free(bio);
	weft_tls_errors_clear();
	if (encrypted && !key) {
		return weft_tls_refuse(problem,
			"The key %s is encrypted, and a server has nobody to ask for its password (--tls-key). "
			"\"openssl pkey -in %s -out FILE\" decrypts it; keep the file readable for root alone.",
			path, path);
	}
	if (!key) {
		return weft_tls_refuse(problem,
			"%s holds no private key in PEM form (--tls-key): there is no readable \"-----BEGIN PRIVATE KEY-----\" in "
			"it.",
			path);
	}
	*found = key;
	return true;
}

static bool look_at_pair(const char *certificate_path, const contents *certificate_file, const char *key_path,
	const contents *key_file, char *problem)
{
	X509 *certificate = NULL;
	EVP_PKEY *key = NULL;
	bool good = look_at_certificate(certificate_path, "--tls-cert", certificate_file, problem, &certificate) &&
		look_at_key(key_path, key_file, problem, &key);

	if (good && X509_check_private_key(certificate, key) != 1) {
		good = weft_tls_refuse(problem,
			"The key %s does not belong to the certificate %s (--tls-key, --tls-cert): name each certificate's own "
			"key, in the same order. The file of a chain must begin with the server's own certificate.",
			key_path, certificate_path);
	}
	if (good) {
		tell_of_validity(certificate, certificate_path);
	}
	weft_tls_errors_clear();
	X509_free(certificate);
	EVP_PKEY_free(key);
	return good;
}

/* --- all of them --- */

static bool cannot_read(char *problem, const char *what, const char *path, const char *option)
{
	return weft_tls_refuse(problem, "The %s %s can't be read: %s (%s).", what, path, reason(errno), option);
}

static void answer_path(char path[PATH_MAX], const char *certificate_path)
{
	snprintf(path, PATH_MAX, "%s" OCSP_SUFFIX, certificate_path);
}

/* The answer that is beside a certificate, behind the time of its end. One that can't be stapled is told of, and no
 * obstacle. */
static bool add_answer(const char *certificate_path, const contents *certificate, contents *to, int64_t *stale_at)
{
	contents answer = {0};
	char path[PATH_MAX], why[WEFT_TLS_PROBLEM] = "";
	int64_t end = 0;

	answer_path(path, certificate_path);
	if (read_file(path, &answer)) {
		end = weft_tls_answer_end(answer.text, answer.length, certificate->text, certificate->length, why);
	} else if (errno != ENOENT) {
		snprintf(why, sizeof(why), "it can't be read: %s", reason(errno));
	}
	if (end != 0) {
		*stale_at = *stale_at != 0 && *stale_at < end ? *stale_at : end;
	} else if (why[0]) {
		weft_log("weft: the OCSP answer %s is not stapled: %s.", path, why);
	}
	bool added = append(to, (const char *) &end, sizeof(end)) &&
		append(to, answer.text ? answer.text : "", end != 0 ? answer.length : 0);
	wipe(&answer);
	return added;
}

static bool add_pair(const char *certificate_path, const char *key_path, contents *to, int64_t *stale_at, char *problem)
{
	contents certificate = {0}, key = {0};
	bool good = read_file(certificate_path, &certificate) ||
		cannot_read(problem, "certificate", certificate_path, "--tls-cert");

	good = good && (read_file(key_path, &key) || cannot_read(problem, "key", key_path, "--tls-key")) &&
		look_at_pair(certificate_path, &certificate, key_path, &key, problem) &&
		((append(to, certificate.text, certificate.length) && append(to, key.text, key.length) &&
			 add_answer(certificate_path, &certificate, to, stale_at)) ||
			weft_tls_refuse(problem, "There is no memory for the certificates."));
	wipe(&certificate);
	wipe(&key);
	return good;
}

static bool add_authorities(const weft_tls_files *files, contents *to, char *problem)
{
	contents file = {0};
	X509 *authority = NULL;
	char clients = (char) ('0' + files->clients);
	bool good = !files->authorities ||
		(read_file(files->authorities, &file)
				? look_at_certificate(files->authorities, "--tls-client-ca", &file, problem, &authority)
				: cannot_read(problem, "certificate", files->authorities, "--tls-client-ca"));

	X509_free(authority);
	good = good && append(to, &clients, 1) && append(to, file.text ? file.text : "", file.length);
	wipe(&file);
	return good;
}

/* Whether OpenSSL takes them: it may find a key too short. */
static bool can_be_used(const contents *all, char *problem)
{
	char reason[WEFT_TLS_PROBLEM];
	SSL_CTX *context = weft_tls_context_new(all->text, all->length, NULL, reason);

	SSL_CTX_free(context);
	return context ||
		weft_tls_refuse(problem, "The certificates can't be used (--tls-cert): OpenSSL says \"%s\".", reason);
}

bool weft_tls_files_load(const weft_tls_files *files, weft_tls_vault *vault, int64_t *stale_at,
	char problem[WEFT_TLS_PROBLEM])
{
	contents all = {0};
	bool good = add_authorities(files, &all, problem);

	*stale_at = 0;
	for (uint32_t i = 0; good && i < files->count; i++) {
		good = add_pair(files->pairs[i].certificate, files->pairs[i].key, &all, stale_at, problem);
	}
	good = good && can_be_used(&all, problem) &&
		(weft_tls_vault_fill(vault, all.text, all.length) ||
			weft_tls_refuse(problem, "The certificates are too many or too large (--tls-cert)."));
	wipe(&all);
	return good;
}

/* --- whether they have changed --- */

static uint64_t mix(uint64_t stamp, uint64_t number)
{
	return (stamp ^ number) * UINT64_C(0x100000001b3);
}

static uint64_t stamp_of(uint64_t stamp, const char *path)
{
	struct stat status = {0};

	if (!path || stat(path, &status) != 0) {
		return mix(stamp, 1);
	}
	stamp = mix(mix(stamp, (uint64_t) status.st_ino), (uint64_t) status.st_size);
	/* no change of the content without one of this, which rights have as well */
	return mix(mix(stamp, (uint64_t) status.st_ctim.tv_sec), (uint64_t) status.st_ctim.tv_nsec);
}

uint64_t weft_tls_files_stamp(const weft_tls_files *files)
{
	uint64_t stamp = stamp_of(UINT64_C(0xcbf29ce484222325), files->authorities);
	char ocsp[PATH_MAX];

	for (uint32_t i = 0; i < files->count; i++) {
		answer_path(ocsp, files->pairs[i].certificate);
		stamp = stamp_of(stamp_of(stamp_of(stamp, files->pairs[i].certificate), files->pairs[i].key), ocsp);
	}
	return stamp;
}

#endif /* WEFT_TLS */
