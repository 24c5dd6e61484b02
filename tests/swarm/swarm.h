/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The swarm: random programs on a few ports, a wire that loses, duplicates, delays and damages, and
 * an oracle that predicts the results from its own plain lists.
 *
 * 	swarm.c           seeds, processes, what is printed; bugs made on purpose
 * 	swarm-play.c      what the programs do, drawn from the seed
 * 	swarm-write.c     ... and what they write
 * 	swarm-world.c     hosts, ports, time and the wire
 * 	swarm-oracle.c    which MAD goes to whom, what ends when, what read and poll must say
 * 	swarm-send.c      the oracle's sends: what may be written and transmitted
 * 	swarm-rmpp.c      what is promised of messages in segments
 * 	swarm-memory.c    blocks of memory, counted
 *
 * MADs without the kernel's RMPP are predicted exactly, to the byte and the nanosecond. For the
 * kernel's RMPP the promises are checked: complete or not at all, nothing acknowledged that has not
 * arrived, an end for every send.
 *
 * The hosts run on kmod-stub, or all on a built kernel, whose profile they have then. What happens
 * does so at whole milliseconds there, its jiffies.
 */
#ifndef UMADRIG_TESTS_SWARM_SWARM_H
#define UMADRIG_TESTS_SWARM_SWARM_H

#include "sim/time/chance.h"
#include "sim/time/event-queue.h"
#include "kmod-stub/kmod.h"

enum {
	SWARM_HOSTS_MAX = 3,
	SWARM_PORTS_MAX = 5,
	SWARM_FILES_MAX = 10,
	SWARM_AGENTS = 32,		/* of a file */
	SWARM_INBOX = 8,		/* requests that a program remembers, to answer them */
	SWARM_HEADER = 64,
	SWARM_MESSAGE_MAX = 64 * 1024,
	SWARM_OPERATIONS_MIN = 100,
	SWARM_PACKETS_MAX = 200 * 1000,	/* of a seed: more come from an endless exchange */
	SWARM_GIDS = 2,
	SWARM_PKEYS = 2,
};

/* What must always hold. */
enum swarm_invariant {
	SWARM_WHOLE,
	SWARM_OWN,
	SWARM_ENDS,
	SWARM_DUE,
	SWARM_CLOSED,
	SWARM_RETURNS,
	SWARM_POLL,
	SWARM_ERRNO,
	SWARM_CALM,
	SWARM_INVARIANT_COUNT,
};

/* Bugs made on purpose, each of which an invariant must notice. */
enum swarm_bug {
	SWARM_NO_BUG,
	SWARM_BUG_DAMAGE,		/* a MAD is changed on its way in */
	SWARM_BUG_OTHER_AGENT,		/* a response gets the next agent's number */
	SWARM_BUG_LOSE,			/* a MAD does not arrive though the oracle saw it arrive */
	SWARM_BUG_DOUBLE,		/* a MAD arrives twice though the oracle saw it once */
	SWARM_BUG_LATE,			/* timers go off a little late */
	SWARM_BUG_NO_TIMER,		/* timers do not go off */
	SWARM_BUG_STAY_ARMED,		/* disarming does nothing */
	SWARM_BUG_LEAK_PACKET,
	SWARM_BUG_LEAK_MEMORY,
	SWARM_BUG_BLIND_POLL,		/* poll reports that there is nothing to read */
	SWARM_BUG_SEGMENT,		/* a segment's data is changed on its way in */
	SWARM_BUG_EARLY_ACK,		/* an ACK acknowledges more than has arrived */
	SWARM_BUG_CUT,			/* a segment in the middle claims to be the last */
	SWARM_BUG_END_TWICE,		/* a report is read twice */
	SWARM_BUG_UNASKED,		/* what is transmitted is not what was written */
	SWARM_BUG_ERRNO,		/* a call fails with another error */
	SWARM_BUG_TALK,			/* a packet goes round for ever */
	SWARM_BUG_COUNT,
};

struct built_kernel;
struct swarm;
struct swarm_send;
struct swarm_expected;
struct swarm_place;
struct swarm_message;
struct swarm_chunk;
struct swarm_flight;

