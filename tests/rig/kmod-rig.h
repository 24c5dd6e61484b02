/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A rig for kmod-stub's tests: hosts A and B with a port each (LIDs 1 and 2), joined by a wire of
 * 1 ms each way, and a log of all that happens, one word each:
 *
 * 	0:A>1		at 0 ms port A transmits the MAD whose TID ends in 1
 * 	2:a<1		file a reads it at 2 ms
 * 	100:a!1		file a reads the report that it got no answer
 *
 * With 'tells_segments', RMPP MADs and the messages read are logged by their kind:
 *
 * 	1:B>D1F/560	B transmits segment 1, flags First (F) and Last (L), length 560
 * 	2:A>K1/65	A acknowledges it: window to 65
 * 	2:A>X118	A aborts, status 118; S: stops
 * 	3:B>D2/0~	segment 2 is lost on the way (rig_lose)
 * 	4:a<556		file a reads a MAD, or message, of 556 bytes, whose data has been checked
 * 	9:b!24		and file b a report of 24
 *
 * Files with 'reads' set are read as soon as there is something to read.
 */
#ifndef UMADRIG_TESTS_RIG_KMOD_RIG_H
#define UMADRIG_TESTS_RIG_KMOD_RIG_H

#include <glib.h>

#include "sim/time/event-queue.h"
#include "kmod-stub/kmod.h"
#include "lib/base/umad-command.h"

enum {
	RIG_HEADER_SIZE = 64,
	RIG_LATENCY_MS = 1,
	RIG_FILES_MAX = 8,
};

struct rig;

/* Replaces a driver's process_mad; NULL: the driver takes nothing. */
typedef unsigned int rig_driver_fn(const uint8_t *in, uint8_t *out);

struct rig_port {
	struct rig *rig;
	char name;
	struct kmod_host *host;
	struct kmod_port *port;
	struct kmod_port_attr attr;
	uint16_t pkeys[4];	/* 0xffff, 0x8001, 0x0001, 0x8002 */
	uint8_t gids[3][16];	/* fe80::1 or ::2, then an empty one, then fec0::1 or ::2 */
	rig_driver_fn *driver;
	bool deaf;		/* what arrives is lost on the way */
	bool loops;		/* what it sends to its own LID is looped back */
	bool is_sm;
	int is_sm_error;	/* the last value from set_is_sm */
};

struct rig_file {
	struct rig_port *at;
	struct kmod_file *file;
	char name;
	bool reads;
	unsigned int wakes;
	uint32_t agent_id;	/* agent of the last registration */
	uint8_t *last;		/* the last message read */
	size_t last_room;
	long last_size;
};

struct rig {
	struct event_queue queue;
	struct packet_pool pool;
	struct kmod_ops ops;
	struct rig_port a, b;
	struct rig_file *files[RIG_FILES_MAX];
	GString *log;
	GString *dropped;	/* why, one line each */
	uint8_t wire[PACKET_SIZE_MAX];	/* the last packet transmitted */
	uint8_t wire_mad[MAD_SIZE];	/* and its MAD */
	struct packet_addr wire_addr;
	unsigned int arms;	/* timers armed so far */
	unsigned int sent;	/* packets transmitted so far */
	int sent_at_wake;	/* 'sent' at the first wake since this was set to -1 */
	struct kmod_source driver_source;	/* of what a driver saw last */
	bool tells_segments;
	char *loses;		/* rig_lose() */
};

/* The fields of a MAD; a field of 0 has the value in brackets. */
struct rig_mad {
	uint8_t base_version;	/* [1] */
	uint8_t mgmt_class;	/* [4] */
	uint8_t class_version;	/* [1] */
	uint8_t method;		/* [Get] */
	uint16_t status;
	uint64_t tid;		/* the kernel replaces the upper half in a request */
	uint16_t attr_id;
	uint32_t oui;		/* of vendor range 2 */
	uint8_t rmpp_flags;	/* 0: no RMPP header */
	bool rmpp_first;	/* these flags too */
	bool rmpp_last;
	uint8_t rmpp_type;	/* [DATA] */
	uint8_t rmpp_version;	/* [1] */
	uint8_t rmpp_status;
	uint32_t segment;
	uint32_t length;	/* or the window's end */
};

/* What a registration asks for. */
struct rig_registration {
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint32_t methods;	/* bits of methods 0 to 31 */
	uint32_t oui;
	uint8_t rmpp_version;
	uint32_t flags;
	bool version2;
};

/* Bits for 'methods'. */
enum {
	RIG_GET = 1 << MAD_METHOD_GET,
	RIG_SET = 1 << MAD_METHOD_SET,
	RIG_TRAP = 1 << MAD_METHOD_TRAP,
};

