/*
 * The addresses of a connection's two ends, as people and applications read them.
 */
#include "http/weft_http_internal.h"
#include "http/weft_text.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

/* inet_ntop() has printf do it. */
static void print_ipv4(const struct in_addr *address, char *to, size_t room)
{
	const unsigned char *bytes = (const unsigned char *) address;
	weft_text text = {to, to + room - 1};

	for (int i = 0; i < 4; i++) {
		if (i > 0) {
			weft_text_literal(&text, ".");
		}
		weft_text_number(&text, bytes[i]);
	}
	*text.at = '\0';
}

/* A client of IPv4 that has come to a socket of both families is one of IPv4 to everybody who reads its address. */
static void print_ipv6(const struct in6_addr *address, char *to, size_t room)
{
	struct in_addr v4;

	if (IN6_IS_ADDR_V4MAPPED(address)) {
		memcpy(&v4, address->s6_addr + 12, sizeof(v4));
		print_ipv4(&v4, to, room);
	} else {
		inet_ntop(AF_INET6, address, to, (socklen_t) room);
	}
}

uint16_t weft_address_print(const weft_http_address *address, char *text, size_t room)
{
	switch (address->any.sa_family) {
		case AF_INET: print_ipv4(&address->in.sin_addr, text, room); return ntohs(address->in.sin_port);
		case AF_INET6: print_ipv6(&address->in6.sin6_addr, text, room); return ntohs(address->in6.sin6_port);
		default:
			snprintf(text, room, "127.0.0.1"); /* a Unix socket: the peer is this machine */
			return 0;
	}
}

void weft_connection_local_address(weft_http_connection *connection)
{
	weft_http_address address = {0};
	socklen_t length = sizeof(address);

	if (!connection->local_address[0]) {
		getsockname(connection->watch.fd, &address.any, &length);
		connection->local_port = weft_address_print(&address, connection->local_address,
			sizeof(connection->local_address));
		/* a Unix socket has none, and applications put it into addresses */
		connection->local_port = connection->local_port ? connection->local_port : 80;
	}
}
