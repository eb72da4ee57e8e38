/*
 * Connections that ask once, as a browser does, and then stay open and say nothing.
 *
 *     idle PORT COUNT http|https|h2|h2s|events|ws|wss|ws-h2|ws-foreach [FIRST]
 *
 * h2 is HTTP/2 without TLS (with prior knowledge), h2s over TLS. events reads one event of /events, the others open a
 * WebSocket at /handed-over or /foreach; ws-h2 a hundred on each connection (RFC 8441). One after another, so what they
 * cost the server is theirs alone. Says "ready" when all are there, and ends when its standard input does. A source
 * address has some 28,000 ports, so connections come from 127.0.0.2, 127.0.0.3 … Where a process may not have as many
 * descriptors, several hold a part each: FIRST is the number of the first one. Link with -lssl -lcrypto.
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
#define HEAD_ROOM 4096
#define STREAMS 100 /* of a connection that has WebSockets: what servers allow at least (RFC 9113, 6.5.2) */

typedef struct {
	int fd;
	SSL *ssl; /* NULL: without TLS */
} connection;

static SSL_CTX *context;

static void ask_http1(connection *c);
static void ask_http2(connection *c);
static void ask_events(connection *c);
static void ask_handed_over(connection *c);
static void ask_foreach(connection *c);
static void ask_streams(connection *c);

typedef struct {
	const char *name;
	bool tls, http2;
	unsigned streams; /* on a connection */
	void (*ask)(connection *c);
} protocol;

static const protocol protocols[] = {
	{"http", false, false, 1, ask_http1},
	{"https", true, false, 1, ask_http1},
	{"h2", false, true, 1, ask_http2},
	{"h2s", true, true, 1, ask_http2},
	{"events", false, false, 1, ask_events},
	{"ws", false, false, 1, ask_handed_over},
	{"wss", true, false, 1, ask_handed_over},
	{"ws-h2", false, true, STREAMS, ask_streams},
	{"ws-foreach", false, false, 1, ask_foreach},
};

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

/* Sends it, and reads the head of the answer, byte by byte: what follows is something else. */
static void ask(connection *c, const char *request, char *head, int room)
{
	int length = 0;

	say(c, request, (int) strlen(request));
	do {
		hear(c, (unsigned char *) head + length++, 1);
		head[length] = '\0';
	} while (!strstr(head, "\r\n\r\n") && length < room - 2);
}

static void ask_http1(connection *c)
{
	char head[HEAD_ROOM];
	int more;

	ask(c, "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nUser-Agent: idle\r\n\r\n", head, sizeof(head));
	if (strncmp(head, "HTTP/1.1 200 ", 13) != 0 || !strcasestr(head, "content-length: ")) {
		fail("an answer is no 200 with a length");
	}
	for (more = atoi(strcasestr(head, "content-length: ") + 16); more > 0; more--) {
		hear(c, (unsigned char *) head, 1);
	}
}

/* The chunk with the first event. */
static void ask_events(connection *c)
{
	char head[HEAD_ROOM];

	ask(c, "GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n", head, sizeof(head));
	if (strncmp(head, "HTTP/1.1 200 ", 13) != 0 || !strcasestr(head, "transfer-encoding: chunked")) {
		fail("an answer is no 200 in chunks");
	}
	while (head[0] != '\n') {
		hear(c, (unsigned char *) head, 1);
	}
}

static void ask_upgrade(connection *c, const char *path)
{
	char request[HEAD_ROOM], head[HEAD_ROOM];

	snprintf(request, sizeof(request),
		"GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
		path);
	ask(c, request, head, sizeof(head));
	if (strncmp(head, "HTTP/1.1 101 ", 13) != 0) {
		fail("an answer is no 101");
	}
}

static void ask_handed_over(connection *c)
{
	ask_upgrade(c, "/handed-over");
}

static void ask_foreach(connection *c)
{
	ask_upgrade(c, "/foreach");
}

#define H2_BEGIN \
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" \
	"\0\0\6\4\0\0\0\0\0\0\3\0\0\0\x64" /* SETTINGS: 100 streams */ \
	"\0\0\4\x08\0\0\0\0\0\0\x10\0\0"   /* WINDOW_UPDATE */

/* Reads frames until the head of a stream's answer has come, and with `end` all of the answer. */
static void hear_stream(connection *c, bool end)
{
	static const char acknowledged[] = "\0\0\0\4\1\0\0\0";
	unsigned char head[FRAME_HEAD], content[16384];
	bool done = false;

	while (!done) {
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
		done = end ? head[3] <= 1 && head[4] & 1 : head[3] == 1;
	}
}

static void ask_http2(connection *c)
{
	static const char request[] = H2_BEGIN "\0\0\x17\1\5\0\0\0\1"          /* HEADERS, the whole request */
										   "\x82\x86\x84\x41\x09localhost" /* GET http / */
										   "\x7a\x04idle\x53\x01*";        /* user-agent, accept */

	say(c, request, sizeof(request) - 1);
	hear_stream(c, true);
}

/* STREAMS extended CONNECTs (RFC 8441, 4), fields as literals that no table keeps. */
static void ask_streams(connection *c)
{
	char request[] = "\0\0\x52\1\4\0\0\0\0" /* HEADERS, the last byte is the stream */
					 "\x02\x07"
					 "CONNECT"
					 "\x00\x09:protocol\x09websocket"
					 "\x86" /* http */
					 "\x04\x0c/handed-over"
					 "\x01\x09localhost"
					 "\x00\x15sec-websocket-version\x02"
					 "13";

	say(c, H2_BEGIN, sizeof(H2_BEGIN) - 1);
	for (unsigned stream = 1; stream < 2 * STREAMS; stream += 2) {
		request[FRAME_HEAD - 1] = (char) stream;
		say(c, request, sizeof(request) - 1);
		hear_stream(c, false);
	}
}

static void open_one(connection *c, unsigned number, uint16_t port, const protocol *how)
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
	if (how->tls) {
		c->ssl = SSL_new(context);
		SSL_set_fd(c->ssl, c->fd);
		if (SSL_connect(c->ssl) != 1) {
			fail("a handshake failed");
		}
	}
	how->ask(c);
}

static const protocol *protocol_called(const char *name)
{
	for (size_t i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		if (strcmp(protocols[i].name, name) == 0) {
			return &protocols[i];
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const protocol *how = argc >= 4 ? protocol_called(argv[3]) : NULL;
	unsigned count = argc >= 4 ? (unsigned) atoi(argv[2]) : 0, first = argc == 5 ? (unsigned) atoi(argv[4]) : 0;
	struct rlimit files;
	connection *all;

	if (count == 0 || !how) {
		fprintf(stderr, "usage: idle PORT COUNT http|https|h2|h2s|events|ws|wss|ws-h2|ws-foreach [FIRST]\n");
		return 2;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	context = SSL_CTX_new(TLS_client_method());
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	if (how->http2) {
		SSL_CTX_set_alpn_protos(context, (const unsigned char *) "\2h2", 3);
	}
	all = calloc(count, sizeof(*all));
	for (unsigned i = 0; i < count / how->streams; i++) {
		open_one(&all[i], first / how->streams + i, (uint16_t) atoi(argv[1]), how);
	}
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF) {
	}
	return 0;
}
