/*
 * What is sent to a client, whether it takes it, and where it waits meanwhile.
 */
#ifndef WEFT_SENDING_H
#define WEFT_SENDING_H

#include "http/weft_http_internal.h"

/* --- weft_sending.c --- */
/* Sends what can be sent now and keeps the rest. Closes the connection on an error. */
void weft_connection_send(weft_http_connection *connection, const struct iovec *parts, int count);
/* The same for a part of a file, which becomes the connection's. Nothing else is sent until it has left. */
void weft_connection_send_file(weft_http_connection *connection, int file, uint64_t offset, uint64_t length);
/* The same for several parts, with what goes between them. */
void weft_connection_send_ranges(weft_http_connection *connection, int file, weft_file_ranges *ranges);
/* The socket may take more. True when nothing is left to send; false, too, when the connection was closed. */
bool weft_connection_flush(weft_http_connection *connection);
/* Closes the file that was to be sent. */
void weft_sending_drop_file(weft_http_exchange *exchange);
/* Whether something waits for the client to take it. */
static inline bool weft_exchange_unsent(const weft_http_exchange *exchange)
{
	return weft_buffer_length(&exchange->out) > 0 || exchange->file_left > 0;
}
/* So many bytes of its file have left. False: more should follow, and can't. */
bool weft_sending_file_has_left(weft_http_exchange *exchange, uint64_t length);
/* From now on the client is expected to take something. */
void weft_sending_await_client(weft_http_exchange *exchange);
/* The answer has left, and the client may not have finished what it sends: it is listened to for a while. */
#define WEFT_LINGER_BYTES (1024 * 1024)
void weft_sending_linger(weft_http_exchange *exchange);
/* Bytes that the client of a connection has acknowledged, in whatever protocol. */
uint64_t weft_connection_taken(const weft_http_exchange *exchange);
/* Something begins to wait for the client. */
void weft_progress_begin(weft_http_exchange *exchange);
/* Looks at what the client has acknowledged. False when it has taken nothing for weft.http_write_timeout_ms, or less
 * than weft.http_min_rate. Of weft.http_silent_ms, where others wait for its request's place. */
bool weft_progress_look(weft_http_exchange *exchange);
/* When to look again. */
uint64_t weft_progress_next_look(const weft_http_exchange *exchange);
/* Until when a transfer must have gone on that began then and has brought so many bytes; at a rate of 0 for ever. */
uint64_t weft_progress_deadline(uint64_t began, uint32_t timeout_ms, uint64_t bytes, uint32_t rate);
/* Bytes that the kernel holds for the client. */
uint64_t weft_progress_kept(const weft_http_connection *connection);

/* --- weft_spool.c --- */
/* A file without a name, where PHP puts its temporary files; deleted by the kernel with the last descriptor. -1 and a
 * complaint when there is none to be had. */
int weft_spool_open(void);
/* How much of it was written; less than all with errno. */
size_t weft_spool_write(int file, const char *data, size_t length);
/* Whether it could now. */
bool weft_spool_may_begin(const weft_http_exchange *exchange);
/* The rest of the answer goes to a file behind `out`, so that its request is over soon. False when it does already, or
 * there is no file to be had. */
bool weft_spool_begin(weft_http_exchange *exchange);
/* Requests wait for a place: does that to one whose client is slow. */
void weft_spool_one(weft_http_server *server);
/* More for the file behind `out`. What can't be written is kept in memory, and its request waits for the client. */
void weft_spool_append(weft_http_exchange *exchange, const char *data, size_t length);
/* All of the file has left, and more may come. False when it can't be used again. */
bool weft_spool_rewind(weft_http_exchange *exchange);
/* Its file is about to be closed. */
void weft_spool_end(weft_http_exchange *exchange);
/* The files of all answers together are as large as they may be. */
bool weft_spool_full(const weft_http_server *server);

/* --- weft_redirect.c --- */
/* Of a request that has come to a port of that kind, when its head is complete. Its body is of no interest. */
void weft_redirect_answer(weft_http_connection *connection);

#endif /* WEFT_SENDING_H */
