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
 * Time is signed 64-bit nanoseconds since the fabric began. Errors are 0 or a negative errno, with
 * a message where a 'reterr' is asked for (always terminated; 512 bytes are enough). Every
 * function may be called from any thread unless it says otherwise; each takes the fabric's lock.
 * After fork(2) the fabric is the parent's: in the child they do nothing, and return -EIO, NULL, 0
 * or false.
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

/*
 * Loads a fabric. 'spec' is "FILE[,OPTION=VALUE...]"; FILE is an ibnetdiscover dump, an ibsim net
 * file (its "do" lines are done), OpenSM's subnet list, a topology of ibdm, "generate:SPEC" as
 * umadrig(1) has it, or a capture (pcap, pcapng), which then answers as it did (replay mode
 * answer); "" is the default fabric: H1[1] and H2[1] on one cable, LIDs 1 and 2, Active, SM LID 2.
 * NULL on failure. Diagnostics of damage that does not stop loading go to stderr, one line each.
 */
struct umadrig_fabric *umadrig_fabric_open(const char *spec, char *reterr, size_t reterr_size);

/*
 * The same of a text in one of those formats, which the test itself has; 'options' as they stand
 * behind a file ("clock=virtual,seed=7"), "" or NULL: none. Diagnostics name the file "text".
 */
struct umadrig_fabric *umadrig_fabric_parse(const char *text, const char *options, char *reterr,
					    size_t reterr_size);

/*
 * Frees everything; handles opened on it must be closed, and nobody may wait in it. NULL allowed.
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
 * Virtual clock (clock=virtual): things happen only inside umad_recv, umad_poll, umadrig_file_read,
 * umadrig_file_poll and umadrig_step. The first four let happen what is due now; umad_recv and
 * umad_poll, where they wait, and umadrig_step then go straight to the next event, and the next. So
 * an answer that comes without latency is there for the umad_recv behind the umad_send; the
 * program's own poll(2) sees it once one of those calls has been made.
 *
 * Real clock: fabric time is CLOCK_MONOTONIC since the fabric was made. A thread of the library's,
 * with all signals blocked, lets things happen; umadrig_step does nothing.
 */

/* The fabric's time. */
int64_t umadrig_now(struct umadrig_fabric *fabric);
/* When the next event is due; INT64_MAX: nothing is armed. */
int64_t umadrig_next(struct umadrig_fabric *fabric);
/* Virtual clock: fires everything due up to and at 'until_ns'; it is then 'until_ns'. */
void umadrig_step(struct umadrig_fabric *fabric, int64_t until_ns);
/*
 * Virtual clock: fires all events of the next instant, if it is not after 'until_ns'; true if so.
 */
bool umadrig_step_once(struct umadrig_fabric *fabric, int64_t until_ns);
/*
 * Virtual clock: fires events until none is armed, or the next would be after 'until_ns'; the time
 * is then that of the last one. True: the fabric is at rest, and nothing will happen by itself.
 */
bool umadrig_step_idle(struct umadrig_fabric *fabric, int64_t until_ns);

/*
 * Virtual clock and threads: time moves only while every thread that takes part waits in umad_recv,
 * umad_poll or umadrig_step. A thread takes part from its first umad_send, umad_recv, umad_poll or
 * umadrig_step, or from umadrig_thread_enter() (so that nobody runs ahead of threads still
 * starting), until it ends or calls umadrig_thread_leave() (before it joins others, say). If all
 * wait for ever and nothing is armed, the waiting calls return -EDEADLK, with a line on stderr.
 */
void umadrig_thread_enter(struct umadrig_fabric *fabric);
void umadrig_thread_leave(struct umadrig_fabric *fabric);

/* ---- ports ---- */

/* Port 'num' of a node (id, description or device name); NULL when there is none. */
struct umadrig_port *umadrig_port(struct umadrig_fabric *fabric, const char *node,
				  unsigned int num);
/* As it is now; 0: it has none. A port is the fabric's, and good until that is closed. */
uint16_t umadrig_port_lid(const struct umadrig_port *port);
uint8_t umadrig_port_lmc(const struct umadrig_port *port);
/* GID 'index' (16 bytes as on the wire); -EINVAL beyond the table. */
int umadrig_port_gid(const struct umadrig_port *port, unsigned int index, uint8_t ret_gid[16]);
/*
 * Moves a port, as an SM would; tables that no SM has written lead there at once. -EINVAL: no
 * unicast LID, or not a multiple of 2^LMC.
 */
