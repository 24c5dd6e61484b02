/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets that end here: see linux-drop.h.
 */
#include "kmod-stub/linux/linux-drop.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-port.h"
#include "kmod-stub/linux/mad-door.h"

struct linux_drop_now linux_drop_now;

static void report(const struct kmod_port *port, const struct packet *packet, const char *why)
{
	const struct kmod_ops *ops = port->host->ops;

	linux_trace(port, "drop t=%x:%x %s", get_be32(packet_mad_const(packet) + MAD_TID),
		    get_be32(packet_mad_const(packet) + MAD_TID + 4), why);
	if (ops->drop)
		ops->drop(port->host->ctx, port->wire, packet, why);
}

void linux_drop(const struct kmod_port *port, const struct packet *packet, const char *format, ...)
{
	char why[LINUX_DROP_WHY_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	report(port, packet, why);
}

void linux_drop_begin(const struct kmod_port *port, const struct packet *packet)
{
	linux_drop_now.port = port;
	linux_drop_now.packet = packet;
	linux_drop_now.used = false;
	linux_drop_now.blocks = linux_blocks;
	linux_drop_now.why[0] = '\0';
}

void linux_drop_used(void)
{
	linux_drop_now.used = true;
}

void linux_drop_because(const char *format, ...)
{
	va_list args;

	if (!linux_drop_now.packet)
		return;
	va_start(args, format);
	vsnprintf(linux_drop_now.why, sizeof(linux_drop_now.why), format, args);
	va_end(args);
}

static bool is_smp(const uint8_t *mad)
{
	return mad[MAD_CLASS] == MAD_CLASS_SUBN_DR || mad[MAD_CLASS] == MAD_CLASS_SUBN_LID;
}

/* Of a transfer: it changes the state of one, or nothing; neither is the end of a packet. */
static bool is_rmpp_control(const uint8_t *mad)
{
	return mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE && mad_class_has_rmpp(mad[MAD_CLASS]) &&
	       mad[RMPP_TYPE] != RMPP_TYPE_DATA;
}

/* The kernel has said nothing: what is plain from the MAD and from its tables. */
static void guess(const struct kmod_port *port, const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);
	bool qp0 = packet_dest_qp(packet) == 0;

	if (mad[MAD_BASE_VERSION] != 1)
		linux_drop_because("base version is not 1");
	else if (is_smp(mad) != qp0)
		linux_drop_because(qp0 ? "class is not for QP0" : "class is for QP0 only");
	else if (mad_door_agent(port->device, mad) < 0)
		linux_drop_because("no agent for class 0x%02x method 0x%02x", mad[MAD_CLASS],
				   mad[MAD_METHOD]);
	else if (mad_door_is_response(mad))
		linux_drop_because("no request of its agent waits for this response");
	else
		linux_drop_because("ib_mad has no use for it");
}

/* What becomes of the packet: NULL: nothing is to be said. */
static const char *reason(void)
{
	const uint8_t *mad = packet_mad_const(linux_drop_now.packet);

	/* A message whose segments are still to come keeps the buffer of this one. */
	if (linux_drop_now.used || linux_blocks > linux_drop_now.blocks ||
	    !linux_drop_now.port->device)
		return NULL;
	if (linux_drop_now.why[0] == '\0' && is_rmpp_control(mad) &&
	    mad_door_agent(linux_drop_now.port->device, mad) >= 0)
		return NULL;
	if (linux_drop_now.why[0] == '\0')
		guess(linux_drop_now.port, linux_drop_now.packet);
	return linux_drop_now.why;
}

void linux_drop_end(void)
{
	const struct kmod_ops *ops = linux_drop_now.port->host->ops;
	const char *why = ops->drop || ops->trace ? reason() : NULL;

	if (why)
		report(linux_drop_now.port, linux_drop_now.packet, why);
	linux_drop_now.packet = NULL;
}
