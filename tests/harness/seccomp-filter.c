/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A filter and its supervisor: calls of a child are stopped, and answered here.
 */
#include "config.h"

#include "harness/filter/seccomp-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/filter/memory.h"
#include "harness/filter/supervisor.h"
#include "harness/filter/trap-table.h"
#include "lib/base/monotonic.h"
#include "lib/base/umad-command.h"
#include "tests/rig/filter-below.h"
#include "tests/rig/leak.h"

enum { FIRST = FILTER_BELOW_FIRST, END = FILTER_BELOW_END, NO_SUCH_FD = FIRST + 7 };

/* As a loop does that the supervisor is part of. */
static void step(struct supervisor *supervisor)
{
	struct pollfd fds[SUPERVISOR_FDS];

	supervisor_fds(supervisor, fds);
	if (poll(fds, SUPERVISOR_FDS, -1) > 0)
		supervisor_serve(supervisor, fds);
}

static void run(const struct trap_table *table, filter_below_fn *program)
{
	filter_below_run(&(struct filter_below){ .table = table, .run = program, .step = step });
}

/* ---- answers ---- */

static long answer_number(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	(void)supervisor, (void)call;
	filter_below_shared->number++;
	return INT64_C(0x123456789);
}

static long answer_errno(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	g_assert_true(listener_is_waiting(supervisor->listener, call));
	listener_answer(supervisor->listener, call, -EXDEV);
	g_assert_false(listener_is_waiting(supervisor->listener, call));
	return CALL_ANSWERED;
}

static long let_pass(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	(void)supervisor, (void)call;
	filter_below_shared->number++;
	return CALL_GOES_ON;
}

/* A pipe with a letter in it: placed at END - 1, and given at FIRST, or at the lowest number. */
static long give_pipe(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	int ends[2], number = (int)call->data.args[0];

	g_assert_cmpint(pipe2(ends, O_CLOEXEC), ==, 0);
	g_assert_cmpint(write(ends[1], "x", 1), ==, 1);
	g_assert_cmpint(listener_place(supervisor->listener, call, ends[0], END - 1, false), ==,
			END - 1);
	g_assert_cmpint(listener_give(supervisor->listener, call, -1, number, true), ==, -EBADF);
	g_assert_cmpint(listener_give(supervisor->listener, call, ends[0], number, true), >=, 0);
	close(ends[0]);
	close(ends[1]);
	return CALL_ANSWERED;
}

enum { TEXT_MAX = 1000 };

/* Turns a text of the program's memory round. */
static long reverse_text(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	char text[TEXT_MAX];
	int ret = memory_read_text((pid_t)call->pid, call->data.args[0], text, sizeof(text));

	(void)supervisor;
	if (ret == 0) {
		g_strreverse(text);
		ret = memory_write((pid_t)call->pid, call->data.args[0], text, strlen(text));
	}
	return ret;
}

static const struct trap answering[] = {
	{ SYS_getppid, TRAP_ALWAYS, .handle = answer_number },
	{ SYS_getpgid, TRAP_ALWAYS, .handle = answer_errno },
	{ SYS_getsid, TRAP_ALWAYS, .handle = let_pass },
	{ SYS_getpriority, TRAP_ALWAYS, .handle = give_pipe },
	{ SYS_sethostname, TRAP_ALWAYS, .handle = reverse_text },
};
static const struct trap_table answering_table = { answering, G_N_ELEMENTS(answering) };

static int see_answers(void)
{
	CHECK(syscall(SYS_getppid) == 0x123456789);
	CHECK(fails_with(syscall(SYS_getpgid, 0), EXDEV));
	/* 0: the session's leader is in another PID namespace. */
	CHECK(syscall(SYS_getsid, 0) == getsid(0) && getsid(0) >= 0);
	return 0;
}

static void test_answers(void)
{
	run(&answering_table, see_answers);
	g_assert_cmpint(filter_below_shared->number, ==, 4);
}

static int see_descriptors(void)
{
	char letter;

	CHECK(syscall(SYS_getpriority, FIRST) == FIRST);
	CHECK(fcntl(FIRST, F_GETFD) == FD_CLOEXEC && fcntl(END - 1, F_GETFD) == 0);
	CHECK(read(FIRST, &letter, 1) == 1 && letter == 'x');
	CHECK(close(FIRST) == 0);
	CHECK(syscall(SYS_getpriority, -1) < FIRST);
	return 0;
}

