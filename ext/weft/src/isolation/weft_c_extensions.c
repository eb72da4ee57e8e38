/*
 * State of extensions. Those that may be shared are found through the module registry, never linked.
 */
#include "isolation/weft_c_state.h"
#include "isolation/weft_c_layouts.h"
#include "ext/random/php_random.h"
#include "ext/session/php_session.h"
#include "weft_compat.h"
#include "zend_smart_str.h"

static void nothing_fresh(void *saved)
{
}

/* --- random: mt_srand() in one request must not make another's numbers predictable, so each seeds its own --- */

typedef struct {
	php_random_status_state_mt19937 *mt; /* NULL: not seeded */
	php_random_status_state_combinedlcg lcg;
	bool lcg_seeded;
} random_state;

static void random_leave(void *saved)
{
	random_state *state = saved;

	if (RANDOM_G(mt19937_seeded)) {
		if (!state->mt) {
			state->mt = pemalloc(sizeof(*state->mt), 1);
		}
		memcpy(state->mt, WEFT_RANDOM_MT, sizeof(*state->mt));
		RANDOM_G(mt19937_seeded) = false;
	}
	state->lcg_seeded = RANDOM_G(combined_lcg_seeded);
	memcpy(&state->lcg, WEFT_RANDOM_LCG, sizeof(state->lcg));
}

static void random_enter(void *saved)
{
	random_state *state = saved;

	if (state->mt) {
		memcpy(WEFT_RANDOM_MT, state->mt, sizeof(*state->mt));
		RANDOM_G(mt19937_seeded) = true;
	}
	RANDOM_G(combined_lcg_seeded) = state->lcg_seeded;
	memcpy(WEFT_RANDOM_LCG, &state->lcg, sizeof(state->lcg));
}

static void random_discard(void *saved)
{
	free(((random_state *) saved)->mt);
}

const weft_c_item weft_c_random = {
	.name = "random",
	.size = sizeof(random_state),
	.fresh = nothing_fresh,
	.leave = random_leave,
	.enter = random_enter,
	.discard = random_discard,
};

/* --- libxml: libxml_use_internal_errors() and the errors it has collected, the stream context, the loader --- */

typedef void (*structured_error)(void *context, void *error);

/* libxml2 is there when PHP's extension is; this extension doesn't need it. */
extern structured_error *__xmlStructuredError(void) __attribute__((weak));
extern void xmlSetStructuredErrorFunc(void *context, structured_error handler) __attribute__((weak));

typedef struct {
	weft_libxml_layout own; /* of another version: the list of errors alone */
	structured_error handler;
} libxml_state;

static weft_libxml_layout *libxml;
static bool libxml_is_known; /* beyond the list of errors, which lies where it is in every version so far */
static libxml_state base_libxml;

static void libxml_capture(void)
{
	libxml = NULL;
	if (__xmlStructuredError && xmlSetStructuredErrorFunc) {
		libxml = weft_module_globals("libxml", offsetof(weft_libxml_layout, loader));
	}
	if (libxml) {
		libxml_is_known = weft_module_globals_exact("libxml", sizeof(weft_libxml_layout)) != NULL;
		memcpy(&base_libxml.own, libxml, libxml_is_known ? sizeof(*libxml) : offsetof(weft_libxml_layout, loader));
		base_libxml.handler = *__xmlStructuredError();
	}
}

static void libxml_fresh(void *saved)
{
	libxml_state *state = saved;

	if (!libxml) {
		return;
	}
	*state = base_libxml;
	if (base_libxml.own.errors) {
		state->own.errors = emalloc(sizeof(zend_llist));
		zend_llist_init(state->own.errors, base_libxml.own.errors->size, base_libxml.own.errors->dtor, 0);
	}
	if (libxml_is_known) {
		memset(&state->own.error_buffer, 0, sizeof(state->own.error_buffer));
		Z_TRY_ADDREF(state->own.stream_context);
		Z_TRY_ADDREF(state->own.loader.callback);
	}
}

