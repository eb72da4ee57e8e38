/*
 * How the globals of extensions lie in memory whose own headers are not installed, or would need another library's: in
 * PHP 8.2, 8.4 and 8.5. This page and weft_c_layouts.c are all that knows it.
 *
 * A layout counts when PHP's own functions have been seen to find what lies in its places; equal sizes prove nothing.
 * When it does not, the state stays the worker's, and is told among what can't be isolated.
 */
#ifndef WEFT_C_LAYOUTS_H
#define WEFT_C_LAYOUTS_H

#include "php.h"
#include "weft_compat.h"
#include "zend_llist.h"
#include "zend_smart_str_public.h"

/* The globals of an extension; NULL when it is not there or its layout has not been seen to be right. That is looked at
 * the first time, in the master, and leaves nothing behind. */
void *weft_layout(const char *module);
/* Calls `tell` for each extension that is there with another layout. */
void weft_layouts_unknown(void (*tell)(const char *module, const char *state, void *context), void *context);

/* c-client's text, and PHP's list of errors. */
typedef struct weft_imap_error {
	char *text;
	unsigned long length;
	long flags;
	struct weft_imap_error *next;
} weft_imap_error;

typedef struct {
	char *user, *password;
	void *alerts;
	weft_imap_error *errors;
	void *folders[2], *subscribed[2], *messages[2], *folder_objects[2], *subscribed_objects[2];
	int list_style;
	long flags;
	unsigned long of_a_mailbox[5];
	zval **quota;
	zval *access;
	php_stream *body;
	bool enable_rsh;
} weft_imap_layout;

#define WEFT_PGSQL_REGEXES 11

#if PHP_VERSION_ID >= 80500
typedef struct {
	zend_long num_links, num_persistent, max_links, max_persistent;
	zend_long auto_reset_persistent;
	zend_object *default_link;
	zend_string *regexes[WEFT_PGSQL_REGEXES];
	bool allow_persistent, ignore_notices, log_notices;
#else
typedef struct {
	zend_long num_links, num_persistent, max_links, max_persistent;
	bool allow_persistent;
	int ignore_notices;
	zend_long auto_reset_persistent;
	int log_notices;
	zend_object *default_link;
#if PHP_VERSION_ID >= 80400
	zend_string *regexes[WEFT_PGSQL_REGEXES];
#endif
#endif
	HashTable field_oids;
	HashTable table_oids;
	HashTable connections;
} weft_pgsql_layout;

#if PHP_VERSION_ID >= 80600
typedef struct {
	unsigned short default_port;
	bool allow_persistent, allow_local_infile;
	char *default_host, *default_user, *default_pw, *default_socket, *local_infile_directory, *error_msg;
	zend_long num_links, max_links, num_active_persistent, num_inactive_persistent, max_persistent;
	zend_long error_no, report_mode;
	bool rollback_on_cached_plink;
} weft_mysqli_layout;
#else
typedef struct {
	zend_long num_links, max_links, num_active_persistent, num_inactive_persistent, max_persistent;
	bool allow_persistent;
	zend_ulong default_port;
	char *default_host, *default_user, *default_pw, *default_socket;
	bool allow_local_infile;
	char *local_infile_directory;
	zend_long error_no;
	char *error_msg;
	zend_long report_mode;
	bool rollback_on_cached_plink;
} weft_mysqli_layout;
#endif

typedef struct {
	zend_long output_compression;
	zend_long output_compression_level;
	char *output_handler;
	void *ob_gzhandler;
	zend_long output_compression_default;
	bool handler_registered;
	int compression_coding;
} weft_zlib_layout;

typedef struct {
	int last_error;
	char *strerror_buf;
} weft_sockets_layout;

typedef struct {
	int last_error;
} weft_posix_layout;

#if PHP_VERSION_ID >= 80500
typedef struct {
	HashTable signal_table;
	bool processing_signal_queue;
	volatile char pending_signals;
	bool async_signals;
	unsigned num_signals;
	int last_error;
	void *head, *tail, *spares;
} weft_pcntl_layout;
#else
typedef struct {
	HashTable signal_table;
	int processing_signal_queue;
	void *head, *tail, *spares;
	int last_error;
	volatile char pending_signals;
	bool async_signals;
	unsigned num_signals;
} weft_pcntl_layout;
#endif

#if PHP_VERSION_ID >= 80500
typedef struct {
	zend_string *message;
	int code;
} weft_intl_error;
#else
typedef struct {
	int code;
	int owned; /* whether message is to be freed */
	char *message;
} weft_intl_error;
#endif

typedef struct {
#if PHP_VERSION_ID >= 80600
	void *collator[2];
	char *default_locale;
#else
	void *current_collator;
	char *default_locale;
#endif
	void *compare_func;
	void *grapheme_iterator;
	weft_intl_error error;
	zend_long error_level;
	bool use_exceptions;
} weft_intl_layout;

typedef struct {
	int codes[16];
	int top, bottom;
} weft_openssl_errors;

typedef struct {
	weft_openssl_errors *errors;
#if PHP_VERSION_ID >= 80400
	weft_openssl_errors *errors_mark;
#endif
#if PHP_VERSION_ID >= 80500
	void *rest[4]; /* of the process: contexts of the library */
#endif
} weft_openssl_layout;

#if PHP_VERSION_ID >= 80300
typedef zend_fcall_info_cache weft_libxml_loader;
#else
typedef struct {
	zval callback;
	zend_fcall_info call;
	zend_fcall_info_cache cache;
} weft_libxml_loader;
#endif

typedef struct {
	zval stream_context;
	smart_str error_buffer;
	zend_llist *errors;
	weft_libxml_loader loader;
	bool loader_disabled;
} weft_libxml_layout;

typedef struct {
	char *internal_encoding_name;
	const void *internal_encoding;
	const void *current_internal_encoding;
	const void *http_output_encoding;
	const void *current_http_output_encoding;
	const void *http_input[5];
	const void **http_input_list;
	size_t http_input_list_size;
	const void **detect_order_list;
	size_t detect_order_list_size;
	const void **current_detect_order_list;
	size_t current_detect_order_list_size;
	void *default_detect_order_list;
	size_t default_detect_order_list_size;
#if PHP_VERSION_ID >= 80400
	HashTable *all_encodings;
#endif
	int filter_illegal_mode;
	int filter_illegal_substchar;
	int current_filter_illegal_mode;
	int current_filter_illegal_substchar;
	int language;
	bool encoding_translation;
	bool strict_detection;
	size_t illegal_characters;
#if PHP_VERSION_ID >= 80400
	bool converts_output;
	unsigned output_converter;
#else
	void *output_converter;
#endif
	void *output_mimetypes;
	void *regex; /* weft_mbregex_layout */
	zend_long regex_stack_limit;
	zend_string *last_used_encoding_name;
	const void *last_used_encoding;
	bool internal_encoding_set;
	bool http_output_set;
	bool http_input_set;
	zend_long regex_retry_limit;
} weft_mbstring_layout;

/* mb_ereg and its kin keep their state here; reached through weft_mbstring_layout. */
typedef struct {
	void *default_encoding;
	void *current_encoding;
	const void *current_mbfl_encoding;
	HashTable compiled;
	zval search_string;
	zval *search_string_value;
	size_t search_position;
	void *search_pattern;
	void *search_registers;
	unsigned options;
	void *syntax;
} weft_mbregex_layout;

#endif /* WEFT_C_LAYOUTS_H */
