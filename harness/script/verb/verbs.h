/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The verbs of scripts, one row each: what a line may begin with (harness/script/tree/verb.h).
 *
 * Row 'name' is the verb_name that harness/script/verb defines. A call may have any name and is
 * tried last, wherever its row is.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_VERBS_H
#define UMADRIG_HARNESS_SCRIPT_VERB_VERBS_H

#include "harness/script/tree/verb.h"

#define SCRIPT_VERBS(row) \
	row(arrives) \
	row(leaves) \
	row(same) \
	row(silence) \
	row(call) \
	row(peer_listens) \
	row(peer_answers) \
	row(peer_withholds) \
	row(peer_sends) \
	row(fault) \
	row(start) \
	row(end) \
	row(run) \
	row(stop) \
	row(link) \
	row(power) \
	row(do) \
	row(load) \
	row(counter) \
	row(check) \
	row(note) \
	row(replay) \
	row(wire)

#define SCRIPT_VERB(name) extern const struct script_verb verb_##name;
SCRIPT_VERBS(SCRIPT_VERB)

#endif
