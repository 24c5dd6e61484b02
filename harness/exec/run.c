/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A job, from the program's name to its exit status.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "harness/exec/keeper.h"
#include "sim/run/spec.h"
#include "sim/topology/load.h"

static void die_like(int sig) G_GNUC_NORETURN;

static void die_like(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t only;

	/* The program has dumped core; our core would replace it. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(sig);
	_exit(128 + sig);
}

static void say_never_opened(const struct exec_job *job, int status)
{
	fprintf(stderr,
		"%s: '%s' ended with status %d, and nothing opened the fabric. Likely reasons:\n"
		"  it makes no MAD calls with these arguments, or failed before the first one;\n"
		"  it opens the devices itself, or has libibumad linked in statically;\n"
		"  it clears the environment (env -i), or starts its work through sudo, ssh, a\n"
		"  container or a service, which do not pass it on: put 'umadrig exec' inside.\n",
		job->name, job->argv[0], status);
}

void exec_say_sm_missed(const char *name, enum sm_missed missed)
{
	if (missed == SM_NOT_MISSED)
		return;
	fprintf(stderr, "%s: %s. Start one on the fabric, for example:\n"
		"  umadrig exec ... -- sh -c 'opensm -f osm.log & sleep 5; saquery'\n",
		name, missed == SM_MISSED_BY_REQUEST ?
		"no subnet manager answered requests to the subnet administrator" :
		"the ports have no LIDs (state=cold): no subnet manager gave them any");
}

static int say_error(const struct exec_job *job, const GError *error)
{
	fprintf(stderr, "%s: %s\n", job->name, error->message);
	return error->code;
}

char *exec_spec(const char *spec, const char *host, GError **error)
{
	g_autofree char *text = host ? g_strconcat(spec, ",host=", host, NULL) : g_strdup(spec);
	g_autofree char *absolute = NULL;
	struct spec parsed;
	char message[512];
	size_t length;

	if (spec_parse(text, NULL, &parsed, message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return NULL;
	}
	length = strlen(parsed.file);
	/* The program may change its working directory before it opens the fabric. */
	if (length > 0 && !g_str_has_prefix(parsed.file, TOPOLOGY_GENERATE))
		absolute = g_canonicalize_filename(parsed.file, NULL);
	spec_clear(&parsed);
	if (!absolute)
		return g_steal_pointer(&text);
	if (access(absolute, R_OK) < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", absolute,
			    g_strerror(errno));
		return NULL;
	}
	return g_strconcat(absolute, text + length, NULL);
}

/* The program ended with a wait status. '*ret_signal': the signal that ended it, or 0. */
static int judge(const struct exec_job *job, const struct exec_session *session, int status,
		 int *ret_signal)
{
	if (WIFSIGNALED(status)) {
		*ret_signal = WTERMSIG(status);
		return COMMAND_FAILED;
	}
	/* With --sysfs, reading files is enough. */
	if (!job->sysfs && !exec_session_opened(session)) {
		say_never_opened(job, WEXITSTATUS(status));
		return COMMAND_NEVER_OPENED;
	}
	return WEXITSTATUS(status);
}

/* Runs the program in a session that exists. '*ret_signal': the signal that ended it, or 0. */
static int run_in_session(const struct exec_job *job, const char *path, struct keeper *keeper,
			  struct exec_session *session, int *ret_signal)
{
	const pid_t others[] = { session->bridge.command, session->bridge.near };
	enum keeper_outcome outcome = KEEPER_FAILED;
	int value;

	/*
	 * A simulation is never mistaken for reality: printed once for all processes of the
	 * program.
	 */
	if (*session->banner)
		fprintf(stderr, "%s\n", session->banner);
	value = -keeper_order(keeper, session);
	if (value == 0) {
		exec_session_serve(session);
		outcome = keeper_wait(keeper, others, G_N_ELEMENTS(others), &value);
	}
	switch (outcome) {
	case KEEPER_ENDED:
		return judge(job, session, value, ret_signal);
	case KEEPER_FAILED:
		fprintf(stderr, "%s: %s: %s\n", job->name, path, g_strerror(value));
		return value == ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN;
	case KEEPER_REFUSED:
	case KEEPER_LOST:
		break;
	}
	return COMMAND_REFUSED;
}

/* Makes the keeper, before there is a fabric in this process, and then the session. */
static bool begin(const struct exec_job *job, const char *path, struct keeper *keeper,
		  struct exec_session *session, GError **error)
{
	int err = keeper_start(keeper, job, path);

	if (err == 0)
		return exec_session_begin(session, job, error);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "cannot make a process: %s",
		    g_strerror(-err));
	return false;
}

int exec_run(const struct exec_job *job)
{
	struct exec_session session = { .attached = -1, .bridge.control = -1 };
	struct keeper keeper = { .link = -1 };
	g_autoptr(GError) error = NULL;
	g_autofree char *path = exec_guard_find(job->argv, &error);
	enum sm_missed missed;
	int verdict, sig = 0;
	bool complete;

	if (!path || !begin(job, path, &keeper, &session, &error)) {
		keeper_end(&keeper);
		exec_session_end(&session);
		return say_error(job, error);
	}
	verdict = run_in_session(job, path, &keeper, &session, &sig);
	keeper_end(&keeper);
	missed = exec_session_sm_missed(&session);
	/* A program that succeeds did without LIDs. */
	if (missed != SM_MISSED_BY_PORT || sig || verdict != COMMAND_OK)
		exec_say_sm_missed(job->name, missed);
	complete = exec_session_end(&session);
	if (sig)
		die_like(sig);
	return verdict == COMMAND_OK && !complete ? COMMAND_FAILED : verdict;
}
