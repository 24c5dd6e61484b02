/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The simulated world: a fresh fabric under the virtual clock, reached as UMAD_BACKEND=sim:@.
 *
 * A served world has the real clock and a server, as in umadrig exec, so that programs share it
 * with the script. The server has no thread of its own: it serves while the script lets time pass.
 */
#include "harness/world/sim-world.h"

#include <errno.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "harness/exec/exec.h"
#include "harness/world/sim-programs.h"
#include "harness/world/turns.h"
#include "sim/api/umadrig.h"
#include "sim/programs/program-environment.h"
#include "sim/server/server.h"
#include "sim/system/private-directory.h"

/* ---- time ---- */

static int64_t sim_now_ns(struct world *world)
{
	return umadrig_now(sim_of(world)->fabric);
}

static int64_t sim_next_ns(struct world *world)
{
	return umadrig_next(sim_of(world)->fabric);
}

static bool sim_step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	struct umadrig_fabric *fabric = sim_of(world)->fabric;

	(void)fds;
	(void)fd_count;
	if (umadrig_step_once(fabric, until_ns))
		return true;
	if (until_ns > umadrig_now(fabric))
		umadrig_step(fabric, until_ns);
	return false;
}

static void sim_comment(struct world *world, const char *text)
{
	umadrig_capture_comment(sim_of(world)->fabric, text);
}

static void sim_note(struct world *world, const char *text)
{
	umadrig_capture_note(sim_of(world)->fabric, text);
}

/* ---- hosts ---- */

static void sim_enter(struct world *world, enum world_end end)
{
	struct world_sim *sim = sim_of(world);

	umadrig_host_enter(sim->fabric, sim->nodes[end]);
}

static int sim_enter_port(struct world *world, const char *name, const char **ret_ca, int *ret_port)
{
	struct umadrig_fabric *fabric = sim_of(world)->fabric;
	g_autofree char *node = NULL;
	struct umadrig_port *port;
	int number;

	if (!world_port_parse(name, &node, &number))
		return -ENOENT;
	port = umadrig_port(fabric, node, (unsigned int)number);
	if (!port || umadrig_host_enter(fabric, node) < 0)
		return -ENOENT;
	*ret_ca = umadrig_port_device(port);
	*ret_port = number;
	return 0;
}

static void sim_thread_enter(struct world *world)
{
	umadrig_thread_enter(sim_of(world)->fabric);
}

static void sim_thread_leave(struct world *world)
{
	umadrig_thread_leave(sim_of(world)->fabric);
}

/* ---- the umad file ---- */

static int sim_file_open(struct world *world, enum world_end end, void **ret_file)
{
	struct umadrig_file *file;
	int status = umadrig_file_open(sim_of(world)->ports[end], &file);

	if (status == 0)
		*ret_file = file;
	return status;
}

static int sim_file_ioctl(void *file, unsigned long request, void *arg)
{
	return umadrig_file_ioctl(file, request, arg);
}

static long sim_file_write(void *file, const void *buf, size_t count)
{
	return umadrig_file_write(file, buf, count);
}

static long sim_file_read(void *file, void *buf, size_t count)
{
	return umadrig_file_read(file, buf, count);
}

static unsigned int sim_file_poll(void *file)
{
	return umadrig_file_poll(file);
}

static void sim_file_close(void *file)
{
	umadrig_file_close(file);
}

static int sim_issm_open(struct world *world, enum world_end end)
{
	return umadrig_issm_open(sim_of(world)->ports[end]);
}

static int sim_issm_close(struct world *world, enum world_end end)
{
	umadrig_issm_close(sim_of(world)->ports[end]);
	return 0;
}

static int sim_port_remove(struct world *world, enum world_end end)
{
	return umadrig_port_remove(sim_of(world)->ports[end]);
}

static int sim_port_set_lid(struct world *world, enum world_end end, uint16_t lid, uint8_t lmc)
{
	return umadrig_port_set_lid(sim_of(world)->ports[end], lid, lmc);
}

static int sim_fault(struct world *world, const struct umadrig_fault *fault, char *reterr,
		     size_t reterr_size)
{
	return umadrig_fault_add(sim_of(world)->fabric, fault, reterr, reterr_size);
}

