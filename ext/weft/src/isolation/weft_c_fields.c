/*
 * Small pieces of the globals of extensions. They are copied out and in at each switch of domains, since that costs
 * less than finding out whether they have changed. What they point to belongs to the domain.
 */
#include "isolation/weft_c_state.h"
#include "isolation/weft_c_layouts.h"
#include "ext/date/php_date.h"

typedef struct {
	const char *module;
	size_t globals_size; /* the layout is right for this size only */
	size_t offset;
	size_t size;
	/* What a new domain has there, made from what the base has; NULL: zeros. */
	void (*start)(void *field, const void *base, size_t size);
	/* Frees what a domain has put there. NULL: nothing to free. */
	void (*end)(void *field);
	bool by_pointer; /* the globals hold a pointer to the field */
	/* Lets go of what PHP code or a network may have to do with, while the domain is in place. May be NULL. */
	void (*finish)(void *field);
} module_field;

#define SPAN(type, first, last) sizeof(type), offsetof(type, first), \
	offsetof(type, last) + sizeof(((type *) NULL)->last) - offsetof(type, first)

static void start_as_base(void *field, const void *base, size_t size)
{
	memcpy(field, base, size);
}

/* --- pgsql: pg_connect() finds open connections again by their parameters; two requests must not share one --- */

typedef struct {
	zend_object *default_link;
	HashTable tables[3];
} pgsql_field;

static void start_pgsql(void *field, const void *base, size_t size)
{
	const HashTable *of_base = ((const pgsql_field *) base)->tables;
	HashTable *tables = ((pgsql_field *) field)->tables;

	for (int i = 0; i < 3; i++) {
		zend_hash_init(&tables[i], 0, NULL, of_base[i].pDestructor, (GC_FLAGS(&of_base[i]) & IS_ARRAY_PERSISTENT) != 0);
	}
}

static void finish_pgsql(void *field)
{
	zend_object **link = &((pgsql_field *) field)->default_link, *object = *link;

	*link = NULL;
	if (object) {
		OBJ_RELEASE(object);
	}
}

static void end_pgsql(void *field)
{
	finish_pgsql(field);
	for (int i = 0; i < 3; i++) {
		zend_hash_destroy(&((pgsql_field *) field)->tables[i]);
	}
}

/* --- last errors --- */

static void end_mysqli_error(void *field)
{
	char *message = ((char **) field)[1];

	if (message) {
		efree(message);
	}
}

static void end_date_errors(void *field)
{
	timelib_error_container *errors = *(timelib_error_container **) field;

	if (!errors) {
		return;
	}
	for (int i = 0; i < errors->error_count; i++) {
		efree(errors->error_messages[i].message);
	}
	for (int i = 0; i < errors->warning_count; i++) {
		efree(errors->warning_messages[i].message);
	}
	if (errors->error_messages) {
		efree(errors->error_messages);
	}
	if (errors->warning_messages) {
		efree(errors->warning_messages);
	}
	efree(errors);
}

static void end_intl_error(void *field)
{
	weft_intl_error *error = field;

	if (error->owned && error->message) {
		efree(error->message);
	}
}

static void end_openssl_errors(void *field)
{
	free(*(void **) field);
}

/* --- mbstring's regular expressions: the compiled ones as well, since a search keeps a pointer to one --- */

/* oniguruma is there when ext/mbstring was built with it; this extension doesn't need it */
extern void onig_region_free(void *region, int free_self) __attribute__((weak));

static void start_mbregex(void *field, const void *base, size_t size)
{
	const weft_mbregex_layout *from = base;
	weft_mbregex_layout *to = field;

	*to = *from;
	zend_hash_init(&to->compiled, 0, NULL, from->compiled.pDestructor, 1);
	ZVAL_UNDEF(&to->search_string);
	to->search_string_value = NULL;
	to->search_position = 0;
	to->search_pattern = NULL;
	to->search_registers = NULL;
}

static void end_mbregex(void *field)
{
	weft_mbregex_layout *own = field;

	zval_ptr_dtor(&own->search_string);
	if (own->search_registers && onig_region_free) {
		onig_region_free(own->search_registers, 1);
	}
	zend_hash_destroy(&own->compiled);
}

