/*
 * Who has a descriptor open, and how many each may have. An owner is an address that means nothing here (the floors
 * above give a request's domain); a descriptor without one is the server's own and counts nowhere.
 *
 * A count falls with weft_fd_forget(), which every close passes that is seen. One that is not seen is noticed before an
 * owner is refused: then the kernel is asked which of the numbers are still open.
 */
#ifndef WEFT_FD_OWNERS_H
#define WEFT_FD_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

/* What all owners may have open together, and what one may. 0, as at first: no limit. */
void weft_fd_owners_limit(uint32_t all, uint32_t one);
/* Whether this owner may open so many more. */
bool weft_fd_may_own(const void *owner, uint32_t more);
/* Says so in the log, once in a while. */
void weft_fd_refused(const void *owner);
/* The descriptor is this owner's from now on. The number has just been given out: weft_fd_forget() came before. */
void weft_fd_own(int fd, const void *owner);
/* The address is about to be somebody else's. What is still open counts among all until it is closed. */
void weft_fd_owner_ends(const void *owner);
uint32_t weft_fd_owned_by(const void *owner);
uint32_t weft_fd_owned_by_all(void);

/* The table's: the entry's descriptor is closed. */
typedef struct weft_fd_owner weft_fd_owner;
void weft_fd_give_back(weft_fd_owner *owner);

#endif /* WEFT_FD_OWNERS_H */
