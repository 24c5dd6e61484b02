/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig.h: a simulated InfiniBand fabric inside this process.
 *
 *	struct umadrig_fabric *f = umadrig_fabric_open("cluster.net,seed=7", err, sizeof(err));
 *	umadrig_attach(f);                     // libibumad's UMAD_BACKEND=sim:@ is now this fabric
 *	fd = umad_open_port("H1", 1); ...
 *	umadrig_step(f, umadrig_now(f) + 1000000);     // virtual clock: one millisecond passes
 *	umadrig_fabric_close(f);
 *
 * Time is signed 64-bit nanoseconds since the fabric began. Functions return 0 or a negative errno
 * unless they say otherwise; those with a 'reterr' write a message there on failure (always
 * terminated; 512 bytes are enough). Any thread may call them, unless a comment says otherwise;
 * each takes the fabric's lock. After fork(2) the fabric belongs to the parent: in the child they
 * do nothing, and return -EIO, NULL, 0 or false.
 */
#ifndef UMADRIG_H
#define UMADRIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct umadrig_fabric;
struct umadrig_port;
struct umadrig_file;
struct umadrig_program;

/*
 * Loads a fabric. 'spec' is "FILE[,OPTION=VALUE...]"; FILE is an ibnetdiscover dump, an ibsim net
 * file (its "do" lines are executed), OpenSM's subnet list, a topology of ibdm, a profile of
 * mock-ib, "generate:SPEC" as described in umadrig-formats(5), or a capture (pcap, pcapng), which
 * then answers as it did, or with the option mode=timed comes again, at its own times since a port
 * was first opened; "" is the default fabric: H1[1] and H2[1] on one cable, LIDs 1 and 2, Active,
 * SM LID 2. NULL on failure, also when a tenth or more of the file is lost to errors, unless
 * partial=yes is among the options. Other damage is reported on stderr, a line each.
 */
struct umadrig_fabric *umadrig_fabric_open(const char *spec, char *reterr, size_t reterr_size);

/*
 * The same for a text in one of those formats. 'options' are those that may follow a file name
 * ("clock=virtual,seed=7"); "" or NULL: none. Diagnostics name the file "text".
 */
struct umadrig_fabric *umadrig_fabric_parse(const char *text, const char *options, char *reterr,
					    size_t reterr_size);

/*
 * Frees everything. Handles opened on it must be closed before, and no thread may wait in it. Other
 * processes on it (umadrig_serve()) see their devices go. NULL is allowed.
 */
void umadrig_fabric_close(struct umadrig_fabric *fabric);

/* Makes it the fabric that libibumad reaches as UMAD_BACKEND=sim:@ in this process; NULL: none. */
void umadrig_attach(struct umadrig_fabric *fabric);

/*
 * The calling thread's host for look-ups and opens (a node's id, description or host name); NULL:
 * the default again. -ENOENT: no such host.
 */
int umadrig_host_enter(struct umadrig_fabric *fabric, const char *host);

/*
 * ---- time ----
 *
 * Virtual clock (clock=virtual): events fire only inside umad_recv, umad_poll, umadrig_file_read,
 * umadrig_file_poll and umadrig_step. The first four fire what is due now; umad_recv and umad_poll,
 * if they wait, and umadrig_step then jump to the next event, and the next. So an answer without
 * latency is there for the umad_recv that follows the umad_send; the program's own poll(2) sees it
 * after one of those calls.
 *
 * Real clock: fabric time is CLOCK_MONOTONIC since the fabric was made. A thread of the library,
 * with all signals blocked, fires events; umadrig_step does nothing.
 */

/* The fabric's time. */
int64_t umadrig_now(struct umadrig_fabric *fabric);
/* When the next event is due; INT64_MAX: nothing is armed. */
int64_t umadrig_next(struct umadrig_fabric *fabric);
/* Virtual clock: fires everything due up to and at 'until_ns'; the time is then 'until_ns'. */
void umadrig_step(struct umadrig_fabric *fabric, int64_t until_ns);
/*
 * Virtual clock: fires all events of the next instant, if it is not after 'until_ns'; true if so.
 */
bool umadrig_step_once(struct umadrig_fabric *fabric, int64_t until_ns);
/*
 * Virtual clock: fires events until none is armed, or the next would be after 'until_ns'; the time
 * is then that of the last one. True: the fabric is idle, and nothing will happen by itself.
 */
bool umadrig_step_idle(struct umadrig_fabric *fabric, int64_t until_ns);

