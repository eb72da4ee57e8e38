/*
 * Times as text: HTTP's dates (RFC 9110, 5.6.7), and the time of day, for the Date header and the access log, made once
 * in a second.
 */
#include "http/weft_http_internal.h"

#include <ctype.h>
#include <time.h>

static const char days[] = "SunMonTueWedThuFriSat";
static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

static char date_line[64];
static char wall_clock[16];
static time_t formatted;

void weft_http_date_write(char to[WEFT_DATE_LENGTH + 1], time_t time)
{
	struct tm utc = {0};

	gmtime_r(&time, &utc);
	/* not strftime(): the application may have set a locale */
	snprintf(to, WEFT_DATE_LENGTH + 1, "%.3s, %02d %.3s %04d %02d:%02d:%02d GMT", days + 3 * utc.tm_wday,
		utc.tm_mday % 100, months + 3 * utc.tm_mon, (utc.tm_year + 1900) % 10000, utc.tm_hour % 100, utc.tm_min % 100,
		utc.tm_sec % 100);
}

/* Formatting costs more than the rest of a small response's head, and nothing changes within a second. */
static void format_now(void)
{
	struct timespec now;
	struct tm local;
	char date[WEFT_DATE_LENGTH + 1];

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (now.tv_sec == formatted) {
		return;
	}
	formatted = now.tv_sec;
	weft_http_date_write(date, now.tv_sec);
	snprintf(date_line, sizeof(date_line), "Date: %s\r\n", date);
	localtime_r(&now.tv_sec, &local);
	snprintf(wall_clock, sizeof(wall_clock), "%02d:%02d:%02d", local.tm_hour % 100, local.tm_min % 100,
		local.tm_sec % 100);
}

const char *weft_http_date_line(void)
{
	format_now();
	return date_line;
}

const char *weft_http_clock(void)
{
	format_now();
	return wall_clock;
}

/* --- reading --- */

static const char *skip_literal(const char *text, const char *literal)
{
	size_t length = strlen(literal);

	return text && strncmp(text, literal, length) == 0 ? text + length : NULL;
}

/* So many digits, the first of which may be a space when `padded`. */
static const char *read_digits(const char *text, int count, bool padded, int *number)
{
	*number = 0;
	for (int i = 0; text && i < count; i++, text++) {
		if (*text == ' ' && padded && i == 0) {
			continue;
		}
		if (!isdigit((unsigned char) *text)) {
			return NULL;
		}
		*number = *number * 10 + (*text - '0');
	}
	return text;
}

static const char *read_name(const char *text, const char *names, int *number)
{
	for (*number = 0; text && names[3 * *number]; ++*number) {
		if (strncmp(text, names + 3 * *number, 3) == 0) {
			return text + 3;
		}
	}
	return NULL;
}

static const char *read_clock(const char *text, struct tm *tm)
{
	text = skip_literal(read_digits(text, 2, false, &tm->tm_hour), ":");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_min), ":");
	return read_digits(text, 2, false, &tm->tm_sec);
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static const char *read_fixed(const char *text, struct tm *tm)
{
	text = skip_literal(read_name(text, days, &tm->tm_wday), ", ");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_mday), " ");
	text = skip_literal(read_name(text, months, &tm->tm_mon), " ");
	text = skip_literal(read_digits(text, 4, false, &tm->tm_year), " ");
	return skip_literal(read_clock(text, tm), " GMT");
}

/* "Sunday, 06-Nov-94 08:49:37 GMT": a year that seems to be more than 50 years ahead is of the past. */
static const char *read_rfc850(const char *text, struct tm *tm)
{
	time_t now = time(NULL);
	struct tm today;

	text = read_name(text, days, &tm->tm_wday);
	while (text && isalpha((unsigned char) *text)) {
		text++;
	}
	text = skip_literal(text, ", ");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_mday), "-");
	text = skip_literal(read_name(text, months, &tm->tm_mon), "-");
	text = skip_literal(read_digits(text, 2, false, &tm->tm_year), " ");
	gmtime_r(&now, &today);
	tm->tm_year += (today.tm_year + 1900) / 100 * 100;
	tm->tm_year -= tm->tm_year > today.tm_year + 1900 + 50 ? 100 : 0;
	return skip_literal(read_clock(text, tm), " GMT");
}

/* "Sun Nov  6 08:49:37 1994" */
static const char *read_asctime(const char *text, struct tm *tm)
{
	text = skip_literal(read_name(text, days, &tm->tm_wday), " ");
	text = skip_literal(read_name(text, months, &tm->tm_mon), " ");
	text = skip_literal(read_digits(text, 2, true, &tm->tm_mday), " ");
	text = skip_literal(read_clock(text, tm), " ");
	return read_digits(text, 4, false, &tm->tm_year);
}

bool weft_http_date_read(const char *text, time_t *to)
{
	static const char *(*const forms[])(const char *, struct tm *) = {read_fixed, read_rfc850, read_asctime};

	for (int i = 0; i < 3; i++) {
		struct tm tm = {0}, same;
		const char *end = forms[i](text, &tm);

		if (!end || *end || tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60) {
			continue;
		}
		tm.tm_year -= 1900;
		same = tm;
		*to = timegm(&same);
		return same.tm_mday == tm.tm_mday; /* the 31st of February is another day */
	}
	return false;
}
