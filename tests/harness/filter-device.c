/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Umad devices below a real filter: waiting, signals, copies, threads and processes, large
 * messages, removal under load. The programs are children of this one that make the system calls
 * themselves; the fabric is a server's, and opening "umad0" is opening port 1 of H1.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "harness/filter/file-call.h"
#include "harness/filter/file-table.h"
#include "harness/filter/memory.h"
#include "lib/base/socket-message.h"
#include "lib/base/umad-command.h"
#include "tests/rig/filter-below.h"
#include "tests/rig/server-rig.h"

enum {
	FIRST = FILTER_BELOW_FIRST, END = FILTER_BELOW_END,
	CLASS = 0x0b,			/* a vendor class that is not the HCA's own */
	LID_H1 = 1, LID_H2 = 2, NOBODY = 77,
	WAIT_MS = 20000,		/* for what is certain to come */
	GET_TABLE_RESP = 0x92,
};

/* ---- a program below a supervisor ---- */

/* The program asks for the removal of its device by the shared number. */
enum { REMOVAL_ASKED = 1, REMOVAL_DONE };

static long on_open(struct supervisor *supervisor, const struct seccomp_notif *call)
{
	char path[64];

	if (memory_read_text((pid_t)call->pid, call->data.args[1], path, sizeof(path)) == 0 &&
	    strcmp(path, "umad0") == 0)
		return file_open(supervisor, call, NULL, "H1", 1, 0, (int)call->data.args[2]);
	return CALL_GOES_ON;
}

static const struct trap traps[] = {
	{ SYS_read, TRAP_HIGH, .handle = file_on_read },
	{ SYS_write, TRAP_HIGH, .handle = file_on_write },
	{ SYS_ioctl, TRAP_UMAD_COMMAND, .handle = file_on_ioctl },
	{ SYS_fcntl, TRAP_HIGH_DUP, .handle = file_on_fcntl },
	{ SYS_dup, TRAP_HIGH, .handle = file_on_dup },
	{ SYS_openat, TRAP_ALWAYS, .handle = on_open },
};
static const struct trap_table table = { traps, G_N_ELEMENTS(traps) };

static void have_files(struct supervisor *supervisor)
{
	supervisor->files = file_table_new(supervisor, &umad_backend_attach);
	g_assert_nonnull(supervisor->files);
}

static void step(struct supervisor *supervisor)
{
	int *removal = &filter_below_shared->number;

	supervisor_step(supervisor, 10);
	if (__atomic_load_n(removal, __ATOMIC_SEQ_CST) == REMOVAL_ASKED) {
		server_rig_console("device remove H1");
		__atomic_store_n(removal, REMOVAL_DONE, __ATOMIC_SEQ_CST);
	}
}

/* Whatever the program has left open is closed. */
static void have_no_files(struct supervisor *supervisor)
{
	file_table_settle(supervisor->files);
	g_assert_cmpuint(g_hash_table_size(supervisor->files->files) -
			 supervisor->files->dead.length, ==, 0);
	file_table_free(supervisor->files);
}

static void run_program(filter_below_fn *run, bool waits_interruptibly)
{
	struct server_rig server = server_rig_start("", "H1");

	filter_below_run(&(struct filter_below){
		.table = &table, .run = run, .waits_interruptibly = waits_interruptibly,
		.begin = have_files, .step = step, .end = have_no_files,
	});
	server_rig_end(&server);
}

static void test_program(gconstpointer run)
{
	run_program((filter_below_fn *)(uintptr_t)run, false);
}

static void test_interruptible(gconstpointer run)
{
	run_program((filter_below_fn *)(uintptr_t)run, true);
}

/* ---- what programs do ---- */

static int open_umad(int flags)
{
	return (int)syscall(SYS_openat, AT_FDCWD, "umad0", flags, 0);
}

