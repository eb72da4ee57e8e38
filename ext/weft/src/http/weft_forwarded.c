/*
 * What a proxy in front says of the client: X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Port count when they
 * come from an address that the configuration trusts (--trusted-proxies). Anybody else may have written what he likes.
 */
#include "http/weft_http_internal.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <strings.h>

/* An IPv4 address is one of IPv6, as RFC 4291, 2.5.5.2 maps it. */
typedef struct {
	unsigned char bytes[16];
	unsigned bits; /* that count */
} network;

static network *trusted;
static uint32_t trusted_count;

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

static bool is_v4(const unsigned char bytes[16])
{
	return memcmp(bytes, mapped, sizeof(mapped)) == 0;
}

bool weft_forwarded_read(const char *text, unsigned char bytes[16])
{
	if (inet_pton(AF_INET, text, bytes + sizeof(mapped)) == 1) {
		memcpy(bytes, mapped, sizeof(mapped));
		return true;
	}
	return inet_pton(AF_INET6, text, bytes) == 1;
}

/* "10.0.0.0/8", "::1" */
static bool read_network(const char *text, network *to)
{
	char address[INET6_ADDRSTRLEN], *end;
	size_t length = strcspn(text, "/");
	bool is_short;

	if (length >= sizeof(address)) {
		return false;
	}
	memcpy(address, text, length);
	address[length] = '\0';
	if (!weft_forwarded_read(address, to->bytes)) {
		return false;
	}
	is_short = !strchr(address, ':');
	to->bits = 128;
	if (text[length] == '/') {
		unsigned long bits = strtoul(text + length + 1, &end, 10);
		if (!isdigit((unsigned char) text[length + 1]) || *end || bits > (is_short ? 32 : 128)) {
			return false;
		}
		to->bits = (unsigned) bits + (is_short ? 96 : 0);
	}
	return true;
}

bool weft_forwarded_trust(const char *proxy)
{
	network *more = realloc(trusted, (trusted_count + 1) * sizeof(*trusted));

	if (more) {
		trusted = more;
	}
	return more && read_network(proxy, &trusted[trusted_count]) && ++trusted_count;
}

static bool is_in(const unsigned char bytes[16], const network *of)
{
	unsigned whole = of->bits / 8, rest = of->bits % 8;

	return memcmp(bytes, of->bytes, whole) == 0 && (rest == 0 || (bytes[whole] ^ of->bytes[whole]) >> (8 - rest) == 0);
}

bool weft_forwarded_trusts(const char *address)
{
	unsigned char bytes[16];

	if (!weft_forwarded_read(address, bytes)) {
		return false;
	}
	for (uint32_t i = 0; i < trusted_count; i++) {
		if (is_in(bytes, &trusted[i])) {
			return true;
		}
	}
	return false;
}

/* --- the headers --- */

/* The last header of this name before `before`; returns its index, or -1. */
static int32_t last_header(const weft_http_request *request, const char *name, int32_t before)
{
	size_t length = strlen(name);

	while (--before >= 0) {
		const weft_parser_header *header = &request->parser.headers[before];
		if (header->name_length == length && strncasecmp(request->head + header->name, name, length) == 0) {
			return before;
		}
	}
	return -1;
}

/* The last element of a list with commas that ends at *end, without its blanks; *end moves before it. */
static const char *last_element(const char *list, size_t *end, size_t *length)
{
	size_t begin = *end, last = *end;

	while (begin > 0 && list[begin - 1] != ',') {
		begin--;
	}
	*end = begin > 0 ? begin - 1 : 0;
	while (begin < last && isspace((unsigned char) list[begin])) {
		begin++;
	}
	while (last > begin && isspace((unsigned char) list[last - 1])) {
		last--;
	}
	*length = last - begin;
	return list + begin;
}

/* "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]:4711", as inet_ntop(3) writes it. */
static bool take_address(char to[INET6_ADDRSTRLEN], const char *text, size_t length)
{
	unsigned char bytes[16];

	if (length > 0 && text[0] == '[') {
		const char *end = memchr(text, ']', length);
		length = end ? (size_t) (end - text) - 1 : 0;
		text++;
	} else {
		const char *colon = memchr(text, ':', length);
		if (colon && !memchr(colon + 1, ':', length - (size_t) (colon + 1 - text))) {
			length = (size_t) (colon - text); /* a port of IPv4 */
		}
	}
	if (length == 0 || length >= INET6_ADDRSTRLEN) {
		return false;
	}
	memcpy(to, text, length);
	to[length] = '\0';
	if (!weft_forwarded_read(to, bytes)) {
		return false;
	}
	inet_ntop(is_v4(bytes) ? AF_INET : AF_INET6, is_v4(bytes) ? bytes + 12 : bytes, to, INET6_ADDRSTRLEN);
	return true;
}

/* From the nearest proxy to the farthest: the first that is not trusted is the client. What stands before it anybody
 * may have written. */
static void take_client(weft_http_request *request)
{
	int32_t index = (int32_t) request->parser.header_count;
	char address[INET6_ADDRSTRLEN];

	while ((index = last_header(request, "x-forwarded-for", index)) >= 0) {
		const char *list = request->head + request->parser.headers[index].value;
		size_t end = strlen(list), length;
		do {
			const char *element = last_element(list, &end, &length);
			if (!take_address(address, element, length)) {
				return;
			}
			memcpy(request->remote_address, address, sizeof(address));
			request->remote_port = 0;
			if (!weft_forwarded_trusts(address)) {
				return;
			}
		} while (end > 0);
	}
}

static bool last_value_is(const weft_http_request *request, const char *name, const char *value)
{
	int32_t index = last_header(request, name, (int32_t) request->parser.header_count);
	if (index < 0) {
		return false;
	}
	const char *list = request->head + request->parser.headers[index].value;
	size_t end = strlen(list), length;
	const char *element = last_element(list, &end, &length);
	return length == strlen(value) && strncasecmp(element, value, length) == 0;
}

static uint16_t forwarded_port(const weft_http_request *request)
{
	int32_t index = last_header(request, "x-forwarded-port", (int32_t) request->parser.header_count);
	const char *text = index < 0 ? "" : request->head + request->parser.headers[index].value;
	char *end;
	unsigned long port = isdigit((unsigned char) text[0]) ? strtoul(text, &end, 10) : 0;

	return port > 0 && port <= UINT16_MAX && !*end ? (uint16_t) port : 0;
}

void weft_forwarded_apply(weft_http_request *request)
{
	if (trusted_count == 0 || !weft_forwarded_trusts(request->remote_address)) {
		return;
	}
	bool https = last_value_is(request, "x-forwarded-proto", "https");
	uint16_t port = forwarded_port(request);

	take_client(request);
	bool http = last_value_is(request, "x-forwarded-proto", "http");
	if (https || http) {
		request->https = https; /* a proxy that says neither may come by TLS itself */
	}
	if (port) {
		request->local_port = port;
	} else if (https || http) {
		request->local_port = https ? 443 : 80;
	}
}
