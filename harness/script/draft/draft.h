/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Drafts: scenarios made of captures.
 *
 * A draft does again what a captured port did: it sends the requests that programs there sent, by
 * umad_send(), and expects what left the port and what came back, field by field. What the fabric's
 * own agents answer is left to them; what other programs sent arrives as lines of the script.
 * Times are those of the capture in whole milliseconds, as far as nothing else determines them; a
 * trial run has to make them exact.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_H
#define UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/capture/capture.h"
#include "sim/capture/side.h"

/* What scripts call a port: "peer", "sm". Its addresses are those of the capture. */
struct draft_role {
	const char *name;
	uint16_t lid;		/* 0: it is not called by that */
	bool has_gid;
	uint8_t gid[16];
	uint8_t gid_here[16];	/* and in the fabric */
};

/* What a scenario says besides its events. The strings stay the caller's. */
struct draft {
	const char *title;
	const char *origin;	/* comment lines, each ended by a newline, without '#' */
	const char *topology;	/* as the script names it; NULL: the default fabric */
	const char *self;	/* the port, "H1[1]"; NULL: not said */
	const char *peer;	/* the same of the port whose programs it asks */
	bool cold;
	bool partial;
	int64_t latency_ns;
	const char *facts;	/* what is so of the fabric: conditions of 'check', a line each */
	/*
	 * Does the directed route of a MAD lead back to the port? Its answer leaves there, too,
	 * though the capture does not say so. NULL: the capture says it.
	 */
	bool (*is_back)(void *ctx, const uint8_t mad[MAD_SIZE]);
	void *is_back_ctx;
	const struct draft_role *roles;	/* the first that has a LID is what the LID is called */
	size_t role_count;
};

/*
 * The port whose program has answered 'self' first, as the capture names it; NULL: none has, or
 * nothing names it.
 */
const char *draft_partner(const struct capture *capture, const char *self);

/*
 * The scenario of what the port at 'stand' did, to be freed. NULL, with the reason in 'reterr': it
 * did nothing, or something that no scenario says; the MAD is then named by its frame.
 */
char *draft_write(const struct draft *draft, const struct capture *capture,
		  const struct capture_stand *stand, GString *reterr);

#endif
