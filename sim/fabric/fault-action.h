/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The actions of faults on packets. This list is the only one: rules in words
 * (sim/fabric/fault-text.c), the fault line of a scenario, the commands of the console and the
 * functions that act on packets (sim/fabric/fault.c) are made of it by the compiler; manual pages,
 * the grammar of scenarios, completion, syntax highlighting, the methods of Python and seeds of the
 * fuzzers by "make tables".
 *
 * A new action is an enumerator UMADRIG_FAULT_NAME in sim/api/umadrig.h, a row here, its function
 * act_name() in sim/fabric/fault.c, a row of tests/sim/fault.c and a line of NEWS.
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
	FAULT_LIE = 1 << 5,	/* what about: sim/fabric/lie.h */
};

/*
 * ROW(enumerator without its prefix, word, what it needs, what else it takes, help, more), where
 * 'help' is a sentence, and 'more' is what manuals say behind it, with words of rules in `...`.
 */
#define FAULT_ACTIONS(ROW) \
	ROW(DROP, drop, 0, FAULT_LOSS, \
	    "The packet is lost.", \
	    "With `overrun` the port at the end of the cable has no buffer for it, and counts " \
	    "that: SMPs in VL15Dropped, others in PortRcvErrors, and more of them in a row than " \
	    "PortInfo's OverrunErrors in ExcessiveBufferOverrunErrors, with trap 130. With " \
	    "`unread` an adapter's QP1 has none (QP1Dropped), and SMPs pass.") \
	ROW(DELAY, delay, FAULT_TIME, 0, \
	    "The packet arrives that much later, and others overtake it.", "") \
	ROW(DUPLICATE, duplicate, 0, FAULT_TIME, \
	    "A copy of the packet follows, at once or after that time.", "") \
	ROW(REORDER, reorder, 0, FAULT_TIME, \
	    "The packet waits for the next one that crosses the cable the same way, and " \
	    "follows it.", \
	    "If none comes in that time (default: 10ms) it goes alone.") \
	ROW(CORRUPT, corrupt, 0, FAULT_BITS | FAULT_MENDED | FAULT_PACKET, \
	    "Bits of the packet flip.", \
	    "One bit of the MAD, chosen at random, unless `at`, `bits=` and `flips=` say " \
	    "otherwise. The port at the end of the cable sees that the CRCs are wrong, drops the " \
	    "packet and counts it in PortRcvErrors, and each changed octet in " \
	    "SymbolErrorCounter; when wrong packets are more than good ones by over PortInfo's " \
	    "LocalPhyErrors, LocalLinkIntegrityErrors counts that, and trap 129 tells. With " \
	    "`mended` the CRCs are right again and the packet goes on as it is.") \
	ROW(LIE, lie, FAULT_LIE, 0, \
	    "A node answers with a wrong value in one field, and all else is right.", \
	    "Which one, a field and its value say, as in `NodeInfo.LocalPort=255`, `=+1` or " \
	    "`=random`, or a kind of fields, of which one is drawn, and another value for it: " \
	    "`any`, `status`, `modifier`, `port`, `guid`, `lid`, `path`, `mask`, `block`, and " \
	    "`rmpp` and `tid`, which `any` leaves out. It is told where the answer leaves the " \
	    "node that answers, and named in the capture. Requests are let alone unless the rule " \
	    "gives a method.")

/* The words of rules that do not go with every action: ROW(word, which of the above, example). */
#define FAULT_PARTS(ROW) \
	ROW(by, FAULT_TIME, "by 2ms") \
	ROW(overrun, FAULT_LOSS, "overrun") \
	ROW(unread, FAULT_LOSS, "unread") \
	ROW(bits, FAULT_BITS, "bits=8-15") \
	ROW(at, FAULT_BITS, "at 26") \
	ROW(flips, FAULT_BITS, "flips=2") \
	ROW(mended, FAULT_MENDED, "mended") \
	ROW(packet, FAULT_PACKET, "packet") \
	ROW(any, FAULT_LIE, "any")

struct fault_action {
	const char *word;
	enum umadrig_fault_act act;
	unsigned int needs;	/* FAULT_..., all of which a rule must have */
	unsigned int takes;	/* FAULT_... that it may have, including 'needs' */
	const char *help;	/* one sentence, as in the manuals */
	const char *more;	/* what they say behind it, or "" */
};

struct fault_part {
	const char *word;
	unsigned int argument;	/* FAULT_... */
	const char *example;
};

/* In the order of the list; NULL after the last. */
const struct fault_action *fault_action_at(unsigned int at);
const struct fault_part *fault_part_at(unsigned int at);

/* NULL: there is no such action. */
const struct fault_action *fault_action_find(const char *word);
const struct fault_action *fault_action_of(enum umadrig_fault_act act);

/*
 * The words of all actions that take one of 'takes' (0: of all actions), "drop, delay CONJUNCTION
 * corrupt", to be freed with g_free().
 */
char *fault_action_words(unsigned int takes, const char *conjunction);

#endif
