/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tap at its limits: threads, other processes, copies of descriptors, a full disk, a program
 * that closes what it does not know. Devices are FIFOs, which give back what is written to them.
 * What the tap makes of MADs is tested in tests/lib/umad-kernel.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/backend-list.h"
#include "lib/base/wire.h"
#include "lib/mad-tap.h"
#include "tests/rig/leak.h"
#include "tests/rig/umad-tree.h"

enum {
	HEADER = 56,		/* of FIFOs, which know no ioctl */
	UMAD_SIZE = HEADER + MAD_SIZE,
	FILE_HEADER = 24,
	MARK_AT = 12,
	RECORD_HEADER = 16,
	ERF = 16,
	PACKET_MAD = RECORD_HEADER + ERF + LRH_SIZE + BTH_SIZE + DETH_SIZE,
	RECORD = PACKET_MAD + MAD_SIZE + ICRC_SIZE,
	THREADS = 4,
	ROUNDS = 500,
};

static const struct umad_backend *tapped;

/* ---- a full disk ---- */

static struct {
	atomic_bool limited;
	atomic_long left;	/* bytes */
	dev_t device;		/* of the tap's file */
	ino_t inode;
} disk;

ssize_t __real_write(int fd, const void *buf, size_t size);
ssize_t __wrap_write(int fd, const void *buf, size_t size);

/* As of a file system that is full: a piece, and then ENOSPC; what is there may be written over. */
ssize_t __wrap_write(int fd, const void *buf, size_t size)
{
	struct stat status;
	ssize_t n;

	if (!atomic_load(&disk.limited) || !(fcntl(fd, F_GETFL) & O_APPEND) ||
	    fstat(fd, &status) < 0 ||
	    status.st_dev != disk.device || status.st_ino != disk.inode)
		return __real_write(fd, buf, size);
	if (!atomic_load(&disk.left)) {
		errno = ENOSPC;
		return -1;
	}
	n = __real_write(fd, buf, MIN(size, (size_t)atomic_load(&disk.left)));
	atomic_fetch_sub(&disk.left, n);
	return n;
}

/* ---- the rig ---- */

