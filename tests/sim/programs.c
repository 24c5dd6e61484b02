/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that a C test starts in its fabric's virtual time: umadrig_program_start() and its kin.
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <infiniband/umad.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/api/umadrig.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"

static const int64_t second_ns = INT64_C(1000000000);

static char *probe;
static char *work;	/* a directory */

static struct umadrig_fabric *open_fabric(const char *spec)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	umadrig_attach(fabric);
	return fabric;
}

static struct umadrig_program *start_with(struct umadrig_fabric *fabric,
					  const struct umadrig_program_setup *setup)
{
	struct umadrig_program *program = NULL;
	char message[512] = "";
	int ret = umadrig_program_start(fabric, setup, &program, message, sizeof(message));

	if (ret < 0)
		g_error("%s: %s", g_strerror(-ret), message);
	return program;
}

/* A command of the shell in the test's directory; its output is added to file "out" there. */
static struct umadrig_program *start(struct umadrig_fabric *fabric, const char *command)
{
	g_autofree char *whole = g_strdup_printf("exec >>out; nap='%s nap'; %s", probe, command);
	const char *argv[] = { "sh", "-c", whole, NULL };

	return start_with(fabric, &(struct umadrig_program_setup){
		.argv = argv, .directory = work,
	});
}

static int status_of(struct umadrig_program *program, int64_t until_ns)
{
	int status = -1;

	g_assert_cmpint(umadrig_program_wait(program, until_ns, &status), ==, 0);
	return status;
}

/* What the programs have printed since the last call. */
static char *take_output(void)
{
	g_autofree char *path = g_build_filename(work, "out", NULL);
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return g_strdup("");
	/* Programs that are there may add to it. */
	g_assert_cmpint(truncate(path, 0), ==, 0);
	return text;
}

static void assert_printed(const char *expected)
{
	g_autofree char *text = take_output();

	g_assert_cmpstr(text, ==, expected);
}

static bool can_run(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	g_test_skip("a library with sanitizers cannot be put in front of these programs");
	return false;
#else
	return true;
#endif
}

/* ---- times ---- */

static void test_times(void)
{
	struct umadrig_fabric *fabric;
	struct umadrig_program *one, *other;
	int status = -1;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	one = start(fabric, "$nap 3600; echo one; exit 3");
	other = start(fabric, "$nap 1800; echo other; $nap 1800; echo other");
	g_assert_cmpint(umadrig_now(fabric), ==, 0);
	g_assert_cmpint(umadrig_next(fabric), ==, 0);
	g_assert_cmpint(umadrig_program_wait(one, 10 * second_ns, &status), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_now(fabric), ==, 10 * second_ns);
	g_assert_cmpint(umadrig_next(fabric), ==, 1800 * second_ns);
	g_assert_true(WEXITSTATUS(status_of(one, INT64_MAX)) == 3);
	g_assert_cmpint(umadrig_now(fabric), ==, 3600 * second_ns);
	g_assert_cmpint(status_of(other, umadrig_now(fabric)), ==, 0);
	g_assert_cmpint(status_of(other, 0), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, 3600 * second_ns);
	assert_printed("other\none\nother\n");
	umadrig_fabric_close(fabric);
}

static void test_steps(void)
{
	struct umadrig_fabric *fabric;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	start(fabric, "for i in 1 2 3; do $nap 1; echo $i; done");
	umadrig_step(fabric, second_ns - 1);
	assert_printed("");
	umadrig_step(fabric, second_ns);
	assert_printed("1\n");
	g_assert_true(umadrig_step_once(fabric, INT64_MAX));
	g_assert_cmpint(umadrig_now(fabric), ==, 2 * second_ns);
	assert_printed("2\n");
	g_assert_true(umadrig_step_idle(fabric, 100 * second_ns));
	g_assert_cmpint(umadrig_now(fabric), ==, 3 * second_ns);
	assert_printed("3\n");
	umadrig_fabric_close(fabric);
}

/* ---- MADs of this process, and of programs ---- */

/* An agent that waits until 'seconds' from now, and gets nothing; the time then. */
static int64_t receive(struct umadrig_fabric *fabric, int seconds)
{
	union {
		char bytes[512];
		struct ib_user_mad umad;
	} room;
	int length = 256, fd = umad_open_port(NULL, 1);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(umad_register(fd, 0x32, 1, 0, NULL), >=, 0);
	g_assert_cmpint(umad_recv(fd, &room, &length, seconds * 1000), ==, -ETIMEDOUT);
	umad_close_port(fd);
	return umadrig_now(fabric);
}

