/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The actions of faults on packets. This list is the only one: rules in words
 * (sim/fabric/fault-text.c), the fault line of a scenario and the functions that act on packets
 * (sim/fabric/fault.c) are made of it, and tests/sim/fault checks umadrig-formats(5) and
 * doc/scenario-language.md against it.
 *
 * A new action is an enumerator UMADRIG_FAULT_NAME in sim/api/umadrig.h, a row here, its function
 * act_name() in sim/fabric/fault.c, and the rows of the two documents that the test requires.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_ACTION_H
#define UMADRIG_SIM_FABRIC_FAULT_ACTION_H

#include "sim/api/umadrig.h"

/* What a rule may have that does not go with every action. */
enum {
	FAULT_TIME = 1 << 0,	/* how long, or how much later */
	FAULT_LOSS = 1 << 1,	/* where the packet is lost: overrun, unread */
	FAULT_BITS = 1 << 2,	/* which bits change, and how many */
	FAULT_MENDED = 1 << 3,	/* the CRCs are corrected */
	FAULT_PACKET = 1 << 4,	/* bits are counted from the LRH, not from the MAD */
};

/* ROW(enumerator without its prefix, word, what it needs, what else it takes, help) */
#define FAULT_ACTIONS(ROW) \
	ROW(DROP, drop, 0, FAULT_LOSS, \
	    "The packet is lost.") \
	ROW(DELAY, delay, FAULT_TIME, 0, \
	    "The packet arrives that much later, and others overtake it.") \
	ROW(DUPLICATE, duplicate, 0, FAULT_TIME, \
	    "A copy of the packet follows, at once or after that time.") \
	ROW(REORDER, reorder, 0, FAULT_TIME, \
	    "The packet waits for the next one that crosses the cable the same way, and " \
	    "follows it.") \
	ROW(CORRUPT, corrupt, 0, FAULT_BITS | FAULT_MENDED | FAULT_PACKET, \
	    "Bits of the packet flip.")

struct fault_action {
	const char *word;
	enum umadrig_fault_act act;
	unsigned int needs;	/* FAULT_..., all of which a rule must have */
	unsigned int takes;	/* FAULT_... that it may have, including 'needs' */
	const char *help;	/* one sentence, as in the manuals */
};

/* In the order of the list; NULL after the last. */
const struct fault_action *fault_action_at(unsigned int at);

/* NULL: there is no such action. */
const struct fault_action *fault_action_find(const char *word);
const struct fault_action *fault_action_of(enum umadrig_fault_act act);

/*
 * The words of all actions that take one of 'takes' (0: of all actions), "drop, delay CONJUNCTION
 * corrupt", to be freed with g_free().
 */
char *fault_action_words(unsigned int takes, const char *conjunction);

#endif
