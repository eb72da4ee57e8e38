/*
 * What the parts of the rooms know of each other. Private to them.
 */
#ifndef WEFT_ROOMS_INTERNAL_H
#define WEFT_ROOMS_INTERNAL_H

#include "http/ws/weft_hashed.h"
#include "http/ws/weft_rooms.h"
#include "http/ws/weft_ws.h"
#include "coroutine/weft_coroutine.h"

typedef struct weft_ws_room weft_ws_room;
typedef struct weft_ws_member weft_ws_member;
typedef struct weft_ws_node_known weft_ws_node_known;

/* A socket in a room: there may be millions. */
typedef struct weft_room_place weft_room_place;
struct weft_room_place {
	weft_ws *socket;
	weft_ws_room *room;
	weft_room_place *next, **link; /* of the room */
	weft_room_place *next_of_socket;
	bool member;  /* all workers have been told of it */
	bool pending; /* and this one has not heard it yet: nothing is delivered */
};

struct weft_ws_room {
	weft_hashed hashed;
	weft_ws_room *next, **link; /* of all */
	weft_room_place *places;
	weft_room_place *next_visited;          /* while each is visited */
	weft_ws_member *members, **members_end; /* in the order in which they have joined */
	uint32_t sockets;                       /* those pending left out */
	uint32_t held;                          /* by so many, for whom it must not be freed */
	uint16_t length;
	char name[];
};

struct weft_ws_member {
	weft_hashed hashed;
	weft_ws_room *room;
	weft_ws_member *next, **link; /* of the room */
	uint32_t sockets;             /* in all workers */
	uint32_t lengths[4];
	char bytes[]; /* name, about, joined, left */
};

/* A member's socket, in whichever worker. */
typedef struct weft_presence weft_presence;
struct weft_presence {
	weft_hashed hashed;
	weft_ws_member *member;
	weft_ws_node_known *node;
	uint64_t serial;
	bool doubtful;               /* its node is to tell of it again */
	weft_presence *next, **link; /* of the node, the eldest first */
};

/* Whose members leave, in this and the following rounds. */
typedef enum {
	WEFT_NODE_STAYS = 0,
	WEFT_NODE_HAS_TOLD, /* again: the doubtful ones leave */
	WEFT_NODE_GONE      /* all leave */
} weft_node_leaving;

struct weft_ws_node_known {
	uint32_t number;
	bool told; /* this worker has heard of all its members */
	weft_node_leaving leaving;
	weft_presence *next_to_leave;
	weft_presence *presences, **end;
	weft_ws_node_known *next;
};

/* --- weft_rooms.c --- */
extern weft_ws_room *weft_rooms_all;
/* NULL: there is none of that name. */
weft_ws_room *weft_rooms_find(weft_bytes name);
weft_ws_room *weft_rooms_find_or_make(weft_bytes name);
/* When nobody is in it and nobody holds it. */
void weft_rooms_drop_empty(weft_ws_room *room);
/* This worker has heard that its member is in the room. */
void weft_rooms_place_heard(weft_room_place *place);
/* From now on each place is visited, also while sockets leave the room and come: those places are left out. It must be
 * held, and one visits at a time. */
void weft_rooms_visit_places(weft_ws_room *room);
/* The next one that has been heard, or NULL: that was all. */
weft_room_place *weft_rooms_next_place(weft_ws_room *room);
void weft_rooms_close_everything(uint16_t code, const char *reason);

/* --- weft_rooms_publish.c --- */
void weft_rooms_apply_publish(uint32_t node, weft_operation_reader *reader);
void weft_rooms_apply_close(weft_operation_reader *reader);
/* A text to all in the room but one. */
void weft_rooms_announce(weft_ws_room *room, weft_bytes text, weft_rooms_except except);

/* --- weft_rooms_deliver.c --- */
/* Begins. The rooms, each of which was held, and their list are taken over. None must be under way. */
void weft_rooms_deliver(weft_ws_room **rooms, uint32_t count, weft_bytes text, bool binary,
	const weft_rooms_except *except);
/* Begins. The reason has WEFT_WS_REASON_LONGEST bytes at most. None must be under way. */
void weft_rooms_close_sockets(weft_ws_room *room, uint16_t code, weft_bytes reason);
/* One turn. True: nothing is under way any more. */
bool weft_rooms_deliver_on(void);
void weft_rooms_deliver_all(void);

