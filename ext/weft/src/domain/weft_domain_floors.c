/*
 * The floors above that keep something for a domain, and what they are told of it.
 */
#include "domain/weft_domain_floors.h"

#define MAX_HOOKS 4
static struct {
	weft_domain_holds_hook holds;
	weft_domain_end_hook end;
} end_hooks[MAX_HOOKS];
static weft_domain_enter_hook enter_hooks[MAX_HOOKS];
static uint32_t end_hook_count, enter_hook_count;

void weft_domain_on_end(weft_domain_holds_hook holds, weft_domain_end_hook end)
{
	ZEND_ASSERT(end_hook_count < MAX_HOOKS);
	end_hooks[end_hook_count].holds = holds;
	end_hooks[end_hook_count++].end = end;
}

bool weft_floors_hold(weft_domain *domain)
{
	for (uint32_t i = 0; i < end_hook_count; i++) {
		if (end_hooks[i].holds(domain)) {
			return true;
		}
	}
	return false;
}

void weft_floors_let_go(weft_domain *domain)
{
	for (uint32_t i = 0; i < end_hook_count; i++) {
		end_hooks[i].end(domain);
	}
}

void weft_domain_on_enter(weft_domain_enter_hook hook)
{
	ZEND_ASSERT(enter_hook_count < MAX_HOOKS);
	enter_hooks[enter_hook_count++] = hook;
}

void weft_floors_tell_entered(weft_domain *domain)
{
	for (uint32_t i = 0; i < enter_hook_count; i++) {
		enter_hooks[i](domain);
	}
}
