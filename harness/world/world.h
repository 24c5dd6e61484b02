/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The world that a scenario runs in: the simulator, or real devices through ib_umad.
 *
 * A is the port under test ("self"), B the other end ("peer"). What libibumad can do in both worlds
 * the runner does itself, through libibumad; here is what they do differently: time, the wire, the
 * umad file, addresses.
 *
 * Functions return 0 or a negative errno; a world that cannot be made has a message.
 */
#ifndef UMADRIG_HARNESS_WORLD_WORLD_H
#define UMADRIG_HARNESS_WORLD_WORLD_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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
	bool is_noted;		/* the runner has noted it for its report */
	unsigned int ignore;	/* which of the scenario's 'ignore' lines has taken it */
	uint64_t sequence;	/* the same for the one that left and its copy that crossed */
	bool has_addr;		/* the headers are known, not only the MAD */
	struct packet_addr addr;
	uint8_t mad[MAD_SIZE];
	size_t wire_size;	/* 0: the packet's own bytes are not known */
	bool sealed;		/* the CRCs follow the MAD: they, or everything, may be wrong */
	uint8_t wire[PACKET_SIZE_MAX];	/* from the LRH through the MAD */
};

/* What has arrived at A by itself: a line '<' did not make it arrive. */
struct world_arrival {
	int64_t at_ns;
	uint64_t sequence;
	bool is_mad;
	uint8_t mad[MAD_SIZE];
};

/* So many of them are kept: the last ones. */
enum { WORLD_ARRIVALS_MAX = 60 };

/* What a scenario asks of its world. The strings stay the caller's. */
struct world_setup {
	uint64_t seed;
	int64_t latency_ns;
	const char *profile;	/* sim; NULL: the default */
	const char *kernel;	/* sim: what all hosts run, as kernel=; NULL: kmod-stub */
	bool has_guests;	/* and that is a whole kernel */
	const char *topology;	/* sim; NULL: the default fabric */
	bool cold;		/* sim: in the state after power-up */
	bool partial;		/* sim: even if much of the topology is lost */
	bool served;		/* sim: on the real clock, for programs too */
	bool lockstep;		/* sim, served: on the virtual clock, with the programs */
	uint64_t schedule;	/* the seed for which of them runs next; 0: in order */
	bool audit;		/* sim, served: no program may go past that (audit=fail) */
	/*
	 * sim: by what means programs get to the fabric, as for umadrig exec --how. NULL: the
	 * library, and the filter for those that cannot load it.
	 */
	const char *how;
	const char *ports[WORLD_ENDS];	/* sim: "NODE[N]", hw: "DEV/N"; NULL: chosen */
	/*
	 * hw: network interfaces at the far ends of the ports' cables; NULL: the ports are
	 * connected
	 */
	const char *wire[WORLD_ENDS];
	const char *capture;	/* path of the pcapng to write, NULL: none */
	const char *comment;	/* for its header */
	/*
	 * sim: a capture that is replayed, or NULL; at its own times, or as a fabric that answers
	 */
	const char *replay;
	bool replay_timed;
	bool replay_own_tids;
	unsigned int replay_speed_milli;	/* 0: as captured */
	bool replay_any_order;
	const char *replay_as_of;	/* as in struct umadrig_replay, both */
	const char *replay_unmatched;
	umadrig_mad_fn *replay_keep;	/* which MADs of it; NULL: all */
	void *replay_ctx;
};

struct world;

