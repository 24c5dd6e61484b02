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
 * Finds libumadrig's door and gets the sim backend from it. NULL with a message in 'reterr' if it
 * is not available. The library is loaded once and never unloaded.
 */
const struct umad_backend *umad_backend_sim(char *reterr, size_t reterr_size);

/*
 * The backend of this process, chosen by UMAD_BACKEND at the first call and never again. NULL with
 * errno if it is not available; the reason is reported on stderr once.
 */
const struct umad_backend *umad_backend_get(void);

/*
 * The header size of 'fd', 64 or 56 bytes, when the table knows that it was closed through us. The
 * number may now belong to a copy of another handle (dup takes the lowest one); then a request for
 * an impossible agent returns -EINVAL, whereas it returns ENOTTY for all other files and EBADF for
 * none. 0: 'fd' is bad.
 */
size_t umad_fd_closed_header_size(const struct umad_backend *backend, int fd);

/*
 * The header size of 'fd', 64 or 56 bytes; 0: it is no handle of an open port (see
 * lib/handle-table.h).
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

/* For tests: makes 'backend' the backend, whatever UMAD_BACKEND says; NULL: back to that. */
void umad_backend_set(const struct umad_backend *backend);

#endif
