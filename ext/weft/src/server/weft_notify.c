/*
 * Datagrams to the service manager, as sd_notify(3) and sd_watchdog_enabled(3) have them. Nothing depends on whether
 * they arrive.
 */
#include "server/weft_notify.h"
#include "server/weft_process.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The longest path and what is said of it. */
#define LONGEST 4608

static bool find_manager(weft_notify *self, const char *path)
{
	size_t length = path != NULL ? strlen(path) : 0;
	if (length < 2 || length >= sizeof(self->to.sun_path) || (*path != '/' && *path != '@')) {
		return false;
	}
	self->to.sun_family = AF_UNIX;
	memcpy(self->to.sun_path, path, length);
	if (*path == '@') {
		/* a name that is in no directory */
		self->to.sun_path[0] = '\0';
	}
	self->length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + length);
	return true;
}

/* Twice in the time after which the manager takes the server for dead. */
static uint64_t find_interval(void)
{
	const char *interval = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	if (interval == NULL || (pid != NULL && atol(pid) != (long) getpid())) {
		return 0;
	}
	uint64_t us = strtoull(interval, NULL, 10);
	return us != 0 && us < 2000 ? 1 : us / 2000;
}

void weft_notify_open(weft_notify *self)
{
	memset(self, 0, sizeof(*self));
	self->fd = -1;
	if (find_manager(self, getenv("NOTIFY_SOCKET"))) {
		self->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		self->beat_every = find_interval();
		self->beat_at = self->beat_every != 0 ? weft_process_now() : 0;
	}
}

void weft_notify_forget(void)
{
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void weft_notify_close(weft_notify *self)
{
	if (self->fd >= 0) {
		close(self->fd);
	}
	self->fd = -1;
}

static void notify(const weft_notify *self, const char *text)
{
	if (self->fd >= 0) {
		sendto(self->fd, text, strlen(text), MSG_NOSIGNAL, (const struct sockaddr *) &self->to, self->length);
	}
}

/* A path may have line breaks in it, and must not pass for a line of its own. */
static void notify_with_release(const weft_notify *self, const char *before, const char *release)
{
	char text[LONGEST];
	size_t length = (size_t) snprintf(text, sizeof(text), "%s", before);
	snprintf(text + length, sizeof(text) - length, "%s", release);
	for (char *c = text + length; *c != '\0'; c++) {
		if ((unsigned char) *c < 0x20) {
			*c = '?';
		}
	}
	notify(self, text);
}

void weft_notify_ready(const weft_notify *self, const char *release)
{
	notify_with_release(self, "READY=1\nSTATUS=Serving ", release);
}

void weft_notify_reloading(const weft_notify *self)
{
	char text[128];
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(text, sizeof(text), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64 "\nSTATUS=Booting new code",
		(uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000);
	notify(self, text);
}

void weft_notify_reload_failed(const weft_notify *self, const char *release)
{
	notify_with_release(self, "READY=1\nSTATUS=The new code did not boot; still serving ", release);
}

void weft_notify_stopping(const weft_notify *self)
{
	notify(self, "STOPPING=1\nSTATUS=Finishing what runs");
}

uint64_t weft_notify_deadline(const weft_notify *self)
{
	return self->beat_at;
}

void weft_notify_beat(weft_notify *self, uint64_t now)
{
	if (self->beat_at != 0 && now >= self->beat_at) {
		notify(self, "WATCHDOG=1");
		self->beat_at = now + self->beat_every;
	}
}
