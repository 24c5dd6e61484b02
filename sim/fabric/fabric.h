/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: what its nodes, ports and cables share. Each noun has its file and header: node,
 * port, end-port, switch, host; link (up and down, rates), cable, link-error, lane, partition;
 * forward (the way of a packet), route (tables), fault, drop; port-counters, record, trap.
 *
 * sim/run/assembly.c makes a fabric of a topology. There is one lock for each fabric, which is held
 * in everything here and above except the functions of sim/api/umadrig.h, which take it
 * (sim/fabric/entry.h).
 *
 * What only one file uses is behind a pointer to a struct that is private to that file.
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
struct console_entry;
struct deliveries;
struct end_port;
struct fabric_observer;
struct fabric_programs;
struct fault_hold;
struct fault_set;
struct guest_set;
struct hca_machine;
struct handle;
struct load;
struct load_calls;
struct node;
struct port;
struct property_set;
struct replay;
struct replay_asker;
struct replay_expiry;
struct replay_sender;
struct replay_timed;

/*
 * May take a packet that leaves 'port' off the wire, as a replayed capture does to answer it: true,
 * and then it owns the packet. The packet has already been recorded.
 */
typedef bool fabric_divert_fn(void *ctx, struct port *port, struct packet *packet);

/*
 * Sends a packet from 'port' on its way: for code below sim/fabric/forward.c. Takes the packet.
 * Lock held.
 */
typedef void fabric_transmit_fn(struct port *port, struct packet *packet);

/*
 * Handles a packet that has come in by 'in' and is for the node: its way ends here, and the rest is
 * above sim/fabric/forward.c. Takes the packet. Lock held.
 */
typedef void fabric_arrive_fn(struct port *in, struct packet *packet);

/* A program has opened a port. Lock held. */
typedef void fabric_opened_fn(struct umadrig_fabric *fabric);

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
	GPtrArray *pfs;			/* of struct node *: HCAs with virtual functions; or NULL */
	GPtrArray *subnets;		/* of struct subnet *: sim/fabric/subnet.h */
	uint16_t lid_top;		/* no LID above it was ever in use in any of them */
	bool lfts_ready;		/* state=active: tables are computed when first used */
	struct route_map *route_map;	/* NULL: no table has been computed (route-map.h) */
	struct capture_writer *capture;	/* NULL: not capturing */
	char *capture_comment;		/* for packets recorded from now on; NULL: none */
	struct replay *replay;		/* NULL: no capture answers */
	struct replay_sender *replay_sender;	/* of its answers by RMPP; NULL as well */
	struct replay_expiry *replay_expiries;	/* requests that are about to time out */
	struct replay_timed *replay_timed;	/* NULL: none is replayed at its own times */
	struct replay_asker *captured;	/* H1, if this is a capture's own fabric; else NULL */
	/* Functions above the parts that call them; sim/run/assembly.c fills them in. */
	fabric_transmit_fn *transmit;	/* fabric_transmit() */
	fabric_arrive_fn *arrive;	/* arrival_receive() */
	fabric_opened_fn *opened;	/* NULL: none of its business */
	fabric_divert_fn *divert;	/* NULL: every packet goes to the wire */
	void *divert_ctx;
	umadrig_trace_fn *trace;
	void *trace_ctx;
	umadrig_mad_fn *watch;		/* sees what a capture would record; may be NULL */
	void *watch_ctx;
	const struct fabric_observer *observer;	/* sim/fabric/observer.h; NULL: there is none */
	bool is_watched;		/* fabric_watch_changed() */
	struct property_set *properties;	/* private to sim/property/; NULL: there are none */
	uint64_t dropped;		/* packets dropped on their way */
	bool sa_was_asked, sm_was_there;	/* sim/host/sm-missed.h */
	struct fault_set *faults;	/* NULL: no rules */
	struct fault_hold *fault_holds;	/* packets that faults keep on cables, in order */
	int fault_last_id;
	struct console_entry *scheduled;	/* private to sim/console/console-schedule.c */
	int scheduled_last_id;
	struct console_entry *triggers;	/* private to sim/console/console-when.c */
	int trigger_last_id;
	const struct fabric_programs *programs_known;	/* NULL: it knows of none */
	void *programs_known_ctx;
	struct load *load;		/* private to fabric-load.c; NULL: there was never a flow */
	const struct load_calls *load_calls;	/* likewise */
	struct deliveries *deliveries;	/* private to fabric-delivery.c; NULL: none yet */
	struct handle *handles;		/* open ones */
	struct handle *handles_changed;	/* with descriptors that may have to change */
	unsigned int any_waits;		/* threads in handle_poll_any() */
	uint32_t m_key_changes;		/* of all ports; readers compare it */
	uint64_t changes;		/* how often node_changed() was called */
	struct fabric_server *server;	/* sim/api/serve.h; NULL: it serves no other processes */
	struct guest_set *guests;	/* sim/guests/; NULL: no host is one */
	struct hca_machine *machine;	/* sim/guests/; NULL: no host has this machine's kernel */
	struct program_session *programs;	/* sim/programs/; NULL: none are in its time */
	/* Before handles are settled: updates what other processes see. NULL: there are none. */
	void (*settle_shared)(void *ctx);
	void *settle_shared_ctx;
	/* Called before a device comes or goes: what came or went before it is told first. */
	void (*catch_up)(void *ctx);
	void *catch_up_ctx;
	char *issm_directory;		/* a server's, for issmN; NULL: paths of this process */
	unsigned int issm_count;	/* of paths made so far */
	const struct issm_watch *issm_watch;	/* of these paths; NULL: nobody watches them */
	unsigned int tap_count;		/* of umadrig_tap() */
	GHashTable *by_name;		/* for fabric_find(); NULL: not needed yet */
};

/* Do the fabric's events reach files, foreign functions, or parts that only look on? */
static inline bool fabric_looks_out(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch || fabric->divert ||
	       fabric->replay_timed || fabric->observer || fabric->tap_count ||
	       fabric->issm_count;
}

/* To be called whenever one of these was set or cleared: MADs then have one place to look at. */
static inline void fabric_watch_changed(struct umadrig_fabric *fabric)
{
	fabric->is_watched = fabric_looks_out(fabric);
}

/* To be called after a program has opened a port. */
static inline void fabric_say_opened(struct umadrig_fabric *fabric)
{
	if (fabric->opened)
		fabric->opened(fabric);
}

/* A node by its id, else by its description; NULL: none. */
struct node *fabric_find(struct umadrig_fabric *fabric, const char *name);

#endif
