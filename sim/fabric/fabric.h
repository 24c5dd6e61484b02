/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric: nodes, ports and links, the clock that they share, and the hosts on them.
 *
 * fabric.c builds it from a struct topology, sim/fabric/port.c its ports; sim/fabric/link.c takes links up and
 * down, cable.c pulls and lays cables, link-error.c counts what is wrong with them; sim/fabric/route.c
 * computes forwarding tables; forward.c carries a packet from a port to where it ends,
 * sim/fabric/port-counters.c counts it there, sim/host/arrival.c takes it in; sma.c and pma.c answer for nodes; host.c puts kernels (kmod-stub) on
 * end ports; sim/fabric/record.c shows packets to captures and taps; clock.c moves time; handle.c and door.c
 * let this process in. One lock a fabric, held by everything here but the public functions of
 * sim/api/umadrig.h, which take it with fabric_enter() (sim/fabric/entry.h).
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
#include "sim/fabric/port-counters.h"
#include "sim/time/chance.h"
#include "sim/time/event-queue.h"
#include "sim/topology/topology.h"

enum port_state {		/* PortInfo.PortState */
	PORT_DOWN = 1,
	PORT_INIT = 2,
	PORT_ARMED = 3,
	PORT_ACTIVE = 4,
};

enum port_phys_state {		/* PortInfo.PortPhysicalState */
	PORT_PHYS_SLEEP = 1,
	PORT_PHYS_POLLING = 2,
	PORT_PHYS_DISABLED = 3,
	PORT_PHYS_LINK_UP = 5,
};

enum {
	PKEY_COUNT = 32,		/* one block of P_KeyTable */
	GID_COUNT = 8,			/* one block of GUIDInfo */
};

struct node;
struct end_port;
struct node_info;
struct trap;

/* A physical port, or port 0 of a switch. */
struct port {
	struct node *node;
	struct port *peer;		/* other end of the cable, NULL: none */
	struct end_port *end;		/* what only an end port has, else NULL */
	uint8_t num;
	uint8_t state;			/* enum port_state */
	uint8_t phys_state;		/* enum port_phys_state */
	uint8_t width_supported, width_enabled, width_active;
	uint8_t speed_supported, speed_enabled, speed_active;
	uint8_t speed_ext_supported, speed_ext_enabled, speed_ext_active;
	bool fdr10, fdr10_enabled, fdr10_active;
	uint8_t fec_enabled[4];		/* masks of modes, by speed: link_fec_supported() */
	uint8_t fec_active;		/* a mode */
	bool led;			/* it blinks, so that somebody finds it */
	uint8_t mtu_cap, neighbor_mtu;	/* codes: 1 256 ... 4 2048, 5 4096 */
	uint8_t vl_cap, operational_vls;	/* codes */
	uint8_t phys_wanted;		/* what it will be when the answer has left, 0: as it is */
	uint8_t link_down_default;	/* enum port_phys_state: Sleep or Polling */
	uint8_t vl_high_limit, vl_stall_count, hoq_life;
	uint8_t phys_error_threshold, overrun_threshold;
	uint8_t phys_errors, overruns;	/* on the way there: sim/fabric/link-error.h */
	bool enforce_inbound, enforce_outbound;	/* partitions: external switch ports */
	uint16_t p_key_violations;	/* of an external switch port; others': struct end_port */
	int interface;			/* number in the capture, -1: not declared yet */
	uint16_t *pkeys;		/* of an external switch port: partition_table() */
	uint8_t (*sl_to_vl)[8];		/* by port of entry (CAs: one); NULL: nobody wrote to it */
	uint8_t (*vl_arbitration)[16];	/* low and high priority; NULL: nobody wrote to it */
	uint8_t *hierarchy;		/* HierarchyInfo, as an SM wrote it; NULL: nobody did */
	struct port_counters counters;
	uint32_t held_back;		/* packets that wait for the next one to leave (sim/fabric/fault.h) */
	uint16_t pkey_count;		/* 0 on external switch ports: the table is port 0's */
	bool unplugged;			/* there is a cable, but it hangs loose (sim/fabric/cable.h) */
	struct chance *chance;		/* of what it transmits; NULL: ask port_chance() for it */
};