int umadrig_port_set_lid(struct umadrig_port *port, uint16_t lid, uint8_t lmc);
/* The device that the port belongs to, as libibumad names it ("sim0", "H1"). */
const char *umadrig_port_device(const struct umadrig_port *port);
/*
 * The HCA is pulled out: open files of its are dead (-EIO), the device leaves the lists. 0.
 */
int umadrig_port_remove(struct umadrig_port *port);

/* ---- nodes ---- */

/* The id of the node at place 'index' from 0, in the file's order; NULL: so many there are not. */
const char *umadrig_node(struct umadrig_fabric *fabric, unsigned int index);
/* How many ports it has, port 0 of a switch aside. -ENOENT: there is no such node. */
int umadrig_node_ports(struct umadrig_fabric *fabric, const char *node);
/* PortState of a port: 1 Down, 2 Init, 3 Armed, 4 Active. -ENOENT: no such node or port. */
int umadrig_port_state(struct umadrig_fabric *fabric, const char *node, unsigned int num);
/*
 * What 'node' (id, description or device name) says of itself becomes another, and the SM is told.
 * The string is copied. -ENOENT: there is no such node.
 */
int umadrig_node_set_description(struct umadrig_fabric *fabric, const char *node,
				 const char *description);
/* The same of its SystemImageGUID (trap 145). */
int umadrig_node_set_system_guid(struct umadrig_fabric *fabric, const char *node, uint64_t guid);

/*
 * What software at end port 'num' of 'node' serves from now on, or no more: 'bits' of PortInfo's
 * CapabilityMask, as 0x80000 for device management, which Linux sets for an SRP target. The SM is
 * told (trap 144). -ENOENT: there is no such end port. -EINVAL: other bits than 0x9f0000; they are
 * the hardware's, and IsSM is what issmN says.
 */
int umadrig_port_set_capability(struct umadrig_fabric *fabric, const char *node, unsigned int num,
				uint32_t bits, bool set);

/* What hardware notices of a link, named by the trap that tells the SM of it. */
enum umadrig_link_error {
	UMADRIG_LINK_INTEGRITY = 129,
	UMADRIG_BUFFER_OVERRUN = 130,
	UMADRIG_FLOW_CONTROL_WATCHDOG = 131,
};
/*
 * It happens now, once, at port 'num' of 'node', which counts it (LocalLinkIntegrityErrors and
 * LinkErrorRecoveryCounter; ExcessiveBufferOverrunErrors; PortVLXmitFlowCtlUpdateErrors0) and tells
 * the SM. -ENOENT: there is none. -EINVAL: no such error.
 */
int umadrig_link_error(struct umadrig_fabric *fabric, const char *node, unsigned int num,
		       enum umadrig_link_error error);

/* ---- packets ---- */

/*
 * A packet at a port: 'bytes' from the LRH through the MAD; with the CRCs behind it where it is one
 * that somebody made wrong (below). Called with the lock held: only look.
 */
typedef void umadrig_tap_fn(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			    size_t size);
/* 'fn' sees every packet that leaves or reaches the port; NULL ends it. One tap a port. */
void umadrig_tap(struct umadrig_port *port, umadrig_tap_fn *fn, void *ctx);

/*
 * Packets made by hand are given as their bytes from the LRH through the MAD (the right CRCs are
 * then put behind it), or through the VCRC: exactly those, right or wrong. What is wrong is found
 * by the ports that the packet comes to: a VCRC, link version or length by the first, which counts
 * it in PortRcvErrors, an ICRC by the one at its end, which counts it too; other headers, and a GRH
 * whose DGID is none of the port's GIDs, are lost there without a word (IBA vol 1, 7.3, 9.6).
 * Captures and traces say why.
 * -EINVAL: fewer than 14 bytes, or more than 330.
 */

/* A packet leaves 'port' now, as if its HCA had sent it. */
int umadrig_inject(struct umadrig_port *port, const uint8_t *bytes, size_t size);
/*
 * A packet arrives at 'to' now, as from 'from' (recorded there one latency earlier; NULL: not
 * recorded), whatever its addresses.
 */
int umadrig_deliver(struct umadrig_port *to, struct umadrig_port *from, const uint8_t *bytes,
		    size_t size);

/* ---- the console ---- */

