/*
 * What is asked of libpq and mysqlnd directly: whether a connection lives, what it has pending, and to reset it.
 */
#include "pdo/weft_pdo_native.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#if __has_include("ext/mysqlnd/mysqlnd.h")
#include "ext/mysqlnd/mysqlnd.h"
#include "ext/mysqlnd/mysqlnd_wireprotocol.h"
#define WEFT_HAVE_MYSQLND 1
#endif

#define MYSQL_SYNTAX_ERROR 1064
/* of libpq's states of a transaction: there is none; a command is under way */
#define PQ_IDLE 0
#define PQ_ACTIVE 1
/* of libpq's states of a result */
#define PQ_COPY_OUT 3
#define PQ_COPY_IN 4

/* The driver's part of a statement, as far as we touch it; the same from PHP 8.2 to 8.5. */
typedef struct {
	void *handle;
	void *result;
	void *columns;
	char *cursor_name;
	char *statement_name;
	zend_string *query;
	char **values;
	int *lengths;
	int *formats;
	unsigned int *types;
	int current_row;
	bool is_prepared;
} pgsql_statement;

/* Both drivers begin their part of a connection with the client library's handle. */
static void *client_of(const pdo_dbh_t *dbh)
{
	return dbh->driver_data ? *(void **) dbh->driver_data : NULL;
}

/* --- PostgreSQL: libpq comes with pdo_pgsql, which nothing here links to --- */

static struct {
	bool looked_up;
	int (*socket)(const void *);
	int (*status)(const void *);
	int (*transaction_status)(const void *);
	int (*consume_input)(void *);
	void *(*get_result)(void *);
	int (*result_status)(const void *);
	void (*clear)(void *);
	void *(*notifies)(void *);
	void (*free_memory)(void *);
	void *(*get_cancel)(void *);
	int (*cancel)(void *, char *, int);
	void (*free_cancel)(void *);
} pq;

static void libpq_look_up(void)
{
	if (!pq.looked_up) {
		pq.looked_up = true;
		pq.socket = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQsocket");
		pq.status = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQstatus");
		pq.transaction_status = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQtransactionStatus");
		pq.consume_input = (int (*)(void *)) dlsym(RTLD_DEFAULT, "PQconsumeInput");
		pq.get_result = (void *(*) (void *) ) dlsym(RTLD_DEFAULT, "PQgetResult");
		pq.result_status = (int (*)(const void *)) dlsym(RTLD_DEFAULT, "PQresultStatus");
		pq.clear = (void (*)(void *)) dlsym(RTLD_DEFAULT, "PQclear");
		pq.notifies = (void *(*) (void *) ) dlsym(RTLD_DEFAULT, "PQnotifies");
		pq.free_memory = (void (*)(void *)) dlsym(RTLD_DEFAULT, "PQfreemem");
		pq.get_cancel = (void *(*) (void *) ) dlsym(RTLD_DEFAULT, "PQgetCancel");
		pq.cancel = (int (*)(void *, char *, int)) dlsym(RTLD_DEFAULT, "PQcancel");
		pq.free_cancel = (void (*)(void *)) dlsym(RTLD_DEFAULT, "PQfreeCancel");
	}
}

static weft_native_status pgsql_status(const void *connection)
{
	libpq_look_up();
	if (!pq.status || !connection) {
		return WEFT_NATIVE_UNKNOWN;
	}
	return pq.status(connection) == 0 ? WEFT_NATIVE_ALIVE : WEFT_NATIVE_LOST;
}

/* Since PHP 8.5 rows may be left on their way. What is neither is a transaction to the driver, too. */
static weft_native_session pgsql_session(const void *connection)
{
	int status;

	libpq_look_up();
	if (!pq.transaction_status || !connection) {
		return WEFT_NATIVE_READY;
	}
	status = pq.transaction_status(connection);
	if (status == PQ_ACTIVE) {
		return WEFT_NATIVE_BUSY;
	}
	return status == PQ_IDLE ? WEFT_NATIVE_AT_REST : WEFT_NATIVE_IN_TRANSACTION;
}