/*
 * Virtual clock and threads: time moves only while every thread that takes part waits in umad_recv,
 * umad_poll or umadrig_step. A thread takes part from its first umad_send, umad_recv, umad_poll or
 * umadrig_step, or from umadrig_thread_enter() (so that time does not run ahead of threads that are
 * still starting), until it ends or calls umadrig_thread_leave() (for example before it joins
 * others). If all wait for ever and nothing is armed, the waiting calls return -EDEADLK, with a
 * line on stderr.
 */
void umadrig_thread_enter(struct umadrig_fabric *fabric);
void umadrig_thread_leave(struct umadrig_fabric *fabric);

/* ---- ports ---- */

/*
 * Port 'num' of a node; NULL when there is none. Wherever a node is named, that is its id, its
 * description, its device name, or the name of a host that has no other ("host-7").
 */
struct umadrig_port *umadrig_port(struct umadrig_fabric *fabric, const char *node,
				  unsigned int num);
/* Its current LID; 0: none. Ports belong to the fabric, and are valid until that is closed. */
uint16_t umadrig_port_lid(const struct umadrig_port *port);
uint8_t umadrig_port_lmc(const struct umadrig_port *port);
/* GID 'index' (16 bytes as on the wire); -EINVAL beyond the table. */
int umadrig_port_gid(const struct umadrig_port *port, unsigned int index, uint8_t ret_gid[16]);
/*
 * Sets a port's LID, as an SM would; tables that no SM has written route to it at once. -EINVAL:
 * not a unicast LID, or not a multiple of 2^LMC.
 */
int umadrig_port_set_lid(struct umadrig_port *port, uint16_t lid, uint8_t lmc);
/* The device that the port belongs to, as libibumad names it ("sim0", "H1"). */
const char *umadrig_port_device(const struct umadrig_port *port);
/*
 * Removes the HCA: its open files fail (-EIO), and the device leaves the lists. 0.
 */
int umadrig_port_remove(struct umadrig_port *port);

/* ---- nodes ---- */

/* The id of node 'index' (from 0), in the file's order; NULL: there are fewer nodes. */
const char *umadrig_node(struct umadrig_fabric *fabric, unsigned int index);
/* The number of its ports, without port 0 of a switch. -ENOENT: there is no such node. */
int umadrig_node_ports(struct umadrig_fabric *fabric, const char *node);
/* PortState of a port: 1 Down, 2 Init, 3 Armed, 4 Active. -ENOENT: no such node or port. */
int umadrig_port_state(struct umadrig_fabric *fabric, const char *node, unsigned int num);
/*
 * Changes the NodeDescription of 'node' (id, description or device name), and notifies the SM. The
 * string is copied. -ENOENT: there is no such node.
 */
int umadrig_node_set_description(struct umadrig_fabric *fabric, const char *node,
				 const char *description);
/* The same for its SystemImageGUID (trap 145). */
int umadrig_node_set_system_guid(struct umadrig_fabric *fabric, const char *node, uint64_t guid);

/*
 * Sets or clears 'bits' of the CapabilityMask of end port 'num' of 'node', which announce what
 * software serves there: for example 0x80000 for device management, which Linux sets for an SRP
 * target. Notifies the SM (trap 144). -ENOENT: there is no such end port. -EINVAL: bits other than
 * 0x9f0000; those belong to the hardware, and IsSM to issmN.
 */
int umadrig_port_set_capability(struct umadrig_fabric *fabric, const char *node, unsigned int num,
				uint32_t bits, bool set);

/* What hardware notices of a link, by the number of the trap that notifies the SM. */
enum umadrig_link_error {
	UMADRIG_LINK_INTEGRITY = 129,
	UMADRIG_BUFFER_OVERRUN = 130,
	UMADRIG_FLOW_CONTROL_WATCHDOG = 131,
};
/*
 * Lets the error happen once, now, at port 'num' of 'node', which counts it
 * (LocalLinkIntegrityErrors and LinkErrorRecoveryCounter; ExcessiveBufferOverrunErrors;
 * PortVLXmitFlowCtlUpdateErrors0) and notifies the SM. -ENOENT: there is no such port. -EINVAL: no
 * such error.
 */
int umadrig_link_error(struct umadrig_fabric *fabric, const char *node, unsigned int num,
		       enum umadrig_link_error error);

/* ---- packets ---- */

/*
 * A packet at a port: 'bytes' from the LRH through the MAD, followed by the CRCs if it was made by
 * hand with wrong ones (below), or is a datagram of a guest that is no MAD (up to 4,170 bytes).
 * Called with the lock held: it must not call this interface.
 */
typedef void umadrig_tap_fn(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			    size_t size);
/* 'fn' sees every packet that leaves or reaches the port; NULL ends it. One tap for each port. */
void umadrig_tap(struct umadrig_port *port, umadrig_tap_fn *fn, void *ctx);

