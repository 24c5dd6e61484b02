/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The functions of kmod-stub/packet.h: the process's own. A second copy would make packets that its
 * pools do not know.
 */
#include "kmod-stub/linux/services.h"

#include "kmod-stub/linux/kernel-file.h"
#include "kmod-stub/packet.h"

const struct kernel_services *linux_services;

struct packet *packet_make(struct packet_pool *pool)
{
	return linux_services->packet_make(pool);
}

void packet_build(struct packet *packet, const struct packet_addr *addr)
{
	linux_services->packet_build(packet, addr);
}
