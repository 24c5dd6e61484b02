/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What shows the machine, chance and the kernel's own numbers: the session's instead. Lines with
 * "#" are compared with those of another run.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/klog.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

enum { UP_S = 1000 };	/* how long the machine has been up when a session starts */

/* The text of a file, printed as well; "": there is none. The next call changes it. */
static const char *text_of(const char *path)
{
	static char text[1024];
	FILE *file = fopen(path, "re");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	text[n] = '\0';
	printf("# %s: %.*s\n", path, (int)strcspn(text, "\n"), text);
	return text;
}

static bool bytes_of(const char *path)
{
	unsigned char bytes[16] = { 0 }, zeros[16] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && read(fd, bytes, 8) == 8 && pread(fd, bytes + 8, 8, 0) == 8;

	close(fd);
	printf("# %s:", path);
	for (size_t i = 0; i < sizeof(bytes); i++)
		printf(" %02x", bytes[i]);
	printf("\n");
	return ok && memcmp(bytes, zeros, 8) != 0 && memcmp(bytes, bytes + 8, 8) != 0;
}

bool row_dev_random(void)
{
	return bytes_of("/dev/urandom") && bytes_of("/dev/random");
}

bool row_at_random(void)
{
	const unsigned char *bytes = (const unsigned char *)getauxval(AT_RANDOM);

	printf("# AT_RANDOM: %02x %02x ... %02x\n", bytes[0], bytes[1], bytes[15]);
	return bytes[0] != bytes[1] || bytes[1] != bytes[15];
}

bool row_proc_random(void)
{
	char first[64];

	snprintf(first, sizeof(first), "%s", text_of("/proc/sys/kernel/random/uuid"));
	return strlen(first) == 37 && strcmp(first, text_of("/proc/sys/kernel/random/uuid")) != 0 &&
	       strlen(text_of("/proc/sys/kernel/random/boot_id")) == 37;
}

/* Also where the file has been open meanwhile. */
bool row_proc_uptime(void)
{
	double up = (double)now() / 1e9;
	char text[64] = "";
	int fd = open("/proc/uptime", O_RDONLY | O_CLOEXEC);
	bool ok = strtod(text_of("/proc/uptime"), NULL) - up < 0.02;

	if (read(fd, text, sizeof(text) - 1) <= 0 || read(fd, text, sizeof(text) - 1) != 0)
		return false;
	sleep(100);
	ok = lseek(fd, 0, SEEK_SET) == 0 && read(fd, text, sizeof(text) - 1) > 0 && ok;
	close(fd);
	return ok && strtod(text, NULL) - up > 99.97 && strtod(text, NULL) - up < 100.03;
}

bool row_proc_stat(void)
{
	const char *text = text_of("/proc/stat"), *start = strstr(text, "\nbtime ");

	return strncmp(text, "cpu  ", 5) == 0 && start &&
	       strtol(start + 7, NULL, 10) == ns_of(CLOCK_REALTIME) / S - now() / S;
}

bool row_proc_loadavg(void)
{
	return strncmp(text_of("/proc/loadavg"), "0.00 0.00 0.00 1/", 17) == 0;
}

/* The number, the name, the state, the parent's number; and when it began, in ticks. */
bool row_proc_self_stat(void)
{
	const char *text = text_of("/proc/self/stat"), *at = strrchr(text, ')');
	long begun = 0;

	if (strtol(text, NULL, 10) != getpid() || !at || strncmp(at, ") R ", 4) != 0 ||
	    strtol(at + 4, NULL, 10) != getppid())
		return false;
	for (int i = 2; i < 22 && at; i++)
		at = strchr(at + 1, ' ');
	begun = at ? strtol(at, NULL, 10) : 0;
	return begun == UP_S * sysconf(_SC_CLK_TCK);
}

bool row_sysinfo(void)
{
	struct sysinfo info;

	if (sysinfo(&info) < 0)
		return false;
	printf("# sysinfo: %ld s, %lu of %lu free, %u processes\n", info.uptime, info.freeram,
	       info.totalram, info.procs);
	return info.uptime == now() / S && info.loads[0] == 0 && info.procs > 0;
}

bool row_getrusage(void)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	sleep(2);
	getrusage(RUSAGE_SELF, &after);
	return after.ru_utime.tv_sec - before.ru_utime.tv_sec == 2 &&
	       after.ru_utime.tv_usec == before.ru_utime.tv_usec && after.ru_nvcsw == 0 &&
	       after.ru_minflt == 0;
}

bool row_wait4(void)
{
	struct rusage usage = { .ru_minflt = 1 };
	pid_t child = ends_after(1, 0);

	return wait4(child, NULL, 0, &usage) == child && usage.ru_minflt == 0 &&
	       usage.ru_utime.tv_usec == 0 && usage.ru_stime.tv_usec == 0;
}

bool row_getcpu(void)
{
	unsigned int one = 7, other = 7;

	return getcpu(&one, NULL) == 0 && one == 0 &&
	       syscall(SYS_getcpu, &other, NULL, NULL) == 0 && other == 0;
}

