/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-kernel.c: the table of calls over the ib_umad backend.
 *
 * sysfs is a made-up tree, written from what the simulator says of its hosts as a kernel would
 * format it. The character device is a file of kmod-stub: this program has its own open, read,
 * write, ioctl, poll and close, which the library calls as it would call a preload shim. Or it is
 * what a program below a seccomp filter gets (harness/filter/filter-file.h), and its supervisor
 * answers the calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/backend-list.h"
#include "lib/sysfs.h"
#include "sim/capture/capture.h"
#include "tests/lib/kernel-sysfs.h"
#include "tests/lib/tap-world.h"
#include "tests/rig/filter-rig.h"
#include "tests/rig/leak.h"
#include "tests/rig/system-poll.h"
#include "tests/rig/trees.h"
#include "tests/rig/umad-table.h"
#include "tests/rig/umad-tree.h"

enum { FD_MAX = 64, DEVICE_MAX = 8 };

/* The devices by umad number, and the files behind descriptors. */
static struct {
	struct umadrig_fabric *fabric;
	const struct umad_backend *sim;
	bool is_old;			/* knows neither ENABLE_PKEY nor REGISTER_AGENT2 */
	struct umadrig_port *devices[DEVICE_MAX];
	struct {
		char ca_name[UMAD_BACKEND_NAME_SIZE], host[UMAD_BACKEND_NAME_SIZE];
		unsigned int portnum;
	} names[DEVICE_MAX];
	unsigned int device_count;
	struct umadrig_file *files[FD_MAX];
	bool is_filtered;		/* the device is that of a program below a filter */
	bool has_signals;		/* every other operation is interrupted */
	bool is_interrupted;
} kernel;

/* ---- the calls of libc ---- */

static struct umadrig_file *file_of(int fd)
{
	return fd >= 0 && fd < FD_MAX ? kernel.files[fd] : NULL;
}

static bool is_filtered(int fd)
{
	return kernel.is_filtered && fd >= FILTER_RIG_FIRST && fd < FILTER_RIG_END;
}

static int as_errno(long r)
{
	if (r >= 0)
		return (int)r;
	errno = (int)-r;
	return -1;
}

static bool is_interrupted(void)
{
	kernel.is_interrupted = kernel.has_signals && !kernel.is_interrupted;
	if (kernel.is_interrupted)
		errno = EINTR;
	return kernel.is_interrupted;
}

static int open_filtered(unsigned int id, int flags)
{
	long ret;

	g_assert_cmpint(umadrig_host_enter(kernel.fabric, kernel.names[id].host), ==, 0);
	ret = filter_rig_open(kernel.names[id].ca_name, kernel.names[id].portnum, flags);
	g_assert_cmpint(umadrig_host_enter(kernel.fabric, NULL), ==, 0);
	return as_errno(ret);
}

int open(const char *path, int flags, ...)
{
	unsigned int id;
	va_list args;
	int fd, mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (fd < 0 || !g_str_has_prefix(path, umad_roots.dev) ||
	    sscanf(path + strlen(umad_roots.dev), "/umad%u", &id) != 1)
		return fd;
	g_assert_cmpuint(id, <, kernel.device_count);
	if (kernel.is_filtered) {
		syscall(SYS_close, fd);
		return open_filtered(id, flags);
	}
	g_assert_cmpint(fd, <, FD_MAX);
	g_assert_cmpint(umadrig_file_open(kernel.devices[id], &kernel.files[fd]), ==, 0);
	return fd;
}

int dup(int fd)
{
	int copy;

	if (is_filtered(fd))
		return as_errno(filter_rig_call(SYS_dup, (uint64_t)fd, 0, 0));
	copy = (int)syscall(SYS_dup, fd);
	if (file_of(fd) && copy >= 0) {
		g_assert_cmpint(copy, <, FD_MAX);
		kernel.files[copy] = kernel.files[fd];
	}
	return copy;
}

