/*
 * Shared slots: those that somebody has decided to leave out of the snapshot, each with a reason. A request sees what
 * any other request has put there.
 */
#include "domain/weft_base.h"
#include "domain/weft_domain.h"
#include "domain/hidden/weft_hidden.h"
#include "weft_classes.h"

typedef struct {
	zend_class_entry *ce;
	const zend_property_info *info;
	zend_string *property;
	zend_string *reason;
} shared_slot;

static shared_slot *shared;
static uint32_t shared_count;

static const zend_property_info *find_property(const zend_class_entry *ce, const zend_string *name)
{
	return zend_hash_find_ptr(&ce->properties_info, (zend_string *) name);
}

static bool shared_refuse(const zend_string *class_name, const zend_string *property, const char *why)
{
	zend_throw_error(NULL, "Can't share %s::$%s: %s", ZSTR_VAL(class_name), ZSTR_VAL(property), why);
	return false;
}

/* --- kinds: what can't be copied, and would be refused in requests --- */

static HashTable kinds; /* name of the class in lower case, or "stream" => true */
static bool kinds_begun;

bool weft_shared_class(const zend_class_entry *ce)
{
	for (; kinds_begun && ce; ce = ce->parent) {
		zend_string *name = zend_string_tolower(ce->name);
		bool found = zend_hash_exists(&kinds, name);

		zend_string_release(name);
		if (found) {
			return true;
		}
	}
	return false;
}

bool weft_shared_streams(void)
{
	return kinds_begun && zend_hash_str_exists(&kinds, ZEND_STRL("stream"));
}

/* NULL: nothing. */
static const char *speaks_against(const zend_string *kind)
{
	zend_class_entry *ce, *ancestor;

	if (weft_snapshot_taken()) {
		return "the snapshot has been taken. Name what is shared while the application boots";
	}
	if (zend_string_equals_literal(kind, "stream")) {
		return NULL;
	}
	ce = zend_lookup_class((zend_string *) kind);
	if (!ce) {
		return "there is no such class";
	}
	ancestor = weft_internal_ancestor(ce);
	if (!ancestor || !ancestor->create_object || !weft_hidden_is_unknown(ancestor)) {
		return "each request has its objects of this class for itself. Name a property, as Class::$property";
	}
	return weft_handles_known && weft_handles_known->is_connection(ce) ? "a connection is never shared" : NULL;
}

ZEND_FUNCTION(Weft_Isolation_share_kind)
{
	zend_string *kind, *reason, *name;
	const char *why;
	zval none;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(kind)
		Z_PARAM_STR(reason)
	ZEND_PARSE_PARAMETERS_END();

	if (ZSTR_LEN(reason) == 0) {
		zend_argument_value_error(2, "must not be empty: say why requests may share what is of this kind");
		RETURN_THROWS();
	}
	why = speaks_against(kind);
	if (why) {
		if (!EG(exception)) {
			zend_throw_error(NULL, "Can't share %s: %s", ZSTR_VAL(kind), why);
		}
		RETURN_THROWS();
	}
	if (!kinds_begun) {
		zend_hash_init(&kinds, 8, NULL, NULL, true);
		kinds_begun = true;
	}
	name = zend_string_tolower(kind);
	ZVAL_TRUE(&none);
	zend_hash_str_update(&kinds, ZSTR_VAL(name), ZSTR_LEN(name), &none);
	zend_string_release(name);
}

static bool in_time(const zend_string *class_name, const zend_string *property)
{
	if (weft_snapshot_taken()) {
		return shared_refuse(class_name, property,
			"the snapshot has been taken. Name shared slots while the application boots");
	}
	return true;
}

static zend_class_entry *find_class(zend_string *class_name, const zend_string *property)
{
	zend_class_entry *ce = zend_lookup_class(class_name);

	if (EG(exception)) {
		return NULL; /* thrown by an autoloader */
	}
	if (!ce) {
		shared_refuse(class_name, property, "there is no such class");
	} else if (ce->ce_flags & ZEND_ACC_TRAIT) {
		shared_refuse(class_name, property, "it is a trait. Name the class that uses it: each has a slot of its own");
	} else {
		return ce;
	}
	return NULL;
}