/*
 * Packets made by hand are given as their bytes from the LRH through the MAD (correct CRCs are then
 * appended), or through the VCRC: exactly those bytes, right or wrong. The ports that the packet
 * reaches find what is wrong: the first one a VCRC, link version or length, which it counts in
 * PortRcvErrors; the last one an ICRC, which it counts as well. Packets with other wrong headers,
 * or with a GRH whose DGID is none of the port's GIDs, are dropped there silently (IBA vol 1, 7.3,
 * 9.6). Captures and traces say why. -EINVAL: fewer than 14 bytes, or more than 330.
 */

/* A packet leaves 'port' now, as if its HCA had sent it. */
int umadrig_inject(struct umadrig_port *port, const uint8_t *bytes, size_t size);
/*
 * A packet arrives at 'to' now, as if sent from 'from' (where it is recorded one latency earlier;
 * NULL: not recorded), whatever its addresses.
 */
int umadrig_deliver(struct umadrig_port *to, struct umadrig_port *from, const uint8_t *bytes,
		    size_t size);

/* ---- the console ---- */

/*
 * Executes a line of the console, as umadrig ctl and the "do" lines of net files do:
 *
 *	Unlink "S1"[3]          fault add drop 5% on H1[1]       Help
 *
 * 0; -EINVAL: no such command, or wrong arguments; -ENOENT: what it names does not exist; or
 * another negative errno. '*ret_text' (may be NULL): its output, in lines, or why it failed and
 * what to do; to be freed with free(3). Commands that need a server (Attached, X, Quit) fail.
 * 'fabric' may be NULL for Help.
 */
int umadrig_console(struct umadrig_fabric *fabric, const char *line, char **ret_text);

/* ---- links and nodes that fail and return ---- */

/*
 * Pulls the cable at a port ('node': id, description or device name), or plugs it in again; port 0:
 * all cables of the node. The link goes down at once, and switches notify the SM (trap 128); it
 * comes up some milliseconds later, in Init, for an SM to make it Active. 0, also if nothing
 * changes; -ENOENT: no such node or port; -ENXIO: no cable there.
 */
int umadrig_link_set(struct umadrig_fabric *fabric, const char *node, unsigned int port, bool up);

/*
 * Switches the node's power. Off: its links go down, it answers nothing, files open on its devices
 * fail as after umadrig_port_remove() (-EIO), and the devices leave the lists. On: it has no LIDs
 * and empty tables, its links train, and its devices can be opened again. 0, also if nothing
 * changes; -ENOENT: there is no such node.
 */
int umadrig_node_set(struct umadrig_fabric *fabric, const char *node, bool on);

/* Switches off each node with a port whose IsSM is set: their number, or -EIO (forked). */
int umadrig_sm_lose(struct umadrig_fabric *fabric);

/* ---- faults ---- */

enum umadrig_fault_act {
	UMADRIG_FAULT_DROP,
	UMADRIG_FAULT_DELAY,
	UMADRIG_FAULT_DUPLICATE,
	UMADRIG_FAULT_REORDER,
	UMADRIG_FAULT_CORRUPT,
	UMADRIG_FAULT_LIE,
};

enum umadrig_fault_way {
	UMADRIG_FAULT_EITHER_WAY,
	UMADRIG_FAULT_LEAVING,
	UMADRIG_FAULT_ARRIVING,
};

/* Where a packet is lost, and how the port at the cable's end counts it. */
enum umadrig_fault_loss {
	UMADRIG_FAULT_LOSS_UNSEEN,	/* on the cable: nothing counts it */
	/*
	 * The port has no buffer: SMPs count as VL15Dropped, others as PortBufferOverrunErrors, a
	 * part of PortRcvErrors; more of them in a row than PortInfo's OverrunErrors cause
	 * ExcessiveBufferOverrunErrors and trap 130.
	 */
	UMADRIG_FAULT_LOSS_OVERRUN,
	UMADRIG_FAULT_LOSS_UNREAD,	/* QP1 of an HCA or router has no buffer: QP1Dropped */
};

/* For umadrig_fault.zeros: in these fields 0 means the value 0, not any value. */
enum {
	UMADRIG_FAULT_ZERO_MODIFIER = 1 << 0,
	UMADRIG_FAULT_ZERO_TID_LOW = 1 << 1,
	UMADRIG_FAULT_ZERO_TID_HIGH = 1 << 2,
	UMADRIG_FAULT_ZERO_SEGMENT = 1 << 3,
	UMADRIG_FAULT_ZERO_RMPP_TYPE = 1 << 4,	/* 0: not part of an RMPP transfer */
};

/*
 * What goes wrong on links: which packets a rule matches, and what happens to them. All zero means
 * "drop every packet on every link". A packet meets the rules at each cable of its route; what an
 * HCA sends to itself crosses none.
 *
 * All rules count the packets that match, before any rule has changed them. Rules act in the order
 * in which they were added.
 */
