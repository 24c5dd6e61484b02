/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The requester of a capture: the port that a replayed fabric has. In host byte order.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_ASKER_H
#define UMADRIG_SIM_CAPTURE_REPLAY_ASKER_H

#include <stdint.h>

struct capture;

#define REPLAY_PKEYS_MAX 32
#define REPLAY_DESCRIPTION_SIZE 65

struct replay_asker {
	uint8_t own_port;	/* all directed routes begin with it; 0: with several */
	uint8_t port_num;	/* own_port, or 1 if that is 0 */
	uint16_t lid;
	uint16_t sm_lid;	/* 0: not known, as for all below */
	uint8_t sm_sl;
	uint64_t gid_prefix;
	uint64_t port_guid;
	uint64_t node_guid;
	char description[REPLAY_DESCRIPTION_SIZE];
	uint16_t pkeys[REPLAY_PKEYS_MAX];	/* those that occur, in order of appearance */
	unsigned int pkey_count;
};

/*
 * Finds out what the capture says about the port that sent most requests: from the addresses of the
 * requests, and from PathRecords and connection requests that name it.
 */
void replay_asker_find(const struct capture *capture, struct replay_asker *ret);

#endif
