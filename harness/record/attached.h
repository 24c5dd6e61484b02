/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The bundle of a program on the fabric of a running server: the server writes the capture.
 */
#ifndef UMADRIG_HARNESS_RECORD_ATTACHED_H
#define UMADRIG_HARNESS_RECORD_ATTACHED_H

#include "harness/record/bundle.h"

/*
 * Connects to the server at 'socket', takes the fabric as it is now for the bundle's topology and
 * has the server capture all packets from now on. A descriptor for attached_end(), or -1 with an
 * error of COMMAND_ERROR: the server is not there, or is writing a capture already.
 */
int attached_begin(struct bundle *bundle, const char *socket, GError **error);

/* Ends the capture. False with an error: it is not whole. 'fd' is closed. */
bool attached_end(int fd, GError **error);

#endif