/*
 * Does what a line of the console says, as umadrig ctl and the "do" lines of net files do:
 *
 *	Unlink "S1"[3]          fault add drop:5%@H1[1]          Help
 *
 * 0; -EINVAL: no such command, or not these words; -ENOENT: what it names is not there; or another
 * negative errno. '*ret_text' (may be NULL): what it tells, in lines, or why it could not be done
 * and how to mend that; yours, for free(3). Verbs that need a server (Attached, X, Quit) have none
 * here. 'fabric' may be NULL for Help.
 */
int umadrig_console(struct umadrig_fabric *fabric, const char *line, char **ret_text);

/* ---- links and nodes, lost and found ---- */

/*
 * Pulls the cable at a port ('node': id, description or device name), or plugs it in again; port
 * 0: all cables of the node. Down: at this instant, and switches tell the SM (trap 128). Up: some
 * milliseconds later, in Init: an SM has to make it Active. 0, also where it was so already;
 * -ENOENT: no such node or port, -ENXIO: no cable there.
 */
int umadrig_link_set(struct umadrig_fabric *fabric, const char *node, unsigned int port, bool up);

/*
 * The node loses its power, or has it again. Off: its links fall, it answers nothing, files open
 * on its devices are dead as after umadrig_port_remove() (-EIO), and the devices leave the lists.
 * On: it is as after power-up, without LIDs and with empty tables, its links train, and its devices
 * can be opened again. 0, also where it was so already; -ENOENT: there is no such node.
 */
int umadrig_node_set(struct umadrig_fabric *fabric, const char *node, bool on);

/* Each node with a port that says IsSM loses its power: how many did, or -EIO (forked). */
int umadrig_sm_lose(struct umadrig_fabric *fabric);

/* ---- faults ---- */

enum umadrig_fault_act {
	UMADRIG_FAULT_DROP,
	UMADRIG_FAULT_DELAY,
	UMADRIG_FAULT_DUPLICATE,
	UMADRIG_FAULT_REORDER,
	UMADRIG_FAULT_CORRUPT,
};

enum umadrig_fault_way {
	UMADRIG_FAULT_EITHER_WAY,
	UMADRIG_FAULT_LEAVING,
	UMADRIG_FAULT_ARRIVING,
};

/* Where a packet is lost, and what counts it there: in the port at the cable's end. */
enum umadrig_fault_loss {
	UMADRIG_FAULT_LOSS_UNSEEN,	/* on the cable: nothing counts it */
	/*
	 * The port has no buffer: SMPs are VL15Dropped; others PortBufferOverrunErrors, among
	 * PortRcvErrors, and ExcessiveBufferOverrunErrors and trap 130 for more of them in a row
	 * than PortInfo's OverrunErrors.
	 */
	UMADRIG_FAULT_LOSS_OVERRUN,
	UMADRIG_FAULT_LOSS_UNREAD,	/* QP1 of an HCA or router has none: QP1Dropped */
};

/* For umadrig_fault.zeros: in these fields 0 is a value like others. */
enum {
	UMADRIG_FAULT_ZERO_MODIFIER = 1 << 0,
	UMADRIG_FAULT_ZERO_TID_LOW = 1 << 1,
	UMADRIG_FAULT_ZERO_TID_HIGH = 1 << 2,
	UMADRIG_FAULT_ZERO_SEGMENT = 1 << 3,
	UMADRIG_FAULT_ZERO_RMPP_TYPE = 1 << 4,	/* 0: what is no part of an RMPP transfer */
};

/*
 * What goes wrong on links: which packets a rule is about, and what becomes of them. All zero is
 * "drop every packet on every link". Packets are met where they cross a cable, once at each cable
 * of their way; what an HCA sends to itself crosses none.
 *
 * All rules count the packets that match, as they came; those that act do so in the order in which
 * they were added.
 */
struct umadrig_fault {
	const char *name;	/* for captures and traces; NULL: its id */

	/* Which cable. */
	const char *node;	/* id, description or device name; NULL: every cable */
	unsigned int port;	/* 0: every port of the node */
	enum umadrig_fault_way way;	/* as seen from that port; without a node no matter */

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
	uint64_t skip;		/* the first ones pass */
	uint64_t count;		/* then the next ones are acted on; 0: all */
	uint32_t numerator;	/* with a denominator: each of them with this chance, drawn from */
	uint32_t denominator;	/* the link's stream; 'count' is then the most that are acted on */