static void begin(void)
{
	static const uint32_t header[] = { 0xa1b23c4d, 0x00040002, 0, 0, 0xffff, 197 };
	char message[512] = "";
	struct stat status;

	umad_tree_begin();
	g_assert_cmpuint(umad_tree_add("a/1:4,5,IB b/1:4,5,IB"), ==, 2);
	g_assert_true(g_file_set_contents(umad_tree_path("tap.pcap"), (const char *)header,
					  sizeof(header), NULL));
	tapped = umad_tap(umad_tree_path("tap.pcap"), message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	g_assert_cmpint(stat(umad_tree_path("tap.pcap"), &status), ==, 0);
	disk.device = status.st_dev;
	disk.inode = status.st_ino;
	atomic_store(&disk.limited, false);
}

static void end(void)
{
	umad_tap_close();
	umad_tree_end();
}

static int open_port(const char *ca)
{
	size_t header_size = 0;
	int fd = tapped->open(ca, 1, &header_size);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpuint(header_size, ==, HEADER);
	return fd;
}

static void send_mad(int fd, uint64_t tid)
{
	uint8_t umad[UMAD_SIZE] = { 0 };

	umad[HEADER + MAD_BASE_VERSION] = 1;
	umad[HEADER + MAD_CLASS] = 0x32;
	umad[HEADER + MAD_METHOD] = MAD_METHOD_GET_RESP;
	put_be64(umad + HEADER + MAD_TID, tid);
	put_be64(umad + UMAD_SIZE - 8, ~tid);
	g_assert_cmpint(tapped->send(fd, umad, sizeof(umad)), ==, sizeof(umad));
}

/* What send_mad() has sent. */
static void receive_mad(int fd)
{
	uint8_t umad[UMAD_SIZE];

	g_assert_cmpint(tapped->recv(fd, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmphex(get_be64(umad + HEADER + MAD_TID), ==, ~get_be64(umad + UMAD_SIZE - 8));
}

/* The file, to be freed; '*ret_count' records of one size are in it, and nothing else. */
static uint8_t *records(size_t *ret_count)
{
	char *bytes;
	size_t size;

	g_assert_true(g_file_get_contents(umad_tree_path("tap.pcap"), &bytes, &size, NULL));
	g_assert_cmpuint((size - FILE_HEADER) % RECORD, ==, 0);
	*ret_count = (size - FILE_HEADER) / RECORD;
	return (uint8_t *)bytes;
}

static const uint8_t *record_at(const uint8_t *bytes, size_t i)
{
	return bytes + FILE_HEADER + i * RECORD;
}

static uint64_t tid_of(const uint8_t *record)
{
	const uint8_t *mad = record + PACKET_MAD;

	g_assert_cmpuint(record[RECORD_HEADER + 8], ==, 21);
	g_assert_cmphex(get_be64(mad + MAD_SIZE - 8) & 0xffffffff, ==,
			~get_be64(mad + MAD_TID) & 0xffffffff);
	return get_be64(mad + MAD_TID) & 0xffffffff;
}

/* ---- threads ---- */

struct worker {
	int fds[2];
	unsigned int number;
};

/* Sends and receives on files that all threads share, and on one that comes and goes. */
static void *work(void *data)
{
	const struct worker *worker = data;

	for (unsigned int i = 0; i < ROUNDS; i++) {
		int fd = worker->fds[i % 2], own = -1;

		if (i % 10 == 0)
			own = fd = open_port(i % 20 ? "a" : "b");
		send_mad(fd, (worker->number << 16) + i + 1);
		receive_mad(fd);
		tapped->close(own);
	}
	return NULL;
}

/* LID by CA: what umad_tree_add() gives. */
static void check_lid(const uint8_t *record)
{
	bool sent = record[RECORD_HEADER + 9] & 1;
	uint16_t lid = get_be16(record + RECORD_HEADER + ERF + (sent ? LRH_SLID : LRH_DLID));

	g_assert_true(lid == 0x11 || lid == 0x21);
}

static void test_threads(void)
{
	g_autofree unsigned int *seen = g_new0(unsigned int, (THREADS + 1) << 16);
	g_autofree uint8_t *bytes = NULL;
	struct worker workers[THREADS];
	GThread *threads[THREADS];
	int fds[2];
	size_t count;

	begin();
	fds[0] = open_port("a");
	fds[1] = open_port("b");
	for (unsigned int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ { fds[0], fds[1] }, i + 1 };
		threads[i] = g_thread_new(NULL, work, &workers[i]);
	}
	for (unsigned int i = 0; i < THREADS; i++)
		g_thread_join(threads[i]);
	tapped->close(fds[0]);
	tapped->close(fds[1]);
	bytes = records(&count);
	g_assert_cmpuint(count, ==, 2 * THREADS * ROUNDS);
	for (size_t i = 0; i < count; i++) {
		seen[tid_of(record_at(bytes, i))]++;
		check_lid(record_at(bytes, i));
	}
	/* Each once as it was sent, and once as it was received by some thread. */
	for (unsigned int t = 1; t <= THREADS; t++)
		for (unsigned int i = 1; i <= ROUNDS; i++)
			g_assert_cmpuint(seen[(t << 16) + i], ==, 2);
	end();
}

/* ---- processes, copies ---- */

static void test_fork(void)
{
	g_autofree uint8_t *bytes = NULL;
	int fd, status;
	size_t count;
	pid_t pid;

	begin();
	fd = open_port("a");
	pid = fork();
	g_assert_cmpint(pid, >=, 0);
	for (unsigned int i = 0; i < 100; i++)
		send_mad(fd, 1);
	for (unsigned int i = 0; i < 100; i++)
		receive_mad(fd);
	if (pid == 0)
		_exit(0);
	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
	tapped->close(fd);
	bytes = records(&count);
	g_assert_cmpuint(count, ==, 400);
	for (size_t i = 0; i < count; i++)
		g_assert_cmphex(tid_of(record_at(bytes, i)), ==, 1);
	end();
}

/* A copy has the port's LID, and its messages are cut as the kernel does it. */
static void test_dup(void)
{
	g_autofree uint8_t *bytes = NULL;
	uint8_t umad[HEADER + 500] = { 0 };
	uint8_t *mad = umad + HEADER;
	size_t count;
	int fd, copy;

	begin();
	fd = open_port("b");
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 5000);
	if (copy < 0)
		copy = dup(fd);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_METHOD] = MAD_METHOD_GET_TABLE;
	mad[RMPP_VERSION] = 1;
	mad[RMPP_TYPE] = RMPP_TYPE_DATA;
	mad[RMPP_FLAGS] = RMPP_FLAG_ACTIVE;
	g_assert_cmpint(tapped->send(copy, umad, sizeof(umad)), ==, sizeof(umad));
	g_assert_cmpint(close(copy), ==, 0);
	tapped->close(fd);
	bytes = records(&count);
	g_assert_cmpuint(count, ==, 3);		/* 444 bytes of data, 200 in each */
	for (size_t i = 0; i < count; i++) {
		g_assert_cmpuint(get_be32(record_at(bytes, i) + PACKET_MAD + RMPP_SEGMENT), ==,
				 i + 1);
		check_lid(record_at(bytes, i));
	}
	end();
}

/* ---- what goes wrong ---- */

static bool is_marked(void)
{
	g_autofree char *bytes = NULL;

	g_assert_true(g_file_get_contents(umad_tree_path("tap.pcap"), &bytes, NULL, NULL));
	return bytes[MARK_AT] == 1;
}

