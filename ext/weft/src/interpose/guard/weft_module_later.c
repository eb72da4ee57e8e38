/*
 * The last reference to an object of a guarded module may go at any line of PHP code: in an autoloader, in an output
 * callback, below a call that is never left. There is no waiting there, and the library must not be entered while
 * another coroutine is inside. So a coroutine of the same domain frees the object, since it can wait.
 */
#include "interpose/guard/weft_module_frame.h"
#include "reactor/weft_log.h"

typedef struct {
	void (*run)(void *arg);
	void *arg;
} later;

static void run(weft_coroutine *coroutine, void *arg)
{
	later own = *(later *) arg;

	own.run(own.arg);
}

static void finished(weft_coroutine *coroutine, void *arg)
{
	pefree(arg, 1);
}

void weft_module_later(void (*function)(void *arg), void *arg)
{
	later *own = pemalloc(sizeof(*own), 1);

	*own = (later){function, arg};
	weft_coroutine_spawn(run, own, finished);
}

void weft_module_given_up(const zend_module_entry *module)
{
	static bool told;

	/* at the end of a process nothing is lost */
	if (weft_current && !told) {
		told = true;
		weft_log_at("warning",
			"weft: an object of the extension %s could not be freed, since a call of its library was cut off or lasts: "
			"what it holds, such as a connection, stays until the worker ends. This is not logged again",
			module->name);
	}
}