static void libxml_leave(void *saved)
{
	libxml_state *state = saved;

	if (!libxml) {
		return;
	}
	if (libxml_is_known) {
		state->own = *libxml;
	} else {
		state->own.errors = libxml->errors;
	}
	state->handler = *__xmlStructuredError();
}

static void libxml_enter(void *saved)
{
	const libxml_state *state = saved;

	if (!libxml) {
		return;
	}
	if (libxml_is_known) {
		*libxml = state->own;
	} else {
		libxml->errors = state->own.errors;
	}
	if (*__xmlStructuredError() != state->handler) {
		xmlSetStructuredErrorFunc(NULL, state->handler);
	}
}

static void libxml_finish(void)
{
	zval loader, context;

	if (!libxml || !libxml_is_known) {
		return;
	}
	ZVAL_COPY_VALUE(&loader, &libxml->loader.callback);
	ZVAL_COPY_VALUE(&context, &libxml->stream_context);
	ZVAL_NULL(&libxml->loader.callback);
	libxml->loader.call.size = 0;
	ZVAL_UNDEF(&libxml->stream_context);
	zval_ptr_dtor(&loader);
	zval_ptr_dtor(&context);
}

static void libxml_discard(void *saved)
{
	libxml_state *state = saved;

	if (libxml_is_known) {
		smart_str_free(&state->own.error_buffer);
		zval_ptr_dtor(&state->own.loader.callback);
		zval_ptr_dtor(&state->own.stream_context);
	}
	if (state->own.errors) {
		zend_llist_destroy(state->own.errors);
		efree(state->own.errors);
	}
}

const weft_c_item weft_c_libxml = {
	.name = "libxml",
	.size = sizeof(libxml_state),
	.capture = libxml_capture,
	.fresh = libxml_fresh,
	.leave = libxml_leave,
	.enter = libxml_enter,
	.finish = libxml_finish,
	.discard = libxml_discard,
};

/* --- mbstring: encodings set by mb_internal_encoding() and its kin, which are no ini directives --- */

typedef struct {
	const void *internal_encoding;
	const void *http_output_encoding;
	int illegal_mode;
	int illegal_substchar;
	const void **detect_order; /* NULL: the base's */
	size_t detect_order_size;
} mbstring_state;

static weft_mbstring_layout *mbstring;
static mbstring_state base_mbstring; /* its detect_order is malloc'ed */

static void mbstring_forget(void)
{
	free(base_mbstring.detect_order);
	base_mbstring.detect_order = NULL;
}

static void mbstring_capture(void)
{
	mbstring_forget();
	mbstring = weft_module_globals("mbstring", offsetof(weft_mbstring_layout, language));
	if (!mbstring) {
		return;
	}
	base_mbstring.internal_encoding = mbstring->current_internal_encoding;
	base_mbstring.http_output_encoding = mbstring->current_http_output_encoding;
	base_mbstring.illegal_mode = mbstring->current_filter_illegal_mode;
	base_mbstring.illegal_substchar = mbstring->current_filter_illegal_substchar;
	base_mbstring.detect_order_size = mbstring->current_detect_order_list_size;
	base_mbstring.detect_order = safe_pemalloc(base_mbstring.detect_order_size, sizeof(void *), 1, 1);
	memcpy(base_mbstring.detect_order, mbstring->current_detect_order_list,
		base_mbstring.detect_order_size * sizeof(void *));
}

static void mbstring_fresh(void *saved)
{
	mbstring_state *state = saved;

	*state = base_mbstring;
	state->detect_order = NULL;
}

static bool same_detect_order(void)
{
	return mbstring->current_detect_order_list_size == base_mbstring.detect_order_size &&
		memcmp(mbstring->current_detect_order_list, base_mbstring.detect_order,
			base_mbstring.detect_order_size * sizeof(void *)) == 0;
}

