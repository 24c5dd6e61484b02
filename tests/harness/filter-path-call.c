/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Calls of a program that name a path, below a filter whose supervisor answers them: the simulated
 * devices are there, what would show real ones is not, and everything else is as it was.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "harness/filter/file-table.h"
#include "harness/filter/host-view.h"
#include "harness/filter/issm-file.h"
#include "harness/filter/path-call.h"
#include "harness/filter/supervisor.h"
#include "harness/filter/trap-table.h"
#include "tests/rig/filter-below.h"
#include "tests/rig/server-rig.h"

enum { FIRST = FILTER_BELOW_FIRST, END = FILTER_BELOW_END };

#define PORT "/sys/class/infiniband/H1/ports/1"
#define CARD "/sys/devices/pci0000:00/0000:00:1e.7/0000:1e:00.0"
#define DEVICE CARD "/infiniband/H1"

/* ---- a child below a supervisor ---- */

static void begin(struct supervisor *supervisor)
{
	char message[256] = "";

	supervisor->files = file_table_new(supervisor, &umad_backend_attach);
	supervisor->issm = issm_files_new(supervisor);
	g_assert_nonnull(supervisor->files);
	supervisor->views = host_views_new(NULL, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
}

static void end(struct supervisor *supervisor)
{
	host_views_free(supervisor->views);
	issm_files_free(supervisor->issm);
	file_table_free(supervisor->files);
}

/* Runs it below a supervisor, and again as on a kernel where signals end the wait for an answer. */
static void run_test(const void *data)
{
	filter_below_fn *const *run = data;

	for (int waits_interruptibly = 0; waits_interruptibly < 2; waits_interruptibly++)
		filter_below_run(&(struct filter_below){
			.table = &trap_table, .run = *run,
			.waits_interruptibly = waits_interruptibly, .begin = begin, .end = end,
		});
}

/* ---- open ---- */

static bool has_line(int at, const char *path, const char *expected)
{
	char line[256] = "";
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);

	close(fd);
	return n > 0 && strcmp(line, expected) == 0;
}

static int child_opens(void)
{
	int directory = open("/sys/class/infiniband", O_RDONLY | O_DIRECTORY);
	int class = open("/sys/class", O_RDONLY), root = open("/", O_RDONLY), dev, file;

	CHECK(has_line(AT_FDCWD, PORT "/state", "4: ACTIVE\n"));
	CHECK(has_line(AT_FDCWD, "//sys/./class/x/../infiniband/H1/ports/1/lid", "0x1\n"));
	CHECK(has_line(AT_FDCWD, "/proc/self/root" PORT "/state", "4: ACTIVE\n"));
	CHECK(directory >= FIRST && class >= FIRST && root >= FIRST);
	CHECK(has_line(directory, "H1/ports/1/state", "4: ACTIVE\n"));
	CHECK(has_line(directory, "../infiniband_mad/umad0/ibdev", "H1\n"));
	CHECK(has_line(class, "infiniband_mad/umad0/port", "1\n"));
	CHECK(has_line(root, "sys/class/infiniband_mad/umad0/port", "1\n"));
	CHECK(has_line(class, "../dev/char/231:0/ibdev", "H1\n"));
	/* Out of what the kernel need not have. */
	CHECK(has_line(AT_FDCWD, "/dev/infiniband/../../proc/sys/kernel/ostype", "Linux\n"));
	CHECK(access("/dev/infiniband/..", R_OK) == 0);
	CHECK(access("/dev/infiniband/../null", R_OK) == 0);
	dev = openat(root, "dev", O_RDONLY);
	CHECK(dev >= FIRST);
	file = openat(dev, "infiniband/umad0", O_RDWR);
	CHECK(file >= FIRST && close(file) == 0);
	file = open("/dev/char/231:0", O_RDWR);
	CHECK(file >= FIRST && close(file) == 0);
	file = openat(dev, "infiniband/issm0", O_RDONLY);
	CHECK(file >= FIRST);
	CHECK(openat(dev, "infiniband/issm0", O_RDONLY | O_NONBLOCK) < 0 && errno == EAGAIN);
	file = open(PORT "/lid", O_RDONLY);
	CHECK(file >= 0 && file < FIRST && (fcntl(file, F_GETFD) & FD_CLOEXEC) == 0);
	file = open(PORT "/lid", O_RDONLY | O_CLOEXEC);
	CHECK(file >= 0 && (fcntl(file, F_GETFD) & FD_CLOEXEC));
	return 0;
}

