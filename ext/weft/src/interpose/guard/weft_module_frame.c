/*
 * What happens rarely around a frame of a module that is never left.
 */
#include "interpose/guard/weft_module_frame.h"
#include "interpose/guard/weft_modules.h"
#include "reactor/weft_log.h"
#include "php_weft.h"

/* Where weft.time_slice is off. */
#define DEFAULT_SLICE (10.0 * (double) WEFT_NS_PER_MS)
/* More than anybody loads; one beyond may go untold. */
#define MODULES 256

void (*weft_module_kept_waiting)(const char *module, uint64_t nanoseconds);

/* A call that is shorter is nobody's concern: requests that compute take as much. */
static uint64_t longest(void)
{
	return (uint64_t) (WEFT_G(time_slice) > 0 ? WEFT_G(time_slice) * (double) WEFT_NS_PER_MS : DEFAULT_SLICE);
}

/* The function of the module that is running; NULL: it was no function's call. */
static const zend_function *running_function(const zend_module_entry *module)
{
	const zend_execute_data *frame = EG(current_execute_data);

	return frame && frame->func && frame->func->type == ZEND_INTERNAL_FUNCTION &&
			frame->func->internal_function.module == module && frame->func->common.function_name
		? frame->func
		: NULL;
}

static void warn_of(const zend_module_entry *module, uint64_t waited)
{
	const zend_function *function = running_function(module);
	const zend_class_entry *scope = function ? function->common.scope : NULL;

	weft_log_at("warning",
		"weft: the extension %s has kept the worker waiting for %.0f ms%s%s%s%s%s: its calls are never left, so no "
		"other request ran meanwhile. Such calls are counted in weft_extension_blocked_seconds_total and not logged "
		"again; docs/extensions.md says what can be done",
		module->name, (double) waited / (double) WEFT_NS_PER_MS, function ? " in " : "",
		scope ? ZSTR_VAL(scope->name) : "", scope ? "::" : "", function ? ZSTR_VAL(function->common.function_name) : "",
		function ? "()" : "");
}

/* What was computed is not waiting. Alone in its process, a script keeps nobody from anything. */
void weft_module_frame_blocked(const zend_module_entry *module)
{
	static uint64_t told[(MODULES + 63) / 64];
	uint64_t lasted = weft_now() - weft_blocked.since, computed = weft_thread_computed() - weft_blocked.computed;
	uint32_t number = (uint32_t) module->module_number % MODULES;

	weft_blocked.since = 0;
	if (lasted < computed || lasted - computed < longest() || weft_coroutine_alone()) {
		return;
	}
	if (!(told[number / 64] >> (number % 64) & 1)) {
		told[number / 64] |= UINT64_C(1) << (number % 64);
		warn_of(module, lasted - computed);
	}
	if (weft_module_kept_waiting) {
		weft_module_kept_waiting(module->name, lasted - computed);
	}
}

static void end_of(weft_coroutine *coroutine, void *arg)
{
	const weft_module_frame *frame = arg;

	if (coroutine == frame->coroutine && coroutine->id == frame->id && coroutine->no_switch > 0) {
		coroutine->unleft = frame->outer;
		coroutine->no_switch--;
	}
}

/* The coroutine that began it may have ended. */
void weft_module_frame_end_elsewhere(const weft_module_frame *frame)
{
	weft_scheduler_each(end_of, (void *) frame);
}