static void test_descriptors(void)
{
	run(&answering_table, see_descriptors);
}

static int see_memory(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);
	char *text = pages + page - 4;

	CHECK(munmap(pages + page, page) == 0);
	strcpy(text, "abc");
	CHECK(syscall(SYS_sethostname, text) == 0 && strcmp(text, "cba") == 0);
	/* Its end is where nothing is mapped. */
	memcpy(text, "abcd", 4);
	CHECK(fails_with(syscall(SYS_sethostname, text), EFAULT));
	memset(pages, 'x', page);
	CHECK(fails_with(syscall(SYS_sethostname, pages), ENAMETOOLONG));
	CHECK(fails_with(syscall(SYS_sethostname, NULL), EFAULT));
	pages[0] = '\0';
	CHECK(syscall(SYS_sethostname, pages) == 0);
	return 0;
}

/* Texts that are read in one piece and in several, before the end of what is mapped. */
static int see_lengths(void)
{
	static const size_t lengths[] = { 0, 1, 254, 255, 256, 257, 511, 998, 999 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);
	char there[TEXT_MAX], back[TEXT_MAX];

	CHECK(munmap(pages + 2 * page, page) == 0);
	for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
		size_t length = lengths[i];
		char *at_end = pages + 2 * page - length - 1;
		char *at_border = pages + page - length / 2;

		for (size_t j = 0; j < length; j++)
			there[j] = back[length - 1 - j] = (char)('a' + j % 26);
		there[length] = back[length] = '\0';
		strcpy(at_end, there);
		CHECK(syscall(SYS_sethostname, at_end) == 0 && strcmp(at_end, back) == 0);
		strcpy(at_border, there);
		CHECK(syscall(SYS_sethostname, at_border) == 0 && strcmp(at_border, back) == 0);
	}
	return 0;
}

static void test_memory(void)
{
	run(&answering_table, see_lengths);
	run(&answering_table, see_memory);
}

/* ---- which calls are stopped ---- */

static const struct trap conditional[] = {
	{ SYS_dup, TRAP_HIGH, .handle = answer_number },
	{ SYS_openat, TRAP_HIGH, .handle = let_pass },
	{ SYS_fcntl, TRAP_HIGH_DUP, .handle = answer_number },
	{ SYS_ioctl, TRAP_UMAD_COMMAND, .handle = answer_number },
};
static const struct trap_table conditional_table = { conditional, G_N_ELEMENTS(conditional) };

static int see_conditions(void)
{
	const long trapped = 0x123456789;
	int fd = open("/dev/null", O_RDONLY);

	CHECK(fd >= 0 && filter_below_shared->number == 1);
	CHECK(syscall(SYS_openat, fd, "x", O_RDONLY) == -1 && filter_below_shared->number == 1);
	CHECK(syscall(SYS_dup, FIRST) == trapped);
	CHECK(syscall(SYS_dup, UINT64_C(0xffff00000000) + FIRST) == trapped);
	CHECK(fails_with(syscall(SYS_dup, FIRST - 1), EBADF));
	CHECK(syscall(SYS_fcntl, FIRST, F_DUPFD, 0) == trapped);
	CHECK(syscall(SYS_fcntl, FIRST, F_DUPFD_CLOEXEC, 0) == trapped);
	CHECK(fails_with(syscall(SYS_fcntl, FIRST, F_GETFL), EBADF));
	CHECK(fails_with(syscall(SYS_fcntl, FIRST - 1, F_DUPFD, 0), EBADF));
	CHECK(syscall(SYS_ioctl, FIRST, 0) == trapped);
	CHECK(fails_with(syscall(SYS_ioctl, fd, 0), ENOTTY));
	CHECK(syscall(SYS_ioctl, fd, UMAD_COMMAND_REGISTER_AGENT) == trapped);
	CHECK(syscall(SYS_ioctl, fd, UMAD_COMMAND_UNREGISTER_AGENT) == trapped);
	CHECK(syscall(SYS_ioctl, fd, UMAD_COMMAND_ENABLE_PKEY) == trapped);
	CHECK(syscall(SYS_ioctl, fd, UMAD_COMMAND_REGISTER_AGENT2) == trapped);
	return 0;
}

