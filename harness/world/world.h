/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The world that a scenario runs in: the simulator, or real devices through ib_umad.
 *
 * A is the port under test ("self"), B the other end ("peer"). What libibumad can do in both worlds
 * is done through libibumad by the runner itself; here is what they do differently: time, the wire,
 * the umad file, addresses.
 *
 * Errors are 0 or a negative errno; a failure to come up has a message.
 */
#ifndef UMADRIG_HARNESS_WORLD_WORLD_H
#define UMADRIG_HARNESS_WORLD_WORLD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "kmod-stub/packet.h"
#include "sim/api/umadrig.h"

enum world_end {
	WORLD_SELF,
	WORLD_PEER,
	WORLD_ENDS,
};

struct world_program;

struct world_address {
	uint16_t lid;
	uint8_t lmc;
	bool needs_grh;		/* no LIDs: RoCE */
	bool has_gid;
	uint8_t gid[16];	/* index 0 */
};

/* A packet that has left A, or (world->crossed) has arrived there. */
struct world_packet {
	int64_t at_ns;
	bool leaves;
	uint64_t sequence;	/* the same of the one that left and of its copy that crossed */
	bool has_addr;		/* the headers were seen, not only the MAD */
	struct packet_addr addr;
	uint8_t mad[MAD_SIZE];
	size_t wire_size;	/* 0: its own bytes were not seen */
	bool sealed;		/* the CRCs follow the MAD: they are wrong, or all is */
	uint8_t wire[PACKET_SIZE_MAX];	/* from the LRH through the MAD */
};

/* What a scenario asks of its world. Strings stay the caller's. */
struct world_setup {
	uint64_t seed;
	int64_t latency_ns;
	const char *profile;	/* sim; NULL: the default */
	const char *topology;	/* sim; NULL: the default fabric */
	bool cold;		/* sim: as after power-up */
	bool partial;		/* sim: even if much of the topology is lost */
	bool served;		/* sim: on the real clock, for programs too */
	const char *ports[WORLD_ENDS];	/* sim: "NODE[N]", hw: "DEV/N"; NULL: chosen */
	/* hw: network interfaces that the ports' cables end at; NULL: at each other */
	const char *wire[WORLD_ENDS];
	const char *capture;	/* path of the pcapng to write, NULL: none */
	const char *comment;	/* for its header */
	/* sim: a capture that is replayed, or NULL; at its own times, or its fabric answers */
	const char *replay;
	bool replay_timed;
	bool replay_own_tids;
	umadrig_mad_fn *replay_keep;	/* which MADs of it; NULL: all */
	void *replay_ctx;
};

struct world;

struct world_kind {
	const char *name;	/* "sim", "hw" */
	bool is_sim;
	/* Frees it and everything made in it. */
	void (*close)(struct world *world);
	int64_t (*now_ns)(struct world *world);
	/*
	 * Lets time pass until something may have happened, at most until 'until_ns' (which is then
	 * now, and the result false). 'fds' are the handles whose becoming readable matters on hw.
	 */
	bool (*step)(struct world *world, int64_t until_ns, const int *fds, size_t fd_count);
	/* When the next thing is due; TIME_NEVER: nothing can happen. hw: now. */
	int64_t (*next_ns)(struct world *world);
	/* "self", "peer", "sm", or a port's name. -ENOENT: no such port. */
	int (*address)(struct world *world, const char *name, struct world_address *ret);
	/* From now on this thread opens and looks up as that end's host does. */
	void (*enter)(struct world *world, enum world_end end);
	/*
	 * The same for the host of a port "NODE[N]", and what to open there. -ENOENT: there is no
	 * such port. NULL on hw.
	 */
	int (*enter_port)(struct world *world, const char *name, const char **ret_ca,
			  int *ret_port);
	/*
	 * A thread of the runner's begins and ends: between the two time passes only while it waits
	 * in a call. NULL where time cannot be moved.
	 */
	void (*thread_enter)(struct world *world);
	void (*thread_leave)(struct world *world);
	/*
	 * The packet arrives at A now; NULL: the peer's agent has to send it, and
	 * only what reaches that agent is seen to leave A.
	 */
	int (*arrive)(struct world *world, const struct packet_addr *addr,
		      const uint8_t mad[MAD_SIZE]);
	/*
	 * The same of a whole packet, as its bytes are on the wire, right or wrong. 'ret_why': why
	 * it was dropped there, to be freed, or NULL. NULL: in this world there are no such.
	 */
	int (*arrive_packet)(struct world *world, const uint8_t *bytes, size_t size,
			     char **ret_why);
	/* Text for what is captured from now on; NULL where nothing is. */
	void (*comment)(struct world *world, const char *text);
	/* A line of text in the capture, now. NULL on hw, where nothing is captured. */
	void (*note)(struct world *world, const char *text);