	enum umadrig_fault_act act;
	enum umadrig_fault_loss loss;	/* drop */
	/*
	 * Delay: how long. Duplicate: how long after the packet its copy follows. Reorder: it waits
	 * for the next packet that takes the same cable the same way and goes right behind it, or
	 * goes alone after this long (0: 10 ms).
	 */
	int64_t time_ns;
	/*
	 * Corrupt: which bits change. Bit 0 is the highest of the MAD's first byte, or with
	 * 'whole_packet' of the LRH's.
	 */
	bool whole_packet;
	uint32_t first_bit;
	uint32_t bit_count;	/* 0: up to the end of the MAD */
	uint32_t flips;		/* that many, drawn from the link's stream; 0: all of bit_count, or 1 */
	/*
	 * false: ICRC and VCRC stay as they were; the port at the cable's end sees that they are
	 * wrong, drops the packet and counts it in PortRcvErrors, and each changed octet in
	 * SymbolErrorCounter; more such packets than good ones by PortInfo's LocalPhyErrors are one
	 * of LocalLinkIntegrityErrors, and trap 129. true: they are made right, and the packet goes
	 * on as it now is (it dies there only if it carries no MAD any more).
	 */
	bool crc_mended;
};

/*
 * Adds a rule, which is in force at once; the strings are copied. Its id (> 0; none is used twice),
 * or a negative errno with a message: -ENOENT no such node, port or cable, -EINVAL no sense.
 */
int umadrig_fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
		      char *reterr, size_t reterr_size);
/*
 * The same of words: what to do, then any words with colons between, then a cable behind '@':
 *
 *	drop:5%   drop:1/20:class=0x81@S1[3]   delay:2ms:3   corrupt:1:bits=8-15:mended@H1[1]
 */
int umadrig_fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
			   size_t reterr_size);
/* How many packets it has acted on; -ENOENT: there is no such rule (any more). */
int64_t umadrig_fault_hits(struct umadrig_fabric *fabric, int id);
/* Ends a rule. What waits to be reordered by it goes on now; delays and copies stay under way. */
int umadrig_fault_remove(struct umadrig_fabric *fabric, int id);
/* ---- counters ---- */

/*
 * A counter as the node's performance management agent would show it now: packets and words that
 * crossed the port's cable, and what went wrong there. 'name' is a field of one of the agent's
 * attributes ("PortRcvErrors", "PortVLOpPackets3"); of those that have it PortCountersExtended
 * counts, or the one that is named before a dot ("PortCounters.PortXmitData", which stays at its
 * highest value, 2^32 - 1). 'port' 0 is a switch's own, 255 the sum of all. -ENOENT: no such node
 * or port; -EINVAL: no such counter.
 */
int64_t umadrig_counter(struct umadrig_fabric *fabric, const char *node, unsigned int port,
			const char *name);
/*
 * Makes it 'value', from where it counts on, as a Set of the agent's does: 0 resets it. Each
 * attribute has its own. Errors as above; -ERANGE: 'value' does not fit.
 */
int umadrig_counter_set(struct umadrig_fabric *fabric, const char *node, unsigned int port,
			const char *name, uint64_t value);

/* ---- the umad file itself, as open(2), ioctl(2), ... on /dev/infiniband/umadN ---- */

/*
 * What a program without libibumad does: open(2) of umadN, ioctl(2) of <rdma/ib_user_mad.h>,
 * write(2), read(2), poll(2) (events that are there now; nobody waits), close(2). Results and
 * errors are those of the system call, as a negative errno. -ENXIO: the device is gone. A file is
 * the caller's until it is closed; NULL may be closed.
 */
int umadrig_file_open(struct umadrig_port *port, struct umadrig_file **ret_file);
int umadrig_file_ioctl(struct umadrig_file *file, unsigned long request, void *arg);
long umadrig_file_write(struct umadrig_file *file, const void *buf, size_t count);
long umadrig_file_read(struct umadrig_file *file, void *buf, size_t count);
unsigned int umadrig_file_poll(struct umadrig_file *file);
void umadrig_file_close(struct umadrig_file *file);
/*
 * issmN of a port: IsSM is set while it is open. -EAGAIN: it is open already; -ENXIO: the device is
 * gone.
 */
int umadrig_issm_open(struct umadrig_port *port);
void umadrig_issm_close(struct umadrig_port *port);

/* ---- captures and traces ---- */

