/*
 * The directives of compression: codings and types are lists.
 */
#include "http/weft_coding.h"
#include "directive/weft_directive.h"

#include "zend_smart_str.h"

/* What is worth compressing: text in all its forms. Pictures, films, archives and WOFF fonts are compressed already. */
#define TYPES \
	"text/*, application/json, application/javascript, application/xml, application/x-ndjson, application/wasm, " \
	"application/x-javascript, application/rtf, application/vnd.ms-fontobject, " \
	"*+json, *+xml, font/ttf, font/otf, image/bmp, image/x-icon, image/vnd.microsoft.icon"

typedef struct {
	weft_codings compress, decompress;
	zend_long min, zstd, br, gzip, ratio, memory;
} directives;

static directives coding_directives;

/* weft.http_compress_types: those one after another, each with a NUL behind it, and one more behind the last. */
static char *types;

/* --- lists --- */

/* The next element; NULL: there is none. */
static const char *next_element(const char **list, size_t *length)
{
	const char *element = *list + strspn(*list, ", \t");

	*length = strcspn(element, ", \t");
	*list = element + *length;
	return *length > 0 ? element : NULL;
}

static bool has_coding(const weft_codings *codings, weft_coding coding)
{
	for (uint32_t i = 0; i < codings->count; i++) {
		if (codings->coding[i] == (uint8_t) coding) {
			return true;
		}
	}
	return false;
}

static zend_result refuse_coding(const zend_ini_entry *entry, const char *name, size_t length)
{
	weft_coding coding = weft_coding_named(name, length);

	if (coding == WEFT_CODING_NONE) {
		return weft_directive_refuse(
			"%s must be \"off\" or \"auto\" or \"zstd\" or \"br\" or \"gzip\", \"%.*s\" given (of "
			"the last three several, with commas between)",
			ZSTR_VAL(entry->name), (int) length, name);
	}
	return weft_directive_refuse(
		"%s names \"%s\", but the library for that was missing when Weft was built: install %s and "
		"build it anew",
		ZSTR_VAL(entry->name), weft_coding_name(coding), weft_coding_package(coding));
}

static zend_result read_codings(const zend_ini_entry *entry, const char *list, weft_codings *codings)
{
	const char *name;
	size_t length;

	while ((name = next_element(&list, &length)) != NULL) {
		weft_coding coding = weft_coding_named(name, length);

		if (coding == WEFT_CODING_NONE || !weft_coding_is_there(coding)) {
			return refuse_coding(entry, name, length);
		}
		if (!has_coding(codings, coding)) {
			codings->coding[codings->count++] = (uint8_t) coding;
		}
	}
	return SUCCESS;
}

/* "auto": those that there are, by what they cost for the same gain. PHP makes "" of the word off in php.ini. */
static ZEND_INI_MH(on_codings)
{
	static const weft_coding quickest[WEFT_CODINGS] = {WEFT_CODING_ZSTD, WEFT_CODING_BR, WEFT_CODING_GZIP};
	const char *value = ZSTR_VAL(new_value);
	weft_codings codings = {0};

	if (strcasecmp(value, "auto") == 0) {
		for (size_t i = 0; i < sizeof(quickest) / sizeof(quickest[0]); i++) {
			if (weft_coding_is_there(quickest[i])) {
				codings.coding[codings.count++] = (uint8_t) quickest[i];
			}
		}
	} else if (strcasecmp(value, "off") != 0 && strcmp(value, "0") != 0) {
		if (read_codings(entry, value, &codings) != SUCCESS) {
			return FAILURE;
		}
	}
	*(weft_codings *) ZEND_INI_GET_ADDR() = codings;
	return SUCCESS;
}

/* A type, or one with a star for a part of it. */
static bool is_pattern(const char *type, size_t length)
{
	const char *slash = memchr(type, '/', length), *star = memchr(type, '*', length);

	return (slash || star) && !(star && memchr(star + 1, '*', length - (size_t) (star + 1 - type)));
}