/* An agent with 64-byte headers: its id, or -1. */
static int add_agent(int fd, uint8_t mgmt_class, uint8_t rmpp_version, uint64_t methods)
{
	struct ib_user_mad_reg_req2 req = {
		.qpn = 1, .mgmt_class = mgmt_class,
		.mgmt_class_version = mgmt_class == MAD_CLASS_SUBN_ADM ? 2 : 1,
		.method_mask = { methods }, .rmpp_version = rmpp_version,
	};

	return ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, &req) < 0 ? -1 : (int)req.id;
}

static int open_with_agent(int flags)
{
	int fd = open_umad(flags);

	return fd >= FIRST && add_agent(fd, CLASS, 0, 0) == 0 ? fd : -1;
}

static bool ask(int fd, uint32_t tid, uint16_t dlid, uint32_t timeout_ms)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, 0, &(struct rig_get){
		.mgmt_class = CLASS, .attr = 1, .tid = tid, .dlid = dlid, .timeout_ms = timeout_ms,
	});
	return write(fd, umad, sizeof(umad)) == sizeof(umad);
}

static uint32_t tid_of(const uint8_t *umad)
{
	return get_be32(umad + RIG_HEADER + MAD_TID + 4);
}

/* ---- waiting ---- */

static int wait_in_all_ways(void)
{
	int fd = open_with_agent(O_RDWR), loop = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = { .events = EPOLLIN | EPOLLET }, got;
	struct pollfd pfd = { .fd = fd, .events = POLLIN | POLLOUT };
	uint8_t umad[RIG_UMAD];
	fd_set set;

	CHECK(fd == FIRST);
	CHECK(epoll_ctl(loop, EPOLL_CTL_ADD, fd, &event) == 0);
	CHECK(epoll_wait(loop, &got, 1, 0) == 0);
	CHECK(poll(&pfd, 1, 0) == 1 && pfd.revents == POLLOUT);
	CHECK(ask(fd, 1, LID_H2, WAIT_MS));
	CHECK(read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == 1);
	CHECK(epoll_wait(loop, &got, 1, 0) >= 0);
	CHECK(ask(fd, 2, LID_H2, WAIT_MS));
	CHECK(epoll_wait(loop, &got, 1, WAIT_MS) == 1 && got.events == EPOLLIN);
	CHECK(read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == 2);
	CHECK(ask(fd, 3, LID_H2, WAIT_MS));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	CHECK(select(fd + 1, &set, NULL, NULL, &(struct timeval){ .tv_sec = 20 }) == 1);
	CHECK(read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == 3);
	CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
	CHECK(fails_with(read(fd, umad, sizeof(umad)), EAGAIN));
	CHECK(fails_with(lseek(fd, 0, SEEK_SET), ESPIPE));
	CHECK(fails_with(pread(fd, umad, sizeof(umad), 0), ESPIPE));
	CHECK(fails_with(pwrite(fd, umad, sizeof(umad), 0), ESPIPE));
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV);
	return 0;
}

