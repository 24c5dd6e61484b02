/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that close descriptors which came from others.
 *
 * The last close(2) of a file may wait: a socket with SO_LINGER for its peer, a file of FUSE for
 * its daemon, a terminal for its line. The same goes for a socket of AF_UNIX in which descriptors
 * are queued that nobody has received. Whoever passes one decides how long, so the server never
 * closes them itself.
 */
#ifndef UMADRIG_SIM_SERVER_CLOSER_H
#define UMADRIG_SIM_SERVER_CLOSER_H

struct closer;

/* Starts no thread before there is something to close. */
struct closer *closer_new(void);
/*
 * Waits for what is being closed, but no longer than a second: what takes longer is left to its
 * threads. NULL is allowed.
 */
void closer_free(struct closer *closer);

/* Takes over 'fd' and closes it soon. Does not wait. From the thread that made the closer. */
void closer_close(struct closer *closer, int fd);

#endif