static bool shared_add(zend_class_entry *ce, zend_string *property, zend_string *reason)
{
	const zend_property_info *info = find_property(ce, property);

	if (!info) {
		return shared_refuse(ce->name, property, "the class declares no such property");
	}
	for (uint32_t i = 0; i < shared_count; i++) {
		if (shared[i].ce == ce && shared[i].info == info) {
			return true;
		}
	}
	if (info->flags & ZEND_ACC_STATIC) {
		zend_class_init_statics(ce);
	}
	shared = safe_perealloc(shared, shared_count + 1, sizeof(shared_slot), 0, 1);
	shared[shared_count++] = (shared_slot){
		.ce = ce,
		.info = info,
		.property = zend_string_copy(property),
		.reason = zend_string_copy(reason),
	};
	return true;
}

/* Compared by place, not by property: a subclass has its parent's slots at the same places. */
bool weft_shared_property(const zend_object *object, uint32_t slot)
{
	for (uint32_t i = 0; i < shared_count; i++) {
		if (!(shared[i].info->flags & ZEND_ACC_STATIC) && OBJ_PROP_TO_NUM(shared[i].info->offset) == slot &&
			instanceof_function(object->ce, shared[i].ce)) {
			return true;
		}
	}
	return false;
}

bool weft_shared_static(const zval *slot)
{
	for (uint32_t i = 0; i < shared_count; i++) {
		zval *own;

		if (!(shared[i].info->flags & ZEND_ACC_STATIC)) {
			continue;
		}
		own = CE_STATIC_MEMBERS(shared[i].ce) + shared[i].info->offset;
		if ((Z_TYPE_P(own) == IS_INDIRECT ? Z_INDIRECT_P(own) : own) == slot) {
			return true;
		}
	}
	return false;
}

static void visit_objects(const shared_slot *slot, weft_shared_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < weft_base_state.held_count; i++) {
		zend_object *object = weft_base_state.held[i];

		if (instanceof_function(object->ce, slot->ce)) {
			visitor(object->ce, slot->property, OBJ_PROP(object, slot->info->offset), context);
		}
	}
}

void weft_shared_visit(weft_shared_visitor visitor, void *context)
{
	for (uint32_t i = 0; i < shared_count; i++) {
		const shared_slot *slot = &shared[i];
		zval *own;

		if (!(slot->info->flags & ZEND_ACC_STATIC)) {
			visit_objects(slot, visitor, context);
			continue;
		}
		own = CE_STATIC_MEMBERS(slot->ce) + slot->info->offset;
		visitor(slot->ce, slot->property, Z_TYPE_P(own) == IS_INDIRECT ? Z_INDIRECT_P(own) : own, context);
	}
}

void weft_shared_forget(void)
{
	for (uint32_t i = 0; i < shared_count; i++) {
		zend_string_release(shared[i].property);
		zend_string_release(shared[i].reason);
	}
	free(shared);
	if (kinds_begun) {
		zend_hash_destroy(&kinds);
		kinds_begun = false;
	}
	shared = NULL;
	shared_count = 0;
}

ZEND_FUNCTION(Weft_Isolation_share)
{
	zend_string *class_name, *property, *reason;
	zend_class_entry *ce;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_STR(class_name)
		Z_PARAM_STR(property)
		Z_PARAM_STR(reason)
	ZEND_PARSE_PARAMETERS_END();

	if (ZSTR_LEN(reason) == 0) {
		zend_argument_value_error(3, "must not be empty: say why requests may see each other's values");
		RETURN_THROWS();
	}
	ce = in_time(class_name, property) ? find_class(class_name, property) : NULL;
	if (ce) {
		shared_add(ce, property, reason);
	}
}

ZEND_FUNCTION(Weft_Isolation_shared)
{
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	for (uint32_t i = 0; i < shared_count; i++) {
		zval one;

		array_init(&one);
		add_assoc_str(&one, "class", zend_string_copy(shared[i].ce->name));
		add_assoc_str(&one, "property", zend_string_copy(shared[i].property));
		add_assoc_bool(&one, "static", (shared[i].info->flags & ZEND_ACC_STATIC) != 0);
		add_assoc_str(&one, "reason", zend_string_copy(shared[i].reason));
		add_next_index_zval(return_value, &one);
	}
}
