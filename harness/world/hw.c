/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The real world: two ports of ib_umad, the real clock.
 *
 * What leaves A is seen when it arrives at the peer's agent at B, and '<' is sent from B
 * (harness/script/run/peer.c), so headers below the MAD are not seen unless the wire between the
 * two is simulated (harness/world/hw-wire.h). Soft RoCE has no LIDs: addresses are GIDs of index 0.
 */
#include "config.h"

#include "harness/world/world.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "harness/world/hw-wire.h"
#include "lib/words/number.h"
#include "sim/api/umadrig.h"
#include "sim/dictionary/mad-dictionary.h"

#define HW_FDS_MAX 64

struct world_hw {
	struct world world;
	int64_t start_ns;
	struct hw_wire *wire;	/* the simulated wire; NULL: a real one */
	char *removed[WORLD_ENDS];	/* network interface of a removed soft RoCE device */
	bool is_ethernet[WORLD_ENDS];
	int issm[WORLD_ENDS];
};

static struct world_hw *hw_of(struct world *world)
{
	return (struct world_hw *)(void *)world;
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* In whole microseconds: reports say when things happened, and less is but noise. */
static int64_t hw_now_ns(struct world *world)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC) - hw_of(world)->start_ns;

	return now_ns - now_ns % NS_PER_US;
}

/*
 * Waits until one of 'fds' or the wire is readable, or until 'until_ns'. Returns whether it was one
 * of 'fds'.
 */
static bool wait_readable(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	const struct hw_wire *wire = hw_of(world)->wire;
	struct pollfd polled[HW_FDS_MAX + WORLD_ENDS];
	int64_t left_ns = MAX(0, until_ns - hw_now_ns(world));
	struct timespec left = { left_ns / NS_PER_S, left_ns % NS_PER_S };
	size_t count = fd_count;
	bool readable = false;

	for (size_t i = 0; i < fd_count; i++)
		polled[i] = (struct pollfd) { .fd = fds[i], .events = POLLIN };
	for (int end = 0; wire && end < WORLD_ENDS; end++)
		polled[count++] = (struct pollfd) {
			.fd = hw_wire_fd(wire, (enum world_end)end), .events = POLLIN,
		};
	if (ppoll(polled, count, &left, NULL) <= 0)
		return false;
	for (size_t i = 0; i < fd_count; i++)
		readable |= (polled[i].revents & POLLIN) != 0;
	for (size_t i = fd_count; i < count; i++) {
		if (polled[i].revents & POLLIN)
			return readable;
	}
	if (readable)
		return true;
	/* A removed device is "ready" for ever: time must still pass. */
	left_ns = MAX(0, until_ns - hw_now_ns(world));
	left = (struct timespec) { left_ns / NS_PER_S, left_ns % NS_PER_S };
	nanosleep(&left, NULL);
	return false;
}

static bool hw_step(struct world *world, int64_t until_ns, const int *fds, size_t fd_count)
{
	struct hw_wire *wire = hw_of(world)->wire;

	fd_count = MIN(fd_count, HW_FDS_MAX);
	if (!wire)
		return wait_readable(world, until_ns, fds, fd_count);
	for (;;) {
		int64_t next_ns = MIN(until_ns, hw_wire_next_ns(wire));

		if (hw_wire_carry(wire, hw_now_ns(world)))
			return true;
		if (wait_readable(world, next_ns, fds, fd_count))
			return true;
		if (hw_wire_carry(wire, hw_now_ns(world)))
			return true;
		if (hw_now_ns(world) >= until_ns)
			return false;
	}
}

static int read_gid(const char *ca, int port, uint8_t ret_gid[16])
{
	g_autofree char *path =
		g_strdup_printf("/sys/class/infiniband/%s/ports/%d/gids/0", ca, port);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return -ENOENT;
	return inet_pton(AF_INET6, g_strstrip(text), ret_gid) == 1 ? 0 : -EINVAL;
}

static int end_address(struct world *world, enum world_end end, struct world_address *ret)
{
	umad_port_t port;
	int status;

	memset(ret, 0, sizeof(*ret));
	if (!world->ca[end])
		return -ENOENT;
	status = umad_get_port(world->ca[end], world->port[end], &port);
	if (status < 0)
		return status;
	ret->lid = (uint16_t)port.base_lid;
	ret->lmc = (uint8_t)port.lmc;
	umad_release_port(&port);
	ret->needs_grh = hw_of(world)->is_ethernet[end];
	ret->has_gid = read_gid(world->ca[end], world->port[end], ret->gid) == 0;
	return 0;
}

