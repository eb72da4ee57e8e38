/*
 * Stands before PHP's error handler: remembers which objects count as destructed, and tells nobody of errors while
 * somebody switches.
 */
#include "coroutine/weft_errors.h"
#include "coroutine/weft_coroutine.h"

#include "zend_exceptions.h"
#include "reactor/weft_log.h"

#define FATAL (E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_PARSE | E_USER_ERROR | E_RECOVERABLE_ERROR)
#define WARNINGS (E_WARNING | E_CORE_WARNING | E_USER_WARNING)

typedef void (*error_callback)(int type, zend_string *file, const uint32_t line, zend_string *message);

static error_callback plain_error_cb;
static bool quiet;

/* A fatal error has been reported, and a bailout is on its way. */
static bool bails;

/* The objects that count as destructed before a fatal error: a bit for each handle below `handles`. */
static struct {
	unsigned char *bits;
	uint32_t handles; /* 0: nothing remembered */
} destructed;

static bool counts_as_destructed(const zend_object *object)
{
	return IS_OBJ_VALID(object) && (OBJ_FLAGS(object) & IS_OBJ_DESTRUCTOR_CALLED);
}

static void remember_destructed(void)
{
	uint32_t handles = EG(objects_store).top;

	destructed.bits = perealloc(destructed.bits, handles / 8 + 1, 1);
	memset(destructed.bits, 0, handles / 8 + 1);
	for (uint32_t i = 1; i < handles; i++) {
		if (counts_as_destructed(EG(objects_store).object_buckets[i])) {
			destructed.bits[i / 8] |= (unsigned char) (1u << (i % 8));
		}
	}
	destructed.handles = handles;
}

void weft_errors_spare_destructors(void)
{
	if (!destructed.handles) {
		return;
	}
	for (uint32_t i = 1; i < EG(objects_store).top; i++) {
		zend_object *object = EG(objects_store).object_buckets[i];

		/* made since: by whoever wrote the message, before the mark */
		bool before = i < destructed.handles && (destructed.bits[i / 8] & (1u << (i % 8)));

		if (!before && counts_as_destructed(object)) {
			GC_DEL_FLAGS(object, IS_OBJ_DESTRUCTOR_CALLED);
		}
	}
	destructed.handles = 0;
}

static ZEND_COLD void errors_on_error(int type, zend_string *file, const uint32_t line, zend_string *message)
{
	if (UNEXPECTED(weft_current && weft_current->cut_call) && !(type & FATAL)) {
		return; /* the client's word for the cancellation that is thrown in its place */
	}
	weft_base_undisturbed = false; /* it is kept for error_get_last() */
	if (quiet && !(type & FATAL)) {
		if (!(type & WARNINGS)) {
			return; /* a directive that is deprecated has said so when the application set it */
		}
		weft_log("weft: %s (while switching between requests)", ZSTR_VAL(message));
		return;
	}
	if (!(type & FATAL) || (type & E_DONT_BAIL) || !weft_current || weft_current->is_main) {
		plain_error_cb(type, file, line, message);
		return;
	}
	bails = true;
	remember_destructed();
	/* writing the message must not wait: what is remembered holds as long as nobody else runs.
	 * What a bailout leaves of the ban goes with the rest of the engine's state. */
	weft_no_switch_begin();
	plain_error_cb(type, file, line, message);
	weft_no_switch_end();
	destructed.handles = 0;
	bails = false;
}

bool weft_errors_take_fatal(void)
{
	bool fatal = bails;

	bails = false;
	return fatal;
}

void weft_errors_quiet_begin(weft_errors_state *state)
{
	state->exception = EG(exception);
	state->error_handling = EG(error_handling);
	state->quiet = quiet;
	EG(exception) = NULL;
	/* any mode but the normal one keeps the engine from calling the application's error handler */
	EG(error_handling) = EH_THROW;
	quiet = true;
}

void weft_errors_quiet_end(const weft_errors_state *state)
{
	if (EG(exception)) {
		zend_object *exception = EG(exception);

		weft_log("weft: %s thrown while switching between requests", ZSTR_VAL(exception->ce->name));
		if (state->exception) {
			EG(exception) = NULL;
			OBJ_RELEASE(exception);
		} else {
			zend_clear_exception();
		}
	}
	EG(exception) = state->exception;
	EG(error_handling) = state->error_handling;
	quiet = state->quiet;
}

void weft_errors_minit(void)
{
	plain_error_cb = zend_error_cb;
	zend_error_cb = errors_on_error;
}

void weft_errors_mshutdown(void)
{
	if (zend_error_cb == errors_on_error) {
		zend_error_cb = plain_error_cb;
	}
	free(destructed.bits);
	destructed.bits = NULL;
}

void weft_errors_rshutdown(void)
{
	destructed.handles = 0;
	bails = false;
	quiet = false;
}
