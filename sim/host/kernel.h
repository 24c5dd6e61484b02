/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernels (kmod-stub) that drive the end ports of hosts, and the operations that the fabric
 * provides for them.
 */
#ifndef UMADRIG_SIM_HOST_KERNEL_H
#define UMADRIG_SIM_HOST_KERNEL_H

#include <stdint.h>

struct end_port;
struct kmod_port;
struct kmod_source;
struct port;
struct umadrig_fabric;

/* Fills in fabric->ops, the operations for kernels. */
void kernels_set_ops(struct umadrig_fabric *fabric);

/*
 * From now on handles are told which of their sends are over (handle.h): nobody has to ask, at the
 * end of each send, as long as there is no such handle.
 */
void kernels_tell_sends_over(struct umadrig_fabric *fabric);

/* The kernel's view of an end port, made now if there was none; NULL: the device is removed. */
struct kmod_port *end_port_kmod(struct end_port *end);

/* Removes that, with its files and its issm device. */
void end_port_remove_kmod(struct end_port *end);

/* The answers of a node's hardware: its SMA, PMA and other agents. As kmod_ops.process_mad. */
unsigned int port_process_mad(struct port *port, const struct kmod_source *source,
			      const uint8_t *in, uint8_t *out);

/* To be called when fabric->trace was set or cleared: kernels trace only if there is a listener. */
void fabric_listen(struct umadrig_fabric *fabric);

/* Frees all kernels. No file is open any more. */
void kernels_free(struct umadrig_fabric *fabric);

#endif