/* Its driver tells the server to stop, and leaves what has come by then. COPY has an end of its own. */
static void pgsql_take_in_rest(void *connection)
{
	void *result;
	int status;

	libpq_look_up();
	if (!pq.get_result || !pq.result_status || !pq.clear || !connection) {
		return;
	}
	do {
		result = pq.get_result(connection);
		status = result ? pq.result_status(result) : PQ_COPY_OUT;
		pq.clear(result);
	} while (status != PQ_COPY_OUT && status != PQ_COPY_IN);
}

/* Notices and notifications are fine; a farewell is followed by the end of the stream, which the second read
 * sees. */
static weft_native_status pgsql_unexpected_input(void *connection)
{
	libpq_look_up();
	if (!pq.consume_input || !pq.consume_input(connection) || !pq.consume_input(connection)) {
		return WEFT_NATIVE_LOST;
	}
	return pgsql_status(connection);
}

/* --- MySQL --- */

#ifdef WEFT_HAVE_MYSQLND
static int mysql_socket(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);
	php_stream *stream;
	int fd = -1;

	if (!connection || !connection->data->vio) {
		return -1;
	}
	stream = connection->data->vio->data->stream;
	if (!stream ||
		php_stream_cast(stream, PHP_STREAM_AS_FD_FOR_SELECT | PHP_STREAM_CAST_INTERNAL, (void *) &fd, 0) != SUCCESS) {
		return -1;
	}
	return fd;
}

/* MariaDB keeps the role of a user without a default one, whatever is reset. MySQL has none before 8. */
static bool mysql_leave_role(MYSQLND_CONN_DATA *data)
{
	static const char sql[] = "SET ROLE NONE";

	return data->m->query(data, sql, strlen(sql)) == PASS || data->error_info->error_no == MYSQL_SYNTAX_ERROR;
}

/* COM_CHANGE_USER to who it is already: COM_RESET_CONNECTION would leave the database of a USE, or none after DROP
 * DATABASE. What follows it is what connecting does after the handshake. */
static bool mysql_reset(const pdo_dbh_t *dbh, bool auto_commit)
{
	MYSQLND *connection = client_of(dbh);
	MYSQLND_CONN_DATA *data;
	struct pdo_data_src_parser database = {"dbname", "", 0};
	bool done;

	if (!connection) {
		return false;
	}
	data = connection->data;
	if (!mysql_leave_role(data)) {
		return false;
	}
	/* as the driver connected; mysqlnd itself keeps none of these since 8.5 */
	php_pdo_parse_data_source(dbh->data_source, dbh->data_source_len, &database, 1);
	done = data->m->change_user(data, dbh->username ? dbh->username : "", dbh->password ? dbh->password : "",
			   database.optval, true, dbh->password ? strlen(dbh->password) : 0) == PASS;
	if (database.freeme) {
		efree(database.optval);
	}
	return done && data->m->execute_init_commands(data) == PASS &&
		(auto_commit || data->m->set_autocommit(data, false) == PASS);
}

static weft_native_status mysql_status(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);

	if (!connection || connection->data->state.state != CONN_QUIT_SENT) {
		return WEFT_NATIVE_UNKNOWN;
	}
	return WEFT_NATIVE_LOST;
}

static uint64_t mysql_session(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);

	return connection ? connection->data->thread_id : 0;
}

static unsigned int *mysql_warnings(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);

	return connection ? &connection->data->upsert_status->warning_count : NULL;
}

static bool mysql_is_ready(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);

	return !connection || connection->data->state.state == CONN_READY;
}

/* On a connection that has said good-bye the library sends nothing for a statement and waits for no rows. Where it
 * tries to and can't, it stops half way: the statement's memory and its hold on the connection are lost. */
static void mysql_end_unheard(pdo_stmt_t *statement)
{
	MYSQLND *connection = client_of(statement->dbh);
	enum mysqlnd_connection_state state;

	if (!connection) {
		statement->methods->dtor(statement);
		return;
	}
	state = connection->data->state.state;
	connection->data->state.state = CONN_QUIT_SENT;
	statement->methods->dtor(statement);
	connection->data->state.state = state;
}
static void mysql_say_nothing_more(const pdo_dbh_t *dbh)
{
	MYSQLND *connection = client_of(dbh);

	if (connection) {
		connection->data->state.state = CONN_QUIT_SENT;
	}
}
#else
static void mysql_end_unheard(pdo_stmt_t *statement)
{
	statement->methods->dtor(statement);
}