/* How a MAD is sent, or where it comes from. */
struct rig_route {
	uint16_t lid;		/* the other end's [the other port's] */
	uint8_t path_bits;	/* ours */
	bool grh;		/* to, or from, the other port's GID 0 */
	uint8_t gid_index;	/* ours */
	uint8_t qpn;		/* the other end's, if not that of the class */
	bool qpn_set;
	uint32_t src_qp;	/* of a MAD that arrives [the same] */
	uint32_t timeout_ms;
	uint32_t retries;
	uint16_t pkey;		/* of a MAD that arrives [0xffff] */
};

/*
 * The kernel of the hosts that are made next: kmod_stub, until a test has another one.
 * UMADRIG_TEST_KERNEL=6.12 makes it one that was built, by its name or file: then hosts have the
 * ways of its release, the test ends with status 77 where it asks for others, reasons of drops are
 * not compared, and faults that the kernel's checks find fail it.
 */
extern const struct kmod_kernel *rig_kernel;

/*
 * For tests of kmod-stub's own structs and limits: with UMADRIG_TEST_KERNEL the test ends with
 * status 77, and says 'why'.
 */
void rig_needs_stub(const char *why);

/* Traces are test messages, unless this is set. */
extern bool rig_is_silent;

/* Of the QPs of rigs that come; 0: as they are by themselves. */
extern unsigned int rig_send_queue_size, rig_recv_queue_size;

/* The schedule of hosts that come (struct kmod_variant). */
extern uint64_t rig_schedule;

/* Makes two hosts whose first agent numbers are 'first_hi_tid'. */
struct rig *rig_new(uint32_t first_hi_tid);
/* The same with a kernel other than the default. */
struct rig *rig_new_profile(uint32_t first_hi_tid, enum kmod_profile profile);
/* Closes everything; asserts that no packet is left over. */
void rig_free(struct rig *rig);

/* Opens a file that reads at once and uses 64-byte headers. */
struct rig_file *rig_open(struct rig *rig, struct rig_port *at, char name);
void rig_close(struct rig_file *file);

/*
 * Registers with REGISTER_AGENT, or with REGISTER_AGENT2 if 'version2' or 'flags' is set. Returns 0
 * or -errno; the id goes to file->agent_id.
 */
int rig_register(struct rig_file *file, const struct rig_registration *words);
int rig_unregister(struct rig_file *file, uint32_t id);

/* Byte 'i' of the data of every RMPP message. */
static inline uint8_t rig_data_byte(size_t i)
{
	return (uint8_t)(i * 31 + (i >> 8) * 7 + 1);
}

/* Writes the 256 bytes described by 'words'; a segment gets its data. */
void rig_mad_bytes(const struct rig_mad *words, uint8_t mad[MAD_SIZE]);
/* Writes the user header (64 bytes) for a send of agent 'id' of 'file'. */
void rig_header_bytes(const struct rig_file *file, uint32_t id, const struct rig_route *route,
		      uint8_t mgmt_class, uint8_t header[RIG_HEADER_SIZE]);
/* Writes 'size' bytes of MAD from agent 'id'. */
long rig_write_bytes(struct rig_file *file, uint32_t id, const struct rig_route *route,
		     const uint8_t *mad, size_t size);
/* Writes a complete MAD from the agent registered last. */
long rig_write(struct rig_file *file, const struct rig_mad *words, const struct rig_route *route);

/*
 * Writes an RMPP message from the agent registered last, with 'size' bytes of data after the class
 * header.
 */
long rig_write_message(struct rig_file *file, const struct rig_mad *words,
		       const struct rig_route *route, size_t size);
/* Makes room to read messages of 'size' bytes, including the class header. */
void rig_make_room(struct rig_file *file, size_t size);

/*
 * Loses MADs on the way: 'words' as in the log without what follows the slash, each once ("B>D2
 * B>D2" loses it twice), or always with a star ("A>K3*").
 */
void rig_lose(struct rig *rig, const char *words);

/* Makes the MAD arrive at 'at' now. */
void rig_inject(struct rig_port *at, const struct rig_mad *words, const struct rig_route *route);
void rig_inject_bytes(struct rig_port *at, const uint8_t *mad, const struct rig_route *route);

/* Runs everything up to and at 'until_ms'. */
void rig_run(struct rig *rig, int64_t until_ms);
int64_t rig_now_ms(const struct rig *rig);

/* Expects 'expected' as the log since the last call; 'row' is for the message. */
void rig_expect(struct rig *rig, const char *row, const char *expected);
/* Expects 'part' in the last drop's reason. */
void rig_expect_drop(struct rig *rig, const char *part);

#endif
