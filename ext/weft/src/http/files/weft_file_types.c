/*
 * Media types: a table of what the web needs, with the charset that makes text readable, and behind it the one that the
 * distribution maintains (Debian's media-types).
 */
#include "http/files/weft_file_types.h"

#include "php.h"

#include <ctype.h>
#include <stdio.h>

#define SYSTEM_TABLE "/etc/mime.types"
/* Debian's has 90 KB. */
#define LARGEST_TABLE (4 * 1024 * 1024)
#define UNKNOWN "application/octet-stream"
#define TEXT(subtype) "text/" subtype "; charset=UTF-8"
#define LONGEST_EXTENSION 15

typedef struct {
	const char *extension, *type;
} file_type;

/* In the order of strcmp(). */
static const file_type of_the_web[] = {
	{"aac", "audio/aac"},
	{"apng", "image/apng"},
	{"avif", "image/avif"},
	{"bmp", "image/bmp"},
	{"css", TEXT("css")},
	{"csv", TEXT("csv")},
	{"eot", "application/vnd.ms-fontobject"},
	{"gif", "image/gif"},
	{"gz", "application/gzip"},
	{"htm", TEXT("html")},
	{"html", TEXT("html")},
	{"ico", "image/x-icon"},
	{"ics", TEXT("calendar")},
	{"jpeg", "image/jpeg"},
	{"jpg", "image/jpeg"},
	{"js", TEXT("javascript")},
	{"json", "application/json"},
	{"jsonld", "application/ld+json"},
	{"m4a", "audio/mp4"},
	{"m4v", "video/mp4"},
	{"map", "application/json"},
	{"md", TEXT("markdown")},
	{"mjs", TEXT("javascript")},
	{"mp3", "audio/mpeg"},
	{"mp4", "video/mp4"},
	{"ogg", "audio/ogg"},
	{"ogv", "video/ogg"},
	{"opus", "audio/ogg"},
	{"otf", "font/otf"},
	{"pdf", "application/pdf"},
	{"png", "image/png"},
	{"svg", "image/svg+xml"},
	{"ttf", "font/ttf"},
	{"txt", TEXT("plain")},
	{"vtt", TEXT("vtt")},
	{"wasm", "application/wasm"},
	{"wav", "audio/wav"},
	{"webm", "video/webm"},
	{"webmanifest", "application/manifest+json"},
	{"webp", "image/webp"},
	{"woff", "font/woff"},
	{"woff2", "font/woff2"},
	{"xml", "application/xml"},
	{"zip", "application/zip"},
};

static file_type *of_the_system;
static size_t system_count;

static int compare(const void *a, const void *b)
{
	return strcmp(((const file_type *) a)->extension, ((const file_type *) b)->extension);
}

static char *read_table(void)
{
	FILE *file = fopen(SYSTEM_TABLE, "re");
	char *text = file ? malloc(LARGEST_TABLE) : NULL;
	size_t length;

	if (text) {
		length = fread(text, 1, LARGEST_TABLE - 1, file);
		text[length] = '\0';
		text = perealloc(text, length + 1, 1);
	}
	if (file) {
		fclose(file);
	}
	return text;
}

static const char *with_charset(const char *type)
{
	char *text;

	if (strncmp(type, "text/", 5) != 0 || spprintf(&text, 0, "%s; charset=UTF-8", type) <= 0) {
		return type;
	}
	type = pestrdup(text, true);
	efree(text);
	return type;
}

/* "text/html	html htm shtml" */
static void take_line(char *line, size_t *room)
{
	char *rest = NULL, *extension, *type = strtok_r(line, " \t", &rest);
	const char *told = NULL;

	while (type && *type != '#' && (extension = strtok_r(NULL, " \t", &rest)) != NULL) {
		if (system_count == *room) {
			*room = *room ? *room * 2 : 2048;
			of_the_system = perealloc(of_the_system, *room * sizeof(file_type), 1);
		}
		told = told ? told : with_charset(type);
		of_the_system[system_count++] = (file_type){extension, told};
	}
}

void weft_file_types_load(void)
{
	char *rest = NULL, *text = of_the_system ? NULL : read_table();
	size_t room = 0;

	for (char *line = text ? strtok_r(text, "\r\n", &rest) : NULL; line; line = strtok_r(NULL, "\r\n", &rest)) {
		take_line(line, &room);
	}
	if (system_count) {
		qsort(of_the_system, system_count, sizeof(file_type), compare);
	}
}

const char *weft_file_type(const char *path)
{
	const char *dot = strrchr(path, '.');
	char extension[LONGEST_EXTENSION + 1];
	file_type wanted = {extension, NULL};
	const file_type *found;
	size_t length = 0;

	if (!dot || strchr(dot, '/') || strlen(++dot) > LONGEST_EXTENSION) {
		return UNKNOWN;
	}
	do {
		extension[length] = (char) tolower((unsigned char) dot[length]);
	} while (dot[length++]);
	found = bsearch(&wanted, of_the_web, sizeof(of_the_web) / sizeof(*of_the_web), sizeof(file_type), compare);
	if (!found && system_count) {
		found = bsearch(&wanted, of_the_system, system_count, sizeof(file_type), compare);
	}
	return found ? found->type : UNKNOWN;
}