struct world_kind {
	const char *name;	/* "sim", "hw" */
	bool is_sim;
	/* Frees the world and everything made in it. -errno: its capture is incomplete; else 0. */
	int (*close)(struct world *world);
	int64_t (*now_ns)(struct world *world);
	/*
	 * Lets time pass until something may have happened, at most until 'until_ns' (the result is
	 * then false). On hw, 'fds' are the handles to be watched for input.
	 */
	bool (*step)(struct world *world, int64_t until_ns, const int *fds, size_t fd_count);
	/* When the next event is due; TIME_NEVER: nothing can happen. hw: now. */
	int64_t (*next_ns)(struct world *world);
	/* "self", "peer", "sm", or a port's name. -ENOENT: no such port. */
	int (*address)(struct world *world, const char *name, struct world_address *ret);
	/* From now on this thread opens and looks up devices as that end's host does. */
	void (*enter)(struct world *world, enum world_end end);
	/*
	 * The same for the host of a port "NODE[N]"; also returns what to open there. -ENOENT:
	 * there is no such port. NULL on hw.
	 */
	int (*enter_port)(struct world *world, const char *name, const char **ret_ca,
			  int *ret_port);
	/*
	 * A thread of the runner calls these at its beginning and end: in between, time passes only
	 * while it waits in a call. NULL if the clock is real.
	 */
	void (*thread_enter)(struct world *world);
	void (*thread_leave)(struct world *world);
	/*
	 * Makes the packet arrive at A now. NULL: the peer's agent has to send it, and only what
	 * reaches that agent is seen to leave A.
	 */
	int (*arrive)(struct world *world, const struct packet_addr *addr,
		      const uint8_t mad[MAD_SIZE]);
	/*
	 * The same for a whole packet, whose bytes are as on the wire, valid or not. 'ret_why': why
	 * it was dropped there, to be freed, or NULL. The pointer is NULL in worlds that cannot do
	 * it.
	 */
	int (*arrive_packet)(struct world *world, const uint8_t *bytes, size_t size,
			     char **ret_why);
	/* Text for what is captured from now on; NULL if nothing is captured. */
	void (*comment)(struct world *world, const char *text);
	/* Puts a line of text in the capture, now. NULL on hw, where nothing is captured. */
	void (*note)(struct world *world, const char *text);

	/* The umad file itself. The others take the 'ret_file' of the first. */
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
	/* Adds a rule for faults on cables (sim/api/umadrig.h). NULL: this world has no faults. */
	int (*fault)(struct world *world, const struct umadrig_fault *fault, char *reterr,
		     size_t reterr_size);
	/*
	 * Reads a counter of the port "NODE[N]" by its MAD field, with or without "Port" in front.
	 * -ENOENT: no such port; -EINVAL: no such counter. NULL: there is no simulated cable.
	 */
	int64_t (*counter)(struct world *world, const char *port, const char *name);
	/*
	 * Reads an attribute of subnet management, by its number, into 'ret_data' (64 bytes): of
	 * the node, or of its port. -ENOENT: no such node or port; -EOPNOTSUPP: it does not have
	 * the attribute. On hw of A and B only, and only what sysfs says (the rest is 0).
	 */
	int (*attribute)(struct world *world, const char *node, int port, unsigned int attribute,
			 uint8_t ret_data[64]);
	/*
	 * Pulls or plugs in the cable at a port "NODE[N]"; switches a node off or on. NULL on hw.
	 */
	int (*link)(struct world *world, const char *port, bool up);
	int (*power)(struct world *world, const char *node, bool on);
	/*
	 * Executes a line of the console, as umadrig_console() (sim/api/umadrig.h) does. NULL on
	 * hw.
	 */
	int (*console)(struct world *world, const char *line, char **ret_text);
	/*
	 * Starts a program on the host of the port "NODE[N]", in the directory 'directory', as a
	 * part of 'session', a word. On failure there is a message in '*reterr'. NULL if the world
	 * is not served, and on hw.
	 */
	struct world_program *(*program_start)(struct world *world, const char *port,
					       const char *session, const char *directory,
					       char *const *argv, char **reterr);
	/* Has any program of the session opened the fabric? NULL where program_start() is. */
	bool (*session_was_used)(struct world *world, const char *session);
	/*
	 * A program ends in virtual time: the signal that it was sent, with its group (NULL: all
	 * programs that are left), is taken; or it is killed. NULL in real time.
	 */
	void (*program_signalled)(struct world *world, const struct world_program *program,
				  int sig);
	void (*program_kill)(struct world *world, const struct world_program *program);
	/* The requests that a replayed capture could not answer. */
	size_t (*unmatched)(struct world *world);
};

