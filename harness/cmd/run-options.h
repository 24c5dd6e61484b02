/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The command line of umadrig run.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_OPTIONS_H
#define UMADRIG_HARNESS_CMD_RUN_OPTIONS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/utsname.h>

#include "harness/kernel/kernel-option.h"
#include "harness/world/world.h"
#include "kmod-stub/kmod.h"

/* All of them belong to the struct. NULL: not given. */
struct run_options {
	char **files;		/* scripts and directories; NULL: none */
	bool on_sim;
	bool is_attached;	/* not on_sim: a fabric server has the ports, not this machine */
	bool seed_set;
	guint64 seed;
	bool schedule_set;
	guint64 schedule;
	char *keep;		/* directory for captures */
	gboolean ladder, list, explain, twice;
	gboolean bless, yes;	/* harness/cmd/run-bless.h */
	gint64 timeout_ns;	/* of real time for a point; 0: none; -1: not given */
	gint every;		/* run every Nth point of a scenario, from the first */
	char *backend;
	char **port_args;
	char **tags;
	char *ports[WORLD_ENDS];
	char *wire_arg;
	char **writable;	/* ports of fabrics that scenarios may change, "DEV/N" */
	char **no_skips;	/* patterns of reasons for which no point may be skipped */
	char *profile_arg;
	char *kernel_arg;	/* as it was given */
	const struct built_kernel *kernel;	/* of all simulated hosts; NULL: kmod-stub */
	struct whole_kernel *whole;	/* the same as guests; NULL */
	bool fails_allocations;	/* of 'kernel', in turn (harness/cmd/run-allocations.h) */
	guint64 failing_allocation;	/* the only one that fails; 0: each */
	gboolean audit;		/* of programs in virtual time */
	char *how;		/* of programs: as struct world_setup has it */
	/*
	 * Profile of hosts in scenarios that name none; on real devices and with a kernel: the
	 * profile the kernel matches, in all scenarios.
	 */
	enum kmod_profile profile;
	char **wire;		/* two network interfaces; NULL: real wire */

	gboolean tap;		/* --tap */
	char *colour_arg;
	bool is_tap;		/* standard output gets TAP: it is no terminal, or with --tap */
	bool is_coloured;	/* otherwise, what it gets is */
	char *junit, *json;	/* files for reports */
	gint jobs;		/* how many points run at a time; at least 1 */
	bool shuffled;
	guint64 shuffle_seed;
	gint repeat;		/* how often each point runs; 0: until one fails */
	gboolean until_fail;
	guint shard, shards;	/* 1 of 1, or which part of how many */
	char *expected_failures;	/* a file */
	gboolean mermaid;	/* captures are drawn, too */
	gboolean watch;		/* run again when something changes */
};

/*
 * Fills in 'options', which is zeroed. Returns -1 to go on, or an exit status after an error. The
 * options are to be cleared in either case.
 */
int run_options_parse(int argc, char **argv, struct run_options *options);
void run_options_clear(struct run_options *options);

/* Must a point not be skipped for this reason? */
bool run_options_forbid_skip(const struct run_options *options, const char *reason);

/* Which lines count: those 'on sim'? What is 'on hw' is of whole kernels, guests among them. */
static inline bool run_expands_on_sim(const struct run_options *options)
{
	return options->on_sim && !options->whole;
}

/* The name of the kernel that simulated hosts run; NULL: kmod-stub. */
static inline const char *run_kernel_name(const struct run_options *options)
{
	if (options->whole)
		return options->whole->name;
	return options->kernel ? options->kernel->kernel->name : NULL;
}

/* The release of a kernel, as precisely as uname(2) has it; lives as long as 'kernel'. */
const char *kernel_release(const struct utsname *kernel);

#endif
