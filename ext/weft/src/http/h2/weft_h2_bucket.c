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

static bool take_control(weft_h2_session *session)
{
	uint32_t rate = session->connection->server->config.h2_control_frames;

	return weft_h2_bucket_take(&session->control, rate * CONTROL_SECONDS, rate);
}

/* --- frames by their heads, since nghttp2 tells nothing of those that it ignores --- */

#define PREFACE_BYTES 24
#define HEAD_BYTES 9
#define TYPE(head) ((head)[3])
#define FLAGS(head) ((head)[4])

static uint32_t payload_of(const uint8_t *head)
{
	return (uint32_t) head[0] << 16 | (uint32_t) head[1] << 8 | head[2];
}

/* Where the length of the padding stands in front of the data, it counts among the bytes that are looked at. */
static uint32_t bytes_to_judge(const weft_h2_frames *frames)
{
	bool is_padded = frames->have >= HEAD_BYTES && TYPE(frames->head) == NGHTTP2_DATA &&
		(FLAGS(frames->head) & NGHTTP2_FLAG_PADDED) && payload_of(frames->head) > 0;

	return HEAD_BYTES + is_padded;
}

static bool is_empty_data(const weft_h2_frames *frames)
{
	uint32_t overhead = frames->have > HEAD_BYTES ? 1u + frames->head[HEAD_BYTES] : 0;

	return !(FLAGS(frames->head) & NGHTTP2_FLAG_END_STREAM) && payload_of(frames->head) <= overhead;
}

/* Frames that cost us something and bring nothing: all that is not listed as something else. */
static bool is_control(weft_h2_session *session)
{
	switch (TYPE(session->frames.head)) {
		case NGHTTP2_DATA: return is_empty_data(&session->frames);
		case NGHTTP2_WINDOW_UPDATE:
			if (session->updates > 0) {
				session->updates--;
				return false;
			}
			return true;
		case NGHTTP2_RST_STREAM: /* counted by weft_h2_count_reset() */
		case NGHTTP2_HEADERS:
		case NGHTTP2_CONTINUATION: return false;
		default: return true;
	}
}

bool weft_h2_frames_pass(weft_h2_session *session, const char *data, size_t length)
{
	weft_h2_frames *frames = &session->frames;
	size_t step;

	for (; length > 0; data += step, length -= step) {
		if (frames->skip > 0) {
			step = MIN(frames->skip, length);
			frames->skip -= (uint32_t) step;
			continue;
		}
		step = 1;
		frames->head[frames->have++] = (uint8_t) *data;
		if (frames->have < HEAD_BYTES || frames->have < bytes_to_judge(frames)) {
			continue;
		}
		frames->skip = payload_of(frames->head) - (frames->have - HEAD_BYTES);
		if (is_control(session) && !take_control(session)) {
			return false;
		}
		frames->have = 0;
	}
	return true;
}

void weft_h2_frames_begin(weft_h2_session *session)
{
	session->frames.skip = PREFACE_BYTES;
}

/* --- frames that nghttp2 begins to read --- */

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

	session->reset_by_client = head->type == NGHTTP2_RST_STREAM;
	if (!session->failed && session->reset_by_client &&
		!nghttp2_session_get_stream_user_data(nghttp2, head->stream_id)) {
		weft_h2_count_reset(session); /* of a stream that is closed, so nghttp2 tells nothing more of it */
	}
	if (!session->failed && is_on_no_stream(session, head)) {
		weft_h2_fail(session, head->stream_id ? NGHTTP2_STREAM_CLOSED : NGHTTP2_PROTOCOL_ERROR,
			head->stream_id ? "it sends more on a stream that is closed" : "PRIORITY is for a stream");
	}
	return session->failed ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}
