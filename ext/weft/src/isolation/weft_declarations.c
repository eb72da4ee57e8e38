/*
 * Who declares something: a domain that does gets tables of its own first (weft_tables.h).
 *
 * What runs is seen before it runs: define(), class_alias(), and the instructions that declare. OPcache makes one of
 * define() with two literals. What a file declares at once is there when it has been compiled, so a file that is known
 * to do so is compiled in tables of the domain's own, and what an unknown one has put into the base's is moved. Nothing
 * else runs meanwhile: the compiler is never left.
 */
#include "isolation/weft_c_state.h"
#include "isolation/weft_slots.h"
#include "isolation/weft_tables.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_wrap.h"
#include "weft_compat.h"

static zif_handler plain_define, plain_class_alias;
static zend_op_array *(*plain_compile_file)(zend_file_handle *file, int type);
static zend_op_array *(*plain_compile_string)(zend_string *source, const char *filename, zend_compile_position position);
/* Paths of files that declare something when they are compiled. */
static HashTable declaring;

/* --- calls and instructions --- */

static ZEND_FUNCTION(weft_define)
{
	weft_domain_needs_tables();
	plain_define(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static ZEND_FUNCTION(weft_class_alias)
{
	weft_domain_needs_tables();
	plain_class_alias(INTERNAL_FUNCTION_PARAM_PASSTHRU);
}

static const zend_uchar opcodes[] = {ZEND_DECLARE_CONST, ZEND_DECLARE_FUNCTION, ZEND_DECLARE_CLASS,
	ZEND_DECLARE_CLASS_DELAYED, ZEND_DECLARE_ANON_CLASS};
#define OPCODES (sizeof(opcodes) / sizeof(*opcodes))
static user_opcode_handler_t plain_handlers[OPCODES];

/* The class has a bucket under a name that nobody can write, and gets its name in it, unless it has none. The base's stays
 * as it is: here is a copy, and what the name was is the base's. */
static void keep_unnamed_class(const zend_execute_data *frame, bool gets_name)
{
	zend_string *name = Z_STR_P(RT_CONSTANT(frame->opline, frame->opline->op1) + gets_name);
	const Bucket *bucket = (const Bucket *) zend_hash_find(EG(class_table), name);
	const zend_class_entry *ce = bucket ? Z_PTR(bucket->val) : NULL;

	if (!ce || weft_tables_base_class(bucket - EG(class_table)->arData) != ce) {
		return;
	}
	if (gets_name && !ZSTR_IS_INTERNED(bucket->key)) {
		zend_string_addref(bucket->key);
	}
	if (!(ce->ce_flags & (ZEND_ACC_IMMUTABLE | ZEND_ACC_LINKED))) {
		weft_tables_link_for_base(weft_tables_in_place);
	}
}

static int before_declaration(zend_execute_data *frame)
{
	zend_uchar opcode = frame->opline->opcode;

	/* a class without a name has its bucket from the start and is nobody's declaration */
	if (opcode != ZEND_DECLARE_ANON_CLASS) {
		weft_domain_needs_tables();
	}
	if (weft_tables_in_place && opcode != ZEND_DECLARE_CONST && opcode != ZEND_DECLARE_FUNCTION) {
		keep_unnamed_class(frame, opcode != ZEND_DECLARE_ANON_CLASS);
	}
	for (size_t i = 0; i < OPCODES; i++) {
		if (opcodes[i] == opcode && plain_handlers[i]) {
			return plain_handlers[i](frame);
		}
	}
	return ZEND_USER_OPCODE_DISPATCH;
}

/* --- compiled code --- */

typedef struct {
	zend_string *name;
	zval entry;
} declaration;

typedef struct {
	declaration *items;
	uint32_t count;
} declarations;

/* Takes what has come behind the first `elements` out of the base's table. */
static declarations take(HashTable *table, uint32_t elements)
{
	declarations taken = {NULL, zend_hash_num_elements(table) - elements};
	dtor_func_t destructor = table->pDestructor;

	if (!taken.count) {
		return taken;
	}
	taken.items = safe_emalloc(taken.count, sizeof(declaration), 0);
	table->pDestructor = NULL;
	for (uint32_t i = taken.count; i-- > 0;) {
		Bucket *bucket = &table->arData[table->nNumUsed - 1];

		while (Z_TYPE(bucket->val) == IS_UNDEF) {
			bucket--;
		}
		taken.items[i].name = zend_string_copy(bucket->key);
		ZVAL_COPY_VALUE(&taken.items[i].entry, &bucket->val);
		zend_hash_del_bucket(table, bucket);
	}
	table->pDestructor = destructor;
	return taken;
}

/* The base's strings must not say that their class is this one. */
static void forget_cached(const declarations *classes)
{
	for (uint32_t i = 0; i < classes->count; i++) {
		zend_class_entry *ce = Z_PTR(classes->items[i].entry);

		if (ZSTR_HAS_CE_CACHE(ce->name) && ZSTR_GET_CE_CACHE(ce->name) == ce) {
			ZSTR_SET_CE_CACHE(ce->name, NULL);
		}
	}
}

static void put(HashTable *table, declarations *taken)
{
	for (uint32_t i = 0; i < taken->count; i++) {
		zend_hash_add(table, taken->items[i].name, &taken->items[i].entry);
		zend_string_release(taken->items[i].name);
	}
	if (taken->items) {
		efree(taken->items);
	}
}

/* True: there was something. */
static bool move_declarations(uint32_t functions, uint32_t classes)
{
	declarations taken_functions, taken_classes;

	if (zend_hash_num_elements(EG(function_table)) == functions && zend_hash_num_elements(EG(class_table)) == classes) {
		return false;
	}
	taken_functions = take(EG(function_table), functions);
	taken_classes = take(EG(class_table), classes);
	forget_cached(&taken_classes);
	weft_domain_needs_tables();
	put(EG(function_table), &taken_functions);
	put(EG(class_table), &taken_classes);
	return true;
}

/* Whether what compiling declares now would be the base's, and must not. */
static bool must_not_declare(void)
{
	return weft_domain_in_place && weft_base_state.taken && !weft_tables_in_place && !weft_in_autoloader();
}

static zend_op_array *compile_path(zend_file_handle *file, int type, zend_string *path)
{
	uint32_t functions, classes;
	zend_op_array *code;

	if (zend_hash_exists(&declaring, path)) {
		weft_domain_needs_tables();
		return plain_compile_file(file, type);
	}
	functions = zend_hash_num_elements(EG(function_table));
	classes = zend_hash_num_elements(EG(class_table));
	code = plain_compile_file(file, type);
	if (move_declarations(functions, classes)) {
		zend_hash_add_empty_element(&declaring, path);
	}
	return code;
}

static zend_op_array *compile_script(zend_file_handle *file, int type)
{
	zend_op_array *code;
	zend_string *path;

	weft_c_files_notice();
	weft_opcache_time_goes_on();
	if (!must_not_declare() || !file->filename) {
		return plain_compile_file(file, type);
	}
	path = file->opened_path ? zend_string_copy(file->opened_path) : zend_resolve_path(file->filename);
	if (!path) {
		path = zend_string_copy(file->filename);
	}
	code = compile_path(file, type, path);
	zend_string_release(path);
	return code;
}

static zend_op_array *compile_code(zend_string *source, const char *filename, zend_compile_position position)
{
	uint32_t functions = zend_hash_num_elements(EG(function_table)), classes = zend_hash_num_elements(EG(class_table));
	bool moves = must_not_declare();
	zend_op_array *code = plain_compile_string(source, filename, position);

	if (moves) {
		move_declarations(functions, classes);
	}
	return code;
}

void weft_declarations_wrap(void)
{
	plain_define = weft_wrap("core", NULL, "define", zif_weft_define);
	plain_class_alias = weft_wrap("core", NULL, "class_alias", zif_weft_class_alias);
}

/* Not earlier: OPcache's JIT refuses to start when an instruction has such a handler. It asks once, and code that it
 * compiles later calls them. */
void weft_declarations_rinit(void)
{
	if (!declaring.arData) {
		zend_hash_init(&declaring, 8, NULL, NULL, 1);
	}
	if (plain_compile_file) {
		return;
	}
	plain_compile_file = zend_compile_file;
	zend_compile_file = compile_script;
	plain_compile_string = zend_compile_string;
	zend_compile_string = compile_code;
	for (size_t i = 0; i < OPCODES; i++) {
		plain_handlers[i] = zend_get_user_opcode_handler(opcodes[i]);
		zend_set_user_opcode_handler(opcodes[i], before_declaration);
	}
}

void weft_declarations_forget(void)
{
	if (declaring.arData) {
		zend_hash_destroy(&declaring);
		memset(&declaring, 0, sizeof(declaring));
	}
}
