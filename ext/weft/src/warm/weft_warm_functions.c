/*
 * The functions of namespace Weft\Internal that warm and scrub.
 */
#include "warm/weft_adopt.h"
#include "coroutine/weft_coroutine.h"
#include "interpose/weft_quarantine.h"
#include "zend_exceptions.h"
#include "warm/weft_warm_arginfo.h"

#include <dirent.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

static bool in_base(void)
{
	if (weft_snapshot_taken() && !weft_domain_in_place) {
		return true;
	}
	zend_throw_error(NULL, "The base can be changed only outside of domains, when the snapshot has been taken");
	return false;
}

static weft_recording *given(zend_object *object, uint32_t number)
{
	weft_recording *recording = weft_recording_of(object);

	if (!recording->domain) {
		zend_argument_value_error(number, "has been released");
		return NULL;
	}
	return recording;
}

static bool all_recordings(HashTable *recordings, uint32_t number)
{
	zval *value;

	ZEND_HASH_FOREACH_VAL(recordings, value) {
		if (Z_TYPE_P(value) != IS_OBJECT || Z_OBJCE_P(value) != weft_recording_class) {
			zend_argument_type_error(number, "must be a list of Weft\\Internal\\Recording");
			return false;
		}
		if (!given(Z_OBJ_P(value), number)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void list_adopted(zval *list)
{
	array_init(list);
	for (uint32_t i = 1; i < weft_adopted.unit_count; i++) {
		const weft_unit *unit = &weft_adopted.units[i];

		if (weft_unit_stands(unit)) {
			add_next_index_str(list, weft_unit_name(unit));
		}
	}
}

ZEND_FUNCTION(Weft_Internal_adopt)
{
	zend_object *object_a, *object_b;
	HashTable *others = NULL, *cold = NULL, *notes = NULL;
	weft_recording *a, *b;
	zend_string *page = ZSTR_EMPTY_ALLOC();
	zval restored, adopted, *other;
	bool whole = false;

	ZEND_PARSE_PARAMETERS_START(2, 7)
		Z_PARAM_OBJ_OF_CLASS(object_a, weft_recording_class)
		Z_PARAM_OBJ_OF_CLASS(object_b, weft_recording_class)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(others)
		Z_PARAM_ARRAY_HT(cold)
		Z_PARAM_STR(page)
		Z_PARAM_ARRAY_HT(notes)
		Z_PARAM_BOOL(whole)
	ZEND_PARSE_PARAMETERS_END();

	a = given(object_a, 1);
	b = a ? given(object_b, 2) : NULL;
	if (!b || !in_base() || (others && !all_recordings(others, 3))) {
		RETURN_THROWS();
	}
	array_init(&restored);
	weft_adopted.page = page;
	weft_adopted.notes = notes;
	weft_adopt_scrub(a, Z_ARR(restored));
	weft_adopt_scrub(b, Z_ARR(restored));
	weft_adopt_recordings(a, b, others && zend_hash_num_elements(others) ? others : NULL, cold, whole, Z_ARR(restored));
	weft_adoption_hold();
	weft_recording_release(b);
	weft_recording_release(a);
	if (others) {
		ZEND_HASH_FOREACH_VAL(others, other) {
			weft_recording_release(weft_recording_of(Z_OBJ_P(other)));
		}
		ZEND_HASH_FOREACH_END();
	}
	array_init(return_value);
	list_adopted(&adopted);
	add_assoc_zval(return_value, "adopted", &adopted);
	add_assoc_zval(return_value, "restored", &restored);
	weft_adoption_apply();
}

ZEND_FUNCTION(Weft_Internal_scrub)
{
	zend_object *object;
	weft_recording *recording;
	zend_string *page = ZSTR_EMPTY_ALLOC();
	HashTable *notes = NULL;

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_OBJ_OF_CLASS(object, weft_recording_class)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(page)
		Z_PARAM_ARRAY_HT(notes)
	ZEND_PARSE_PARAMETERS_END();

	recording = given(object, 1);
	if (!recording || !in_base()) {
		RETURN_THROWS();
	}
	array_init(return_value);
	weft_adopted.page = page;
	weft_adopted.notes = notes;
	if (weft_adopt_scrub(recording, Z_ARR_P(return_value))) {
		weft_recording_release(recording);
		weft_adoption_apply();
	} else {
		weft_recording_release(recording);
	}
}

ZEND_FUNCTION(Weft_Internal_difference)
{
	zend_object *cold_object, *warm_object;
	weft_recording *cold, *warm;
	zend_string *line;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_OBJ_OF_CLASS(cold_object, weft_recording_class)
		Z_PARAM_OBJ_OF_CLASS(warm_object, weft_recording_class)
	ZEND_PARSE_PARAMETERS_END();

	cold = given(cold_object, 1);
	warm = cold ? given(warm_object, 2) : NULL;
	if (!warm || !in_base()) {
		RETURN_THROWS();
	}
	line = weft_adopt_difference(cold, warm);
	if (line) {
		RETURN_STR(line);
	}
}

static bool is_among(const weft_unit *unit, HashTable *names)
{
	zend_string *name = weft_unit_name(unit);
	bool found = false;
	zval *value;

	ZEND_HASH_FOREACH_VAL(names, value) {
		found = found || (Z_TYPE_P(value) == IS_STRING && zend_string_equals(Z_STR_P(value), name));
	}
	ZEND_HASH_FOREACH_END();
	zend_string_release(name);
	return found;
}

ZEND_FUNCTION(Weft_Internal_cool)
{
	HashTable *names = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_NULL(names)
	ZEND_PARSE_PARAMETERS_END();
	if (!in_base()) {
		RETURN_THROWS();
	}
	if (!weft_adopted.begun) {
		RETURN_EMPTY_ARRAY();
	}
	for (uint32_t i = 1; i < weft_adopted.unit_count; i++) {
		if (weft_unit_stands(&weft_adopted.units[i]) && (!names || is_among(&weft_adopted.units[i], names))) {
			weft_unit_drop(&weft_adopted.units[i], "cooled");
		}
	}
	list_adopted(return_value);
	if (weft_adoption_apply() && !names) {
		weft_adoption_forget();
		weft_snapshot_take_again();
	}
}

/* Not with PHP's functions for files: open_basedir need not allow /proc. */
ZEND_FUNCTION(Weft_Internal_descriptors)
{
	DIR *directory;
	const struct dirent *entry;

	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	directory = opendir("/proc/self/fd");
	if (!directory) {
		return;
	}
	while ((entry = readdir(directory)) != NULL) {
		char target[PATH_MAX];
		ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target));

		if (length > 0 && !(length >= 6 && memcmp(target, "/proc/", 6) == 0)) {
			add_index_stringl(return_value, atoi(entry->d_name), target, (size_t) length);
		}
	}
	closedir(directory);
}

ZEND_FUNCTION(Weft_Internal_snapshot_again)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!in_base()) {
		RETURN_THROWS();
	}
	weft_snapshot_take_again();
}

