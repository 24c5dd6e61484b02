/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Which descriptors are handles: see lib/raw/descriptor.h. */
#include <errno.h>
#include <stddef.h>

#include "lib/base/handle-name.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/raw.h"

_Atomic uint8_t descriptor_states[DESCRIPTOR_COUNT];

static const struct umad_raw_calls *_Atomic joined;
static atomic_bool has_unnamed;	/* this process has opened handles without a name: of sim: */

const struct umad_raw_calls *raw_calls(void)
{
	return atomic_load_explicit(&joined, memory_order_acquire);
}

void umadrig_raw_join(const struct umad_raw_calls *calls)
{
	const struct umad_raw_calls *none = NULL;

	if (calls->abi == UMAD_RAW_ABI)
		atomic_compare_exchange_strong(&joined, &none, calls);
}

static enum descriptor_state state_of(int fd)
{
	if ((unsigned int)fd >= DESCRIPTOR_COUNT)
		return DESCRIPTOR_UNKNOWN;
	return (enum descriptor_state)atomic_load_explicit(&descriptor_states[fd],
							   memory_order_relaxed);
}

static void set_state(int fd, enum descriptor_state state)
{
	if ((unsigned int)fd < DESCRIPTOR_COUNT)
		atomic_store_explicit(&descriptor_states[fd], (uint8_t)state,
				      memory_order_relaxed);
}

bool descriptor_ask(int fd)
{
	const struct umad_raw_calls *calls = raw_calls();
	int err = errno;
	bool is_named, ret;

	if (fd < 0 || !calls)
		return false;
	is_named = handle_name_is_there(fd);
	ret = (is_named || atomic_load(&has_unnamed)) && calls->is_handle(fd, is_named);
	set_state(fd, ret ? DESCRIPTOR_HANDLE : DESCRIPTOR_OTHER);
	errno = err;
	return ret;
}

bool descriptor_has_unnamed(void)
{
	return atomic_load_explicit(&has_unnamed, memory_order_relaxed);
}

void descriptor_copied(int from, int to)
{
	enum descriptor_state state = state_of(from);

	if (to >= 0 && state != DESCRIPTOR_OTHER)
		set_state(to, state);
}

void descriptor_received(int fd)
{
	set_state(fd, DESCRIPTOR_UNKNOWN);
}

void umadrig_raw_opened(int fd)
{
	set_state(fd, DESCRIPTOR_HANDLE);
	if (!handle_name_is_there(fd))
		atomic_store(&has_unnamed, true);
}
