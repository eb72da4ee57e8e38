/*
 * Which classes of PHP keep something outside of their slots, and by what rule it is covered.
 */
#include "domain/hidden/weft_hidden.h"
#include "domain/hidden/weft_spl.h"
#include "zend_closures.h"
#include "zend_fibers.h"
#include "zend_generators.h"
#include "ext/hash/php_hash.h"

typedef struct {
	const char *name; /* of the class, or of an ancestor of it */
	weft_hidden_kind kind;
	bool has_values; /* get_gc() shows values that lie in hidden state */
	size_t size;     /* of the hidden state, when it is copied field by field; else 0 */
} known_class;

/* The classes that have a create_object handler and are known. Whatever is not here is uncovered. The bytes of a
 * class that is copied were searched for pointers into them (docs/internals/isolation.md, "Objects with hidden
 * state"). */
static const known_class known[] = {
	/* slots only */
	{"Exception", WEFT_HIDDEN_NONE, false, 0},
	{"Error", WEFT_HIDDEN_NONE, false, 0},
	{"__PHP_Incomplete_Class", WEFT_HIDDEN_NONE, false, 0},
	/* never change once made */
	{"WeakReference", WEFT_HIDDEN_NONE, false, 0},
	{"DateTimeImmutable", WEFT_HIDDEN_NONE, false, 0},
	{"DateTimeZone", WEFT_HIDDEN_NONE, false, 0},
	{"Random\\Engine\\Secure", WEFT_HIDDEN_NONE, false, 0},
	{"OpenSSLAsymmetricKey", WEFT_HIDDEN_NONE, false, 0},
	{"OpenSSLCertificate", WEFT_HIDDEN_NONE, false, 0},
	{"AddressInfo", WEFT_HIDDEN_NONE, false, 0},
	{"FFI\\CType", WEFT_HIDDEN_NONE, false, 0},
	/* works on its engine's state */
	{"Random\\Randomizer", WEFT_HIDDEN_NONE, false, 0},
	/* each domain has a connection of its own: src/pdo */
	{"PDO", WEFT_HIDDEN_NONE, false, 0},

	{"ArrayObject", WEFT_HIDDEN_COPIED, true, sizeof(weft_spl_array)},
	{"ArrayIterator", WEFT_HIDDEN_COPIED, true, sizeof(weft_spl_array)},
	{"SplObjectStorage", WEFT_HIDDEN_COPIED, true, sizeof(weft_spl_storage)},
	{"MultipleIterator", WEFT_HIDDEN_COPIED, true, sizeof(weft_spl_storage)},
	{"SplDoublyLinkedList", WEFT_HIDDEN_COPIED, true, sizeof(weft_spl_list_object)},
	{"SplHeap", WEFT_HIDDEN_COPIED, true, 0},
	{"SplPriorityQueue", WEFT_HIDDEN_COPIED, true, 0},
	{"SplFixedArray", WEFT_HIDDEN_COPIED, true, 0},
	{"DateTime", WEFT_HIDDEN_COPIED, false, 0},
	{"DateInterval", WEFT_HIDDEN_COPIED, false, 0},
	{"DatePeriod", WEFT_HIDDEN_COPIED, false, 0},
	{"SplFileInfo", WEFT_HIDDEN_COPIED, false, 0},
	{"HashContext", WEFT_HIDDEN_COPIED, false, 0},
	{"GMP", WEFT_HIDDEN_COPIED, false, 0},
	{"Random\\Engine\\Mt19937", WEFT_HIDDEN_BYTES, false, 0},
	{"Random\\Engine\\PcgOneseq128XslRr64", WEFT_HIDDEN_BYTES, false, 0},
	{"Random\\Engine\\Xoshiro256StarStar", WEFT_HIDDEN_BYTES, false, 0},
	{"WeakMap", WEFT_HIDDEN_MAP, false, 0},
};

const weft_handle_knowledge *weft_handles_known;

static const zend_class_entry *internal_ancestor(const zend_class_entry *ce)
{
	while (ce && ce->type == ZEND_USER_CLASS) {
		ce = ce->parent;
	}
	return ce;
}

static const known_class *known_class_find(const zend_class_entry *ancestor)
{
	for (const zend_class_entry *ce = ancestor; ce; ce = ce->parent) {
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (strcmp(ZSTR_VAL(ce->name), known[i].name) == 0) {
				/* what extends SplFileInfo keeps streams, directories or Phar's state */
				return ce != ancestor && strcmp(known[i].name, "SplFileInfo") == 0 ? NULL : &known[i];
			}
		}
	}
	return NULL;
}

static bool of_module(const zend_class_entry *ce, const char *name)
{
	return ce->info.internal.module && strcmp(ce->info.internal.module->name, name) == 0;
}

/* Objects that are known, but in a state in which the rule for their class doesn't hold. */
static weft_hidden_kind classify_known(const zend_object *object, const known_class *class)
{
	if (class->kind == WEFT_HIDDEN_COPIED && strcmp(class->name, "HashContext") == 0 &&
		!php_hashcontext_from_object((zend_object *) object)->context) {
		return WEFT_HIDDEN_NONE; /* finished: it can do nothing more */
	}
	if (class->size && (!WEFT_KNOWN_SPL || (size_t) object->handlers->offset != class->size)) {
		return WEFT_HIDDEN_UNCOVERED; /* not the layout that is known */
	}
	if (strcmp(class->name, "ArrayIterator") == 0 && WEFT_SPL_STATE(weft_spl_array, object)->is_child) {
		return WEFT_HIDDEN_UNCOVERED; /* writes into its parent's array */
	}
	return class->kind;
}

weft_hidden_kind weft_hidden_classify(const zend_object *object)
{
	const zend_class_entry *ancestor = internal_ancestor(object->ce);
	const known_class *class;

#if WEFT_HAVE_LAZY_OBJECTS
	if (zend_object_is_lazy((zend_object *) object)) {
		return WEFT_HIDDEN_UNCOVERED; /* whether it has been initialised is no slot */
	}
#endif
	if (!ancestor || object->ce == zend_ce_closure || (!ancestor->create_object && object->handlers->offset == 0)) {
		return WEFT_HIDDEN_NONE;
	}
	if (object->ce == zend_ce_generator) {
		return ((const zend_generator *) object)->execute_data ? WEFT_HIDDEN_UNCOVERED : WEFT_HIDDEN_NONE;
	}
	if (object->ce == zend_ce_fiber) {
		return ((const zend_fiber *) object)->context.status == ZEND_FIBER_STATUS_DEAD ? WEFT_HIDDEN_NONE
																					   : WEFT_HIDDEN_UNCOVERED;
	}
	if (of_module(ancestor, "Reflection") && strcmp(ZSTR_VAL(ancestor->name), "ReflectionGenerator") != 0) {
		return WEFT_HIDDEN_NONE; /* reads and writes others' slots; has nothing of its own */
	}
	class = known_class_find(ancestor);
	if (!class && weft_handles_known) {
		return weft_handles_known->classify(object);
	}
	return class ? classify_known(object, class) : WEFT_HIDDEN_UNCOVERED;
}

bool weft_hidden_has_values(const zend_object *object)
{
	const known_class *class = known_class_find(internal_ancestor(object->ce));

	return class && class->has_values;
}
