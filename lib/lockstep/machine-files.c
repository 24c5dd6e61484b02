/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Files that show the machine: see lib/lockstep/machine-files.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/lockstep/clocks.h"
#include "lib/lockstep/lockstep-chance.h"
#include "lib/lockstep/lockstep-session.h"
#include "lib/lockstep/machine.h"
#include "lib/lockstep/machine-files.h"
#include "lib/lockstep/processes.h"
#include "lib/lockstep/system-call.h"
#include "lib/lockstep/tasks.h"
#include "lib/words/number.h"

enum {
	TEXT_MAX = 8192,
	/* Numbers of the kernel's memory devices. */
	MEMORY_MAJOR = 1, RANDOM_MINOR = 8, URANDOM_MINOR = 9, KMSG_MINOR = 11,
	/* Fields of /proc/PID/stat, from 1 on: proc(5). */
	FIELD_PPID = 4, FIELD_PGRP = 5, FIELD_SESSION = 6, FIELD_TPGID = 8, FIELD_MINFLT = 10,
	FIELD_CSTIME = 17, FIELD_STARTTIME = 22, FIELD_RSS = 24, FIELD_PROCESSOR = 39,
	STATM_RESIDENT = 2, STATM_SHARED = 3,	/* of /proc/PID/statm */
	FIELD_BLKIO = 42, FIELD_CGUEST = 44,
};

/*
 * Of the thread that has the turn; not on the stack, where programs find what they send without
 * having set it.
 */
static char text[TEXT_MAX], source[TEXT_MAX];
static size_t length;

static void __attribute__((format(printf, 1, 2))) add(const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text + length, sizeof(text) - length, format, args);
	va_end(args);
	if (n > 0)
		length += (size_t)n < sizeof(text) - length ? (size_t)n : sizeof(text) - 1 - length;
}

/* ---- of the machine ---- */

static void make_uptime(void)
{
	int64_t cs = (CLOCKS_MONOTONIC_NS + lockstep->now) / (NS_PER_SECOND / 100);

	add("%lld.%02lld %lld.00\n", (long long)cs / 100, (long long)cs % 100,
	    (long long)(CLOCKS_MONOTONIC_NS / NS_PER_SECOND));
}

static void make_loadavg(void)
{
	add("0.00 0.00 0.00 1/%u %u\n", machine_processes(),
	    LOCKSTEP_FIRST_PID + lockstep->processes - 1);
}

/* Before the session it has had nothing to do, and its programs have had all of the time since. */
static void make_stat(void)
{
	const long long busy = lockstep->now / (NS_PER_SECOND / 100);
	const long long idle = CLOCKS_MONOTONIC_NS / (NS_PER_SECOND / 100);

	add("cpu  %lld 0 0 %lld 0 0 0 0 0 0\ncpu0 %lld 0 0 %lld 0 0 0 0 0 0\n", busy, idle, busy,
	    idle);
	add("intr 0\nctxt 0\nbtime %lld\nprocesses %u\nprocs_running 1\nprocs_blocked 0\n"
	    "softirq 0 0 0 0 0 0 0 0 0 0 0\n",
	    (long long)((CLOCKS_REAL_NS - CLOCKS_MONOTONIC_NS) / NS_PER_SECOND),
	    lockstep->processes);
}