/* --- weft_presence.c --- */
void weft_presence_apply_join(uint32_t node, weft_operation_reader *reader);
void weft_presence_apply_leave(uint32_t node, weft_operation_reader *reader);
/* Which of a node's are still there is told again; those that were not leave then. */
void weft_presence_doubt(weft_ws_node_known *node);
/* It leaves. When it was the member's last, the room is told. */
void weft_presence_drop(weft_presence *presence);
/* The operation that says of it. */
void weft_presence_write(weft_operation *operation, const weft_presence *presence);
void weft_presence_write_join(weft_operation *operation, weft_bytes room, uint64_t serial,
	const weft_rooms_member *about);

/* --- weft_rooms_nodes.c --- */
weft_ws_node_known *weft_nodes_find(uint32_t number);
weft_ws_node_known *weft_nodes_first(void);
/* It has been heard of without having come: as one that has. */
weft_ws_node_known *weft_nodes_find_or_make(uint32_t number);
/* One turn: what is under way is delivered, then the next member of a node that is gone leaves, which the room is told,
 * and so on. True: nothing is left to do. */
bool weft_nodes_go_on(void);
void weft_nodes_apply_members_sent(uint32_t node);
/* Waits until all nodes have told of their members, or there was time enough. */
weft_rooms_result weft_nodes_wait_for_members(void);
void weft_nodes_forget_all(void);

/* --- weft_rooms_jobs.c --- */
/* Something that sends much, piece by piece, while there is room. */
typedef struct weft_rooms_job weft_rooms_job;
struct weft_rooms_job {
	bool (*step)(weft_rooms_job *job); /* sends a piece; false: that was the last */
	uint32_t to;
	uint64_t question;
	weft_presence *presence; /* the next one to be sent */
	weft_ws_room *room;      /* the next one to be counted */
	weft_operation prefix;
	weft_rooms_job *next;
};
weft_rooms_job *weft_rooms_job_new(bool (*step)(weft_rooms_job *job), uint32_t to);
void weft_rooms_jobs_go_on(void);
/* Those are about to go: who has them next takes what follows. */
void weft_rooms_jobs_skip_presence(const weft_presence *presence);
void weft_rooms_jobs_skip_room(const weft_ws_room *room);
void weft_rooms_jobs_drop(uint32_t to);

/* --- weft_rooms_count.c --- */
void weft_rooms_apply_count(uint32_t node, weft_operation_reader *reader);
void weft_rooms_apply_count_room(uint32_t node, weft_operation_reader *reader);
void weft_rooms_apply_counted(uint32_t node, weft_operation_reader *reader);
/* Who waits for its answer waits in vain. 0: for all of them. */
void weft_rooms_count_without(uint32_t node);

/* --- weft_rooms_send.c --- */
bool weft_rooms_begun(void);
/* Returns the number of the operation, for what follows. */
uint64_t weft_rooms_send(uint32_t to, const weft_operation *operation);
/* While too much is under way. */
weft_rooms_result weft_rooms_wait_for_room(void);
bool weft_rooms_has_room(void);
/* Until this worker has applied its own operation of that number. */
weft_rooms_result weft_rooms_wait_for(uint64_t number);
/* What is to be done when it is applied. */
void weft_rooms_expect(uint64_t number, weft_room_place *place);
void weft_rooms_expect_no_more(const weft_room_place *place);

/* --- weft_rooms_wait.c --- */
/* Those who wait for one thing. */
typedef struct weft_rooms_waiter weft_rooms_waiter;
typedef struct {
	weft_rooms_waiter *first, **end;
} weft_rooms_line;
/* Suspends until the line is woken for this number, or until the deadline (0: none), which is as good. Later ones have
 * no lower numbers. Must only be called when weft_can_suspend(). */
weft_rooms_result weft_rooms_wait(weft_rooms_line *line, uint64_t number, uint64_t deadline);
/* Those in front that wait for this number, or a lower one. */
void weft_rooms_wake(weft_rooms_line *line, uint64_t number);

/* --- weft_rooms_config.c --- */
uint32_t weft_rooms_most(void);

#endif /* WEFT_ROOMS_INTERNAL_H */
