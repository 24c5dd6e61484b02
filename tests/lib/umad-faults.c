/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-faults.c: every operation that can fail, failed once.
 *
 * This program has its own open, read, write, ioctl, poll, opendir, malloc, ...: a job is run again
 * and again, and each time a later one of its operations fails. Whatever fails, nothing crashes, no
 * descriptor or memory is leaked, and the result is either the one without a failure or a
 * documented error. An interrupted operation (EINTR) is not a failure.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "tests/rig/leak.h"
#include "tests/rig/system-poll.h"
#include "tests/rig/umad-tree.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_OWN_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_OWN_MALLOC 0
#endif
#endif
#ifndef HAS_OWN_MALLOC
#define HAS_OWN_MALLOC 1	/* AddressSanitizer's own cannot be replaced */
#endif

enum { OP_OPEN = 1, OP_READ = 2, OP_WRITE = 4, OP_IOCTL = 8, OP_POLL = 16, OP_OPENDIR = 32,
       OP_MALLOC = 64 };

/* Which operation fails next, and how. */
static struct {
	bool armed;
	unsigned int ops;	/* the kinds that count */
	unsigned int left;	/* this many succeed first */
	int err;
	bool fired;
	long blocks;		/* of memory, allocated and not freed */
} fault;

static bool fails(unsigned int op)
{
	if (!fault.armed || !(fault.ops & op))
		return false;
	if (fault.left > 0) {
		fault.left--;
		return false;
	}
	if (fault.fired)
		return false;
	fault.fired = true;
	errno = fault.err;
	return true;
}

int open(const char *path, int flags, ...)
{
	int mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, int);
	va_end(args);
	return fails(OP_OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int fd, void *buf, size_t size)
{
	return fails(OP_READ) ? -1 : syscall(SYS_read, fd, buf, size);
}

ssize_t write(int fd, const void *buf, size_t size)
{
	return fails(OP_WRITE) ? -1 : syscall(SYS_write, fd, buf, size);
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	return fails(OP_POLL) ? -1 : system_poll(fds, count, timeout_ms);
}

/* The device: accepts every request, and every agent is number 0. */
int ioctl(int fd, unsigned long request, ...)
{
	if (!fault.armed) {
		va_list args;
		void *arg;

		va_start(args, request);
		arg = va_arg(args, void *);
		va_end(args);
		return (int)syscall(SYS_ioctl, fd, request, arg);
	}
	if (fails(OP_IOCTL))
		return -1;
	if ((request & 0xff) == 1 || (request & 0xff) == 4) {
		va_list args;

		va_start(args, request);
		*(uint32_t *)va_arg(args, void *) = 0;
		va_end(args);
	}
	return 0;
}

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);
DIR *__wrap_opendir(const char *path)
{
	return fails(OP_OPENDIR) ? NULL : __real_opendir(path);
}

#if HAS_OWN_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);

void *malloc(size_t size)
{
	void *block = fails(OP_MALLOC) ? NULL : __libc_malloc(size);

	fault.blocks += block && fault.armed;
	return block;
}

void *calloc(size_t count, size_t size)
{
	void *block = fails(OP_MALLOC) ? NULL : __libc_calloc(count, size);

	fault.blocks += block && fault.armed;
	return block;
}

void *realloc(void *block, size_t size)
{
	void *moved;

	if (fails(OP_MALLOC))
		return NULL;
	moved = __libc_realloc(block, size);
	fault.blocks += moved && !block && fault.armed;
	return moved;
}

void free(void *block)
{
	fault.blocks -= block && fault.armed;
	__libc_free(block);
}
#endif

/* A job returns 0 or more on success, otherwise the first error. */
typedef int job_fn(void);

static int job_names(void)
{
	char names[4][UMAD_CA_NAME_LEN];

	return umad_get_cas_names(names, 4);
}

static int job_list(void)
{
	struct umad_device_node *list, *node;
	int count = 0;

	errno = 0;
	list = umad_get_ca_device_list();
	if (!list && errno != 0)
		return -errno;
	for (node = list; node; node = node->next)
		count++;
	if (umad_sort_ca_device_list(&list, 0) == ENOMEM)
		count = -ENOMEM;
	umad_free_ca_device_list(list);
	return count;
}

static int job_ca(void)
{
	umad_ca_t ca;
	int r = umad_get_ca(NULL, &ca);

	if (r == 0)
		umad_release_ca(&ca);
	return r;
}

static int job_port(void)
{
	umad_port_t port;
	int r = umad_get_port(NULL, 0, &port);

	if (r == 0)
		umad_release_port(&port);
	return r;
}

static int job_portguids(void)
{
	__be64 guids[8];

	return umad_get_ca_portguids(NULL, guids, 8);
}

static int job_issm(void)
{
	char path[512];

	return umad_get_issm_path(NULL, 0, path, sizeof(path));
}

static int job_pairs(void)
{
	struct umad_ca_pair pairs[4];

	return umad_get_smi_gsi_pairs(pairs, 4);
}

