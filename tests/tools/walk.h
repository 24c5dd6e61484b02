/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric as a program sees it: everything is read with SMPs through libibumad, without knowledge
 * of the simulator. fabric-walk checks and prints it.
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
	unsigned int wrong;		/* number of errors so far */
	unsigned int wrong_max;		/* at most this many are printed */
	unsigned int timeout_ms, retries;
	unsigned int top_mlid;		/* multicast tables are read up to it; 0: not at all */
	bool with_sm;			/* an SM is there now */
	bool up_down;			/* no route goes up again: none leads from root to root */
};

/*
 * Reads everything reachable from port 'num' of 'ca' (NULL, 0: the default one). False: it cannot.
 */
bool walk_read(struct walk *walk, const char *ca, int num);
void walk_clear(struct walk *walk);

/*
 * Sends SubnGet(NodeInfo) by LID to every LID. Returns how many responses came from the right port.
 */
unsigned int walk_round_trips(struct walk *walk, const char *ca, int num);

/* Reports an error. */
void walk_wrong(struct walk *walk, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- tests/tools/walk-check.c ---- */

/*
 * Checks LIDs, states and P_Keys of end ports, and both ends of links. Returns the numbers found.
 */
unsigned int walk_check_ends(struct walk *walk);
unsigned int walk_check_links(struct walk *walk);
/*
 * Follows the forwarding tables from each end port to each LID. Returns how many routes there are.
 */
uint64_t walk_check_ways(struct walk *walk);
/*
 * Checks that packets cannot wait for each other in a cycle (IBA has credits per link, so they
 * would deadlock).
 */
void walk_check_circles(struct walk *walk);
/*
 * Checks that what any of 'members' (port GUIDs, 'count' of them) sends to 'mlid' reaches each of
 * the others once, and no other port. Without members: that it is in no table.
 */
void walk_check_multicast(struct walk *walk, uint16_t mlid, const uint64_t *members, size_t count);

/* ---- tests/tools/walk-records.c ---- */

/*
 * Prints the records of this kind that an SA of this fabric has, one per line; false: unknown kind.
 */
bool walk_print_records(const struct walk *walk, const char *name);

/* "S1[3]", with the description as the node's name. */
const char *walk_name(const struct walk_port *port, char *buf, size_t size);

#endif
