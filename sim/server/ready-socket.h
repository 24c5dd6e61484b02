/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A socket pair that stands for a file of which the server knows what a program has not read yet.
 * The program has one end. That can be read exactly while there is something: then it has a byte,
 * which means nothing else. So waiting for the file, by whatever call, is the kernel's. All
 * functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_READY_SOCKET_H
#define UMADRIG_SIM_SERVER_READY_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/server/account.h"
#include "sim/server/lockstep.h"
#include "sim/server/watch.h"

struct ready_socket {
	struct watch watch;		/* our end: it ended, or the program has written there */
	struct watch_set *watches;
	uint64_t token;			/* by which programs name it */
	struct server_account *account;	/* of the opener's process; others may share it */
};

/*
 * Opens one, which counts as a handle of 'account'. 'set_name' says by the socket's name what it is
 * (lib/base/handle-name.h). '*ret_fd': the program's end. 0 or -errno.
 */
int ready_socket_open(struct ready_socket *socket, enum watch_kind kind, struct watch_set *watches,
		      struct server_account *account, void (*set_name)(int fd, uint64_t number),
		      int *ret_fd);
void ready_socket_close(struct ready_socket *socket);

/* Is its byte there? */
bool ready_socket_has_byte(const struct ready_socket *socket);
/* There is something: puts the byte there, if it is not, before any program goes on. */
void ready_socket_tell(const struct ready_socket *socket, struct server_lockstep *lockstep);

#endif
