/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of a host says by itself, as files beside those of /sys (lib/base/kernel-ring.h):
 * its messages, as /dev/kmsg has them, and uevents, as a netlink socket has them.
 */
#ifndef UMADRIG_SIM_SERVER_SYSFS_KERNEL_H
#define UMADRIG_SIM_SERVER_SYSFS_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/kernel-message.h"
#include "sim/server/sysfs-tree.h"

struct sysfs_kernel {
	int64_t boot_ns;		/* fabric time 0, by the clock that messages have */
	uint64_t messages, events;	/* that have been written */
	GPtrArray *latest;		/* of GBytes *: records of uevents; NULL: none are kept */
};

/* From now on the latest KERNEL_RING_SLOTS uevents are kept in memory, too. */
void sysfs_kernel_keep_events(struct sysfs_kernel *kernel);
/* The record of uevent 'number' (lib/base/kernel-ring.h); NULL: it is not kept. */
GBytes *sysfs_kernel_event(const struct sysfs_kernel *kernel, uint64_t number);
void sysfs_kernel_clear(struct sysfs_kernel *kernel);

/* Before there are any. */
void sysfs_kernel_put_base(struct sysfs_tree *tree);

/*
 * Message 'number', which is of the adapter 'card', appended: as a record of /dev/kmsg, or as a
 * line of syslog(2).
 */
void sysfs_kernel_print_record(const struct sysfs_kernel *kernel, uint64_t number,
			       const struct kernel_message *message, unsigned int card,
			       GString *record);
void sysfs_kernel_print_line(const struct sysfs_kernel *kernel,
			     const struct kernel_message *message, unsigned int card,
			     GString *lines);

/* Writes the next message, which is of the adapter 'card'. */
void sysfs_kernel_put_message(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
			      const struct kernel_message *message, unsigned int card);

/* An adapter and its character devices, as they are shown in /sys. */
struct sysfs_adapter {
	unsigned int card;		/* number of its PCI device */
	bool has_card;			/* which comes or goes, too */
	const char *path;		/* its directory in the class infiniband */
	int uverbs;			/* N of uverbsN; -1: it has none */
	unsigned int umad, port_count;	/* N of its first port's umadN and issmN, the next follow */
	bool has_issm;
};

/*
 * Writes the uevents of an adapter that has come, or that goes: then before its files are removed,
 * for what they say of each device is read from its file uevent.
 */
void sysfs_kernel_announce(struct sysfs_tree *tree, struct sysfs_kernel *kernel,
			   const struct sysfs_adapter *adapter, bool is_added);

#endif