static int hw_address(struct world *world, const char *name, struct world_address *ret)
{
	umad_port_t port;
	int status;

	if (strcmp(name, "self") == 0 || g_strcmp0(name, world->label[WORLD_SELF]) == 0)
		return end_address(world, WORLD_SELF, ret);
	if (strcmp(name, "peer") == 0 || g_strcmp0(name, world->label[WORLD_PEER]) == 0)
		return end_address(world, WORLD_PEER, ret);
	if (strcmp(name, "sm") != 0)
		return -ENOENT;
	/* RoCE has no SM: as on the default fabric, the peer takes its place. */
	if (hw_of(world)->is_ethernet[WORLD_SELF])
		return end_address(world, WORLD_PEER, ret);
	status = umad_get_port(world->ca[WORLD_SELF], world->port[WORLD_SELF], &port);
	if (status < 0)
		return status;
	memset(ret, 0, sizeof(*ret));
	ret->lid = (uint16_t)port.sm_lid;
	umad_release_port(&port);
	return 0;
}

static void hw_enter(struct world *world, enum world_end end)
{
	(void)world;
	(void)end;
}

static void hw_comment(struct world *world, const char *text)
{
	(void)world;
	(void)text;
}

/* ---- the umad file ---- */

/* A descriptor as an opaque pointer that is not NULL: 0 is a descriptor too. */
static void *file_of(int fd)
{
	return GINT_TO_POINTER(fd + 1);
}

static int fd_of(void *file)
{
	return GPOINTER_TO_INT(file) - 1;
}

static bool sysfs_is(const char *device, const char *attribute, const char *value)
{
	g_autofree char *path =
		g_build_filename("/sys/class/infiniband_mad", device, attribute, NULL);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strcmp(g_strstrip(text), value) == 0;
}

static int hw_file_open(struct world *world, enum world_end end, void **ret_file)
{
	g_autofree char *port = g_strdup_printf("%d", world->port[end]);
	g_autoptr(GDir) dir = g_dir_open("/sys/class/infiniband_mad", 0, NULL);
	const char *name;
	int fd;

	while (dir && world->ca[end] && (name = g_dir_read_name(dir))) {
		g_autofree char *path = NULL;

		if (!g_str_has_prefix(name, "umad") || !sysfs_is(name, "ibdev", world->ca[end]) ||
		    !sysfs_is(name, "port", port))
			continue;
		path = g_build_filename("/dev/infiniband", name, NULL);
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			return -errno;
		*ret_file = file_of(fd);
		return 0;
	}
	return -ENOENT;
}

static int hw_file_ioctl(void *file, unsigned long request, void *arg)
{
	return ioctl(fd_of(file), request, arg) == 0 ? 0 : -errno;
}

static long hw_file_write(void *file, const void *buf, size_t count)
{
	ssize_t written = write(fd_of(file), buf, count);

	return written >= 0 ? written : -errno;
}

static long hw_file_read(void *file, void *buf, size_t count)
{
	ssize_t got = read(fd_of(file), buf, count);

	return got >= 0 ? got : -errno;
}

static unsigned int hw_file_poll(void *file)
{
	struct pollfd polled = { .fd = fd_of(file), .events = POLLIN | POLLOUT };

	return poll(&polled, 1, 0) > 0 ? (unsigned int)polled.revents : 0;
}

static void hw_file_close(void *file)
{
	close(fd_of(file));
}

static int hw_issm_open(struct world *world, enum world_end end)
{
	char path[256];
	int status = umad_get_issm_path(world->ca[end], world->port[end], path, sizeof(path));
	int fd;

	if (status < 0)
		return status;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	hw_of(world)->issm[end] = fd;
	return 0;
}

static int hw_issm_close(struct world *world, enum world_end end)
{
	struct world_hw *hw = hw_of(world);

	if (hw->issm[end] < 0)
		return -EBADF;
	close(hw->issm[end]);
	hw->issm[end] = -1;
	return 0;
}

/* rdma(8): link ... */
static int rdma_link(const char *const words[])
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int status;

	g_ptr_array_add(argv, (char *)"rdma");
	g_ptr_array_add(argv, (char *)"link");
	for (size_t i = 0; words[i]; i++)
		g_ptr_array_add(argv, (char *)words[i]);
	g_ptr_array_add(argv, NULL);
	if (!g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
			  NULL, &status, NULL))
		return -ENOENT;
	return status == 0 ? 0 : -EIO;
}

