/*
 * Paths of requests, and which files are never sent.
 */
#include "http/files/weft_file_path.h"

#include "http/weft_hex.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* One byte of a path, from which `*from` moves on; -1: none that a file can be named with. */
static int path_byte(const char **from)
{
	const char *c = *from;
	int byte = (unsigned char) *c;

	if (byte == '%') {
		int high = weft_hex_digit(c[1]), low = high < 0 ? -1 : weft_hex_digit(c[2]);

		byte = low < 0 ? 0 : high << 4 | low;
		*from += 2;
	}
	*from += 1;
	return byte ? byte : -1;
}

/* Names that are nobody's: the directory itself, the one above, and what is hidden. */
static bool is_hidden(const char *segment, size_t length, bool first)
{
	return length > 0 && segment[0] == '.' &&
		!(first && length == strlen(".well-known") && memcmp(segment, ".well-known", length) == 0);
}

bool weft_path_clean(const char *uri, char *path, size_t room)
{
	size_t length = 0, segment = 0;

	while (*uri && *uri != '?') {
		int byte = path_byte(&uri);

		if (byte < 0 || length + 2 > room) {
			return false;
		}
		if (byte == '/' && length > 0) {
			if (is_hidden(path + segment, length - segment, segment == 1)) {
				return false;
			}
			if (path[length - 1] == '/') {
				continue;
			}
		}
		path[length++] = (char) byte;
		if (byte == '/') {
			segment = length;
		}
	}
	path[length] = '\0';
	return path[0] == '/' && !is_hidden(path + segment, length - segment, segment == 1);
}

/* Anywhere behind a dot, unless a letter follows: x.php, x.php5, x.PHP~, x.php.bak, x.php-old, #x.php#, dir.php/x,
 * x.sql.gz. */
static const char *const source[] = {"php", "phps", "phpt", "phpbak", "pht", "phtml", "phar", "sql", NULL};

/* Behind the last dot: included source, copies of editors and patch, databases, logs. */
static const char *const leftovers[] = {"inc", "module", "install", "theme", "profile", "engine", "bak", "old", "orig",
	"save", "swp", "swo", "swn", "rej", "tmp", "sqlite", "log", NULL};

static bool begins_like_source(const char *name)
{
	for (const char *const *word = source; *word; word++) {
		size_t length = strlen(*word);

		if (strncasecmp(name, *word, length) == 0 && !isalpha((unsigned char) name[length])) {
			return true;
		}
	}
	return false;
}

static bool is_leftover(const char *extension)
{
	for (const char *const *word = leftovers; *word; word++) {
		if (strcasecmp(extension, *word) == 0) {
			return true;
		}
	}
	/* .sqlite3 */
	return strncasecmp(extension, "sqlite", 6) == 0 && isdigit((unsigned char) extension[6]) && !extension[7];
}

bool weft_path_is_secret(const char *path)
{
	const char *last = NULL;
	size_t length = strlen(path);

	for (const char *dot = strchr(path, '.'); dot; dot = strchr(dot + 1, '.')) {
		if (begins_like_source(dot + 1)) {
			return true;
		}
		last = dot + 1;
	}
	return (length > 0 && (path[length - 1] == '~' || path[length - 1] == '#')) || (last && is_leftover(last));
}
