/*
 * Makes the VM stack look full, watches generators and fibers, and looks whether anything of that was noticed.
 */
#include "domain/weft_quiet.h"
#include "domain/weft_base.h"
#include "coroutine/weft_coroutine.h"
#include "zend_fibers.h"
#include "zend_generators.h"

static struct {
	zend_vm_stack page; /* NULL: nobody asks */
	zval *full;         /* where its end is made out to be */
	uint64_t switches;
	uint64_t resumed;
} asked;

/* How often a generator or fiber has been destroyed that may have had something left to run. */
static uint64_t resumed;

typedef void (*destructor)(zend_object *object);
static destructor destroy_generator, destroy_fiber;

static void watch_generator(zend_object *object)
{
	resumed++;
	destroy_generator(object);
}

static void watch_fiber(zend_object *object)
{
	resumed++;
	destroy_fiber(object);
}

/* Their tables of handlers are the engine's own; an object shows where they are. */
static destructor destructor_watch(zend_class_entry *class, destructor instead)
{
	zend_object *object = class->create_object(class);
	zend_object_handlers *handlers = (zend_object_handlers *) object->handlers;
	destructor before = handlers->dtor_obj;

	OBJ_RELEASE(object);
	handlers->dtor_obj = instead;
	return before;
}

static void watch_what_resumes(void)
{
	if (!destroy_generator) {
		destroy_generator = destructor_watch(zend_ce_generator, watch_generator);
		destroy_fiber = destructor_watch(zend_ce_fiber, watch_fiber);
	}
}

void weft_quiet_begin(void)
{
	weft_quiet_end();
	if (!EG(vm_stack)) {
		return;
	}
	watch_what_resumes();
	asked.page = EG(vm_stack);
	asked.full = EG(vm_stack_end) = EG(vm_stack_top);
	asked.switches = weft_base_state.stats.switches;
	asked.resumed = resumed;
}

bool weft_quiet_still(void)
{
	return asked.page && EG(vm_stack) == asked.page && EG(vm_stack_top) == asked.full &&
		EG(vm_stack_end) == asked.full && weft_base_state.stats.switches == asked.switches && asked.resumed == resumed;
}

void weft_quiet_end(void)
{
	if (asked.page && EG(vm_stack) == asked.page && EG(vm_stack_end) == asked.full) {
		EG(vm_stack_end) = asked.page->end;
	}
	asked.page = NULL;
}
