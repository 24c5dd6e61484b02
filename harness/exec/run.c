/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A job, from the program's name to its exit status.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/missing-file.h"
#include "harness/exec/die-like.h"
#include "harness/exec/exec.h"
#include "harness/exec/keeper.h"
#include "harness/exec/passed-signals.h"
#include "harness/exec/properties.h"
#include "harness/exec/subnet-manager.h"
#include "harness/kernel/kernel-faults.h"
#include "harness/kernel/kernel-sanitizer.h"
#include "sim/kernels/kernel-wish.h"
#include "sim/programs/program-environment.h"
#include "sim/run/host-kernels.h"
#include "sim/run/spec.h"
#include "sim/server/server.h"
#include "sim/topology/load.h"

static void say_never_opened(const struct exec_job *job, const struct exec_means *means, int status)
{
	bool may_read = means->filter || means->in_time || job->sysfs;

	fprintf(stderr, "%s: '%s' ended with status %d, and nothing opened the fabric%s. ",
		job->name, job->argv[0], status, may_read ? ", or read its files" : "");
	if (means->meets_verbs) {
		fprintf(stderr, "It loads\nlibibverbs: verbs are not simulated but for queries "
			"(--how both or filter), only MADs\n"
			"(libibumad, /dev/infiniband/umad*).\n");
		return;
	}
	fprintf(stderr, "Likely reasons:\n"
		"  it makes no MAD calls with these arguments, or failed before the first one;\n");
	if (means->in_time && !job->sysfs)
		fprintf(stderr,
			"  it looks for devices in listings of /sys/class and the like: add "
			"--sysfs;\n");
	/* What loses the library is refused in virtual time, or gets it back. */
	if (means->filter || means->in_time)
		fprintf(stderr,
			"  it starts its work through ssh, a container or a service, which run it\n"
			"  elsewhere: put 'umadrig exec' inside.\n");
	else
		fprintf(stderr,
			"  it opens the devices itself, or has libibumad linked in statically;\n"
			"  it clears the environment (env -i), or starts its work through sudo,\n"
			"  ssh, a container or a service, which do not pass it on: put 'umadrig\n"
			"  exec' inside.\n");
}

static void say_lost(const struct exec_job *job, int status)
{
	fprintf(stderr, "%s: '%s' ended with status %d, but the fabric server has ended before it: "
		"what it did after that\nwas on no fabric. End the server after the command.\n",
		job->name, job->argv[0], status);
}

void exec_say_sm_missed(const char *name, enum sm_missed missed)
{
	if (missed == SM_NOT_MISSED)
		return;
	fprintf(stderr, "%s: %s. Start one on the fabric, for example:\n"
		"  umadrig exec --with-sm ... -- saquery\n",
		name, missed == SM_MISSED_BY_REQUEST ?
		"no subnet manager answered requests to the subnet administrator" :
		"the ports have no LIDs (state=cold): no subnet manager gave them any");
}

static int say_error(const struct exec_job *job, const GError *error)
{
	fprintf(stderr, "%s: %s\n", job->name, error->message);
	return error->code;
}

/* A kernel that is none is known before anything is forked, and two for the same hosts are. */
static bool check_kernels(struct spec *spec, GError **error)
{
	char why[1024];

	for (char **text = spec->options.kernels; text && *text; text++) {
		struct kernel_wish wish;
		int ret = kernel_wish_parse(*text, &wish, why, sizeof(why));
		bool has_begun;

		g_assert(ret == 0);	/* spec_parse() has read it */
		has_begun = kernel_sanitizer_begin(wish.kernel, error);
		kernel_wish_clear(&wish);
		if (!has_begun)
			return false;
	}
	if (host_kernels_load(&spec->options, why, sizeof(why)) == 0) {
		kernel_faults_begin();
		return true;
	}
	g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, why);
	return false;
}

char *exec_spec(const char *spec, const char *host, GError **error)
{
	g_autofree char *text = host ? g_strconcat(spec, ",host=", host, NULL) : g_strdup(spec);
	g_autofree char *absolute = NULL, *why = NULL;
	struct spec parsed;
	char message[512];
	size_t length;
	bool good;

	if (spec_parse(text, NULL, &parsed, message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return NULL;
	}
	length = strlen(parsed.file);
	/* The program may change its working directory before it opens the fabric. */
	if (length > 0 && !g_str_has_prefix(parsed.file, TOPOLOGY_GENERATE))
		absolute = g_canonicalize_filename(parsed.file, NULL);
	good = check_kernels(&parsed, error);
	spec_clear(&parsed);
	if (!good)
		return NULL;
	if (!absolute)
		return g_steal_pointer(&text);
	if (access(absolute, R_OK) < 0) {
		why = file_missing(absolute, errno);
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, why);
		return NULL;
	}
	return g_strconcat(absolute, text + length, NULL);
}

