/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Of lockstep-foreign: what goes from descriptor to descriptor, and what comes in parts. */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than a pipe or a socket takes. */
static _Alignas(4096) char bytes[500000];

static void say_result(const char *what, long n)
{
	say(what, n < 0 ? -errno : n);
}

/* A child that reads all of it, in 3 ms. */
static pid_t reads_late(const int ends[2])
{
	pid_t pid = fork();
	long n, all = 0;

	if (pid != 0)
		return pid;
	close(ends[1]);
	pause_us(3000);
	while ((n = read(ends[0], bytes, sizeof(bytes))) > 0)
		all += n;
	say("read", all);
	_exit(0);
}

/* A child that writes two bytes, with 2 ms before each. */
static pid_t writes_late(int fd)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (int i = 0; i < 2; i++) {
		pause_us(2000);
		if (write(fd, &"xy"[i], 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void make_ends(int ret[2], int is_socket)
{
	if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM, 0, ret) : pipe(ret)) < 0)
		exit(1);
}

static void on_signal(int sig)
{
	say("signal", sig);
}

static void send_file(int file, int is_socket)
{
	off_t offset = 100;
	int ends[2];
	pid_t pid;

	make_ends(ends, is_socket);
	pid = reads_late(ends);
	close(ends[0]);
	say_result("sendfile", sendfile(ends[1], file, &offset, (size_t)-1 >> 1));
	say("offset", (long)offset);
	say_result("at its end", sendfile(ends[1], file, &offset, 10));
	close(ends[1]);
	waitpid(pid, NULL, 0);
}

static void files(void)
{
	char path[] = "/tmp/lockstep-foreign.XXXXXX";
	int file = mkstemp(path), ends[2];
	loff_t offset = 499990;

	if (file < 0 || unlink(path) < 0 || write(file, bytes, sizeof(bytes)) != sizeof(bytes))
		exit(1);
	send_file(file, 0);
	send_file(file, 1);
	make_ends(ends, 0);
	say_result("splice of a file", splice(file, &offset, ends[1], NULL, 100, 0));
	say("offset", (long)offset);
	say_result("a pipe has none", splice(ends[0], &offset, file, NULL, 100, 0));
	signal(SIGPIPE, SIG_IGN);
	close(ends[0]);
	say_result("nobody reads", sendfile(ends[1], file, &offset, 10));
	offset = 0;
	say_result("nor this", sendfile(ends[1], file, &offset, 10));
	signal(SIGPIPE, on_signal);
	say_result("with a signal", splice(file, &offset, ends[1], NULL, 100, 0));
	say_result("closed", sendfile(ends[0], file, NULL, 10));
	close(ends[1]);
	close(file);
}

static void pipes(void)
{
	struct iovec part = { bytes, sizeof(bytes) };
	int one[2], other[2];
	char byte;
	pid_t pid;

	make_ends(one, 0);
	make_ends(other, 0);
	pid = writes_late(one[1]);
	say_result("not yet", splice(one[0], NULL, other[1], NULL, 10, SPLICE_F_NONBLOCK));
	say_result("tee", tee(one[0], other[1], 10, 0));
	say_result("splice", splice(one[0], NULL, other[1], NULL, 10, 0));
	say_result("splice", splice(one[0], NULL, other[1], NULL, 10, 0));
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 3; i++) {
		say_result("of it", read(other[0], &byte, 1));
		say("is", byte);
	}
	say_result("vmsplice", vmsplice(other[1], &part, 1, 0));
	say_result("full", vmsplice(other[1], &part, 1, SPLICE_F_NONBLOCK));
	pid = reads_late(other);
	close(other[0]);
	say_result("vmsplice", vmsplice(other[1], &part, 1, 0) > 0);
	close(other[1]);
	waitpid(pid, NULL, 0);
	pid = writes_late(one[1]);
	part.iov_len = 10;
	say_result("vmsplice from a pipe", vmsplice(one[0], &part, 1, 0));
	say("is", bytes[0]);
	waitpid(pid, NULL, 0);
}

static void signal_file(void)
{
	struct signalfd_siginfo infos[2];
	struct iovec parts[] = { { infos, sizeof(*infos) }, { infos + 1, sizeof(*infos) } };
	const union sigval value = { .sival_int = 7 };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, 40);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	if (fork() == 0) {
		pause_us(1000);
		sigqueue(getppid(), 40, value);
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	pause_us(2000);
	say_result("two signals", readv(fd, parts, 2));
	for (int i = 0; i < 2; i++) {
		say("signal", infos[i].ssi_signo);
		say("from", infos[i].ssi_pid);
	}
	wait(NULL);
	close(fd);
}

void part_splices(void)
{
	files();
	pipes();
	signal_file();
}
