/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The fabric and the host of a thread of this process: see sim/api/attach.h.
 */
#include "sim/api/attach.h"

#include <errno.h>

#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"

static struct umadrig_fabric *attached;

/* A host is identified by its fabric's serial number too: its address may be reused. */
static __thread struct {
	uint64_t serial;
	struct umadrig_host *host;
} entered;

void umadrig_attach(struct umadrig_fabric *fabric)
{
	__atomic_store_n(&attached, fabric, __ATOMIC_RELEASE);
}

struct umadrig_fabric *attached_fabric(void)
{
	return __atomic_load_n(&attached, __ATOMIC_ACQUIRE);
}

void attach_forget(const struct umadrig_fabric *fabric)
{
	if (attached_fabric() == fabric)
		umadrig_attach(NULL);
}

struct umadrig_host *attached_host(const struct umadrig_fabric *fabric)
{
	return entered.serial == fabric->serial ? entered.host : fabric->default_host;
}

int umadrig_host_enter(struct umadrig_fabric *fabric, const char *host)
{
	struct umadrig_host *found = NULL;
	int ret;

	if (host) {
		ret = fabric_enter(fabric);
		if (ret < 0)
			return ret;
		found = fabric_host(fabric, host);
		fabric_leave(fabric);
		if (!found)
			return -ENOENT;
	}
	entered.serial = host ? fabric->serial : 0;
	entered.host = found;
	return 0;
}