/* A CA port, a router port, or port 0 of a switch: it has LIDs, GUIDs and QPs. */
struct end_port {
	struct port *port;
	struct kmod_port_attr attr;	/* LID, LMC, P_Keys, GIDs: live; kmod-stub reads it */
	struct kmod_port *kmod;		/* its kernel's view, NULL until somebody needs it */
	struct umadrig_host *host;	/* the host that it belongs to */
	struct port *arrival;		/* of the packet in kmod_port_receive(): came in by it */
	uint64_t guid;
	uint64_t gid_prefix;		/* host order */
	uint64_t m_key;
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint8_t m_key_protect;
	uint8_t subnet_timeout;		/* 4.096 us * 2^n */
	uint16_t m_key_lease;		/* seconds, 0: for ever */
	struct event m_key_lease_end;
	uint16_t m_key_violations, p_key_violations, q_key_violations;
	struct node_info *node_info;	/* as it was encoded last (sim/agents/sma-node.c), NULL: never */
	struct cc_agent *cc;		/* what congestion control has set, NULL: nothing */
	struct trap *traps;		/* not repressed yet (trap.c), in the order they are sent */
	struct event trap_event;	/* armed: the first of them will be sent */
	int64_t trap_earliest_ns;	/* not before then */
	uint64_t trap_tid;		/* the last one used */
	uint32_t cap_mask;
	uint16_t cap_mask2;
	uint8_t multicast_trap_suppression;
	uint8_t gids[GID_COUNT][16];
	uint16_t pkeys[PKEY_COUNT];
	bool issm_open;			/* by umadrig_issm_open(), through the kernel */
	bool issm_path_open;		/* by the path of sim/host/issm-path.h */
	int issm_fd;			/* behind that path, -1: nobody asked for it */
	unsigned int issm_number;	/* of issmN in fabric->issm_directory */
	/* Those who watch it (umadrig_tap). */
	umadrig_tap_fn *tap;
	void *tap_ctx;
};

/* What only switches have. */
struct switch_part {
	uint8_t *lft;			/* egress by LID, 255: none; ask switch_lft() for it */
	uint32_t lft_size;		/* entries, whole blocks of 64; 0: not computed yet */
	bool lft_computed;		/* by route_switch(), and no SM has written to it since */
	uint16_t lft_cap;		/* LinearFDBCap */
	uint16_t lft_top;		/* LinearFDBTop */
	uint16_t *mft;			/* port masks, see sim/agents/sma-table.c; NULL: nobody wrote to it */
	uint16_t mft_cap;
	uint16_t mft_top;		/* MulticastFDBTop */
	uint8_t default_port, mcast_primary_port, mcast_secondary_port;
	uint8_t life_time;
	bool state_change;
};

struct node {
	struct umadrig_fabric *fabric;
	unsigned int index;		/* in fabric->nodes */
	enum topology_kind kind;
	char *id;
	char *description;		/* as in the file: it is found by it */
	char *description_set;		/* what it has been set to since, NULL: nothing */
	char *device_name;		/* as programs see it: mlx5_0, sim0; set by host.c */
	uint64_t node_guid;
	uint64_t sys_image_guid;
	uint32_t vendor_id;
	uint16_t device_id;
	uint32_t revision;
	uint8_t port_count;
	bool enhanced_port0;
	bool removed;			/* pulled out: no device, no link, no answer */
	struct port *ports;		/* port_count + 1; entry 0 is meaningful on switches only */
	struct end_port *ends;		/* those of the ports that are end ports: all, or port 0 */
	struct umadrig_host *host;	/* whose kernel drives it */
	struct switch_part *sw;		/* NULL on CAs and routers */
	struct pma_sampler *sampler;	/* NULL: nobody has sampled anything */
};

/* NodeDescription. */
static inline const char *node_description(const struct node *node)
{
	return node->description_set ? node->description_set : node->description;
}

/* One running kernel and the CAs that it drives. */
struct umadrig_host {
	struct umadrig_fabric *fabric;
	char *name;
	struct node **nodes;		/* in file order */
	unsigned int node_count;
	GHashTable *devices;		/* device name -> struct node *: look-up only; NULL: few */
	unsigned int unnamed;		/* how many devices the topology gave no name */
	struct kmod_host *kmod;		/* NULL until somebody needs it */
};

