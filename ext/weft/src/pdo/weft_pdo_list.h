/*
 * A list whose entries can leave it without a search: `next`, and `place`, the pointer that points at the entry.
 */
#ifndef WEFT_PDO_LIST_H
#define WEFT_PDO_LIST_H

#define WEFT_PDO_LIST_ADD(head, entry) \
	do { \
		(entry)->next = *(head); \
		(entry)->place = (head); \
		if ((entry)->next) { \
			(entry)->next->place = &(entry)->next; \
		} \
		*(head) = (entry); \
	} while (0)

#define WEFT_PDO_LIST_REMOVE(entry) \
	do { \
		*(entry)->place = (entry)->next; \
		if ((entry)->next) { \
			(entry)->next->place = (entry)->place; \
		} \
	} while (0)

#endif /* WEFT_PDO_LIST_H */