static int64_t sim_counter(struct world *world, const char *port, const char *name)
{
	g_autofree char *node = NULL, *long_name = NULL;
	int64_t value;
	int number;

	if (!world_port_parse(port, &node, &number))
		return -ENOENT;
	value = umadrig_counter(sim_of(world)->fabric, node, (unsigned int)number, name);
	if (value != -EINVAL)
		return value;
	long_name = g_strconcat("Port", name, NULL);
	return umadrig_counter(sim_of(world)->fabric, node, (unsigned int)number, long_name);
}

static int sim_attribute(struct world *world, const char *node, int port, unsigned int attribute,
			 uint8_t ret_data[64])
{
	return umadrig_attribute(sim_of(world)->fabric, node, (unsigned int)port, attribute,
				 ret_data);
}

static size_t sim_unmatched(struct world *world)
{
	return umadrig_replay_unmatched(sim_of(world)->fabric);
}

/* ---- links, nodes, programs ---- */

/* Makes the effect visible at once; the server's timer does not know of it. */
static int settled(struct world *world, int status)
{
	struct server *server = sim_of(world)->server;

	if (server)
		server_step(server, 0);
	return status;
}

static int sim_link(struct world *world, const char *port, bool up)
{
	g_autofree char *node = NULL;
	int number;

	if (!world_port_parse(port, &node, &number))
		return -ENOENT;
	return settled(world, umadrig_link_set(sim_of(world)->fabric, node, (unsigned int)number,
					       up));
}

static int sim_power(struct world *world, const char *node, bool on)
{
	return settled(world, umadrig_node_set(sim_of(world)->fabric, node, on));
}

static int sim_console(struct world *world, const char *line, char **ret_text)
{
	return settled(world, umadrig_console(sim_of(world)->fabric, line, ret_text));
}

/* How long the server may wait for clients before the script checks for its own events. */
enum { SERVE_MS = 10 };

static bool served_step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	int64_t left_ns = until_ns - sim_now_ns(world);

	(void)fds;
	(void)fd_count;
	server_step(sim_of(world)->server, left_ns <= 0 ? 0 : left_ns < NS_PER_MS ? 1 :
		    (int)MIN(left_ns / NS_PER_MS, SERVE_MS));
	return left_ns > 0;
}

static struct world_program *sim_program_start(struct world *world, const char *port,
					       const char *session, const char *directory,
					       char *const *argv, char **reterr)
{
	const struct world_sim *sim = sim_of(world);
	const struct sim_program program = {
		.how = sim->how, .port = port, .session = session, .directory = directory,
		.argv = argv,
	};

	return sim_programs_start(sim->server, &program, reterr);
}

static bool sim_session_was_used(struct world *world, const char *session)
{
	return server_session_was_used(sim_of(world)->server, session);
}

/* ---- programs in virtual time ---- */

static bool lockstep_step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	(void)fds;
	(void)fd_count;
	return turns_step(sim_of(world)->server, until_ns, &world->is_busy);
}

static int64_t lockstep_next_ns(struct world *world)
{
	return turns_next_ns(sim_of(world)->server);
}

static void lockstep_signalled(struct world *world, const struct world_program *program, int sig)
{
	sim_programs_signalled(sim_of(world)->server, program, sig);
}

static void lockstep_kill(struct world *world, const struct world_program *program)
{
	sim_programs_kill(sim_of(world)->server, program);
}

/* ---- beginning and end ---- */

static int sim_close(struct world *world)
{
	struct world_sim *sim = sim_of(world);
	int audited, ret = 0;

	if (sim->fabric) {
		if (sim->ports[WORLD_SELF])
			umadrig_tap(sim->ports[WORLD_SELF], NULL, NULL);
		if (sim->capturing)
			ret = umadrig_capture_stop(sim->fabric);
		umadrig_attach(NULL);
		if (!sim->server)
			umadrig_fabric_close(sim->fabric);
	}
	audited = server_free(sim->server);
	if (sim->questions)
		g_array_free(sim->questions, true);
	g_free(sim->nodes[WORLD_SELF]);
	g_free(sim->nodes[WORLD_PEER]);
	g_free(sim->how);
	if (world->directory)
		remove_tree(world->directory);
	g_free(world->directory);
	world_clear(world);
	g_free(sim);
	return ret < 0 ? ret : audited == -EPROTO ? audited : 0;
}

