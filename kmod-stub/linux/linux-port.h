/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port: a device of one port, its files' doors, and what is open of it.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_PORT_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_PORT_H

#include "kmod-stub/linux/linux-host.h"
#include "kmod-stub/linux/linux-verbs.h"

struct kmod_port {
	const struct kmod_kernel *kernel;
	struct kmod_host *host;
	const struct kmod_port_attr *attr;
	void *wire;
	char *name;
	struct ib_device *device;	/* NULL: it was removed */
	struct device hardware;		/* the parent of its devices, also of files that are left */
	struct list_head cdevs;		/* umadN and issmN */
	struct list_head files;		/* struct kmod_file: open ones */

	/* The open issmN: its device (NULL: it is not open), and what the kernel knows it by. */
	struct device *issm;
	struct inode issm_inode;
	struct file issm_file;
};

/* The port that it is a device of, itself or as a file. */
static inline struct kmod_port *linux_device_port(const struct device *device)
{
	return container_of(device->parent, struct kmod_port, hardware);
}

/* The door called "umadN" or "issmN" by what its name begins with, or NULL. */
struct cdev *linux_port_cdev(const struct kmod_port *port, const char *begins);

/* Frees a removed port of which nothing is open. */
void linux_port_release(struct kmod_port *port);

/* One line of the port's traces; nothing while traces are off. */
void linux_trace(const struct kmod_port *port, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The operations. */
struct kmod_port *linux_port_new(struct kmod_host *host, const struct kmod_port_attr *attr,
				 void *wire, const char *name);
void linux_port_remove(struct kmod_port *port);
bool linux_port_takes(const struct kmod_port *port, const uint8_t *mad);
const char *linux_port_check(const struct kmod_port *port, size_t *work);
int linux_issm_open(struct kmod_port *port);
void linux_issm_close(struct kmod_port *port);

#endif
