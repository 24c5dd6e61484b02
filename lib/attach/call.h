/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls to a fabric server: one message there, one back (lib/attach/protocol.h).
 */
#ifndef UMADRIG_LIB_ATTACH_CALL_H
#define UMADRIG_LIB_ATTACH_CALL_H

#include <stddef.h>

#include "lib/attach/protocol.h"

/* A call and room for its reply. */
struct attach_exchange {
	struct attach_call call;
	const void *data;	/* behind the call, 'size' bytes */
	size_t size;
	int fd;			/* goes along; -1: none */
	void *reply;		/* room for what is behind the reply */
	size_t reply_room;
	size_t reply_size;	/* out: bytes of it */
	int reply_fd;		/* out: what came along, the caller's from now; -1: nothing */
};

/*
 * Who is called, from now on: 'path' of the server's socket, host and session ("": none) as HELLO
 * has them. 0, or -ENAMETOOLONG. Once, before any call.
 */
int attach_call_setup(const char *path, const char *host, const char *session);

/*
 * Makes the connection of the calling thread. HELLO's result (0 or ATTACH_ANNOUNCED) with the
 * server's banner; or -errno with a message for the user in 'text'.
 */
int attach_call_connect(char *text, size_t size);

/*
 * Puts the calling thread on another host (NULL: on that of attach_call_setup()) for what it looks
 * up and opens. 0; -ENOENT: there is none of that name, and it stays where it is; other -errno as
 * of attach_call().
 */
int attach_call_enter(const char *host);

/*
 * Calls and waits for the reply; a signal does not interrupt it, and no thread is cancelled in it.
 * The reply's result, or -EIO: there is no server any more; -EMFILE and the like: no connection.
 * -EDEADLK: by a signal's handler, which has interrupted such a call of this thread: the replies
 * would be mixed up. Does not allocate memory.
 */
long attach_call(struct attach_exchange *exchange);

/* What tells a socket from all others of the machine, and copies of it have, too; 0: it is none. */
uint64_t attach_cookie(int fd);

/* A connection that has said nothing yet, for the caller to keep and close; or -errno. */
int attach_call_dial(void);

/* As attach_call(), through a connection of the caller's. */
long attach_call_on(int fd, struct attach_exchange *exchange);

/*
 * The last receive of a socket message: its size, 0 at the end of file, or -errno. '*ret_fd': the
 * descriptor that came along, close-on-exec, or -1. '*ret_flags': of the message, as MSG_TRUNC.
 */
long attach_receive(int socket, void *bytes, size_t size, int flags, int *ret_fd, int *ret_flags);

#endif
