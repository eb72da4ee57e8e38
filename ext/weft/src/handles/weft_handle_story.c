/*
 * Stories: what happened to a handle during boot, as far as it must happen again to a stand-in. One is kept by the
 * object's number, and tells as well where the application has made the handle.
 */
#include "handles/weft_handles_internal.h"
#include "domain/weft_domain.h"

/* More statements that set something than a connection's settings can be: values, not settings. */
#define MAX_STATEMENTS 64

typedef struct story_call {
	struct story_call *next;
	zend_function *function;
	weft_handle_shaping shaping;
	uint32_t count;
	zval arguments[]; /* without the handle */
} story_call;

struct weft_handle_story {
	const zend_object *object; /* gone, perhaps: its number tells only where to look */
	zend_class_entry *class;
	zend_string *place;
	story_call *calls;
	uint32_t statements;
	uint32_t held_by; /* multi handles that it has been added to; of those: how many it holds */
	bool closed;
};

static HashTable stories; /* object number => story */
static HashTable streams; /* resource number => where it was opened */
#define FEW_STREAMS 64
static uint32_t most_streams = FEW_STREAMS; /* until closed ones are looked for */
static bool begun;
static uint32_t default_link; /* number of the object; 0: none */

/* --- places --- */

/* NULL: no PHP code has called. */
static zend_string *place_of_call(void)
{
	weft_place place;

	return weft_place_find(&place, EG(current_execute_data)) ? weft_place_describe(&place) : NULL;
}

/* --- keeping --- */

static void free_call(story_call *call)
{
	for (uint32_t i = 0; i < call->count; i++) {
		zval_ptr_dtor(&call->arguments[i]);
	}
	free(call);
}

static void free_calls(weft_handle_story *story)
{
	while (story->calls) {
		story_call *call = story->calls;

		story->calls = call->next;
		free_call(call);
	}
	story->statements = 0;
}

static void free_story(zval *value)
{
	weft_handle_story *story = Z_PTR_P(value);

	free_calls(story);
	if (story->place) {
		zend_string_release(story->place);
	}
	free(story);
}

static void free_place(zval *value)
{
	zend_string_release((zend_string *) Z_PTR_P(value));
}

static void stories_begin(void)
{
	if (!begun) {
		zend_hash_init(&stories, 8, NULL, free_story, true);
		zend_hash_init(&streams, 8, NULL, free_place, true);
		begun = true;
	}
}

void weft_handle_stories_forget(void)
{
	if (begun) {
		zend_hash_destroy(&stories);
		zend_hash_destroy(&streams);
		begun = false;
	}
	default_link = 0;
}

static weft_handle_story *find_story(const zend_object *object)
{
	weft_handle_story *story = begun ? zend_hash_index_find_ptr(&stories, object->handle) : NULL;

	return story && story->object == object && story->class == object->ce ? story : NULL;
}

static weft_handle_story *new_story(zend_object *object)
{
	weft_handle_story *story = pecalloc(1, sizeof(*story), 1);

	stories_begin();
	story->object = object;
	story->class = object->ce;
	story->place = place_of_call();
	zend_hash_index_update_ptr(&stories, object->handle, story);
	return story;
}

/* --- calls --- */

static bool same_key(const story_call *a, const story_call *b)
{
	return a->count && b->count && zend_is_identical((zval *) &a->arguments[0], (zval *) &b->arguments[0]);
}

/* Whether the later call makes the earlier one void. */
static bool supersedes(const story_call *later, const story_call *earlier)
{
	if (later->function->internal_function.handler == NULL ||
		!zend_string_equals(later->function->common.function_name, earlier->function->common.function_name)) {
		return false;
	}
	return later->shaping == WEFT_SHAPES_ONCE ||
		((later->shaping == WEFT_SHAPES_KEYED || later->shaping == WEFT_SHAPES_CLIENT ||
			 later->shaping == WEFT_SHAPES_STATEMENT) &&
			same_key(later, earlier));
}

/* In the place of what it supersedes: options come before the connection, a character set after it. Of statements the
 * last word counts, though. */
static void keep_call(weft_handle_story *story, story_call *call)
{
	story_call **link = &story->calls, *earlier;

	while ((earlier = *link)) {
		if (!supersedes(call, earlier)) {
			link = &earlier->next;
			continue;
		}
		*link = earlier->next;
		free_call(earlier);
		if (call->shaping != WEFT_SHAPES_STATEMENT) {
			break;
		}
		story->statements--;
	}
	if (call->shaping == WEFT_SHAPES_STATEMENT) {
		story->statements++;
	}
	call->next = *link;
	*link = call;
}

static bool begins_with_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	return strncasecmp(text, word, length) == 0 && isspace((unsigned char) text[length]);
}

static const char *without_space(const char *text)
{
	while (isspace((unsigned char) *text)) {
		text++;
	}
	return text;
}