struct swarm_host {
	struct swarm *swarm;
	struct kmod_host *host;
	enum kmod_profile profile;
	uint32_t next_hi_tid;		/* as the oracle counts */
};

/* What the kernel itself must transmit in this instant. */
struct swarm_reply {
	struct swarm_reply *next;
	uint16_t dlid;
	uint8_t mad[MAD_SIZE];
};

struct swarm_port {
	struct swarm_host *host;
	struct kmod_port *port;		/* NULL: removed */
	struct kmod_port *issm;		/* opened there, removed since or not */
	struct kmod_port_attr attr;
	uint16_t pkeys[SWARM_PKEYS];
	uint8_t gids[SWARM_GIDS][16];	/* the second is empty */
	char name[32];
	uint32_t psn[2];		/* of the next packet, each QP */
	bool is_sm;
	bool refuses_sm;		/* the driver allows no SM here */
	struct swarm_reply *replies;
	struct swarm_place *places;	/* of vendors, in the table of agents */
};

struct swarm_agent {
	struct swarm_file *file;
	uint8_t id;
	uint8_t qpn;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t rmpp_version;
	bool kernel_rmpp;
	uint32_t oui;
	uint32_t hi_tid;
	uint64_t methods[2];
	unsigned int flow_limit;	/* requests outstanding at a time; 0: any number */
	unsigned int flow_out;		/* requests outstanding now */
};

/* A request that a program has read. */
struct swarm_request {
	uint8_t id;
	uint8_t header[SWARM_HEADER];
	uint8_t mad[MAD_SIZE];
};

struct swarm_file {
	struct kmod_file *file;		/* NULL: not open */
	struct swarm_port *port;
	struct swarm_agent *agents[SWARM_AGENTS];
	struct swarm_expected *expected;	/* what read must return, oldest first */
	struct swarm_expected **expected_end;
	struct swarm_request inbox[SWARM_INBOX];
	unsigned int inbox_count;	/* ever put in */
	bool wide;			/* headers of 64 bytes */
	bool registered;		/* once */
	bool dead;
	bool eager;			/* had the kernel's RMPP: read after every event */
	bool was_readable;
	unsigned int wakes;
	unsigned int wakes_seen;
	unsigned int accepted;		/* writes */
	unsigned int overs;		/* sends reported as ended */
};

struct swarm {
	uint64_t seed;
	const char *program;		/* for the command that replays */
	enum swarm_bug bug;
	bool bug_done;
	bool trace;
	const struct built_kernel *kernel;	/* that all hosts run on; NULL: kmod-stub */
	int64_t tick_ns;		/* of what it is a multiple of that time is seen to pass */
	bool has_rmpp;			/* kmod-stub does the kernel's RMPP */
	bool probing;			/* finding that out: what is transmitted is lost */
	unsigned int step;
	const char *doing;
	unsigned long operations;

	struct chance play;
	struct chance wire;
	struct event_queue queue;
	struct packet_pool pool;
	struct kmod_ops ops;
	bool running;			/* events are being fired */
	int64_t timers_ns;		/* when timers last went off */

	/* What the wire does, per 1000 packets. */
	unsigned int lose, duplicate, delay, damage, mend;
	int64_t latency_ns;

	struct swarm_host hosts[SWARM_HOSTS_MAX];
	unsigned int host_count;
	struct swarm_port ports[SWARM_PORTS_MAX];
	unsigned int port_count;
	struct swarm_file files[SWARM_FILES_MAX];
	unsigned int agent_count;

	struct swarm_send *sends;	/* open ones, oldest first */
	struct swarm_message *messages;	/* every message in segments */
	uint64_t order;
	uint64_t serial;		/* of the last payload */
	uint32_t unique_tid;

	struct swarm_flight *free_flights;
	unsigned int flights;		/* packets on the wire */
	unsigned int packets;		/* of all time */
	struct swarm_chunk *chunks;	/* memory of all of the above, until the seed's end */
	uint8_t buffer[SWARM_HEADER + SWARM_MESSAGE_MAX];
};

/* ---- tests/swarm/swarm.c ---- */