/* What served worlds and others have in common. */
#define SIM_KIND \
	.name = "sim", .close = sim_close, .now_ns = sim_now_ns, .address = sim_address, \
	.enter = sim_enter, .enter_port = sim_enter_port, \
	.arrive = sim_arrive, .arrive_packet = sim_arrive_packet, \
	.comment = sim_comment, \
	.note = sim_note, \
	.file_open = sim_file_open, .file_ioctl = sim_file_ioctl, .file_write = sim_file_write, \
	.file_read = sim_file_read, .file_poll = sim_file_poll, .file_close = sim_file_close, \
	.issm_open = sim_issm_open, .issm_close = sim_issm_close, \
	.port_remove = sim_port_remove, .port_set_lid = sim_port_set_lid, .fault = sim_fault, \
	.counter = sim_counter, .attribute = sim_attribute, .link = sim_link, .power = sim_power, \
	.console = sim_console, .unmatched = sim_unmatched

static const struct world_kind sim_kind = {
	SIM_KIND, .is_sim = true, .step = sim_step, .next_ns = sim_next_ns,
	.thread_enter = sim_thread_enter, .thread_leave = sim_thread_leave,
};

static const struct world_kind served_kind = {
	SIM_KIND, .step = served_step, .next_ns = sim_now_ns, .program_start = sim_program_start,
	.session_was_used = sim_session_was_used,
};

static const struct world_kind lockstep_kind = {
	SIM_KIND, .is_sim = true, .step = lockstep_step, .next_ns = lockstep_next_ns,
	.thread_enter = sim_thread_enter, .thread_leave = sim_thread_leave,
	.program_start = sim_program_start, .session_was_used = sim_session_was_used,
	.program_signalled = lockstep_signalled,
	.program_kill = lockstep_kill,
};

/* A capture that answers makes its own fabric if no other is named. */
/* User-mode Linux counts jiffies of 10 ms. */
enum { GUEST_TICK_NS = 10000000 };

static const char *fabric_file(const struct world_setup *setup)
{
	if (setup->topology)
		return setup->topology;
	return setup->replay ? setup->replay : "";
}

/* "FILE,clock=virtual,seed=7,..." 'directory': where guests write; or NULL. */
static char *fabric_spec(const struct world_setup *setup, const char *directory)
{
	bool is_real = setup->served && !setup->lockstep;

	return g_strdup_printf("%s%s%s%s%s,seed=%" G_GUINT64_FORMAT ",schedule=%" G_GUINT64_FORMAT
			       ",latency=%" G_GINT64_FORMAT "ns%s%s%s%s%s%s",
			       fabric_file(setup),
			       is_real ? "" : ",clock=virtual",
			       setup->cold ? ",state=cold" : "",
			       setup->partial ? ",partial=yes" : "",
			       setup->replay_any_order ? ",order=any" : "", setup->seed,
			       is_real ? 0 : setup->schedule, setup->latency_ns,
			       setup->profile ? ",profile=" : "",
			       setup->profile ? setup->profile : "",
			       setup->kernel ? ",kernel=" : "",
			       setup->kernel ? setup->kernel : "",
			       directory ? ",guest-directory=" : "", directory ? directory : "");
}

static void open_fabric(struct world_sim *sim, const struct world_setup *setup, char *reterr,
			size_t reterr_size)
{
	const struct lockstep_wishes wishes = {
		.is_owned = true, .schedule = schedule_walk(setup->schedule),
		.audit = setup->audit ? LOCKSTEP_AUDIT_FAILS : LOCKSTEP_NO_AUDIT,
		.how_filter = g_strcmp0(setup->how, "filter") == 0,
	};
	g_autofree char *spec = fabric_spec(setup, sim->world.directory);
	g_autofree char *seed = g_strdup_printf("%" G_GUINT64_FORMAT, setup->seed);

	if (!setup->served) {
		sim->fabric = umadrig_fabric_open(spec, reterr, reterr_size);
		return;
	}
	if (setup->audit && !setup->lockstep) {
		g_snprintf(reterr, reterr_size, "--audit is of virtual time: these programs run "
			   "in real time");
		return;
	}
	g_setenv(PROGRAM_SEED_VARIABLE, seed, true);
	exec_raise_descriptors();
	sim->how = g_strdup(setup->how);
	sim->server = setup->lockstep ?
		      server_new_lockstep(spec, &wishes, reterr, reterr_size) :
		      server_new(spec, NULL, reterr, reterr_size);
	sim->fabric = sim->server ? server_fabric(sim->server) : NULL;
}

