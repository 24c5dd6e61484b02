/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The options of a fabric.
 */
#ifndef UMADRIG_SIM_FABRIC_OPTIONS_H
#define UMADRIG_SIM_FABRIC_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* The options of "FILE,OPTION=VALUE,...". */
struct umadrig_options {
	bool virtual_clock;	/* clock=virtual (else real) */
	bool partial;		/* partial=yes: even if much of the file is lost (loss.h) */
	bool any_order;		/* order=any: a capture need not be in order of time */
	bool cold;		/* state=cold: Init, no LIDs, empty tables (else active) */
	bool seed_set;
	uint64_t seed;		/* seed=N; default: 1 */
	int64_t latency_ns;	/* latency=1us: each way, per packet; default 0 */
	char *host;		/* host=NODE: devices are this host's; NULL: the first host */
	char *capture;		/* capture=FILE: written from the start; NULL: none */
	char *report;		/* report=FILE: written at the end (report.h); NULL: none */
	unsigned int profile;	/* profile=NAME: the kernel to follow; 0: linux-6.1 */
	uint32_t first_hi_tid;	/* hi-tid=N: first agent number of each host; default 1 */
	char **faults;		/* fault=RULE, any number of them, then NULL; NULL: none */
	bool is_served;		/* a real clock gets no thread: fabric_open() */
};

/* Frees what the options own. */
void options_clear(struct umadrig_options *options);

#endif
