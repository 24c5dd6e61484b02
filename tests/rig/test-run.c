// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
// test-run COMMAND [ARGUMENT...]: runs one test, ends it after TEST_SECONDS (600 unless set), and
// ends what it leaves behind TEST_LINGER_SECONDS (10) after it is over. A process that waits for
// ever, or holds the standard output of a test that is over, would otherwise hold up the suite
// without a word about which test it belongs to. Every thread of what is ended so is named with
// what it waits for. Says at the end how long the test took, for "make check-slowest".
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// What Automake takes for an error of the test itself.
enum { EXIT_HARD_ERROR = 99 };

static double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// What the test and all that was below it took of the processors, as far as somebody waited for it.
static double processor_seconds(void)
{
	struct rusage used;

	getrusage(RUSAGE_CHILDREN, &used);
	return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
	       (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

// The text of a file of /proc, with its zero bytes as blanks; empty where there is none.
static const char *proc_text(char *text, size_t size, const char *path)
{
	size_t length = 0;
	FILE *file = fopen(path, "re");

	if (file) {
		length = fread(text, 1, size - 1, file);
		fclose(file);
	}
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\0')
			text[i] = ' ';
	}
	while (length && strchr(" \n", text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

static void show_thread(int pid, int tid)
{
	char path[96], state[256], wchan[64], call[256], stack[2048];
	const char *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	end = strrchr(proc_text(state, sizeof(state), path), ')');
	snprintf(path, sizeof(path), "/proc/%d/task/%d/wchan", pid, tid);
	proc_text(wchan, sizeof(wchan), path);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	proc_text(call, sizeof(call), path);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stack", pid, tid);
	proc_text(stack, sizeof(stack), path);
	printf("#   thread %d: state %c, in %s, system call %s\n", tid,
	       end && end[1] ? end[2] : '?', wchan, call);
	for (char *rest = stack, *line; (line = strsep(&rest, "\n")) && *line;)
		printf("#     %s\n", line);
}

static void show_process(int pid)
{
	char path[64], command[512];
	struct dirent *entry;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	printf("# process %d: %s\n", pid, proc_text(command, sizeof(command), path));
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	if (!tasks)
		return;
	while ((entry = readdir(tasks))) {
		if (entry->d_name[0] != '.')
			show_thread(pid, atoi(entry->d_name));
	}
	closedir(tasks);
}

static int parent_of(int pid)
{
	char path[32], stat[512];
	const char *end;
	int parent = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	end = strrchr(proc_text(stat, sizeof(stat), path), ')');
	if (!end || sscanf(end, ") %*c %d", &parent) != 1)
		return 0;
	return parent;
}

// Below us in the tree: orphans come to us, for we are a subreaper.
static bool is_below(int pid)
{
	int self = getpid();

	for (int depth = 0; depth < 1000 && pid > 1; depth++) {
		pid = parent_of(pid);
		if (pid == self)
			return true;
	}
	return false;
}

// Calls each() for every process below us.
static void for_each_below(void (*each)(int pid))
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;

	if (!processes)
		return;
	while ((entry = readdir(processes))) {
		int pid = atoi(entry->d_name);

		if (pid > 0 && is_below(pid))
			each(pid);
	}
	closedir(processes);
}

static void end_process(int pid)
{
	kill(pid, SIGKILL);
}

// Ends all that is below us, and waits for it: a process may start another one meanwhile.
static void end_all(void)
{
	for (int round = 0; round < 500; round++) {
		int pid;

		for_each_below(end_process);
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid < 0)
			return;
		usleep(10 * 1000);
	}
}

// Waits for child until the deadline. Returns whether it ended, and its wait status.
static bool wait_until(pid_t child, double deadline, const sigset_t *signals, int *status)
{
	for (;;) {
		double left = deadline - now_seconds();
		struct timespec wait = { .tv_sec = 1 };
		pid_t ended;
		int signal;

		while ((ended = waitpid(-1, status, WNOHANG)) > 0) {
			if (ended == child)
				return true;
		}
		// All are gone; child is 0 where we wait for all of them.
		if (ended < 0)
			return true;
		if (left <= 0)
			return false;
		if (left < 1)
			wait = (struct timespec){ .tv_nsec = (long)(left * 1e9) };
		signal = sigtimedwait(signals, NULL, &wait);
		if (signal > 0 && signal != SIGCHLD) {
			end_all();
			exit(128 + signal);
		}
	}
}

static pid_t start(char **command, const sigset_t *old_mask)
{
	pid_t child = fork();

	if (child == 0) {
		// No terminal: what a test does with jobs must not stop the suite.
		setsid();
		sigprocmask(SIG_SETMASK, old_mask, NULL);
		execvp(command[0], command);
		fprintf(stderr, "test-run: %s: %s\n", command[0], strerror(errno));
		_exit(127);
	}
	if (child < 0) {
		perror("test-run: fork");
		exit(EXIT_HARD_ERROR);
	}
	return child;
}

// What the test leaves behind has some time to end by itself.
static void end_what_is_left(double seconds, const sigset_t *signals)
{
	int status;

	if (wait_until(0, now_seconds() + seconds, signals, &status))
		return;
	printf("# The test is over, and left this behind:\n");
	for_each_below(show_process);
	fflush(stdout);
	end_all();
}

static double seconds_of(const char *variable, double otherwise)
{
	const char *text = getenv(variable);

	return text && *text ? strtod(text, NULL) : otherwise;
}

int main(int argc, char **argv)
{
	double seconds = seconds_of("TEST_SECONDS", 600), began = now_seconds();
	sigset_t signals, old_mask;
	int status = 0;
	pid_t child;

	if (argc < 2 || seconds <= 0) {
		fprintf(stderr, "usage: [TEST_SECONDS=N] test-run COMMAND [ARGUMENT...]\n");
		return EXIT_HARD_ERROR;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &signals, &old_mask);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	child = start(argv + 1, &old_mask);
	if (!wait_until(child, began + seconds, &signals, &status)) {
		printf("Bail out! still running after %.0f seconds (TEST_SECONDS)\n", seconds);
		for_each_below(show_process);
		fflush(stdout);
		end_all();
		return EXIT_HARD_ERROR;
	}
	end_what_is_left(seconds_of("TEST_LINGER_SECONDS", 10), &signals);
	fprintf(stderr, "# took %.1f seconds, %.1f of a processor\n", now_seconds() - began,
		processor_seconds());
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
