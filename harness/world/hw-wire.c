/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The simulated wire between real ports: turns frames into packets, carries them over a simulated
 * cable, and turns them back into frames.
 */
#include "harness/world/hw-wire.h"

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/capture/frame.h"
#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"

enum {
	FRAME_SIZE_MAX = 65536,
	QUEUE_SIZE = 16 << 20,	/* bytes of frames that wait to be read */
};

/*
 * The simulated ends have kernels of their own, which must not process the packets that they are
 * given: so these are addressed to a QP that the simulated ends do not have. (Packets from these
 * kernels do not reach the real ports.)
 */
#define NOT_FOR_THE_SIMULATOR 0x800000

struct hw_wire_end {
	struct hw_wire *wire;
	enum world_end end;
	int fd;
	uint8_t mac[6];
	struct umadrig_port *port;	/* of the simulated cable */
};

struct hw_wire {
	struct umadrig_fabric *fabric;
	struct hw_wire_end ends[WORLD_ENDS];
	hw_wire_left_fn *left;
	hw_wire_arrived_fn *arrived;
	void *ctx;
	uint8_t frame[FRAME_SIZE_MAX];
};

static const char *const node_names[WORLD_ENDS] = { "H1", "H2" };

static struct hw_wire_end *other_end(struct hw_wire_end *end)
{
	return &end->wire->ends[!end->end];
}

int hw_wire_socket(const char *name, char **reterr)
{
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = GUINT16_TO_BE(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex(name),
	};
	int fd, status, one = 1, size = QUEUE_SIZE;

	if (address.sll_ifindex == 0) {
		*reterr = g_strdup_printf("no such network interface: '%s'", name);
		return -ENODEV;
	}
	fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd >= 0 && setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof(one)) == 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) == 0 &&
	    bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	status = -errno;
	*reterr = g_strdup_printf("cannot read packets from interface %s: %s%s", name,
				  g_strerror(-status), status == -EPERM ? "; it needs root" : "");
	if (fd >= 0)
		close(fd);
	return status;
}

/* ---- frames ---- */

