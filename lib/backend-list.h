/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The backends that this library has, and the one that this process uses. */
#ifndef UMADRIG_LIB_BACKEND_LIST_H
#define UMADRIG_LIB_BACKEND_LIST_H

#include <stdbool.h>

#include "lib/backend.h"
#include "lib/handle-table.h"

extern const struct umad_backend umad_backend_ib_umad;
extern const struct umad_backend umad_backend_attach;

/*
 * Finds libumadrig's door and has it give the sim backend: NULL with a message in 'reterr' where it
 * cannot be had. It is loaded once and never unloaded.
 */
const struct umad_backend *umad_backend_sim(char *reterr, size_t reterr_size);

/*
 * The backend of this process, chosen by UMAD_BACKEND at the first call and never again. NULL with
 * errno where it cannot be had; the reason was told on stderr once.
 */
const struct umad_backend *umad_backend_get(void);

/*
 * What the headers of 'fd' have, 64 or 56 bytes, of which the table knows that it was closed
 * through us. The number may have been given to a copy of another handle since (dup takes the
 * lowest one); then asking for an agent that cannot exist is -EINVAL, for all other files it is
 * ENOTTY, and EBADF where there is none. 0: 'fd' is bad.
 */
size_t umad_fd_closed_header_size(const struct umad_backend *backend, int fd);

/*
 * What the headers of 'fd' have, 64 or 56 bytes; 0: it is no handle of an open port (see handle.h).
 */
static inline size_t umad_fd_header_size(const struct umad_backend *backend, int fd)
{
	size_t size = backend ? umad_handle_header_size(fd) : 0;

	return size || !backend ? size : umad_fd_closed_header_size(backend, fd);
}

/* Is 'fd' no handle of an open port? */
static inline bool umad_fd_is_bad(const struct umad_backend *backend, int fd)
{
	return umad_fd_header_size(backend, fd) == 0;
}

/* For tests: from now on 'backend' is the one, whatever UMAD_BACKEND says. NULL: back to that. */
void umad_backend_set(const struct umad_backend *backend);

#endif
