/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The reply to a call.
 */
#ifndef UMADRIG_SIM_SERVER_REPLY_H
#define UMADRIG_SIM_SERVER_REPLY_H

#include <stddef.h>
#include <stdint.h>

struct server_reply {
	int64_t result;
	const void *bytes;	/* bytes after the reply; valid until the next call */
	size_t size;
	int fd;			/* sent along, then closed; -1: none */
};

#endif
