/*
 * Connections that ask once, as a browser does, and then stay open and say nothing.
 *
 *     idle PORT COUNT http|https|h2|h2s [FIRST]
 *
 * h2 is HTTP/2 without TLS (with prior knowledge), h2s over TLS. One after another, so what they cost the server is
 * theirs alone. Says "ready" when all are there, and ends when its standard input does. A source address has some
 * 28,000 ports, so connections come from 127.0.0.2, 127.0.0.3 … Where a process may not have as many descriptors,
 * several hold a part each: FIRST is the number of the first one. Link with -lssl -lcrypto.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define PER_ADDRESS 10000
#define FRAME_HEAD 9

typedef struct {
	int fd;
	SSL *ssl; /* NULL: without TLS */
} connection;

static SSL_CTX *context;
static bool http2;

static void fail(const char *what)
{
	fprintf(stderr, "idle: %s\n", what);
	exit(1);
}

static void say(connection *c, const void *data, int length)
{
	if ((c->ssl ? SSL_write(c->ssl, data, length) : (int) send(c->fd, data, (size_t) length, MSG_NOSIGNAL)) != length) {
		fail("a request could not be sent");
	}
}

static void hear(connection *c, unsigned char *to, int length)
{
	while (length > 0) {
		int got = c->ssl ? SSL_read(c->ssl, to, length) : (int) recv(c->fd, to, (size_t) length, 0);

		if (got <= 0) {
			fail("an answer ended early");
		}
		to += got;
		length -= got;
	}
}

static void ask_http1(connection *c)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: idle\r\n\r\n";
	char head[4096];
	int length = 0, more;

	say(c, request, sizeof(request) - 1);
	do { /* byte by byte: what follows is read as a body */
		hear(c, (unsigned char *) head + length++, 1);
		head[length] = '\0';
	} while (!strstr(head, "\r\n\r\n") && length < (int) sizeof(head) - 2);
	if (strncmp(head, "HTTP/1.1 200 ", 13) != 0 || !strcasestr(head, "content-length: ")) {
		fail("an answer is no 200 with a length");
	}
	for (more = atoi(strcasestr(head, "content-length: ") + 16); more > 0; more--) {
		hear(c, (unsigned char *) head, 1);
	}
}

static void ask_http2(connection *c)
{
	static const char request[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
								  "\0\0\6\4\0\0\0\0\0\0\3\0\0\0\x64" /* SETTINGS: 100 streams */
								  "\0\0\4\x08\0\0\0\0\0\0\x10\0\0"   /* WINDOW_UPDATE */
								  "\0\0\x17\1\5\0\0\0\1"             /* HEADERS, the whole request */
								  "\x82\x86\x84\x41\x09localhost"    /* GET http / */
								  "\x7a\x04idle\x53\x01*";           /* user-agent, accept */
	static const char acknowledged[] = "\0\0\0\4\1\0\0\0";
	unsigned char head[FRAME_HEAD], content[16384];
	bool ended = false;

	say(c, request, sizeof(request) - 1);
	while (!ended) {
		int length;

		hear(c, head, FRAME_HEAD);
		length = head[0] << 16 | head[1] << 8 | head[2];
		if (length > (int) sizeof(content)) {
			fail("a frame is too long");
		}
		hear(c, content, length);
		if (head[3] == 4 && !(head[4] & 1)) {
			say(c, acknowledged, sizeof(acknowledged));
		} else if (head[3] == 3 || head[3] == 7 || (head[3] == 1 && content[0] != 0x88)) {
			fail("an answer is no 200");
		}
		ended = head[3] <= 1 && head[4] & 1;
	}
}

static void open_one(connection *c, unsigned number, uint16_t port, bool tls)
{
	struct sockaddr_in from = {.sin_family = AF_INET}, to = {.sin_family = AF_INET, .sin_port = htons(port)};
	int one = 1;

	from.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1 + number / PER_ADDRESS);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){.l_onoff = 1}, sizeof(struct linger));
	setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof(one));
	if (c->fd < 0 || bind(c->fd, (struct sockaddr *) &from, sizeof(from)) != 0 ||
		connect(c->fd, (struct sockaddr *) &to, sizeof(to)) != 0) {
		perror("idle");
		exit(1);
	}
	if (tls) {
		c->ssl = SSL_new(context);
		SSL_set_fd(c->ssl, c->fd);
		if (SSL_connect(c->ssl) != 1) {
			fail("a handshake failed");
		}
	}
	if (http2) {
		ask_http2(c);
	} else {
		ask_http1(c);
	}
}

int main(int argc, char **argv)
{
	const char *protocol = argc >= 4 ? argv[3] : "";
	bool tls = strcmp(protocol, "https") == 0 || strcmp(protocol, "h2s") == 0;
	unsigned count = argc >= 4 ? (unsigned) atoi(argv[2]) : 0, first = argc == 5 ? (unsigned) atoi(argv[4]) : 0;
	struct rlimit files;
	connection *all;

	http2 = strncmp(protocol, "h2", 2) == 0;
	if (count == 0 || !(tls || strcmp(protocol, "http") == 0 || strcmp(protocol, "h2") == 0)) {
		fprintf(stderr, "usage: idle PORT COUNT http|https|h2|h2s [FIRST]\n");
		return 2;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	context = SSL_CTX_new(TLS_client_method());
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	if (http2) {
		SSL_CTX_set_alpn_protos(context, (const unsigned char *) "\2h2", 3);
	}
	all = calloc(count, sizeof(*all));
	for (unsigned i = 0; i < count; i++) {
		open_one(&all[i], first + i, (uint16_t) atoi(argv[1]), tls);
	}
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF) {
	}
	return 0;
}