static size_t file_size(void)
{
	struct stat status;

	g_assert_cmpint(stat(umad_tree_path("tap.pcap"), &status), ==, 0);
	return (size_t)status.st_size;
}

/* The program goes on; the file has two records and a half, and the mark. */
static void use_all(void)
{
	int fd = open_port("a");

	for (unsigned int i = 0; i < 20; i++) {
		send_mad(fd, i);
		receive_mad(fd);
	}
	tapped->close(fd);
	g_assert_cmpuint(file_size(), ==, FILE_HEADER + 2 * RECORD + RECORD / 2);
	g_assert_true(is_marked());
}

/* Runs the test again in a process of its own, whose stderr has one line: 'pattern'. */
static void expect_line(const char *pattern)
{
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_passed();
	g_test_trap_assert_stderr(pattern);
	g_test_trap_assert_stderr_unmatched("*not recorded*not recorded*");
}

static void test_full(void)
{
	if (!g_test_subprocess())
		return expect_line("*umad: UMAD_TAP=*tap.pcap: No space left on device; process *"
				   " goes on, and from here on its MADs are not recorded\n*");
	begin();
	atomic_store(&disk.left, 2 * RECORD + RECORD / 2);
	atomic_store(&disk.limited, true);
	use_all();
	end();
}

/* SIGXFSZ ends programs that do not expect it. */
static void test_limit(void)
{
	struct rlimit limit = { FILE_HEADER + 2 * RECORD + RECORD / 2, RLIM_INFINITY };

	if (!g_test_subprocess())
		return expect_line("*tap.pcap: File too large; process *");
	begin();
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &limit), ==, 0);
	use_all();
	limit.rlim_cur = RLIM_INFINITY;
	g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &limit), ==, 0);
	end();
}

/* The line is lost with a reader of stderr that is gone; the program is not. */
static void test_no_stderr(void)
{
	int pipe_fds[2], saved = dup(STDERR_FILENO);

	g_assert_cmpint(pipe(pipe_fds), ==, 0);
	begin();
	signal(SIGPIPE, SIG_DFL);
	g_assert_cmpint(dup2(pipe_fds[1], STDERR_FILENO), ==, STDERR_FILENO);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	atomic_store(&disk.left, 2 * RECORD + RECORD / 2);
	atomic_store(&disk.limited, true);
	use_all();
	g_assert_cmpint(dup2(saved, STDERR_FILENO), ==, STDERR_FILENO);
	close(saved);
	end();
}

/* Closes what the tap has open, and opens another file of that number. */
static int take_descriptor(void)
{
	int other = open(umad_tree_path("other"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	int number = -1;

	g_assert_cmpint(other, >=, 0);
	for (int fd = 3; fd < 64 && number < 0; fd++) {
		struct stat status;

		if (fstat(fd, &status) == 0 && status.st_dev == disk.device &&
		    status.st_ino == disk.inode)
			number = fd;
	}
	g_assert_cmpint(number, >=, 3);
	g_assert_cmpint(dup2(other, number), ==, number);
	close(other);
	return number;
}

static void check_other(int number)
{
	struct stat status;

	g_assert_cmpint(fstat(number, &status), ==, 0);
	g_assert_cmpint(status.st_size, ==, 0);
	close(number);
}

/* A daemon closes all descriptors: the tap goes on with one of its own. */
static void test_closed(void)
{
	g_autofree uint8_t *bytes = NULL;
	int fd, number;
	size_t count;

	begin();
	fd = open_port("a");
	send_mad(fd, 1);
	number = take_descriptor();
	receive_mad(fd);
	send_mad(fd, 2);
	tapped->close(fd);
	check_other(number);
	bytes = records(&count);
	g_assert_cmpuint(count, ==, 3);
	end();
}

static void test_gone(void)
{
	int fd, number;

	if (!g_test_subprocess())
		return expect_line("*tap.pcap: the program has closed the file, and it is no "
				   "longer there; process *");
	begin();
	fd = open_port("a");
	number = take_descriptor();
	umad_tree_remove("tap.pcap");
	umad_tree_put("tap.pcap", "%s", "somebody else's");
	for (unsigned int i = 0; i < 3; i++)
		send_mad(fd, 1);
	tapped->close(fd);
	check_other(number);
	g_assert_cmpuint(file_size(), ==, strlen("somebody else's"));
	end();
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-tap/threads", test_threads);
	g_test_add_func("/umad-tap/fork", test_fork);
	g_test_add_func("/umad-tap/dup", test_dup);
	g_test_add_func("/umad-tap/full", test_full);
	g_test_add_func("/umad-tap/limit", test_limit);
	g_test_add_func("/umad-tap/no-stderr", test_no_stderr);
	g_test_add_func("/umad-tap/closed", test_closed);
	g_test_add_func("/umad-tap/gone", test_gone);
	return leak_end(g_test_run());
}
