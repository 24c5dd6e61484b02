/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a call gives back.
 */
#ifndef UMADRIG_SIM_SERVER_REPLY_H
#define UMADRIG_SIM_SERVER_REPLY_H

#include <stddef.h>
#include <stdint.h>

struct server_reply {
	int64_t result;
	const void *bytes;	/* that follow the reply; valid until the next call */
	size_t size;
	int fd;			/* to go along, and to be closed then; -1: none */
};

#endif
