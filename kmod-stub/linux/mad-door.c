/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * mad.c, and a door into it: see mad-door.h. Compiled with the headers of the kernel's tree.
 */
#include <mad.c>

#include <string.h>

#include "kmod-stub/linux/mad-door.h"

/* All others are counted as if they were posted; max_active is also the window of RMPP. */
void mad_door_post_lazily(struct ib_qp *qp)
{
	struct ib_mad_qp_info *info = qp->qp_context;

	info->recv_queue.count = info->recv_queue.max_active - 1;
}

void mad_door_post(struct ib_qp *qp)
{
	ib_mad_post_receive_mads(qp->qp_context, NULL);
}

/* In a packet a MAD may begin anywhere; the kernel's are aligned. */
struct aligned_mad {
	u8 bytes[256] __attribute__((aligned(8)));
};

static struct aligned_mad aligned(const void *mad)
{
	struct aligned_mad copy;

	memcpy(copy.bytes, mad, sizeof(copy.bytes));
	return copy;
}

long mad_door_agent(struct ib_device *device, const void *mad)
{
	__auto_type port = ib_get_mad_port(device, device->port_num);
	struct aligned_mad copy = aligned(mad);
	__auto_type agent = port ? find_mad_agent(port, (const void *)copy.bytes) : NULL;
	long number = -1;

	if (agent) {
		number = (long)agent->agent.hi_tid;
		deref_mad_agent(agent);
	}
	return number;
}

bool mad_door_is_response(const void *mad)
{
	struct aligned_mad copy = aligned(mad);

	return ib_response_mad((const void *)copy.bytes);
}

int *mad_door_parameter(const char *name)
{
	if (strcmp(name, "send_queue_size") == 0)
		return linux_parameter_send_queue_size;
	if (strcmp(name, "recv_queue_size") == 0)
		return linux_parameter_recv_queue_size;
	return NULL;
}
