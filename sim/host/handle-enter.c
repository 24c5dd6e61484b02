/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Into the fabric of a handle: see handle-enter.h and handle.h. */
#include "sim/host/handle-enter.h"

/* As handle_enter_by(), for a descriptor that is none of the index. */
static int enter_copy(int fd, int (*enter_fabric)(struct umadrig_fabric *),
		      struct handle **ret_handle)
{
	struct umadrig_fabric *fabric;
	struct handle *handle;
	uint64_t id;
	int ret;

	handle = handle_index_find_copied(fd, &id);
	if (!handle)
		return -EBADF;
	fabric = __atomic_load_n(&handle->fabric, __ATOMIC_ACQUIRE);
	ret = enter_fabric(fabric);
	if (ret < 0)
		return ret;
	if (!handle_is_of(id, handle, fabric)) {
		fabric_leave(fabric);
		return -EBADF;
	}
	*ret_handle = handle;
	return 0;
}

intptr_t handle_enter_copied(int fd, int (*enter_fabric)(struct umadrig_fabric *))
{
	struct handle *handle;
	int ret = enter_copy(fd, enter_fabric, &handle);

	return ret < 0 ? ret : (intptr_t)handle;
}

int handle_enter(int fd, struct handle **ret_handle)
{
	return handle_enter_by(fd, fabric_enter, ret_handle);
}

int handle_enter_surely(int fd, struct handle **ret_handle)
{
	struct handle *handle = handle_index_get(fd);

	/* Without ids there is only the index. */
	if (handle && __atomic_load_n(&handle->id, __ATOMIC_ACQUIRE) == 0)
		return handle_enter(fd, ret_handle);
	return enter_copy(fd, fabric_enter, ret_handle);
}

struct handle *handle_find(const struct umadrig_fabric *fabric, int fd)
{
	struct handle *handle = handle_index_get(fd);
	uint64_t id;

	if (!handle)
		handle = handle_index_find_copied(fd, &id);
	return handle && handle->fabric == fabric && !handle->closing ? handle : NULL;
}