static void test_conditions(void)
{
	run(&conditional_table, see_conditions);
}

#ifdef __x86_64__
static long call_32bit(long number)
{
	long ret;

	__asm__ volatile ("int $0x80" : "=a" (ret) : "a" (number) : "memory");
	return ret;
}

/* Where a kernel for x86-64 has none of those, it is a fault. */
static bool has_32bit_calls;

static void look_for_32bit_calls(void)
{
	int status;
	pid_t pid = fork();

	g_assert_cmpint(pid, >=, 0);
	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		call_32bit(20);		/* getpid */
		_exit(0);
	}
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	has_32bit_calls = WIFEXITED(status);
	if (!has_32bit_calls)
		g_test_message("this kernel has no calls of 32-bit programs");
}
#endif

/* How calls end that the filter lets through: a container's own may refuse them. */
static struct passed {
	int setns, umount;
} passed;

static int errno_of(long result)
{
	return result == -1 ? errno : 0;
}

static void look_for_passed(void)
{
	passed = (struct passed){
		.setns = errno_of(setns(-1, CLONE_NEWNET)),
		.umount = errno_of(umount2("/no such directory", 0)),
	};
	g_assert_cmpint(passed.setns, !=, 0);
	g_assert_cmpint(passed.umount, !=, 0);
}

static int see_refusals(void)
{
	char parameters[120] = "";
	int fd;

	CHECK(fails_with(syscall(SYS_io_uring_setup, 1, parameters), ENOSYS));
	CHECK(fails_with(syscall(SYS_io_uring_enter, 0, 0, 0, 0, NULL, 0), ENOSYS));
	CHECK(fails_with(syscall(SYS_io_uring_register, 0, 0, NULL, 0), ENOSYS));
	CHECK(fails_with(socket(AF_NETLINK, SOCK_RAW, NETLINK_RDMA), EPROTONOSUPPORT));
	CHECK(fails_with(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_RDMA),
			 EPROTONOSUPPORT));
	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	CHECK(fd >= 0);
	close(fd);
	/* Protocol 20 of other families is none of ours. */
	CHECK(fails_with(socket(AF_UNIX, SOCK_STREAM, NETLINK_RDMA), EPROTONOSUPPORT));
	for (unsigned int minor = 0; minor < 256; minor += 51) {
		CHECK(fails_with(mknod("/none/such", S_IFCHR | 0600, makedev(231, minor)), EPERM));
		CHECK(fails_with(mknodat(AT_FDCWD, "/none/such", S_IFCHR | 0600,
					 makedev(231, minor)), EPERM));
	}
	CHECK(fails_with(mknod("/none/such", S_IFIFO | 0600, 0), ENOENT));
	CHECK(fails_with(mknod("/none/such", S_IFCHR | 0600, makedev(231, 256)), ENOENT));
	CHECK(fails_with(syscall(SYS_open_by_handle_at, -1, NULL, 0), EPERM));
	CHECK(fails_with(setns(-1, 0), EPERM) && fails_with(setns(-1, CLONE_NEWNS), EPERM));
	CHECK(fails_with(setns(-1, CLONE_NEWNET), passed.setns));
	CHECK(fails_with(umount2("/sys/class/infiniband/", MNT_DETACH),
			 passed.umount == EPERM ? EPERM : EINVAL));
	CHECK(fails_with(umount2("/no such directory", 0), passed.umount));
#ifdef __x86_64__
	CHECK(fails_with(syscall(0x40000000 + SYS_getpid), ENOSYS));
	CHECK(fails_with(syscall(-1), ENOSYS));
	CHECK(!has_32bit_calls || call_32bit(20) == -ENOSYS);
#endif
	return 0;
}

static void test_refusals(void)
{
#ifdef __x86_64__
	look_for_32bit_calls();
#endif
	look_for_passed();
	run(&trap_table, see_refusals);
}