static void mbstring_leave(void *saved)
{
	mbstring_state *state = saved;

	if (!mbstring) {
		return;
	}
	state->internal_encoding = mbstring->current_internal_encoding;
	state->http_output_encoding = mbstring->current_http_output_encoding;
	state->illegal_mode = mbstring->current_filter_illegal_mode;
	state->illegal_substchar = mbstring->current_filter_illegal_substchar;
	state->detect_order = NULL;
	if (UNEXPECTED(!same_detect_order())) {
		size_t size = base_mbstring.detect_order_size * sizeof(void *);

		state->detect_order = mbstring->current_detect_order_list;
		state->detect_order_size = mbstring->current_detect_order_list_size;
		mbstring->current_detect_order_list = emalloc(size);
		memcpy(mbstring->current_detect_order_list, base_mbstring.detect_order, size);
		mbstring->current_detect_order_list_size = base_mbstring.detect_order_size;
	}
}

static void mbstring_enter(void *saved)
{
	mbstring_state *state = saved;

	if (!mbstring) {
		return;
	}
	mbstring->current_internal_encoding = state->internal_encoding;
	mbstring->current_http_output_encoding = state->http_output_encoding;
	mbstring->current_filter_illegal_mode = state->illegal_mode;
	mbstring->current_filter_illegal_substchar = state->illegal_substchar;
	if (state->detect_order) {
		efree(mbstring->current_detect_order_list);
		mbstring->current_detect_order_list = state->detect_order;
		mbstring->current_detect_order_list_size = state->detect_order_size;
		state->detect_order = NULL;
	}
}

static void mbstring_discard(void *saved)
{
	mbstring_state *state = saved;

	if (state->detect_order) {
		efree(state->detect_order);
	}
}

const weft_c_item weft_c_mbstring = {
	.name = "mbstring",
	.size = sizeof(mbstring_state),
	.capture = mbstring_capture,
	.fresh = mbstring_fresh,
	.leave = mbstring_leave,
	.enter = mbstring_enter,
	.discard = mbstring_discard,
	.forget = mbstring_forget,
};

/* --- session: PHP's own. Its ini directives lie in the same struct, and refuse to change while a session is
 * active; so they are changed while the base's struct is in place, and the domain's comes over it. --- */

static php_ps_globals *session;
static php_ps_globals base_session;

static void session_capture(void)
{
	session = weft_module_globals("session", sizeof(php_ps_globals));
	if (session) {
		base_session = *session;
	}
}

static void session_fresh(void *saved)
{
	php_ps_globals *state = saved;

	if (!session) {
		return;
	}
	*state = base_session;
	for (int i = 0; i < PS_NUM_APIS; i++) {
		Z_TRY_ADDREF(state->mod_user_names.names[i]);
	}
	state->id = NULL;
	state->session_vars = NULL;
	state->mod_data = NULL;
	state->mod_user_is_open = false;
	state->in_save_handler = false;
	state->rfc1867_progress = NULL;
	ZVAL_UNDEF(&state->http_session_vars);
	if (state->session_status == php_session_active) {
		state->session_status = php_session_none;
	}
}

static void session_leave(void *saved)
{
	if (session) {
		memcpy(saved, session, sizeof(*session));
		memcpy(session, &base_session, sizeof(*session));
	}
}

static void session_enter(void *saved)
{
	if (session) {
		memcpy(session, saved, sizeof(*session));
	}
}

/* Writes and closes an open session and forgets the handlers, as at the end of any request. */
static void session_finish(void)
{
	zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));

	if (session && module && module->request_shutdown_func) {
		module->request_shutdown_func(module->type, module->module_number);
		session->session_status = base_session.session_status == php_session_disabled ? php_session_disabled
			: php_session_none;
		session->id = NULL;
		session->session_vars = NULL;
		ZVAL_UNDEF(&session->http_session_vars);
	}
}

const weft_c_item weft_c_session = {
	.name = "session",
	.size = sizeof(php_ps_globals),
	.capture = session_capture,
	.fresh = session_fresh,
	.leave = session_leave,
	.enter = session_enter,
	.finish = session_finish,
};
