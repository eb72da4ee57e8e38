/*
 * What the service manager that started the server is told: systemd, or whoever else speaks sd_notify(3).
 */
#ifndef WEFT_NOTIFY_H
#define WEFT_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

typedef struct {
	int fd; /* -1: nobody wants to know */
	struct sockaddr_un to;
	socklen_t length;
	uint64_t beat_every; /* milliseconds; 0: nobody watches */
	uint64_t beat_at;
} weft_notify;

/* Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. They stay, for the server that a restart executes. */
void weft_notify_open(weft_notify *self);
/* In a process that is somebody else's: it must not speak for the server. */
void weft_notify_forget(void);
void weft_notify_close(weft_notify *self);

/* Lines "NAME=value"; control characters but for line breaks of the format itself become question marks. */
void weft_notify_ready(const weft_notify *self, const char *release);
void weft_notify_reloading(const weft_notify *self);
/* It was not to be: the old release serves on. */
void weft_notify_reload_failed(const weft_notify *self, const char *release);
void weft_notify_stopping(const weft_notify *self);

/* When the watchdog wants to hear of the server next (0: never), and says so when it is time. */
uint64_t weft_notify_deadline(const weft_notify *self);
void weft_notify_beat(weft_notify *self, uint64_t now);

#endif /* WEFT_NOTIFY_H */