/* What both kinds of worlds begin with. */
struct world {
	const struct world_kind *kind;
	char *ca[WORLD_ENDS];		/* device names, as umad_open_port() expects them */
	int port[WORLD_ENDS];
	char *label[WORLD_ENDS];	/* "H1[1]", "rxe0/1" */
	GQueue leaves;			/* of struct world_packet *, g_malloc'd, that have left A */
	/*
	 * The same for all packets that have crossed A's cable, both ways; NULL: not wanted. Only
	 * in worlds with arrive_packet().
	 */
	GPtrArray *crossed;
	GQueue arrivals;		/* of struct world_arrival * */
	uint64_t arrivals_lost;		/* how many there were besides */
	bool is_arriving;		/* the next packet that arrives is a line's own */
	uint64_t sequence;		/* of all that was seen, in its order */
	int64_t tick_ns;		/* of the timers of a whole kernel; else 0 */
	/* The world's own, where programs are to run: guests write there alone. NULL: anywhere. */
	char *directory;
	bool is_exact;			/* what happens, does so at the instant that is foreseen */
	/*
	 * A program in virtual time computes: step() has returned before it was done, and is to be
	 * called again, at the same instant, before anything else.
	 */
	bool is_busy;
};

/* ---- harness/world/program.c: programs that program_start() has started ---- */

/* Has it ended? Then '*ret_status' is its exit status, or 128 + the signal that ended it. */
bool world_program_over(struct world_program *program, int *ret_status);
/* Asks it to end, with all processes of its group. */
void world_program_stop(struct world_program *program);
/* Its output so far, to be freed. */
char *world_program_output(struct world_program *program, bool errors);
/* Appends the end of both outputs, for people. */
void world_program_tell(GString *out, struct world_program *program);
/* Kills it, with its group, if it still runs. NULL is allowed. */
void world_program_free(struct world_program *program);
/*
 * What programs have left behind, however they cut themselves off (setsid, daemons): asks it to
 * end; looks whether it has; kills it. Each returns whether any was left before. To be called when
 * no program runs.
 */
bool world_programs_end_orphans(void);
bool world_programs_reap_orphans(void);
bool world_programs_kill_orphans(void);
/*
 * From now on this process inherits what programs leave behind, also those of processes that it
 * starts itself: these are to be named, or they count as left behind.
 */
void world_programs_adopt(void);
void world_programs_own(pid_t pid);
/* It has ended: another process may get its number. */
void world_programs_disown(pid_t pid);
/*
 * For worlds: starts a program with this environment; with 'same_addresses' each run has the same
 * ones, where the kernel allows it. On failure returns NULL and a message.
 */
struct world_program *world_program_new(const char *directory, char *const *argv, char *const *env,
					bool same_addresses, char **reterr);
/* Its process, which is the leader of its group. */
pid_t world_program_pid(const struct world_program *program);

/* Each makes a fresh world. On failure it returns NULL and a message in '*reterr' (g_malloc'd). */
struct world *world_sim_new(const struct world_setup *setup, char **reterr);
struct world *world_hw_new(const struct world_setup *setup, char **reterr);

/* Does a hw port "DEV/N" have LIDs (InfiniBand), according to sysfs? -ENOENT: no such port. */
int world_hw_port_is_ib(const char *port);

/*
 * Does a hw port have an issm device? Linux 6.1 gives one to every port, 6.12 none to ports without
 * QP 0.
 */
bool world_hw_port_has_issm(const char *port);

/* Parses "DEV/N" or "DEV[N]"; false if it is neither. '*ret_dev' is g_malloc'd. */
bool world_port_parse(const char *text, char **ret_dev, int *ret_port);

/*
 * The end that a script's name stands for: a label ("rxe1/1"), or a device and one of its ports, of
 * which 0 is any. -ENOENT: neither end has it. Constant time, no locks.
 */
int world_end_named(const struct world *world, const char *node, unsigned int port);

/* For each kind of world: records that a MAD leaves A now. */
struct world_packet *world_leaves(struct world *world, int64_t at_ns,
				  const struct packet_addr *addr, const uint8_t mad[MAD_SIZE]);

/*
 * The same: a packet has arrived at A, and carries this MAD (NULL: none). Not recorded where
 * 'is_arriving' says that a line made it arrive, which is then over.
 */
void world_arrives(struct world *world, int64_t at_ns, const uint8_t *mad);

/* Frees what struct world holds; for the close functions of the kinds. */
void world_clear(struct world *world);

#endif
