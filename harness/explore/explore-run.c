/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * One run: see harness/explore/explore-run.h.
 */
#include "config.h"

#include "harness/explore/explore-run.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/base/end-signals.h"
#include "harness/exec/exec.h"
#include "lib/attach/protocol.h"
#include "lib/base/monotonic.h"
#include "lib/words/number.h"
#include "sim/process/process-spawn.h"

/* What a run that was told to end may take until it is killed. */
static const int64_t patience_ns = INT64_C(10000000000);

char *explore_expect_command(const char *expect, const char **ret_pattern)
{
	const char *sign = strstr(expect, " = ");

	*ret_pattern = sign ? sign + strlen(" = ") : NULL;
	return g_strstrip(sign ? g_strndup(expect, (gsize)(sign - expect)) : g_strdup(expect));
}

/* ---- in the run's process ---- */

static void keep_answer(const struct explore_run *run, int fd, const char *command,
			const char *name)
{
	g_autofree char *path = g_build_filename(run->directory, name, NULL);
	g_autoptr(GString) reply = g_string_new(NULL);

	if (attach_client_call(fd, ATTACH_CONSOLE, command, strlen(command), reply) < 0)
		g_string_prepend(reply, EXPLORE_ERROR);
	g_file_set_contents(path, reply->str, (gssize)reply->len, NULL);
}

/* The console's answers, as files. A fabric that cannot be asked leaves none. */
static void ask_console(const struct explore_run *run, const char *socket)
{
	g_autoptr(GError) error = NULL;
	int fd = attach_client_connect(socket, &error);

	if (fd < 0) {
		fprintf(stderr, "%s: %s\n", run->test->name, error->message);
		return;
	}
	if (run->test->lines)
		keep_answer(run, fd, "property end", EXPLORE_PROPERTIES);
	if (run->test->plan.each)
		keep_answer(run, fd, "when list", EXPLORE_TRIGGERS);
	for (unsigned int i = 0; run->test->expect && run->test->expect[i]; i++) {
		const char *pattern;
		g_autofree char *command = explore_expect_command(run->test->expect[i], &pattern);
		g_autofree char *name = g_strdup_printf(EXPLORE_CONSOLE "-%u", i + 1);

		keep_answer(run, fd, command, name);
	}
	close(fd);
}

static void keep_end(const struct explore_run *run, const struct lockstep_end *lockstep)
{
	*run->left = *lockstep;
}

/* It may not end by that. */
static void at_signal(void *ctx, const struct lockstep_end *end)
{
	keep_end(ctx, end);
}

static void at_end(void *ctx, const struct exec_end *end)
{
	const struct explore_run *run = ctx;
	g_autofree char *switches = g_build_filename(run->directory, EXPLORE_SWITCHES, NULL);

	if (run->test->expect || run->test->lines || run->test->plan.each)
		ask_console(run, end->socket);
	keep_end(run, &end->lockstep);
	if (end->switches && *end->switches)
		g_file_set_contents_full(switches, end->switches, -1, G_FILE_SET_CONTENTS_NONE,
					 0666, NULL);
}

/* Standard input is empty; output and errors go to one file, in the order in which they come. */
static bool redirect(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_OUTPUT, NULL);
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);

	return in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 &&
	       dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0;
}

/* Those of all runs, and its own; to be freed. */
static char **lines_of(const struct explore_run *run)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new();

	for (char **line = run->test->lines; line && *line; line++)
		g_ptr_array_add(lines, g_strdup(*line));
	if (run->test->plan.each)
		g_ptr_array_add(lines, explore_plan_line(&run->test->plan, &run->point));
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_steal(lines, NULL);
}

/*
 * A program that was built with a sanitizer and -fsanitize-coverage=trace-pc-guard writes where it
 * has come by (harness/explore/explore-traits.h). Others do not look at these.
 */
static void ask_for_coverage(const char *directory)
{
	static const char *const variables[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS" };

	/* What separates options cannot be in a value. */
	if (strpbrk(directory, ": \t,\"'"))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *given = g_getenv(variables[i]);
		g_autofree char *options =
			g_strdup_printf("coverage=1:coverage_dir=%s%s%s", directory,
					given ? ":" : "", given ? given : "");

		g_setenv(variables[i], options, true);
	}
}