/* Behind the comments that a statement may begin with; of one that MariaDB executes, its text. */
static const char *without_comments(const char *text)
{
	const char *end;

	for (text = without_space(text); *text; text = without_space(end)) {
		if (strncmp(text, "/*!", 3) == 0) {
			end = text + 3 + strspn(text + 3, "M!0123456789");
		} else if (strncmp(text, "/*", 2) == 0) {
			end = strstr(text + 2, "*/");
			end = end ? end + 2 : text + strlen(text);
		} else if (*text == '#' || strncmp(text, "--", 2) == 0) {
			end = text + strcspn(text, "\n");
		} else {
			break;
		}
	}
	return text;
}

/* Sets something that lasts as long as the session. */
static bool statement_sets(const zval *statement)
{
	const char *text;

	if (Z_TYPE_P(statement) != IS_STRING) {
		return false;
	}
	text = without_comments(Z_STRVAL_P(statement));
	if (begins_with_word(text, "use")) {
		return true;
	}
	if (!begins_with_word(text, "set")) {
		return false;
	}
	text = without_comments(text + strlen("set"));
	return !begins_with_word(text, "global") && !begins_with_word(text, "persist") &&
		!begins_with_word(text, "local") && !begins_with_word(text, "transaction") &&
		!begins_with_word(text, "password");
}

