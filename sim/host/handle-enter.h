/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Into the fabric of a handle, by a descriptor: where every MAD passes, so parts of it are inlined.
 */
#ifndef UMADRIG_SIM_HOST_HANDLE_ENTER_H
#define UMADRIG_SIM_HOST_HANDLE_ENTER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/fabric/entry.h"
#include "sim/fabric/fabric.h"
#include "sim/host/handle.h"
#include "sim/host/handle-index.h"

/* Is 'handle' (still) the handle of its descriptor, at 'place'? With the lock of 'fabric' held. */
static inline bool handle_is_at(struct handle **place, const struct handle *handle,
				const struct umadrig_fabric *fabric)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE) == handle && handle->fabric == fabric &&
	       !handle->closing;
}

/* Is it (still) the handle with this id? With the lock of 'fabric' held. */
static inline bool handle_is_of(uint64_t id, const struct handle *handle,
				const struct umadrig_fabric *fabric)
{
	return handle->id == id && handle->fabric == fabric && !handle->closing;
}

/* Has it not been closed since it had this descriptor and id? */
static inline bool handle_is_current(int fd, uint64_t id, const struct handle *handle,
				     const struct umadrig_fabric *fabric)
{
	struct handle **place = handle_index_place(fd);

	return id ? handle_is_of(id, handle, fabric) :
		    place && handle_is_at(place, handle, fabric);
}

/*
 * As handle_enter_by(), for a descriptor that is none of the index: the handle of which it is a
 * copy, or -errno, as a number. No address of a variable is taken where every MAD passes, which
 * would cost a check of the stack.
 */
intptr_t handle_enter_copied(int fd, int (*enter_fabric)(struct umadrig_fabric *));

/*
 * As handle_enter(), by another way into a fabric. Inlined, so that 'enter_fabric' is too and the
 * handle stays in a register.
 */
__attribute__((always_inline))
static inline int handle_enter_by(int fd, int (*enter_fabric)(struct umadrig_fabric *),
				  struct handle **ret_handle)
{
	struct handle **place = handle_index_place(fd);
	struct handle *handle = place ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : NULL;
	struct umadrig_fabric *fabric;
	int ret;

	if (!handle) {
		intptr_t copied = handle_enter_copied(fd, enter_fabric);

		*ret_handle = (struct handle *)copied;
		return copied < 0 ? (int)copied : 0;
	}
	fabric = __atomic_load_n(&handle->fabric, __ATOMIC_ACQUIRE);
	ret = enter_fabric(fabric);
	if (ret < 0)
		return ret;
	if (!handle_is_at(place, handle, fabric)) {
		fabric_leave(fabric);
		return -EBADF;
	}
	*ret_handle = handle;
	return 0;
}

#endif