/* Only soft RoCE devices can be removed and added at will. */
static int hw_port_remove(struct world *world, enum world_end end)
{
	g_autofree char *path = g_build_filename("/sys/class/infiniband", world->ca[end], "parent",
						 NULL);
	char *interface;
	int status;

	if (!g_file_get_contents(path, &interface, NULL, NULL))
		return -EOPNOTSUPP;
	status = rdma_link((const char *const[]){ "delete", world->ca[end], NULL });
	if (status < 0)
		g_free(interface);
	else
		hw_of(world)->removed[end] = g_strstrip(interface);
	return status;
}

static bool port_is_back(const char *ca, int port)
{
	static const uint8_t none[16];
	uint8_t gid[16];
	umad_port_t attr;

	if (read_gid(ca, port, gid) < 0 || memcmp(gid, none, sizeof(none)) == 0 ||
	    umad_get_port(ca, port, &attr) < 0)
		return false;
	umad_release_port(&attr);
	return true;
}

/* Adds the device again that hw_port_remove() removed: the next point needs it. */
static void put_back(struct world *world, enum world_end end)
{
	char *interface = g_steal_pointer(&hw_of(world)->removed[end]);
	int tries = 100;

	if (!interface)
		return;
	rdma_link((const char *const[]){ "add", world->ca[end], "type", "rxe", "netdev", interface,
					 NULL });
	while (!port_is_back(world->ca[end], world->port[end]) && --tries > 0)
		g_usleep(20000);
	g_free(interface);
}

static int hw_port_set_lid(struct world *world, enum world_end end, uint16_t lid, uint8_t lmc)
{
	(void)world;
	(void)end;
	(void)lid;
	(void)lmc;
	return -EOPNOTSUPP;
}

/* ---- what sysfs says of ports and nodes ---- */

enum { NODE_DESCRIPTION = 0x0010, NODE_INFO = 0x0011, PORT_INFO = 0x0015 };

static void put_field(uint8_t *data, uint16_t attribute, const char *name, uint64_t value)
{
	mad_field_set(mad_field_must(MAD_CLASS_SUBN_LID, attribute, name), data, value);
}

static int hw_port_info(const char *ca, int number, uint8_t *data)
{
	umad_port_t port;
	int status = umad_get_port(ca, number, &port);

	if (status < 0)
		return status;
	put_field(data, PORT_INFO, "LinkState", port.state);
	put_field(data, PORT_INFO, "PhysLinkState", port.phys_state);
	put_field(data, PORT_INFO, "Lid", port.base_lid);
	put_field(data, PORT_INFO, "LMC", port.lmc);
	put_field(data, PORT_INFO, "SMLid", port.sm_lid);
	put_field(data, PORT_INFO, "SMSL", port.sm_sl);
	put_field(data, PORT_INFO, "CapMask", ntohl(port.capmask));
	put_field(data, PORT_INFO, "GidPrefix", get_be64((const uint8_t *)&port.gid_prefix));
	umad_release_port(&port);
	return 0;
}

static int hw_node_info(const char *name, int number, uint8_t *data)
{
	umad_port_t port;
	umad_ca_t ca;
	int status = umad_get_ca(name, &ca);

	if (status < 0)
		return status;
	put_field(data, NODE_INFO, "NodeType", ca.node_type);
	put_field(data, NODE_INFO, "NumPorts", (uint64_t)ca.numports);
	put_field(data, NODE_INFO, "Guid", get_be64((const uint8_t *)&ca.node_guid));
	put_field(data, NODE_INFO, "SystemGuid", get_be64((const uint8_t *)&ca.system_guid));
	umad_release_ca(&ca);
	status = umad_get_port(name, number, &port);
	if (status < 0)
		return status;
	put_field(data, NODE_INFO, "PortGuid", get_be64((const uint8_t *)&port.port_guid));
	umad_release_port(&port);
	return 0;
}