struct umadrig_fault {
	const char *name;	/* for captures and traces; NULL: its id */

	/* Which cable. */
	const char *node;	/* id, description or device name; NULL: every cable */
	unsigned int port;	/* 0: every port of the node */
	enum umadrig_fault_way way;	/* as seen from that port; ignored without a node */

	/* Which MADs: host order, 0 means any unless 'zeros' says otherwise. */
	unsigned int zeros;	/* UMADRIG_FAULT_ZERO_... */
	uint8_t mgmt_class;
	uint8_t method;
	uint16_t attribute;
	uint32_t modifier;
	uint32_t tid_low, tid_high;
	uint8_t rmpp_type;	/* 1 DATA, 2 ACK, 3 STOP, 4 ABORT */
	uint32_t segment;	/* SegmentNumber of DATA and ACK */

	/* Which of those that match. */
	uint64_t skip;		/* that many pass at first */
	uint64_t count;		/* then the next ones are acted on; 0: all */
	uint32_t numerator;	/* with a denominator: each with this probability, drawn from the */
	uint32_t denominator;	/* link's stream; 'count' is then the most that are acted on */

	enum umadrig_fault_act act;
	enum umadrig_fault_loss loss;	/* drop */
	/*
	 * Delay: how long. Duplicate: how long after the packet its copy follows. Reorder: it waits
	 * for the next packet that crosses the same cable in the same direction and follows it, or
	 * goes alone after this time (0: 10 ms).
	 */
	int64_t time_ns;
	/*
	 * Corrupt: which bits change. Bit 0 is the highest bit of the MAD's first byte, or with
	 * 'whole_packet' of the LRH's.
	 */
	bool whole_packet;
	uint32_t first_bit;
	uint32_t bit_count;	/* 0: up to the end of the MAD */
	uint32_t flips;		/* that many, at random; 0: all of bit_count, or 1 */
	/*
	 * false: ICRC and VCRC stay unchanged; the port at the cable's end detects that they are
	 * wrong, drops the packet, and counts it in PortRcvErrors, and each changed octet in
	 * SymbolErrorCounter. If such packets outnumber good ones by PortInfo's LocalPhyErrors,
	 * LocalLinkIntegrityErrors counts that, and trap 129 is sent. true: they are corrected, and
	 * the packet continues (it is dropped only if it carries no MAD any more).
	 */
	bool crc_mended;
	/*
	 * Lie: what about, as in rules in words: "NodeInfo.LocalPort=255", "any"
	 * (umadrig-formats(5), FAULTS). It is told by the node that answers, where the answer
	 * leaves: the rule meets that cable only, and answers only unless 'method' is given.
	 * Captures have the answer as it leaves.
	 */
	const char *lie;
	/*
	 * Which MADs, besides the above: a filter as in rules in words, behind "where"; NULL: all.
	 * Fields may be named without their method where 'attribute' is given and a class, which is
	 * 'where_class', or with 0 'mgmt_class'.
	 */
	const char *where;
	uint8_t where_class;
};

/*
 * Adds a rule, which takes effect at once; the strings are copied. Its id (> 0, never reused), or a
 * negative errno with a message: -ENOENT no such node, port or cable, -EINVAL contradictory.
 */
int umadrig_fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
		      char *reterr, size_t reterr_size);
/*
 * The same in words, as in options, in scenarios and on the console: what to do, then any words
 * with blanks between them (umadrig-formats(5), FAULTS):
 *
 *	drop 5%   drop 1/20 class=0x81 from S1[3]   delay 3 by 2ms   corrupt mended 1 on H1[1]
 */
int umadrig_fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
			   size_t reterr_size);
/* How many packets it has acted on; -ENOENT: there is no such rule. */
int64_t umadrig_fault_hits(struct umadrig_fabric *fabric, int id);
/*
 * Removes a rule. Packets that it holds for reordering continue now; delayed ones and copies
 * arrive.
 */
int umadrig_fault_remove(struct umadrig_fabric *fabric, int id);

/* ---- attributes ---- */

/*
 * Reads an attribute of subnet management (its number, 0x0015: PortInfo) as the node's agent would
 * return it to a Get now, into 'ret_data' (64 bytes, of which what the attribute does not have is
 * 0); M_Keys are included. No packet is sent. 'port' is the port that PortInfo, PortInfoExtended
 * and MlnxExtPortInfo are of, and at which a CA gets the request for another attribute (0: its
 * first). -ENOENT: no such node or port; -EOPNOTSUPP: the node does not have the attribute.
 */
