/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The clients of a server: each is a connection of a program's thread, or of its ring. All
 * functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_CLIENT_H
#define UMADRIG_SIM_SERVER_CLIENT_H

#include <sys/types.h>

#include "lib/attach/protocol.h"
#include "sim/server/account.h"
#include "sim/server/served-fabric.h"
#include "sim/server/server-ring.h"
#include "sim/server/watch.h"

struct server_client {
	struct watch watch;
	struct server_client *next, **link;
	uint64_t serial;
	struct server_account *account;	/* of its process */
	struct umadrig_host *host;	/* NULL before HELLO */
	char session[ATTACH_SESSION_SIZE];	/* of its HELLO; "": none */
	char watched_session[ATTACH_SESSION_SIZE];	/* ATTACH_WATCH; "": none */
	bool session_was_used;
	bool awaits_changes;		/* ATTACH_SYSFS_CHANGES has no reply so far */
	uint64_t changes_since;
	struct server_ring ring;	/* ring.shared is NULL if it has none */
	struct guest_call *guest_call;	/* its program in a guest (sim/server/guest-call.h); NULL */
};

struct server_clients {
	struct served_fabric *served;
	struct server_rings *rings;
	struct watch_set *watches;
	struct server_accounts accounts;
	bool has_turned_away;		/* a connection was refused; reported once */
	bool has_refused_message;	/* one was too large; reported once */
	struct server_client *first;	/* newest first */
	unsigned int count;
	unsigned int awaiting;		/* those with 'awaits_changes' */
	uint64_t last_serial;
	bool was_used;			/* a program has looked at devices */
	char announced_session[ATTACH_SESSION_SIZE];	/* of server_announce(); "": none */
	char disregarded_session[ATTACH_SESSION_SIZE];	/* of server_disregard(); "": none */
	/* char * -> GINT_TO_POINTER(bool): of server_expect(), used or not; look-up only */
	GHashTable *expected_sessions;
	uint8_t *buffer;		/* a message in, or a reply out: ATTACH_REPLY_MAX */
};

/* A new client on a connected socket, which is taken over. 0 or -errno. */
int server_client_admit(struct server_clients *clients, int fd);
/* Ends a connection; with 'files' also the handles that were opened through it. */
void server_client_end(struct server_clients *clients, struct server_client *client, bool files);

/* The invariants of the clients and their rings between two steps: lib/base/invariant.h. */
const char *server_clients_check(const struct server_clients *clients);

/* Is it of a user that is neither the server's own nor root? */
bool server_client_is_guest(const struct server_client *client);
/* The process that connected; 0: it is not visible. */
pid_t server_client_pid(const struct server_client *client);

/* A program of the session has looked at devices: notes it for those that wait for that. */
void server_clients_note_use(struct server_clients *clients, const char *session);

#endif
