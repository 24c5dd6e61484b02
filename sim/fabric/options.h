/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The options of a fabric.
 */
#ifndef UMADRIG_SIM_FABRIC_OPTIONS_H
#define UMADRIG_SIM_FABRIC_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/words/schedule.h"
#include "sim/capture/replay.h"

struct kmod_kernel;

/* How a capture answers. All zero: in order, and what it does not have is not answered. */
struct replay_wishes {
	enum replay_as_of as_of;	/* as-of=first|last|TIME */
	int64_t as_of_ns;		/* of REPLAY_AT */
	uint16_t unmatched_status;	/* unmatched=status=N; 0: no answer comes */
	bool unmatched_expires;		/* unmatched=timeout */
	bool summary;			/* summary=yes: counts on stderr at the end */
	bool timed;			/* mode=timed: it comes at its own times, does not answer */
	unsigned int speed_milli;	/* speed=N, in thousandths; 0: as captured */
	bool own_tids;			/* rewrite=tid */
	uint64_t size_max;		/* max-size=SIZE: see capture_read_within() */
	bool is_given;			/* any of them: the file has to be a capture */
};

/* audit=: system calls past virtual time. */
enum lockstep_audit {
	LOCKSTEP_NO_AUDIT,
	LOCKSTEP_AUDIT,		/* they are named */
	LOCKSTEP_AUDIT_FAILS,	/* and the session fails */
};

/* sa=: who answers queries of subnet administration. */
enum sa_option {
	SA_OPTION_UNSET,		/* the fabric itself if it can, else programs */
	SA_OPTION_NONE,			/* programs */
	SA_OPTION_BUILTIN,		/* the fabric itself (sim/sa/), until an SM comes */
};

/* The options of "FILE,OPTION=VALUE,...". */
struct umadrig_options {
	bool virtual_clock;	/* clock=virtual (else real) */
	struct schedule schedule;	/* schedule=N, ...: which program runs next */
	char *switches;		/* switches=LIST: exceptions to schedule=0; NULL: none */
	enum lockstep_audit audit;	/* audit=yes or fail */
	bool how_filter;	/* how=filter: all programs in virtual time are below the filter */
	bool partial;		/* partial=yes: even if much of the file is lost (loss.h) */
	bool any_order;		/* order=any: a capture need not be in order of time */
	bool cold;		/* state=cold: Init, no LIDs, empty tables (else active) */
	enum sa_option sa;	/* sa=builtin (which needs state=active) or none */
	bool seed_set;
	uint64_t seed;		/* seed=N; default: 1 */
	int64_t latency_ns;	/* latency=1us: each way, per packet; default 0 */
	char *device;		/* device=mlx5_0: "mlx5_", and the first number; NULL: "sim" */
	unsigned int first_device;
	char *host;		/* host=NODE: devices are this host's; NULL: the first host */
	char *capture;		/* capture=FILE: written from the start; NULL: none */
	char *report;		/* report=FILE: written at the end (report.h); NULL: none */
	unsigned int profile;	/* profile=NAME: the kernel to follow; 0: linux-6.1 */
	bool profile_set;
	uint32_t first_hi_tid;	/* hi-tid=N: first agent number of each host; default 1 */
	unsigned int send_queue_size, recv_queue_size;	/* of hosts' QPs; 0: as in Linux */
	char **faults;		/* fault=RULE, any number of them, then NULL; NULL: none */
	char **loads;		/* load=ORDER, likewise */
	char **quirks;		/* quirk=NAME[:WHERE], as faults (quirk.h) */
	char **vfs;		/* vfs=N[:WHERE], as faults (virtual-function.h) */
	bool vf_lids;		/* vf-lids=yes: their vports ask for LIDs */
	char **kernels;		/* kernel=[HOST:]KERNEL, likewise (kernel-wish.h) */
	char *guest_directory;	/* guest-directory=DIR, absolute: guests write there; or NULL */
	const struct kmod_kernel *kernel;	/* of all hosts; NULL: kmod_stub */
	struct replay_wishes replay;	/* of a file that is a capture */
	bool is_served;		/* a real clock gets no thread: fabric_open() */
};

/* Frees what the options own. */
void options_clear(struct umadrig_options *options);

#endif
