/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A host: see linux-host.h.
 */
#include "kmod-stub/linux/linux-host.h"

#include <pthread.h>
#include <stdlib.h>

#include "kmod-stub/linux/linux-locks.h"
#include "kmod-stub/linux/linux-memory.h"
#include "kmod-stub/linux/linux-numbers.h"
#include "kmod-stub/linux/linux-processors.h"
#include "kmod-stub/linux/linux-work.h"
#include "kmod-stub/linux/mad-door.h"
#include "kmod-stub/linux/linux-wire.h"

struct kmod_host *linux_current_host;
unsigned long jiffies;
static unsigned int host_count;
static pthread_mutex_t entrance = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/*
 * Linux: five minutes before the counter's 32 bits are full. Not before all bits of a long are:
 * what compares times with 0, as adjust_timeout() does with the time that an agent begins with,
 * would take this for a machine of 32 bits.
 */
enum { JIFFIES_BEGIN = -300 * HZ };

struct linux_entry linux_enter(struct kmod_host *host)
{
	struct linux_entry before;

	pthread_mutex_lock(&entrance);
	before = (struct linux_entry){ linux_current_host, jiffies, linux_held.count,
				       linux_held.spins, linux_held.before, linux_held.irqs_off };
	linux_processors_enter();
	linux_held.before = linux_held.count;
	linux_held.irqs_off = false;
	linux_current_host = host;
	if (host)
		jiffies = (u32)JIFFIES_BEGIN + (unsigned long)(linux_now_ns(host) / NS_PER_MS);
	return before;
}

void linux_leave(struct linux_entry entry)
{
	linux_locks_end(entry.locks, entry.spins);
	linux_processors_leave();
	linux_held.before = entry.before;
	linux_held.irqs_off = entry.irqs_off;
	linux_current_host = entry.host;
	jiffies = entry.jiffies;
	pthread_mutex_unlock(&entrance);
}

struct kmod_host *linux_host_new(const struct kmod_kernel *kernel, const struct kmod_ops *ops,
				 void *ctx, enum kmod_profile profile, uint32_t first_hi_tid)
{
	struct kmod_host *host = calloc(1, sizeof(*host));

	(void)profile;		/* the kernel is what it is */
	if (!host)
		return NULL;
	host->kernel = kernel;
	host->ops = ops;
	host->ctx = ctx;
	host->first_number = first_hi_tid;
	INIT_LIST_HEAD(&host->numbers);
	INIT_LIST_HEAD(&host->works);
	INIT_LIST_HEAD(&host->timers);
	INIT_LIST_HEAD(&host->sends);
	INIT_LIST_HEAD(&host->free_sends);
	pthread_mutex_lock(&entrance);
	host_count++;
	pthread_mutex_unlock(&entrance);
	return host;
}

void linux_host_free(struct kmod_host *host)
{
	struct linux_entry entry = linux_enter(host);

	if (host->port_count > 0)
		linux_stop("a host is freed that has %u ports", host->port_count);
	if (!list_empty(&host->works) || !list_empty(&host->timers))
		linux_fault(NULL, 0, "work is still queued when its host goes");
	linux_numbers_clear(&host->numbers);
	linux_wire_trim(host);
	if (--host_count == 0) {
		/* What is left may be of any that there was. */
		linux_current_host = NULL;
		linux_report_leaks();
		linux_processors_trim();
	}
	linux_leave(entry);
	free(host);
}

void linux_host_vary(struct kmod_host *host, const struct kmod_variant *variant)
{
	host->variant = *variant;
	host->chance = variant->schedule;
}

int linux_host_at_once(struct kmod_host *host, const struct kernel_call *calls,
		       unsigned int count)
{
	struct linux_entry entry;

	if (count > KERNEL_CALLS_MAX)
		return -E2BIG;
	entry = linux_enter(host);
	linux_processors_begin(host, NULL, NULL);
	if (linux_processors_on)
		linux_processors_call(calls, count);
	else
		for (unsigned int i = 0; i < count; i++)
			calls[i].run(calls[i].ctx);
	linux_leave(entry);
	return 0;
}

void linux_host_trim(struct kmod_host *host)
{
	struct linux_entry entry = linux_enter(host);

	linux_wire_trim(host);
	linux_leave(entry);
}

/* What is broken of a list of works, or NULL. */
static const char *check_works(const struct kmod_host *host, const struct list_head *works,
			       size_t *work)
{
	const struct work_struct *at;

	list_for_each_entry(at, works, entry) {
		++*work;
		if (!event_is_armed(&at->event))
			return "a kernel's work: queued, but its event is not armed";
		if (at->host != host)
			return "a kernel's work: queued at another host";
	}
	return NULL;
}

const char *linux_host_check(const struct kmod_host *host, size_t *work)
{
	const char *broken = check_works(host, &host->works, work);

	if (!broken)
		broken = check_works(host, &host->timers, work);
	if (!broken && host->adding)
		broken = "a kernel's host: at rest while a port is being added";
	return broken;
}

int linux_host_begin(void)
{
	struct linux_entry entry = linux_enter(NULL);
	int err = ib_mad_init();

	if (!err)
		err = linux_module_init();
	linux_leave(entry);
	return err;
}