	/* The umad file itself. 'ret_file' is handed to the others. */
	int (*file_open)(struct world *world, enum world_end end, void **ret_file);
	int (*file_ioctl)(void *file, unsigned long request, void *arg);
	long (*file_write)(void *file, const void *buf, size_t count);
	long (*file_read)(void *file, void *buf, size_t count);
	unsigned int (*file_poll)(void *file);
	void (*file_close)(void *file);
	int (*issm_open)(struct world *world, enum world_end end);
	int (*issm_close)(struct world *world, enum world_end end);
	/* -EOPNOTSUPP on hw. */
	int (*port_remove)(struct world *world, enum world_end end);
	int (*port_set_lid)(struct world *world, enum world_end end, uint16_t lid, uint8_t lmc);
	/* A rule for faults on cables (sim/api/umadrig.h); NULL: there are none in this world. */
	int (*fault)(struct world *world, const struct umadrig_fault *fault, char *reterr,
		     size_t reterr_size);
	/*
	 * A counter of the port "NODE[N]" by its MAD field, with "Port" in front or not.
	 * -ENOENT: no such port; -EINVAL: no such counter. NULL: there is no cable of
	 * ours.
	 */
	int64_t (*counter)(struct world *world, const char *port, const char *name);
	/* The cable at a port "NODE[N]" is pulled, or plugged in; a node's power. NULL on hw. */
	int (*link)(struct world *world, const char *port, bool up);
	int (*power)(struct world *world, const char *node, bool on);
	/* A line of the console, as umadrig_console() (sim/api/umadrig.h) does it. NULL on hw. */
	int (*console)(struct world *world, const char *line, char **ret_text);
	/*
	 * Starts a program on the host of the port "NODE[N]", in the directory 'directory'. NULL
	 * where the world is not served (or on hw). A failure has a message in '*reterr'.
	 */
	struct world_program *(*program_start)(struct world *world, const char *port,
					       const char *directory, char *const *argv,
					       char **reterr);
	/* Requests that a replayed capture could not answer. */
	size_t (*unmatched)(struct world *world);
};

/* What both kinds begin with. */
struct world {
	const struct world_kind *kind;
	char *ca[WORLD_ENDS];		/* device names, as umad_open_port() takes them */
	int port[WORLD_ENDS];
	char *label[WORLD_ENDS];	/* "H1[1]", "rxe0/1" */
	GQueue leaves;			/* of struct world_packet *, g_malloc'd: have left A */
	/*
	 * The same of all that has crossed A's cable, both ways, or NULL: it is not wanted.
	 * Only where there is arrive_packet().
	 */
	GPtrArray *crossed;
	uint64_t sequence;
	int64_t tick_ns;		/* of the kernel's timers: hw, else 0 */
};

/* ---- harness/world/program.c: a program that program_start() has started ---- */

/* Is it over? Then '*ret_status' is its exit status, or 128 and the signal that ended it. */
bool world_program_over(struct world_program *program, int *ret_status);
/* It is asked to end. */
void world_program_stop(struct world_program *program);
/* What it has said so far, to be freed. */
char *world_program_output(struct world_program *program, bool errors);
/* Kills it where it is not over. NULL is allowed. */
void world_program_free(struct world_program *program);
/* For worlds: starts it with this environment. NULL with a message. */
struct world_program *world_program_new(const char *directory, char *const *argv, char *const *env,
					char **reterr);

/* Each makes a fresh world, or returns NULL with a message in '*reterr' (g_malloc'd). */
struct world *world_sim_new(const struct world_setup *setup, char **reterr);
struct world *world_hw_new(const struct world_setup *setup, char **reterr);

/* Has a hw port LIDs (InfiniBand), by its sysfs? "DEV/N". -ENOENT: there is no such port. */
int world_hw_port_is_ib(const char *port);

/*
 * Has a hw port an issm device? Linux 6.1 gives one to every port, 6.12 none to those without QP 0.
 */
bool world_hw_port_has_issm(const char *port);

/* Takes "DEV/N" apart (also "DEV[N]"); false where it is neither. '*ret_dev' is g_malloc'd. */
bool world_port_parse(const char *text, char **ret_dev, int *ret_port);

/* Where 'kind' records that a MAD has left A now. */
struct world_packet *world_leaves(struct world *world, int64_t at_ns,
				  const struct packet_addr *addr, const uint8_t mad[MAD_SIZE]);

/* Frees what world.h's struct holds; for the kinds' own close. */
void world_clear(struct world *world);

#endif