/* The simulated kernel has printed nothing, and that of the machine cannot be read. */
bool row_klogctl(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	int machines = open("/dev/../dev/kmsg", O_RDONLY | O_NONBLOCK);
	char text[8192];
	bool ok = klogctl(10, NULL, 0) == 1 << 18 && klogctl(3, text, sizeof(text)) == 0 &&
		  klogctl(2, text, sizeof(text)) == -1 && errno == EPERM &&
		  syscall(SYS_syslog, 3, text, sizeof(text)) == 0;

	ok = ok && fd >= 0 && read(fd, text, sizeof(text)) == -1 && errno == EAGAIN &&
	     close(fd) == 0;
	if (machines >= 0)
		ok = ok && read(machines, text, sizeof(text)) == -1 && errno == EPERM &&
		     close(machines) == 0;
	return ok;
}

bool row_mkstemp(void)
{
	char file[] = "/tmp/lockstep-XXXXXX", other[] = "/tmp/lockstep-XXXXXX.txt";
	char directory[] = "/tmp/lockstep-XXXXXX";
	int one = mkstemp(file), two = mkstemps(other, 4);
	bool ok = one >= 0 && two >= 0 && mkdtemp(directory) && strcmp(file, directory) != 0;
	struct stat st;

	printf("# %s %s %s\n", file, other, directory);
	ok = ok && stat(directory, &st) == 0 && S_ISDIR(st.st_mode) && stat(other, &st) == 0 &&
	     (st.st_mode & 0777) == 0600;
	close(one);
	close(two);
	return unlink(file) == 0 && unlink(other) == 0 && rmdir(directory) == 0 && ok;
}

/* A child that a system call has made is a process of the session as well. */
static bool ends_in_time(pid_t child)
{
	int64_t from = now();
	int status = 0;

	if (child == 0) {
		sleep(3);
		_exit(5);
	}
	return child > getpid() && child < getpid() + 1000 &&
	       waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5 &&
	       passed(from, 3 * S);
}

bool row_raw_fork(void)
{
#ifdef SYS_fork
	if (!ends_in_time((pid_t)syscall(SYS_fork)))
		return false;
#endif
	return ends_in_time((pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L));
}

/* What no function of libc does is refused. */
bool row_raw_clone(void)
{
	return syscall(SYS_clone, (long)(SIGCHLD | CLONE_VM), 0L, 0L, 0L, 0L) < 0;
}

static bool raw_polls(void)
{
	const int64_t begin = now();
	struct timespec ts = { 1, 0 };
	struct epoll_event event;
	int epoll = epoll_create1(0);
	bool ok;

	ok = syscall(SYS_ppoll, NULL, 0L, &ts, NULL, 8L) == 0 && passed(begin, S) &&
	     syscall(SYS_pselect6, 0L, NULL, NULL, NULL, &(struct timespec){ 1, 0 }, NULL) == 0 &&
	     passed(begin, 2 * S) &&
	     syscall(SYS_epoll_pwait, epoll, &event, 1L, 1000L, NULL, 8L) == 0 &&
	     passed(begin, 3 * S);
#if defined(SYS_poll)
	ok = ok && syscall(SYS_poll, NULL, 0L, 1000L) == 0 && passed(begin, 4 * S);
#endif
	return close(epoll) == 0 && ok;
}

static void raw_write(int fd)
{
	syscall(SYS_exit_group, syscall(SYS_write, fd, "x", 1L) != 1);
}

/* By their numbers calls wait as by libc's functions, and processes end. */
bool row_raw_waits(void)
{
	const struct timespec ts = { 1, 0 };
	sigset_t set;
	int64_t from;
	int ends[2];
	char byte;
	pid_t pid;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (!raw_polls() || pipe(ends) < 0)
		return false;
	from = now();
	pid = in_two_seconds(raw_write, ends[1]);
	return syscall(SYS_read, ends[0], &byte, 1L) == 1 && passed(from, 2 * S) &&
	       syscall(SYS_wait4, pid, NULL, 0L, NULL) == pid && passed(from, 2 * S) &&
	       syscall(SYS_rt_sigtimedwait, &set, NULL, &ts, 8L) == -1 && errno == EAGAIN &&
	       passed(from, 3 * S) && close(ends[0]) == 0 && close(ends[1]) == 0;
}

bool row_raw_time(void)
{
	struct timespec ts = { 2, 0 };
	int64_t from = now();

	return syscall(SYS_nanosleep, &ts, NULL) == 0 && passed(from, 2 * S) &&
	       syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ts, NULL) == 0 &&
	       passed(from, 4 * S);
}

/* In the session's own directory, in its time; what is masked is not there. */
bool row_syslog(void)
{
	char directory[] = "/tmp/lockstep-log-XXXXXX", path[64], wanted[256], at[32];
	time_t seconds = time(NULL);
	bool ok;

	if (!mkdtemp(directory) || setenv("UMADRIG_RUN", directory, 1) < 0)
		return false;
	snprintf(path, sizeof(path), "%s/syslog", directory);
	openlog("row", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	setlogmask(LOG_UPTO(LOG_INFO));
	errno = ENOENT;
	syslog(LOG_INFO, "%d: %m\n\n", 7);
	syslog(LOG_DEBUG, "no");
	syslog(LOG_ERR | LOG_USER, "%s", "");
	strftime(at, sizeof(at), "%b %e %T", gmtime(&seconds));
	snprintf(wanted, sizeof(wanted), "%s row[%d]: 7: No such file or directory\n%s row[%d]: \n",
		 at, (int)getpid(), at, (int)getpid());
	ok = strcmp(text_of(path), wanted) == 0;
	setlogmask(LOG_UPTO(LOG_DEBUG));
	closelog();
	unsetenv("UMADRIG_RUN");
	return unlink(path) == 0 && rmdir(directory) == 0 && ok;
}
