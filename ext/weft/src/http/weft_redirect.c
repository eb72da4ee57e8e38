/*
 * A port for who does not come by TLS: sends clients there, and answers the challenge by which an authority finds out
 * that a name is this server's (RFC 8555, 8.3). No PHP runs.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sending.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define ACME_PATH "/.well-known/acme-challenge/"
/* Bytes of a token, and of its answer: both have under 200. */
#define LONGEST_TOKEN 256
#define LONGEST_ANSWER 4096

/* --- the challenge --- */

static bool is_token(const char *name)
{
	size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

	return length > 0 && length <= LONGEST_TOKEN && !name[length];
}

static ssize_t read_answer(const char *directory, const char *token, char to[LONGEST_ANSWER])
{
	char path[MAXPATHLEN];
	struct stat status;
	ssize_t got = -1;
	int file;

	snprintf(path, sizeof(path), "%s" ACME_PATH "%s", directory, token);
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file >= 0) {
		got = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? read(file, to, LONGEST_ANSWER) : -1;
		close(file);
	}
	return got;
}

static bool answer_challenge(weft_http_connection *connection)
{
	const char *directory = connection->server->config.acme, *uri = connection->exchange.request->uri;
	char text[LONGEST_ANSWER];
	ssize_t length;

	if (!directory || strncmp(uri, ACME_PATH, sizeof(ACME_PATH) - 1) != 0 || !is_token(uri + sizeof(ACME_PATH) - 1)) {
		return false;
	}
	length = read_answer(directory, uri + sizeof(ACME_PATH) - 1, text);
	if (length < 0) {
		return false;
	}
	weft_framing_answer(connection, 200, "", text, (size_t) length);
	return true;
}

/* --- the redirect --- */

/* Without the port: that is this one's. */
static size_t host_length(const char *host)
{
	const char *bracket = host[0] == '[' ? strchr(host, ']') : NULL;

	return bracket ? (size_t) (bracket - host) + 1 : strcspn(host, ":");
}

void weft_redirect_answer(weft_http_connection *connection)
{
	const weft_http_request *request = connection->exchange.request;
	uint16_t port = connection->server->https_port;
	bool repeats = request->parser.llhttp.method != HTTP_GET && request->parser.llhttp.method != HTTP_HEAD;
	static const char body[] = "This site is served over HTTPS.\n";
	char number[8] = "";
	weft_buffer lines = {0};

	if (answer_challenge(connection)) {
		return;
	}
	if (!request->host || !request->host[0]) {
		connection->exchange.framing->error(&connection->exchange, 400,
			"Without a Host header it is not known where to redirect to.");
		return;
	}
	if (port != 443) {
		snprintf(number, sizeof(number), ":%u", port);
	}
	weft_buffer_append(&lines, "Location: https://", strlen("Location: https://"));
	weft_buffer_append(&lines, request->host, host_length(request->host));
	weft_buffer_append(&lines, number, strlen(number));
	if (request->uri[0] == '/') {
		weft_buffer_append(&lines, request->uri, strlen(request->uri));
	} else {
		weft_buffer_append(&lines, "/", 1); /* OPTIONS * */
	}
	weft_buffer_append(&lines, "\r\n", sizeof("\r\n")); /* with an end */
	weft_framing_answer(connection, repeats ? 308 : 301, weft_buffer_data(&lines), body, sizeof(body) - 1);
	weft_buffer_free(&lines);
}
