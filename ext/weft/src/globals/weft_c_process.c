/*
 * State that the operating system or the C library keeps for the whole process, and the time zone.
 */
#include "globals/weft_c_state.h"
#include "globals/weft_c_layouts.h"
#include "coroutine/weft_wrap.h"
#include "reactor/weft_log.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/php_filestat.h"
#include "ext/date/php_date.h"
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* --- a remembered stat() is a guess about a file that the next domain may have reason to see anew --- */

static void stat_cache_leave(void *saved)
{
	if (BG(CurrentStatFile) || BG(CurrentLStatFile)) {
		php_clear_stat_cache(0, NULL, 0);
	}
}

const weft_c_item weft_c_stat_cache = {
	.name = "stat cache",
	.leave = stat_cache_leave,
};

/* --- time zone: date_default_timezone_set() --- */

static char *base_timezone; /* malloc'ed */
static zend_date_globals *date;

static void timezone_forget(void)
{
	free(base_timezone);
	base_timezone = NULL;
}

static void timezone_capture(void)
{
	timezone_forget();
	date = weft_layout("date");
	base_timezone = date && date->timezone ? strdup(date->timezone) : NULL;
}

/* Saved: whether it differs from the base's, and the string. */
typedef struct {
	bool own;
	char *name;
} timezone_state;

static void timezone_leave(void *saved)
{
	timezone_state *state = saved;

	state->own = date && !same_text(date->timezone, base_timezone);
	if (state->own) {
		state->name = date->timezone;
		date->timezone = base_timezone ? estrdup(base_timezone) : NULL;
	}
}

static void timezone_enter(void *saved)
{
	timezone_state *state = saved;

	if (state->own) {
		if (date->timezone) {
			efree(date->timezone);
		}
		date->timezone = state->name;
		state->own = false;
	}
}

static void timezone_discard(void *saved)
{
	timezone_state *state = saved;

	if (state->own && state->name) {
		efree(state->name);
	}
}

const weft_c_item weft_c_timezone = {
	.name = "time zone",
	.size = sizeof(timezone_state),
	.capture = timezone_capture,
	.leave = timezone_leave,
	.enter = timezone_enter,
	.discard = timezone_discard,
	.forget = timezone_forget,
};

/* --- locale: setlocale() is for the whole process --- */

typedef struct {
	char *name; /* NULL: the base's */
	bool changed;
	zend_string *ctype;
} locale_state;

static char *base_locale;
static bool base_locale_changed;
static zend_string *base_ctype;

static void locale_forget(void)
{
	free(base_locale);
	base_locale = NULL;
	if (base_ctype) {
		zend_string_release(base_ctype);
		base_ctype = NULL;
	}
}

static void locale_capture(void)
{
	locale_forget();
	base_locale = strdup(setlocale(LC_ALL, NULL));
	base_locale_changed = BG(locale_changed);
	base_ctype = BG(ctype_string) ? zend_string_copy(BG(ctype_string)) : NULL;
}

static void set_locale(const char *name)
{
	setlocale(LC_ALL, name);
	zend_update_current_locale();
}

static void locale_leave(void *saved)
{
	locale_state *state = saved;
	const char *name;

	state->name = NULL;
	/* PHP notes a call of setlocale(), and counts on that itself at a request's end */
	if (EXPECTED(!BG(locale_changed) && !base_locale_changed)) {
		return;
	}
	name = setlocale(LC_ALL, NULL);
	if (same_text(name, base_locale)) {
		BG(locale_changed) = base_locale_changed;
		return;
	}
	state->name = strdup(name);
	state->changed = BG(locale_changed);
	state->ctype = BG(ctype_string);
	BG(locale_changed) = base_locale_changed;
	BG(ctype_string) = base_ctype ? zend_string_copy(base_ctype) : NULL;
	set_locale(base_locale);
}

static void locale_enter(void *saved)
{
	locale_state *state = saved;

	if (!state->name) {
		return;
	}
	if (BG(ctype_string)) {
		zend_string_release(BG(ctype_string));
	}
	BG(locale_changed) = state->changed;
	BG(ctype_string) = state->ctype;
	set_locale(state->name);
	free(state->name);
	state->name = NULL;
}

