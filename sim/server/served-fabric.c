/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric of a server: see sim/server/served-fabric.h.
 */
#include "config.h"

#include "sim/server/served-fabric.h"

#include <errno.h>
#include <stdio.h>

#include "lib/lockstep/clocks.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric-programs.h"
#include "sim/fabric/host.h"
#include "sim/host/device.h"
#include "sim/run/assembly.h"
#include "sim/run/open.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/program-memory.h"
#include "sim/server/program-signal.h"

static int open_fabric(struct served_fabric *served, const char *spec, char *reterr,
		       size_t reterr_size)
{
	served->fabric = fabric_open(spec, true, reterr, reterr_size);
	if (!served->fabric)
		return -EINVAL;
	served->fabric->issm_directory = g_strdup(served->directory.path);
	return 0;
}

/* What programs see without a call. Before one can read the answer to the Set of an M_Key. */
static void update(struct served_fabric *served)
{
	struct umadrig_fabric *fabric = served->fabric;

	if (served->m_key_changes != fabric->m_key_changes) {
		served->m_key_changes = fabric->m_key_changes;
		server_files_update_pages(&served->files);
	}
	sysfs_views_refresh(&served->views);
}

static void catch_up(void *ctx)
{
	struct served_fabric *served = ctx;

	sysfs_views_catch_up(&served->views);
}

static void init_views(struct served_fabric *served, struct watch_set *watches)
{
	struct umadrig_fabric *fabric = served->fabric;

	sysfs_views_init(&served->views, fabric, served->directory.path, watches);
	fabric->catch_up = catch_up;
	fabric->catch_up_ctx = served;
}

int served_fabric_init(struct served_fabric *served, const char *spec, struct watch_set *watches,
		       char *reterr, size_t reterr_size)
{
	int ret = private_directory_make_small(&served->directory, reterr, reterr_size);

	if (ret < 0)
		return ret;
	ret = open_fabric(served, spec, reterr, reterr_size);
	if (ret < 0) {
		private_directory_remove(&served->directory);
		return ret;
	}
	server_files_init(&served->files, served->fabric, watches);
	log_files_init(&served->logs, watches);
	event_sockets_init(&served->events, watches, &served->views);
	served->files.slices = true;
	init_views(served, watches);
	return 0;
}

static int signal_programs(void *ctx, const char *name, int sig, GString *why)
{
	const struct served_fabric *served = ctx;

	return program_signal(served->lockstep, name, sig, why);
}

static bool are_small(void *ctx, uint64_t bytes, GString *why)
{
	const struct served_fabric *served = ctx;

	return program_memory_is_small(served->lockstep, bytes, why);
}

static int expect_commands(void *ctx, GString *why)
{
	const struct served_fabric *served = ctx;

	return errands_expect(served->errands, why);
}

static int64_t start_command(void *ctx, const char *command, fabric_told_fn *told, void *told_ctx,
			     GString *why)
{
	const struct served_fabric *served = ctx;

	return errands_add(served->errands, command, told, told_ctx, why);
}

static void forget_command(void *ctx, int64_t number)
{
	const struct served_fabric *served = ctx;

	errands_forget(served->errands, number);
}

static const struct fabric_programs programs_known = {
	.signal = signal_programs, .are_small = are_small, .expect = expect_commands,
	.start = start_command, .forget = forget_command,
};

int served_fabric_lockstep(struct served_fabric *served, const struct lockstep_wishes *wishes,
			   char *reterr, size_t reterr_size)
{
	served->lockstep = server_lockstep_new(served->directory.path, wishes,
					       served->fabric->options.seed, reterr, reterr_size);
	served->files.lockstep = served->logs.lockstep = served->lockstep;
	served->events.lockstep = served->lockstep;
	served->views.boot_ns = CLOCKS_MONOTONIC_NS;
	served->files.slices = false;
	if (served->lockstep && wishes->is_owned) {
		served->owner = lockstep_owner_new(server_lockstep_map(served->lockstep));
		server_lockstep_hear_guests(served->lockstep, served->fabric);
	} else if (served->lockstep) {
		served->fabric->programs_known = &programs_known;
		served->fabric->programs_known_ctx = served;
		served->errands = errands_new(served->lockstep);
		fabric_enter(served->fabric);
		server_lockstep_join_guests(served->lockstep, served->fabric);
		fabric_leave(served->fabric);
	}
	return served->lockstep ? 0 : -EINVAL;
}

static void update_programs(void *ctx)
{
	update(ctx);
}

int served_fabric_borrow(struct served_fabric *served, struct umadrig_fabric *fabric,
			 struct watch_set *watches, char *reterr, size_t reterr_size)
{
	int ret = private_directory_make_small(&served->directory, reterr, reterr_size);

	if (ret < 0)
		return ret;
	served->fabric = fabric;
	served->is_borrowed = true;
	fabric_enter(fabric);
	server_files_init(&served->files, fabric, watches);
	log_files_init(&served->logs, watches);
	event_sockets_init(&served->events, watches, &served->views);
	init_views(served, watches);
	fabric->issm_directory = g_strdup(served->directory.path);
	fabric->settle_shared = update_programs;
	fabric->settle_shared_ctx = served;
	clock_share(fabric->clock);
	fabric_leave(fabric);
	return 0;
}

int served_fabric_clear(struct served_fabric *served)
{
	int audited, err = 0;

	if (!served->fabric)
		return 0;
	fabric_enter(served->fabric);
	served->fabric->settle_shared = NULL;
	served->fabric->catch_up = NULL;
	server_files_clear(&served->files);
	log_files_clear(&served->logs);
	event_sockets_clear(&served->events);
	fabric_leave(served->fabric);
	g_clear_pointer(&served->owner, lockstep_owner_free);
	audited = server_lockstep_report(served->lockstep);
	if (served->errands)
		served->fabric->programs_known = NULL;
	g_clear_pointer(&served->errands, errands_free);
	g_clear_pointer(&served->lockstep, server_lockstep_free);
	sysfs_views_clear(&served->views);
	if (!served->is_borrowed)
		err = fabric_free(served->fabric);
	served->fabric = NULL;
	private_directory_remove(&served->directory);
	return err < 0 ? err : audited;
}

struct umadrig_host *served_fabric_host(struct served_fabric *served, const char *name, char *text,
					size_t size)
{
	struct umadrig_fabric *fabric = served->fabric;
	struct umadrig_host *host = *name ? fabric_host(fabric, name) : fabric->default_host;

	if (host)
		device_banner(host, text, size);
	else
		fabric_no_host(fabric, name, text, size);
	return host;
}

void served_fabric_settle(struct served_fabric *served)
{
	struct umadrig_fabric *fabric = served->fabric;

	if (served->lockstep)
		clock_settle(fabric->clock);
	else
		clock_settle_burst(fabric->clock);
	update(served);
	log_files_look(&served->logs);
	event_sockets_look(&served->events);
	handles_settle(fabric);
	if (served->lockstep)
		server_lockstep_pass_on(served->lockstep);
}
