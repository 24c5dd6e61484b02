/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Stream sockets to a guest, which may be hostile or hang: every wait has an end, in real time.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_STREAM_H
#define UMADRIG_SIM_GUESTS_GUEST_STREAM_H

#include <stddef.h>

/* How long a guest may compute, or take for an answer: no guest of good will needs that. */
enum { GUEST_PATIENCE_MS = 30000 };

/* Of guest_stream_read(): descriptors that came with the bytes; the rest is closed. */
enum { GUEST_FDS_MAX = 8 };

struct guest_fds {
	int fd[GUEST_FDS_MAX];
	size_t count;
};

/* Closes those that have not been taken out (set to -1). */
void guest_fds_close(struct guest_fds *fds);

/*
 * A socket that listens at 'name' in 'directory', and is found there by that relative name: a path
 * of any length works. The descriptor, or -errno.
 */
int guest_stream_listen(const char *directory, const char *name);

/* The one that connects, within 'patience_ms'; -ETIMEDOUT or another -errno. */
int guest_stream_accept(int listener, int patience_ms);

/*
 * Reads 'size' bytes, and no more. 'fds' may be NULL: descriptors are closed. 0; -EPIPE: the other
 * end has closed; -ETIMEDOUT: it has sent less than that within 'patience_ms'; or another -errno.
 */
int guest_stream_read(int fd, void *bytes, size_t size, int patience_ms, struct guest_fds *fds);

/* Writes all. As above. */
int guest_stream_write(int fd, const void *bytes, size_t size, int patience_ms);

#endif
