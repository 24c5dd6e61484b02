/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs one point in a world of its own: see harness/cmd/run-point.h.
 */
#include "harness/cmd/run-point.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/script/mad/where.h"
#include "sim/kernels/found-faults.h"

struct rig run_rig(const struct run_options *options)
{
	return (struct rig) {
		.on_sim = options->on_sim,
		.ports = { options->ports[WORLD_SELF], options->ports[WORLD_PEER] },
		.has_wire = options->wire != NULL,
		.has_lids = !options->on_sim &&
			    world_hw_port_is_ib(options->ports[WORLD_SELF]) == 1,
		.has_issm = !options->on_sim &&
			    world_hw_port_has_issm(options->ports[WORLD_SELF]),
		.kernel = run_kernel_name(options),
		.profile = options->profile,
	};
}

/*
 * The kernel of a scenario's simulated hosts: one that the scenario is about, preferably
 * --profile's.
 */
enum kmod_profile run_profile(const struct run_options *options, const struct scenario *scenario)
{
	unsigned int profiles = scenario->settings.profiles;

	if (options->kernel_arg || profiles == 0 || (profiles & 1U << options->profile) != 0)
		return options->profile;
	return (enum kmod_profile)scenario->settings.profile;
}

bool run_point_is_in_real_time(const struct run_options *options, const struct point *point)
{
	const struct settings *settings = &point->scenario->settings;

	if (!options->on_sim)
		return true;
	return point_runs_programs(point) && !settings->virtual_clock &&
	       (settings->real_clock || (options->how && strcmp(options->how, "preload") != 0));
}

struct run_try run_try_of(const struct run_options *options, const struct point *point,
			  unsigned int round)
{
	struct run_try try = { .point = point };

	try.seed = (options->seed_set ? options->seed : scenario_seed(point->scenario)) + round;
	if (run_point_is_in_real_time(options, point))
		return try;
	/* Of a kernel it is asked for; of programs, each round has another one. */
	if (!point_runs_programs(point) &&
	    !(options->kernel_arg && (options->schedule_set || point->schedule != 0)))
		return try;
	try.schedule = (options->schedule_set ? options->schedule : point->schedule) + round;
	try.has_schedule = options->schedule_set || try.schedule != 0;
	return try;
}

static void make_setup(const struct run_options *options, const struct run_try *try,
		       const char *capture, struct world_setup *ret)
{
	const struct point *point = try->point;
	const struct settings *settings = &point->scenario->settings;

	*ret = (struct world_setup) {
		.seed = try->seed,
		.latency_ns = settings->latency_ns,
		.profile = options->kernel_arg ? NULL :
			   kmod_profile_name(run_profile(options, point->scenario)),
		.kernel = options->whole ? options->whole->wish :
			  options->kernel ? options->kernel->path : NULL,
		.has_guests = options->whole,
		.topology = settings->topology,
		.cold = settings->cold,
		.partial = settings->partial,
		.served = options->on_sim && point_runs_programs(point),
		.lockstep = point_runs_programs(point) &&
			    !run_point_is_in_real_time(options, point),
		.schedule = try->schedule,
		.audit = options->audit,
		.how = options->how,
		.ports = { settings->self ? settings->self->text : NULL,
			   settings->peer ? settings->peer->text : NULL },
		.capture = capture,
	};
	if (settings->replay) {
		ret->replay = settings->replay->capture;
		ret->replay_timed = settings->replay->timed;
		ret->replay_own_tids = settings->replay->own_tids;
		ret->replay_speed_milli = settings->replay->speed_milli;
		ret->replay_any_order = settings->replay->any_order;
		ret->replay_as_of = settings->replay->as_of;
		ret->replay_unmatched = settings->replay->unmatched;
		ret->replay_keep = point->plan->replay_where ? where_keeps : NULL;
		ret->replay_ctx = (void *)(uintptr_t)point->plan->replay_where;
	}
	if (!options->on_sim) {
		ret->ports[WORLD_SELF] = options->ports[WORLD_SELF];
		ret->ports[WORLD_PEER] = options->ports[WORLD_PEER];
	}
	for (int end = 0; options->wire && end < WORLD_ENDS; end++)
		ret->wire[end] = options->wire[end];
}

/* The line that says what the point runs on. */
static struct place world_place(const struct scenario *scenario)
{
	const struct settings *settings = &scenario->settings;

	return settings->topology ? settings->topology_place :
	       settings->replay ? settings->replay->place : scenario->place;
}

/*
 * There is no world. On the simulator the scenario is to blame, and others may still run; on real
 * ports the rig is.
 */
static void fail_world(const struct run_options *options, const struct point *point,
		       char *why, struct outcome *ret)
{
	ret->message = why;
	ret->verdict = VERDICT_BROKEN;
	if (!options->on_sim)
		return;
	ret->verdict = VERDICT_FAIL;
	ret->place = world_place(point->scenario);
	ret->details = g_string_new(NULL);
}

/* NULL, with the reason: there is none, or there is known to be none. */
static struct world *new_world(const struct run_options *options, const struct point *point,
			       const struct world_setup *setup, char **reterr)
{
	if (!options->on_sim)
		return world_hw_new(setup, reterr);
	if (!point->plan->objection)
		return world_sim_new(setup, reterr);
	*reterr = g_strdup(point->plan->objection);
	return NULL;
}