/* ---- signals ---- */

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void set_signals(int flags, long every_us)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = flags };
	struct itimerval timer = { { 0, every_us }, { 0, every_us } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static int be_interrupted(void)
{
	int fd = open_with_agent(O_RDWR);
	uint8_t umad[RIG_UMAD];

	set_signals(0, 20000);
	CHECK(fails_with(read(fd, umad, sizeof(umad)), EINTR));
	CHECK(signals > 0);
	/* A report after 300 ms, and some signals. */
	set_signals(SA_RESTART, 20000);
	signals = 0;
	CHECK(ask(fd, 7, NOBODY, 300));
	CHECK(read(fd, umad, sizeof(umad)) == RIG_HEADER + MAD_HDR_SIZE);
	CHECK(signals > 3);
	return 0;
}

/* A send that is repeated would be refused: the first one is still out. */
static int send_under_signals(void)
{
	enum { SENDS = 2000 };
	int fd = open_with_agent(O_RDWR);
	uint8_t umad[RIG_UMAD];

	set_signals(SA_RESTART, 1000);
	for (uint32_t tid = 1; tid <= SENDS; tid++) {
		CHECK(ask(fd, tid, LID_H2, WAIT_MS));
		CHECK(read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == tid);
	}
	CHECK(fcntl(fd, F_SETFL, O_NONBLOCK) == 0);
	CHECK(fails_with(read(fd, umad, sizeof(umad)), EAGAIN));
	return 0;
}

/* ---- copies ---- */

static bool works(int fd, uint32_t tid)
{
	uint8_t umad[RIG_UMAD];

	return ask(fd, tid, LID_H2, WAIT_MS) && read(fd, umad, sizeof(umad)) == RIG_UMAD &&
	       tid_of(umad) == tid;
}

static bool pass_on(int socket, int fd)
{
	struct iovec part = { "", 1 };

	return socket_message_send(socket, &part, 1, fd, 0) == 0;
}

static int take_over(int socket)
{
	char byte;
	struct iovec part = { &byte, 1 };
	int fd = -1, flags;

	return socket_message_receive(socket, &part, 1, 0, &fd, &flags) == 1 ? fd : -1;
}

static int use_copies(void)
{
	int fd = open_with_agent(O_RDWR), copy = dup(fd), ends[2], status;
	uint8_t umad[RIG_UMAD];
	pid_t pid;

	CHECK(copy == FIRST + 1 && works(copy, 1));
	CHECK(fails_with(write(copy, umad, 17), EINVAL));
	CHECK(close(copy) == 0);
	CHECK(fcntl(fd, F_DUPFD_CLOEXEC, 3) == FIRST + 1 && works(FIRST + 1, 2));
	CHECK(dup2(fd, 1000) == 1000 && works(1000, 3));
	CHECK(fails_with(read(1000, umad, 63), EINVAL));
	/* At a number that the filter does not see. */
	CHECK(dup2(fd, 100) == 100 && works(100, 4));
	CHECK(ioctl(100, UMAD_COMMAND_ENABLE_PKEY) == -1 && errno == EINVAL);
	CHECK(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) == 0);
	pid = fork();
	if (pid == 0) {
		close_range(FIRST, ~0u, 0);
		close(100);
		_exit(works(take_over(ends[1]), 5) ? 0 : 1);
	}
	CHECK(pass_on(ends[0], fd));
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	CHECK(works(fd, 6));
	return 0;
}

/* The file closes with its last copy, whoever has it and however it ends. */
static int close_by_any_road(void)
{
	int fd = open_umad(O_RDWR), other = open_umad(O_RDWR | O_CLOEXEC), status;
	pid_t pid;

	CHECK(add_agent(fd, CLASS, 0, 2) == 0);
	CHECK(add_agent(other, CLASS, 0, 2) == -1 && errno == EINVAL);
	pid = fork();
	if (pid == 0) {
		pause();
		_exit(0);
	}
	CHECK(close(fd) == 0);
	CHECK(add_agent(other, CLASS, 0, 2) == -1 && errno == EINVAL);
	CHECK(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
	CHECK(add_agent(other, CLASS, 0, 2) == 0);
	/* The number is another file's now. */
	CHECK(dup2(open("/dev/null", O_RDONLY), other) == other);
	CHECK(read(other, &status, sizeof(status)) == 0);
	CHECK(ioctl(other, UMAD_COMMAND_ENABLE_PKEY) == -1 && errno == ENOTTY);
	fd = open_umad(O_RDWR);
	CHECK(add_agent(fd, CLASS, 0, 2) == 0);
	return 0;
}

/* ---- threads and processes ---- */

enum { THREADS = 8, EACH = 150 };

static void *ask_and_take(void *data)
{
	uint32_t base = (uint32_t)(uintptr_t)data << 16;
	int fd = open_with_agent(O_RDWR);
	bool is_well = fd >= 0;
	uint8_t umad[RIG_UMAD];

	for (uint32_t i = 0; is_well && i < EACH; i++) {
		is_well = ask(fd, base + i, LID_H2, WAIT_MS) &&
			  read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == base + i;
	}
	close(fd);
	return is_well ? data : NULL;
}

static bool run_threads(void *(*run)(void *data), unsigned int first)
{
	pthread_t threads[THREADS];
	bool is_well = true;
	void *ret;

	for (unsigned int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)(first + i));
	for (unsigned int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &ret);
		is_well &= ret != NULL;
	}
	return is_well;
}

