/*
 * Which classes of PHP keep something outside of their slots, and by what rule it is covered.
 */
#include "domain/hidden/weft_hidden.h"
#include "weft_classes.h"
#include "domain/hidden/weft_spl.h"
#include "domain/weft_slots.h"
#include "zend_closures.h"
#include "zend_fibers.h"
#include "zend_generators.h"
#include "ext/hash/php_hash.h"

typedef struct {
	const char *name; /* of the class, or of an ancestor of it */
	weft_hidden_kind kind;
	bool has_values;        /* get_gc() shows values that lie in hidden state */
	weft_spl_layout layout; /* of the hidden state, when it is copied field by field */
} known_class;

/* The classes that have a create_object handler and are known. Whatever is not here is uncovered. The bytes of a
 * class that is copied were searched for pointers into them (docs/internals/isolation.md, "Objects with hidden
 * state"). */
static const known_class known[] = {
	/* slots only */
	{"Exception", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"Error", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"__PHP_Incomplete_Class", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	/* never change once made */
	{"WeakReference", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"DateTimeImmutable", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"DateTimeZone", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"Random\\Engine\\Secure", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"OpenSSLAsymmetricKey", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"OpenSSLCertificate", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"OpenSSLCertificateSigningRequest", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"SensitiveParameterValue", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"MongoDB\\BSON\\Binary", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"MongoDB\\BSON\\Decimal128", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"MongoDB\\BSON\\ObjectId", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"MongoDB\\BSON\\Regex", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"MongoDB\\BSON\\UTCDateTime", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"AddressInfo", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"FFI\\CType", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"BcMath\\Number", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"Uri\\Rfc3986\\Uri", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	{"Uri\\WhatWg\\Url", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	/* works on its engine's state */
	{"Random\\Randomizer", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	/* declarations; what C code keeps behind them is the library's, as under PHP-FPM */
	{"FFI", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},
	/* each domain has a connection of its own: src/pdo */
	{"PDO", WEFT_HIDDEN_NONE, false, WEFT_SPL_NONE},

	{"ArrayObject", WEFT_HIDDEN_COPIED, true, WEFT_SPL_ARRAY},
	{"ArrayIterator", WEFT_HIDDEN_COPIED, true, WEFT_SPL_ARRAY},
	{"SplObjectStorage", WEFT_HIDDEN_COPIED, true, WEFT_SPL_STORAGE},
	{"MultipleIterator", WEFT_HIDDEN_COPIED, true, WEFT_SPL_STORAGE},
	{"SplDoublyLinkedList", WEFT_HIDDEN_COPIED, true, WEFT_SPL_LIST},
	{"SplHeap", WEFT_HIDDEN_COPIED, true, WEFT_SPL_NONE},
	{"SplPriorityQueue", WEFT_HIDDEN_COPIED, true, WEFT_SPL_NONE},
	{"SplFixedArray", WEFT_HIDDEN_COPIED, true, WEFT_SPL_NONE},
	{"DateTime", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"DateInterval", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"DatePeriod", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"SplFileInfo", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"HashContext", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"GMP", WEFT_HIDDEN_COPIED, false, WEFT_SPL_NONE},
	{"Random\\Engine\\Mt19937", WEFT_HIDDEN_BYTES, false, WEFT_SPL_NONE},
	{"Random\\Engine\\PcgOneseq128XslRr64", WEFT_HIDDEN_BYTES, false, WEFT_SPL_NONE},
	{"Random\\Engine\\Xoshiro256StarStar", WEFT_HIDDEN_BYTES, false, WEFT_SPL_NONE},
	{"WeakMap", WEFT_HIDDEN_MAP, false, WEFT_SPL_NONE},
};

const weft_handle_knowledge *weft_handles_known;

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

static weft_hidden_kind classify_unknown(const zend_object *object)
{
	return weft_handles_known ? weft_handles_known->classify(object) : WEFT_HIDDEN_UNCOVERED;
}

/* Objects that are known, but in a state in which the rule for their class doesn't hold. */
static weft_hidden_kind classify_known(const zend_object *object, const known_class *class)
{
	if (class->kind == WEFT_HIDDEN_COPIED && strcmp(class->name, "HashContext") == 0 &&
		!php_hashcontext_from_object((zend_object *) object)->context) {
		return WEFT_HIDDEN_NONE; /* finished: it can do nothing more */
	}
	if (class->layout && !weft_spl_is_known(class->layout, object)) {
		return WEFT_HIDDEN_UNCOVERED;
	}
	if (strcmp(class->name, "ArrayIterator") == 0 && weft_spl_is_child(object)) {
		return classify_unknown(object); /* writes into its parent's array */
	}
	return class->kind;
}

weft_hidden_kind weft_hidden_classify(const zend_object *object)
{
	const zend_class_entry *ancestor = weft_internal_ancestor(object->ce);
	const known_class *class;

	if (weft_is_lazy(object)) {
		return weft_lazy_is_known(object) ? WEFT_HIDDEN_NONE : WEFT_HIDDEN_UNCOVERED;
	}
	if (!ancestor || object->ce == zend_ce_closure || (!ancestor->create_object && object->handlers->offset == 0)) {
		return WEFT_HIDDEN_NONE;
	}
	if (instanceof_function(ancestor, zend_ce_generator)) {
		return ((const zend_generator *) object)->execute_data ? classify_unknown(object) : WEFT_HIDDEN_NONE;
	}
	if (ancestor == zend_ce_fiber) {
		return ((const zend_fiber *) object)->context.status == ZEND_FIBER_STATUS_DEAD ? WEFT_HIDDEN_NONE
																					   : classify_unknown(object);
	}
	if (of_module(ancestor, "Reflection") && strcmp(ZSTR_VAL(ancestor->name), "ReflectionGenerator") != 0) {
		return WEFT_HIDDEN_NONE; /* reads and writes others' slots; has nothing of its own */
	}
	class = known_class_find(ancestor);
	return class ? classify_known(object, class) : classify_unknown(object);
}

bool weft_hidden_is_unknown(const zend_class_entry *ce)
{
	const known_class *class = known_class_find(ce);

	return ce != zend_ce_closure &&
		!(of_module(ce, "Reflection") && strcmp(ZSTR_VAL(ce->name), "ReflectionGenerator")) &&
		(!class || strcmp(class->name, "ArrayIterator") == 0);
}

bool weft_hidden_has_values(const zend_object *object)
{
	const known_class *class = known_class_find(weft_internal_ancestor(object->ce));

	return class && class->has_values;
}