struct handle;
struct delivery;
struct fault_set;
struct fault_hold;

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
	struct delivery *deliveries_free;
	int64_t instant_ns;		/* when a packet was last delivered without delay */
	unsigned int instant_packets;	/* how many were, with hardly a pause between */
	struct handle *handles;		/* open ones */
	struct handle *handles_changed;	/* whose descriptor may differ from their file */
	uint32_t m_key_changes;		/* any port's; who looks compares */
	char *issm_directory;		/* a server's, for issmN; NULL: programs are in this process */
	unsigned int issm_count;	/* of those that were ever made */
	unsigned int tap_count;		/* of umadrig_tap() */
	GHashTable *by_name;		/* fabric_find() only; NULL: nobody asked for a name */
};

/* ---- fabric.c ---- */

/* Every node, by id, else by description; NULL when none. */
struct node *fabric_find(struct umadrig_fabric *fabric, const char *name);

/* The same, else by the device name that it has on the usual host. */
struct node *fabric_node(struct umadrig_fabric *fabric, const char *name);

/* ---- sim/fabric/node.c ---- */

/* A node as 'said', one of 'topology', without cables. To be freed with node_free(). */
struct node *node_new(struct umadrig_fabric *fabric, const struct topology *topology,
		      const struct topology_node *said);
void node_free(struct node *node);

/* The end port of 'node' with number 'num' (a switch's only one is 0), or NULL. */
struct end_port *node_end_port(struct node *node, unsigned int num);

/*
 * What the node says of itself is changed, by itself or through an SMP: its SM is told. Names by
 * which nodes are found in commands and scripts stay those of the file.
 */
void node_set_description(struct node *node, const char *description);
void node_set_sys_image_guid(struct node *node, uint64_t guid);

/* Bits of PortInfo.CapabilityMask that the fabric itself uses. */
#define CAP_IS_SM (UINT32_C(1) << 1)
/* What software of a node serves there: bits 16 to 20 and 23, from CM to boot management. */
#define CAP_SERVED UINT32_C(0x9f0000)

/* The same of PortInfo.CapabilityMask2. */
enum {
	CAP2_SET_NODE_DESCRIPTION = 1 << 0,
	CAP2_PORT_INFO_EXTENDED = 1 << 1,
	CAP2_LINK_WIDTH_2X = 1 << 4,
	CAP2_LINK_SPEED_HDR = 1 << 5,
	CAP2_LINK_SPEED_NDR = 1 << 10,
	CAP2_EXTENDED_SPEEDS_2 = 1 << 11,
	CAP2_LINK_SPEED_XDR = 1 << 12,
};

/* ---- sim/fabric/port.c ---- */

/*
 * Port 'num' of a node, without a link, by what the topology says of it and of its peer (NULL: it
 * has none).
 */
void port_init(struct node *node, unsigned int num, const struct topology_port *said,
	       const struct topology_port *peer);

/* What makes an end port of 'port', of which port_init() was called. */
void end_port_init(struct end_port *end, struct port *port, const struct topology_port *said);

/* The end port that speaks for 'port': itself, or a switch's port 0. Asked of a fabric's ports. */
struct end_port *port_speaker(const struct port *port);

/* Is 'lid' one of the port's LIDs? */
static inline bool end_port_has_lid(const struct end_port *end, uint16_t lid)
{
	return end->attr.lid && lid >= end->attr.lid && lid < end->attr.lid + (1U << end->attr.lmc);
}

/* Is a packet whose GRH has this DGID, of 16 bytes, for the port? To groups: all are. */
bool end_port_takes_gid(const struct end_port *end, const uint8_t *gid);

/* What PortInfo says that the node's ports can do: masks of all their widths, extended speeds. */
void end_port_set_speeds(struct end_port *end, uint8_t widths, uint8_t ext_speeds);

/* What an SM and software may set, as it is after power-up; its LID is its owner's affair. */
void end_port_reset(struct end_port *end);

/* Sets or moves the LIDs of an end port and keeps by_lid right. */
void end_port_set_lid(struct end_port *end, uint16_t lid, uint8_t lmc);

/* Bits of CapabilityMask; where that changes it the SM is told. */
void end_port_set_capability(struct end_port *end, uint32_t bits, bool set);

