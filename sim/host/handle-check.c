/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The invariants of handles: see sim/host/handle.h.
 */
#include "kmod-stub/kmod.h"
#include "lib/base/invariant.h"
#include "sim/fabric/fabric.h"
#include "sim/host/handle.h"

static const char *handle_check(const struct umadrig_fabric *fabric, const struct handle *handle)
{
	const struct handle *found = handle->fd < 0 ? NULL : handle_find(fabric, handle->fd);

	MUST(handle->fabric == fabric, "handle: it is of the fabric that lists it");
	MUST(handle->file, "handle: it has a file");
	NEVER(found && found->fd == handle->fd && found != handle,
	      "handle: never two for one descriptor");
	NEVER(handle->fd >= 0 && handle->fd == handle->own_fd,
	      "handle: our descriptor is never the program's");
	NEVER(handle->settle && handle->fd_readable,
	      "handle: never readable by a descriptor that is not settled");
	return NULL;
}

const char *handles_check(const struct umadrig_fabric *fabric)
{
	unsigned int changed = 0;

	for (const struct handle *handle = fabric->handles; handle; handle = handle->next) {
		MUST_HOLD(handle_check(fabric, handle));
		changed += handle->changed;
	}
	for (const struct handle *handle = fabric->handles_changed; handle;
	     handle = handle->next_changed) {
		MUST(handle->changed, "handle: one that is to be settled has changed");
		MUST(handle->fabric == fabric && handle->file,
		     "handle: one that is to be settled is open, and of this fabric");
		changed -= !handle->settle;
	}
	MUST(changed == 0, "handle: one that has changed is to be settled");
	return NULL;
}
