/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The open handles of a server: a umad file, its page, and a socket pair of which the program has
 * one end. What can be read from the file is written into our end while there is room; the rest
 * stays in the file's own queue. All functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_FILE_H
#define UMADRIG_SIM_SERVER_FILE_H

#include "sim/host/handle.h"
#include "sim/server/account.h"
#include "sim/server/large-letter.h"
#include "sim/server/letter-queue.h"
#include "sim/server/lockstep.h"
#include "sim/server/page.h"
#include "sim/server/watch.h"

enum {
	/* In one system call; the kernel's buffer of a stream takes more (socket(7)). */
	SERVER_RECORDS = 64,
};

struct server_file {
	struct watch watch;		/* our end of its sockets */
	struct handle handle;
	struct server_files *files;
	struct server_file *next, **link;
	uint64_t token;			/* by which programs name it */
	uint64_t cookie;		/* by which programs in virtual time wait for it */
	uint64_t opener;		/* serial of the client that opened it */
	struct server_account *account;	/* of the opener's process; others may share it */
	struct server_page page;
	bool is_blocked;		/* its socket takes no more for now */
	bool is_ended;			/* end of file was written */
	struct letter_queue waiting;	/* for room in the socket, or put back */
	struct large_letter large;	/* the next message, not complete yet */
	struct attach_record large_head;
	uint32_t large_size;
};

struct server_files {
	struct umadrig_fabric *fabric;
	struct server_lockstep *lockstep;	/* programs are in virtual time; or NULL */
	struct watch_set *watches;
	GHashTable *by_token;		/* token -> struct server_file *: look-up only */
	struct server_file *first;
	unsigned int count;
	bool slices;			/* large messages are read by server_files_go_on() */
	unsigned int large;		/* how many of the files have such a message */
	struct attach_record records[SERVER_RECORDS];	/* scratch space */
};

/* Both outlive the files. */
void server_files_init(struct server_files *files, struct umadrig_fabric *fabric,
		       struct watch_set *watches);
/* Closes all of them. */
void server_files_clear(struct server_files *files);

/*
 * Opens a umad file on 'end' for the client 'opener', whose 'account' outlives it; '*ret_fd': the
 * program's end. 0 or -errno.
 */
int server_file_open(struct server_files *files, struct end_port *end, uint64_t opener,
		     struct server_account *account, int *ret_fd);
/* Closes the file: agents, outstanding sends and unread MADs are gone. */
void server_file_close(struct server_file *file);
/* Closes the files that the client 'opener' opened. */
void server_files_close_of(struct server_files *files, uint64_t opener);
/* The file of a token, or NULL. */
struct server_file *server_file_find(const struct server_files *files, uint64_t token);

/* As server_page_send(). */
long server_file_send(struct server_file *file, const uint8_t *umad, size_t size, bool is_counted,
		      struct kmod_loan *loan);
/*
 * Takes a record back from a reader; it will be the next to be read. Takes over 'memfd' (-1: none).
 * 'size' bytes, at most ATTACH_HEAD_SIZE.
 */
void server_file_put_back(struct server_file *file, const uint8_t *bytes, size_t size, int memfd);
/*
 * A slice of each large message that is being read. To be called by a server of its own fabric in
 * real time, which sets 'slices', in each step while 'large' is not 0.
 */
void server_files_go_on(struct server_files *files);
/* Writes again: the socket may have room now. */
void server_file_flush(struct server_file *file);

/* The invariants of all files between two steps: lib/base/invariant.h. */
const char *server_files_check(const struct server_files *files);

/* The ring 'serial' has ended: what its process left unread in mailboxes goes to other readers. */
void server_files_take_back(struct server_files *files, uint64_t serial);
/* To be called when M_Keys may have changed. */
void server_files_update_pages(struct server_files *files);

#endif
