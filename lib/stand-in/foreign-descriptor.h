/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The foreign program's descriptors: a copy of one, for as long as a call takes. */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_DESCRIPTOR_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_DESCRIPTOR_H

#include <stdbool.h>
#include <sys/stat.h>

struct foreign_descriptor {
	int fd;				/* of this process; -1: the foreign one has none */
	bool never_waits;		/* O_NONBLOCK, or a file or directory on disk */
	bool is_file, is_directory;
	bool is_stream;			/* a pipe, or a socket of a stream */
	bool is_socket, is_tcp;
	bool has_errors;		/* a socket with a queue of those: MSG_ERRQUEUE */
	bool is_anonymous;		/* an eventfd, whose room depends on the number; its kin */
	bool is_server;			/* a connection to the fabric's, which answers at once */
	bool is_signalfd;
	/*
	 * What it has depends on the process that reads: a signalfd, /proc, random bytes; or this
	 * process knows when it has all: the master of a pseudoterminal.
	 */
	bool is_read_here;
	int umad;			/* a umad file: this process's own of it; else -1 */
};

/* Of the calling thread's call; foreign_descriptor_put() gives it back, and keeps errno. */
void foreign_descriptor_get(int number, struct foreign_descriptor *ret);
void foreign_descriptor_put(struct foreign_descriptor *descriptor);

/*
 * This process's own of the call's first argument; -1: it has none, and the kernel makes the call.
 */
int foreign_descriptor_own(void);

/* Is that /proc's? */
bool foreign_descriptor_is_on_proc(dev_t device);

#endif
