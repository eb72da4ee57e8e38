/*
 * PHP 8.6 makes the object of a static closure once, and that of name(...), and keeps it with the code, whoever runs
 * it. Domains share code, and each has its objects: one that runs keeps none there. What the boot has kept is an object
 * of the base like others.
 */
#include "domain/weft_declarations.h"
#include "coroutine/weft_coroutine.h"

#if PHP_VERSION_ID >= 80600

#include "zend_closures.h"
#include "zend_execute.h"

static user_opcode_handler_t plain_lambda, plain_convert;

static bool makes_one_to_keep(const zend_execute_data *execute_data)
{
	uint32_t slot = EX(opline)->extended_value;

	return weft_domain_in_place && slot != (uint32_t) -1 && !CACHED_PTR(slot);
}

static int go_on(user_opcode_handler_t plain, zend_execute_data *execute_data)
{
	return plain ? plain(execute_data) : ZEND_USER_OPCODE_DISPATCH;
}

/* Only one that is bound to no object is kept. */
static int before_lambda(zend_execute_data *execute_data)
{
	const zend_op *opline = EX(opline);
	zend_function *function;
	zend_class_entry *called;

	if (!makes_one_to_keep(execute_data)) {
		return go_on(plain_lambda, execute_data);
	}
	function = (zend_function *) EX(func)->op_array.dynamic_func_defs[opline->op2.num];
	called = Z_TYPE(EX(This)) == IS_OBJECT ? Z_OBJCE(EX(This)) : Z_CE(EX(This));
	zend_create_closure(EX_VAR(opline->result.var), function, EX(func)->op_array.scope, called, NULL);
	EX(opline)++;
	return ZEND_USER_OPCODE_CONTINUE;
}

static int before_convert(zend_execute_data *execute_data)
{
	zend_execute_data *call = EX(call);
	zend_class_entry *called;

	/* __callStatic() has a function of its own in each call */
	if (!makes_one_to_keep(execute_data) || (call->func->common.fn_flags & ZEND_ACC_CALL_VIA_TRAMPOLINE)) {
		return go_on(plain_convert, execute_data);
	}
	called = Z_TYPE(call->This) == IS_OBJECT ? Z_OBJCE(call->This) : Z_CE(call->This);
	zend_create_fake_closure(EX_VAR(EX(opline)->result.var), call->func, call->func->common.scope, called, NULL);
	if (ZEND_CALL_INFO(call) & ZEND_CALL_RELEASE_THIS) {
		OBJ_RELEASE(Z_OBJ(call->This));
	}
	EX(call) = call->prev_execute_data;
	zend_vm_stack_free_call_frame(call);
	EX(opline)++;
	return ZEND_USER_OPCODE_CONTINUE;
}

/* Not earlier: see weft_declarations_rinit(). */
void weft_cached_closures_rinit(void)
{
	static bool set;

	if (set) {
		return;
	}
	set = true;
	plain_lambda = zend_get_user_opcode_handler(ZEND_DECLARE_LAMBDA_FUNCTION);
	plain_convert = zend_get_user_opcode_handler(ZEND_CALLABLE_CONVERT);
	zend_set_user_opcode_handler(ZEND_DECLARE_LAMBDA_FUNCTION, before_lambda);
	zend_set_user_opcode_handler(ZEND_CALLABLE_CONVERT, before_convert);
}

#else

void weft_cached_closures_rinit(void)
{
}

#endif