int close(int fd)
{
	struct umadrig_file *file = file_of(fd);
	unsigned int copies = 0;

	for (int i = 0; file && i < FD_MAX; i++)
		copies += kernel.files[i] == file;
	if (copies == 1)
		umadrig_file_close(file);
	if (file)
		kernel.files[fd] = NULL;
	return (int)syscall(SYS_close, fd);
}

ssize_t read(int fd, void *buf, size_t size)
{
	if (is_filtered(fd))
		return as_errno(filter_rig_read(fd, buf, size));
	return file_of(fd) ? as_errno(umadrig_file_read(file_of(fd), buf, size)) :
			     syscall(SYS_read, fd, buf, size);
}

ssize_t write(int fd, const void *buf, size_t size)
{
	if (is_filtered(fd))
		return as_errno(filter_rig_write(fd, buf, size));
	if (!file_of(fd))
		return syscall(SYS_write, fd, buf, size);
	return is_interrupted() ? -1 : as_errno(umadrig_file_write(file_of(fd), buf, size));
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (is_filtered(fd))
		return as_errno(filter_rig_ioctl(fd, request, arg));
	if (!file_of(fd))
		return (int)syscall(SYS_ioctl, fd, request, arg);
	if (is_interrupted())
		return -1;
	if (kernel.is_old && _IOC_NR(request) >= _IOC_NR(IB_USER_MAD_ENABLE_PKEY))
		return as_errno(-ENOTTY);
	return as_errno(umadrig_file_ioctl(file_of(fd), request, arg));
}

/* What poll(2) returns for them now: how many are ready. */
static int look(struct pollfd *fds, nfds_t count)
{
	int ready = 0;

	if (kernel.is_filtered)
		filter_rig_settle();
	for (nfds_t i = 0; i < count; i++) {
		if (file_of(fds[i].fd))
			fds[i].revents = (short)umadrig_file_poll(file_of(fds[i].fd)) &
					 (fds[i].events | POLLERR | POLLHUP);
		else
			system_poll(&fds[i], 1, 0);
		ready += fds[i].revents != 0;
	}
	return ready;
}

/* Waits on the fabric's clock, which is virtual. */
int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	int64_t until_ns = INT64_MAX;
	bool is_ours = false;
	int ready;

	for (nfds_t i = 0; i < count; i++)
		is_ours |= file_of(fds[i].fd) || is_filtered(fds[i].fd);
	if (!is_ours)
		return system_poll(fds, count, timeout_ms);
	/* An endless wait returns to the program, and one of zero time does not wait. */
	if (timeout_ms > 0 && is_interrupted())
		return -1;
	if (timeout_ms >= 0)
		until_ns = umadrig_now(kernel.fabric) + (int64_t)timeout_ms * 1000000;
	while ((ready = look(fds, count)) == 0 && umadrig_next(kernel.fabric) <= until_ns &&
	       umadrig_next(kernel.fabric) != INT64_MAX)
		umadrig_step_once(kernel.fabric, until_ns);
	if (ready > 0)
		return ready;
	if (timeout_ms < 0)
		return as_errno(-EDEADLK);
	umadrig_step(kernel.fabric, until_ns);
	return 0;
}

/* The rest of a wait that a signal interrupted is measured in the fabric's time, not in ours. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	int64_t now_ns;

	if (clock != CLOCK_MONOTONIC || !kernel.has_signals)
		return (int)syscall(SYS_clock_gettime, clock, now);
	now_ns = umadrig_now(kernel.fabric);
	*now = (struct timespec){ now_ns / 1000000000, now_ns % 1000000000 };
	return 0;
}

/* ---- sysfs ---- */

