/*
 * A listening socket and a few clients, each a small state machine.
 */
#include "server/weft_control.h"
#include "server/weft_unix_socket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

#define OWNERS_ALONE 0600

struct weft_control {
	int fd; /* -1: none */
	weft_listeners admin;
	struct stat file;
	weft_control_asked *asked, *got;
	void *arg;
	weft_control_client clients[WEFT_CONTROL_CLIENTS];
};

/* --- the socket --- */

weft_control *weft_control_new(void *arg)
{
	weft_control *control = calloc(1, sizeof(*control));
	if (control != NULL) {
		control->fd = -1;
		control->arg = arg;
	}
	return control;
}

bool weft_control_open(weft_control *control, const char *path, weft_control_asked *asked)
{
	control->asked = asked;
	control->fd = weft_unix_socket_open(path, OWNERS_ALONE, WEFT_BACKLOG);
	return control->fd >= 0 && weft_unix_socket_file(control->fd, &control->file);
}

void weft_control_admit(weft_control *control, const weft_listeners *listeners, weft_control_asked *got)
{
	control->admin = *listeners;
	control->got = got;
}

/* --- clients --- */

static void client_close(weft_control_client *client)
{
	close(client->fd);
	free(client->answer);
	*client = (weft_control_client){.state = WEFT_CONTROL_FREE};
}

/* Closing with something unread would take back what was sent last. */
static void drop_unread(const weft_control_client *client)
{
	char piece[4096];
	for (int i = 0; i < 16 && recv(client->fd, piece, sizeof(piece), MSG_DONTWAIT) > 0; i++) {
	}
}

/* It was asked for one thing and has answered: whoever sends more has closed by then, or is not heard. */
static void client_write(weft_control_client *client)
{
	while (client->answered < client->answer_length) {
		ssize_t sent = send(client->fd, client->answer + client->answered, client->answer_length - client->answered,
			MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno == EAGAIN) {
			return;
		}
		if (sent < 0 && errno != EINTR) {
			break;
		}
		client->answered += sent > 0 ? (size_t) sent : 0;
	}
	drop_unread(client);
	client_close(client);
}

void weft_control_send(weft_control_client *client, const char *bytes, size_t length)
{
	client->answer = malloc(length);
	if (client->answer == NULL) {
		client_close(client);
		return;
	}
	memcpy(client->answer, bytes, length);
	client->answer_length = length;
	client->state = WEFT_CONTROL_WRITING;
	client->since = weft_process_now();
	client_write(client);
}

void weft_control_answer(weft_control_client *client, const char *json, size_t length)
{
	char *line = malloc(length + 1);
	if (line == NULL) {
		client_close(client);
		return;
	}
	memcpy(line, json, length);
	line[length] = '\n';
	weft_control_send(client, line, length + 1);
	free(line);
}

void weft_control_keep(weft_control_client *client, const char *json, size_t length)
{
	char line[WEFT_CONTROL_LINE];
	if (length < sizeof(line)) {
		memcpy(line, json, length);
		line[length] = '\n';
		ssize_t ignored = send(client->fd, line, length + 1, MSG_NOSIGNAL | MSG_DONTWAIT);
		(void) ignored;
	}
	weft_control_wait(client, 0);
}

void weft_control_wait(weft_control_client *client, uint32_t ticket)
{
	client->state = WEFT_CONTROL_WAITING;
	client->ticket = ticket;
}

weft_control_client *weft_control_waiting(weft_control *control, uint32_t least, uint32_t most)
{
	for (uint32_t i = 0; control != NULL && i < WEFT_CONTROL_CLIENTS; i++) {
		weft_control_client *client = &control->clients[i];
		if (client->state == WEFT_CONTROL_WAITING && client->ticket >= least && client->ticket <= most) {
			return client;
		}
	}
	return NULL;
}

static bool is_printable(const char *line)
{
	for (; *line != '\0'; line++) {
		if (*line < ' ' || *line > '~') {
			return false;
		}
	}
	return true;
}

