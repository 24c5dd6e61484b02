/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What programs that mean harm do to a fabric server: one writes at random into the ring, page and
 * mailbox that it shares with the server, from a second thread; one passes descriptors by the
 * hundred; one ends at every step of what a program does; one sends itself messages that are as
 * large as there are; one names the handles of others, as far as it can find out how; one sends
 * over many rings at once; one asks and never reads.
 */
#ifndef UMADRIG_TESTS_SIM_SERVER_ATTACKS_H
#define UMADRIG_TESTS_SIM_SERVER_ATTACKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/rig/server-rig.h"

enum {
	SERVER_ATTACKS = 7,
	SERVER_WAIT_MS = 60000,	/* for what is certain to come: never reached */
};

/*
 * One attack, in a process of its own: what it leaves open ends with that. It draws what it does
 * from 'state' (lib/base/mix64.h).
 */
struct server_attack {
	const char *name;
	void (*make)(struct server_rig *server, uint64_t *state);
};

extern const struct server_attack server_attacks[SERVER_ATTACKS];

/* To be set before the first. */
struct server_attack_setup {
	const _Atomic uint64_t *cookies;	/* of the victims' sockets, as ss(8) shows them */
	unsigned int victims;
	bool is_long;				/* there is more than a second */
};
extern struct server_attack_setup server_attack_setup;

#endif