/* Writes below 'top' what 'host' sees in its sysfs, and adds its devices. */
static void put_host(const char *top, const char *host)
{
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;

	g_assert_cmpint(umadrig_host_enter(kernel.fabric, host), ==, 0);
	g_assert_cmpint(kernel.sim->list_cas(&names, &count), ==, 0);
	for (size_t i = 0; i < count; i++) {
		struct umad_backend_ca ca;

		g_assert_cmpint(kernel.sim->get_ca(names[i], &ca), ==, 0);
		kernel_sysfs_put_ca(top, &ca);
		for (size_t p = 0; p < ca.port_count; p++) {
			g_autofree char *node = g_strdup_printf("dev/umad%u", kernel.device_count);

			g_assert_cmpuint(kernel.device_count, <, DEVICE_MAX);
			kernel_sysfs_put_port(kernel.sim, top, ca.name, ca.port_nums[p],
					      kernel.device_count);
			umad_tree_put(node, "%s", "");
			g_strlcpy(kernel.names[kernel.device_count].ca_name, ca.name,
				  UMAD_BACKEND_NAME_SIZE);
			g_strlcpy(kernel.names[kernel.device_count].host, host,
				  UMAD_BACKEND_NAME_SIZE);
			kernel.names[kernel.device_count].portnum = ca.port_nums[p];
			kernel.devices[kernel.device_count++] =
				umadrig_port(kernel.fabric, host, ca.port_nums[p]);
		}
		umad_backend_ca_release(&ca);
	}
	free(names);
	g_assert_cmpint(umadrig_host_enter(kernel.fabric, NULL), ==, 0);
}

/* ---- the worlds ---- */

static void begin(struct umadrig_fabric *fabric)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.fabric = fabric;
	kernel.sim = umadrig_backend(UMAD_BACKEND_ABI);
	umadrig_attach(fabric);
	umad_tree_begin();
}

static void begin_new(struct umadrig_fabric *fabric)
{
	begin(fabric);
	put_host(".", "H1");
}

static void begin_old(struct umadrig_fabric *fabric)
{
	begin_new(fabric);
	kernel.is_old = true;
}

static void begin_with_signals(struct umadrig_fabric *fabric)
{
	begin_new(fabric);
	kernel.has_signals = true;
}

/* The supervisor, which is of this process here, takes a copy itself where it may. */
static bool may_take_descriptors(void)
{
	int process = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int copy = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, STDERR_FILENO, 0);

	if (copy >= 0)
		close(copy);
	if (process >= 0)
		close(process);
	return copy >= 0;
}

static void begin_filtered(struct umadrig_fabric *fabric)
{
	begin_new(fabric);
	kernel.is_filtered = true;
	filter_rig_begin(kernel.sim);
}

void begin_tapped(struct umadrig_fabric *fabric)
{
	begin_new(fabric);
	tap_world_begin();
}

void end(void)
{
	umad_tree_end();
	umadrig_attach(NULL);
	kernel.has_signals = false;
}

static void end_filtered(void)
{
	filter_rig_end();
	kernel.is_filtered = false;
	end();
}

static void end_tapped(void)
{
	capture_free(tap_world_end());
	end();
}

/* The other host has a sysfs of its own. */
static int open_peer(const char *host)
{
	const struct sysfs_roots saved = umad_roots;
	g_autofree char *cas = g_strdup(umad_tree_path("peer/infiniband"));
	g_autofree char *mads = g_strdup(umad_tree_path("peer/infiniband_mad"));
	int fd;

	umad_tree_put("peer/infiniband_mad/abi_version", "5\n");
	put_host("peer", host);
	umad_roots.infiniband = cas;
	umad_roots.infiniband_mad = mads;
	fd = umad_open_port(host, 1);
	umad_roots = saved;
	return fd;
}

