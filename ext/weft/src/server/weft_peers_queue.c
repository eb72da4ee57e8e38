/*
 * What is to be published, in order.
 */
#ifdef WEFT_REDIS

#include "server/weft_peers_internal.h"

#include <stdlib.h>
#include <string.h>

/* Bytes under way to Redis: what it has not answered goes again on another connection. */
#define UNDER_WAY 262144

void weft_publications_init(weft_publications *queue, size_t room)
{
	*queue = (weft_publications){.room = room};
	queue->end = &queue->first;
}

/* The link to the first that has not gone. */
static weft_publication **unsent_link(weft_publications *queue)
{
	weft_publication **link = &queue->first;

	while (*link != queue->unsent) {
		link = &(*link)->next;
	}
	return link;
}

static void drop(weft_publications *queue, weft_publication **link)
{
	weft_publication *publication = *link;

	*link = publication->next;
	if (*link == NULL) {
		queue->end = link;
	}
	if (queue->unsent == publication) {
		queue->unsent = publication->next;
	}
	queue->bytes -= publication->length;
	free(publication);
}

bool weft_publications_add(weft_publications *queue, const weft_operation *message)
{
	weft_publication *publication = malloc(sizeof(*publication) + message->length);
	bool kept = true;

	if (publication == NULL) {
		return false;
	}
	publication->next = NULL;
	publication->length = message->length;
	memcpy(publication->bytes, message->bytes, message->length);
	*queue->end = publication;
	queue->end = &publication->next;
	queue->bytes += message->length;
	if (queue->unsent == NULL) {
		queue->unsent = publication;
	}
	while (queue->bytes > queue->room && queue->unsent != publication) {
		drop(queue, unsent_link(queue));
		kept = false;
	}
	return kept;
}

const weft_publication *weft_publications_next(weft_publications *queue)
{
	weft_publication *next = queue->unsent;

	if (next == NULL || queue->under_way > UNDER_WAY) {
		return NULL;
	}
	queue->under_way += next->length;
	queue->unsent = next->next;
	return next;
}

void weft_publications_arrived(weft_publications *queue)
{
	if (queue->first != NULL && queue->first != queue->unsent) {
		queue->under_way -= queue->first->length;
		drop(queue, &queue->first);
	}
}

void weft_publications_again(weft_publications *queue)
{
	queue->unsent = queue->first;
	queue->under_way = 0;
}

void weft_publications_free(weft_publications *queue)
{
	weft_publications_again(queue);
	while (queue->first != NULL) {
		drop(queue, &queue->first);
	}
}

#endif /* WEFT_REDIS */