static void locale_discard(void *saved)
{
	locale_state *state = saved;

	if (state->name) {
		free(state->name);
		if (state->ctype) {
			zend_string_release(state->ctype);
		}
	}
}

const weft_c_item weft_c_locale = {
	.name = "locale",
	.size = sizeof(locale_state),
	.capture = locale_capture,
	.leave = locale_leave,
	.enter = locale_enter,
	.discard = locale_discard,
	.forget = locale_forget,
};

/* --- umask --- */

typedef struct {
	int original; /* what PHP puts back at the end, -1: the script has not asked */
	int mask;     /* -1: the base's */
} umask_state;

static int base_umask_original = -1, base_umask;

static void umask_capture(void)
{
	base_umask_original = BG(umask);
	base_umask = umask(077);
	umask(base_umask);
}

static void umask_fresh(void *saved)
{
	((umask_state *) saved)->mask = -1;
}

static void umask_leave(void *saved)
{
	umask_state *state = saved;

	state->mask = -1;
	/* PHP notes the first call of umask(); without one nothing can have changed */
	if (EXPECTED(BG(umask) == -1)) {
		return;
	}
	state->mask = umask(base_umask);
	state->original = BG(umask);
	BG(umask) = base_umask_original;
}

static void umask_enter(void *saved)
{
	umask_state *state = saved;

	if (state->mask != -1) {
		umask(state->mask);
		BG(umask) = state->original;
	}
}

const weft_c_item weft_c_umask = {
	.name = "umask",
	.size = sizeof(umask_state),
	.capture = umask_capture,
	.fresh = umask_fresh,
	.leave = umask_leave,
	.enter = umask_enter,
};

/* --- working directory: only looked at when the domain has called chdir() --- */

static bool directory_changed;
static char base_directory[MAXPATHLEN];
static zif_handler original_chdir;

static ZEND_FUNCTION(weft_chdir)
{
	directory_changed = true;
	original_chdir(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static void directory_capture(void)
{
	if (!getcwd(base_directory, sizeof(base_directory))) {
		base_directory[0] = '\0';
	}
	directory_changed = false;
}

/* A directory may be gone by then. That is no PHP error: a switch runs none of the application's code. */
static void go_back(const char *directory)
{
	zval path;

	if (chdir(directory) != 0) {
		weft_log("weft: can't go back to the working directory %s: %s", directory, strerror(errno));
		return;
	}
	/* once more through PHP's function: OPcache has a copy of the path, and includes relative ones from there */
	ZVAL_STRING(&path, directory);
	weft_c_call("chdir", NULL, 1, &path);
	zval_ptr_dtor(&path);
}

void weft_c_directory_enter(const char *directory)
{
	zval path;

	if (!directory_changed && strcmp(directory, base_directory) == 0) {
		return; /* system calls at each switch would be the price of saying so */
	}
	ZVAL_STRING(&path, directory);
	weft_c_call("chdir", NULL, 1, &path);
	zval_ptr_dtor(&path);
}

static void directory_leave(void *saved)
{
	char **own = saved;

	if (EXPECTED(!directory_changed)) {
		return;
	}
	directory_changed = false;
	*own = getcwd(NULL, 0);
	if (base_directory[0]) {
		go_back(base_directory);
		directory_changed = false;
	}
}

static void directory_enter(void *saved)
{
	char **own = saved;

	if (*own) {
		go_back(*own);
		free(*own);
		*own = NULL;
		directory_changed = true;
	}
}

static void directory_discard(void *saved)
{
	free(*(char **) saved);
}

const weft_c_item weft_c_directory = {
	.name = "directory",
	.size = sizeof(char *),
	.capture = directory_capture,
	.leave = directory_leave,
	.enter = directory_enter,
	.discard = directory_discard,
};

void weft_c_process_wrap(void)
{
	original_chdir = weft_wrap("standard", NULL, "chdir", zif_weft_chdir);
}
