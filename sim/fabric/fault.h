/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults: what goes wrong when packets cross a cable. Rules are described in sim/api/umadrig.h
 * (struct umadrig_fault): fault.c keeps them and finds those that a packet matches,
 * sim/fabric/fault-corrupt.c flips bits, sim/fabric/fault-hold.c keeps packets on a cable for a
 * while, sim/fabric/fault-text.c reads rules in words.
 *
 * In a fabric without rules 'faults' is NULL, and forward.c skips all of this.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_H
#define UMADRIG_SIM_FABRIC_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"
#include "sim/time/chance.h"

struct packet;
struct port;
struct umadrig_fabric;

/* Waits of more than a century make no sense, and time could overflow. */
#define FAULT_TIME_MAX_NS (INT64_C(100) * 365 * 86400 * NS_PER_S)

/* Called when a packet that was kept on a cable has reached its end, 'in'. Takes the packet. */
typedef void fault_resume_fn(struct port *in, struct packet *packet);

/* ---- fault.c ---- */

/*
 * Applies the rules to a packet on the cable at 'out', which is up. True: it goes on to the cable's
 * other end now. False: it was dropped, or arrives there later, by 'resume'.
 */
bool fault_cross(struct port *out, struct packet *packet, fault_resume_fn *resume);

/*
 * Applies the rules with lies to an answer that its node sends, before it crosses its first cable,
 * at 'out'. What was said, for the capture, to be freed; NULL: nothing.
 */
char *fault_lie(struct port *out, struct packet *packet);
/* Are there any such rules? */
bool fault_has_lies(const struct umadrig_fabric *fabric);

/* As umadrig_fault_add() and so on in sim/api/umadrig.h, lock held. */
int fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault, char *reterr,
	      size_t reterr_size);
int fault_remove(struct umadrig_fabric *fabric, int id);

/*
 * A rule that harms no packet: for each that it would act on, 'seen' is called, which may arm
 * events and no more. It is not listed by fault_at(). As fault_add(); what it does is ignored.
 */
typedef void fault_seen_fn(void *ctx);
int fault_watch(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
		fault_seen_fn *seen, void *ctx, char *reterr, size_t reterr_size);
/* How many packets have matched a rule; -ENOENT. */
int64_t fault_seen(const struct umadrig_fabric *fabric, int id);

int64_t fault_hits(const struct umadrig_fabric *fabric, int id);

struct fault_count {
	int id;
	const char *name;	/* the rule's; valid while that exists */
	uint64_t seen;		/* packets that matched */
	uint64_t hits;		/* those of them that it acted on */
	const struct umadrig_fault *fault;	/* its strings: lie, where */
};

/* Rule 'at' of those that act, from 0, in the order of adding; false: there is none. */
bool fault_at(const struct umadrig_fabric *fabric, unsigned int at, struct fault_count *ret_count);

/* Frees all rules, and the packets that they hold. */
void fault_clear(struct umadrig_fabric *fabric);

/* Is the rule possible in any fabric? 0, or -EINVAL with a message. */
int fault_check(const struct umadrig_fault *fault, char *reterr, size_t reterr_size);

/* ---- sim/fabric/fault-corrupt.c ---- */

/*
 * Flips the bits that 'fault' names, or draws from 'chance'. Returns NULL if the packet goes on, or
 * the reason why it is dropped at the cable's end. The packet is left as it arrives there: sealed
 * if its CRCs are wrong.
 */
const char *fault_corrupt(const struct umadrig_fault *fault, struct chance *chance,
			  struct packet *packet);

/* ---- sim/fabric/fault-hold.c ---- */

/* Keeps the packet on the cable at 'out' until 'at_ns': then it goes on by 'resume'. */
void fault_hold(struct port *out, struct packet *packet, int64_t at_ns, fault_resume_fn *resume);

/* The same, but it also goes on when another packet does (fault_passed()); for rule 'id'. */
void fault_hold_back(struct port *out, struct packet *packet, int64_t at_ns, int id,
		     fault_resume_fn *resume);

/*
 * To be called when a packet goes on from the cable at 'out': packets that waited for one follow
 * it.
 */
void fault_passed(struct port *out);

/* To be called when the rule 'id' is removed: packets that it holds back go on now. */
void fault_release(struct umadrig_fabric *fabric, int id);

/*
 * To be called when the cable at 'out' is removed: packets held on it, on their way from there, are
 * lost.
 */
void fault_hold_lose(struct port *out);

/* Frees the held packets. */
void fault_hold_clear(struct umadrig_fabric *fabric);

/* ---- sim/fabric/fault-text.c ---- */

/*
 * Reads a rule as described in umadrig-formats(5); 'text' becomes its name. To be freed with
 * fault_text_clear(). -EINVAL with a message that quotes what is wrong and says what is expected;
 * '*ret_fault' is then untouched. Whether the port exists is not checked.
 */
int fault_text_parse(const char *text, struct umadrig_fault *ret_fault, char *reterr,
		     size_t reterr_size);

/* Frees the strings of a rule that fault_text_parse() made. */
void fault_text_clear(struct umadrig_fault *fault);

/* As umadrig_fault_add_text(), lock held. */
int fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		   size_t reterr_size);

#endif
