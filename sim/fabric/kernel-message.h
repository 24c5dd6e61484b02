/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the kernel of a host has printed about its adapters: the latest KERNEL_RING_SLOTS messages
 * (lib/base/kernel-ring.h), as Linux 6.1's mlx5_core words them.
 *
 * A host that has printed nothing has no memory for it.
 */
#ifndef UMADRIG_SIM_FABRIC_KERNEL_MESSAGE_H
#define UMADRIG_SIM_FABRIC_KERNEL_MESSAGE_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct kernel_log;
struct node;
struct umadrig_host;

/* Linux: KERN_ERR and its kin. */
enum kernel_level {
	KERNEL_ERR = 3,
	KERNEL_WARNING = 4,
	KERNEL_INFO = 6,
};

struct kernel_message {
	int64_t at_ns;			/* fabric time */
	enum kernel_level level;
	const struct node *node;	/* the adapter's */
	char *text;			/* without its address in front of it */
};

/*
 * The driver of 'node' prints that, now. Nothing where no host of ours has the node: a switch, or
 * an HCA of a kernel that runs by itself. Lock held.
 */
void kernel_say(struct node *node, enum kernel_level level, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

/* A cable's module has been plugged into port 'num' of the node, or pulled out of it. */
void kernel_say_module(struct node *node, unsigned int num, bool is_plugged);

/* How many the host has printed; and the one of that number, from 0 on; NULL: it is forgotten. */
uint64_t kernel_message_count(const struct umadrig_host *host);
const struct kernel_message *kernel_message_at(const struct umadrig_host *host, uint64_t number);

/* The oldest that is not forgotten; and the first since they were cleared, if that is later. */
uint64_t kernel_message_first(const struct umadrig_host *host);
uint64_t kernel_message_cleared(const struct umadrig_host *host);
/* As dmesg --clear: those that have been printed are not listed any more. Lock held. */
void kernel_message_clear(struct umadrig_host *host);

/* NULL is allowed. */
void kernel_log_free(struct kernel_log *log);

#endif
