/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls to a fabric server: one message each way (lib/attach/protocol.h).
 */
#ifndef UMADRIG_LIB_ATTACH_CALL_H
#define UMADRIG_LIB_ATTACH_CALL_H

#include <stddef.h>

#include "lib/attach/protocol.h"

/* A call and room for its reply. */
struct attach_exchange {
	struct attach_call call;
	const void *data;	/* follows the call, 'size' bytes */
	size_t size;
	int fd;			/* sent along; -1: none */
	void *reply;		/* room for what follows the reply */
	size_t reply_room;
	size_t reply_size;	/* out: bytes of it */
	int reply_fd;		/* out: came along, owned by the caller; -1: none */
};

/*
 * Sets the server to call: 'path' of its socket, host and session ("": none) as in HELLO. 0, or
 * -ENAMETOOLONG. To be called before any call; once more, it ends the connection of the calling
 * thread, which may be the only one.
 */
int attach_call_setup(const char *path, const char *host, const char *session);

/*
 * Makes the connection of the calling thread. HELLO's result (0 or ATTACH_ANNOUNCED) with the
 * server's banner; or -errno with a message for the user in 'text'.
 */
int attach_call_connect(char *text, size_t size);

/*
 * Moves the calling thread to another host (NULL: that of attach_call_setup()) for look-ups and
 * opens. 0; -ENOENT: there is no such host, and it stays on its own; another -errno as from
 * attach_call().
 */
int attach_call_enter(const char *host);

/*
 * Handles that are opened from now on, by any thread, are for the program of this number (0: this
 * process itself): the server counts what it uses apart from what others do.
 */
void attach_call_set_program(uint32_t program);
/* That number. */
uint32_t attach_call_program(void);

/*
 * Calls and waits for the reply; a signal does not interrupt it, and it is not a cancellation
 * point. Returns the reply's result, or -EIO: there is no server any more; -EMFILE and the like: no
 * connection; -EDEADLK: called by a signal handler that has interrupted such a call of this thread
 * (the replies would be mixed up). Does not allocate memory.
 */
long attach_call(struct attach_exchange *exchange);

/*
 * The cookie of a socket: unique on the machine, and shared by all its copies. 0: it is no socket.
 */
uint64_t attach_cookie(int fd);

/* A new connection on which nothing has been sent, owned by the caller; or -errno. */
int attach_call_dial(void);

/*
 * A new connection of host 'host' (NULL: that of attach_call_setup()), owned by the caller; or
 * -errno, with the server's reason in 'text' if it gave one. 'size' is at least ATTACH_BANNER_SIZE.
 */
int attach_call_dial_as(const char *host, char *text, size_t size);

/* As attach_call(), through a connection that the caller has. */
long attach_call_on(int fd, struct attach_exchange *exchange);

/*
 * Receives a socket message: its size, 0 at the end of file, or -errno. '*ret_fd': the descriptor
 * that came along, close-on-exec, or -1. '*ret_flags': the message's flags, such as MSG_TRUNC.
 */
long attach_receive(int socket, void *bytes, size_t size, int flags, int *ret_fd, int *ret_flags);

#endif
