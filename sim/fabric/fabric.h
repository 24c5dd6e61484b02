/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: what its nodes, ports and cables share. Each noun has its file and header: node,
 * port, end-port, switch, host; link (up and down, rates), cable, link-error, lane, partition;
 * forward (the way of a packet), route (tables), fault, drop; port-counters, record, trap.
 *
 * What makes one of a topology is sim/run/assembly.c. One lock a fabric, held by everything here
 * and above but the functions of sim/api/umadrig.h, which take it (sim/fabric/entry.h).
 *
 * What only one file uses is behind a pointer of that file's own, whose structure no other knows.
 */
#ifndef UMADRIG_SIM_FABRIC_FABRIC_H
#define UMADRIG_SIM_FABRIC_FABRIC_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/kmod.h"
#include "kmod-stub/packet.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/options.h"
#include "sim/time/event-queue.h"

struct capture_writer;
struct clock;
struct end_port;
struct fault_hold;
struct fault_set;
struct forward;
struct handle;
struct node;
struct port;
struct replay;
struct replay_timed;

/*
 * What may take a packet that leaves 'port' off the wire, as a replayed capture does that answers
 * it itself: true, and then it owns the packet. What leaves was recorded before.
 */
typedef bool fabric_divert_fn(void *ctx, struct port *port, struct packet *packet);

/*
 * How a packet leaves 'port' by the way: for those that are below it. Takes the packet. Lock held.
 */
typedef void fabric_transmit_fn(struct port *port, struct packet *packet);

/*
 * What becomes of a packet that has come in by 'in' and is for the node: it is above the way, which
 * only knows that this is where it ends. Takes the packet. Lock held.
 */
typedef void fabric_arrive_fn(struct port *in, struct packet *packet);

enum { LID_COUNT = 0xc000 };		/* unicast LIDs and 0 */

struct umadrig_fabric {
	pthread_mutex_t lock;
	uint64_t serial;		/* no two fabrics of a process have the same */
	struct event_queue queue;
	struct clock *clock;
	struct packet_pool pool;
	struct kmod_ops ops;
	char *name;			/* the file, for banners */
	struct umadrig_options options;
	uint64_t seed;
	GPtrArray *nodes;		/* of struct node * */
	GPtrArray *hosts;		/* of struct umadrig_host *, in order of first node */
	struct umadrig_host *default_host;	/* options.host, or the first */
	struct end_port **by_lid;	/* LID_COUNT entries: who has the LID, NULL: nobody */
	uint16_t lid_top;		/* no LID above it was ever in use */
	bool lfts_ready;		/* state=active: tables are computed when first used */
	struct capture_writer *capture;	/* NULL: not capturing */
	char *capture_comment;		/* for what is recorded from now on, NULL: none */
	struct replay *replay;		/* NULL: no capture answers */
	struct replay_timed *replay_timed;	/* NULL: none is replayed at its own times */
	/* What is above the parts that call it; sim/run/assembly.c fills it in. */
	fabric_transmit_fn *transmit;	/* fabric_transmit() */
	fabric_arrive_fn *arrive;	/* arrival_receive() */
	fabric_divert_fn *divert;	/* NULL: every packet goes to the wire */
	void *divert_ctx;
	umadrig_trace_fn *trace;
	void *trace_ctx;
	umadrig_mad_fn *watch;		/* sees what a capture would have, NULL: nobody */
	void *watch_ctx;
	uint64_t dropped;		/* packets that died on the way */
	struct fault_set *faults;	/* NULL: no rule, nothing goes wrong on a cable */
	struct fault_hold *fault_holds;	/* packets that faults keep on a cable, as they came */
	int fault_last_id;
	struct forward *forward;	/* forward.c's own; NULL: nothing was delivered yet */
	struct handle *handles;		/* open ones */
	struct handle *handles_changed;	/* whose descriptor may differ from their file */
	uint32_t m_key_changes;		/* any port's; who looks compares */
	uint64_t changes;		/* how often node_changed() was called */
	char *issm_directory;		/* a server's, for issmN; NULL: of this process alone */
	unsigned int issm_count;	/* of those that were ever made */
	unsigned int tap_count;		/* of umadrig_tap() */
	GHashTable *by_name;		/* fabric_find() only; NULL: nobody asked for a name */
};

/* Every node, by id, else by description; NULL when none. */
struct node *fabric_find(struct umadrig_fabric *fabric, const char *name);

#endif