/* Prints the seed, the step and how to replay it, and ends the process. */
void swarm_fail(struct swarm *swarm, enum swarm_invariant invariant, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));
/* Prints a line of --trace. */
void swarm_trace(struct swarm *swarm, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- tests/swarm/swarm-world.c ---- */

/* Draws hosts, ports and wire from the seed; the fields above 'play' are set. */
void swarm_world_begin(struct swarm *swarm);
/* After all files are closed: runs to the end of time; everything must then have been freed. */
void swarm_world_end(struct swarm *swarm);
/* Runs everything up to and at 'until_ns'. */
void swarm_world_run(struct swarm *swarm, int64_t until_ns);
/* A device comes back. */
void swarm_world_plug(struct swarm *swarm, struct swarm_port *port);
/* The port at 'lid', there or removed, or NULL. */
struct swarm_port *swarm_world_find_port(struct swarm *swarm, uint16_t lid);
/* The driver's result for a MAD. */
unsigned int swarm_world_driver(const uint8_t *in, uint8_t *out);
/* Is the bug requested, and not made yet? If so, it counts as made from now on. */
bool swarm_bug_strikes(struct swarm *swarm, enum swarm_bug bug);
/* Zeroed memory that lives as long as the seed. */
void *swarm_alloc(struct swarm *swarm, size_t size);

/* A built kernel counts in jiffies, and an instant between two is of the one before it. */
static inline int64_t swarm_ticks_ns(const struct swarm *swarm, int64_t ns)
{
	return ns - ns % swarm->tick_ns;
}

static inline int64_t swarm_now_ns(const struct swarm *swarm)
{
	return swarm->queue.now_ns;
}

/* ---- tests/swarm/swarm-oracle.c ---- */

/* What a registration must return; on 0 the agent is put in '*ret_agent'. */
int swarm_oracle_register(struct swarm *swarm, struct swarm_file *file,
			  const struct swarm_agent *asked, bool user_rmpp, bool version2,
			  struct swarm_agent **ret_agent);
/* Removes the agent, and silently its sends. */
void swarm_oracle_unregister(struct swarm *swarm, struct swarm_agent *agent);
/* The file is closed, or ('dead') its device removed. */
void swarm_oracle_close(struct swarm *swarm, struct swarm_file *file, bool dead);
/* A packet is about to arrive. */
void swarm_oracle_arrives(struct swarm *swarm, struct swarm_port *port, struct packet *packet);
/* Called when everything in this instant has happened. */
void swarm_oracle_instant(struct swarm *swarm);
/* Checks that poll agrees with what is expected, for all files. */
void swarm_oracle_poll(struct swarm *swarm);
/*
 * Reads once, with room for 'count' bytes. Checks what comes; a request goes to the inbox. Returns
 * what the read returned.
 */
long swarm_oracle_read(struct swarm *swarm, struct swarm_file *file, size_t count);
/* Reads everything from files with the kernel's RMPP. */
void swarm_oracle_read_eager(struct swarm *swarm);

/* Queues what a read of 'file' must return: 'size' bytes of MAD after a header. */
void swarm_expect(struct swarm *swarm, struct swarm_file *file, const uint8_t *header,
		  const uint8_t *mad, uint32_t size);
/* The agent that takes the MAD at 'port', or NULL. */
struct swarm_agent *swarm_find_agent(struct swarm *swarm, const struct swarm_port *port,
				     const uint8_t *mad);
/* The agent with number 'hi_tid', or NULL. */
struct swarm_agent *swarm_find_number(struct swarm *swarm, const struct swarm_host *host,
				      uint32_t hi_tid);

/* Facts from doc/linux-mad.md, implemented independently. */
bool swarm_is_response(const uint8_t *mad);
bool swarm_has_rmpp(uint8_t mgmt_class);
unsigned int swarm_header_size(uint8_t mgmt_class);

static inline uint32_t swarm_file_header(const struct swarm_file *file)
{
	return file->wide ? 64 : 56;
}

/* Is every use of the file an error? Linux before 5.12: reading and polling go on. */
static inline bool swarm_file_fails(const struct swarm_file *file)
{
	return file->dead && file->port->host->profile != KMOD_LINUX_5_10;
}

static inline bool swarm_is_active(const uint8_t *mad)
{
	return swarm_has_rmpp(mad[MAD_CLASS]) && mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE;
}

#endif