static char *why_incomplete(int err, const char *capture)
{
	return err == -EPROTO ?
	       g_strdup("--audit: system calls bypassed virtual time, or no program ran: stderr "
			"names them") :
	       g_strdup_printf("the capture %s is incomplete: %s", capture, g_strerror(-err));
}

/* What a capture's header says. */
static char *make_comment(const char *name, const struct run_try *try)
{
	return try->has_schedule ?
	       g_strdup_printf("%s, seed %" G_GUINT64_FORMAT ", schedule %" G_GUINT64_FORMAT, name,
			       try->seed, try->schedule) :
	       g_strdup_printf("%s, seed %" G_GUINT64_FORMAT, name, try->seed);
}

/* What the checks of a built kernel have found. A point that passes otherwise fails. */
static void note_faults(const struct point *point, const char *faults, struct outcome *ret)
{
	const char *rest = strchr(faults, '\n') + 1;

	if (ret->verdict != VERDICT_PASS) {
		if (ret->details)
			g_string_append_printf(ret->details, "the kernel: %s", faults);
		return;
	}
	ret->verdict = VERDICT_FAIL;
	ret->place = point->scenario->place;
	ret->message = g_strdup_printf("the kernel: %.*s", (int)(rest - faults) - 1, faults);
	g_string_append(ret->details, rest);
}

static void run_world(const struct run_options *options, const struct run_try *try,
		      const char *capture, struct amendments *amendments, struct outcome *ret)
{
	const struct point *point = try->point;
	struct world_setup setup;
	struct world *world;
	const char *slash = g_strrstr_len(point->name, point->title - point->name, "/");
	g_autofree char *comment = NULL;
	char *error = NULL;
	int written;

	make_setup(options, try, capture, &setup);
	/* Only the file's name: a capture must not depend on the script's directory. */
	comment = make_comment(slash ? slash + 1 : point->name, try);
	setup.comment = comment;
	memset(ret, 0, sizeof(*ret));
	world = new_world(options, point, &setup, &error);
	if (!world) {
		fail_world(options, point, error, ret);
		return;
	}
	point_run(point, world, options->timeout_ns >= 0 ? options->timeout_ns :
		  point_limit_ns(point, options->on_sim), amendments, ret);
	written = world->kind->close(world);
	if (written < 0 && ret->verdict == VERDICT_PASS) {
		outcome_clear(ret);
		fail_world(options, point, why_incomplete(written, capture), ret);
	}
}

/* '*ret_faults' may be NULL, or is to be freed. */
static void run_and_take_faults(const struct run_options *options, const struct run_try *try,
				const char *capture, struct amendments *amendments,
				struct outcome *ret, char **ret_faults)
{
	run_world(options, try, capture, amendments, ret);
	/* Up to the end of the hosts, where leaks are found. */
	*ret_faults = options->kernel || options->whole ? found_faults_take() : NULL;
}

static void run_in_world(const struct run_options *options, const struct run_try *try,
			 const char *capture, struct amendments *amendments, struct outcome *ret)
{
	g_autofree char *faults = NULL;

	run_and_take_faults(options, try, capture, amendments, ret, &faults);
	if (faults)
		note_faults(try->point, faults, ret);
}

void run_point_faults(const struct run_options *options, const struct run_try *try,
		      struct outcome *ret, char **ret_faults)
{
	run_and_take_faults(options, try, NULL, NULL, ret, ret_faults);
}

void run_point_once(const struct run_options *options, const struct run_try *try,
		    const char *capture, struct outcome *ret)
{
	run_in_world(options, try, capture, NULL, ret);
}

void run_point_amend(const struct run_options *options, const struct run_try *try,
		     struct amendments *amendments, struct outcome *ret)
{
	run_in_world(options, try, NULL, amendments, ret);
}

bool run_point_capture(const struct run_options *options, const struct run_try *try,
		       const char *path)
{
	struct outcome again;

	run_point_once(options, try, path, &again);
	outcome_clear(&again);
	return g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool same_files(const char *left, const char *right)
{
	g_autofree char *left_text = NULL, *right_text = NULL;
	gsize left_size, right_size;

	return g_file_get_contents(left, &left_text, &left_size, NULL) &&
	       g_file_get_contents(right, &right_text, &right_size, NULL) &&
	       left_size == right_size && memcmp(left_text, right_text, left_size) == 0;
}

bool run_point_is_same_twice(const struct run_options *options, const struct run_try *try,
			     const char *scratch)
{
	char *paths[2];
	bool same;

	for (int i = 0; i < 2; i++) {
		/* Other processes have theirs beside them. */
		paths[i] = g_strdup_printf("%s/%d-%d.pcapng", scratch, (int)getpid(), i);
		run_point_capture(options, try, paths[i]);
	}
	same = same_files(paths[0], paths[1]);
	for (int i = 0; i < 2; i++) {
		g_unlink(paths[i]);
		g_free(paths[i]);
	}
	return same;
}
