/*
 * The pool of threads for name look-ups: a queue, and up to WEFT_DNS_THREADS threads that empty it.
 */
#include "reactor/weft_dns.h"
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

/* The resolver and the NSS modules of glibc keep their buffers on the stack, up to some 64 KB at a time. */
#define WEFT_DNS_STACK (512 * 1024)

static struct {
	pthread_mutex_t lock;
	pthread_cond_t work;
	weft_dns_job *first, **last;
	unsigned queued, threads, idle;
	unsigned generation; /* grows at every stop: a thread of an older one ends without a word */
	uint64_t phase;
	unsigned
		running[2]; /* look-ups by the phase in which they began, the last bit of it; those of a stopped pool too */
} pool = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.work = PTHREAD_COND_INITIALIZER,
};

/* On the reactor's thread. */
static void job_completed(weft_completion *completion)
{
	weft_dns_job *job = (weft_dns_job *) ((char *) completion - offsetof(weft_dns_job, completion));

	job->done(job);
}

/* The process's locale is exchanged at switches, while the resolver may read it: threads have one that stays. */
static void use_own_locale(void)
{
	static locale_t own;

	if (!own) {
		own = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t) 0);
	}
	if (own) {
		uselocale(own);
	}
}

/* Called with the lock held; NULL when the thread is to end. */
static weft_dns_job *next_job(unsigned generation)
{
	while (pool.generation == generation && !pool.first) {
		pool.idle++;
		pthread_cond_wait(&pool.work, &pool.lock);
		if (pool.generation == generation) {
			pool.idle--;
		}
	}
	if (pool.generation != generation) {
		return NULL;
	}
	weft_dns_job *job = pool.first;
	pool.queued--;
	pool.first = job->next;
	if (!pool.first) {
		pool.last = &pool.first;
	}
	return job;
}

static void *thread_main(void *argument)
{
	unsigned generation = (unsigned) (uintptr_t) argument;
	weft_dns_job *job;

	pthread_mutex_lock(&pool.lock);
	use_own_locale();
	while ((job = next_job(generation))) {
		unsigned *running = &pool.running[pool.phase & 1];

		(*running)++;
		pthread_mutex_unlock(&pool.lock);
		job->work(job);
		pthread_mutex_lock(&pool.lock);
		(*running)--;
		/* Under the lock: once weft_dns_stop() has had it, nobody may touch the reactor any more. */
		if (pool.generation == generation) {
			weft_reactor_post(&job->completion);
		}
	}
	pthread_mutex_unlock(&pool.lock);
	return NULL;
}

/* Detached: nobody can wait for a thread that waits for a name server. Signals are for the PHP thread. */
static int start_thread(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t all, before;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, WEFT_DNS_STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&thread, &attributes, thread_main, (void *) (uintptr_t) pool.generation);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

int weft_dns_submit(weft_dns_job *job)
{
	int error = 0;

	job->completion.fire = job_completed;
	job->next = NULL;
	pthread_mutex_lock(&pool.lock);
	if (pool.queued >= pool.idle && pool.threads < WEFT_DNS_THREADS) {
		error = start_thread();
		if (error == 0) {
			pool.threads++;
		} else if (pool.threads > 0) {
			/* Those that run will get to it. */
			error = 0;
		}
	}
	if (error == 0) {
		weft_reactor_expect();
		if (!pool.first) {
			pool.last = &pool.first;
		}
		*pool.last = job;
		pool.last = &job->next;
		pool.queued++;
		pthread_cond_signal(&pool.work);
	}
	pthread_mutex_unlock(&pool.lock);
	return error;
}

/* A phase begins when no look-up of the one before the last runs: at most two are under way at any time. */
uint64_t weft_dns_phase(void)
{
	uint64_t phase;

	pthread_mutex_lock(&pool.lock);
	if (pool.running[(pool.phase + 1) & 1] == 0) {
		pool.phase++;
	}
	phase = pool.phase;
	pthread_mutex_unlock(&pool.lock);
	return phase;
}

static void forget_everything(void)
{
	pool.first = NULL;
	pool.last = &pool.first;
	pool.queued = pool.threads = pool.idle = 0;
	pool.generation++;
}

void weft_dns_stop(void)
{
	pthread_mutex_lock(&pool.lock);
	forget_everything();
	pthread_cond_broadcast(&pool.work);
	pthread_mutex_unlock(&pool.lock);
}

void weft_dns_after_fork(void)
{
	/* The parent's threads do not exist here, and one of them may have held the lock. */
	pthread_mutex_init(&pool.lock, NULL);
	pthread_cond_init(&pool.work, NULL);
	memset(pool.running, 0, sizeof(pool.running));
	forget_everything();
}
