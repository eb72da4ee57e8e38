/*
 * A SOCK_SEQPACKET pair, read with MSG_PEEK.
 */
#include "server/weft_leash.h"

#include <errno.h>
#include <sys/socket.h>

bool weft_leash_new(int pair[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0;
}

void weft_leash_tell(int fd, weft_leash_word word)
{
	char letter = (char) word;
	ssize_t ignored = send(fd, &letter, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void) ignored;
}

weft_leash_word weft_leash_heard(int fd)
{
	char letter = WEFT_LEASH_GONE;
	ssize_t got;
	do {
		got = recv(fd, &letter, 1, MSG_PEEK | MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	return got < 0 && errno == EAGAIN ? WEFT_LEASH_SILENT : (weft_leash_word) letter;
}
