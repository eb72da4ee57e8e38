/*
 * How often something may happen, and frames that may not come.
 */
#include "http/h2/weft_h2_internal.h"
#include "http/weft_bucket.h"

/* Those for whom weft.http2_control_frames is a rate have so many seconds' worth at once. */
#define CONTROL_SECONDS 10

bool weft_h2_bucket_take(uint64_t *full, uint32_t burst, uint32_t rate)
{
	uint64_t then = weft_bucket_take(*full, weft_lately(), rate, burst);

	*full = then ? then : *full;
	return then != 0;
}

/* Frames that cost us something and bring nothing. */
static bool is_control(weft_h2_session *session, const nghttp2_frame_hd *head)
{
	switch (head->type) {
		case NGHTTP2_SETTINGS:
		case NGHTTP2_PING: return !(head->flags & NGHTTP2_FLAG_ACK);
		case NGHTTP2_DATA: return head->length == 0 && !(head->flags & NGHTTP2_FLAG_END_STREAM);
		case NGHTTP2_WINDOW_UPDATE:
			if (session->updates > 0) {
				session->updates--;
				return false;
			}
			return true;
		case NGHTTP2_RST_STREAM: /* counted where the stream closes */
		case NGHTTP2_HEADERS:
		case NGHTTP2_CONTINUATION:
		case NGHTTP2_GOAWAY: return false;
		default: return true; /* nghttp2 tells nothing else of those that nobody knows */
	}
}

/* What nghttp2 ignores and RFC 9113, 5.1 and 6.3, has end the connection. */
static bool is_on_no_stream(const weft_h2_session *session, const nghttp2_frame_hd *head)
{
	if (head->type == NGHTTP2_PRIORITY) {
		return head->stream_id == 0;
	}
	return (head->type == NGHTTP2_HEADERS || head->type == NGHTTP2_DATA) && !session->resets_own &&
		head->stream_id > 0 && head->stream_id <= nghttp2_session_get_last_proc_stream_id(session->nghttp2) &&
		!nghttp2_session_get_stream_user_data(session->nghttp2, head->stream_id);
}

int weft_h2_frame_begins(nghttp2_session *nghttp2, const nghttp2_frame_hd *head, void *arg)
{
	weft_h2_session *session = arg;
	uint32_t rate = session->connection->server->config.h2_control_frames;

	session->reset_by_client = head->type == NGHTTP2_RST_STREAM;
	if (!session->failed && is_control(session, head) &&
		!weft_h2_bucket_take(&session->control, rate * CONTROL_SECONDS, rate)) {
		weft_h2_fail(session, NGHTTP2_ENHANCE_YOUR_CALM,
			"it sends more frames that bring nothing than weft.http2_control_frames allows");
	}
	if (!session->failed && is_on_no_stream(session, head)) {
		weft_h2_fail(session, head->stream_id ? NGHTTP2_STREAM_CLOSED : NGHTTP2_PROTOCOL_ERROR,
			head->stream_id ? "it sends more on a stream that is closed" : "PRIORITY is for a stream");
	}
	return session->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}