static void mysql_say_nothing_more(const pdo_dbh_t *dbh)
{
}

static weft_native_status mysql_status(const pdo_dbh_t *dbh)
{
	return WEFT_NATIVE_UNKNOWN;
}

static bool mysql_is_ready(const pdo_dbh_t *dbh)
{
	return true;
}

static int mysql_socket(const pdo_dbh_t *dbh)
{
	return -1;
}

static uint64_t mysql_session(const pdo_dbh_t *dbh)
{
	return 0;
}

static unsigned int *mysql_warnings(const pdo_dbh_t *dbh)
{
	return NULL;
}

static bool mysql_reset(const pdo_dbh_t *dbh, bool auto_commit)
{
	return false;
}
#endif

/* --- either --- */

#ifdef WEFT_HAVE_MYSQLND
/* pdo_mysql may have been built with another library, which is laid out in another way. */
static bool is_mysqlnd(const pdo_dbh_t *fresh)
{
	zval version;
	bool is;

	ZVAL_UNDEF(&version);
	is = fresh->methods->get_attribute((pdo_dbh_t *) fresh, PDO_ATTR_CLIENT_VERSION, &version) > 0 &&
		Z_TYPE(version) == IS_STRING && strncmp(Z_STRVAL(version), "mysqlnd", strlen("mysqlnd")) == 0;
	zval_ptr_dtor(&version);
	return is;
}
#else
static bool is_mysqlnd(const pdo_dbh_t *fresh)
{
	return false;
}
#endif

weft_native_client weft_pdo_native_client(const pdo_dbh_t *fresh, weft_sql_dialect dialect)
{
	if (dialect == WEFT_SQL_POSTGRESQL) {
		return WEFT_NATIVE_LIBPQ;
	}
	return dialect == WEFT_SQL_MYSQL && is_mysqlnd(fresh) ? WEFT_NATIVE_MYSQLND : WEFT_NATIVE_OTHER;
}

int weft_pdo_native_socket(const pdo_dbh_t *dbh, weft_native_client client)
{
	void *connection = client_of(dbh);

	libpq_look_up();
	if (client == WEFT_NATIVE_LIBPQ) {
		return pq.socket && connection ? pq.socket(connection) : -1;
	}
	return client == WEFT_NATIVE_MYSQLND ? mysql_socket(dbh) : -1;
}

weft_native_status weft_pdo_native_status(const pdo_dbh_t *dbh, weft_native_client client)
{
	if (client == WEFT_NATIVE_MYSQLND) {
		return mysql_status(dbh);
	}
	return client == WEFT_NATIVE_LIBPQ ? pgsql_status(client_of(dbh)) : WEFT_NATIVE_UNKNOWN;
}

weft_native_status weft_pdo_native_unexpected_input(const pdo_dbh_t *dbh, weft_native_client client)
{
	/* MySQL's servers say nothing unasked but good-bye */
	return client == WEFT_NATIVE_LIBPQ ? pgsql_unexpected_input(client_of(dbh)) : WEFT_NATIVE_LOST;
}

weft_native_session weft_pdo_native_session_state(const pdo_dbh_t *dbh, weft_native_client client)
{
	if (client == WEFT_NATIVE_LIBPQ) {
		return pgsql_session(client_of(dbh));
	}
	return client != WEFT_NATIVE_MYSQLND || mysql_is_ready(dbh) ? WEFT_NATIVE_READY : WEFT_NATIVE_BUSY;
}

bool weft_pdo_native_is_ready(const pdo_dbh_t *dbh, weft_native_client client)
{
	return weft_pdo_native_session_state(dbh, client) != WEFT_NATIVE_BUSY;
}

void weft_pdo_native_take_in_rest(const pdo_dbh_t *dbh, weft_native_client client)
{
	if (client == WEFT_NATIVE_LIBPQ && !weft_pdo_native_is_ready(dbh, client)) {
		pgsql_take_in_rest(client_of(dbh));
	}
}

bool weft_pdo_native_reset(const pdo_dbh_t *dbh, weft_native_client client, bool auto_commit)
{
	return client == WEFT_NATIVE_MYSQLND && mysql_reset(dbh, auto_commit);
}