/* What the port and its end port own; they themselves are the node's. */
void port_free(struct port *port);

/* Where "the other end is up as well" is asked: both ends have phys_state LinkUp and a cable. */
static inline bool port_is_linked(const struct port *port)
{
	return port->peer && port->phys_state == PORT_PHYS_LINK_UP &&
	       port->peer->phys_state == PORT_PHYS_LINK_UP;
}

enum { PORT_NAME_SIZE = 80 };
/* "H1[1]": the node's id and the port's number, as captures, traces and messages name it. */
const char *port_format(const struct port *port, char buf[PORT_NAME_SIZE]);

/* The port's own stream of chance, named after it. */
struct chance *port_chance(struct port *port);

/* One port, without a link, as it is after power-up: what an SM has set is gone, and counters. */
void port_clear(struct port *port);

/* ---- sim/fabric/switch.c ---- */

/* Gives a node what only switches have; frees it, where it has that. */
void switch_init(struct node *node);
void switch_free(struct node *node);

/* As it is after power-up; its ports are its owner's affair, but for port 0. */
void switch_reset(struct node *node);

/* Port 0 has no link; only an enhanced one waits for an SM to bring it up. */
void switch_port0_come_up(struct node *node, bool cold);

/* ---- sim/fabric/route.c ---- */

/* Fills the forwarding table of one switch by minimum hops; LIDs take turns among such ways. */
void route_switch(struct umadrig_fabric *fabric, struct node *sw);

/*
 * The forwarding table of a switch, of at least 'entries' entries (lft_size says how many):
 * computed now where state=active and nobody asked before, else empty (255). Whoever writes to it
 * for an SM sets lft_computed to false.
 */
uint8_t *switch_lft(struct node *sw, uint32_t entries);

/* Where that table sends a unicast LID, 255: nowhere. It does not grow by being asked. */
uint8_t switch_egress(struct node *sw, uint16_t lid);

/* LIDs have moved without an SM: tables that route_switch() made are computed again when used. */
void route_forget(struct umadrig_fabric *fabric);

/* ---- sim/fabric/host.c ---- */

/* The host called 'name' (its own name, or a node's id or description), or NULL. */
struct umadrig_host *fabric_host(struct umadrig_fabric *fabric, const char *name);

/* Whose kernel drives the node: a switch is nobody's device until this is asked. */
struct umadrig_host *node_host(struct node *node);

/* The node that the host knows as device 'name', or NULL. */
struct node *host_device(const struct umadrig_host *host, const char *name);

/* Makes the hosts of a fabric: CAs with one text before " HCA-", " mlx" or " hfi" are one host. */
void fabric_make_hosts(struct umadrig_fabric *fabric);

/* Frees them. They have no kernels any more. */
void fabric_free_hosts(struct umadrig_fabric *fabric);

/* ---- sim/fabric/record.c ---- */

/*
 * Shows a packet at a port to the tap there and to the capture. 'why': what became of it, for the
 * comment, NULL when nothing is to be said.
 */
void record_packet(struct port *port, int64_t at_ns, bool outbound, struct packet *packet,
		   const char *why);

/*
 * A packet has died at a port where it arrived or was to leave, and why: for the capture only.
 * 'packet' is not kept, but sealed.
 */
void record_death(struct port *port, int64_t at_ns, struct packet *packet, const char *why);

/* How many bytes of it a tap sees: through the MAD, of a raw packet all. */
size_t record_size(const struct packet *packet);

/* Is anybody looking? Where not, words for record_packet() need not be made. */
static inline bool record_wanted(const struct umadrig_fabric *fabric)
{
	return fabric->capture || fabric->trace || fabric->watch;
}

int record_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
		 char *reterr, size_t reterr_size);
int record_stop(struct umadrig_fabric *fabric);

/* The same where nobody asks how it went: a capture that is not complete is told on stderr. */
void record_end(struct umadrig_fabric *fabric);

/* ---- trace.c ---- */

/* One line to whoever listens (umadrig_trace); 'who' is a port's name. */
void fabric_trace(struct umadrig_fabric *fabric, const char *who, const char *format, ...)
	G_GNUC_PRINTF(3, 4);
void fabric_trace_va(struct umadrig_fabric *fabric, const char *who, const char *format,
		     va_list args);

#endif