/* A frame that the kernel cannot take now is lost, as on any wire. */
static int send_frame(const struct hw_wire_end *end, const uint8_t *bytes, size_t size)
{
	return send(end->fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -errno;
}

/* Sends the packet as a frame to the port at 'end', from the other port. */
static int send_packet(struct hw_wire_end *end, const struct packet *packet)
{
	uint8_t bytes[FRAME_ROCE_SIZE];
	size_t size = frame_write_roce_v2(bytes, end->mac, other_end(end)->mac, packet);

	return send_frame(end, bytes, size);
}

/*
 * Called at the end of the simulated cable: passes a packet on to the real port. The fabric's lock
 * is held.
 */
static void arrives(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes, size_t size)
{
	struct hw_wire_end *end = ctx;
	struct packet packet = { .next = NULL };
	struct packet_addr addr;

	(void)at_ns;
	if (outbound || size > sizeof(packet.bytes))
		return;
	memcpy(packet.bytes, bytes, size);
	if (!packet_parse(&packet, size, &addr) || !(addr.dest_qp & NOT_FOR_THE_SIMULATOR))
		return;
	put_be24(packet.bytes + packet_bth_at(&packet) + BTH_DESTQP,
		 addr.dest_qp ^ NOT_FOR_THE_SIMULATOR);
	if (end->end == WORLD_SELF && end->wire->arrived)
		end->wire->arrived(end->wire->ctx, packet_mad(&packet));
	send_packet(end, &packet);
}

/* Takes a frame from the real port at 'end' and puts it on the simulated cable. */
static void take_mad(struct hw_wire_end *end, const struct capture_mad *mad)
{
	struct packet packet = { .next = NULL };
	struct packet_addr addr = mad->addr;

	if (end->end == WORLD_SELF)
		end->wire->left(end->wire->ctx, &mad->addr, mad->mad);
	addr.slid = umadrig_port_lid(end->port);
	addr.dlid = umadrig_port_lid(other_end(end)->port);
	addr.dest_qp ^= NOT_FOR_THE_SIMULATOR;
	packet_build(&packet, &addr);
	memcpy(packet_mad(&packet), mad->mad, MAD_SIZE);
	umadrig_inject(end->port, packet.bytes, (size_t)packet.mad_at + MAD_SIZE);
}

static bool take_frame(struct hw_wire_end *end)
{
	struct frame_result result = { .check_crcs = true };
	uint8_t *frame = end->wire->frame;
	ssize_t size = recv(end->fd, frame, FRAME_SIZE_MAX, 0);

	if (size < 0)
		return false;
	if (frame_read_ethernet(frame, (size_t)size, (size_t)size, &result) == CAUSE_NONE &&
	    result.mad.transport == CAPTURE_ROCE_V2)
		take_mad(end, &result.mad);
	else
		send_frame(other_end(end), frame, (size_t)size);
	return true;
}

/* ---- the cable ---- */

int hw_wire_fd(const struct hw_wire *wire, enum world_end end)
{
	return wire->ends[end].fd;
}

int64_t hw_wire_next_ns(const struct hw_wire *wire)
{
	return umadrig_next(wire->fabric);
}

bool hw_wire_carry(struct hw_wire *wire, int64_t now_ns)
{
	bool happened = umadrig_next(wire->fabric) <= now_ns;

	umadrig_step(wire->fabric, now_ns);
	for (int end = 0; end < WORLD_ENDS; end++) {
		while (take_frame(&wire->ends[end]))
			happened = true;
	}
	/* Without latency packets arrive at once. */
	umadrig_step(wire->fabric, now_ns);
	return happened;
}

int hw_wire_arrive(struct hw_wire *wire, const struct packet_addr *addr,
		   const uint8_t mad[MAD_SIZE])
{
	struct packet packet = { .next = NULL };
	struct packet_addr with_grh = *addr;

	/* On RoCE each packet has a GRH: the IP header. */
	with_grh.has_grh = true;
	packet_build(&packet, &with_grh);
	memcpy(packet_mad(&packet), mad, MAD_SIZE);
	return send_packet(&wire->ends[WORLD_SELF], &packet);
}

int hw_wire_fault(struct hw_wire *wire, const struct umadrig_fault *fault, enum world_end end,
	       char *reterr, size_t reterr_size)
{
	struct umadrig_fault here = *fault;

	here.node = node_names[end];
	here.port = 1;
	return umadrig_fault_add(wire->fabric, &here, reterr, reterr_size);
}

int64_t hw_wire_counter(struct hw_wire *wire, enum world_end end, const char *name)
{
	return umadrig_counter(wire->fabric, node_names[end], 1, name);
}

/* ---- beginning and end ---- */

struct hw_wire *hw_wire_new(const struct hw_wire_setup *setup, char **reterr)
{
	struct hw_wire *wire = g_new0(struct hw_wire, 1);
	g_autofree char *spec = NULL;
	char message[512] = "";

	wire->left = setup->left;
	wire->arrived = setup->arrived;
	wire->ctx = setup->ctx;
	for (int i = 0; i < WORLD_ENDS; i++) {
		struct hw_wire_end *end = &wire->ends[i];

		*end = (struct hw_wire_end) { wire, (enum world_end)i, setup->fds[i], { 0 }, NULL };
		memcpy(end->mac, setup->macs[i], sizeof(end->mac));
	}
	spec = g_strdup_printf(",clock=virtual,seed=%" G_GUINT64_FORMAT ",latency=%" G_GINT64_FORMAT
			       "ns", (guint64)setup->seed, (gint64)setup->latency_ns);
	wire->fabric = umadrig_fabric_open(spec, message, sizeof(message));
	if (!wire->fabric) {
		*reterr = g_strdup(message);
		hw_wire_free(wire);
		return NULL;
	}
	for (int i = 0; i < WORLD_ENDS; i++) {
		wire->ends[i].port = umadrig_port(wire->fabric, node_names[i], 1);
		umadrig_tap(wire->ends[i].port, arrives, &wire->ends[i]);
	}
	return wire;
}

void hw_wire_free(struct hw_wire *wire)
{
	if (!wire)
		return;
	for (int i = 0; i < WORLD_ENDS; i++) {
		if (wire->ends[i].fd >= 0)
			close(wire->ends[i].fd);
	}
	if (wire->fabric)
		umadrig_fabric_close(wire->fabric);
	g_free(wire);
}
