/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whose turn it is: see harness/world/turns.h.
 */
#include "harness/world/turns.h"

#include <glib.h>

#include "sim/api/umadrig.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/server.h"

/* How long programs are served before the script may look whether it has to end. */
enum { SERVE_MS = 10, SERVE_TIMES = 10 };

/* Serves until all programs wait. False: one still runs. */
static bool await_turn(struct server *server)
{
	struct lockstep_owner *owner = server_owner(server);

	for (int i = 0; i < SERVE_TIMES && !lockstep_owner_has_turn(owner); i++)
		server_step(server, SERVE_MS);
	return lockstep_owner_has_turn(owner);
}

int64_t turns_next_ns(struct server *server)
{
	return MIN(umadrig_next(server_fabric(server)),
		   lockstep_owner_deadline(server_owner(server)));
}

bool turns_step(struct server *server, int64_t until_ns, bool *is_busy)
{
	struct umadrig_fabric *fabric = server_fabric(server);
	bool was_busy = *is_busy;
	int64_t next_ns;

	*is_busy = !await_turn(server);
	if (*is_busy || was_busy)
		return true;
	/* What a program has closed before it waited or ended is noticed by this. */
	server_step(server, 0);
	if (!lockstep_owner_others_can_run(server_owner(server))) {
		next_ns = turns_next_ns(server);
		if (next_ns > until_ns) {
			umadrig_step(fabric, until_ns);
			return false;
		}
		/* A deadline comes after what the fabric does at the same instant. */
		if (!umadrig_step_once(fabric, next_ns))
			umadrig_step(fabric, next_ns);
	}
	server_pass_turn(server);
	*is_busy = !await_turn(server);
	return true;
}
