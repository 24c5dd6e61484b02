/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A copy of what a fabric server shows of a host in /sys, for programs that do not see the
 * server's own files: in a container, or at the end of a bridge. The server sends what has changed
 * (ATTACH_SYSFS_CHANGES), and the copy is as late as that message.
 */
#ifndef UMADRIG_HARNESS_BASE_VIEW_COPY_H
#define UMADRIG_HARNESS_BASE_VIEW_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct view_copy;

/*
 * Copies the view of the host that the connection has (after HELLO; it is taken over, and used for
 * nothing else) to 'directory', which is made. NULL with errno.
 */
struct view_copy *view_copy_new(int connection, const char *directory);
/* Removes the directory. NULL is allowed. */
void view_copy_free(struct view_copy *copy);

/* What stands for /sys. */
const char *view_copy_path(const struct view_copy *copy);
/* Readable when view_copy_update() has something to do; -1: the server has gone. */
int view_copy_fd(const struct view_copy *copy);
/* Takes what the server has sent, without waiting. Removes the files of one that has gone. */
void view_copy_update(struct view_copy *copy);
/*
 * Waits until the copy has the change of this number, which the server has made already: what it
 * says by another connection (ATTACH_ISSM_LOOK) may come first, most of all over a bridge.
 */
void view_copy_await(struct view_copy *copy, uint64_t number);

#endif