static int child_open_errors(void)
{
	int directory = open("/sys/class/infiniband", O_RDONLY);

	CHECK(fails_with(open("/sys/class/infiniband/H2", O_RDONLY), ENOENT));
	CHECK(fails_with(open("/sys/class/infiniband_cm", O_RDONLY), ENOENT));
	CHECK(fails_with(open("/dev/infiniband/uverbs7", O_RDWR), ENOENT));
	CHECK(fails_with(open("/dev/infiniband/umad7", O_RDWR), ENOENT));
	CHECK(fails_with(open("/dev/infiniband/umad0/x", O_RDWR), ENOTDIR));
	CHECK(fails_with(open("/dev/infiniband/umad0", O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST));
	CHECK(fails_with(open("/dev/infiniband/mine", O_RDWR | O_CREAT, 0600), EACCES));
	CHECK(fails_with(open(PORT "/state/", O_RDONLY), ENOTDIR));
	CHECK(fails_with(open(PORT "/state", O_RDONLY | O_DIRECTORY), ENOTDIR));
	CHECK(fails_with(open(PORT "/state", O_WRONLY), EACCES));
	CHECK(fails_with(open(PORT "/state", O_RDONLY | O_TRUNC), EACCES));
	CHECK(fails_with(open(PORT "/mine", O_RDWR | O_CREAT, 0600), EACCES));
	CHECK(fails_with(open(PORT, O_RDWR), EISDIR));
	CHECK(fails_with(openat(directory, "H1/ports/1/state", O_WRONLY), EACCES));
	CHECK(fails_with(openat(FIRST + 40, "H1", O_RDONLY), EBADF));
	CHECK(fails_with(open("", O_RDONLY), ENOENT));
	CHECK(fails_with(syscall(SYS_openat, AT_FDCWD, 1, O_RDONLY), EFAULT));
	CHECK(fails_with(open("/", O_WRONLY), EISDIR));
	return 0;
}

static int open_with(int dirfd, const char *path, uint64_t flags, uint64_t resolve)
{
	struct open_how how = { .flags = flags, .resolve = resolve };

	return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof(how));
}

