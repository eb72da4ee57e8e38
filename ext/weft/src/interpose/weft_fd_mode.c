/*
 * What the application did to a descriptor, as far as it changes how a call must wait: O_NONBLOCK and the socket
 * time limits. Both are asked for once and remembered in the reactor's table.
 */
#include "interpose/weft_wait.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Numbers beyond this are never remembered as shared; they count as shared always. */
#define WEFT_MODE_NUMBERS 65536
#define WEFT_BITS_PER_WORD 64

static uint64_t shared_mode[WEFT_MODE_NUMBERS / WEFT_BITS_PER_WORD];

/* Numbers that another thread has closed since the PHP thread looked last. The reactor's table is the PHP
 * thread's; so the other thread leaves a note before it closes. A number can only be reused after that, hence
 * whoever gets it finds the note at its first wait. */
static _Atomic uint64_t closed_elsewhere[WEFT_MODE_NUMBERS / WEFT_BITS_PER_WORD];
static _Atomic bool any_closed_elsewhere;

static bool is_shared(int fd)
{
	return fd <= STDERR_FILENO || fd >= WEFT_MODE_NUMBERS ||
		(shared_mode[fd / WEFT_BITS_PER_WORD] >> (fd % WEFT_BITS_PER_WORD) & 1);
}

static void set_shared(int fd, bool shared)
{
	if (fd >= 0 && fd < WEFT_MODE_NUMBERS) {
		uint64_t bit = 1ull << (fd % WEFT_BITS_PER_WORD);
		if (shared) {
			shared_mode[fd / WEFT_BITS_PER_WORD] |= bit;
		} else {
			shared_mode[fd / WEFT_BITS_PER_WORD] &= ~bit;
		}
	}
}

bool weft_mode_nonblocking(int fd)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry && entry->mode_known && !is_shared(fd)) {
		return entry->nonblocking;
	}
	int flags = fcntl(fd, F_GETFL);
	bool nonblocking = flags < 0 || (flags & O_NONBLOCK);
	if (entry && flags >= 0) {
		entry->nonblocking = nonblocking;
		entry->mode_known = true;
	}
	return nonblocking;
}

void weft_mode_set(int fd, bool nonblocking)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry) {
		entry->nonblocking = nonblocking;
		entry->mode_known = true;
	}
}

void weft_mode_shared(int fd, int other)
{
	set_shared(fd, true);
	set_shared(other, true);
}

static uint64_t timeout_of(int fd, int option)
{
	struct timeval time = {0, 0};
	socklen_t size = sizeof(time);

	if (getsockopt(fd, SOL_SOCKET, option, &time, &size) != 0) {
		return 0;
	}
	return (uint64_t) time.tv_sec * WEFT_NS_PER_SEC + (uint64_t) time.tv_usec * WEFT_NS_PER_US;
}

static weft_fd *with_timeouts(int fd)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry && !entry->timeouts_known) {
		entry->receive_timeout = timeout_of(fd, SO_RCVTIMEO);
		entry->send_timeout = timeout_of(fd, SO_SNDTIMEO);
		entry->timeouts_known = true;
	}
	return entry;
}

uint64_t weft_receive_deadline(int fd)
{
	const weft_fd *entry = with_timeouts(fd);

	return entry && entry->receive_timeout ? weft_deadline_in(entry->receive_timeout) : WEFT_NO_DEADLINE;
}

uint64_t weft_send_deadline(int fd)
{
	const weft_fd *entry = with_timeouts(fd);

	return entry && entry->send_timeout ? weft_deadline_in(entry->send_timeout) : WEFT_NO_DEADLINE;
}

void weft_timeouts_changed(int fd)
{
	weft_fd *entry = weft_fd_get(fd);

	if (entry) {
		entry->timeouts_known = false;
	}
}

void weft_fd_fresh(int fd)
{
	if (fd >= 0) {
		int saved_errno = errno;
		weft_fd_apply_foreign_closes();
		weft_fd_forget(fd);
		set_shared(fd, false);
		errno = saved_errno;
	}
}

void weft_fd_closing(int fd)
{
	if (fd < 0) {
		return;
	}
	if (weft_thread != WEFT_THREAD_FOREIGN) {
		weft_fd_forget(fd);
		set_shared(fd, false);
	} else if (fd < WEFT_MODE_NUMBERS) {
		atomic_fetch_or(&closed_elsewhere[fd / WEFT_BITS_PER_WORD], 1ull << (fd % WEFT_BITS_PER_WORD));
		atomic_store(&any_closed_elsewhere, true);
	}
}

void weft_fd_apply_foreign_closes(void)
{
	if (!atomic_load_explicit(&any_closed_elsewhere, memory_order_acquire)) {
		return;
	}
	atomic_store(&any_closed_elsewhere, false);
	for (int word = 0; word < WEFT_MODE_NUMBERS / WEFT_BITS_PER_WORD; word++) {
		uint64_t bits = atomic_exchange(&closed_elsewhere[word], 0);
		while (bits) {
			int bit = __builtin_ctzll(bits);
			weft_fd_forget(word * WEFT_BITS_PER_WORD + bit);
			bits &= bits - 1;
		}
	}
}

void weft_fd_mode_after_fork(void)
{
	/* What the child inherited it shares with its parent; numbers it opens itself become its own. */
	memset(shared_mode, 0xff, sizeof(shared_mode));
	weft_fd_drop_foreign_closes();
}

void weft_fd_drop_foreign_closes(void)
{
	for (int word = 0; word < WEFT_MODE_NUMBERS / WEFT_BITS_PER_WORD; word++) {
		atomic_store(&closed_elsewhere[word], 0);
	}
	atomic_store(&any_closed_elsewhere, false);
}