static const struct umad_world worlds[] = {
	{ .name = "umad-kernel", .has_register2 = true,
	  .begin = begin_new, .end = end, .open_peer = open_peer },
	/* A kernel with 56-byte headers. */
	{ .name = "umad-kernel-old", .begin = begin_old, .end = end, .open_peer = open_peer },
	/* Signals arrive all the time. */
	{ .name = "umad-kernel-signals", .has_register2 = true,
	  .begin = begin_with_signals, .end = end, .open_peer = open_peer },
	/* Programs that load no library of ours. */
	{ .name = "umad-filter", .has_register2 = true,
	  .begin = begin_filtered, .end = end_filtered, .open_peer = open_peer,
	  .has_copies = may_take_descriptors },
	/* All that goes by is recorded, and nothing is different. */
	{ .name = "umad-kernel-tapped", .has_register2 = true,
	  .begin = begin_tapped, .end = end_tapped, .open_peer = open_peer },
};

/* ---- sysfs compared with the simulator ---- */

static void check_same_port(const umad_port_t *a, const umad_port_t *b)
{
	umad_port_t x = *a, y = *b;

	g_assert_cmpmem(x.pkeys, x.pkeys_size * sizeof(*x.pkeys), y.pkeys,
			y.pkeys_size * sizeof(*y.pkeys));
	x.pkeys = y.pkeys = NULL;
	g_assert_cmpmem(&x, sizeof(x), &y, sizeof(y));
}

static void check_same_ca(const char *ca_name)
{
	umad_ca_t ca[2], bare[2];
	int r[2];

	for (int i = 0; i < 2; i++) {
		umad_backend_set(i == 0 ? kernel.sim : NULL);
		r[i] = umad_get_ca(ca_name, &ca[i]);
	}
	g_assert_cmpint(r[0], ==, r[1]);
	if (r[0] < 0)
		return;
	memcpy(bare, ca, sizeof(bare));
	for (int num = 0; num < UMAD_CA_MAX_PORTS; num++) {
		g_assert_cmpint(ca[0].ports[num] != NULL, ==, ca[1].ports[num] != NULL);
		if (ca[0].ports[num])
			check_same_port(ca[0].ports[num], ca[1].ports[num]);
		bare[0].ports[num] = bare[1].ports[num] = NULL;
	}
	g_assert_cmpmem(&bare[0], sizeof(bare[0]), &bare[1], sizeof(bare[1]));
	umad_release_ca(&ca[0]);
	umad_release_ca(&ca[1]);
}

static void check_same_rest(const char *ca_name)
{
	struct umad_ca_pair pairs[2][4], pair[2];
	char names[2][4][UMAD_CA_NAME_LEN];
	__be64 guids[2][16];
	int r[8][2];

	memset(pairs, 0, sizeof(pairs));
	memset(pair, 0, sizeof(pair));
	memset(names, 0, sizeof(names));
	memset(guids, 0xee, sizeof(guids));
	for (int i = 0; i < 2; i++) {
		struct umad_device_node *list;

		umad_backend_set(i == 0 ? kernel.sim : NULL);
		r[0][i] = umad_get_cas_names(names[i], 4);
		r[1][i] = umad_get_ca_portguids(ca_name, guids[i], 16);
		r[2][i] = umad_get_ca_portguids(ca_name, guids[i], 1);
		r[3][i] = umad_get_smi_gsi_pairs(pairs[i], 4);
		r[4][i] = umad_get_smi_gsi_pair_by_ca_name(ca_name, 0, &pair[i], 0);
		r[5][i] = umad_open_port(ca_name, 9);
		r[6][i] = umad_open_smi_port(ca_name, 0);
		if (r[6][i] >= 0)
			r[6][i] = umad_close_port(r[6][i]);
		list = umad_get_ca_device_list();
		r[7][i] = list ? (int)g_str_hash(list->ca_name) : -errno;
		umad_free_ca_device_list(list);
	}
	for (size_t call = 0; call < G_N_ELEMENTS(r); call++)
		g_assert_cmpint(r[call][0], ==, r[call][1]);
	g_assert_cmpmem(names[0], sizeof(names[0]), names[1], sizeof(names[1]));
	g_assert_cmpmem(guids[0], sizeof(guids[0]), guids[1], sizeof(guids[1]));
	g_assert_cmpmem(pairs[0], sizeof(pairs[0]), pairs[1], sizeof(pairs[1]));
	g_assert_cmpmem(&pair[0], sizeof(pair[0]), &pair[1], sizeof(pair[1]));
}

