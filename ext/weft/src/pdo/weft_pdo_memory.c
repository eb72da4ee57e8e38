/*
 * Databases in memory (sqlite::memory:): a connection that is opened again is an empty one, so each domain that uses a
 * handle of the boot gets a copy of what the boot has put there.
 */
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo.h"
#include <dlfcn.h>

#define SQLITE_DONE 101

/* libsqlite3 comes with pdo_sqlite, which nothing here links to. */
static struct {
	bool looked_up;
	const char *(*filename)(void *, const char *);
	void *(*begin)(void *, const char *, void *, const char *);
	int (*step)(void *, int);
	int (*finish)(void *);
} sqlite;

static void sqlite_look_up(void)
{
	if (!sqlite.looked_up) {
		sqlite.looked_up = true;
		sqlite.filename = (const char *(*) (void *, const char *) ) dlsym(RTLD_DEFAULT, "sqlite3_db_filename");
		sqlite.begin = (void *(*) (void *, const char *, void *, const char *) ) dlsym(RTLD_DEFAULT,
			"sqlite3_backup_init");
		sqlite.step = (int (*)(void *, int)) dlsym(RTLD_DEFAULT, "sqlite3_backup_step");
		sqlite.finish = (int (*)(void *)) dlsym(RTLD_DEFAULT, "sqlite3_backup_finish");
	}
}

/* The driver begins its part of a connection with the library's handle. */
static void *sqlite_of(const pdo_dbh_t *dbh)
{
	return dbh->driver_data ? *(void **) dbh->driver_data : NULL;
}

/* Where the library's symbols are not to be had, its name must do. */
static bool is_in_memory_by_name(const char *source)
{
	return !source || !*source || strstr(source, ":memory:") || strstr(source, "mode=memory") ||
		strstr(source, "vfs=memdb");
}

static bool is_in_memory(const pdo_dbh_t *dbh)
{
	const char *filename;

	if (!sqlite.filename) {
		return is_in_memory_by_name(dbh->data_source);
	}
	filename = sqlite.filename(sqlite_of(dbh), "main");
	return !filename || !*filename;
}

static bool database_copy(void *from, void *to)
{
	void *backup = sqlite.begin(to, "main", from, "main");
	bool whole;

	if (!backup) {
		return false;
	}
	whole = sqlite.step(backup, -1) == SQLITE_DONE;
	return sqlite.finish(backup) == 0 && whole;
}

static bool is_sqlite(const weft_pdo_driver *driver)
{
	return strcmp(driver->driver->driver_name, "sqlite") == 0;
}

bool weft_pdo_memory_outlives_fork(const weft_pdo_driver *driver, const pdo_dbh_t *dbh)
{
	return is_sqlite(driver) && is_in_memory_by_name(dbh->data_source);
}

bool weft_pdo_memory_copy(const weft_pdo_driver *driver, const pdo_dbh_t *from, const pdo_dbh_t *to)
{
	void *source = sqlite_of(from), *target = sqlite_of(to);

	if (!is_sqlite(driver) || !source || !target) {
		return true;
	}
	sqlite_look_up();
	if (!is_in_memory(from)) {
		return true;
	}
	if (sqlite.filename && sqlite.begin && sqlite.step && sqlite.finish && database_copy(source, target)) {
		return true;
	}
	weft_pdo_throw("HY000",
		"The database in memory that this PDO object has filled during boot could not be copied for the "
		"request; fill it in the request, or use a file");
	return false;
}
