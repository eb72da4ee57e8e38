/*
 * Which modules are clients. Finds the call of one that the running code is in, and keeps the cancellation that cut it
 * short until its end.
 */
#include "coroutine/weft_client_call.h"

#include "zend_exceptions.h"
#include <strings.h>

typedef struct {
	const char *module;
	bool hangs_up;
} client;

static const client clients[] = {
	{"curl", true},
	{"memcached", true},
	{"mysqli", true},
	/* its pool closes what was cut short, and needs the connection to tell the server which query to stop */
	{"pdo", false},
	{"pdo_mysql", false},
	{"pdo_pgsql", false},
	{"pgsql", true},
	{"redis", true},
	/* where Redis or Memcached keeps the sessions */
	{"session", true},
};

/* Every guarded module is one. */
static const client guarded = {"guarded", true};
bool (*weft_is_guarded)(const zend_module_entry *module);

static const client *client_of(const zend_module_entry *module)
{
	if (module && weft_is_guarded && weft_is_guarded(module)) {
		return &guarded;
	}
	for (size_t i = 0; module && i < sizeof(clients) / sizeof(*clients); i++) {
		if (strcasecmp(clients[i].module, module->name) == 0) {
			return &clients[i];
		}
	}
	return NULL;
}

/* They set something, or tell it, and wait for nothing. A transfer takes some twenty calls of them. */
static bool never_waits(const zend_internal_function *function)
{
	static const char *const names[] = {"curl_setopt", "curl_setopt_array", "curl_getinfo", "curl_errno", "curl_error"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!function->scope && zend_string_equals_cstr(function->function_name, names[i], strlen(names[i]))) {
			return true;
		}
	}
	return false;
}

bool weft_client_call_is_one(const zend_internal_function *function)
{
	return client_of(function->module) && !never_waits(function);
}

const zend_execute_data *weft_client_call(void)
{
	const zend_execute_data *frame = EG(current_execute_data);

	for (; frame && frame->func && !ZEND_USER_CODE(frame->func->type); frame = frame->prev_execute_data) {
		if (client_of(frame->func->internal_function.module)) {
			return frame;
		}
	}
	return NULL;
}

/* Waits until one of several connections is ready, and neither reads nor writes. */
static bool only_looks(const zend_function *function)
{
	const char *name = ZSTR_VAL(function->common.function_name);

	return strncmp(name, "curl_multi_", strlen("curl_multi_")) == 0 || strcmp(name, "mysqli_poll") == 0 ||
		(function->common.scope && strcmp(name, "poll") == 0);
}

bool weft_client_call_hangs_up(void)
{
	const zend_execute_data *call = weft_client_call();

	return call && client_of(call->func->internal_function.module)->hangs_up && !only_looks(call->func);
}

void weft_client_call_note_cut(zend_object *cancellation)
{
	const void *call = weft_client_call();

	call = call ? (call == weft_current->client_call ? call : NULL) : weft_current->client_row;
	if (call && !weft_current->cut_call) {
		GC_ADDREF(cancellation);
		weft_current->cut = cancellation;
		weft_current->cut_call = call;
	}
}

void weft_client_call_restore(void)
{
	zend_object *cut = weft_current->cut, *other = EG(exception);

	weft_current->cut = NULL;
	weft_current->cut_call = NULL;
	/* exit() is no error of the client's */
	if (other == cut || (other && zend_is_unwind_exit(other))) {
		OBJ_RELEASE(cut);
		return;
	}
	EG(exception) = NULL;
	if (other) {
		OBJ_RELEASE(other);
	}
	zend_throw_exception_internal(cut);
}

void weft_client_call_forget(weft_coroutine *coroutine)
{
	if (coroutine->cut) {
		OBJ_RELEASE(coroutine->cut);
	}
	coroutine->cut = NULL;
	coroutine->cut_call = NULL;
	coroutine->client_row = coroutine->client_call = NULL;
}
