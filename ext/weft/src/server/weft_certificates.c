/*
 * Certificates and their keys, from files to the vault that all workers read.
 */
#include "server/weft_certificates.h"
#include "server/weft_config.h"
#include "server/weft_identity.h"
#include "server/weft_process.h"

#include "ext/spl/spl_exceptions.h"
#include "zend_exceptions.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* Names of a certificate that is made here. */
#define MOST_NAMES 64
/* Seconds. */
#define DAY (24 * 60 * 60)

static bool give_up(const char *problem)
{
	zend_throw_exception(spl_ce_RuntimeException, problem, 0);
	return false;
}

/* --- the configuration --- */

static bool take_pairs(weft_tls_files *files, HashTable *pairs)
{
	zval *pair;
	ZEND_HASH_FOREACH_VAL(pairs, pair) {
		HashTable *texts = Z_TYPE_P(pair) == IS_ARRAY ? Z_ARRVAL_P(pair) : NULL;
		const char *certificate = texts != NULL ? weft_config_text(texts, "certificate") : NULL;
		const char *key = texts != NULL ? weft_config_text(texts, "key") : NULL;
		if (certificate == NULL || key == NULL) {
			zend_argument_value_error(1, "must have a \"tls\" with pairs of certificate and key");
			return false;
		}
		if (files->count == WEFT_TLS_CERTIFICATES) {
			return give_up("There are more than " ZEND_TOSTR(
				WEFT_TLS_CERTIFICATES) " certificates (--tls-cert): one can be for many names.");
		}
		files->pairs[files->count].certificate = certificate;
		files->pairs[files->count++].key = key;
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* Unless there is one that will do. */
static bool make_own(weft_certificates *self, char *problem)
{
	const char *texts[MOST_NAMES];
	uint32_t count = 0;
	zval *name;
	ZEND_HASH_FOREACH_VAL(self->own_names, name) {
		if (Z_TYPE_P(name) == IS_STRING && count < MOST_NAMES) {
			texts[count++] = Z_STRVAL_P(name);
		}
	} ZEND_HASH_FOREACH_END();
	self->renew_at = weft_tls_self_signed(self->files.pairs[0].certificate, self->files.pairs[0].key, texts, count,
		problem);
	return self->renew_at != 0;
}

static bool take_configuration(weft_certificates *self, HashTable *tls)
{
	weft_tls_files *files = &self->files;
	char problem[WEFT_TLS_PROBLEM];
	zval *pairs = weft_config_find(tls, "pairs"), *names = weft_config_find(tls, "self_signed");
	const char *clients = weft_config_text(tls, "clients");
	if (pairs == NULL || Z_TYPE_P(pairs) != IS_ARRAY || !take_pairs(files, Z_ARRVAL_P(pairs))) {
		return false;
	}
	files->authorities = weft_config_text(tls, "client_ca");
	if (files->authorities != NULL) {
		bool optional = clients != NULL && strcmp(clients, "optional") == 0;
		files->clients = optional ? WEFT_TLS_CLIENTS_OPTIONAL : WEFT_TLS_CLIENTS_REQUIRED;
	}
	if (names != NULL && Z_TYPE_P(names) == IS_ARRAY && zend_hash_num_elements(Z_ARRVAL_P(names)) > 0 &&
		files->count > 0) {
		self->own_names = Z_ARRVAL_P(names);
	}
	return self->own_names == NULL || make_own(self, problem) || give_up(problem);
}

bool weft_certificates_open(weft_certificates *self, HashTable *config)
{
	zval *tls = weft_config_find(config, "tls");
	char problem[WEFT_TLS_PROBLEM];
	*self = (weft_certificates){.fd = -1};
	if (tls == NULL || Z_TYPE_P(tls) != IS_ARRAY) {
		return true;
	}
	if (!weft_tls_available()) {
		return give_up(
			"This Weft was built without OpenSSL, so it has no TLS: install libssl-dev and pkg-config (Debian), "
			"then build it again (make build).");
	}
	if (!take_configuration(self, Z_ARRVAL_P(tls))) {
		return false;
	}
	self->vault = weft_tls_vault_new(&self->fd);
	if (self->vault == NULL) {
		return give_up(strerror(errno));
	}
	self->stamp = self->seen = weft_tls_files_stamp(&self->files);
	if (!weft_tls_files_load(&self->files, self->vault, &self->stale_at, problem)) {
		return give_up(problem);
	}
	uint64_t now = weft_process_now();
	self->look_at = now + WEFT_CERTIFICATES_LOOK_MS;
	self->rotate_at = now + WEFT_TLS_TICKET_KEY_MS;
	return true;
}

/* --- afterwards --- */

uint64_t weft_certificates_deadline(const weft_certificates *self)
{
	if (self->vault == NULL) {
		return 0;
	}
	return MIN(self->look_at, self->rotate_at);
}

/* An OCSP answer was valid until now. */
static bool is_stale(const weft_certificates *self)
{
	return self->stale_at != 0 && time(NULL) >= self->stale_at;
}

void weft_certificates_read(weft_certificates *self)
{
	char problem[WEFT_TLS_PROBLEM];
	if (self->vault == NULL) {
		return;
	}
	weft_identity_begin_reading();
	uint64_t stamp = weft_tls_files_stamp(&self->files);
	bool changed = stamp != self->stamp || is_stale(self);
	self->stamp = self->seen = stamp;
	bool loaded = weft_tls_files_load(&self->files, self->vault, &self->stale_at, problem);
	weft_identity_end_reading();
	if (loaded && changed) {
		weft_process_tell("certificates: read anew, for connections to come");
	} else if (!loaded) {
		self->stale_at = 0; /* workers see that for themselves, and it was told */
		weft_process_say("%s The certificates that were read before stay in use.", problem);
	}
}

/* What is made is read when it is seen to have changed. */
static void renew_own(weft_certificates *self)
{
	char problem[WEFT_TLS_PROBLEM];
	weft_identity_begin_reading();
	bool renewed = make_own(self, problem);
	weft_identity_end_reading();
	if (!renewed) {
		weft_process_say("%s It is tried again in a day.", problem);
		self->renew_at = time(NULL) + DAY;
	}
}

void weft_certificates_look(weft_certificates *self, uint64_t now)
{
	if (self->vault == NULL) {
		return;
	}
	if (now >= self->rotate_at) {
		weft_tls_vault_rotate(self->vault);
		self->rotate_at = now + WEFT_TLS_TICKET_KEY_MS;
	}
	if (now >= self->look_at) {
		if (self->own_names != NULL && time(NULL) >= self->renew_at) {
			renew_own(self);
		}
		weft_identity_begin_reading();
		uint64_t stamp = weft_tls_files_stamp(&self->files);
		weft_identity_end_reading();
		/* a certificate and its key are written one after the other: all is there when nothing changes any more */
		if (stamp == self->seen && (is_stale(self) || stamp != self->stamp)) {
			weft_certificates_read(self);
		}
		self->seen = stamp;
		self->look_at = now + WEFT_CERTIFICATES_LOOK_MS;
	}
}
