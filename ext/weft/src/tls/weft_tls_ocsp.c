/*
 * Answers of OCSP responders (RFC 6960), which the operator fetches: whether one may be stapled. Clients check its
 * signature; here it is only kept from them when they would refuse it.
 */
#include "tls/weft_tls_internal.h"

#ifdef WEFT_TLS

#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <time.h>

/* Seconds by which the responder's clock may be before ours. */
#define SKEW 300

static int64_t seconds_of(const ASN1_GENERALIZEDTIME *time)
{
	struct tm parts;

	return time && ASN1_TIME_to_tm(time, &parts) == 1 ? (int64_t) timegm(&parts) : 0;
}

/* By the serial number and, where the issuer is known, by that. */
static bool is_about(OCSP_SINGLERESP *single, X509 *certificate, X509 *issuer)
{
	OCSP_CERTID *id = (OCSP_CERTID *) OCSP_SINGLERESP_get0_id(single), *own;
	ASN1_OBJECT *digest;
	ASN1_INTEGER *serial;
	bool same;

	if (OCSP_id_get0_info(NULL, &digest, NULL, &serial, id) != 1 ||
		ASN1_INTEGER_cmp(serial, X509_get0_serialNumber(certificate)) != 0) {
		return false;
	}
	if (!issuer) {
		return true;
	}
	own = OCSP_cert_to_id(EVP_get_digestbyobj(digest), certificate, issuer);
	same = own && OCSP_id_cmp(own, id) == 0;
	OCSP_CERTID_free(own);
	return same;
}

static int64_t end_of(OCSP_SINGLERESP *single, char *why)
{
	ASN1_GENERALIZEDTIME *from, *until;
	int status = OCSP_single_get0_status(single, NULL, NULL, &from, &until);
	int64_t now = (int64_t) time(NULL), end = seconds_of(until);

	if (status != V_OCSP_CERTSTATUS_GOOD) {
		return weft_tls_refuse(why, "it says that the certificate is %s", OCSP_cert_status_str(status));
	}
	if (end == 0) {
		return weft_tls_refuse(why, "it does not say until when it is valid");
	}
	if (end <= now) {
		return weft_tls_refuse(why, "it was valid until %s. Fetch a new one", until->data);
	}
	if (seconds_of(from) > now + SKEW) {
		return weft_tls_refuse(why, "it is not valid before %s. Is the clock right?", from->data);
	}
	return end;
}

static int64_t end_in(OCSP_RESPONSE *response, X509 *certificate, X509 *issuer, char *why)
{
	int status = OCSP_response_status(response), count;
	OCSP_BASICRESP *basic = OCSP_response_get1_basic(response);
	OCSP_SINGLERESP *single = NULL;
	int64_t end;

	count = basic ? OCSP_resp_count(basic) : 0;
	for (int i = 0; i < count && !single; i++) {
		single = OCSP_resp_get0(basic, i);
		single = is_about(single, certificate, issuer) ? single : NULL;
	}
	if (status != OCSP_RESPONSE_STATUS_SUCCESSFUL) {
		end = weft_tls_refuse(why, "the responder had none (%s)", OCSP_response_status_str(status));
	} else if (!single) {
		end = weft_tls_refuse(why, "it is about another certificate");
	} else {
		end = end_of(single, why);
	}
	OCSP_BASICRESP_free(basic);
	return end;
}

int64_t weft_tls_answer_end(const char *answer, size_t length, const char *certificates, size_t certificates_length,
	char why[WEFT_TLS_PROBLEM])
{
	const unsigned char *at = (const unsigned char *) answer;
	OCSP_RESPONSE *response = d2i_OCSP_RESPONSE(NULL, &at, (long) length);
	BIO *bio = BIO_new_mem_buf(certificates, (int) certificates_length);
	X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL), *issuer = PEM_read_bio_X509(bio, NULL, NULL, NULL);
	int64_t end;

	if (response && certificate) {
		end = end_in(response, certificate, issuer, why);
	} else {
		end = weft_tls_refuse(why, "it is not in DER form, as \"openssl ocsp -respout FILE\" writes it");
	}
	weft_tls_errors_clear();
	X509_free(certificate);
	X509_free(issuer);
	BIO_free(bio);
	OCSP_RESPONSE_free(response);
	return end;
}

#endif /* WEFT_TLS */