/* Each with the test that fails without its line. */
static const module_field fields[] = {
	/* c_state/pgsql.phpt */
	{"pgsql", SPAN(weft_pgsql_layout, default_link, connections), .start = start_pgsql, .end = end_pgsql,
		.finish = finish_pgsql},
	/* c_state/last_errors.phpt */
	{"date", SPAN(zend_date_globals, last_errors, last_errors), .end = end_date_errors},
	{"intl", SPAN(weft_intl_layout, error, error), .end = end_intl_error},
	{"mysqli", SPAN(weft_mysqli_layout, error_no, error_msg), .end = end_mysqli_error},
	{"openssl", SPAN(weft_openssl_layout, errors, errors), .end = end_openssl_errors},
	{"pcntl", SPAN(weft_pcntl_layout, last_error, last_error), .end = NULL},
	{"posix", SPAN(weft_posix_layout, last_error, last_error), .end = NULL},
	{"sockets", SPAN(weft_sockets_layout, last_error, last_error), .end = NULL},
	/* c_state/mysqli_report.phpt */
	{"mysqli", SPAN(weft_mysqli_layout, report_mode, report_mode), .start = start_as_base},
	/* c_state/output_handlers.phpt: the converter of mb_output_handler(), the compressor of ob_gzhandler() */
	{"mbstring", SPAN(weft_mbstring_layout, illegal_characters, output_converter), .end = NULL},
	{"zlib", SPAN(weft_zlib_layout, ob_gzhandler, ob_gzhandler), .end = NULL},
	{"zlib", SPAN(weft_zlib_layout, handler_registered, compression_coding), .end = NULL},
	/* c_state/mbregex.phpt */
	{"mbstring", sizeof(weft_mbstring_layout), offsetof(weft_mbstring_layout, regex), sizeof(weft_mbregex_layout),
		.start = start_mbregex, .end = end_mbregex, .by_pointer = true},
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))
#define ROUND(size) (((size) + 15) & ~(size_t) 15)
#define ALL_FIELDS_SIZE 768

/* Where each field lies in this process; NULL: its extension is not loaded, or has another layout. */
static char *live[FIELDS];
static _Alignas(16) char base_fields[ALL_FIELDS_SIZE];

static void fields_leave(void *saved)
{
	char *own = saved;

	for (size_t i = 0; i < FIELDS; i++) {
		if (live[i]) {
			memcpy(own, live[i], fields[i].size);
		}
		own += ROUND(fields[i].size);
	}
	ZEND_ASSERT((size_t) (own - (char *) saved) <= ALL_FIELDS_SIZE);
}

static void fields_enter(void *saved)
{
	const char *own = saved;

	for (size_t i = 0; i < FIELDS; i++) {
		if (live[i]) {
			memcpy(live[i], own, fields[i].size);
		}
		own += ROUND(fields[i].size);
	}
}

static void fields_capture(void)
{
	for (size_t i = 0; i < FIELDS; i++) {
		live[i] = weft_module_globals_exact(fields[i].module, fields[i].globals_size);
		if (live[i]) {
			live[i] += fields[i].offset;
			if (fields[i].by_pointer) {
				live[i] = *(char **) live[i];
			}
		}
	}
	fields_leave(base_fields);
}

static void fields_fresh(void *saved)
{
	char *own = saved;
	const char *base = base_fields;

	for (size_t i = 0; i < FIELDS; i++) {
		if (live[i] && fields[i].start) {
			fields[i].start(own, base, fields[i].size);
		}
		own += ROUND(fields[i].size);
		base += ROUND(fields[i].size);
	}
}

static void fields_finish(void)
{
	for (size_t i = 0; i < FIELDS; i++) {
		if (live[i] && fields[i].finish) {
			fields[i].finish(live[i]);
		}
	}
}

static void fields_discard(void *saved)
{
	char *own = saved;

	for (size_t i = 0; i < FIELDS; i++) {
		if (live[i] && fields[i].end) {
			fields[i].end(own);
		}
		own += ROUND(fields[i].size);
	}
}

const weft_c_item weft_c_fields = {
	.name = "fields of extensions",
	.size = ALL_FIELDS_SIZE,
	.capture = fields_capture,
	.fresh = fields_fresh,
	.leave = fields_leave,
	.enter = fields_enter,
	.finish = fields_finish,
	.discard = fields_discard,
};
