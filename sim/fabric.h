/*
 * The fabric: nodes, ports and links, the clock that they share, and the hosts on them.
 *
 * fabric.c builds it from a struct topology; route.c computes forwarding tables; forward.c carries
 * a packet from a port to where it ends; sma.c answers for nodes; host.c puts kernels (kmod-stub)
 * on end ports; attach.c and door.c let this process in. One lock a fabric, held by everything here
 * but the public functions of umadrig.h, which take it.
 */
#ifndef UMADRIG_FABRIC_H
#define UMADRIG_FABRIC_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "chance.h"
#include "event-queue.h"
#include "kmod.h"
#include "packet.h"
#include "topology.h"
#include "umadrig.h"

enum port_state {		/* PortInfo.PortState */
	PORT_DOWN = 1,
	PORT_INIT = 2,
	PORT_ARMED = 3,
	PORT_ACTIVE = 4,
};

enum port_phys_state {		/* PortInfo.PortPhysicalState */
	PORT_PHYS_POLLING = 2,
	PORT_PHYS_DISABLED = 3,
	PORT_PHYS_LINK_UP = 5,
};

struct node;
struct end_port;

/* A physical port, or port 0 of a switch. */
struct port {
	struct node *node;
	struct port *peer;		/* other end of the cable, NULL: none */
	struct end_port *end;		/* what an end port has on top; NULL on external switch ports */
	uint8_t num;
	uint8_t state;			/* enum port_state */
	uint8_t phys_state;		/* enum port_phys_state */
	uint8_t width_supported, width_enabled, width_active;
	uint8_t speed_supported, speed_enabled, speed_active;
	uint8_t speed_ext_supported, speed_ext_enabled, speed_ext_active;
	bool fdr10;
	uint8_t mtu_cap, neighbor_mtu;	/* codes: 1 256 ... 4 2048, 5 4096 */
	uint8_t vl_cap, operational_vls;	/* codes */
	uint32_t counters_xmit_pkts;	/* what crossed the port since the fabric began */
	uint32_t counters_rcv_pkts;
	uint16_t pkey_count;		/* 0 on external switch ports: the table is port 0's */
	int interface;			/* number in the capture, -1: not declared yet */
	struct chance chance;		/* stream of this port's transmitting side */
};

/* A CA port, a router port, or port 0 of a switch: it has LIDs, GUIDs and QPs. */
struct end_port {
	struct port *port;
	struct kmod_port_attr attr;	/* LID, LMC, P_Keys, GIDs: live; kmod-stub reads it */
	struct kmod_port *kmod;		/* its kernel's view, NULL until somebody needs it */
	struct umadrig_host *host;	/* the host that it belongs to */
	uint64_t guid;
	uint64_t gid_prefix;		/* host order */
	uint64_t m_key;
	uint16_t sm_lid;
	uint8_t sm_sl;
	uint8_t m_key_protect;
	uint16_t m_key_lease;
	uint32_t cap_mask;
	uint8_t (*gids)[16];
	uint16_t *pkeys;
	unsigned int issm_opens;
	/* Those who watch it (umadrig_tap). */
	umadrig_tap_fn *tap;
	void *tap_ctx;
};

/* What only switches have. */
struct switch_part {
	uint8_t *lft;			/* egress by LID, 255: none; lft_size entries, NULL: not computed */
	uint32_t lft_size;		/* multiple of 64 */
	uint16_t lft_cap;		/* LinearFDBCap */
	uint16_t lft_top;		/* LinearFDBTop */
	uint16_t mft_cap;
	uint8_t life_time;
	bool state_change;
};

struct node {
	struct umadrig_fabric *fabric;
	unsigned int index;		/* in fabric->nodes */
	enum topology_kind kind;
	char *id;
	char *description;
	char *device_name;		/* as programs see it: mlx5_0, sim0; set when the hosts are made */
	uint64_t node_guid;
	uint64_t sys_image_guid;
	uint32_t vendor_id;
	uint16_t device_id;
	uint32_t revision;
	uint8_t port_count;
	bool enhanced_port0;
	struct port *ports;		/* port_count + 1; entry 0 is meaningful on switches only */
	struct switch_part *sw;		/* NULL on CAs and routers */
};

/* One running kernel and the CAs that it drives. */
struct umadrig_host {
	struct umadrig_fabric *fabric;
	char *name;
	GPtrArray *nodes;		/* of struct node *, in file order */
	struct kmod_host *kmod;		/* NULL until somebody needs it */
};

struct umadrig_fabric {
	pthread_mutex_t lock;
	struct event_queue queue;
	struct clock *clock;
	struct packet_pool pool;
	struct kmod_ops ops;
	char *name;			/* the file, for banners */
	struct umadrig_options options;
	uint64_t seed;
	GPtrArray *nodes;		/* of struct node * */
	GPtrArray *hosts;		/* of struct umadrig_host *, in the order of their first node */
	struct end_port **by_lid;	/* 0xc000 entries: who has the LID, NULL: nobody */
	bool lfts_ready;		/* state=active: tables are computed when first used */
	struct capture_writer *capture;	/* NULL: not capturing */
	struct replay *replay;		/* NULL: not a replayed capture */
	GHashTable *by_name;		/* id, then description -> struct node * : look-up only */
};

/* ---- fabric.c ---- */

/* Every node, by id, else by description, else by device name; NULL when none. */
struct node *fabric_node(struct umadrig_fabric *fabric, const char *name);

/* The end port of 'node' with number 'num' (a switch's only one is 0), or NULL. */
struct end_port *node_end_port(struct node *node, unsigned int num);

/* Sets or moves the LIDs of an end port and keeps by_lid right. */
void end_port_set_lid(struct end_port *end, uint16_t lid, uint8_t lmc);

/* Bits of PortInfo.CapabilityMask that the fabric itself uses. */
#define CAP_IS_SM (UINT32_C(1) << 1)

/* ---- forward.c ---- */

/*
 * A packet leaves 'port' (which takes its ownership): hop by hop to where it ends, one delivery
 * event there after the fabric's latency. Captured once at 'port'; where it dies on the way, once
 * more at the port where it died, with the cause.
 */
void fabric_transmit(struct port *port, struct packet *packet);

/* The same, arriving at end port 'to' at this instant whatever its addresses: what a script injects. */
void fabric_deliver(struct end_port *to, struct port *from, struct packet *packet);

/* ---- route.c ---- */

/* Fills the forwarding table of one switch by minimum hops (ties: lowest port). */
void route_switch(struct umadrig_fabric *fabric, struct node *sw);

/* ---- sma.c ---- */

/*
 * The subnet management agent of a node: answers 'in' (256 bytes, of class 0x01 or 0x81, arrived
 * through 'port') in 'out'. Returns kmod_mad_result bits. The direction bit, hop pointer and paths
 * are the caller's affair; SubnGetResp of a directed-route SMP has D set in its status.
 */
unsigned int sma_process(struct port *port, const struct kmod_source *source, const uint8_t *in,
			 uint8_t *out);

/* ---- host.c ---- */

/* The kernel's view of an end port, brought up now where it was not yet. */
struct kmod_port *end_port_kmod(struct end_port *end);

/* Makes the hosts of a fabric: CAs with one text before " HCA-", " mlx" or " hfi" are one host. */
void fabric_make_hosts(struct umadrig_fabric *fabric);

#endif
