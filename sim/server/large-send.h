/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A large message that a program sends: it stays in the memfd that it has come in, which the server
 * maps. Neither copying nor freeing hundreds of megabytes holds up other programs so.
 */
#ifndef UMADRIG_SIM_SERVER_LARGE_SEND_H
#define UMADRIG_SIM_SERVER_LARGE_SEND_H

#include "kmod-stub/kmod.h"

/*
 * Lends the first 'size' bytes of a memfd, at '*ret_bytes', until it is released. NULL: it has
 * fewer, or may change, or shrink, while it is mapped.
 */
struct kmod_loan *large_send_map(int fd, size_t size, const uint8_t **ret_bytes);

#endif
