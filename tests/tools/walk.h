/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric as a program finds it: everything read with SMPs through libibumad, nothing known of the
 * simulator. What fabric-walk checks and prints.
 */
#ifndef UMADRIG_TESTS_TOOLS_WALK_H
#define UMADRIG_TESTS_TOOLS_WALK_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { WALK_CA = 1, WALK_SWITCH = 2, WALK_ROUTER = 3 };
enum { WALK_DOWN = 1, WALK_INIT = 2, WALK_ARMED = 3, WALK_ACTIVE = 4 };
enum { WALK_NO_PORT = 255 };
enum { WALK_HOPS_MAX = 63, WALK_TABLE_PORTS = 16, WALK_MLID_FIRST = 0xc000 };

struct walk_path {
	uint8_t hops;
	uint8_t ports[WALK_HOPS_MAX + 1];	/* from 1 on, as in InitialPath */
};

struct walk_port {
	struct walk_node *node;
	struct walk_port *peer;		/* NULL: nothing was found there */
	struct walk_path path;		/* leads to it */
	uint64_t guid;			/* of end ports */
	uint64_t gid_prefix;
	uint32_t cap_mask;
	uint16_t lid, sm_lid;
	uint16_t pkeys[32];		/* block 0, of end ports */
	uint8_t num;
	uint8_t lmc;
	uint8_t state, phys_state;	/* state 0: never read */
	uint8_t mtu_cap, mtu;		/* codes */
	uint8_t vl_cap, vls;
	bool is_end;			/* CA or router port, or port 0 of a switch */
};

struct walk_node {
	uint64_t guid;
	unsigned int index;		/* in nodes; switches: in switches */
	unsigned int switch_index;
	uint8_t type;
	uint8_t port_count;
	char description[65];
	struct walk_port *ports;	/* port_count + 1 */
	uint8_t *lft;			/* switches: lft_size entries */
	uint32_t lft_size;
	uint16_t *mft;			/* [MLID - 0xc000][16 ports each]; NULL: not read */
	uint32_t mft_size;
};

struct walk {
	GPtrArray *nodes;		/* of struct walk_node *, in the order found */
	GPtrArray *switches;		/* those of them */
	GPtrArray *ends;		/* of struct walk_port * */
	struct walk_port *own;		/* where the program is */
	GHashTable *by_guid;		/* look-up only */
	struct walk_port **by_lid;	/* 0xc000 */
	unsigned int wrong;		/* what was found wrong, so far */
	unsigned int wrong_max;		/* no more than that many are told */
	unsigned int timeout_ms, retries;
	unsigned int top_mlid;		/* multicast tables are read up to it; 0: not at all */
	bool with_sm;			/* an SM is there now */
	bool up_down;			/* no way goes up again, so none leads from root to root */
};

/* Reads all that is reached from port 'num' of 'ca' (NULL, 0: the usual one). False: it cannot. */
bool walk_read(struct walk *walk, const char *ca, int num);
void walk_clear(struct walk *walk);

/* SubnGet(NodeInfo) by LID to every LID there is: answers that came from the right port. */
unsigned int walk_round_trips(struct walk *walk, const char *ca, int num);

/* Tells of something that is wrong. */
void walk_wrong(struct walk *walk, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- tests/tools/walk-check.c ---- */

/* LIDs, states, P_Keys of end ports; both ends of links. Numbers found. */
unsigned int walk_check_ends(struct walk *walk);
unsigned int walk_check_links(struct walk *walk);
/* From each end port to each LID by the forwarding tables: how many ways there are. */
uint64_t walk_check_ways(struct walk *walk);
/* May packets wait for each other in a circle (IBA has credits per link, so they then stand)? */
void walk_check_circles(struct walk *walk);
/*
 * What any of 'members' (port GUIDs, 'count' of them) sends to 'mlid' reaches each of the others
 * once, and nobody else. No members: it is in no table.
 */
void walk_check_multicast(struct walk *walk, uint16_t mlid, const uint64_t *members, size_t count);

/* ---- tests/tools/walk-records.c ---- */

/* Prints the records that an SA of this fabric has, a line each; false: what is that? */
bool walk_print_records(const struct walk *walk, const char *name);

/* "S1[3]" with the description for the node's name. */
const char *walk_name(const struct walk_port *port, char *buf, size_t size);

#endif