/*
 * Everything from now on is recorded in 'path' (pcapng). 'comment': about the whole; NULL: the
 * fabric's name and seed. -EBUSY: it is being recorded already; else why it cannot be written.
 */
int umadrig_capture_start(struct umadrig_fabric *fabric, const char *path, const char *comment,
			  char *reterr, size_t reterr_size);
/* Until now; 0 or -errno of whatever went wrong. */
int umadrig_capture_stop(struct umadrig_fabric *fabric);
/* Text for the comment of packets recorded from now on ("retry.mad:12"); NULL: none. */
void umadrig_capture_comment(struct umadrig_fabric *fabric, const char *text);

/* A MAD of a capture; what it points to is gone when the function returns. */
struct umadrig_mad {
	int64_t at_ns;		/* since the first packet of the file */
	const char *port;	/* where it was recorded ("H1[1]"); NULL: the file does not say */
	bool outbound;		/* it left that port; false: it arrived, or the file does not say */
	uint16_t slid, dlid;
	const uint8_t *mad;	/* 256 bytes */
	const char *comment;	/* "dropped: fault drop:1", or NULL */
};

/* False ends it. */
typedef bool umadrig_mad_fn(void *ctx, const struct umadrig_mad *mad);

/*
 * Shows each MAD of a capture (pcap, pcapng: ours, or of real hardware) to 'fn', in the file's
 * order. How many were shown, or a negative errno with a message: the file cannot be read. A
 * capture that is being written is whole only after umadrig_capture_stop() or
 * umadrig_fabric_close(). Needs no fabric, and no lock is held: 'fn' may do anything.
 */
int64_t umadrig_capture_each(const char *path, umadrig_mad_fn *fn, void *ctx, char *reterr,
			     size_t reterr_size);
/*
 * 'fn' sees every MAD from now on, on all cables, as a capture would have it: where it leaves its
 * source, and once more where it dies ('comment' says of what); 'at_ns' is the fabric's time. Lock
 * held: only look. One watch a fabric; NULL ends it, as does 'fn' with false.
 */
void umadrig_watch(struct umadrig_fabric *fabric, umadrig_mad_fn *fn, void *ctx);

/* Each transition of a state machine as one line (no newline); lock held: only look. */
typedef void umadrig_trace_fn(void *ctx, int64_t at_ns, const char *who, const char *text);
/* 'fn' gets them from now on, instead of whoever did; NULL: nobody. */
void umadrig_trace(struct umadrig_fabric *fabric, umadrig_trace_fn *fn, void *ctx);

/* ---- replay ---- */

/* Requests that the captured fabric could not answer, so far. */
size_t umadrig_replay_unmatched(struct umadrig_fabric *fabric);

/* How a capture is replayed; all zeros but for 'capture': it answers. Nothing of it is kept. */
struct umadrig_replay {
	const char *capture;		/* the file */
	/*
	 * NULL: what leaves a port is answered, as below. Else what the capture's port got arrives
	 * at this one, each MAD at its own time; now is that of the file's first packet. The
	 * captured port is the one of the same name, else of the same LID, else that asked most.
	 */
	struct umadrig_port *timed_at;
	/*
	 * Timed: an answer has not its captured TID, but the one under which the same question left
	 * 'timed_at' last, if it did. (What answers always does so.)
	 */
	bool own_tids;
	umadrig_mad_fn *keep;		/* false: this MAD is left out; lock held. NULL: none is */
	void *ctx;			/* for 'keep' */
};
/*
 * From now on, until another takes its place or the fabric is closed. Timed on a fabric that is the
 * capture's own (umadrig_fabric_open()) nothing else answers: what leaves the port is lost. -EINVAL
 * with a message: the file cannot be read, or there is nothing to be replayed.
 */
int umadrig_replay(struct umadrig_fabric *fabric, const struct umadrig_replay *replay, char *reterr,
		   size_t reterr_size);

/*
 * The default fabric answers from 'capture': what leaves a port and is asked in the capture is
 * answered as there (matched by class, method, attribute, modifier, and address or route).
 */
int umadrig_replay_answer(struct umadrig_fabric *fabric, const char *capture, char *reterr,
			  size_t reterr_size);

/* The door: see lib/backend.h. */
struct umad_backend;
const struct umad_backend *umadrig_backend(unsigned int abi);

#ifdef __cplusplus
}
#endif

#endif
