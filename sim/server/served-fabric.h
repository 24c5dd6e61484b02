/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric of a server, with what programs see of it: handles and views of /sys/class.
 */
#ifndef UMADRIG_SIM_SERVER_SERVED_FABRIC_H
#define UMADRIG_SIM_SERVER_SERVED_FABRIC_H

#include "sim/fabric/fabric.h"
#include "sim/server/errands.h"
#include "sim/server/event-socket.h"
#include "sim/server/file.h"
#include "sim/server/log-file.h"
#include "sim/server/lockstep.h"
#include "sim/server/sysfs-views.h"
#include "sim/server/watch.h"
#include "sim/system/private-directory.h"

struct served_fabric {
	struct umadrig_fabric *fabric;
	bool is_borrowed;		/* it has another owner; a real clock has a thread */
	struct private_directory directory;	/* only its user may enter; has the issm paths */
	struct server_files files;
	struct log_files logs;
	struct event_sockets events;
	struct sysfs_views views;
	struct server_lockstep *lockstep;	/* programs are in virtual time; or NULL */
	struct lockstep_owner *owner;		/* and the server's owner is, too; or NULL */
	struct server_errands *errands;		/* those of programs; NULL: nobody knows of these */
	uint32_t m_key_changes;		/* the fabric's count when pages were last updated */
};

/*
 * Loads the fabric of 'spec' (as umadrig_fabric_open() does) and makes the directory. 'watches'
 * outlives it. 0, or -errno with a message and with nothing to be cleared.
 */
int served_fabric_init(struct served_fabric *served, const char *spec, struct watch_set *watches,
		       char *reterr, size_t reterr_size);
/*
 * From now on programs are in virtual time: to be called before there are any, for a fabric of
 * clock=virtual. 0, or -EINVAL with a message.
 */
int served_fabric_lockstep(struct served_fabric *served, const struct lockstep_wishes *wishes,
			   char *reterr, size_t reterr_size);
/*
 * The same as served_fabric_init() for a fabric that its owner keeps; a real clock has a thread.
 * Any thread may enter it: what programs see is updated whenever one leaves.
 */
int served_fabric_borrow(struct served_fabric *served, struct umadrig_fabric *fabric,
			 struct watch_set *watches, char *reterr, size_t reterr_size);
/* Closes all handles, and removes the directory. Lock not held. Returns what fabric_free() does. */
int served_fabric_clear(struct served_fabric *served);

/*
 * The host of a name ("": the default), with the banner in 'text' (at most 'size' bytes); NULL with
 * the reason there. Lock held.
 */
struct umadrig_host *served_fabric_host(struct served_fabric *served, const char *name, char *text,
					size_t size);

/*
 * Runs the events of this instant, updates the views, and writes what can be read into the handles.
 * To be called before any reply is sent. Lock held.
 */
void served_fabric_settle(struct served_fabric *served);

#endif