ZEND_FUNCTION(Weft_Internal_settle)
{
	ZEND_PARSE_PARAMETERS_NONE();
	if (!in_base()) {
		RETURN_THROWS();
	}
	weft_adoption_forget();
	weft_snapshot_take_again();
}

ZEND_FUNCTION(Weft_Internal_quarantine)
{
	zend_long ahead = 0;
	char *seed = NULL;
	size_t length;

	ZEND_PARSE_PARAMETERS_START(0, 2)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(ahead)
		Z_PARAM_STRING_OR_NULL(seed, length)
	ZEND_PARSE_PARAMETERS_END();
	weft_quarantine_begin(ahead, seed);
}

ZEND_FUNCTION(Weft_Internal_refused)
{
	zend_string *refused;

	ZEND_PARSE_PARAMETERS_NONE();
	refused = weft_quarantine_refused();
	if (refused) {
		RETURN_STR(refused);
	}
}

ZEND_FUNCTION(Weft_Internal_quarantine_end)
{
	ZEND_PARSE_PARAMETERS_NONE();
	weft_quarantine_end();
}

void weft_warm_register(void)
{
	zend_register_functions(NULL, ext_functions, NULL, MODULE_PERSISTENT);
	weft_recording_class = register_class_Weft_Internal_Recording();
	weft_recording_register();
}
