/*
 * Directives for a script: the sections of php.ini that name its host or its directory, and the .user.ini files on
 * the way to it from the document root, as PHP-FPM applies them.
 */
#include "http/weft_http_internal.h"
#include "http/weft_sapi.h"

#include "php_ini.h"

/* What the files on the way to one directory say together. */
typedef struct {
	double expires;
	HashTable directives;
} user_ini;

/* By directory; of this worker. */
static HashTable user_inis;
static size_t root;

static void user_ini_free(zval *entry)
{
	user_ini *found = Z_PTR_P(entry);

	zend_hash_destroy(&found->directives);
	pefree(found, 1);
}

void weft_user_ini_begin(size_t root_length)
{
	root = root_length;
	zend_hash_init(&user_inis, 8, NULL, user_ini_free, 1);
}

static user_ini *user_ini_of(const char *directory, size_t length)
{
	user_ini *found = zend_hash_str_find_ptr(&user_inis, directory, length);

	if (!found) {
		found = pecalloc(1, sizeof(user_ini), 1);
		zend_hash_init(&found->directives, 8, NULL, config_zval_dtor, 1);
		zend_hash_str_add_ptr(&user_inis, directory, length, found);
	}
	return found;
}

/* The root's first, so that a deeper one's counts. */
static void read_files(HashTable *directives, const char *directory)
{
	char part[MAXPATHLEN];
	size_t length = strlen(directory);

	for (size_t i = root; i <= length; i++) {
		if (directory[i] == '/' || directory[i] == '\0') {
			memcpy(part, directory, i);
			part[i] = '\0';
			php_parse_user_ini_file(part, PG(user_ini_filename), directives);
		}
	}
}

/* [HOST=…] and [PATH=…]: what they set no script and no .user.ini can change. */
static void activate_sections(const char *host, char *directory, size_t length)
{
	if (php_ini_has_per_host_config() && host) {
		char name[256];
		size_t name_length = MIN(strcspn(host, ":"), sizeof(name) - 1);

		zend_str_tolower_copy(name, host, name_length);
		php_ini_activate_per_host_config(name, name_length);
	}
	if (php_ini_has_per_dir_config()) {
		php_ini_activate_per_dir_config(directory, length);
	}
}

void weft_user_ini_activate(const weft_http_request *request)
{
	char directory[MAXPATHLEN];
	size_t length = (size_t) (strrchr(request->script.file, '/') - request->script.file);
	double now = (double) request->began / (double) WEFT_NS_PER_SEC;
	user_ini *found;

	/* PHP looks for the section of each directory that ends with a slash here */
	snprintf(directory, sizeof(directory), "%.*s", (int) length + 1, request->script.file);
	activate_sections(request->host, directory, length + 1);
	directory[length] = '\0';
	if (!PG(user_ini_filename) || !*PG(user_ini_filename)) {
		return;
	}
	found = user_ini_of(directory, length);
	if (now > found->expires) {
		zend_hash_clean(&found->directives);
		read_files(&found->directives, directory);
		found->expires = now + (double) PG(user_ini_cache_ttl);
	}
	php_ini_activate_config(&found->directives, PHP_INI_PERDIR, PHP_INI_STAGE_HTACCESS);
}
