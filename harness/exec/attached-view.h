/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What an existing server shows of a host in /sys/class: the server's own files where they can be
 * seen, and otherwise a copy of them, in a directory of this process.
 */
#ifndef UMADRIG_HARNESS_EXEC_ATTACHED_VIEW_H
#define UMADRIG_HARNESS_EXEC_ATTACHED_VIEW_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>

#include "sim/system/private-directory.h"

struct view_copy;

/* Zeros: none. */
struct attached_view {
	char *path;		/* where infiniband and infiniband_mad are */
	struct view_copy *copy;	/* NULL: it is the server's */
	struct private_directory directory;	/* of the copy */
	pthread_t thread;	/* keeps it up to date */
	bool has_thread;
	int stop;		/* an eventfd that ends the thread */
};

/*
 * Asks the server at 'socket_path', through the connection 'fd' of that host. False with
 * COMMAND_REFUSED, and nothing to be ended.
 */
bool attached_view_begin(struct attached_view *view, int fd, const char *socket_path,
			 const char *host, GError **error);
/* From now on threads may be made: a copy is kept up to date. */
void attached_view_follow(struct attached_view *view);
void attached_view_end(struct attached_view *view);

#endif
