/*
 * The header lines of an answer that is compressed, or could be: what they say of it, and what has to be said besides.
 */
#include "http/weft_coding.h"
#include "http/weft_head_line.h"

#define ACCEPT_ENCODING "Accept-Encoding"

typedef enum { OTHER, TYPE, CODED, PART, CACHE, VARIES, TAG, RANGES } meaning;

static const struct {
	const char *name;
	size_t length;
	meaning meaning;
} meanings[] = {
#define NAME(text, meaning) \
	{ \
		text, sizeof(text) - 1, meaning \
	}
	NAME("Content-Type", TYPE),
	NAME("Cache-Control", CACHE),
	NAME("Vary", VARIES),
	NAME("ETag", TAG),
	NAME("Accept-Ranges", RANGES),
	NAME("Content-Encoding", CODED),
	NAME("Content-Range", PART),
	/* checksums of what is sent would not be those any more (RFC 9530) */
	NAME("Content-MD5", PART),
	NAME("Content-Digest", PART),
	NAME("Repr-Digest", PART),
	NAME("Digest", PART),
#undef NAME
};

static meaning meaning_of(const weft_head_line *line)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		if (weft_head_line_is(line, meanings[i].name, meanings[i].length)) {
			return meanings[i].meaning;
		}
	}
	return OTHER;
}

/* Whether a list has that element, whatever parameters it has. */
static bool lists(const weft_head_line *line, const char *element)
{
	const char *at = line->value, *end = line->value + line->value_length;
	size_t length = strlen(element);

	while (at < end) {
		const char *comma = memchr(at, ',', (size_t) (end - at));
		const char *next = comma ? comma : end, *last = next;

		while (at < next && (*at == ' ' || *at == '\t')) {
			at++;
		}
		while (last > at && (last[-1] == ' ' || last[-1] == '\t')) {
			last--;
		}
		if ((size_t) (last - at) == length && strncasecmp(at, element, length) == 0) {
			return true;
		}
		at = next + 1;
	}
	return false;
}

void weft_coded_head_look(const weft_buffer *head, weft_coded_head *look)
{
	const char *at = weft_buffer_data(head), *end = at + weft_buffer_length(head);
	weft_head_line line;

	memset(look, 0, sizeof(*look));
	while ((at = weft_head_line_next(at, end, &line)) != NULL) {
		switch (meaning_of(&line)) {
			case TYPE: look->type = weft_coding_is_for_type(line.value, line.value_length); break;
			case CODED:
			case PART: look->never = true; break;
			case CACHE: look->never |= lists(&line, "no-transform"); break;
			case VARIES: look->varies |= lists(&line, ACCEPT_ENCODING) || lists(&line, "*"); break;
			default: break;
		}
	}
}

static void append(weft_buffer *to, const char *text)
{
	weft_buffer_append(to, text, strlen(text));
}

static bool is_strong(const weft_head_line *tag)
{
	return tag->value_length > 0 && tag->value[0] == '"';
}

/* "W/" and the tag. */
static void append_weak_tag(weft_buffer *to, const weft_head_line *tag)
{
	append(to, "ETag: W/");
	weft_buffer_append(to, tag->value, tag->value_length);
	append(to, "\r\n");
}

/* One line of a list, with one more element. */
static void append_longer(weft_buffer *to, const weft_head_line *list, const char *element)
{
	weft_buffer_append(to, list->name, (size_t) (list->value + list->value_length - list->name));
	append(to, list->value_length > 0 ? ", " : " ");
	append(to, element);
	append(to, "\r\n");
}

void weft_coded_head_write(weft_buffer *head, weft_coding coding)
{
	const char *at = weft_buffer_data(head), *end = at + weft_buffer_length(head), *from = at;
	bool coded = coding != WEFT_CODING_NONE;
	weft_coded_head look;
	weft_buffer new = {0};
	weft_head_line line;

	weft_coded_head_look(head, &look);
	while ((at = weft_head_line_next(at, end, &line)) != NULL) {
		meaning meaning = meaning_of(&line);

		if (meaning == VARIES && !look.varies) {
			append_longer(&new, &line, ACCEPT_ENCODING);
			look.varies = true;
		} else if (meaning == TAG && coded && is_strong(&line)) {
			append_weak_tag(&new, &line); /* what is sent may differ from time to time in its bytes */
		} else if (meaning != RANGES || !coded) {
			weft_buffer_append(&new, from, (size_t) (at - from)); /* parts are of what is not coded */
		}
		from = at;
	}
	if (!look.varies) {
		append(&new, "Vary: " ACCEPT_ENCODING "\r\n");
	}
	if (coded) {
		append(&new, "Content-Encoding: ");
		append(&new, weft_coding_name(coding));
		append(&new, "\r\n");
	}
	weft_buffer_free(head);
	*head = new;
}

/* Whether the client has asked by W/ and that tag. */
static bool asked_by_weak(const weft_http_request *request, const weft_head_line *tag)
{
	for (int64_t i = weft_request_find_header(request, "if-none-match", 0); i >= 0;
		 i = weft_request_find_header(request, "if-none-match", (uint32_t) i + 1)) {
		const char *asked = request->head + request->parser.headers[i].value;

		while ((asked = strstr(asked, "W/\"")) != NULL) {
			asked += 2;
			if (strncmp(asked, tag->value, tag->value_length) == 0) {
				return true;
			}
		}
	}
	return false;
}

void weft_coded_head_not_modified(weft_http_request *request)
{
	weft_buffer *head = &request->response.head, new = {0};
	const char *start = weft_buffer_data(head), *end = start + weft_buffer_length(head), *at = start, *from = start;
	weft_head_line line;

	while ((at = weft_head_line_next(at, end, &line)) != NULL) {
		if (meaning_of(&line) == TAG && is_strong(&line) && asked_by_weak(request, &line)) {
			weft_buffer_append(&new, start, (size_t) (from - start));
			append_weak_tag(&new, &line);
			weft_buffer_append(&new, at, (size_t) (end - at));
			weft_buffer_free(head);
			*head = new;
			return;
		}
		from = at;
	}
}