/* A job that runs. */
struct run {
	const struct exec_job *job;
	struct exec_means means;
	const char *path;
	struct keeper keeper;
	struct subnet_manager sm;
	struct exec_session session;
	int told;	/* to the process that the caller waits for; -1: that is this one */
	bool never_started;
	struct exec_verdict verdict;
};

/* The program ended with a wait status, and nothing runs on. */
static void judge(struct run *run, int status)
{
	const struct exec_job *job = run->job;

	/* Why a session in virtual time could not go on has been said. */
	if (WIFSIGNALED(status) || job->scripted || exec_session_is_over(&run->session))
		return;
	switch (exec_session_use(&run->session)) {
	case EXEC_USED:
		break;
	case EXEC_NEVER_USED:
		say_never_opened(job, &run->means, WEXITSTATUS(status));
		run->verdict.status = COMMAND_NEVER_OPENED;
		break;
	case EXEC_FABRIC_LOST:
		say_lost(job, WEXITSTATUS(status));
		if (WEXITSTATUS(status) == COMMAND_OK)
			run->verdict.status = COMMAND_FAILED;
		break;
	}
}

static void take_status(struct run *run, int status)
{
	run->verdict = WIFSIGNALED(status) ?
		       (struct exec_verdict){ .status = COMMAND_FAILED, .sig = WTERMSIG(status) } :
		       (struct exec_verdict){ .status = WEXITSTATUS(status) };
}

static void say_not_started(struct run *run, int err)
{
	run->never_started = true;
	run->verdict.status = err == ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN;
	fprintf(stderr, "%s: %s: %s\n", run->job->name, run->path, g_strerror(err));
}

/* What runs on is not waited for, and may open the fabric later. */
static void leave(struct run *run)
{
	exec_detach_tell(&run->told, run->verdict);
	exec_detach_files();
}

/* Follows the keeper's reports to the last one. */
static void follow(struct run *run)
{
	const pid_t others[] = {
		run->session.bridge.command, run->session.bridge.near, run->sm.keeper.pid,
	};
	bool has_ended = false, has_left = false;
	int value, status = 0;

	for (;;) {
		switch (keeper_next(&run->keeper, others, G_N_ELEMENTS(others), &value)) {
		case KEEPER_FAILED:
			say_not_started(run, value);
			break;
		case KEEPER_REFUSED:
			run->never_started = true;
			break;
		case KEEPER_MET_VERBS:
			run->means.meets_verbs = true;
			break;
		case KEEPER_ENDED:
			has_ended = true;
			status = value;
			take_status(run, status);
			break;
		case KEEPER_LEFT:
			has_left = true;
			leave(run);
			break;
		case KEEPER_OVER:
			if (has_ended && !has_left)
				judge(run, status);
			return;
		case KEEPER_LOST:
			run->verdict = (struct exec_verdict){ .status = COMMAND_REFUSED };
			return;
		}
	}
}

/* Starts the subnet manager, if one is wanted. False: it failed, or a signal ends the job. */
static bool begin_sm(struct run *run)
{
	const pid_t others[] = {
		run->session.bridge.command, run->session.bridge.near, run->keeper.pid,
	};
	g_autoptr(GError) error = NULL;

	if (!run->job->with_sm ||
	    subnet_manager_begin(&run->sm, &run->session, others, G_N_ELEMENTS(others),
				 &run->verdict.sig, &error))
		return true;
	run->verdict.status = run->verdict.sig ? COMMAND_FAILED : say_error(run->job, error);
	return false;
}

static void end_sm(struct run *run)
{
	const pid_t others[] = { run->session.bridge.command, run->session.bridge.near };

	subnet_manager_end(&run->sm, others, G_N_ELEMENTS(others));
}

/* A signal is to end what runs: what does it do? */
static struct server *noted_server;

static void note(void)
{
	server_lockstep_note(noted_server);
}

/* What lines want of the session is known before it serves. */
static bool begin_server(struct run *run, struct keeper_order *order, GError **error)
{
	struct server *server = run->session.server;

	if (server && run->job->at_signal)
		server_lockstep_when_noted(server, run->job->at_signal, run->job->at_end_ctx);
	if (!exec_say_lines(server, run->job->lines, error))
		return false;
	order->has_attendant = server && server_wants_attendant(server);
	order->in_guest = run->session.in_guest;
	return exec_session_serve(&run->session, error);
}