static void client_asks(weft_control *control, weft_control_client *client, char *end)
{
	static const char unreadable[] = "{\"ok\":false,\"error\":\"A request is one line of printable characters.\"}";
	bool whole = strlen(client->line) == (size_t) (end - client->line);
	if (whole && end > client->line && end[-1] == '\r') {
		end[-1] = '\0';
	}
	if (whole && is_printable(client->line)) {
		control->asked(control->arg, client, client->line);
	} else {
		weft_control_answer(client, unreadable, sizeof(unreadable) - 1);
	}
}

static void take_host(weft_control_client *client)
{
	static const char name[] = "host:";
	const char *value = client->field + sizeof(name) - 1;
	if (strncasecmp(client->field, name, sizeof(name) - 1) == 0) {
		value += strspn(value, " \t");
		client->hosts_differ = client->hosts_differ || client->host[0] != '\0';
		snprintf(client->host, sizeof(client->host), "%.*s", (int) strcspn(value, " \t"), value);
	}
}

/* Of a head the first line counts, and Host. True when the byte is its last one. */
static bool head_goes_on(weft_control_client *client, char byte)
{
	bool is_end = byte == '\n' && client->line_is_over && client->column == 0;
	if (byte == '\n') {
		if (client->line_is_over) {
			client->field[MIN(client->column, sizeof(client->field) - 1)] = '\0';
			take_host(client);
		}
		client->line_is_over = true;
		client->column = 0;
	} else if (byte != '\r') {
		if (!client->line_is_over && client->length < sizeof(client->line) - 1) {
			client->line[client->length++] = byte;
		} else if (client->line_is_over && client->column < sizeof(client->field) - 1) {
			client->field[client->column] = byte;
		}
		client->column++;
	}
	client->head++;
	return is_end;
}

