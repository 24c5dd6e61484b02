/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of the server share; see sim/server/server.h. Everything but sim/server/server.h's own functions is
 * called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_PARTS_H
#define UMADRIG_SIM_SERVER_PARTS_H

#include <sys/epoll.h>

#include "lib/attach/protocol.h"
#include "lib/attach/spin.h"
#include "sim/fabric/fabric.h"
#include "sim/api/handle.h"
#include "sim/run/private-directory.h"
#include "sim/server/letter-queue.h"
#include "sim/server/server.h"

/* What a descriptor that epoll watches is. */
enum watch_kind {
	WATCH_LISTENER,
	WATCH_STOP,
	WATCH_TIMER,
	WATCH_CLIENT,
	WATCH_FILE,
	WATCH_ISSM,
	WATCH_BELL,
};

enum {
	/* That go in one system call; a stream's buffer of the kernel takes more (socket(7)). */
	SERVER_RECORDS = 64,
};

/* The first member of what belongs to a watched descriptor. */
struct watch {
	enum watch_kind kind;
	int fd;
};

struct server {
	struct umadrig_fabric *fabric;
	struct private_directory directory;
	char *socket_path;
	int epoll;
	struct watch listener, stop, timer;
	struct watch issm;		/* says when issm paths are opened; only with sysfs_views */
	bool is_deaf;			/* no descriptor is left: the listener is not watched */
	int64_t timer_due_ns;		/* CLOCK_MONOTONIC; TIME_NEVER: not armed */
	struct epoll_event *events;	/* room for all that is watched, twice; see step() */
	unsigned int events_room;	/* of each half */
	unsigned int watched;
	uint64_t last_serial;		/* of clients */
	struct server_client *clients;
	unsigned int client_count;
	struct server_client *awake;	/* with a ring that is looked at without its bell */
	struct attach_spin spin;	/* empty ones are looked at again; see sim/server/ring.c */
	struct attach_spin gather;	/* more is waited for; see there */
	int64_t spin_from_ns;		/* CLOCK_MONOTONIC; 0: they are not */
	uint32_t last_count;		/* of sends that were taken at once */
	bool has_napped;		/* since something was put into a ring that is awake */
	uint32_t m_key_changes;		/* of the fabric, when pages were last brought up to date */
	GHashTable *files;		/* cookie -> struct server_file *: look-up only */
	struct server_file *first_file;
	unsigned int file_count;
	bool was_used;
	char announced_session[ATTACH_SESSION_SIZE];	/* of server_announce(); "": none */
	bool is_bound;			/* socket_path is ours */
	GPtrArray *sysfs_views;		/* of struct sysfs_view *: those asked for */
	uint8_t *buffer;		/* a message in, or a reply out: ATTACH_REPLY_MAX */
	struct attach_record records[SERVER_RECORDS];
};

/* A connection: one thread of a program, or its ring. */
struct server_client {
	struct watch watch;
	struct server_client *next, **link;
	uint64_t serial;
	struct umadrig_host *host;	/* NULL before HELLO */
	char session[ATTACH_SESSION_SIZE];	/* of its HELLO; "": none */
	char watched_session[ATTACH_SESSION_SIZE];	/* ATTACH_WATCH; "": none */
	bool session_was_used;
	/* What belongs to its ring; 'ring' is NULL where it has none. */
	struct watch bell;
	struct attach_ring *ring;
	uint32_t taken, seen;		/* entries done with, and there when last looked */
	unsigned int skip_naps;		/* so often the bell is wanted at once */
	bool is_awake;
	bool is_heard;			/* the bell woke us in this step */
	bool is_malformed;		/* the ring: the client ends */
	struct server_client *next_awake;
};

/* An open handle. */
struct server_file {
	struct watch watch;		/* our end of its sockets */
	struct handle handle;
	struct server *server;
	struct server_file *next, **link;
	uint64_t cookie;
	uint64_t opener;		/* serial of the client that opened it */
	struct end_port *end;
	struct attach_page *page;	/* NULL: there was no memory, or descriptor, for one */
	int page_fd;
	uint64_t over_count;		/* sends that were counted as over */
	bool is_blocked;		/* its socket takes no more for now */
	bool is_ended;			/* end of file was written */
	struct letter_queue waiting;	/* for room in the socket, or put back */
};

/* What a call gives back. */
struct server_reply {
	int64_t result;
	const void *bytes;		/* behind the reply; valid until the next call */
	size_t size;
	int fd;				/* to go along, and to be closed then; -1: none */
};

/* ---- server.c ---- */

/* The host's view, which is made when first asked for. 0 or -errno. */
int server_sysfs_view(struct server *server, struct umadrig_host *host, const char **ret_path);

/* Watches a descriptor, or for other events, or no more. 0 or -errno. */
int server_watch(struct server *server, struct watch *watch, uint32_t events);
int server_watch_for(struct server *server, struct watch *watch, uint32_t events);
void server_unwatch(struct server *server, struct watch *watch);
/*
 * What happens at this instant happens, is shown, and what is to be read goes into the handles:
 * before anybody is told.
 */