static void test_receive_meanwhile(void)
{
	struct umadrig_fabric *fabric;
	struct umadrig_program *program;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	program = start(fabric, "for i in 1 2 3 4; do $nap 1; echo $i; done");
	g_assert_cmpint(receive(fabric, 2), ==, 2 * second_ns);
	assert_printed("1\n2\n");
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, 4 * second_ns);
	assert_printed("3\n4\n");
	umadrig_fabric_close(fabric);
}

static void *receive_there(void *data)
{
	struct umadrig_fabric *fabric = data;
	int64_t *ret = g_new(int64_t, 1);

	*ret = receive(fabric, 3);
	umadrig_thread_leave(fabric);
	return ret;
}

static void test_threads(void)
{
	struct umadrig_fabric *fabric;
	struct umadrig_program *program;
	g_autofree int64_t *at_ns = NULL;
	pthread_t thread;
	void *result;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	program = start(fabric, "$nap 2; echo two; $nap 3; echo five");
	g_assert_cmpint(pthread_create(&thread, NULL, receive_there, fabric), ==, 0);
	pthread_join(thread, &result);
	at_ns = result;
	g_assert_cmpint(*at_ns, ==, 3 * second_ns);
	assert_printed("two\n");
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, 5 * second_ns);
	assert_printed("five\n");
	umadrig_fabric_close(fabric);
}

/* A probe opens the port of the host that was named, in the environment that was given. */
static void test_setup(void)
{
	const char *argv[] = { probe, "open", NULL };
	const char *print[] = { "sh", "-c", "cat; echo $COLOUR; echo $TERM >&2", NULL };
	const char *environment[] = { "COLOUR=red", "PATH=/usr/bin:/bin", NULL };
	g_autofree char *path = g_build_filename(work, "out", NULL);
	struct umadrig_program *program;
	struct umadrig_fabric *fabric;
	FILE *file;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	file = fopen(path, "w");
	program = start_with(fabric, &(struct umadrig_program_setup){
		.argv = argv, .host = "H2", .output = fileno(file),
	});
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	assert_printed("H2 lid 2\n");
	fclose(file);
	file = fopen(path, "w");
	program = start_with(fabric, &(struct umadrig_program_setup){
		.argv = print, .environment = environment, .output = fileno(file),
		.errors = fileno(file),
	});
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	assert_printed("red\n\n");
	fclose(file);
	umadrig_fabric_close(fabric);
}

/* ---- ends ---- */

static void test_signals(void)
{
	struct umadrig_program *plain, *handler, *stubborn;
	struct umadrig_fabric *fabric;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	plain = start(fabric, "exec $nap 600");
	handler = start(fabric, "trap 'date +%S; exit 5' TERM; while :; do $nap 1; done");
	stubborn = start(fabric, "trap '' TERM; $nap 600 & $nap 600");
	umadrig_step(fabric, 5 * second_ns / 2);
	g_assert_cmpint(umadrig_program_signal(plain, SIGTERM), ==, 0);
	g_assert_cmpint(umadrig_program_signal(handler, SIGTERM), ==, 0);
	g_assert_cmpint(umadrig_program_signal(stubborn, SIGTERM), ==, 0);
	g_assert_true(WTERMSIG(status_of(plain, umadrig_now(fabric))) == SIGTERM);
	g_assert_true(WEXITSTATUS(status_of(handler, 3 * second_ns)) == 5);
	assert_printed("22\n");
	g_assert_cmpint(umadrig_program_wait(stubborn, 60 * second_ns, &(int){ 0 }), ==,
			-ETIMEDOUT);
	g_assert_cmpint(umadrig_program_signal(stubborn, SIGSTOP), ==, -EINVAL);
	g_assert_cmpint(umadrig_program_signal(stubborn, 0), ==, -EINVAL);
	g_assert_cmpint(umadrig_program_signal(stubborn, SIGKILL), ==, 0);
	g_assert_true(WTERMSIG(status_of(stubborn, 0)) == SIGKILL);
	g_assert_cmpint(umadrig_program_signal(stubborn, SIGKILL), ==, -ESRCH);
	g_assert_cmpint(umadrig_now(fabric), ==, 60 * second_ns);
	/* What it left in its group is gone as well: nothing is to come. */
	g_assert_cmpint(umadrig_next(fabric), ==, INT64_MAX);
	umadrig_fabric_close(fabric);
}