int umadrig_attribute(struct umadrig_fabric *fabric, const char *node, unsigned int port,
		      unsigned int attribute, uint8_t ret_data[64]);

/* ---- counters ---- */

/*
 * A counter as the node's performance management agent would return it now: packets and words that
 * crossed the port's cable, and errors there. 'name' is a field of one of the agent's attributes
 * ("PortRcvErrors", "PortVLOpPackets3"). If several have it, PortCountersExtended is meant, or the
 * one before a dot ("PortCounters.PortXmitData", which stays at its highest value, 2^32 - 1).
 * 'port' 0 is that of a switch itself, 255 the sum of all. -ENOENT: no such node or port; -EINVAL:
 * no such counter.
 */
int64_t umadrig_counter(struct umadrig_fabric *fabric, const char *node, unsigned int port,
			const char *name);
/*
 * Sets it to 'value', from which it continues, as a Set to the agent does: 0 resets it. Each
 * attribute has its own counters. Errors as above; -ERANGE: 'value' does not fit.
 */
int umadrig_counter_set(struct umadrig_fabric *fabric, const char *node, unsigned int port,
			const char *name, uint64_t value);

/*
 * Lets the counter grow by itself: by 'numerator' in each 'per_ns' (> 0) of the fabric's time, for
 * 'for_ns' from now on (INT64_MAX: without an end), in every attribute that has it, and in addition
 * to what happens. Of a sum (PortRcvErrors) a part grows as well, of a part the sum. 'numerator' 0:
 * ends what earlier calls for this counter have begun. Nothing is done at each step: the value is
 * worked out when it is read. Errors as for umadrig_counter(); -EINVAL also for a time below 1.
 */
int umadrig_counter_move(struct umadrig_fabric *fabric, const char *node, unsigned int port,
			 const char *name, uint64_t numerator, int64_t per_ns, int64_t for_ns);

/*
 * ---- loads ----
 *
 * Flows between end ports, with a rate and without packets: they go the way of the forwarding
 * tables, and from then on PortXmitData, PortXmitPkts, PortRcvData, PortRcvPkts and PortXmitWait of
 * the ports there are functions of the fabric's time. What each flow carries is its max-min fair
 * share of the links on its way, and follows their states, widths and speeds, and the tables.
 */

/*
 * Adds a flow, "H1:H3[1]:100G", or many: "all:H3:1G" (each CA port with a cable to H3), "H1:all:1G"
 * (to each of them), "all:next:50G" (each to the one after it). The rate is in bits per second, of
 * packets as PortXmitData counts them; ":size=2048" at the end is the octets of a packet (a
 * multiple of 4 from 24 to 4224; default: 4096). Its id (> 0, never used again), or a negative
 * errno with a message: -EINVAL the text, -ENOENT no such node or port, -E2BIG more than a million
 * flows.
 */
int umadrig_load_add(struct umadrig_fabric *fabric, const char *text, char *reterr,
		     size_t reterr_size);
/* What its flows carry now, bits per second. -ENOENT: there is no such load. */
int64_t umadrig_load_rate(struct umadrig_fabric *fabric, int id);
/* Ends it, or with 0 all; what has been counted remains. -ENOENT: there is no such load. */
int umadrig_load_remove(struct umadrig_fabric *fabric, int id);

/* ---- the umad file itself, as open(2), ioctl(2), ... on /dev/infiniband/umadN ---- */

/*
 * What a program without libibumad does: open(2) of umadN, ioctl(2) of <rdma/ib_user_mad.h>,
 * write(2), read(2), poll(2) (current events, without waiting), close(2). Results and errors are
 * those of the system call, as a negative errno. -ENXIO: the device was removed. A file belongs to
 * the caller until it is closed; NULL may be closed.
 */
int umadrig_file_open(struct umadrig_port *port, struct umadrig_file **ret_file);
int umadrig_file_ioctl(struct umadrig_file *file, unsigned long request, void *arg);
long umadrig_file_write(struct umadrig_file *file, const void *buf, size_t count);
long umadrig_file_read(struct umadrig_file *file, void *buf, size_t count);
unsigned int umadrig_file_poll(struct umadrig_file *file);
void umadrig_file_close(struct umadrig_file *file);
/*
 * issmN of a port: IsSM is set while it is open. -EAGAIN: it is already open; -ENXIO: the device
 * was removed.
 */
int umadrig_issm_open(struct umadrig_port *port);
void umadrig_issm_close(struct umadrig_port *port);

/* ---- other processes ---- */