/* Every struct that describes a device has the same bytes from both: HCAs, switches, no device. */
static void test_devices(void)
{
	static const char *const hosts[] = { "HostA", "HostB", "Leaf" };
	g_autofree char *path = source_path("tests/data/two-switches.net");
	g_autofree char *spec = g_strconcat(path, ",clock=virtual", NULL);
	char message[512] = "";

	for (size_t i = 0; i < G_N_ELEMENTS(hosts); i++) {
		struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

		if (!fabric)
			g_error("%s", message);
		begin(fabric);
		put_host(".", hosts[i]);
		g_assert_cmpint(umadrig_host_enter(fabric, hosts[i]), ==, 0);
		check_same_ca(hosts[i]);
		check_same_ca(NULL);
		check_same_ca("nosuch");
		check_same_rest(hosts[i]);
		check_same_rest(NULL);
		check_same_rest("nosuch");
		umad_backend_set(NULL);
		end();
		umadrig_fabric_close(fabric);
	}
}

/* ibacm waits for several handles, and for others, in a poll(2) of its own. */
static void test_poll_with_others(void)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(",clock=virtual", message,
							    sizeof(message));
	struct {
		struct ib_user_mad umad;
		uint8_t mad[256];
	} buf;
	struct pollfd fds[3] = { { .events = POLLIN }, { .events = POLLIN }, { .events = POLLIN } };
	int pipe_fds[2];

	begin_new(fabric);
	g_assert_cmpint(pipe(pipe_fds), ==, 0);
	for (int i = 0; i < 2; i++)
		fds[i].fd = umad_get_fd(umad_open_port("H1", 1));
	fds[2].fd = pipe_fds[0];
	g_assert_cmpint(poll(fds, 3, 10), ==, 0);
	g_assert_cmpint(umad_register(fds[1].fd, 0x0a, 1, 0, NULL), ==, 0);
	memset(&buf, 0, sizeof(buf));
	umad_set_addr(&buf, 7, 1, 0, 0);
	buf.mad[0] = 1;
	buf.mad[1] = 0x0a;
	buf.mad[2] = 1;
	buf.mad[3] = 1;
	g_assert_cmpint(umad_send(fds[1].fd, 0, &buf, 256, 5, 0), ==, 0);
	g_assert_cmpint(poll(fds, 3, 1000), ==, 1);
	g_assert_cmpint(fds[1].revents, ==, POLLIN);
	g_assert_cmpint(write(pipe_fds[1], "x", 1), ==, 1);
	g_assert_cmpint(poll(fds, 3, 1000), ==, 2);
	/* A device that has gone is POLLERR, whatever was requested. */
	g_assert_cmpint(umadrig_port_remove(umadrig_port(fabric, "H1", 1)), ==, 0);
	g_assert_cmpint(poll(fds, 3, 1000), ==, 3);
	g_assert_cmpint(fds[0].revents, ==, POLLERR);
	g_assert_cmpint(close(pipe_fds[0]), ==, 0);
	g_assert_cmpint(close(pipe_fds[1]), ==, 0);
	g_assert_cmpint(umad_close_port(fds[0].fd), ==, 0);
	g_assert_cmpint(umad_close_port(fds[1].fd), ==, 0);
	end();
	umadrig_fabric_close(fabric);
}

int main(int argc, char **argv)
{
	g_unsetenv("UMAD_BACKEND");
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(worlds); i++)
		umad_table_add(&worlds[i]);
	g_test_add_func("/umad-kernel/devices", test_devices);
	g_test_add_func("/umad-kernel/poll-with-others", test_poll_with_others);
	g_test_add_func("/umad-kernel/tap", test_tap);
	g_test_add_func("/umad-kernel/tap-refuses", test_tap_refuses);
	return leak_end(g_test_run());
}
