/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Faults: what goes wrong where packets cross a cable. The rules are sim/api/umadrig.h's (struct
 * umadrig_fault): fault.c keeps them and finds those that a packet meets,
 * sim/fabric/fault-corrupt.c flips bits, sim/fabric/fault-hold.c keeps packets on a cable for a
 * while, sim/fabric/fault-text.c reads rules as people write them.
 *
 * A fabric without rules has no 'faults', and forward.c asks no further.
 */
#ifndef UMADRIG_SIM_FABRIC_FAULT_H
#define UMADRIG_SIM_FABRIC_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/api/umadrig.h"
#include "sim/time/chance.h"

struct packet;
struct port;
struct umadrig_fabric;

/* A packet that was kept on the cable has come to its end, 'in', and goes on. Takes it. */
typedef void fault_resume_fn(struct port *in, struct packet *packet);

/* ---- fault.c ---- */

/*
 * A packet is on the cable at 'out', which is up: shows it to the rules. True: it goes on to the
 * cable's other end now. False: it is dead, or comes there later, by 'resume'.
 */
bool fault_cross(struct port *out, struct packet *packet, fault_resume_fn *resume);

/* As their namesakes of sim/api/umadrig.h, lock held. */
int fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault, char *reterr,
	      size_t reterr_size);
int fault_remove(struct umadrig_fabric *fabric, int id);
int64_t fault_hits(const struct umadrig_fabric *fabric, int id);

struct fault_count {
	int id;
	const char *name;	/* the rule's, while it is there */
	uint64_t seen;		/* packets that matched */
	uint64_t hits;		/* those of them that it acted on */
	const struct umadrig_fault *fault;	/* without its strings */
};

/* The rule at place 'at' from 0, in order of adding; false: so many there are not. */
bool fault_at(const struct umadrig_fabric *fabric, unsigned int at, struct fault_count *ret_count);

/* Frees all rules, and the packets that they hold. */
void fault_clear(struct umadrig_fabric *fabric);

/* Is the rule possible anywhere? 0, or -EINVAL with a message. */
int fault_check(const struct umadrig_fault *fault, char *reterr, size_t reterr_size);

/* ---- sim/fabric/fault-corrupt.c ---- */

/*
 * Flips the bits that 'fault' names, or draws from 'chance'. NULL: the packet goes on, or of what
 * it dies at the cable's end. It is then left as it arrives there: sealed if its CRCs are wrong.
 */
const char *fault_corrupt(const struct umadrig_fault *fault, struct chance *chance,
			  struct packet *packet);

/* ---- sim/fabric/fault-hold.c ---- */

/* Keeps the packet on the cable at 'out' until 'at_ns': it then goes on by 'resume'. */
void fault_hold(struct port *out, struct packet *packet, int64_t at_ns, fault_resume_fn *resume);

/* The same, but it also goes on when another packet does (fault_passed()); for rule 'id'. */
void fault_hold_back(struct port *out, struct packet *packet, int64_t at_ns, int id,
		     fault_resume_fn *resume);

/* A packet goes on from the cable at 'out': right behind it those that waited for one. */
void fault_passed(struct port *out);

/* The rule 'id' is no more: what it holds back goes on now. */
void fault_release(struct umadrig_fabric *fabric, int id);

/* The cable at 'out' is taken away: what it holds, on its way from there, is lost. */
void fault_hold_lose(struct port *out);

/* Frees what is held. */
void fault_hold_clear(struct umadrig_fabric *fabric);

/* ---- sim/fabric/fault-text.c ---- */

/*
 * Reads a rule as umadrig(1) describes it, 'text' being its name. To be freed with
 * fault_text_clear(). -EINVAL with a message that quotes what is wrong and says what is wanted;
 * '*ret_fault' is then untouched. Whether there is such a port is not asked.
 */
int fault_text_parse(const char *text, struct umadrig_fault *ret_fault, char *reterr,
		     size_t reterr_size);

/* Frees the strings of a rule that fault_text_parse() made. */
void fault_text_clear(struct umadrig_fault *fault);

/* As umadrig_fault_add_text(), lock held. */
int fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		   size_t reterr_size);

#endif
