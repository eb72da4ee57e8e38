/*
 * Reads the URL of a Redis.
 */
#include "server/weft_redis.h"

#include "http/weft_hex.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_PORT 6379

/* From `from` up to `end`, %XX being one byte. False when it is too long, or not what it should be. */
static bool take(char *to, const char *from, const char *end)
{
	size_t length = 0;

	for (; from < end && length < WEFT_REDIS_TEXT - 1; from++) {
		if (*from == '%') {
			if (end - from < 3 || weft_hex_digit(from[1]) < 0 || weft_hex_digit(from[2]) < 0) {
				return false;
			}
			to[length] = (char) (weft_hex_digit(from[1]) << 4 | weft_hex_digit(from[2]));
			from += 2;
		} else {
			to[length] = *from;
		}
		if (to[length++] == '\0') {
			return false;
		}
	}
	to[length] = '\0';
	return from == end;
}

static bool is_number(const char *text, const char *end, long least, long most, long *value)
{
	char *behind;

	if (text == end || *text < '0' || *text > '9') {
		return false;
	}
	*value = strtol(text, &behind, 10);
	return behind == end && *value >= least && *value <= most;
}

/* user:password, :password, or password alone, as there is of old. */
static bool take_credentials(weft_redis_url *url, const char *from, const char *end)
{
	const char *colon = memchr(from, ':', (size_t) (end - from));

	return colon == NULL ? take(url->password, from, end)
						 : take(url->user, from, colon) && take(url->password, colon + 1, end);
}

/* host, host:port, [address]:port. */
static const char *take_place(weft_redis_url *url, const char *from, const char *end)
{
	const char *host = from, *host_end, *rest;
	long port = DEFAULT_PORT;

	if (*from == '[') {
		host++;
		host_end = memchr(from, ']', (size_t) (end - from));
		rest = host_end != NULL ? host_end + 1 : end;
	} else {
		host_end = rest = memchr(from, ':', (size_t) (end - from));
	}
	if (host_end == NULL) {
		if (*from == '[') {
			return "its host begins with \"[\", and there is no \"]\"";
		}
		host_end = rest = end;
	}
	if (rest < end && (*rest != ':' || !is_number(rest + 1, end, 1, 65535, &port))) {
		return "its port must be a number from 1 to 65535";
	}
	url->port = (int) port;
	return host < host_end && take(url->host, host, host_end) ? NULL : "it has no host that can be read";
}

const char *weft_redis_url_read(weft_redis_url *url, const char *text)
{
	static const char scheme[] = "redis://", secure[] = "rediss://", path[] = "unix:";
	long database;

	*url = (weft_redis_url){.port = 0};
	if (strncmp(text, path, strlen(path)) == 0) {
		const char *at = text + strlen(path);
		at += strncmp(at, "//", 2) == 0 ? 2 : 0;
		return *at == '/' && take(url->path, at, at + strlen(at)) ? NULL
																  : "the path of its socket must begin with \"/\"";
	}
	if (strncmp(text, secure, strlen(secure)) == 0) {
		return "Weft speaks no TLS with Redis: use a private network, or a tunnel (stunnel) and its address";
	}
	if (strncmp(text, scheme, strlen(scheme)) != 0) {
		return "it must begin with redis:// or unix:";
	}
	const char *from = text + strlen(scheme), *end = from + strcspn(from, "/?#");
	const char *at = memrchr(from, '@', (size_t) (end - from));
	if (at != NULL && !take_credentials(url, from, at)) {
		return "its user or its password can't be read: write special characters as %XX";
	}
	if (*end != '\0' &&
		(*end != '/' || (end[1] != '\0' && !is_number(end + 1, end + strlen(end), 0, 65535, &database)))) {
		return "behind the host there may only be a slash and the number of a database";
	}
	return take_place(url, at != NULL ? at + 1 : from, end);
}
