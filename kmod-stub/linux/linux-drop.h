/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Packets that end here, and why: ops->drop. The kernel drops a MAD without a word, so the shim
 * looks at what became of it, and asks the kernel's tables when nothing did.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_DROP_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_DROP_H

#include <stdbool.h>

struct kmod_port;
struct packet;

enum { LINUX_DROP_WHY_SIZE = 160 };

/* The packet that the kernel has; 'packet' NULL: none. */
extern struct linux_drop_now {
	const struct kmod_port *port;
	const struct packet *packet;
	bool used;
	unsigned long blocks;		/* of the kernel's memory, before */
	char why[LINUX_DROP_WHY_SIZE];
} linux_drop_now;

/* Reports the packet, which stays the caller's. */
void linux_drop(const struct kmod_port *port, const struct packet *packet, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* From here to linux_drop_end() the kernel has this packet. */
void linux_drop_begin(const struct kmod_port *port, const struct packet *packet);
/* Something became of the packet that the kernel has: it is used, or its end is reported. */
void linux_drop_used(void);
/* The packet that the kernel has ends for this reason, unless something else becomes of it. */
void linux_drop_because(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports the packet if nothing became of it. */
void linux_drop_end(void);

#endif
