/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * issm-link.h: the way to an issm path of a server whose files this process does not see, because
 * it is in a container that has the server's socket only. The server sends a descriptor along, and
 * the path that the program opens is that descriptor's below /proc/self/fd.
 */
#ifndef UMADRIG_LIB_ATTACH_ISSM_LINK_H
#define UMADRIG_LIB_ATTACH_ISSM_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* Is 'path' not there, or something else than 'fd'? */
bool issm_link_is_needed(const char *path, int fd);
/*
 * Puts a path to 'fd' into 'path', valid as long as this process has not executed another program;
 * takes 'fd' over. One descriptor is kept for each issm path, however often it is asked for. 0,
 * -ENAMETOOLONG, -EINVAL ('fd' is no pipe), or -EMFILE: there are too many.
 */
int issm_link_make(int fd, char *path, size_t size);

#endif
