/*
 * Ranges of bytes. Who asks for many, or for the same bytes several times, makes a small request a large answer; nobody
 * who means well does (14.2 lets a server ignore them).
 */
#include "http/files/weft_file_ranges.h"

#include "php.h"
#include "http/weft_text.h"
#include "reactor/weft_reactor.h"

#include <ctype.h>
#include <sys/random.h>

/* Digits, as large as they may be; NULL: there is none. */
static const char *read_number(const char *text, uint64_t *number)
{
	if (!isdigit((unsigned char) *text)) {
		return NULL;
	}
	for (*number = 0; isdigit((unsigned char) *text); text++) {
		uint64_t digit = (uint64_t) (*text - '0');

		*number = *number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : *number * 10 + digit;
	}
	return text;
}

/* "0-499", "500-", "-500"; of the bytes that there are, which may be none. NULL: malformed. */
static const char *read_range(const char *text, uint64_t size, weft_file_range *range)
{
	uint64_t first, last = UINT64_MAX;

	*range = (weft_file_range){0, 0};
	if (*text == '-') {
		text = read_number(text + 1, &last);
		range->length = MIN(last, size);
		range->offset = size - range->length;
		return text;
	}
	text = read_number(text, &first);
	if (!text || *text++ != '-' || (isdigit((unsigned char) *text) && (text = read_number(text, &last)) == NULL) ||
		last < first) {
		return NULL;
	}
	if (first < size) {
		range->offset = first;
		range->length = MIN(last, size - 1) - first + 1;
	}
	return text;
}

static bool overlaps(const weft_file_range *range, const weft_file_range *others, int count)
{
	for (int i = 0; i < count; i++) {
		if (range->offset < others[i].offset + others[i].length && others[i].offset < range->offset + range->length) {
			return true;
		}
	}
	return false;
}

int weft_ranges_read(const char *value, uint64_t size, weft_file_range to[WEFT_RANGES_MAX], uint32_t most)
{
	uint32_t asked = 0;
	int count = 0;

	if (strncasecmp(value, "bytes=", 6) != 0) {
		return 0;
	}
	for (value += 6; *(value += strspn(value, " \t,"));) {
		if (++asked > MIN(most, WEFT_RANGES_MAX)) {
			return 0;
		}
		value = read_range(value, size, &to[count]);
		if (!value || (*(value += strspn(value, " \t")) && *value != ',') || overlaps(&to[count], to, count)) {
			return 0;
		}
		count += to[count].length > 0;
	}
	return asked > 0 && count == 0 ? -1 : count;
}

weft_file_ranges *weft_ranges_new(const weft_file_range *each, uint32_t count, uint64_t size, const char *type)
{
	weft_file_ranges *ranges = pecalloc(1, sizeof(*ranges) + count * sizeof(*each), 1);
	uint64_t number;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number)) {
		number = weft_now();
	}
	snprintf(ranges->boundary, sizeof(ranges->boundary), "weft%016llx", (unsigned long long) number);
	ranges->size = size;
	ranges->type = type;
	ranges->count = count;
	memcpy(ranges->each, each, count * sizeof(*each));
	return ranges;
}

void weft_ranges_put_line(weft_text *text, const weft_file_range *range, uint64_t size)
{
	weft_text_literal(text, "Content-Range: bytes ");
	if (range) {
		weft_text_number(text, range->offset);
		weft_text_literal(text, "-");
		weft_text_number(text, range->offset + range->length - 1);
	} else {
		weft_text_literal(text, "*");
	}
	weft_text_literal(text, "/");
	weft_text_number(text, size);
	weft_text_literal(text, "\r\n");
}

const weft_file_range *weft_ranges_next(weft_file_ranges *ranges, char head[WEFT_RANGES_HEAD], size_t *length)
{
	const weft_file_range *range = ranges->next < ranges->count ? &ranges->each[ranges->next] : NULL;
	weft_text text = {head, head + WEFT_RANGES_HEAD};

	weft_text_literal(&text, "\r\n--");
	weft_text_string(&text, ranges->boundary);
	if (range) {
		weft_text_literal(&text, "\r\nContent-Type: ");
		weft_text_string(&text, ranges->type);
		weft_text_literal(&text, "\r\n");
		weft_ranges_put_line(&text, range, ranges->size);
		weft_text_literal(&text, "\r\n");
	} else {
		weft_text_literal(&text, "--\r\n");
	}
	ranges->next++;
	*length = (size_t) (text.at - head);
	return range;
}

uint64_t weft_ranges_length(weft_file_ranges *ranges)
{
	char head[WEFT_RANGES_HEAD];
	const weft_file_range *range;
	uint64_t all = 0;
	size_t length;

	do {
		range = weft_ranges_next(ranges, head, &length);
		all += length + (range ? range->length : 0);
	} while (range);
	ranges->next = 0;
	return all;
}