static bool sim_open(struct world_sim *sim, const struct world_setup *setup, char **reterr)
{
	char message[512] = "";
	char *chosen[WORLD_ENDS] = { NULL, NULL };
	bool ok = true;

	if (!setup->topology && !setup->replay) {
		chosen[WORLD_SELF] = g_strdup("H1[1]");
		chosen[WORLD_PEER] = g_strdup("H2[1]");
	} else if (setup->topology &&
		   (!setup->ports[WORLD_SELF] || !setup->ports[WORLD_PEER])) {
		ok = sim_choose_ports(setup, chosen, reterr);
	}
	if (ok)
		open_fabric(sim, setup, message, sizeof(message));
	if (ok && !sim->fabric) {
		*reterr = g_strdup(message);
		ok = false;
	}
	if (ok && !setup->topology && setup->replay)
		sim_replayed_ports(sim->fabric, chosen);
	for (int end = 0; ok && end < WORLD_ENDS; end++)
		ok = sim_take_port(sim, end,
				   setup->ports[end] ? setup->ports[end] : chosen[end],
				   reterr);
	g_free(chosen[WORLD_SELF]);
	g_free(chosen[WORLD_PEER]);
	return ok;
}

static bool sim_equip(struct world_sim *sim, const struct world_setup *setup, char **reterr)
{
	char message[512] = "";

	const struct umadrig_replay replay = {
		.capture = setup->replay,
		.timed_at = setup->replay_timed ? sim->ports[WORLD_SELF] : NULL,
		.own_tids = setup->replay_own_tids,
		.speed_milli = setup->replay_speed_milli,
		.any_order = setup->replay_any_order,
		.as_of = setup->replay_as_of,
		.unmatched = setup->replay_unmatched,
		.keep = setup->replay_keep,
		.ctx = setup->replay_ctx,
	};

	/* The capture's own fabric needs no changes to answer. */
	if (setup->replay &&
	    (setup->topology || setup->replay_timed || setup->replay_keep ||
	     setup->replay_as_of || setup->replay_unmatched) &&
	    umadrig_replay(sim->fabric, &replay, message, sizeof(message)) < 0) {
		*reterr = g_strdup(message);
		return false;
	}
	if (setup->capture) {
		if (umadrig_capture_start(sim->fabric, setup->capture, setup->comment, message,
					  sizeof(message)) < 0) {
			*reterr = g_strdup(message);
			return false;
		}
		sim->capturing = true;
	}
	umadrig_attach(sim->fabric);
	sim_enter(&sim->world, WORLD_SELF);
	umadrig_tap(sim->ports[WORLD_SELF], sim_tap, sim);
	return true;
}

struct world *world_sim_new(const struct world_setup *setup, char **reterr)
{
	struct world_sim *sim = g_new0(struct world_sim, 1);

	sim->world.kind = setup->lockstep ? &lockstep_kind : setup->served ? &served_kind :
			  &sim_kind;
	sim->world.tick_ns = setup->has_guests ? GUEST_TICK_NS :
			     setup->served && !setup->lockstep ? SERVE_MS * NS_PER_MS : 0;
	sim->world.is_exact = !setup->has_guests;
	sim->has_guests = setup->has_guests;
	if (setup->has_guests && setup->served)
		sim->world.directory = g_dir_make_tmp("umadrig-run-XXXXXX", NULL);
	g_queue_init(&sim->world.leaves);
	if (sim_open(sim, setup, reterr) && sim_equip(sim, setup, reterr))
		return &sim->world;
	sim_close(&sim->world);
	return NULL;
}
