/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The requester of a capture: the port that a replayed fabric has. In host byte order.
 */
#ifndef UMADRIG_SIM_CAPTURE_REPLAY_ASKER_H
#define UMADRIG_SIM_CAPTURE_REPLAY_ASKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct capture;
struct capture_interface;
struct capture_mad;

#define REPLAY_PKEYS_MAX 32
#define REPLAY_DESCRIPTION_SIZE 65

struct replay_asker {
	bool is_roce;		/* it has no LID and no QP0; 'gid' is its address */
	uint8_t own_port;	/* all directed routes begin with it; 0: with several */
	uint8_t port_num;	/* own_port, or 1 if that is 0 */
	uint16_t lid;
	bool lid_is_made_up;	/* the capture does not have it */
	uint16_t sm_lid;	/* 0: not known, as for all below */
	uint8_t sm_sl;
	uint8_t gid[16];	/* of a RoCE port; IPv4 addresses as ::ffff:a.b.c.d */
	uint64_t gid_prefix;
	uint64_t port_guid;
	uint64_t node_guid;
	uint64_t system_guid;
	uint32_t vendor_id;
	uint16_t device_id;
	char description[REPLAY_DESCRIPTION_SIZE];
	uint16_t pkeys[REPLAY_PKEYS_MAX];	/* those that occur, in order of appearance */
	unsigned int pkey_count;
	/* Of its link, as struct topology_port has them; 0: not known. */
	uint8_t width_active, speed_active, speed_ext_active;
};

/*
 * "LID, node GUID, device ID": what the capture does not say of the requester, so that a replay
 * makes it up; "" if it says all. At most 'size' bytes with the terminator.
 */
void replay_asker_format_unknown(const struct replay_asker *asker, char *buf, size_t size);

/*
 * Finds out what the capture says about the port that sent most requests: from the addresses of the
 * requests, and from MADs that name it.
 */
void replay_asker_find(const struct capture *capture, struct replay_asker *ret);

/*
 * The same for the port that 'host' names, as below; NULL: the one that sent most requests. False
 * with a message: there is none.
 */
bool replay_asker_find_host(const struct capture *capture, const char *host,
			    struct replay_asker *ret, char *reterr, size_t reterr_size);

/*
 * The same for a capture that is read twice: every MAD is counted, then, after
 * replay_search_choose(), learned from. 'host' chooses another port: by name ("H1", "H1[1]"), LID
 * ("5", "LID 5"), GID, IP address or port GUID (0x...); NULL: the one with most requests.
 */
struct replay_search;
struct replay_search *replay_search_new(const char *host);
void replay_search_count(struct replay_search *search, const struct capture_mad *mad);
/* False with a message: no port of the capture fits 'host'. */
bool replay_search_choose(struct replay_search *search, char *reterr, size_t reterr_size);
/* 'interface': where it was recorded, may be NULL. */
void replay_search_learn(struct replay_search *search, const struct capture_mad *mad,
			 const struct capture_interface *interface);
/* Owned by the search. */
const struct replay_asker *replay_search_asker(const struct replay_search *search);
/* NULL is allowed. */
void replay_search_free(struct replay_search *search);

#endif
