/*
 * Asks for an interrupt wherever the VM would look at one, or from a thread when code of the JIT leaves no such
 * place, and takes the turn from whoever runs at some of them.
 */
#include "coroutine/weft_stress.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_preempt.h"
#include "php_weft.h"
#include "php_ini.h"
#include "weft_compat.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* How long code of the JIT runs between two interrupts. */
#define TICK_NANOSECONDS 20000

static void (*plain_interrupt)(zend_execute_data *execute_data);
static zend_long left; /* interrupts until the next switch */
static uint64_t random_state;
static bool ticking;    /* interrupts come from a thread instead of from opcode handlers */
static pid_t ticker_of; /* the process that has the thread: fork() does not copy it */
static pthread_t ticker;
static sem_t wanted_ticks;
static atomic_bool ended;

/* What may be followed by a look at EG(vm_interrupt): jumps, the comparisons that jump themselves, calls, returns.
 * An interrupt can't ask for the next one: the VM looks again before it goes on, and would be back at once. Nor can the
 * end of a finally block (ZEND_FAST_RET), where PHP 8.4 looks before it goes on and comes back to the same place. */
static const zend_uchar arming[] = {ZEND_JMP, ZEND_JMPZ, ZEND_JMPNZ, ZEND_JMPZ_EX, ZEND_JMPNZ_EX, ZEND_JMP_SET,
	ZEND_JMP_NULL, ZEND_COALESCE, ZEND_IS_EQUAL, ZEND_IS_NOT_EQUAL, ZEND_IS_IDENTICAL, ZEND_IS_NOT_IDENTICAL,
	ZEND_IS_SMALLER, ZEND_IS_SMALLER_OR_EQUAL, ZEND_CASE, ZEND_CASE_STRICT, ZEND_TYPE_CHECK, ZEND_INSTANCEOF,
	ZEND_IN_ARRAY, ZEND_ARRAY_KEY_EXISTS, ZEND_ISSET_ISEMPTY_CV, ZEND_ISSET_ISEMPTY_VAR, ZEND_ISSET_ISEMPTY_DIM_OBJ,
	ZEND_ISSET_ISEMPTY_PROP_OBJ, ZEND_ISSET_ISEMPTY_STATIC_PROP, ZEND_BOOL, ZEND_FE_RESET_R, ZEND_FE_RESET_RW,
	ZEND_FE_FETCH_R, ZEND_FE_FETCH_RW, ZEND_SWITCH_LONG, ZEND_SWITCH_STRING, ZEND_MATCH, ZEND_CATCH, ZEND_FAST_CALL,
	ZEND_DO_FCALL, ZEND_DO_ICALL, ZEND_DO_UCALL, ZEND_DO_FCALL_BY_NAME, ZEND_NEW, ZEND_CALLABLE_CONVERT,
	ZEND_INCLUDE_OR_EVAL, ZEND_RETURN, ZEND_RETURN_BY_REF, ZEND_GENERATOR_CREATE, ZEND_GENERATOR_RETURN, ZEND_YIELD,
	ZEND_YIELD_FROM};
static user_opcode_handler_t plain_handlers[256];

/* Steps of N; with a seed from 1 to 2N - 1, N in the mean. */
static zend_long next_distance(void)
{
	uint64_t z;

	if (!WEFT_G(stress_seed)) {
		return WEFT_G(stress);
	}
	/* splitmix64 */
	z = (random_state += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return 1 + (zend_long) (z % (uint64_t) (2 * WEFT_G(stress) - 1));
}

static void *run_ticker(void *unused)
{
	const struct timespec pause = {.tv_nsec = TICK_NANOSECONDS};

	while (!ended) {
		if (sem_wait(&wanted_ticks) == 0) {
			nanosleep(&pause, NULL);
			WEFT_SET_VM_INTERRUPT();
		}
	}
	return NULL;
}

/* Signals are for the thread that runs PHP. */
static void start_ticker(void)
{
	sigset_t all, before;

	sem_init(&wanted_ticks, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&ticker, NULL, run_ticker, NULL) == 0) {
		ticker_of = getpid();
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_ticker(void)
{
	if (ticker_of == getpid()) {
		ended = true;
		sem_post(&wanted_ticks);
		pthread_join(ticker, NULL);
	}
}

static void stress_on_interrupt(zend_execute_data *execute_data)
{
	if (plain_interrupt) {
		plain_interrupt(execute_data);
	}
	if (ticking) {
		sem_post(&wanted_ticks);
	}
	if (--left <= 0 && weft_may_preempt(execute_data)) {
		left = next_distance();
		weft_preempt();
	}
}

static int on_opcode(zend_execute_data *execute_data)
{
	user_opcode_handler_t plain = plain_handlers[EX(opline)->opcode];

	WEFT_SET_VM_INTERRUPT();
	return plain ? plain(execute_data) : ZEND_USER_OPCODE_DISPATCH;
}

/* OPcache does not compile when there are opcode handlers. */
static bool has_jit(void)
{
	const char *buffer = zend_ini_string("opcache.jit_buffer_size", sizeof("opcache.jit_buffer_size") - 1, 0);

	if (!buffer) {
		/* OPcache's directives are registered after ours */
		(void) cfg_get_string("opcache.jit_buffer_size", (char **) &buffer);
	}
	return buffer && ZEND_STRTOL(buffer, NULL, 10) > 0;
}

static void ask_for_interrupts(void)
{
	ticking = has_jit();
	for (size_t i = 0; !ticking && i < sizeof(arming); i++) {
		plain_handlers[arming[i]] = zend_get_user_opcode_handler(arming[i]);
		zend_set_user_opcode_handler(arming[i], on_opcode);
	}
}

void weft_stress_start(void)
{
	if (!ticking) {
		return;
	}
	if (ticker_of != getpid()) {
		start_ticker();
	}
	WEFT_SET_VM_INTERRUPT();
}

/* Its mistakes would be taken for ours. Here, because OPcache's directives are registered after ours. */
static void refuse_function_jit(void)
{
	if (!weft_interrupts_are_harmless()) {
		zend_error_noreturn(E_CORE_ERROR,
			"weft.stress can't be used with OPcache's function JIT, which goes on wrongly after an interrupt in a "
			"loop. "
			"Use opcache.jit=tracing, or opcache.jit_buffer_size=0");
	}
}

void weft_stress_rinit(void)
{
	if (WEFT_G(stress)) {
		refuse_function_jit();
		weft_stress_start();
	}
}

void weft_stress_minit(void)
{
	if (!WEFT_G(stress)) {
		return;
	}
	random_state = (uint64_t) WEFT_G(stress_seed);
	left = next_distance();
	plain_interrupt = zend_interrupt_function;
	zend_interrupt_function = stress_on_interrupt;
	ask_for_interrupts();
}

void weft_stress_mshutdown(void)
{
	if (zend_interrupt_function != stress_on_interrupt) {
		return;
	}
	end_ticker();
	zend_interrupt_function = plain_interrupt;
	for (size_t i = 0; !ticking && i < sizeof(arming); i++) {
		zend_set_user_opcode_handler(arming[i], plain_handlers[arming[i]]);
	}
}