static void add_uuid(const uint8_t *b)
{
	for (int i = 0; i < 16; i++)
		add("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		    i == 6 ? (b[i] & 0x0f) | 0x40 : i == 8 ? (b[i] & 0x3f) | 0x80 : b[i]);
	add("\n");
}

static void make_uuid(void)
{
	uint8_t bytes[16];

	chance_fill(bytes, sizeof(bytes));
	add_uuid(bytes);
}

static void make_boot_id(void)
{
	static const char bytes[] = "umadrig, virtual";

	_Static_assert(sizeof(bytes) == 16 + 1, "a UUID has 16 bytes");
	add_uuid((const uint8_t *)bytes);
}

static void make_entropy(void)
{
	add("256\n");
}

/* ---- of a process ---- */

/*
 * As getppid(2) has it: 1 beyond the session. For the kernel the parent of one that another process
 * stands for may be that one.
 */
static long long parent_of(int pid, int parent)
{
	const struct lockstep_slot *slot = session_slot_of(parent);
	int number = processes_sender(slot && slot->stands_for_process == pid ? slot->parent :
									       parent);

	return number ? number : parent > 0;
}

static long long field_of(int pid, int field, long long value)
{
	switch (field) {
	case FIELD_PPID:
		return parent_of(pid, (int)value);
	case FIELD_PGRP:
	case FIELD_SESSION:
	case FIELD_TPGID:
		return value > 0 ? processes_group_to_virtual((int)value) : value;
	case FIELD_STARTTIME:
		return CLOCKS_MONOTONIC_NS / (NS_PER_SECOND / 100);
	case FIELD_RSS:
	case FIELD_PROCESSOR:
		return 0;
	}
	if ((field >= FIELD_MINFLT && field <= FIELD_CSTIME) ||
	    (field >= FIELD_BLKIO && field <= FIELD_CGUEST))
		return 0;
	return value;
}

/* From the kernel's own: numbers are the session's, and nothing tells how long anything took. */
static void make_process_stat(int fd)
{
	long n = CALL_4(SYS_pread64, fd, source, sizeof(source) - 1, 0);
	char *at, *end, *save = NULL;
	uint64_t pid, value;

	source[n > 0 ? n : 0] = '\0';
	at = strchr(source, ' ');
	end = strrchr(source, ')');
	if (!at || !end || strlen(end) < 4 || number_after(source, "", 10, &pid) < 0)
		return;
	end[1] = end[3] = '\0';
	/* It waits for this one, which reads in its place. */
	if ((int)pid == lockstep_self->stands_for_process)
		end[2] = 'R';
	add("%d%s %s", tasks_to_virtual((int)pid), at, end + 2);
	at = strtok_r(end + 4, " \n", &save);
	for (int field = FIELD_PPID; at; field++, at = strtok_r(NULL, " \n", &save)) {
		bool is_negative = *at == '-';

		if (number_after(at + is_negative, "", 10, &value) < 0)
			value = 0;
		if (is_negative || value <= INT64_MAX)
			add(" %lld", field_of((int)pid, field, is_negative ? -(long long)value :
							       (long long)value));
		else
			add(" %llu", (unsigned long long)value);
	}
	add("\n");
}

/* /proc/PID/stat, /proc/PID/task/TID/stat; of "/stat" and other names. */
static bool is_of_process(const char *path, const char *name)
{
	size_t n = strlen(path), own = strlen(name);

	return strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9' && n > own &&
	       strcmp(path + n - own, name) == 0;
}

static bool begins(const char *line, const char *name)
{
	size_t n = strlen(name);

	return strncmp(line, name, n) == 0 && line[n] == ':';
}

static bool is_one_of(const char *line, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (begins(line, names[i]))
			return true;
	}
	return false;
}
#define IS_ONE_OF(line, ...) \
	is_one_of(line, (const char *const[]){ __VA_ARGS__ }, \
		  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

/* The number of a line such as "Pid:\t1000". */
static long long number_in(const char *line)
{
	uint64_t value = 0;

	line = strchr(line, ':');
	if (!line || number_after(line + 1 + strspn(line + 1, " \t"), "", 10, &value) < 0)
		value = 0;
	return (long long)value;
}

/* Numbers are the session's; nothing tells what it has in memory, or how often it has waited. */
static void add_status_line(int pid, const char *line)
{
	int name = (int)strcspn(line, ":");
	long long number = number_in(line);

	if (IS_ONE_OF(line, "Tgid", "Pid", "NStgid", "NSpid"))
		add("%.*s:\t%d\n", name, line, tasks_to_virtual((int)number));
	else if (begins(line, "PPid"))
		add("%.*s:\t%lld\n", name, line, parent_of(pid, (int)number));
	else if (IS_ONE_OF(line, "NSpgid", "NSsid"))
		add("%.*s:\t%d\n", name, line, processes_group_to_virtual((int)number));
	else if (IS_ONE_OF(line, "TracerPid", "Ngid", "voluntary_ctxt_switches",
			   "nonvoluntary_ctxt_switches", "Cpus_allowed_list"))
		add("%.*s:\t0\n", name, line);
	else if (begins(line, "Cpus_allowed"))
		add("%.*s:\t1\n", name, line);
	else if (IS_ONE_OF(line, "VmHWM", "VmRSS", "RssAnon", "RssFile", "RssShmem", "VmPTE",
			   "VmSwap"))
		add("%.*s:\t%8d kB\n", name, line, 0);
	else
		add("%s\n", line);
}

/* Pages: how large it is, its text and data are the program's; what is in memory is not. */
static void make_process_statm(int fd)
{
	long n = CALL_4(SYS_pread64, fd, source, sizeof(source) - 1, 0);
	const char *at = source;
	uint64_t value;

	source[n > 0 ? n : 0] = '\0';
	for (int field = 1; number_take(&at, 10, INT64_MAX, &value) == 0; field++, at++)
		add("%s%llu", field > 1 ? " " : "",
		    field == STATM_RESIDENT || field == STATM_SHARED ? 0ULL :
								     (unsigned long long)value);
	add("\n");
}

static void make_process_status(int fd)
{
	long n = CALL_4(SYS_pread64, fd, source, sizeof(source) - 1, 0);
	const char *own;
	char *save = NULL;
	int pid;

	source[n > 0 ? n : 0] = '\0';
	own = strstr(source, "\nTgid:");
	pid = own ? (int)number_in(own) : 0;
	for (char *line = strtok_r(source, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		add_status_line(pid, line);
}

/* ---- reading ---- */

bool machine_files_may_be(const struct stat *st)
{
	static dev_t proc;

	if (S_ISCHR(st->st_mode))
		return major(st->st_rdev) == MEMORY_MAJOR &&
		       (minor(st->st_rdev) == RANDOM_MINOR || minor(st->st_rdev) == URANDOM_MINOR ||
			minor(st->st_rdev) == KMSG_MINOR);
	/* Files of /proc are on no disk, and have no size. */
	if (!S_ISREG(st->st_mode) || major(st->st_dev) != 0 || st->st_size != 0)
		return false;
	if (proc == 0) {
		struct stat at = { .st_dev = 0 };

		CALL_4(SYS_newfstatat, AT_FDCWD, "/proc", &at, 0);
		proc = at.st_dev;
	}
	return st->st_dev == proc;
}

enum { PATH_ROOM = 64 };	/* of any that counts */

static bool get_path(int fd, char *path)
{
	char name[32];
	long n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = CALL_4(SYS_readlinkat, AT_FDCWD, name, path, PATH_ROOM - 1);
	path[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* False: it is none of those. */
static bool make_text(int fd, const char *path)
{
	static const struct {
		const char *path;
		void (*make)(void);
	} files[] = {
		{ "/proc/uptime", make_uptime }, { "/proc/loadavg", make_loadavg },
		{ "/proc/stat", make_stat }, { "/proc/sys/kernel/random/uuid", make_uuid },
		{ "/proc/sys/kernel/random/boot_id", make_boot_id },
		{ "/proc/sys/kernel/random/entropy_avail", make_entropy },
	};

	length = 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (strcmp(path, files[i].path) == 0) {
			files[i].make();
			return true;
		}
	}
	if (is_of_process(path, "/stat"))
		make_process_stat(fd);
	else if (is_of_process(path, "/statm"))
		make_process_statm(fd);
	else if (is_of_process(path, "/status"))
		make_process_status(fd);
	return length > 0;
}

static long copy_from(long offset, void *bytes, size_t size)
{
	size_t n = offset >= 0 && (size_t)offset < length ? length - (size_t)offset : 0;

	if (n > size)
		n = size;
	memcpy(bytes, text + (n > 0 ? offset : 0), n);
	return (long)n;
}

SESSION_NO_REGISTERS bool machine_files_read(int fd, const struct stat *st, void *bytes,
					      size_t size, long *ret)
{
	char path[PATH_ROOM];
	bool is_mine = true;

	if (S_ISCHR(st->st_mode) && minor(st->st_rdev) == KMSG_MINOR) {
		*ret = -EPERM;		/* see hooked_klogctl() (machine.c) */
	} else if (S_ISCHR(st->st_mode)) {
		chance_fill(bytes, size);
		*ret = (long)size;
	} else if (!get_path(fd, path)) {
		is_mine = false;
	} else if (strcmp(path, "/proc/kmsg") == 0) {
		*ret = -EPERM;		/* as /dev/kmsg of the machine */
	} else if (make_text(fd, path)) {
		long offset = CALL_3(SYS_lseek, fd, 0, SEEK_CUR);

		*ret = offset < 0 ? offset : copy_from(offset, bytes, size);
		if (*ret > 0)
			CALL_3(SYS_lseek, fd, offset + *ret, SEEK_SET);
	} else {
		is_mine = false;
	}
	session_wipe();
	return is_mine;
}

SESSION_NO_REGISTERS static ssize_t hooked_pread(int fd, void *bytes, size_t size, off_t offset)
{
	static SESSION_THREAD struct stat st;
	char path[PATH_ROOM];
	long n;

	if (session_is_on() && CALL_2(SYS_fstat, fd, &st) == 0 && machine_files_may_be(&st)) {
		if (S_ISCHR(st.st_mode) && minor(st.st_rdev) != KMSG_MINOR) {
			chance_fill(bytes, size);
			return (ssize_t)size;
		}
		if (get_path(fd, path) && make_text(fd, path))
			return copy_from(offset, bytes, size);
	}
	n = CALL_4(SYS_pread64, fd, bytes, size, offset);
	return call_result(n);
}

const struct hook machine_files_hooks[] = {
	{ "pread", hooked_pread },
	{ NULL, NULL },
};