static int hw_node_description(const char *name, uint8_t *data)
{
	g_autofree char *path = g_build_filename("/sys/class/infiniband", name, "node_desc", NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return -EOPNOTSUPP;
	g_strchomp(text);
	memcpy(data, text, MIN(strlen(text), SMP_DATA_SIZE));
	return 0;
}

static int hw_attribute(struct world *world, const char *node, int port, unsigned int attribute,
			uint8_t ret_data[64])
{
	bool known = false;

	for (int end = 0; end < WORLD_ENDS; end++)
		known |= g_strcmp0(world->ca[end], node) == 0 && world->port[end] == port;
	memset(ret_data, 0, 64);
	if (!known)
		return -ENOENT;
	if (attribute == PORT_INFO)
		return hw_port_info(node, port, ret_data);
	if (attribute == NODE_INFO)
		return hw_node_info(node, port, ret_data);
	return attribute == NODE_DESCRIPTION ? hw_node_description(node, ret_data) : -EOPNOTSUPP;
}

/* ---- the simulated wire ---- */

static void left(void *ctx, const struct packet_addr *addr, const uint8_t mad[MAD_SIZE])
{
	struct world *world = ctx;

	world_leaves(world, hw_now_ns(world), addr, mad);
}

static void arrived(void *ctx, const uint8_t mad[MAD_SIZE])
{
	struct world *world = ctx;

	world_arrives(world, hw_now_ns(world), mad);
}

static int hw_arrive(struct world *world, const struct packet_addr *addr,
		     const uint8_t mad[MAD_SIZE])
{
	return hw_wire_arrive(hw_of(world)->wire, addr, mad);
}

static int hw_fault(struct world *world, const struct umadrig_fault *fault, char *reterr,
		    size_t reterr_size)
{
	int end = fault->node ? world_end_named(world, fault->node, fault->port) : WORLD_SELF;

	if (end < 0) {
		g_snprintf(reterr, reterr_size, "no port here is called '%s': there are %s and %s",
			   fault->node, world->label[WORLD_SELF], world->label[WORLD_PEER]);
		return end;
	}
	return hw_wire_fault(hw_of(world)->wire, fault, (enum world_end)end, reterr, reterr_size);
}

/* The kernel's port never sees what the cable has damaged, so the cable counts it. */
static int64_t hw_counter(struct world *world, const char *port, const char *name)
{
	for (int end = 0; end < WORLD_ENDS; end++) {
		if (g_strcmp0(port, world->label[end]) == 0)
			return hw_wire_counter(hw_of(world)->wire, (enum world_end)end, name);
	}
	return -ENOENT;
}

/* The MAC address of the network interface of the port's first GID. */
static bool read_mac(const struct world *world, enum world_end end, uint8_t ret_mac[6])
{
	g_autofree char *path =
		g_strdup_printf("/sys/class/infiniband/%s/ports/%d/gid_attrs/ndevs/0",
				world->ca[end], world->port[end]);
	g_autofree char *interface = NULL, *mac = NULL;
	const char *at;

	if (!g_file_get_contents(path, &interface, NULL, NULL))
		return false;
	g_free(path);
	path = g_build_filename("/sys/class/net", g_strstrip(interface), "address", NULL);
	if (!g_file_get_contents(path, &mac, NULL, NULL))
		return false;
	at = mac;
	for (int i = 0; i < 6; i++) {
		uint64_t byte;

		if ((i > 0 && *at++ != ':') || number_take(&at, 16, UINT8_MAX, &byte) < 0)
			return false;
		ret_mac[i] = (uint8_t)byte;
	}
	return true;
}

static bool hw_take_wire(struct world_hw *hw, const struct world_setup *setup, char **reterr)
{
	struct hw_wire_setup ends = {
		.fds = { -1, -1 },
		.latency_ns = setup->latency_ns,
		.seed = setup->seed,
		.left = left,
		.arrived = arrived,
		.ctx = &hw->world,
	};

	for (int end = 0; end < WORLD_ENDS; end++) {
		if (!hw->world.ca[end] || !hw->is_ethernet[end] ||
		    !read_mac(&hw->world, (enum world_end)end, ends.macs[end])) {
			*reterr = g_strdup("--wire needs two RoCE ports: --port A and B");
			break;
		}
		ends.fds[end] = hw_wire_socket(setup->wire[end], reterr);
		if (ends.fds[end] < 0)
			break;
	}
	if (ends.fds[WORLD_PEER] >= 0) {
		hw->wire = hw_wire_new(&ends, reterr);
		return hw->wire != NULL;
	}
	if (ends.fds[WORLD_SELF] >= 0)
		close(ends.fds[WORLD_SELF]);
	return false;
}

static size_t hw_unmatched(struct world *world)
{
	(void)world;
	return 0;
}

/* ---- beginning and end ---- */

static int hw_close(struct world *world)
{
	hw_issm_close(world, WORLD_SELF);
	hw_issm_close(world, WORLD_PEER);
	put_back(world, WORLD_SELF);
	put_back(world, WORLD_PEER);
	hw_wire_free(hw_of(world)->wire);
	world_clear(world);
	g_free(world);
	return 0;
}

/* What worlds with a simulated wire and with a real one have in common. */
#define HW_KIND \
	.name = "hw", \
	.is_sim = false, \
	.close = hw_close, \
	.now_ns = hw_now_ns, \
	.step = hw_step, \
	.next_ns = hw_now_ns, \
	.address = hw_address, \
	.enter = hw_enter, \
	.comment = hw_comment, \
	.file_open = hw_file_open, \
	.file_ioctl = hw_file_ioctl, \
	.file_write = hw_file_write, \
	.file_read = hw_file_read, \
	.file_poll = hw_file_poll, \
	.file_close = hw_file_close, \
	.issm_open = hw_issm_open, \
	.issm_close = hw_issm_close, \
	.port_remove = hw_port_remove, \
	.port_set_lid = hw_port_set_lid, \
	.attribute = hw_attribute, \
	.unmatched = hw_unmatched

/* The peer's agent sends what is to arrive at A. */
static const struct world_kind hw_kind = { HW_KIND };

static const struct world_kind wire_kind = { HW_KIND, .arrive = hw_arrive, .fault = hw_fault,
					  .counter = hw_counter };

/* Returns 1 for InfiniBand, 0 for another link layer, or -errno. */
static int port_is_ib(const char *ca, int number)
{
	umad_port_t port;
	int status = umad_get_port(ca, number, &port);
	bool is_ib;

	if (status < 0)
		return status;
	is_ib = strcmp(port.link_layer, "InfiniBand") == 0 || strcmp(port.link_layer, "IB") == 0;
	umad_release_port(&port);
	return is_ib;
}

int world_hw_port_is_ib(const char *port)
{
	g_autofree char *ca = NULL;
	int number;

	return world_port_parse(port, &ca, &number) ? port_is_ib(ca, number) : -EINVAL;
}

bool world_hw_port_has_issm(const char *port)
{
	g_autofree char *ca = NULL;
	char path[256];
	int number;

	return world_port_parse(port, &ca, &number) &&
	       umad_get_issm_path(ca, number, path, sizeof(path)) == 0 && access(path, F_OK) == 0;
}

static bool hw_take_port(struct world_hw *hw, enum world_end end, const char *name, char **reterr)
{
	struct world *world = &hw->world;
	int is_ib;

	if (!world_port_parse(name, &world->ca[end], &world->port[end])) {
		*reterr = g_strdup_printf("'%s' is not a port: expected DEVICE/PORT", name);
		return false;
	}
	world->label[end] = g_strdup(name);
	is_ib = port_is_ib(world->ca[end], world->port[end]);
	if (is_ib < 0) {
		*reterr = g_strdup_printf("cannot read port %s: %s", name, g_strerror(-is_ib));
		return false;
	}
	hw->is_ethernet[end] = is_ib == 0;
	return true;
}

struct world *world_hw_new(const struct world_setup *setup, char **reterr)
{
	struct world_hw *hw = g_new0(struct world_hw, 1);
	struct timespec resolution;

	hw->world.kind = &hw_kind;
	g_queue_init(&hw->world.leaves);
	hw->issm[WORLD_SELF] = hw->issm[WORLD_PEER] = -1;
	for (int end = 0; end < WORLD_ENDS; end++) {
		if (!setup->ports[end] || hw_take_port(hw, end, setup->ports[end], reterr))
			continue;
		hw_close(&hw->world);
		return NULL;
	}
	if (setup->wire[WORLD_SELF]) {
		hw->world.kind = &wire_kind;
		if (!hw_take_wire(hw, setup, reterr)) {
			hw_close(&hw->world);
			return NULL;
		}
	}
	/* The coarse clock's resolution is the tick of the kernel's timers. */
	hw->world.tick_ns = 10 * NS_PER_MS;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 && resolution.tv_nsec > 0)
		hw->world.tick_ns = resolution.tv_nsec;
	hw->start_ns = clock_ns(CLOCK_MONOTONIC);
	return &hw->world;
}