/* No call stands in the table twice: the second row would never count. */
static void test_table(void)
{
	for (size_t i = 0; i < trap_table.count; i++) {
		const struct trap *trap = &trap_table.traps[i];
		bool is_refused = trap->when >= TRAP_REFUSE;

		g_assert_cmpint(trap->number, <, TRAP_NUMBER_MAX);
		g_assert_true(is_refused ? !trap->handle && trap->refusal > 0 :
					   trap->handle && trap->refusal == 0);
		for (size_t j = 0; j < i; j++)
			g_assert_cmpint(trap_table.traps[j].number, !=, trap->number);
	}
}

/* ---- signals ---- */

enum { CALLS = 2000, SWEEP_NS = 20000 };

static volatile sig_atomic_t signals_seen;

static void count_signal(int sig)
{
	(void)sig;
	signals_seen++;
}

static void spin(int64_t ns)
{
	int64_t end = monotonic_ns() + ns;

	while (monotonic_ns() < end)
		;
}

/*
 * Something that must be done once, for long enough that a signal comes now and then. Another one
 * is there at just about the time of the answer: where the thread is woken by both, which of them
 * ends its wait is decided within a microsecond.
 */
static long do_once(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct timespec work = { .tv_nsec = 50000 };
	int number;

	if (!listener_begin_once(supervisor->listener, call))
		return CALL_GOES_ON;
	number = ++filter_below_shared->number;
	nanosleep(&work, NULL);
	kill((pid_t)call->pid, SIGALRM);
	spin(INT64_C(997) * number % SWEEP_NS);
	return number;
}

static const struct trap once[] = {
	{ SYS_getppid, TRAP_ALWAYS, .handle = do_once },
};
static const struct trap_table once_table = { once, G_N_ELEMENTS(once) };

/* Each call has a result of its own, whether it was made again by the kernel or by us. */
static int call_under_signals(int flags)
{
	struct sigaction count = { .sa_handler = count_signal, .sa_flags = flags };
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };

	sigaction(SIGALRM, &count, NULL);
	CHECK(setitimer(ITIMER_REAL, &often, NULL) == 0);
	for (int i = 1; i <= CALLS; i++) {
		long number;

		do {
			number = syscall(SYS_getppid);
		} while (number < 0 && errno == EINTR && flags == 0);
		CHECK(number == i);
	}
	/* Otherwise this would have shown nothing. */
	CHECK(signals_seen > 0);
	return 0;
}

static int call_with_restarts(void)
{
	return call_under_signals(SA_RESTART);
}

static int call_without_restarts(void)
{
	return call_under_signals(0);
}

static void run_under_signals(filter_below_fn *program, bool interruptibly)
{
	filter_below_run(&(struct filter_below){
		.table = &once_table, .run = program,
		.step = step, .waits_interruptibly = interruptibly,
	});
	g_assert_cmpint(filter_below_shared->number, ==, CALLS);
}

static void test_signals(const void *interruptibly)
{
	run_under_signals(call_with_restarts, GPOINTER_TO_INT(interruptibly));
	run_under_signals(call_without_restarts, GPOINTER_TO_INT(interruptibly));
}

/* ---- signals, while another process traces the program ---- */

enum { TRACED_CALLS = 50 };

/* The signal ends the wait long before there is an answer. */
static long do_once_late(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	struct timespec work = { .tv_nsec = 5000000 };
	int number;

	g_assert_true(listener_begin_once(supervisor->listener, call));
	number = ++filter_below_shared->number;
	kill((pid_t)call->pid, SIGALRM);
	nanosleep(&work, NULL);
	return number;
}

static const struct trap once_late[] = {
	{ SYS_getppid, TRAP_ALWAYS, .handle = do_once_late },
};
static const struct trap_table once_late_table = { once_late, G_N_ELEMENTS(once_late) };

/* As strace does: it lets everything pass. */
static void trace(pid_t pid, int is_traced) G_GNUC_NORETURN;

static void trace(pid_t pid, int is_traced)
{
	int status, sig;

	if (ptrace(PTRACE_SEIZE, pid, 0, 0) < 0 || write(is_traced, "", 1) != 1)
		_exit(1);
	while (waitpid(pid, &status, __WALL) == pid && WIFSTOPPED(status)) {
		sig = status >> 16 ? 0 : WSTOPSIG(status);
		ptrace(PTRACE_CONT, pid, 0, sig);
	}
	_exit(0);
}