void server_settle(struct server *server);

/* ---- sim/server/ring.c ---- */

/* Makes the ring of a client; 'bell' is taken over. '*ret_fd': its memory. 0 or -errno. */
int server_ring_open(struct server *server, struct server_client *client, int bell, int *ret_fd);
/* Sends what is in it, and takes it away. */
void server_ring_close(struct server *server, struct server_client *client);
/* The bell was rung. */
void server_ring_wake(struct server *server, struct server_client *client);
/* Notes how far rings are filled: what is put later is not taken by the next two. */
void server_rings_look(struct server *server);
/* Sends what was put before any send of 'file', and those: it is about to be closed. */
void server_rings_send_for(struct server *server, const struct server_file *file);
/* Sends all of it. */
void server_rings_send(struct server *server);
/* Ends the clients whose rings are not as they should be. */
void server_rings_check(struct server *server);
/* Do the rings hold nothing but what descriptors that have been looked at have told of? */
bool server_rings_are_told(const struct server *server);
/* How long the server may wait for its descriptors, as for epoll_wait(2). */
int server_rings_rest(struct server *server, int timeout_ms);

/* ---- sim/server/page.c ---- */

/* Memory of 'size' bytes to be shared, its size fixed, or NULL with errno. */
void *server_share(size_t size, int *ret_fd);

/* The file's page. */
void server_page_open(struct server_file *file);
void server_page_close(struct server_file *file);
/* The device is gone. */
void server_page_set_closed(struct server_file *file);
/*
 * Puts a plain record into the file's mailbox, where a thread waits there. What was to be read
 * before is in the socket, and has been read: an open mailbox says so. False: it goes into the
 * socket.
 */
bool server_page_post(struct server_file *file, const struct attach_record *record);
/* Something has been written into the file's socket, or it has ended: nobody waits for letters. */
void server_page_written(struct server_file *file);
/* A ring has ended: its process waits for no letter any more, and one that it has not read is lost
 * to it: true, and '*ret_record' is the next to be read by others. */
bool server_page_take_back(struct server_file *file, uint64_t serial,
			   struct attach_record *ret_record);
/* Its port's M_Key may have changed. */
void server_page_update(struct server_file *file);
/* What may be sent through the file with an agent id. */
void server_page_set_agent(struct server_file *file, uint32_t id, enum attach_agent agent);
/* As kmod_file_write(); 'is_counted': whoever sends has counted it in the page. */
long server_page_send(struct server_file *file, const uint8_t *umad, size_t size, bool is_counted);
/* handle.send_over of files. */
void server_page_send_over(struct handle *handle, uint64_t tid, uint8_t mgmt_class);

/* ---- sim/server/client.c ---- */

/* Closes the handles that were opened through a connection. */
void server_client_close_files(struct server *server, const struct server_client *client);
/* Ends a connection; with 'files': and the handles that were opened through it. */
void server_client_end(struct server *server, struct server_client *client, bool files);
/* Reads one message, does what it says, and replies. */
void server_client_serve(struct server *server, struct server_client *client);

/* ---- sim/server/call.c ---- */

/*
 * Does what a message of 'size' bytes says; 'fd' came along (-1: none) and stays the caller's. 0
 * and the reply, or -EPROTO: it is not a message as lib/attach/protocol.h has them.
 */
int server_call(struct server *server, struct server_client *client, const uint8_t *message,
		size_t size, int fd, struct server_reply *ret_reply);

/* ---- sim/server/console.c ---- */

/*
 * Does what a line of the console says for a client: its result, and the text in the reply. As
 * server_call().
 */
int server_console(struct server *server, const struct server_client *client, const char *line,
		   struct server_reply *ret_reply);

/* ---- sim/server/file.c ---- */

/* Opens a umad file on 'end' for a client; '*ret_fd': the program's end. 0 or -errno. */
int server_file_open(struct server *server, struct end_port *end,
		     const struct server_client *client, int *ret_fd);
/* The handle of a cookie, or NULL. */
struct server_file *server_file_find(const struct server *server, uint64_t cookie);
/* Its descriptor said 'events'. */
void server_file_event(struct server *server, struct server_file *file, uint32_t events);
/* Closes: agents, outstanding sends and unread MADs go. */
void server_file_close(struct server *server, struct server_file *file);
/*
 * What a reader had taken and gives back comes next. Takes over 'memfd' (-1: none). 'size' bytes,
 * at most ATTACH_HEAD_SIZE.
 */
void server_file_put_back(struct server_file *file, const uint8_t *bytes, size_t size, int memfd);
/* A ring has ended: what its process had in mailboxes, and has not read, is for others. */
void server_files_take_back(struct server *server, uint64_t serial);

#endif