/*
 * Lets other processes use the fabric too: from now on a thread of the library, with all signals
 * blocked, serves it on a Unix socket, until it is closed. "umadrig exec --attach SOCKET" runs
 * programs on it, and "umadrig ctl --socket SOCKET" reaches its console; what this process does
 * with the fabric, and what they do, is one. 'socket_path': where to listen; NULL: in a new
 * directory that only this user may enter. Only processes of the same user and of root are
 * admitted. 0, or a negative errno with a message: -EOPNOTSUPP the clock is virtual (see below
 * for programs in virtual time); -EALREADY it
 * is served; -EBUSY an issm path was given to this process; or another -errno. Not to be called by
 * two threads at once.
 */
int umadrig_serve(struct umadrig_fabric *fabric, const char *socket_path, char *reterr,
		  size_t reterr_size);
/* The absolute path of the socket, valid until the fabric is closed; NULL: it is not served. */
const char *umadrig_socket(struct umadrig_fabric *fabric);

/*
 * ---- programs in virtual time ----
 *
 * Programs of any kind that this process starts are in the time of a fabric of clock=virtual,
 * unmodified, with all that they start (doc/virtual-time.md). They run only while time may move:
 * while a thread waits in umad_recv, umad_poll, umadrig_step and its kin, or umadrig_program_wait,
 * and every thread that takes part does. At each instant the fabric comes first, then the programs
 * until all of them wait, then this process. Meanwhile other calls for the fabric wait.
 */

/* What to start. All zero except 'argv' is valid. The struct is not kept. */
struct umadrig_program_setup {
	const char *const *argv;	/* as for execvp(3): found in PATH, NULL at the end */
	const char *const *environment;	/* "NAME=VALUE", NULL at the end; NULL: this process's */
	const char *directory;		/* where it works; NULL: here */
	const char *host;		/* where it runs, as in umadrig_host_enter(); or NULL */
	/*
	 * Descriptors that it gets as 0, 1 and 2, and which stay the caller's. 0: its input is
	 * empty, its output and its errors go where this process's do. Use files: a pipe that
	 * nobody reads while the program runs may fill up.
	 */
	int input, output, errors;
};

/*
 * Starts a program, which runs its first instruction when time may move. It leads a process group.
 * In its environment our libraries and UMAD_BACKEND are added, and where OpenSM keeps files, unless
 * that is set. From the first one on the library has a thread with all signals blocked, which is
 * the programs' parent: do not wait(2) for them. '*ret_program' belongs to the fabric, and is valid
 * until that is closed, by which all programs and what they have started are killed. Where the
 * kernel refuses to fix their addresses, a line on stderr says what is not the same each time. 0,
 * or with a message: -EOPNOTSUPP the clock is real; -ENOENT there is no such program or host;
 * -EACCES it is not executable; -ENOEXEC it is neither a program of this machine's architecture nor
 * a script that names its interpreter; -EPERM it gains rights; -EBUSY an issm path was given to
 * this process before the first program; -EINVAL 'argv' is empty; or another -errno.
 */
int umadrig_program_start(struct umadrig_fabric *fabric,
			  const struct umadrig_program_setup *setup,
			  struct umadrig_program **ret_program, char *reterr, size_t reterr_size);
/*
 * Waits until the program has ended, at most until 'until_ns' (INT64_MAX: for ever), while time
 * moves as in umadrig_step(); '*ret_status' is as waitpid(2) has it, each time that it is called.
 * 0; -ETIMEDOUT: it runs on, and it is 'until_ns', or it was before; -EDEADLK: nothing can happen
 * any more, with lines on stderr; -ECHILD: somebody else has waited for it. A program that computes
 * for ever, without any wait, is waited for in real time; one that waits by a call that virtual
 * time does not know is killed, with all others, after 8 s.
 */
int umadrig_program_wait(struct umadrig_program *program, int64_t until_ns, int *ret_status);
/*
 * Sends a signal to the program's process group, which takes it when time may move next, at this
 * instant; SIGKILL works at once. 0; -ESRCH: the program has ended; -EINVAL: no such signal, or one
 * that stops processes, which virtual time does not know.
 */
int umadrig_program_signal(struct umadrig_program *program, int sig);

/* ---- captures and traces ---- */

/*
 * Records everything from now on in 'path': pcapng, or pcap if its name ends in ".pcap", which
 * keeps the packets, but no comments, notes and names of ports. 'comment' is about the whole file;
 * NULL: the fabric's name and seed. -EBUSY: a capture is being written already; other errors of
 * writing.
 */
int umadrig_capture_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
			  char *reterr, size_t reterr_size);
/* Ends the capture; 0 or the -errno of an error of writing it. */
int umadrig_capture_stop(struct umadrig_fabric *fabric);
/* Text for the comment of packets recorded from now on ("retry.mad:12"); NULL: none. */
void umadrig_capture_comment(struct umadrig_fabric *fabric, const char *text);
/* A line of text in the capture, at the present time; does nothing if nothing is recorded. */
void umadrig_capture_note(struct umadrig_fabric *fabric, const char *text);