static int call_while_traced(void)
{
	struct sigaction count = { .sa_handler = count_signal, .sa_flags = SA_RESTART };
	pid_t program = getpid();
	int ends[2];
	char byte;

	CHECK(sigaction(SIGALRM, &count, NULL) == 0 && pipe(ends) == 0);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (fork() == 0)
		trace(program, ends[1]);
	close(ends[1]);
	CHECK(read(ends[0], &byte, 1) == 1);
	for (int i = 1; i <= TRACED_CALLS; i++)
		CHECK(syscall(SYS_getppid) == i);
	CHECK(signals_seen == TRACED_CALLS);
	return 0;
}

/* Nobody but its tracer can hold it. The call comes again, and gets the answer it has missed. */
static void test_traced(void)
{
	filter_below_run(&(struct filter_below){
		.table = &once_late_table, .run = call_while_traced,
		.step = step, .waits_interruptibly = true,
	});
	g_assert_cmpint(filter_below_shared->number, ==, TRACED_CALLS);
}

/* ---- the loop ---- */

struct pipe_watch {
	struct supervisor_watch watch;
	struct pipe_watch *other;
	int ends[2];
	unsigned int seen;
};
static struct pipe_watch pipes[2];

/* Whichever comes first takes the other out of the loop, with its event. */
static void on_pipe(struct supervisor *supervisor, struct supervisor_watch *watch, uint32_t events)
{
	struct pipe_watch *pipe = (struct pipe_watch *)watch;

	g_assert_cmpuint(events, ==, EPOLLIN);
	pipe->seen++;
	supervisor_unwatch(supervisor, &pipe->other->watch);
	supervisor_unwatch(supervisor, watch);
}

static void watch_pipes(struct supervisor *supervisor)
{
	for (int i = 0; i < 2; i++) {
		struct pipe_watch *pipe = &pipes[i];

		g_assert_cmpint(pipe2(pipe->ends, O_CLOEXEC), ==, 0);
		g_assert_cmpint(write(pipe->ends[1], "x", 1), ==, 1);
		pipe->other = &pipes[1 - i];
		pipe->watch = (struct supervisor_watch){ .fd = pipe->ends[0], .ready = on_pipe };
		g_assert_cmpint(supervisor_watch(supervisor, &pipe->watch, 0), ==, 0);
		g_assert_cmpint(supervisor_rewatch(supervisor, &pipe->watch, EPOLLIN), ==, 0);
	}
}

static void test_loop(void)
{
	filter_below_run(&(struct filter_below){
		.table = &answering_table, .run = see_answers, .step = step,
		.begin = watch_pipes,
	});
	g_assert_cmpuint(pipes[0].seen + pipes[1].seen, ==, 1);
	for (int i = 0; i < 2; i++) {
		close(pipes[i].ends[0]);
		close(pipes[i].ends[1]);
	}
}

/* ---- what cannot be had ---- */

static int install_another(void)
{
	struct seccomp_filter *filter = seccomp_filter_new(&answering_table, FIRST);
	int ends[2];
	bool waits_killable;

	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
	CHECK(seccomp_filter_install(filter, ends[1]) == -EBUSY);
	CHECK(seccomp_filter_receive(ends[0], &waits_killable) == -EBUSY);
	close(ends[1]);
	CHECK(seccomp_filter_receive(ends[0], &waits_killable) == -EPIPE);
	return 0;
}

static void test_second_listener(void)
{
	run(&trap_table, install_another);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/seccomp-filter/answers", test_answers);
	g_test_add_func("/seccomp-filter/descriptors", test_descriptors);
	g_test_add_func("/seccomp-filter/memory", test_memory);
	g_test_add_func("/seccomp-filter/conditions", test_conditions);
	g_test_add_func("/seccomp-filter/refusals", test_refusals);
	g_test_add_func("/seccomp-filter/table", test_table);
	g_test_add_data_func("/seccomp-filter/signals", GINT_TO_POINTER(false), test_signals);
	g_test_add_data_func("/seccomp-filter/signals-end-waits", GINT_TO_POINTER(true),
			     test_signals);
	g_test_add_func("/seccomp-filter/signals-while-traced", test_traced);
	g_test_add_func("/seccomp-filter/loop", test_loop);
	g_test_add_func("/seccomp-filter/second-listener", test_second_listener);
	return leak_end(g_test_run());
}
