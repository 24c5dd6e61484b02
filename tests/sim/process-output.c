/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sim/process/process-output.c: what a program has printed, how it ended, and what is not waited
 * for.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/process/process-output.h"
#include "sim/process/process-reap.h"

static int run(const char *script, int errors, struct output *ret)
{
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)script, NULL };
	const struct spawn spawn = { .argv = argv, .input = SPAWN_NULL, .errors = errors };

	return output_take(&spawn, ret);
}

static unsigned int open_count(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void test_both(void)
{
	static const struct {
		const char *script;
		int errors;
		const char *how, *printed, *said;
	} rows[] = {
		{ "echo out; echo err >&2", 0, "ended with status 0", "out\n", "err\n" },
		{ "cat; exec 1>&- 2>&-; exit 3", 0, "ended with status 3", "", "" },
		{ "echo out; kill -9 $$", 0, "was ended by signal 9 (Killed)", "out\n", "" },
		{ "echo out; echo err >&2; exit 1", SPAWN_NULL, "ended with status 1", "out\n",
		  "" },
	};
	unsigned int before = open_count();

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct output output;
		int status = run(rows[i].script, rows[i].errors, &output);
		g_autofree char *how = reap_status_text(status);

		g_assert_cmpint(status, >=, 0);
		g_assert_cmpstr(how, ==, rows[i].how);
		g_assert_cmpstr(output.printed, ==, rows[i].printed);
		g_assert_cmpstr(output.errors, ==, rows[i].said);
		output_clear(&output);
	}
	g_assert_cmpuint(open_count(), ==, before);
}

/* More than a pipe has room for, on both; and more than is kept, which does not stop it. */
static void test_much(void)
{
	struct output output;

	g_assert_cmpint(run("head -c 1000000 /dev/zero | tr '\\0' x;"
			    "head -c 5000000 /dev/zero | tr '\\0' y >&2; echo end", 0, &output),
			==, 0);
	g_assert_cmpuint(strlen(output.printed), ==, 1000000 + strlen("end\n"));
	g_assert_true(g_str_has_suffix(output.printed, "xend\n"));
	g_assert_cmpuint(strlen(output.errors), ==, OUTPUT_MAX);
	output_clear(&output);
}

/* What it leaves behind may hold its output, or go on to write: that is nobody's. */
static void test_left(void)
{
	struct output output;

	g_assert_cmpint(run("sleep 1000 & echo $!", 0, &output), ==, 0);
	kill((pid_t)g_ascii_strtoll(output.printed, NULL, 10), SIGKILL);
	output_clear(&output);
	g_assert_cmpint(run("yes & echo $! >&2", 0, &output), ==, 0);
	kill((pid_t)g_ascii_strtoll(output.errors, NULL, 10), SIGKILL);
	output_clear(&output);
}

static void test_not_started(void)
{
	char *argv[] = { (char *)"umadrig-no-such-program", NULL };
	const struct spawn absent = { .argv = argv, .input = SPAWN_NULL };
	struct output output = { NULL, NULL };
	unsigned int before = open_count();

	/* If one may not look into a directory of PATH, it may be there. */
	g_setenv("PATH", "/usr/bin:/bin", true);
	g_assert_cmpint(output_take(&absent, &output), ==, -ENOENT);
	g_assert_null(output.printed);
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
	g_assert_cmpuint(open_count(), ==, before);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/process/output/both", test_both);
	g_test_add_func("/process/output/much", test_much);
	g_test_add_func("/process/output/left", test_left);
	g_test_add_func("/process/output/not-started", test_not_started);
	return g_test_run();
}
