/*
 * Before an INSERT and after it: what the session says of the last id, and whose that is.
 */
#include "pdo/weft_pdo_inserted.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_lease.h"

static bool link_run(weft_pdo_link *link, const char *text)
{
	zend_string *sql = zend_string_init(text, strlen(text), 0);
	bool done = link->dbh->methods->doer(link->dbh, sql) >= 0;

	zend_string_release(sql);
	return done;
}

static void set_id(zend_string **place, zend_string *id)
{
	if (*place) {
		zend_string_release(*place);
	}
	*place = id;
}

/* Neither the session nor the handle has inserted anything: what comes next is the handle's. */
static bool is_nobodys(const weft_pdo_link *link, const weft_pdo_handle *handle)
{
	return !link->sequence_moved && !handle->inserted_id;
}

static void prepare_mysql(weft_pdo_link *link, weft_pdo_handle *handle)
{
	char sql[64];

	if (!is_nobodys(link, handle)) {
		snprintf(sql, sizeof(sql), "DO LAST_INSERT_ID(%.20s)",
			handle->inserted_id ? ZSTR_VAL(handle->inserted_id) : "0");
		link_run(link, sql);
	}
	link->sequence_owner = handle;
}

/* What somebody else inserted is nobody's business: let the server say that there is nothing. Before an INSERT that
 * costs a round trip, so it is done where somebody has asked before: frameworks have ids returned, and never ask. */
static void prepare_postgresql(weft_pdo_link *link, uint32_t flags)
{
	bool may_ask = (flags & WEFT_SQL_ASKS_SESSION) ||
		((flags & (WEFT_SQL_INSERTS | WEFT_SQL_SEQUENCE)) && link->pool && link->pool->asked_for_ids);

	if (may_ask && link->sequence_moved) {
		link->sequence_moved = !link_run(link, "DISCARD SEQUENCES");
	}
}

/* All others neither move an id nor ask for one. */
#define ABOUT_IDS (WEFT_SQL_ASKS_SESSION | WEFT_SQL_INSERTS | WEFT_SQL_SEQUENCE | WEFT_SQL_TOUCHES)

void weft_pdo_inserted_prepare(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags)
{
	if (EXPECTED(!(flags & ABOUT_IDS))) {
		return;
	}
	if ((flags & WEFT_SQL_ASKS_SESSION) && link->pool) {
		link->pool->asked_for_ids = true;
	}
	if (link->sequence_owner == handle) {
		return;
	}
	if (link->driver->dialect == WEFT_SQL_MYSQL) {
		/* what touches the session may call a procedure that asks */
		if (flags & (WEFT_SQL_ASKS_SESSION | WEFT_SQL_TOUCHES)) {
			prepare_mysql(link, handle);
		}
	} else if (link->driver->dialect == WEFT_SQL_POSTGRESQL) {
		prepare_postgresql(link, flags);
	}
}

void weft_pdo_inserted_note_last(weft_pdo_link *link, weft_pdo_handle *handle)
{
	if (link->driver->dialect == WEFT_SQL_MYSQL) {
		set_id(&handle->last_id, link->dbh->methods->last_id(link->dbh, NULL));
	}
}

void weft_pdo_inserted_nothing(weft_pdo_handle *handle)
{
	set_id(&handle->last_id, NULL);
	handle->warnings = 0;
}

static bool is_id(const zend_string *id)
{
	return id && !zend_string_equals_literal(id, "0");
}

/* An INSERT that names its id leaves LAST_INSERT_ID() as it was. So the session's may still be of who was there before,
 * and only what has asked since is sure. */
static void note_mysql(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags, bool done)
{
	if (link->sequence_owner != handle) {
		link->sequence_owner = is_nobodys(link, handle) ? handle : NULL;
	}
	for (weft_pdo_link *other = weft_pdo_links; other; other = other->next) {
		if (other != link && other->sequence_owner == handle) {
			other->sequence_owner = NULL;
		}
	}
	link->sequence_moved = true;
	if (done && is_id(handle->last_id)) {
		set_id(&handle->inserted_id, zend_string_copy(handle->last_id));
	} else if (flags & WEFT_SQL_SEQUENCE) {
		/* the server tells the client what LAST_INSERT_ID(value) has set after an UPDATE, and not after a SELECT */
		link->pins |= WEFT_PIN_SEQUENCE;
	}
}

static void note_postgresql(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags)
{
	link->sequence_owner = handle;
	link->sequence_moved = true;
	handle->sequence_link = link;
	if (flags & WEFT_SQL_SEQUENCE) {
		link->pins |= WEFT_PIN_SEQUENCE;
	}
}

void weft_pdo_inserted_note(weft_pdo_link *link, weft_pdo_handle *handle, uint32_t flags, bool done)
{
	/* after a failure the library still has the id of who was there before */
	if (done) {
		weft_pdo_inserted_note_last(link, handle);
	}
	if (EXPECTED(!(flags & ABOUT_IDS))) {
		return;
	}
	if (link->driver->dialect == WEFT_SQL_MYSQL) {
		if (flags & (WEFT_SQL_INSERTS | WEFT_SQL_ASKS_SESSION | WEFT_SQL_TOUCHES)) {
			note_mysql(link, handle, flags, done);
		}
	} else if (link->driver->dialect == WEFT_SQL_POSTGRESQL && (flags & (WEFT_SQL_INSERTS | WEFT_SQL_SEQUENCE))) {
		note_postgresql(link, handle, flags);
	}
}

static weft_pdo_link *still_there(const weft_pdo_link *wanted)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link == wanted) {
			return link;
		}
	}
	return NULL;
}

zend_string *weft_pdo_inserted_last(pdo_dbh_t *dbh, const zend_string *name)
{
	weft_pdo_handle *handle = dbh->driver_data;
	weft_pdo_link *link, *wanted;
	zend_string *id;

	if (handle->driver->dialect == WEFT_SQL_MYSQL) {
		return handle->last_id ? zend_string_copy(handle->last_id) : zend_string_init("0", 1, 0);
	}
	wanted = still_there(handle->sequence_link);
	link = weft_pdo_lease(handle, wanted && wanted->sequence_owner == handle ? wanted : NULL);
	if (!link) {
		return NULL;
	}
	weft_pdo_inserted_prepare(link, handle, WEFT_SQL_ASKS_SESSION);
	id = link->dbh->methods->last_id(link->dbh, name);
	weft_pdo_driver_leave(dbh, link, id != NULL);
	return id;
}
