/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One table of calls for every backend: what a program sees of a port and its umad file must not
 * depend on what carries its MADs.
 */
#ifndef UMADRIG_TESTS_RIG_UMAD_TABLE_H
#define UMADRIG_TESTS_RIG_UMAD_TABLE_H

#include <stdbool.h>

#include "sim/api/umadrig.h"

/* A way for libibumad to reach a fabric. */
struct umad_world {
	const char *name;	/* name of its tests */
	bool has_register2;	/* false: a kernel from before REGISTER_AGENT2 */

	/* From now on until end(), libibumad sees what host H1 of 'fabric' sees. */
	void (*begin)(struct umadrig_fabric *fabric);
	void (*end)(void);

	/* Whether a copy of a descriptor is one of a umad file; NULL: it is. */
	bool (*has_copies)(void);

	/* What umad_open_port() returns for port 1 of another host's device of the same name. */
	int (*open_peer)(const char *host);
};

/* Adds the table's tests for 'of', which must stay valid. */
void umad_table_add(const struct umad_world *of);

#endif
