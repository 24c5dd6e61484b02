/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* The backends that this library has, and the one that this process uses. */
#ifndef UMADRIG_LIB_BACKEND_LIST_H
#define UMADRIG_LIB_BACKEND_LIST_H

#include <stdatomic.h>
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

/* The one in use; NULL: none was chosen yet, or none is available. */
extern const struct umad_backend *_Atomic umad_backend_now __attribute__((visibility("hidden")));

/* As umad_backend_get() below, where none is in use. */
const struct umad_backend *umad_backend_choose(void);

/* It is chosen again at the next call. No other thread may make one meanwhile. */
void umad_backend_forget(void);

/*
 * The backend of this process, chosen by UMAD_BACKEND at the first call and never again. NULL with
 * errno if it is not available; the reason is reported on stderr once.
 */
static inline const struct umad_backend *umad_backend_get(void)
{
	const struct umad_backend *backend =
		atomic_load_explicit(&umad_backend_now, memory_order_acquire);

	return backend ? backend : umad_backend_choose();
}

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

/*
 * The same for sends and receives, which a backend that finds its handles itself refuses for any
 * other descriptor: as long as no number is known to be closed, it is not looked for twice.
 */
static inline size_t umad_fd_io_header_size(const struct umad_backend *backend, int fd)
{
	if (atomic_load_explicit(&umad_handle_doubts, memory_order_relaxed) == 0)
		return 64;
	return umad_fd_header_size(backend, fd);
}

/* Is 'fd' no handle of an open port? */
static inline bool umad_fd_is_bad(const struct umad_backend *backend, int fd)
{
	return umad_fd_header_size(backend, fd) == 0;
}

/*
 * Makes 'backend' the backend; for tests, whatever UMAD_BACKEND says. NULL: none, so that the next
 * call takes the one that UMAD_BACKEND names.
 */
void umad_backend_set(const struct umad_backend *backend);

#endif
