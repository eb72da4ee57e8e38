/*
 * Most requests end with everything as the next one finds it, but for state in C. So a domain that ends is not left
 * for the base and freed, only to have another one made and the base left for that: it stays in place, renewed and
 * nobody's, and is the next one's. When something else is to be put in place, it is left and freed like any other.
 */
#include "domain/weft_domain_internal.h"
#include "domain/weft_quiet.h"
#include "domain/weft_memory.h"
#include "globals/weft_c_state.h"
#include "coroutine/weft_coroutine.h"
#include "coroutine/weft_cpu_time.h"
#include "coroutine/weft_errors.h"
#include "reactor/weft_reactor.h"

/* No slot can differ from the base's, and nothing is left that must be released with the domain in place. */
static bool is_as_new(weft_domain *domain)
{
	return weft_quiet_still() && !domain->values.used && !domain->destructibles.used && !domain->hidden &&
		!weft_hidden_count() && !domain->tables && !domain->request && !weft_domain_is_held(domain);
}

/* What it leaves behind of its memory is nobody's, that is the base's. */
static void renew(weft_domain *domain)
{
	weft_private_list values = domain->values;
	void *c_state = domain->c_state;

	weft_destructors_free(&domain->destructibles);
	weft_memory_leave(&domain->memory);
	weft_domain_base.memory += domain->memory;
	weft_c_state_renew(c_state);
	*domain = (weft_domain){.values = values, .c_state = c_state};
	weft_memory_enter(&domain->memory);
}

bool weft_domain_make_vacant(weft_domain *domain)
{
	int error_reporting = EG(error_reporting);
	weft_errors_state errors;

	if (!weft_base_state.taken || !is_as_new(domain)) {
		return false;
	}
	weft_cpu_time_close(&domain->cpu_time);
	weft_errors_quiet_begin(&errors);
	renew(domain);
	weft_errors_quiet_end(&errors);
	EG(error_reporting) = error_reporting;
	weft_base_undisturbed = weft_quiet_still();
	weft_quiet_end();
	weft_domain_is_vacant = true;
	return true;
}

weft_domain *weft_domain_take_vacant(void)
{
	weft_domain *domain = weft_domain_in_place;

	if (!weft_domain_is_vacant || UNEXPECTED(!weft_base_undisturbed)) {
		return NULL;
	}
	weft_domain_is_vacant = weft_base_undisturbed = false;
	weft_domain_begin_life(domain);
	weft_domain_tell_entered(domain);
	weft_base_state.stats.switches++;
	weft_cpu_time_begin(&domain->cpu_time, weft_now_noted());
	return domain;
}

void weft_domain_drop_vacant(weft_domain *domain)
{
	weft_domain_is_vacant = false;
	weft_domain_let_go(domain);
}