static void test_deadlock(void)
{
	struct umadrig_program *program, *next;
	struct umadrig_fabric *fabric;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	program = start(fabric, "mkfifo f; read x <>f");
	g_assert_cmpint(umadrig_program_wait(program, 9 * second_ns, &(int){ 0 }), ==, -ETIMEDOUT);
	g_assert_cmpint(umadrig_now(fabric), ==, 9 * second_ns);
	g_assert_cmpint(umadrig_program_wait(program, INT64_MAX, &(int){ 0 }), ==, -EDEADLK);
	next = start(fabric, "echo word >f");
	g_assert_cmpint(status_of(next, INT64_MAX), ==, 0);
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, 9 * second_ns);
	umadrig_fabric_close(fabric);
}

static bool is_there(const char *pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", atoi(pid));
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && !strstr(text, ") Z ");
}

/* One program waits, one has a child in a session of its own, one has not begun. */
static void test_close_ends_all(void)
{
	g_autofree char *pids = NULL;
	struct umadrig_fabric *fabric;

	if (!can_run())
		return;
	fabric = open_fabric(",clock=virtual");
	start(fabric, "setsid sh -c 'read pid rest </proc/self/stat; echo $pid; exec sleep 900' & "
		      "sleep 900");
	umadrig_step(fabric, second_ns);
	pids = take_output();
	start(fabric, "echo begun");
	umadrig_fabric_close(fabric);
	g_assert_cmpint(atoi(pids), >, 0);
	assert_printed("");
	g_assert_false(is_there(pids));
	g_assert_cmpint(waitpid(-1, NULL, WNOHANG), ==, -1);
	g_assert_cmpint(errno, ==, ECHILD);
}

/* A test that fails ends without a close: what programs have started must not be left. */
static void test_death_ends_all(void)
{
	g_autofree char *text = NULL;
	struct umadrig_fabric *fabric;
	pid_t child;

	if (!can_run())
		return;
	child = fork();
	if (child == 0) {
		fabric = open_fabric(",clock=virtual");
		start(fabric, "setsid sh -c 'read pid rest </proc/self/stat; echo $pid; "
			      "exec sleep 900' & sleep 900");
		umadrig_step(fabric, second_ns);
		raise(SIGKILL);
	}
	g_assert_cmpint(waitpid(child, NULL, 0), ==, child);
	text = take_output();
	g_assert_cmpint(atoi(text), >, 0);
	for (int i = 0; i < 1000 && is_there(text); i++)
		g_usleep(10000);
	g_assert_false(is_there(text));
}

/* ---- errors ---- */

static int refusal(struct umadrig_fabric *fabric, const char *name, const char *host,
		   const char *expected)
{
	const char *argv[] = { name, NULL };
	const struct umadrig_program_setup setup = { .argv = argv, .host = host };
	struct umadrig_program *program = NULL;
	char message[512] = "";
	int ret = umadrig_program_start(fabric, &setup, &program, message, sizeof(message));

	if (!strstr(message, expected))
		g_error("'%s' lacks '%s'", message, expected);
	g_assert_null(program);
	return ret;
}

static void test_refusals(void)
{
	struct umadrig_fabric *fabric = open_fabric("");
	g_autofree char *text = g_build_filename(work, "text", NULL);

	g_assert_cmpint(refusal(fabric, "true", NULL, "clock=virtual"), ==, -EOPNOTSUPP);
	umadrig_fabric_close(fabric);
	if (!can_run())
		return;
	g_assert_true(g_file_set_contents(text, "text", -1, NULL));
	fabric = open_fabric(",clock=virtual");
	g_assert_cmpint(refusal(fabric, "true", "H9", "no host 'H9'"), ==, -ENOENT);
	g_assert_cmpint(refusal(fabric, "no-such-program", NULL, "PATH"), ==, -ENOENT);
	g_assert_cmpint(refusal(fabric, "/no/such/program", NULL, "No such file"), ==, -ENOENT);
	g_assert_cmpint(refusal(fabric, text, NULL, "not an executable"), ==, -EACCES);
	g_assert_cmpint(g_chmod(text, 0700), ==, 0);
	g_assert_cmpint(refusal(fabric, text, NULL, "neither a program"), ==, -ENOEXEC);
	g_assert_cmpint(g_chmod(text, 04700), ==, 0);
	g_assert_cmpint(refusal(fabric, text, NULL, "gains rights"), ==, -EPERM);
	g_assert_cmpint(refusal(fabric, NULL, NULL, "no program"), ==, -EINVAL);
	if (g_file_test("/sbin/ldconfig.real", G_FILE_TEST_EXISTS))
		g_assert_cmpint(refusal(fabric, "/sbin/ldconfig.real", NULL, "statically"), ==,
				-ENOEXEC);
	umadrig_fabric_close(fabric);
	g_unlink(text);
}

/* ---- the same each time ---- */

