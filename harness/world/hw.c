/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The real world: two ports of ib_umad, the real clock.
 *
 * What leaves A is seen when it arrives at the peer's agent at B, and '<' is sent from B
 * (harness/script/run/peer.c), so headers below the MAD are not seen unless the wire between the
 * two is simulated (harness/world/hw-wire.h). Soft RoCE has no LIDs: addresses are GIDs of index 0.
 */
#include "config.h"

#include "harness/world/hw-world.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "harness/world/hw-wire.h"
#include "harness/world/sm-address.h"
#include "lib/words/number.h"
#include "sim/api/umadrig.h"

#define HW_FDS_MAX 64

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
	ret->has_gid = hw_read_gid(world->ca[end], world->port[end], ret->gid) == 0;
	return 0;
}

static int hw_address(struct world *world, const char *name, struct world_address *ret)
{
	if (strcmp(name, "self") == 0 || g_strcmp0(name, world->label[WORLD_SELF]) == 0)
		return end_address(world, WORLD_SELF, ret);
	if (strcmp(name, "peer") == 0 || g_strcmp0(name, world->label[WORLD_PEER]) == 0)
		return end_address(world, WORLD_PEER, ret);
	if (strcmp(name, "sm") != 0)
		return -ENOENT;
	/* RoCE has no SM: as on the default fabric, the peer takes its place. */
	if (hw_of(world)->is_ethernet[WORLD_SELF])
		return end_address(world, WORLD_PEER, ret);
	return world_sm_address(world, ret);
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

static int hw_port_set_lid(struct world *world, enum world_end end, uint16_t lid, uint8_t lmc)
{
	(void)world;
	(void)end;
	(void)lid;
	(void)lmc;
	return -EOPNOTSUPP;
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
	hw_port_restore(world, WORLD_SELF);
	hw_port_restore(world, WORLD_PEER);
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