static void http_read(weft_control *control, weft_control_client *client)
{
	static const char too_long[] = "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\n"
								   "Connection: close\r\n\r\n";
	char piece[1024];
	ssize_t got = recv(client->fd, piece, sizeof(piece), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (got <= 0) {
		client_close(client);
		return;
	}
	for (ssize_t i = 0; i < got; i++) {
		if (head_goes_on(client, piece[i])) {
			client->line[client->length] = '\0';
			control->got(control->arg, client, client->line);
			return;
		}
	}
	if (client->head > WEFT_CONTROL_HEAD) {
		weft_control_send(client, too_long, sizeof(too_long) - 1);
	}
}

static void client_read(weft_control *control, weft_control_client *client)
{
	static const char too_long[] = "{\"ok\":false,\"error\":\"A request is shorter than 256 bytes.\"}";
	size_t room = sizeof(client->line) - 1 - client->length;
	if (client->http) {
		http_read(control, client);
		return;
	}
	ssize_t got = recv(client->fd, client->line + client->length, room, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
		return;
	}
	if (got <= 0) {
		client_close(client);
		return;
	}
	client->length += (uint32_t) got;
	char *end = memchr(client->line, '\n', client->length);
	if (end != NULL) {
		*end = '\0';
		client_asks(control, client, end);
	} else if (client->length == sizeof(client->line) - 1) {
		weft_control_answer(client, too_long, sizeof(too_long) - 1);
	}
}

static bool is_owners(int fd)
{
	struct ucred peer;
	socklen_t length = sizeof(peer);
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

/* One half is for either kind, so that a crowd at the admin address sends no owner away. NULL while everybody there has
 * asked for something and waits. */
static weft_control_client *find_place(weft_control *control, bool http)
{
	weft_control_client *eldest = NULL;
	uint32_t first = http ? WEFT_CONTROL_CLIENTS / 2 : 0;
	for (uint32_t i = first; i < first + WEFT_CONTROL_CLIENTS / 2; i++) {
		weft_control_client *client = &control->clients[i];
		if (client->state == WEFT_CONTROL_FREE) {
			return client;
		}
		if (client->state != WEFT_CONTROL_WAITING && (eldest == NULL || client->since < eldest->since)) {
			eldest = client;
		}
	}
	if (eldest != NULL) {
		client_close(eldest);
	}
	return eldest;
}

static void accept_clients(weft_control *control, int listener)
{
	bool http = listener != control->fd;
	/* some at a time, so that signals are heard */
	for (uint32_t i = 0; i < WEFT_CONTROL_CLIENTS; i++) {
		int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0) {
			return;
		}
		weft_control_client *client = http || is_owners(fd) ? find_place(control, http) : NULL;
		if (client == NULL) {
			close(fd);
			continue;
		}
		*client = (weft_control_client){.state = WEFT_CONTROL_READING,
			.fd = fd,
			.http = http,
			.since = weft_process_now()};
		client_read(control, client);
	}
}

/* --- the loop's side --- */

static uint64_t time_of(const weft_control_client *client)
{
	bool hurries = client->state == WEFT_CONTROL_READING || client->state == WEFT_CONTROL_WRITING;
	return hurries ? client->since + WEFT_CONTROL_PATIENCE_MS : 0;
}

nfds_t weft_control_poll(weft_control *control, struct pollfd *polled)
{
	nfds_t count = 0;
	if (control == NULL) {
		return 0;
	}
	polled[count++] = (struct pollfd){control->fd, POLLIN, 0};
	for (uint32_t i = 0; i < control->admin.count; i++) {
		polled[count++] = (struct pollfd){control->admin.fds[i], POLLIN, 0};
	}
	for (uint32_t i = 0; i < WEFT_CONTROL_CLIENTS; i++) {
		const weft_control_client *client = &control->clients[i];
		/* of who waits, only the end of both directions is heard */
		short events = client->state == WEFT_CONTROL_READING ? POLLIN
			: client->state == WEFT_CONTROL_WRITING          ? POLLOUT
															 : 0;
		polled[count++] = (struct pollfd){client->state == WEFT_CONTROL_FREE ? -1 : client->fd, events, 0};
	}
	return count;
}

void weft_control_handle(weft_control *control, const struct pollfd *polled, nfds_t count)
{
	uint64_t now = weft_process_now();
	nfds_t listening = control != NULL ? 1 + control->admin.count : 0;
	for (nfds_t i = listening; i < count; i++) {
		weft_control_client *client = &control->clients[i - listening];
		if (client->state == WEFT_CONTROL_FREE || client->fd != polled[i].fd) {
			continue;
		}
		if (polled[i].revents != 0 && client->state == WEFT_CONTROL_READING) {
			client_read(control, client);
		} else if (polled[i].revents != 0 && client->state == WEFT_CONTROL_WRITING) {
			client_write(client);
		} else if ((polled[i].revents & (POLLHUP | POLLERR)) != 0) {
			client_close(client);
		}
		if (time_of(client) != 0 && now >= time_of(client)) {
			client_close(client);
		}
	}
	for (nfds_t i = 0; i < listening && i < count; i++) {
		if (polled[i].revents != 0) {
			accept_clients(control, polled[i].fd);
		}
	}
}

uint64_t weft_control_deadline(const weft_control *control)
{
	uint64_t next = 0;
	for (uint32_t i = 0; control != NULL && i < WEFT_CONTROL_CLIENTS; i++) {
		uint64_t time = time_of(&control->clients[i]);
		if (time != 0 && (next == 0 || time < next)) {
			next = time;
		}
	}
	return next;
}

void weft_control_close(weft_control *control)
{
	if (control == NULL) {
		return;
	}
	if (control->fd >= 0) {
		weft_unix_socket_remove(control->fd, &control->file);
		close(control->fd);
	}
	for (uint32_t i = 0; i < WEFT_CONTROL_CLIENTS; i++) {
		if (control->clients[i].state != WEFT_CONTROL_FREE) {
			client_close(&control->clients[i]);
		}
	}
	free(control);
}
