/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Threads that close descriptors that programs have passed.
 *
 * The last close(2) of a file may block: on a socket with SO_LINGER until its peer has
 * acknowledged, on a FUSE file until its daemon answers, on a terminal until its output has
 * drained. The same goes for an AF_UNIX socket with such descriptors in its queue. The program that
 * passes one decides how long that takes, so the server never closes them itself.
 */
#ifndef UMADRIG_SIM_SERVER_CLOSER_H
#define UMADRIG_SIM_SERVER_CLOSER_H

struct closer;

/* Starts no thread before there is something to close. */
struct closer *closer_new(void);
/*
 * Waits for what is being closed, but no longer than a second: after that the threads go on alone.
 * NULL is allowed.
 */
void closer_free(struct closer *closer);

/*
 * Takes over 'fd' and closes it soon, without blocking. To be called from the thread that made the
 * closer.
 */
void closer_close(struct closer *closer, int fd);

#endif