static int run_many(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(run_threads(ask_and_take, 101) ? 0 : 1);
	CHECK(run_threads(ask_and_take, 1));
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	return 0;
}

/* ---- a supervisor that is stopped ---- */

static void *open_and_close(void *data)
{
	for (int i = 0; i < EACH; i++) {
		int fd = open_umad(O_RDWR);

		if (fd < FIRST || close(fd) < 0)
			return NULL;
	}
	return data;
}

static int open_often(void)
{
	CHECK(run_threads(open_and_close, 1));
	return 0;
}

/* Ctrl-Z, a debugger or docker pause stop the supervisor in the middle of whatever it does. */
static void test_stopped(gconstpointer run)
{
	int over[2];
	char byte;
	pid_t pid;

	g_assert_cmpint(pipe2(over, O_NONBLOCK), ==, 0);
	pid = fork();
	if (pid == 0) {
		close(over[1]);
		while (read(over[0], &byte, 1) < 0) {
			kill(getppid(), SIGSTOP);
			usleep(1000);
			kill(getppid(), SIGCONT);
			usleep(1000);
		}
		_exit(0);
	}
	run_program((filter_below_fn *)(uintptr_t)run, false);
	close(over[0]);
	close(over[1]);
	g_assert_cmpint(waitpid(pid, NULL, 0), ==, pid);
}

/* One file, whose threads take what comes: nothing is lost, and nothing comes twice. */
static int one_file = -1;
static unsigned char seen[THREADS * EACH];

static void *ask_and_take_any(void *data)
{
	uint32_t base = ((uint32_t)(uintptr_t)data - 1) * EACH;
	uint8_t umad[RIG_UMAD];

	for (uint32_t i = 0; i < EACH; i++) {
		if (!ask(one_file, base + i, LID_H2, WAIT_MS) ||
		    read(one_file, umad, sizeof(umad)) != RIG_UMAD ||
		    tid_of(umad) >= sizeof(seen))
			return NULL;
		__atomic_add_fetch(&seen[tid_of(umad)], 1, __ATOMIC_SEQ_CST);
	}
	return data;
}

static int share_one_file(void)
{
	one_file = open_with_agent(O_RDWR);
	CHECK(run_threads(ask_and_take_any, 1));
	for (size_t i = 0; i < sizeof(seen); i++)
		CHECK(seen[i] == 1);
	return 0;
}

/* ---- large messages ---- */

/* Has agent 'id' of 'answers' answer the request that is there with 'size' bytes of data. */
static bool answer_large(int answers, uint32_t id, size_t size)
{
	uint8_t *umad = calloc(1, RIG_HEADER + SA_DATA + size), *mad = umad + RIG_HEADER;
	bool is_well = read(answers, umad, RIG_UMAD) == RIG_UMAD;

	rig_put_u32(umad, RIG_ID, id);
	rig_put_u32(umad, RIG_TIMEOUT, 0);
	put_be32(umad + RIG_QKEY, QKEY_GSI);
	mad[MAD_METHOD] = GET_TABLE_RESP;
	mad[RMPP_VERSION] = mad[RMPP_TYPE] = 1;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	for (size_t i = 0; i < size; i++)
		mad[SA_DATA + i] = (uint8_t)(i * 7 + i / 251);
	is_well &= write(answers, umad, RIG_HEADER + SA_DATA + size) ==
		   (ssize_t)(RIG_HEADER + SA_DATA + size);
	free(umad);
	return is_well;
}

static bool ask_table(int fd, uint32_t tid)
{
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, 0, &(struct rig_get){
		.mgmt_class = MAD_CLASS_SUBN_ADM, .method = MAD_METHOD_GET_TABLE, .attr = 0x11,
		.dlid = LID_H1, .tid = tid, .timeout_ms = 60000,
	});
	return write(fd, umad, sizeof(umad)) == sizeof(umad);
}

