/*
 * A list whose entries can leave it without a search: `next`, and `place`, the pointer that points at the entry. An
 * entry of two lists names its other pair of fields.
 */
#ifndef WEFT_PDO_LIST_H
#define WEFT_PDO_LIST_H

#define WEFT_PDO_LIST_ADD_BY(head, entry, next, place) \
	do { \
		(entry)->next = *(head); \
		(entry)->place = (head); \
		if ((entry)->next) { \
			(entry)->next->place = &(entry)->next; \
		} \
		*(head) = (entry); \
	} while (0)

#define WEFT_PDO_LIST_REMOVE_BY(entry, next, place) \
	do { \
		*(entry)->place = (entry)->next; \
		if ((entry)->next) { \
			(entry)->next->place = (entry)->place; \
		} \
	} while (0)

#define WEFT_PDO_LIST_ADD(head, entry) WEFT_PDO_LIST_ADD_BY(head, entry, next, place)
#define WEFT_PDO_LIST_REMOVE(entry) WEFT_PDO_LIST_REMOVE_BY(entry, next, place)

#endif /* WEFT_PDO_LIST_H */
