/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umadrig command as a client of a fabric server, without a host on it: lib/attach/protocol.h's
 * calls that need none, and HELLO itself.
 */
#ifndef UMADRIG_HARNESS_BASE_ATTACH_CLIENT_H
#define UMADRIG_HARNESS_BASE_ATTACH_CLIENT_H

#include <glib.h>
#include <stdint.h>

/* A connection to the server at 'path', or -1 with an error of COMMAND_ERROR that has the cure. */
int attach_client_connect(const char *path, GError **error);

/*
 * Calls 'op', followed by 'size' bytes: the result, or -EIO: the server has gone. The text that
 * follows the reply is appended to 'reply', which may be NULL.
 */
int64_t attach_client_call(int fd, uint32_t op, const void *bytes, size_t size, GString *reply);

#endif