static ZEND_INI_MH(on_types)
{
	const char *list = ZSTR_VAL(new_value), *type;
	char *new = pemalloc(ZSTR_LEN(new_value) + 2, 1), *to = new;
	size_t length;

	while ((type = next_element(&list, &length)) != NULL) {
		if (!is_pattern(type, length)) {
			free(new);
			return weft_directive_refuse(
				"%s must be types as \"text/html\", \"text/*\" or \"*+json\", with commas between, "
				"\"%.*s\" given",
				ZSTR_VAL(entry->name), (int) length, type);
		}
		memcpy(to, type, length);
		to[length] = '\0';
		to += length + 1;
	}
	*to = '\0';
	free(types);
	types = new;
	return SUCCESS;
}

static bool matches(const char *pattern, const char *type, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t before = star ? (size_t) (star - pattern) : 0, behind = star ? strlen(star + 1) : 0;

	if (!star) {
		return strlen(pattern) == length && strncasecmp(pattern, type, length) == 0;
	}
	return length >= before + behind && strncasecmp(pattern, type, before) == 0 &&
		strncasecmp(star + 1, type + length - behind, behind) == 0;
}

bool weft_coding_is_for_type(const char *type, size_t length)
{
	size_t name = 0;

	while (name < length && type[name] != ';' && type[name] != ' ' && type[name] != '\t') {
		name++;
	}
	for (const char *pattern = types; pattern && *pattern; pattern += strlen(pattern) + 1) {
		if (matches(pattern, type, name)) {
			return true;
		}
	}
	return false;
}

/* --- all of them --- */

#define CODINGS(name, value, field) \
	ZEND_INI_ENTRY3_EX(name, value, PHP_INI_SYSTEM, on_codings, (void *) offsetof(directives, field), \
		(void *) &coding_directives, NULL, NULL)
#define LIMIT(name, value, field, least, most, unit) \
	WEFT_NUMBER("weft.http_" name, value, field, directives, coding_directives, least, most, unit)

static const zend_ini_entry_def ini_entries[] = {
	/* what answers may be coded as, what is preferred first. On, because who stands on the open network expects it, and
	 * a page is a third as long for a few percent of the CPU time that it took to make */
	CODINGS("weft.http_compress", "auto", compress)
	/* of which types */
	ZEND_INI_ENTRY_EX("weft.http_compress_types", TYPES, PHP_INI_SYSTEM, on_types, NULL)
	/* bytes; less fits into one packet anyway */
	LIMIT("compress_min", "1024", min, 0, 1073741824, "bytes")
	/* levels: what is not twice as dear as the quickest. A worker does nothing else meanwhile */
	LIMIT("compress_zstd", "3", zstd, 1, 19, "") LIMIT("compress_br", "4", br, 0, 11, "")
		LIMIT("compress_gzip", "4", gzip, 1, 9, "")
	/* what bodies may be coded as. Off, as under PHP-FPM: an application that knows of the header decompresses by
	 * itself */
	CODINGS("weft.http_decompress", "off", decompress)
	/* how much longer a body may become, beyond 1 MB; 413 beyond; 0: any. Texts reach 20, logs 60, bombs 1000 */
	LIMIT("decompress_ratio", "100", ratio, 0, 1000000, "times")
	/* bytes of all that are under way in a worker; beyond it answers are not compressed, and bodies get 503. Room for
	 * 80 to 250 streams */
	LIMIT("codec_memory", "64M", memory, 0, 68719476736, "bytes"){0}};

void weft_coding_config_minit(int module_number)
{
	zend_register_ini_entries(ini_entries, module_number);
}

void weft_coding_config_defaults(weft_http_config *config)
{
	const directives *ini = &coding_directives;

	config->compress = ini->compress;
	config->compress_min = (size_t) ini->min;
	config->compress_level[WEFT_CODING_ZSTD] = (int) ini->zstd;
	config->compress_level[WEFT_CODING_BR] = (int) ini->br;
	config->compress_level[WEFT_CODING_GZIP] = (int) ini->gzip;
	config->decompress = ini->decompress;
	config->decompress_ratio = (uint32_t) ini->ratio;
	config->codec_memory = (size_t) ini->memory;
}

void weft_http_codings(char *to, size_t room)
{
	size_t length = 0;

	snprintf(to, room, "none");
	for (weft_coding coding = 0; coding < WEFT_CODINGS; coding++) {
		if (weft_coding_is_there(coding) && length < room) {
			length += (size_t) snprintf(to + length, room - length, "%s%s %s", length > 0 ? ", " : "",
				weft_coding_name(coding), weft_coding_version(coding));
		}
	}
}