/* A MAD of a capture; its pointers are valid until the function returns. */
struct umadrig_mad {
	int64_t at_ns;		/* since the first packet of the file */
	const char *port;	/* where it was recorded ("H1[1]"); NULL: the file does not say */
	bool outbound;		/* it left that port; false: it arrived, or the file does not say */
	uint16_t slid, dlid;
	const uint8_t *mad;	/* 256 bytes */
	const char *comment;	/* "dropped: fault drop 1", or NULL */
};

/* False ends it. */
typedef bool umadrig_mad_fn(void *ctx, const struct umadrig_mad *mad);

/*
 * Shows each MAD of a capture (pcap, pcapng: ours, or of real hardware) to 'fn', in the file's
 * order. Their number, or a negative errno with a message: the file cannot be read. A capture that
 * is being written is complete only after umadrig_capture_stop() or umadrig_fabric_close(). Needs
 * no fabric, and no lock is held: 'fn' may call anything.
 */
int64_t umadrig_capture_each(const char *path, umadrig_mad_fn *fn, void *ctx, char *reterr,
			     size_t reterr_size);
/*
 * 'fn' sees every MAD from now on, on all cables, as a capture would show it: where it leaves its
 * source, and again where it is dropped ('comment' says why); 'at_ns' is the fabric's time. It is
 * called with the lock held, and must not call this interface. One watch for each fabric; NULL ends
 * it, and so does a 'fn' that returns false.
 */
void umadrig_watch(struct umadrig_fabric *fabric, umadrig_mad_fn *fn, void *ctx);

/*
 * Each transition of a state machine as one line (no newline). Called with the lock held: it must
 * not call this interface.
 */
typedef void umadrig_trace_fn(void *ctx, int64_t at_ns, const char *who, const char *text);
/* 'fn' gets them from now on, instead of the one before; NULL: none does. */
void umadrig_trace(struct umadrig_fabric *fabric, umadrig_trace_fn *fn, void *ctx);

/* ---- replay ---- */

/* Requests that the captured fabric could not answer, so far. */
size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric);

/* What became of the requests to a capture that answers. */
struct umadrig_replay_counts {
	size_t exact;		/* the requester is the captured one, too */
	size_t near;		/* the same question, from another requester or with another GID */
	size_t silent;		/* there was no answer then, either */
	size_t unmatched;	/* the capture does not have the question */
	/* Captured answers in segments (RMPP) that cannot be replayed: */
	size_t lacking;		/* segments are missing in the capture */
	size_t stopped;		/* one of the sides stopped or aborted them */
};
/* Fills in 'ret'; zeros without such a replay. */
void umadrig_replay_count(struct umadrig_fabric *fabric, struct umadrig_replay_counts *ret);

/* How far a replay at its own times is. */
struct umadrig_replay_progress {
	size_t arrived;		/* MADs that have arrived at the port */
	size_t left;		/* those that will */
	size_t omitted;		/* MADs of the port that 'keep' did not want */
	size_t others;		/* those that the captured port sent, or had nothing to do with */
	int64_t last_ns;	/* when the last one so far arrived, since the replay's start */
};
/* Fills in 'ret'; zeros without such a replay. */
void umadrig_replay_progress(struct umadrig_fabric *fabric, struct umadrig_replay_progress *ret);

/* How a capture is replayed; all zero except 'capture': it answers. The struct is not kept. */
struct umadrig_replay {
	const char *capture;		/* the file */
	/*
	 * NULL: what leaves a port is answered, as below. Otherwise what the capture's port
	 * received arrives at this one, each MAD at its time since the file's first packet. The
	 * captured port is the one of the same name, otherwise of the same LID, otherwise the one
	 * with the most requests.
	 */
	struct umadrig_port *timed_at;
	/*
	 * Timed: an answer gets, instead of its captured TID, that of the last request of the same
	 * content that left 'timed_at', if there was one. (Answering always does so.)
	 */
	bool own_tids;
	/*
	 * Timed: 2000 is twice as fast as captured, 500 half as fast; 0: as 1000. Each MAD is due
	 * at its own distance from the replay's start: delays do not add up.
	 */
	unsigned int speed_milli;
	/*
	 * Answering: which of several answers a question gets. "first", "last", or those of a
	 * moment since the file's first packet, "2.5s". NULL: one after the other, then the last
	 * again and again.
	 */
	const char *as_of;
	/*
	 * Answering: what a request gets that the capture does not have. "drop" (or NULL): it is
	 * lost, so that its sender gets ETIMEDOUT after its own timeouts and retries; "timeout":
	 * the sender gets ETIMEDOUT at once; "status=0x000c": an answer with this MAD status.
	 */
	const char *unmatched;
	/*
	 * False: omit this MAD. Lock held; timed: called for each MAD that arrives before
	 * umadrig_replay() returns. NULL: keep all.
	 */
	umadrig_mad_fn *keep;
	void *ctx;			/* for 'keep' */
	/*
	 * Whether the MADs of the capture may be in another order than that of their times, which
	 * then counts. Otherwise such a capture is refused.
	 */
	bool any_order;
	/*
	 * How many bytes a compressed capture may unpack to, for it is held in memory. 0: 256 MiB.
	 */
	uint64_t size_max;
};
/*
 * Starts a replay, which lasts until another replaces it or the fabric is closed. If a timed one is
 * on a fabric that is the capture's own (umadrig_fabric_open()) nothing else answers: what leaves
 * the port is lost. -EINVAL with a message: the file cannot be read, or contains nothing to replay.
 */
