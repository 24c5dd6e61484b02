/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * lockstep-calls [NAME...]: what calls do in virtual time, a row each (TAP). To be run by umadrig
 * exec with clock=virtual. What the rows share is here, too.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* ---- time ---- */

int64_t ns_of(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * S + ts.tv_nsec;
}

int64_t now(void)
{
	return ns_of(CLOCK_MONOTONIC);
}

struct timespec in(clockid_t id, int64_t ns)
{
	int64_t at = ns_of(id) + ns;

	return (struct timespec){ at / S, at % S };
}

bool passed(int64_t from, int64_t ns)
{
	int64_t got = now() - from;

	if (got != ns)
		printf("# %lld ns have passed, not %lld\n", (long long)got, (long long)ns);
	return got == ns;
}

bool passed_asleep(int64_t from, int64_t ns, int times)
{
	int64_t more = now() - from - ns;

	return (more > 0 && more <= times) || passed(from, ns);
}

/* ---- children ---- */

pid_t ends_after(unsigned int seconds, int status)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(seconds);
		_exit(status);
	}
	return pid;
}

pid_t in_two_seconds(void (*act)(int fd), int fd)
{
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		act(fd);
		_exit(0);
	}
	return pid;
}

static void read_all(int fd)
{
	char bytes[65536];

	while (read(fd, bytes, sizeof(bytes)) > 0)
		continue;
}

pid_t reads_late(int ends[2])
{
	pid_t pid = fork();

	if (pid == 0) {
		close(ends[1]);
		sleep(2);
		read_all(ends[0]);
		_exit(0);
	}
	close(ends[0]);
	return pid;
}

bool reap(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

bool byte_comes(int fd, int64_t from, int64_t ns)
{
	char byte = 0;

	return read(fd, &byte, 1) == 1 && byte == 'x' && passed(from, ns);
}

void write_byte(int fd)
{
	if (write(fd, "x", 1) != 1)
		_exit(1);
}

/* ---- signals ---- */

volatile sig_atomic_t caught;

static void catch(int sig)
{
	caught = sig;
}

void set_handler(int sig)
{
	struct sigaction action = { .sa_handler = catch };

	caught = 0;
	sigaction(sig, &action, NULL);
}

/* ---- the rows ---- */

#define LOCKSTEP_ROW(name) { #name, row_##name },

static const struct {
	const char *name;
	bool (*row)(void);
} rows[] = { LOCKSTEP_ROWS(LOCKSTEP_ROW) };

static bool is_named(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], name) == 0)
			return true;
	}
	return argc == 1;
}

int main(int argc, char **argv)
{
	size_t count = sizeof(rows) / sizeof(*rows);
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < count; i++) {
		bool ok;

		if (!is_named(rows[i].name, argc, argv))
			continue;
		ok = rows[i].row();
		failed += !ok;
		printf("%sok %zu - %s\n", ok ? "" : "not ", i + 1, rows[i].name);
	}
	printf("1..%zu\n", count);
	printf("# at %lld ns\n", (long long)now());
	return failed > 0;
}
