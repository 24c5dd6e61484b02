/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The kernels (kmod-stub) that drive the end ports of hosts, and what they ask of the fabric.
 */
#ifndef UMADRIG_SIM_HOST_KERNEL_H
#define UMADRIG_SIM_HOST_KERNEL_H

#include <stdint.h>

struct end_port;
struct kmod_port;
struct kmod_source;
struct port;
struct umadrig_fabric;

/* Fills in fabric->ops: what kernels will ask. */
void kernels_set_ops(struct umadrig_fabric *fabric);

/* The kernel's view of an end port, brought up now where it was not yet; NULL: it is removed. */
struct kmod_port *end_port_kmod(struct end_port *end);

/* Takes it down, with its files and its issm device. */
void end_port_remove_kmod(struct end_port *end);

/* What a node's hardware answers itself: its SMA, PMA and other agents. As kmod_ops.process_mad. */
unsigned int port_process_mad(struct port *port, const struct kmod_source *source,
			      const uint8_t *in, uint8_t *out);

/* fabric->trace has been set, or cleared: kernels speak only when somebody listens. */
void fabric_listen(struct umadrig_fabric *fabric);

/* Takes all kernels down. No file is open any more. */
void kernels_free(struct umadrig_fabric *fabric);

#endif