int umadrig_replay(struct umadrig_fabric *fabric, const struct umadrig_replay *replay, char *reterr,
		   size_t reterr_size);

/*
 * Answers from 'capture': a request that leaves a port and is in the capture gets the captured
 * answer (matched by class, method, attribute, modifier, and address or route).
 */
int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			  size_t reterr_size);

/*
 * ---- asking again ----
 *
 * What a captured host asked is asked again from a port of the fabric, one request after the other,
 * and the answers are compared with those of the capture, as umadrig diff does. That host is the
 * port at which most requests left, where the capture names its ports; otherwise the LID or GID
 * with the most requests, and all directed routes.
 */

/* A field of an answer that is not the captured one; its pointers are valid for the call. */
struct umadrig_difference {
	unsigned int frame;	/* of the captured request */
	const char *request;	/* "SubnGet(NodeInfo)" */
	const char *field;	/* "NodeInfo.PortGuid"; "there": one has no answer at all */
	const char *captured, *actual;	/* in words */
};
/* Called for each such field, in the order of the requests. No lock is held. */
typedef void umadrig_difference_fn(void *ctx, const struct umadrig_difference *difference);

/* What to ask. All zero except 'capture' and 'port' is valid. The struct is not kept. */
struct umadrig_replay_ask {
	const char *capture;		/* the file */
	struct umadrig_port *port;	/* asks, through a umad file that is opened for it */
	/* False: do not ask this. Called for each request; no lock is held. NULL: ask all. */
	umadrig_mad_fn *keep;
	umadrig_difference_fn *differs;	/* NULL: the counts are enough */
	void *ctx;			/* for both */
	const char *ignoring;		/* fields, "NodeDesc,tid", as for umadrig diff; or NULL */
	unsigned int timeout_ms;	/* for each answer; 0: 1000 */
	/*
	 * Whether requests that are not known to only read (Get, GetTable, GetTraceTable, GetMulti)
	 * are sent, too: Set, Delete, Send, traps and the like. Otherwise they are skipped.
	 */
	bool allow_writes;
	bool any_order;			/* as of struct umadrig_replay */
};

struct umadrig_ask_counts {
	size_t asked;		/* the sum of the next three */
	size_t same;		/* answered as then, or as little */
	size_t changed;		/* answered differently */
	size_t unanswered;	/* answered then, and not now */
	size_t skipped;		/* would change something, and are not allowed */
	size_t others;		/* conversations of other ports, and answers without a request */
	size_t failed;		/* could not be sent */
};
/*
 * Asks, and fills in 'ret'. With the virtual clock time moves as in umadrig_step(), with the real
 * one the call waits. 0, whatever the answers are; -EINVAL with a message: the capture cannot be
 * read, 'ignoring' names no field, or the port cannot be opened. '*ret' is then untouched.
 */
int umadrig_replay_ask(const struct umadrig_replay_ask *ask, struct umadrig_ask_counts *ret,
		       char *reterr, size_t reterr_size);

/*
 * ---- kernels ----
 *
 * What the checks of built kernels (the option kernel=) have found since the last call, in all
 * fabrics of this process: leaks, locks that are held and other faults, a line for each, which has
 * been on stderr as well; to be freed with free(3). NULL: nothing. What a kernel has not freed is
 * found when its last host has gone: call it after umadrig_fabric_close(). Where a kernel cannot go
 * on, the process ends by SIGABRT. Of hosts that are guests (kernel=HOST:uml:...) it is what their
 * kernels complain of on the console; one that cannot go on ends alone.
 */
char *umadrig_kernel_faults(void);

/* The door: see lib/backend.h. */
struct umad_backend;
const struct umad_backend *umadrig_backend(unsigned int abi);

#ifdef __cplusplus
}
#endif

#endif