static int run_program(struct explore_run *run)
{
	g_auto(GStrv) lines = lines_of(run);
	const struct explore_test *test = run->test;
	g_autofree char *capture = g_build_filename(run->directory, EXPLORE_CAPTURE, NULL);
	g_autofree char *fabric = explore_plan_fabric(&test->plan, &run->point, capture);
	g_autoptr(GError) error = NULL;
	g_autofree char *spec = exec_spec(fabric, test->host, &error);
	struct exec_job job = {
		.name = "umadrig exec", .spec = spec, .host = test->host, .how = EXEC_BOTH,
		.grace_ns = test->grace_ns, .limit_ns = test->limit_ns,
		.tells_crashes = true, .any_addresses = test->plan.any_addresses,
		.argv = test->argv, .lines = lines, .at_signal = at_signal, .at_end = at_end,
		.at_end_ctx = run,
	};

	if (!spec)
		return command_error(job.name, error->code, "%s", error->message);
	g_setenv(EXPLORE_VARIABLE, run->directory, true);
	ask_for_coverage(run->directory);
	return exec_run(&job);
}

static void be_run(struct explore_run *run) G_GNUC_NORETURN;

static void be_run(struct explore_run *run)
{
	end_signals_forget();
	exit(redirect(run) ? run_program(run) : COMMAND_REFUSED);
}

/* ---- in ours ---- */

/* In memory that the run's process shares with this one, and its program does not. */
static int share_end(struct explore_run *run)
{
	run->left = mmap(NULL, sizeof(*run->left), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (run->left != MAP_FAILED)
		return 0;
	run->left = NULL;
	return -errno;
}

static void take_end(struct explore_run *run)
{
	run->end = *run->left;
	server_lockstep_end_clean(&run->end);
	munmap(run->left, sizeof(*run->left));
	run->left = NULL;
}

int explore_run_start(struct explore_run *run, const struct explore_test *test,
		      const struct explore_point *point, const char *name)
{
	struct spawn spawn = { .usual = end_signals, .dies_with = SIGTERM };
	sigset_t none;
	pid_t pid;
	int ret;

	*run = (struct explore_run){ .test = test, .end_ns = INT64_MAX };
	explore_point_copy(&run->point, point);
	run->directory = g_build_filename(test->directory, name, NULL);
	if (mkdir(run->directory, 0777) < 0)
		return -errno;
	ret = share_end(run);
	if (ret < 0)
		return ret;
	sigemptyset(&none);
	spawn.mask = &none;
	pid = spawn_fork(&spawn);
	if (pid == 0)
		be_run(run);
	if (pid < 0)
		return pid;
	run->pid = pid;
	if (test->timeout_ns > 0)
		run->end_ns = monotonic_ns() + test->timeout_ns;
	return 0;
}

void explore_run_has_ended(struct explore_run *run, int status)
{
	run->pid = 0;
	run->status = status;
	take_end(run);
}

/* "2\tall after 7\tsignal opensm KILL\t0 times\tof 512" */
uint64_t explore_run_instants(const struct explore_run *run)
{
	g_autofree char *path = g_build_filename(run->directory, EXPLORE_TRIGGERS, NULL);
	g_autofree char *text = NULL;
	const char *of = NULL;
	uint64_t instants = 0;

	if (run->test->plan.each && g_file_get_contents(path, &text, NULL, NULL))
		of = g_strrstr(g_strchomp(text), "\tof ");
	if (of)
		number_parse(of + strlen("\tof "), 0, UINT32_MAX, &instants);
	return instants;
}

void explore_run_is_late(struct explore_run *run, int64_t now_ns)
{
	run->is_late = true;
	kill(run->pid, run->nudges++ == 0 ? SIGTERM : SIGKILL);
	run->end_ns = now_ns + patience_ns;
}

void explore_run_clear(struct explore_run *run)
{
	explore_point_clear(&run->point);
	if (run->left)
		munmap(run->left, sizeof(*run->left));
	run->left = NULL;
	g_clear_pointer(&run->directory, g_free);
}
