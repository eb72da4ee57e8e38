/*
 * The time of day as text, for the Date header and the access log: made once in a second.
 */
#include "http/weft_http_internal.h"

#include <time.h>

static char date_line[64];
static char wall_clock[16];
static time_t formatted;

/* Formatting costs more than the rest of a small response's head, and nothing changes within a second. */
static void format_now(void)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct timespec now;
	struct tm utc, local;

	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	if (now.tv_sec == formatted) {
		return;
	}
	formatted = now.tv_sec;
	gmtime_r(&now.tv_sec, &utc);
	localtime_r(&now.tv_sec, &local);
	/* not strftime(): the application may have set a locale */
	snprintf(date_line, sizeof(date_line), "Date: %.3s, %02d %.3s %04d %02d:%02d:%02d GMT\r\n", days + 3 * utc.tm_wday,
		utc.tm_mday % 100, months + 3 * utc.tm_mon, (utc.tm_year + 1900) % 10000, utc.tm_hour % 100, utc.tm_min % 100,
		utc.tm_sec % 100);
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