static int child_openat2(void)
{
	int directory = open("/sys/class/infiniband", O_RDONLY), device = open(DEVICE, O_RDONLY);
	struct open_how how = { .flags = O_RDONLY };
	struct {
		struct open_how how;
		uint64_t more[2];
	} longer = { .how = { .flags = O_RDONLY } };
	static char page[4096 + sizeof(how)];
	struct stat st;
	int link;

	CHECK(open_with(AT_FDCWD, PORT, O_RDONLY, 0) >= FIRST);
	CHECK(open_with(device, "/ports/1", O_RDONLY, RESOLVE_IN_ROOT) >= FIRST);
	CHECK(open_with(device, "../../ports/1", O_RDONLY, RESOLVE_IN_ROOT) >= FIRST);
	CHECK(open_with(directory, "H1/ports", O_RDONLY, 0) >= FIRST);
	CHECK(fails_with(open_with(directory, "H1/ports", O_RDONLY, RESOLVE_IN_ROOT), ENOENT));
	CHECK(fails_with(open_with(directory, "H1/ports", O_RDONLY, RESOLVE_BENEATH), EXDEV));
	CHECK(fails_with(open_with(directory, "H1/ports", O_RDONLY, RESOLVE_NO_SYMLINKS), ELOOP));
	CHECK(fails_with(open_with(directory, "H1", O_RDONLY | O_NOFOLLOW, 0), ELOOP));
	link = open_with(directory, "H1", O_PATH | O_NOFOLLOW, 0);
	CHECK(link >= FIRST);
	CHECK(fstat(link, &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(fails_with(open_with(directory, "H1", O_PATH | O_NOFOLLOW | O_DIRECTORY, 0),
			 ENOTDIR));
	CHECK(fails_with(open_with(directory, PORT, O_RDONLY, RESOLVE_BENEATH), EXDEV));
	CHECK(fails_with(open_with(directory, "H1/state", O_RDONLY, 0), ENOENT));
	CHECK(fails_with(syscall(SYS_openat2, directory, "H1", &how, 8), EINVAL));
	CHECK(syscall(SYS_openat2, AT_FDCWD, PORT, &longer, sizeof(longer)) >= FIRST);
	longer.more[1] = 1;
	CHECK(fails_with(syscall(SYS_openat2, AT_FDCWD, PORT, &longer, sizeof(longer)), E2BIG));
	CHECK(fails_with(syscall(SYS_openat2, AT_FDCWD, PORT, page, sizeof(page)), E2BIG));
	return 0;
}

/* ---- stat ---- */

static bool is_device(const struct stat *st, unsigned int minor_number)
{
	return st->st_mode == (S_IFCHR | 0600) && st->st_rdev == makedev(231, minor_number);
}

static int child_stats(void)
{
	int directory = open("/dev/infiniband", O_RDONLY), named, opened;
	struct statx stx;
	struct stat st;
	char link[64];

	CHECK(directory >= FIRST);
	CHECK(stat("/dev/infiniband/umad0", &st) == 0 && is_device(&st, 0));
	CHECK(lstat("/dev/infiniband/issm0", &st) == 0 && is_device(&st, 64));
	CHECK(fstatat(directory, "umad0", &st, AT_SYMLINK_NOFOLLOW) == 0 && is_device(&st, 0));
	CHECK(statx(directory, "issm0", 0, STATX_BASIC_STATS, &stx) == 0);
	CHECK(stx.stx_mode == (S_IFCHR | 0600) && stx.stx_rdev_major == 231 &&
	      stx.stx_rdev_minor == 64);
	CHECK(stat(PORT "/state", &st) == 0 && S_ISREG(st.st_mode));
	CHECK(stat("/sys/class/infiniband", &st) == 0 && S_ISDIR(st.st_mode));
	CHECK(fstat(directory, &st) == 0 && S_ISDIR(st.st_mode));
	CHECK(statx(directory, "", AT_EMPTY_PATH, STATX_TYPE, &stx) == 0 && S_ISDIR(stx.stx_mode));
	/* A handle of the name is said to be the device, and opens nothing. */
	named = open("/dev/infiniband/umad0", O_PATH);
	CHECK(named >= FIRST && fstat(named, &st) == 0 && is_device(&st, 0));
	CHECK(statx(named, "", AT_EMPTY_PATH, STATX_TYPE, &stx) == 0 && stx.stx_rdev_minor == 0);
	opened = open("/dev/infiniband/umad0", O_RDWR);
	CHECK(opened >= FIRST && fstat(opened, &st) == 0 && is_device(&st, 0));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", opened);
	CHECK(stat(link, &st) == 0 && is_device(&st, 0));
	CHECK(open(link, O_RDWR) > opened);
	CHECK(fails_with(stat("/dev/infiniband/umad1", &st), ENOENT));
	CHECK(fails_with(stat("/sys/class/infiniband_cm/abi_version", &st), ENOENT));
	CHECK(fails_with(stat(PORT "/state/x", &st), ENOTDIR));
	CHECK(fails_with(stat("/sys/class/infiniband", (void *)1), EFAULT));
	CHECK(fails_with(syscall(SYS_newfstatat, AT_FDCWD, PORT, &st, 0x40000000), EINVAL));
	return 0;
}

/* ---- other looks ---- */

static int child_looks(void)
{
	char text[PATH_MAX], link[64];
	int directory = open("/sys/class/infiniband/H1", O_RDONLY);
	struct statfs st;
	ssize_t n;

	CHECK(access(PORT "/state", R_OK) == 0);
	CHECK(access("/dev/infiniband/umad0", R_OK | W_OK) == 0);
	CHECK(access("/dev/infiniband/uverbs0", R_OK | W_OK) == 0);
	CHECK(fails_with(access("/dev/infiniband/uverbs1", F_OK), ENOENT));
	CHECK(fails_with(access(PORT "/state", X_OK), EACCES));
	CHECK(faccessat(directory, "ports/1", X_OK, 0) == 0);
	CHECK(faccessat(directory, "ports/1", X_OK, AT_EACCESS) == 0);
	CHECK(syscall(SYS_faccessat2, directory, "ports/1", X_OK, AT_EACCESS) == 0);
	CHECK(fails_with(syscall(SYS_faccessat2, directory, "ports/9", F_OK, 0), ENOENT));
	CHECK(fails_with(readlink("/sys/class/infiniband", text, sizeof(text)), EINVAL));
	CHECK(fails_with(readlinkat(directory, "gone", text, sizeof(text)), ENOENT));
	snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
	n = readlink(link, text, sizeof(text));
	CHECK(n == (ssize_t)strlen(DEVICE) && memcmp(text, DEVICE, (size_t)n) == 0);
	CHECK(readlink(link, text, 4) == 4);
	n = readlink("/sys/class/infiniband/H1", text, sizeof(text));
	CHECK(n == (ssize_t)strlen(DEVICE) + 1 && memcmp(text, "../..", 5) == 0);
	CHECK(memcmp(text + 5, &DEVICE[4], (size_t)n - 5) == 0);
	CHECK(readlink("/sys/class/infiniband/H1/device", text, sizeof(text)) > 0);
	CHECK(fails_with(readlink("/sys/class/infiniband/H1/", text, sizeof(text)), EINVAL));
	CHECK(realpath("/sys/class/infiniband_mad/umad0/device/driver", text) &&
	      strcmp(text, "/sys/bus/pci/drivers/mlx5_core") == 0);
	CHECK(fails_with(getxattr("/sys/class/infiniband", "user.x", text, 8), ENODATA));
	CHECK(fails_with(lgetxattr(PORT, "user.x", text, 8), ENODATA));
	CHECK(listxattr(PORT "/state", text, sizeof(text)) == 0);
	CHECK(fails_with(listxattr(PORT "/gone", text, sizeof(text)), ENOENT));
	CHECK(llistxattr("/sys/class/infiniband/H1", text, sizeof(text)) == 0);
	CHECK(statfs(PORT, &st) == 0 && st.f_type == SYSFS_MAGIC);
	CHECK(statfs("/dev/infiniband", &st) == 0 && st.f_type == TMPFS_MAGIC);
	CHECK(inotify_add_watch(inotify_init1(0), PORT "/lid", IN_MODIFY) >= 0 || errno == EACCES);
	return 0;
}

static void *watch(void *ret)
{
	*(bool *)ret = inotify_add_watch(inotify_init1(0), PORT "/lid", IN_MODIFY) >= 0;
	return NULL;
}

/* What the first thread of a program may watch each may. */
static int child_watches_in_thread(void)
{
	bool first = false, other = false;
	pthread_t thread;

	watch(&first);
	CHECK(pthread_create(&thread, NULL, watch, &other) == 0);
	CHECK(pthread_join(thread, NULL) == 0 && other == first);
	return 0;
}

/* ---- directories ---- */

/* The names of a directory, and that d_type is right. */
static unsigned int count_names(const char *path, const char *name, unsigned char type)
{
	DIR *dir = opendir(path);
	unsigned int count = 0;

	for (const struct dirent *entry; dir && (entry = readdir(dir));)
		count += strcmp(entry->d_name, name) == 0 &&
			 (entry->d_type == type || entry->d_type == DT_UNKNOWN);
	if (dir)
		closedir(dir);
	return count;
}

static int child_lists(void)
{
	char node[PATH_MAX];
	struct stat st;
	bool is_exact;

	CHECK(count_names("/sys/class/infiniband", "H1", DT_LNK) == 1);
	CHECK(count_names("/sys/class/infiniband/H1/device", "infiniband_mad", DT_DIR) == 1);
	CHECK(count_names("/sys/module", "ib_umad", DT_DIR) == 1);
	CHECK(count_names("/sys/bus/pci/devices", "0000:1e:00.0", DT_LNK) == 1);
	CHECK(count_names("/sys/class", "infiniband_mad", DT_DIR) == 1);
	CHECK(count_names("/sys/class", "net", DT_DIR) == 1);
	CHECK(count_names("/sys/class", "infiniband_verbs", DT_DIR) == 1);
	CHECK(count_names("/sys/class", "infiniband_cm", DT_DIR) == 0);
	/* Where a device of no number may be made. */
	snprintf(node, sizeof(node), "%s/umadrig-node-%d", g_get_tmp_dir(), (int)getpid());
	is_exact = mknod(node, S_IFCHR, 0) == 0;
	unlink(node);
	CHECK(count_names("/dev/infiniband", "umad0", is_exact ? DT_CHR : DT_REG) == 1);
	CHECK(stat("/sys/class/net", &st) == 0);
	return 0;
}

static int child_changes_directory(void)
{
	char text[PATH_MAX], before[PATH_MAX];
	struct stat st, there;

	CHECK(getcwd(before, sizeof(before)));
	CHECK(chdir("/sys/class/infiniband") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys/class/infiniband") == 0);
	CHECK(syscall(SYS_getcwd, text, sizeof(text)) == (long)sizeof("/sys/class/infiniband"));
	CHECK(fails_with(syscall(SYS_getcwd, text, 5), ERANGE));
	CHECK(fails_with(syscall(SYS_getcwd, 1, sizeof(text)), EFAULT));
	CHECK(has_line(AT_FDCWD, "H1/ports/1/state", "4: ACTIVE\n"));
	CHECK(fails_with(open("H1/ports/1/state", O_WRONLY), EACCES));
	CHECK(readlink("/proc/self/cwd", text, sizeof(text)) > 0);
	CHECK(memcmp(text, "/sys/class/infiniband", strlen("/sys/class/infiniband")) == 0);
	CHECK(chdir("H1/ports") == 0 && chdir("1") == 0);
	CHECK(has_line(AT_FDCWD, "lid", "0x1\n"));
	CHECK(has_line(AT_FDCWD, "../../../../infiniband_mad/umad0/ibdev", "H1\n"));
	CHECK(chdir("../../../..") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, CARD) == 0);
	CHECK(has_line(AT_FDCWD, "driver/0000:1e:00.0/vendor", "0x15b3\n"));
	CHECK(chdir("subsystem") == 0 && chdir("../../class") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys/class") == 0);
	/* Real files, from a directory of ours. */
	CHECK(stat("net", &st) == 0 && stat("/sys/class/net", &there) == 0);
	CHECK(st.st_ino == there.st_ino && st.st_dev == there.st_dev);
	CHECK(access("net/lo/mtu", R_OK) == 0);
	CHECK(open("net", O_RDONLY) >= 0);
	CHECK(chdir("net") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys/class/net") == 0);
	CHECK(chdir("/sys/class") == 0 && chdir("..") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys") == 0);
	CHECK(has_line(AT_FDCWD, "class/infiniband_mad/umad0/ibdev", "H1\n"));
	CHECK(chdir("/dev/infiniband") == 0);
	CHECK(stat("umad0", &st) == 0 && is_device(&st, 0));
	CHECK(fails_with(chdir("umad0"), ENOTDIR));
	CHECK(fails_with(chdir("umad1"), ENOENT));
	CHECK(fails_with(chdir("/sys/class/infiniband_cm"), ENOENT));
	CHECK(chdir(before) == 0);
	return 0;
}

/* Where a process may have few descriptors, or none any more. */
static int child_has_few_descriptors(void)
{
	struct rlimit limit = { 64, 64 };
	char text[PATH_MAX];

	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	CHECK(chdir("/sys/class/infiniband") == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys/class/infiniband") == 0);
	CHECK(open(PORT, O_RDONLY) >= 0);
	limit.rlim_cur = 0;
	CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	for (int i = 0; i < 20; i++)
		CHECK(fails_with(chdir(PORT), ENOMEM));
	CHECK(fails_with(open(PORT, O_RDONLY), EMFILE));
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, "/sys/class/infiniband") == 0);
	return 0;
}

static volatile sig_atomic_t alarms;

static void on_alarm(int sig)
{
	(void)sig;
	alarms = alarms + 1;
}

/* Signals neither stop a change of directory nor get lost by it. */
static int child_is_interrupted(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	char text[PATH_MAX];
	int lowest;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 200; i++) {
		CHECK(chdir(i % 2 ? PORT : "/sys/class/infiniband") == 0);
		CHECK(getcwd(text, sizeof(text)));
		CHECK(strcmp(text, i % 2 ? DEVICE "/ports/1" : "/sys/class/infiniband") == 0);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK(alarms > 0);
	/* Nothing was left open on the way. */
	lowest = open("/dev/null", O_RDONLY);
	CHECK(lowest >= 0 && lowest < 16);
	for (int fd = FIRST; fd < END; fd++)
		CHECK(fcntl(fd, F_GETFD) < 0);
	return 0;
}

/* A traced process cannot change to such a directory; it is told so. */
static int child_is_traced(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		if (!fails_with(chdir("/sys/class/infiniband"), EACCES))
			_exit(1);
		_exit(chdir("/") == 0 ? 0 : 2);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	CHECK(ptrace(PTRACE_CONT, pid, 0, 0) == 0);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status) == 0 ? 0 : __LINE__;
}

static void *enter_in_thread(void *data)
{
	int *ret = data;

	*ret = chdir("/sys/class/infiniband/H1");
	return NULL;
}

/* The directory is the process's, whichever thread changes it; the status of children arrives. */
static int child_has_threads(void)
{
	pthread_t thread;
	char text[PATH_MAX];
	int ret = -1, status;
	pid_t pid;

	CHECK(pthread_create(&thread, NULL, enter_in_thread, &ret) == 0);
	CHECK(pthread_join(thread, NULL) == 0 && ret == 0);
	CHECK(getcwd(text, sizeof(text)) && strcmp(text, DEVICE) == 0);
	pid = fork();
	if (pid == 0)
		_exit(chdir("ports/1") == 0 && has_line(AT_FDCWD, "lid", "0x1\n") ? 7 : 1);
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	return 0;
}

static void *enter_for_ever(void *data)
{
	(void)data;
	for (unsigned int i = 0; ; i++)
		if (chdir(i % 2 ? PORT : "/sys/class/infiniband") < 0)
			_exit(1);
	return NULL;
}

/*
 * A process that is killed, ends, or becomes another program at any point of a change of directory:
 * its parent gets its status.
 */
static int child_is_killed(void)
{
	enum { KILLED, ENDS, EXECS, WAYS };

	for (int i = 0; i < 20 * WAYS; i++) {
		const struct timespec while_it_changes = { 0, 500000 + 100000 * i };
		int status, way = i % WAYS;
		pthread_t thread;
		pid_t pid = fork();

		if (pid == 0) {
			pthread_create(&thread, NULL, enter_for_ever, NULL);
			if (way == KILLED)
				enter_for_ever(NULL);
			nanosleep(&while_it_changes, NULL);
			if (way == EXECS)
				execl("/bin/sh", "sh", "-c", "exit 3", NULL);
			_exit(3);
		}
		nanosleep(&while_it_changes, NULL);
		if (way == KILLED)
			kill(pid, SIGKILL);
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(way == KILLED ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL :
		      WIFEXITED(status) && WEXITSTATUS(status) == 3);
	}
	return 0;
}

static const struct {
	const char *name;
	filter_below_fn *run;
} tests[] = {
	{ "/filter-path-call/opens", child_opens },
	{ "/filter-path-call/open-errors", child_open_errors },
	{ "/filter-path-call/openat2", child_openat2 },
	{ "/filter-path-call/stats", child_stats },
	{ "/filter-path-call/looks", child_looks },
	{ "/filter-path-call/watches-in-thread", child_watches_in_thread },
	{ "/filter-path-call/lists", child_lists },
	{ "/filter-path-call/changes-directory", child_changes_directory },
	{ "/filter-path-call/has-few-descriptors", child_has_few_descriptors },
	{ "/filter-path-call/is-interrupted", child_is_interrupted },
	{ "/filter-path-call/is-traced", child_is_traced },
	{ "/filter-path-call/has-threads", child_has_threads },
	{ "/filter-path-call/is-killed", child_is_killed },
};

int main(int argc, char **argv)
{
	struct server_rig rig;
	int ret;

	g_test_init(&argc, &argv, NULL);
	rig = server_rig_start("", "H1");
	/* The calling thread's connection belongs to the library, and ends with the process. */
	leak_begin();
	for (size_t i = 0; i < G_N_ELEMENTS(tests); i++)
		g_test_add_data_func(tests[i].name, &tests[i].run, run_test);
	ret = leak_end(g_test_run());
	server_rig_end(&rig);
	return ret;
}
