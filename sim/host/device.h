/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs' view of a host's devices, and operations on its umad files, as in lib/backend.h. The
 * door (door.c) calls these for programs in this process, the server (sim/server/server-call.c) for
 * others.
 *
 * All functions are called with the fabric's lock held; results are 0 or a negative errno.
 */
#ifndef UMADRIG_SIM_HOST_DEVICE_H
#define UMADRIG_SIM_HOST_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/backend.h"

struct end_port;
struct kmod_file;
struct node;
struct port;
struct umadrig_host;

/* The line that says what is simulated, for a program on this host; truncated to 'size'. */
void device_banner(const struct umadrig_host *host, char *text, size_t size);

/* Names of the host's devices, malloc'd, as in struct umad_backend's list_cas. */
int device_list(const struct umadrig_host *host, char (**ret_names)[UMAD_BACKEND_NAME_SIZE],
		size_t *ret_count);

/* A device as in get_ca, a port as in get_port; released like those. -ENOMEM. */
int device_describe(const struct node *node, struct umad_backend_ca *ret);
int device_describe_port(struct end_port *end, unsigned int parts, struct umad_backend_port *ret);

/* The contents of the port's files in sysfs, except its tables. */
void device_port_attr(struct end_port *end, struct port_attr *ret);

/* Width and speed of a port's link, as verbs number them; width 0: verbs have no number. */
struct device_rate {
	unsigned int width, speed;
};
struct device_rate device_port_rate(struct port *port);

/* Port 'portnum' of the host's device 'ca_name', or NULL. */
struct end_port *device_port(const struct umadrig_host *host, const char *ca_name,
			     unsigned int portnum);

/* Enables 64-byte headers of a file that was just opened. */
void device_file_enable_pkey(struct kmod_file *file);

/* As register_agent and unregister_agent of struct umad_backend. */
int device_file_register(struct kmod_file *file, struct umad_backend_reg *reg);
int device_file_unregister(struct kmod_file *file, uint32_t id);

#endif
