/*
 * Counts of open descriptors by owner: a hash table of those that have any, to which the entries of descriptors point.
 */
#include "reactor/weft_fd_owners.h"
#include "reactor/weft_log.h"
#include "reactor/weft_reactor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* Chains of it stay short: it has those owners that have something open. A power of two. */
#define BUCKETS 1024
/* Owners with no more than this, or the 20th part of all where that is less, may have what others must leave free,
 * which is a quarter: the few files of an honest request, beside as many as like to take all. */
#define FEW 8u
#define FEW_OF_ALL 20
/* Between two lines of the log. */
#define QUIET_NS (10 * WEFT_NS_PER_SEC)

struct weft_fd_owner {
	const void *whose; /* NULL: the owner has ended */
	uint32_t open;
	weft_fd_owner *next;
};

static weft_fd_owner *buckets[BUCKETS];
static uint32_t most, most_of_one, owned;

static weft_fd_owner **bucket_of(const void *whose)
{
	uintptr_t address = (uintptr_t) whose;

	return &buckets[(address >> 4 ^ address >> 14) % BUCKETS];
}

static weft_fd_owner **find(const void *whose)
{
	weft_fd_owner **link = bucket_of(whose);

	while (*link && (*link)->whose != whose) {
		link = &(*link)->next;
	}
	return link;
}

void weft_fd_owners_limit(uint32_t all, uint32_t one)
{
	most = all;
	most_of_one = one;
}

uint32_t weft_fd_owned_by(const void *whose)
{
	const weft_fd_owner *owner = owned ? *find(whose) : NULL;

	return owner ? owner->open : 0;
}

uint32_t weft_fd_owned_by_all(void)
{
	return owned;
}

static bool within_limits(const void *whose, uint32_t more)
{
	uint32_t own = weft_fd_owned_by(whose) + more, all = owned + more;
	uint32_t few = most / FEW_OF_ALL < FEW ? most / FEW_OF_ALL : FEW;

	return all <= most && own <= most_of_one && (own <= few || all <= most - most / 4);
}

/* A library may have had libc close one where no import table is passed. */
static void count_anew(void)
{
	for (unsigned int c = 0; c < WEFT_FD_CHUNKS; c++) {
		for (unsigned int i = 0; weft_fd_chunks[c] && i < WEFT_FD_CHUNK; i++) {
			weft_fd *entry = &weft_fd_chunks[c][i];

			if (entry->owner && fcntl((int) (c * WEFT_FD_CHUNK + i), F_GETFD) < 0) {
				weft_fd_give_back(entry->owner);
				entry->owner = NULL;
			}
		}
	}
}

bool weft_fd_may_own(const void *whose, uint32_t more)
{
	static uint64_t counted;
	int error = errno;
	uint64_t now;

	if (!most || within_limits(whose, more)) {
		return true;
	}
	/* not at each of the calls of a script that tries again and again */
	now = weft_now();
	if (now - counted >= WEFT_NS_PER_MS) {
		counted = now;
		count_anew();
	}
	errno = error;
	return within_limits(whose, more);
}

void weft_fd_refused(const void *whose)
{
	static uint64_t said;
	uint64_t now = weft_now();

	if (said && now - said < QUIET_NS) {
		return;
	}
	said = now;
	weft_log("weft: a request has %u descriptors open and gets no more (\"Too many open files\"): all requests of this "
			 "worker have %u, together they may have %u, of which one leaves a quarter to others, and one %u. See that "
			 "files and connections are closed, or raise the hard limit (ulimit -Hn, LimitNOFILE=)",
		weft_fd_owned_by(whose), owned, most, most_of_one);
}

void weft_fd_own(int fd, const void *whose)
{
	weft_fd *entry = weft_fd_get(fd);
	weft_fd_owner **link = find(whose);

	if (!entry || entry->owner) {
		return;
	}
	if (!*link) {
		*link = calloc(1, sizeof(**link));
		if (!*link) {
			return;
		}
		(*link)->whose = whose;
	}
	(*link)->open++;
	owned++;
	entry->owner = *link;
}

void weft_fd_give_back(weft_fd_owner *owner)
{
	weft_fd_owner **link;

	owned--;
	if (--owner->open) {
		return;
	}
	link = owner->whose ? find(owner->whose) : NULL;
	if (link) {
		*link = owner->next;
	}
	free(owner);
}

void weft_fd_owner_ends(const void *whose)
{
	weft_fd_owner **link = owned ? find(whose) : NULL;

	if (link && *link) {
		weft_fd_owner *owner = *link;

		*link = owner->next;
		owner->whose = NULL;
	}
}