/* Grows its buffer as programs do: reads, blocking, until it is large enough. */
static bool read_growing(int fd, size_t size)
{
	size_t whole = RIG_HEADER + SA_DATA + size, room = RIG_UMAD;
	bool is_well = true;
	ssize_t n;
	uint8_t *umad = calloc(1, room);

	while ((n = read(fd, umad, room)) == -1 && errno == ENOSPC) {
		is_well &= rig_get_u32(umad, RIG_LENGTH) == whole;
		room = rig_get_u32(umad, RIG_LENGTH);
		umad = realloc(umad, room);
	}
	is_well &= n == (ssize_t)whole;
	for (size_t i = 0; is_well && i < size; i++)
		is_well = umad[RIG_HEADER + SA_DATA + i] == (uint8_t)(i * 7 + i / 251);
	free(umad);
	return is_well;
}

static const size_t large_sizes[] = { 700, 100000, 1000000 };

static int read_large(void)
{
	int asks = open_umad(O_RDWR), answers = open_umad(O_RDWR), id;
	struct pollfd pfd = { .fd = asks, .events = POLLIN };

	CHECK(add_agent(asks, MAD_CLASS_SUBN_ADM, 1, 0) == 0);
	id = add_agent(answers, MAD_CLASS_SUBN_ADM, 1, 1 << MAD_METHOD_GET_TABLE);
	CHECK(id == 0);
	for (size_t i = 0; i < G_N_ELEMENTS(large_sizes); i++) {
		CHECK(ask_table(asks, (uint32_t)i + 1));
		CHECK(answer_large(answers, (uint32_t)id, large_sizes[i]));
		CHECK(poll(&pfd, 1, WAIT_MS) == 1);
		CHECK(read_growing(asks, large_sizes[i]));
	}
	return 0;
}

static void *answer_later(void *data)
{
	int answers = (int)(intptr_t)data;

	for (size_t i = 0; i < G_N_ELEMENTS(large_sizes); i++) {
		usleep(50000);		/* the other thread sleeps in read(2) by now */
		if (!answer_large(answers, 0, large_sizes[i]))
			return NULL;
	}
	return data;
}

/* The reader sleeps in the kernel with a buffer that turns out to be too small. */
static int sleep_with_small_buffer(void)
{
	int asks = open_umad(O_RDWR), answers = open_umad(O_RDWR);
	pthread_t thread;
	void *ret;

	CHECK(add_agent(asks, MAD_CLASS_SUBN_ADM, 1, 0) == 0);
	CHECK(add_agent(answers, MAD_CLASS_SUBN_ADM, 1, 1 << MAD_METHOD_GET_TABLE) == 0);
	pthread_create(&thread, NULL, answer_later, (void *)(intptr_t)answers);
	for (size_t i = 0; i < G_N_ELEMENTS(large_sizes); i++) {
		CHECK(ask_table(asks, (uint32_t)i + 1));
		CHECK(read_growing(asks, large_sizes[i]));
	}
	pthread_join(thread, &ret);
	CHECK(ret);
	return 0;
}

/* ---- removal ---- */

static pthread_barrier_t all_are_open;

static void *ask_until_removed(void *data)
{
	int fd = open_with_agent(O_RDWR | O_NONBLOCK);
	uint8_t umad[RIG_UMAD];

	pthread_barrier_wait(&all_are_open);
	for (uint32_t tid = 1;; tid++) {
		struct pollfd pfd = { .fd = fd, .events = POLLIN };

		if (tid == 100)
			__atomic_store_n(&filter_below_shared->number, REMOVAL_ASKED,
					 __ATOMIC_SEQ_CST);
		if (!ask(fd, tid, LID_H2, WAIT_MS))
			break;
		if (poll(&pfd, 1, WAIT_MS) != 1)
			return NULL;
		if (pfd.revents & POLLERR)
			break;
		if (read(fd, umad, sizeof(umad)) != RIG_UMAD)
			break;
		if (tid_of(umad) != tid)
			return NULL;
	}
	return fails_with(read(fd, umad, sizeof(umad)), EIO) &&
	       fails_with(write(fd, umad, sizeof(umad)), EIO) &&
	       fails_with(ioctl(fd, UMAD_COMMAND_REGISTER_AGENT2, umad), EPIPE) ? data : NULL;
}

