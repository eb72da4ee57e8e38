/*
 * Ends a domain's part of the database in the order in which one needs the other.
 */
#include "pdo/weft_pdo_domain.h"
#include "pdo/weft_pdo_driver.h"
#include "pdo/weft_pdo_handle.h"
#include "pdo/weft_pdo_lease.h"
#include "pdo/weft_pdo_view.h"
#include "coroutine/weft_cpu_time.h"
#include "domain/weft_domain.h"

static weft_pdo_link *leased_to(const void *domain)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (link->handle && link->domain == domain && link->generation == weft_pdo_generation()) {
			return link;
		}
	}
	return NULL;
}

static bool has_statements_of(const void *domain)
{
	for (weft_pdo_link *link = weft_pdo_links; link; link = link->next) {
		if (weft_pdo_statements_of(link, domain)) {
			return true;
		}
	}
	return false;
}

static void end_lease_of_domain(weft_pdo_link *link)
{
	if (!link->pool && !weft_snapshot_taken()) {
		link->domain = NULL;
		return;
	}
	weft_pdo_lease_finish(link);
}

static void pdo_domain_ends(weft_domain *domain)
{
	weft_pdo_link *link;

	for (link = weft_pdo_links; link;) {
		if (weft_pdo_statements_of(link, domain) && (link->pool || weft_snapshot_taken())) {
			weft_pdo_statements_finish_domain(link, domain);
			link = weft_pdo_links; /* it may have waited */
		} else {
			link = link->next;
		}
	}
	while ((link = leased_to(domain))) {
		end_lease_of_domain(link);
	}
	weft_pdo_view_end(domain);
	weft_pdo_handle_close_all(domain);
}

static bool pdo_domain_holds(weft_domain *domain)
{
	return leased_to(domain) || has_statements_of(domain) || weft_pdo_view_exists(domain) ||
		weft_pdo_handle_exists(domain);
}

void weft_pdo_domain_sends(void)
{
	weft_domain_queries_in_place()->count++;
}

uint64_t weft_pdo_domain_waits(void)
{
	uint64_t now = weft_domain_in_place ? weft_now() : 0;

	if (now) {
		weft_domain_queries_in_place()->open++;
		weft_domain_queries_in_place()->begun += now;
	}
	return now;
}

/* Who has waited goes on at a moment for which the clock was read already. */
void weft_pdo_domain_has_waited(uint64_t since)
{
	weft_domain_queries *queries = weft_domain_queries_in_place();
	uint64_t went_on;

	if (since && weft_domain_in_place) {
		went_on = weft_cpu_time_went_on();
		queries->open--;
		queries->begun -= since;
		queries->time += (went_on > since ? went_on : weft_now()) - since;
	}
}

void weft_pdo_domain_minit(void)
{
	weft_domain_on_end(pdo_domain_holds, pdo_domain_ends);
}

void weft_pdo_domain_rshutdown(void)
{
	weft_pdo_link *link;

	for (link = weft_pdo_links; link;) {
		weft_pdo_link *next = link->next;

		link->references++;
		weft_pdo_statements_finish_all(link);
		if (link->handle) {
			link->broken = true;
			weft_pdo_give_back(link);
		}
		weft_pdo_link_release(link);
		link = next;
	}
}
