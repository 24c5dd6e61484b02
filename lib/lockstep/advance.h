/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric server has the clock, and moves it when nobody can run.
 */
#ifndef UMADRIG_LIB_LOCKSTEP_ADVANCE_H
#define UMADRIG_LIB_LOCKSTEP_ADVANCE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The server that listens beside the table of this path. */
void advance_setup(const char *table);

/*
 * To the next event of the fabric, if it is not after 'deadline', otherwise to the deadline. The
 * time then; -EDEADLK: neither will ever come; -EIO: there is no server any more;
 * -EMFILE, -ENFILE: no descriptor for a connection; -EACCES: this user cannot reach the server.
 */
int64_t advance_clock(int64_t deadline);

/*
 * Sends what virtual time owes process 'pid', or one thread of it ('tid' not 0): the server does
 * where this process may not. 'info' may be NULL: as kill(2). 0 or -errno.
 */
int64_t advance_signal(int pid, int tid, int sig, const siginfo_t *info);

/* Is that the address of the server, of 'size' bytes? */
bool advance_is_server(const void *address, size_t size);
/* Is that a connection to the server? */
bool advance_leads_to_server(int fd);
/* Is that a file in the server's directory? */
bool advance_is_beside_server(const char *path);

#endif
