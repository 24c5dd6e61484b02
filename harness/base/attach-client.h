/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The umadrig command as a client of a fabric server, without a host there: HELLO, and the calls of
 * lib/attach/protocol.h that need no host.
 */
#ifndef UMADRIG_HARNESS_BASE_ATTACH_CLIENT_H
#define UMADRIG_HARNESS_BASE_ATTACH_CLIENT_H

#include <glib.h>
#include <stdint.h>

struct attach_call;
struct attach_spec;

/*
 * Connects to the server at 'path'. Returns a socket, or -1 with an error of COMMAND_ERROR that has
 * the cure.
 */
int attach_client_connect(const char *path, GError **error);

/*
 * Why a server does not serve us, with the cure: after an errno of connecting, or -EIO of a call.
 * To be freed with g_free().
 */
char *attach_client_reason(int err);

/* The server that UMAD_BACKEND names. -ENOENT: it names none; or as attach_spec_parse(). */
int attach_client_spec(struct attach_spec *ret);
/* The socket of the server that UMAD_BACKEND names, to be freed with g_free(); or NULL. */
char *attach_client_socket(void);

/*
 * Calls 'op' with 'size' bytes of payload. Returns the result, or -EIO if the server has gone. The
 * text that follows the result is appended to 'reply', which may be NULL.
 */
int64_t attach_client_call(int fd, uint32_t op, const void *bytes, size_t size, GString *reply);
/* The same of a call with an argument, and with a copy of descriptor 'passed' (-1: none). */
int64_t attach_client_call_with(int fd, const struct attach_call *call, const void *bytes,
				size_t size, int passed, GString *reply);

#endif