static int job_pair(void)
{
	struct umad_ca_pair pair;

	return -umad_get_smi_gsi_pair_by_ca_name("b", 0, &pair, 0);
}

static int job_traffic(void)
{
	struct umad_reg_attr attr = { .mgmt_class = 4, .mgmt_class_version = 1 };
	struct {
		struct ib_user_mad umad;
		uint8_t mad[256];
	} buf;
	int length = 256;
	uint32_t id;
	int fd, r;

	memset(&buf, 0, sizeof(buf));
	fd = umad_open_port(NULL, 0);
	if (fd < 0)
		return fd;
	r = umad_register(fd, 4, 1, 0, NULL);
	if (r >= 0)
		r = -umad_register2(fd, &attr, &id);
	if (r >= 0)
		r = umad_send(fd, 0, &buf, 256, 100, 0);
	if (r >= 0)
		r = umad_poll(fd, 1000);
	if (r >= 0)
		r = umad_recv(fd, &buf, &length, 1000);
	if (r >= 0)
		r = umad_unregister(fd, 0);
	g_assert_cmpint(umad_close_port(fd), ==, 0);
	return r;
}

static const struct {
	const char *name;
	job_fn *job;
	int errors[6];		/* documented, except for EINTR */
} jobs[] = {
	{ "names", job_names, { -1 } },
	{ "list", job_list, { -ENOMEM, -EIO, -EACCES, -EMFILE } },
	{ "ca", job_ca, { -ENODEV, -ENOMEM } },
	{ "port", job_port, { -ENODEV, -EIO, -ENOMEM } },
	{ "portguids", job_portguids, { -ENODEV, -ENOMEM } },
	{ "issm", job_issm, { -ENODEV, -EINVAL, -ENOMEM } },
	{ "pairs", job_pairs, { -1 } },
	{ "pair", job_pair, { -1, 1 } },
	{ "traffic", job_traffic, { -ENODEV, -EINVAL, -EIO, -EPERM, -EOPNOTSUPP, -ENOMEM } },
};

static unsigned int open_descriptors(void)
{
	unsigned int count = 0;

	for (int fd = 0; fd < 256; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static bool is_documented(size_t job, int r)
{
	if (r >= 0)
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(jobs[job].errors); i++)
		if (jobs[job].errors[i] == r)
			return true;
	return false;
}

/* Fails the operation after 'left' of 'ops' ones; false when the job has no such operation. */
static bool run_with_fault(size_t job, unsigned int ops, int err, unsigned int left, int normal)
{
	const unsigned int before = open_descriptors();
	int r;

	fault.fired = false;
	fault.blocks = 0;
	fault.ops = ops;
	fault.err = err;
	fault.left = left;
	fault.armed = true;
	r = jobs[job].job();
	fault.armed = false;
	if (err == EINTR)
		g_assert_cmpint(r, ==, normal);
	if (!is_documented(job, r))
		g_error("%s: operation %u failed with %s, and the call returned %d", jobs[job].name,
			left, g_strerror(err), r);
	g_assert_cmpint(fault.blocks, ==, 0);
	g_assert_cmpuint(open_descriptors(), ==, before);
	return fault.fired;
}

static void fail_each(size_t job, unsigned int ops, int err, int normal)
{
	unsigned int left = 0;

	while (run_with_fault(job, ops, err, left, normal))
		left++;
	g_test_message("%s: %u operations failed with %s", jobs[job].name, left, g_strerror(err));
}

static void test_job(gconstpointer data)
{
	const size_t job = GPOINTER_TO_SIZE(data);
	int normal;

	umad_tree_begin();
	umad_tree_add("a/1:4,5,Eth b/1:2,5,IB b/2:4,5,IB");
	g_assert_cmpint(umad_init(), ==, 0);
	fault.armed = true;
	fault.ops = 0;
	/* The first run allocates what is kept for ever: a page of handles. */
	jobs[job].job();
	normal = jobs[job].job();
	fault.armed = false;
	g_assert_cmpint(normal, >=, 0);

	fail_each(job, OP_OPEN | OP_READ | OP_WRITE | OP_IOCTL | OP_POLL, EINTR, normal);
	fail_each(job, OP_OPEN | OP_READ | OP_WRITE | OP_IOCTL | OP_POLL | OP_OPENDIR, EIO, normal);
	fail_each(job, OP_OPEN | OP_READ | OP_OPENDIR, EACCES, normal);
	fail_each(job, OP_OPEN | OP_OPENDIR, EMFILE, normal);
	fail_each(job, OP_MALLOC | OP_OPENDIR, ENOMEM, normal);
	umad_tree_end();
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(jobs); i++) {
		char name[64];

		g_snprintf(name, sizeof(name), "/umad-faults/%s", jobs[i].name);
		g_test_add_data_func(name, GSIZE_TO_POINTER(i), test_job);
	}
	return leak_end(g_test_run());
}