/* Of Redis's client(): the others ask, or do something to clients. */
static bool sets_something_of_client(const story_call *call)
{
	static const char *const words[] = {"setname", "tracking", "no-evict", "no-touch", "reply"};

	if (!call->count || Z_TYPE(call->arguments[0]) != IS_STRING) {
		return false;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcasecmp(Z_STRVAL(call->arguments[0]), words[i]) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_to_repeat(const weft_handle_story *story, const story_call *call)
{
	if (call->shaping == WEFT_SHAPES_STATEMENT) {
		return call->count && story->statements <= MAX_STATEMENTS && statement_sets(&call->arguments[0]);
	}
	return call->shaping != WEFT_SHAPES_CLIENT || sets_something_of_client(call);
}

static story_call *copy_call(zend_execute_data *execute_data, const zend_object *subject, weft_handle_shaping shaping)
{
	uint32_t given = ZEND_CALL_NUM_ARGS(execute_data), first = 0;
	const zval *argument = ZEND_CALL_ARG(execute_data, 1);
	story_call *call = pecalloc(1, sizeof(*call) + given * sizeof(zval), 1);

	if (given && Z_TYPE_P(argument) == IS_OBJECT && Z_OBJ_P(argument) == subject) {
		first = 1;
	}
	call->function = EX(func);
	call->shaping = shaping;
	for (uint32_t i = first; i < given; i++) {
		ZVAL_COPY_DEREF(&call->arguments[call->count++], ZEND_CALL_ARG(execute_data, i + 1));
	}
	return call;
}

static void shape(weft_handle_story *story, zend_execute_data *execute_data, weft_handle_shaping shaping)
{
	story_call *call = copy_call(execute_data, story->object, shaping);

	if (shaping == WEFT_SHAPES_ANEW) {
		free_calls(story);
		story->closed = false;
	} else if (!is_to_repeat(story, call)) {
		free_call(call);
		return;
	}
	keep_call(story, call);
}

/* A multi handle and what is added to it. */
static void story_hold(weft_handle_story *multi, zend_execute_data *execute_data, int more)
{
	const zval *easy = ZEND_CALL_NUM_ARGS(execute_data) > 1 ? ZEND_CALL_ARG(execute_data, 2) : NULL;
	weft_handle_story *story = easy && Z_TYPE_P(easy) == IS_OBJECT ? find_story(Z_OBJ_P(easy)) : NULL;

	if (story && (more > 0 || story->held_by)) {
		story->held_by += more;
		multi->held_by += more;
	}
}

void weft_handle_story_note(zend_execute_data *execute_data, zend_object *subject, weft_handle_shaping shaping,
	weft_call_outcome outcome)
{
	weft_handle_story *story = find_story(subject);
	bool made = outcome == WEFT_CALL_MADE;

	if (!story || (made && shaping != WEFT_SHAPES_ANEW)) {
		story = new_story(subject);
	}
	if (outcome == WEFT_CALL_REFUSED) {
		if (shaping == WEFT_SHAPES_ANEW) { /* what was open is not any more */
			free_calls(story);
		}
		return;
	}
	switch (shaping) {
		case WEFT_SHAPES_NOT: break;
		case WEFT_SHAPES_CLOSED:
			free_calls(story);
			story->closed = true;
			break;
		case WEFT_SHAPES_HOLDS: story_hold(story, execute_data, 1); break;
		case WEFT_SHAPES_LETS_GO: story_hold(story, execute_data, -1); break;
		default: shape(story, execute_data, shaping);
	}
	if (made && shaping == WEFT_SHAPES_ANEW && strcmp(weft_handle_class_of(subject)->name, "PgSql\\Connection") == 0) {
		default_link = subject->handle;
	}
}

/* Their numbers don't come again. */
static void forget_closed_streams(void)
{
	zend_ulong number;

	ZEND_HASH_FOREACH_NUM_KEY(&streams, number)
	{
		if (!zend_hash_index_exists(&EG(regular_list), number)) {
			zend_hash_index_del(&streams, number);
		}
	}
	ZEND_HASH_FOREACH_END();
	most_streams = MAX(FEW_STREAMS, zend_hash_num_elements(&streams) * 2);
}

void weft_handle_story_note_stream(const zend_resource *resource)
{
	zend_string *place = place_of_call();

	if (place) {
		stories_begin();
		if (zend_hash_num_elements(&streams) >= most_streams) {
			forget_closed_streams();
		}
		zend_hash_index_update_ptr(&streams, resource->handle, place);
	}
}

/* --- asking --- */

const weft_handle_story *weft_handle_story_of(const zend_object *object)
{
	return find_story(object);
}

const char *weft_handle_story_place(const weft_handle_story *story)
{
	return story && story->place ? ZSTR_VAL(story->place) : NULL;
}

const char *weft_handle_stream_place(const zend_resource *resource)
{
	const zend_string *place = begun ? zend_hash_index_find_ptr(&streams, resource->handle) : NULL;

	return place ? ZSTR_VAL(place) : NULL;
}

const char *weft_handle_story_hindrance(const weft_handle_story *story)
{
	if (!story) {
		return "how it was opened is not known";
	}
	if (story->held_by) {
		return "its transfer was going on when the boot ended";
	}
	if (story->statements > MAX_STATEMENTS) {
		return "too many SET statements were sent during boot to repeat them";
	}
	return NULL;
}

bool weft_handle_story_is_closed(const weft_handle_story *story)
{
	return story && story->closed;
}

zend_object *weft_handle_default_link(void)
{
	const weft_handle_story *story = default_link ? zend_hash_index_find_ptr(&stories, default_link) : NULL;

	return story && !story->closed ? (zend_object *) story->object : NULL;
}

/* --- once more --- */

static zend_object *bare_object(const zend_object *handle)
{
	zval object;

	return object_init_ex(&object, weft_internal_ancestor(handle->ce)) == SUCCESS ? Z_OBJ(object) : NULL;
}

static bool sends_several(const zend_function *function)
{
	return zend_string_equals_literal_ci(function->common.function_name, "multi_query") ||
		zend_string_equals_literal_ci(function->common.function_name, "mysqli_multi_query");
}

/* What is not fetched of several statements stands in the way of the next query. */
static void drain(zend_object *connection)
{
	zend_class_entry *ce = zend_hash_str_find_ptr(CG(class_table), "mysqli", strlen("mysqli"));
	zend_function *store = zend_hash_str_find_ptr(&ce->function_table, "store_result", strlen("store_result"));
	zend_function *next = zend_hash_str_find_ptr(&ce->function_table, "next_result", strlen("next_result"));
	zval result;
	bool more;

	do {
		ZVAL_UNDEF(&result);
		zend_call_known_instance_method_with_0_params(store, connection, &result);
		zval_ptr_dtor(&result);
		ZVAL_UNDEF(&result);
		if (!EG(exception)) {
			zend_call_known_instance_method_with_0_params(next, connection, &result);
		}
		more = Z_TYPE(result) == IS_TRUE;
		zval_ptr_dtor(&result);
	} while (more);
}

/* The object that a call is for, or that a function has made; NULL when it has failed. */
static zend_object *repeat(const story_call *call, zend_object *object)
{
	zval *arguments = safe_emalloc(call->count + 1, sizeof(zval), 0), result;
	bool method = call->function->common.scope != NULL, maker = !method && call->shaping == WEFT_SHAPES_ANEW;
	uint32_t count = 0;
	bool failed;

	if (!method && !maker) {
		ZVAL_OBJ_COPY(&arguments[count++], object);
	}
	for (uint32_t i = 0; i < call->count; i++) {
		ZVAL_COPY(&arguments[count++], &call->arguments[i]);
	}
	ZVAL_UNDEF(&result);
	zend_call_known_function(call->function, method ? object : NULL, method ? object->ce : NULL, &result, count,
		arguments, NULL);
	if (call->shaping == WEFT_SHAPES_STATEMENT && !EG(exception) && sends_several(call->function)) {
		drain(object);
	}
	failed = EG(exception) || Z_TYPE(result) == IS_FALSE || (maker && Z_TYPE(result) != IS_OBJECT);
	if (maker && !failed) {
		object = Z_OBJ(result);
		ZVAL_UNDEF(&result);
	}
	zval_ptr_dtor(&result);
	for (uint32_t i = 0; i < count; i++) {
		zval_ptr_dtor(&arguments[i]);
	}
	efree(arguments);
	return failed ? NULL : object;
}

bool weft_handle_story_replay(const weft_handle_story *story, const zend_object *handle, zend_object **made,
	const char **failed)
{
	const story_call *call = story->calls;

	*failed = NULL;
	*made = NULL;
	if (!call || call->function->common.scope || call->shaping != WEFT_SHAPES_ANEW) {
		*made = bare_object(handle);
	}
	for (; call; call = call->next) {
		zend_object *object = repeat(call, *made);

		if (!object) {
			*failed = ZSTR_VAL(call->function->common.function_name);
			return false;
		}
		*made = object;
	}
	return *made != NULL;
}