bool weft_pdo_native_forget_notifications(const pdo_dbh_t *dbh, weft_native_client client)
{
	void *connection = client_of(dbh), *notification;

	libpq_look_up();
	if (client != WEFT_NATIVE_LIBPQ || !connection || !pq.notifies || !pq.free_memory) {
		return false;
	}
	while ((notification = pq.notifies(connection))) {
		pq.free_memory(notification);
	}
	return true;
}

uint32_t weft_pdo_native_warnings(const pdo_dbh_t *dbh, weft_native_client client)
{
	const unsigned int *count = client == WEFT_NATIVE_MYSQLND ? mysql_warnings(dbh) : NULL;

	return count ? *count : 0;
}

void weft_pdo_native_set_warnings(const pdo_dbh_t *dbh, weft_native_client client, uint32_t warnings)
{
	unsigned int *count = client == WEFT_NATIVE_MYSQLND ? mysql_warnings(dbh) : NULL;

	if (count) {
		*count = warnings;
	}
}

void weft_pdo_native_end_unheard(pdo_stmt_t *statement, weft_native_client client)
{
	if (client == WEFT_NATIVE_MYSQLND) {
		mysql_end_unheard(statement);
	} else {
		statement->methods->dtor(statement);
	}
}

bool weft_pdo_native_cut_off(const pdo_dbh_t *dbh, weft_native_client client, int nowhere)
{
	/* asked anew: a library that has lost its server has closed the socket, and the number may be another's */
	int fd = weft_pdo_native_socket(dbh, client);

	if (client == WEFT_NATIVE_OTHER || (fd >= 0 && dup3(nowhere, fd, O_CLOEXEC) < 0)) {
		return false;
	}
	if (client == WEFT_NATIVE_MYSQLND) {
		mysql_say_nothing_more(dbh);
	}
	return true;
}

void *weft_pdo_native_cancel_handle(const pdo_dbh_t *dbh, weft_native_client client)
{
	void *connection = client_of(dbh);

	libpq_look_up();
	return client == WEFT_NATIVE_LIBPQ && connection && pq.get_cancel ? pq.get_cancel(connection) : NULL;
}

void weft_pdo_native_cancel(void *handle)
{
	char error[256];

	/* one that has ended meanwhile needs none */
	pq.cancel(handle, error, sizeof(error));
	pq.free_cancel(handle);
}

uint64_t weft_pdo_native_session(const pdo_dbh_t *dbh, weft_native_client client)
{
	return client == WEFT_NATIVE_MYSQLND ? mysql_session(dbh) : 0;
}

bool weft_pdo_native_knows_statement(const void *driver_data, const pdo_dbh_t *dbh, weft_native_client client)
{
	const pgsql_statement *statement = driver_data;

	libpq_look_up();
	if (client != WEFT_NATIVE_LIBPQ) {
		return true;
	}
	return pq.clear && statement->handle == dbh->driver_data && !statement->cursor_name && statement->statement_name &&
		strncmp(statement->statement_name, "pdo_stmt_", strlen("pdo_stmt_")) == 0;
}

void weft_pdo_native_rewind(void *driver_data, uint32_t parameters)
{
	pgsql_statement *statement = driver_data;

	if (statement->result) {
		pq.clear(statement->result);
		statement->result = NULL;
	}
	if (statement->columns) {
		efree(statement->columns);
		statement->columns = NULL;
	}
	/* who binds fewer the next time must not send what has been freed */
	if (statement->values) {
		memset(statement->values, 0, parameters * sizeof(*statement->values));
		memset(statement->lengths, 0, parameters * sizeof(*statement->lengths));
		memset(statement->formats, 0, parameters * sizeof(*statement->formats));
		memset(statement->types, 0, parameters * sizeof(*statement->types));
	}
	statement->current_row = 0;
}

const char *weft_pdo_native_disown(void *driver_data)
{
	pgsql_statement *statement = driver_data;
	bool was_prepared = statement->is_prepared;

	statement->is_prepared = false;
	return was_prepared ? statement->statement_name : NULL;
}

weft_pdo_parse_params weft_pdo_native_parser(void)
{
	static weft_pdo_parse_params parser;
	static bool looked_up;

	if (!looked_up) {
		looked_up = true;
		parser = (weft_pdo_parse_params) dlsym(RTLD_DEFAULT, "pdo_parse_params");
	}
	return parser;
}
