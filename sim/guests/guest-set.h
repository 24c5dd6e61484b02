/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The guests of a fabric, as one party of its virtual time (sim/time/clock.h).
 *
 * One guest runs at a time: at an instant, first what the fabric does, then the guests that are
 * due, by their numbers, or in an order that the schedule's seed chooses. A guest that has used
 * time ends the turn of all: what the fabric does then comes first again.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_SET_H
#define UMADRIG_SIM_GUESTS_GUEST_SET_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time/chance.h"
#include "sim/time/clock.h"

struct end_port;
struct guest;
struct umadrig_fabric;
struct umadrig_host;

struct guest_set {
	struct umadrig_fabric *fabric;
	struct clock_party party;
	GPtrArray *guests;		/* struct guest, by number */
	/* How far the guest whose turn it is may go by itself. */
	int64_t (*limit_ns)(struct guest_set *set, const struct guest *guest);
	/* guest_await() */
	void (*await)(struct guest *guest, bool (*is_over)(const void *ctx), const void *ctx);
	/* Something can be read of a program's output: who waits for it looks. NULL: none do. */
	void (*wrote)(void *ctx);
	void *wrote_ctx;
	struct chance chance;		/* of the order at one instant */
	bool is_in_order;		/* by number */
	int patience_ms;		/* in real time, for what a guest does without a wait */
	unsigned int turns_max;		/* at one instant, of a guest that lets time pass at all */
};

/* What is said where the clock is real. */
extern const char guest_set_wants_virtual_time[];

/*
 * The host runs on a guest from now on, whose kernel is the file 'image'. -EOPNOTSUPP: the clock is
 * real; -EEXIST: it has one; -E2BIG: it has more HCAs, or HCAs with more ports, than a guest;
 * -EMFILE: this process may have too few descriptors for so many; with a message.
 */
int guest_set_add(struct umadrig_fabric *fabric, struct umadrig_host *host, const char *image,
		  char *reterr, size_t reterr_size);
/* The host's guest; NULL: it has none. */
struct guest *guest_set_find(const struct umadrig_host *host);

/*
 * Agents with numbers (the upper half of a TID) from 1 to this one are the kernel's own, where the
 * host of 'end' is a guest; 0: it is none, or has not booted. Linux gives numbers in turn from 1
 * on, and no program comes before all HCAs are there with which a guest boots. Those of an HCA that
 * comes later have higher ones, among programs' numbers. Lock held.
 */
uint32_t guest_set_kernel_agents(const struct end_port *end);

/* Ends all guests' processes; in a process that was forked off they are the parent's. */
void guest_set_stop(struct umadrig_fabric *fabric);
/* Frees them: no host has a kernel any more. */
void guest_set_free(struct umadrig_fabric *fabric);

#endif