/* In Linux it sleeps on, until a signal comes. */
static void *read_until_removed(void *data)
{
	uint8_t umad[RIG_UMAD];

	return fails_with(read(one_file, umad, sizeof(umad)), EIO) ? data : NULL;
}

static int lose_device(void)
{
	pthread_t sleepers[2];
	void *ret;

	pthread_barrier_init(&all_are_open, NULL, THREADS);
	one_file = open_with_agent(O_RDWR);
	for (unsigned int i = 0; i < G_N_ELEMENTS(sleepers); i++)
		pthread_create(&sleepers[i], NULL, read_until_removed, &one_file);
	CHECK(run_threads(ask_until_removed, 1));
	for (unsigned int i = 0; i < G_N_ELEMENTS(sleepers); i++) {
		pthread_join(sleepers[i], &ret);
		CHECK(ret);
	}
	CHECK(fails_with(open_umad(O_RDWR), ENXIO));
	return 0;
}

/* ---- hostile ---- */

/* Closes files with calls under way, writes what is no message, never reads, opens what it can. */
static int be_hostile(void)
{
	uint8_t umad[RIG_UMAD], rubbish[1000];
	int fd, copy;

	for (int i = 0; i < 200; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			fd = open_with_agent(O_RDWR);
			copy = dup2(fd, 50);
			memset(rubbish, i, sizeof(rubbish));
			for (int k = 0; k < 5 * i % 64; k++) {
				if (write(copy, rubbish, (size_t)(k * 37 % 1000)) < 0)
					break;
				ask(fd, (uint32_t)k, LID_H2, WAIT_MS);
			}
			if (i % 3 == 0)
				shutdown(fd, i % 2 ? SHUT_RDWR : SHUT_WR);
			if (i % 5 == 0)
				kill(getpid(), SIGKILL);
			_exit(0);
		}
	}
	fd = open_with_agent(O_RDWR);
	CHECK(works(fd, 9));
	while (wait(NULL) > 0)
		;
	/* As long as they lived they had their share of what there is. */
	for (copy = FIRST; open_umad(O_RDWR) >= 0; copy++)
		;
	CHECK(errno == EMFILE && copy >= END - 2);
	CHECK(works(fd, 10));
	/* What nobody reads is kept: some here, some with the fabric. */
	for (uint32_t tid = 100; tid < 1100; tid++)
		CHECK(ask(fd, tid, LID_H2, WAIT_MS));
	for (uint32_t tid = 100; tid < 1100; tid++)
		CHECK(read(fd, umad, sizeof(umad)) == RIG_UMAD && tid_of(umad) == tid);
	return 0;
}

static void add(const char *path, filter_below_fn *run)
{
	g_test_add_data_func(path, (gconstpointer)(uintptr_t)run, test_program);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	/* A supervisor that hangs ends with its programs. */
	alarm(300);
	add("/filter-device/wait", wait_in_all_ways);
	add("/filter-device/interrupted", be_interrupted);
	add("/filter-device/signals", send_under_signals);
	g_test_add_data_func("/filter-device/signals-before-linux-5.19",
			     (gconstpointer)(uintptr_t)send_under_signals, test_interruptible);
	add("/filter-device/copies", use_copies);
	add("/filter-device/close", close_by_any_road);
	add("/filter-device/many", run_many);
	g_test_add_data_func("/filter-device/stopped", (gconstpointer)(uintptr_t)open_often,
			     test_stopped);
	add("/filter-device/one-file", share_one_file);
	add("/filter-device/large", read_large);
	add("/filter-device/small-buffer", sleep_with_small_buffer);
	add("/filter-device/removal", lose_device);
	add("/filter-device/hostile", be_hostile);
	return g_test_run();
}
