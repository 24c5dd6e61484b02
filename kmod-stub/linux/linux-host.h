/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host that runs the kernel of this file: who is in it, and what it has that the kernel's files
 * have once for all.
 *
 * Whoever calls into the kernel enters a host first: an operation of kmod-kernel.h, or an event.
 * One thread at a time is in a file's kernel, whichever fabrics its hosts are of.
 */
#ifndef UMADRIG_KMOD_STUB_LINUX_LINUX_HOST_H
#define UMADRIG_KMOD_STUB_LINUX_LINUX_HOST_H

#include "kmod-stub/kmod.h"
#include "kmod-stub/linux/kernel-file.h"
#include "kmod-stub/linux/linux-lists.h"
#include "kmod-stub/linux/linux-types.h"

struct kmod_host {
	const struct kmod_kernel *kernel;
	const struct kmod_ops *ops;
	void *ctx;
	unsigned int port_count;

	struct list_head numbers;	/* struct linux_numbers: of agents, of devices */
	u32 first_number;		/* of a program's agents */
	struct list_head works;		/* without a delay, in their order */
	struct list_head timers;	/* delayed works */
	struct list_head sends;		/* struct linux_send: completions to come, in their order */
	struct list_head free_sends;	/* for the next ones */
	struct kmod_port *adding;	/* the port whose device the kernel is being shown */
	struct kmod_variant variant;
	uint64_t chance;		/* what is next of its schedule (linux-processors.h) */
	int64_t last_ns;		/* of the completions that come late by it */
};

/* The host that the kernel runs on; NULL: it begins. */
extern struct kmod_host *linux_current_host;

/* What a caller goes back to. */
struct linux_entry {
	struct kmod_host *host;
	unsigned long jiffies;
	unsigned int locks, spins, before;	/* of linux_held; see linux-locks.h */
	bool irqs_off;
};

/* The time of the host's fabric is jiffies from now on. */
struct linux_entry linux_enter(struct kmod_host *host);
/* Back to what was before; reports a lock that is still held. */
void linux_leave(struct linux_entry entry);

static inline int64_t linux_now_ns(const struct kmod_host *host)
{
	return host->ops->now_ns(host->ctx);
}

/* The operations. */
struct kmod_host *linux_host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				 void *ctx, enum kmod_profile profile, uint32_t first_hi_tid);
void linux_host_free(struct kmod_host *host);
void linux_host_trim(struct kmod_host *host);
void linux_host_vary(struct kmod_host *host, const struct kmod_variant *variant);
const char *linux_host_check(const struct kmod_host *host, size_t *work);
/* See struct kernel_file. */
int linux_host_at_once(struct kmod_host *host, const struct kernel_call *calls,
		       unsigned int count);

/* The modules' begin, without a host. 0 or -errno. */
int linux_host_begin(void);

#endif