/* OpenSM brings a fabric up; its capture. */
static char *record_opensm(gsize *ret_size)
{
	g_autofree char *spec = g_strdup_printf("generate:fat-tree:8,4,state=cold,clock=virtual,"
						"capture=%s/wire.pcapng", work);
	g_autofree char *path = g_build_filename(work, "wire.pcapng", NULL);
	struct umadrig_fabric *fabric = open_fabric(spec);
	struct umadrig_program *sm = start(fabric, "exec opensm -f $PWD/osm.log -s 10");
	char *bytes = NULL;

	umadrig_step(fabric, 45 * second_ns);
	g_assert_cmpint(umadrig_port_lid(umadrig_port(fabric, "host-3", 1)), >, 0);
	g_assert_cmpint(umadrig_port_state(fabric, "host-3", 1), ==, 4);
	g_assert_cmpint(umadrig_program_signal(sm, SIGTERM), ==, 0);
	g_assert_cmpint(status_of(sm, 60 * second_ns), ==, 0);
	umadrig_fabric_close(fabric);
	g_assert_true(g_file_get_contents(path, &bytes, ret_size, NULL));
	g_free(take_output());
	return bytes;
}

static bool can_fix_addresses(void)
{
	int now = personality(0xffffffff);
	bool can = now >= 0 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;

	if (can)
		personality((unsigned long)now);
	return can;
}

static void test_opensm(void)
{
	g_autofree char *found = g_find_program_in_path("opensm");
	g_autofree char *one = NULL, *other = NULL;
	gsize one_size, other_size;

	if (!can_run())
		return;
	if (!found) {
		g_test_skip("there is no opensm");
		return;
	}
	one = record_opensm(&one_size);
	other = record_opensm(&other_size);
	g_assert_cmpuint(one_size, >, 10000);
	g_assert_cmpuint(one_size, ==, other_size);
	if (can_fix_addresses())
		g_assert_cmpmem(one, one_size, other, other_size);
}

/* ---- what is left ---- */

static long count_threads(void)
{
	g_autoptr(GDir) tasks = g_dir_open("/proc/self/task", 0, NULL);
	long count = 0;

	while (g_dir_read_name(tasks))
		count++;
	return count;
}

/* Bytes that malloc(3) has given out. */
static size_t count_memory(void)
{
#if __GLIBC_PREREQ(2, 33)
	return mallinfo2().uordblks;
#else
	return 0;
#endif
}

static void use_once(void)
{
	struct umadrig_fabric *fabric = open_fabric(",clock=virtual");
	struct umadrig_program *program = start(fabric, "$nap 1");

	start(fabric, "$nap 100");
	g_assert_cmpint(status_of(program, INT64_MAX), ==, 0);
	g_assert_cmpint(umadrig_now(fabric), ==, second_ns);
	umadrig_fabric_close(fabric);
}

static void test_nothing_is_left(void)
{
	unsigned int before;
	size_t memory;
	long threads;

	if (!can_run())
		return;
	/* What malloc(3) keeps for a thread counts as given out, and grows at first. */
	for (int i = 0; i < 10; i++)
		use_once();
	memory = count_memory();
	before = leak_count();
	threads = count_threads();
	for (int i = 0; i < 20; i++)
		use_once();
	g_assert_cmpuint(leak_count(), ==, before);
	g_assert_cmpint(count_threads(), ==, threads);
	g_assert_cmpuint(count_memory(), <, memory + 4096);
}

static void remove_work(void)
{
	g_autofree char *command = g_strdup_printf("rm -rf %s", work);

	g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
}

int main(int argc, char **argv)
{
	int status;

	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_setenv("TZ", "UTC", true);
	g_setenv("UMAD_BACKEND", "sim:@", true);
	g_setenv("UMADRIG_QUIET", "1", true);
	probe = build_path("tests/tools/exec-probe");
	work = g_dir_make_tmp("programs-XXXXXX", NULL);
	g_test_add_func("/programs/times", test_times);
	g_test_add_func("/programs/steps", test_steps);
	g_test_add_func("/programs/receive-meanwhile", test_receive_meanwhile);
	g_test_add_func("/programs/threads", test_threads);
	g_test_add_func("/programs/setup", test_setup);
	g_test_add_func("/programs/signals", test_signals);
	g_test_add_func("/programs/deadlock", test_deadlock);
	g_test_add_func("/programs/close-ends-all", test_close_ends_all);
	g_test_add_func("/programs/death-ends-all", test_death_ends_all);
	g_test_add_func("/programs/refusals", test_refusals);
	g_test_add_func("/programs/opensm", test_opensm);
	g_test_add_func("/programs/nothing-is-left", test_nothing_is_left);
	status = leak_end(g_test_run());
	remove_work();
	g_free(probe);
	g_free(work);
	return status;
}