static void run_in_session(struct run *run)
{
	struct keeper_order order = {
		.backend = run->session.backend, .lockstep = run->session.lockstep,
		.sysfs = run->session.sysfs, .host = run->job->host,
		.sm_cache = run->session.sm_cache.path,
	};
	g_autoptr(GError) error = NULL;
	int err;

	/*
	 * A simulation is never mistaken for reality: printed once for all processes of the
	 * program.
	 */
	if (*run->session.banner && !run->job->scripted)
		fprintf(stderr, "%s\n", run->session.banner);
	run->never_started = true;
	if (!begin_server(run, &order, &error)) {
		run->verdict.status = say_error(run->job, error);
		return;
	}
	if (!begin_sm(run))
		return;
	run->never_started = false;
	if (run->job->scripted)
		run->keeper.server = run->session.attached;
	noted_server = run->session.server;
	keeper_pass_signals(&run->keeper, noted_server ? note : NULL);
	err = keeper_order(&run->keeper, &order);
	if (err)
		say_not_started(run, -err);
	else
		follow(run);
}

/* Makes the keepers, before there is a fabric in this process, and then the session. */
static bool begin(struct run *run, GError **error)
{
	int err = keeper_start(&run->keeper, run->job, &run->means, run->path);

	if (err == 0)
		return (!run->job->with_sm ||
			subnet_manager_prepare(&run->sm, run->job, error)) &&
		       exec_session_begin(&run->session, run->job, error);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "cannot make a process: %s",
		    g_strerror(-err));
	return false;
}

/* A fabric that was never served has nobody to ask. */
static void say_end(const struct run *run)
{
	struct exec_end end = { .socket = run->session.socket };
	g_autofree char *switches = NULL;

	if (!run->job->at_end || !end.socket || (run->session.server && !run->session.has_thread))
		return;
	if (run->session.server) {
		server_lockstep_end(run->session.server, &end.lockstep);
		end.switches = switches = server_lockstep_switches(run->session.server);
	}
	run->job->at_end(run->job->at_end_ctx, &end);
}

/* In the environment of the program; one that comes to another's fabric keeps what it has. */
static void tell_seed(const char *spec_text)
{
	struct spec spec;
	char message[512];
	g_autofree char *seed = NULL;

	if (!spec_text || spec_parse(spec_text, NULL, &spec, message, sizeof(message)) < 0)
		return;
	seed = g_strdup_printf("%" G_GUINT64_FORMAT, spec.options.seed);
	g_setenv(PROGRAM_SEED_VARIABLE, seed, true);
	spec_clear(&spec);
}

static void run_job(struct run *run)
{
	const struct exec_job *job = run->job;
	g_autoptr(GError) error = NULL;
	g_autofree char *path = NULL;
	enum sm_missed missed;
	bool complete;

	if (exec_means_find(job, &run->means, &error) && exec_guard_check_inherited(&error))
		path = exec_guard_find(job->argv, &run->means, &error);
	run->path = path;
	tell_seed(job->spec);
	if (!path || !begin(run, &error)) {
		end_sm(run);
		keeper_end(&run->keeper);
		exec_session_end(&run->session);
		run->never_started = true;
		run->verdict.status = say_error(job, error);
		return;
	}
	run_in_session(run);
	keeper_end(&run->keeper);
	say_end(run);
	end_sm(run);
	missed = exec_session_sm_missed(&run->session);
	/* A program that succeeds did without LIDs, and of opensm enough has been said. */
	if (job->with_sm)
		missed = SM_NOT_MISSED;
	if (run->verdict.status != COMMAND_REFUSED &&
	    (missed != SM_MISSED_BY_PORT || run->verdict.sig || run->verdict.status != COMMAND_OK))
		exec_say_sm_missed(job->name, missed);
	complete = !(run->session.server && exec_are_broken(run->session.server, job->name));
	complete &= exec_session_end(&run->session);
	if (run->verdict.status == COMMAND_OK && !complete)
		run->verdict.status = COMMAND_FAILED;
	run->verdict.status = kernel_faults_status(job->name, run->verdict.status);
	/* The end of a guest is a signal to its programs. */
	if (run->verdict.status == COMMAND_KERNEL_FAULT)
		run->verdict.sig = 0;
}

int exec_run(const struct exec_job *job)
{
	struct run run = {
		.job = job, .keeper.link = -1, .sm.keeper.link = -1,
		.session = { .attached = -1, .bridge.control = -1, .sysfs_watch = -1 },
		.told = -1, .verdict.status = COMMAND_REFUSED,
	};
	bool is_followed = false;

	if (job->scripted)
		passed_signals_hold();
	if (!job->detach || exec_detach_begin(job->name, &run.told, &run.verdict)) {
		is_followed = job->detach;
		run_job(&run);
	}
	if (job->ret_never_started)
		*job->ret_never_started = run.never_started;
	exec_means_clear(&run.means);
	exec_detach_tell(&run.told, run.verdict);
	/* Of the process that stayed nobody takes the status. */
	if (run.verdict.sig && !is_followed)
		die_like(run.verdict.sig);
	return run.verdict.status;
}
