/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Which descriptors are handles: see lib/raw/descriptor.h. */
#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/base/handle-name.h"
#include "lib/base/issm-pipe-open.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/raw.h"

_Atomic uint8_t descriptor_states[DESCRIPTOR_COUNT];
static _Atomic uint16_t forms[DESCRIPTOR_COUNT];

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

static bool is_handle(const struct umad_raw_calls *calls, int fd)
{
	bool is_named = handle_name_is_there(fd);

	return (is_named || atomic_load(&has_unnamed)) && calls->is_handle(fd, is_named);
}

static bool is_issm(int fd)
{
	struct stat st;

	return raw_fstat(fd, &st) == 0 && issm_pipe_is(&st);
}

enum descriptor_state descriptor_ask(int fd)
{
	const struct umad_raw_calls *calls = raw_calls();
	enum descriptor_state ret = DESCRIPTOR_OTHER;
	int err = errno;

	if (fd < 0 || !calls)
		return DESCRIPTOR_OTHER;
	if (is_handle(calls, fd))
		ret = DESCRIPTOR_HANDLE;
	else if (log_name_is_there(fd))
		ret = DESCRIPTOR_LOG;
	else if (uevent_name_is_there(fd))
		ret = DESCRIPTOR_UEVENT;
	else if (is_issm(fd))
		ret = DESCRIPTOR_ISSM;
	set_state(fd, ret);
	errno = err;
	return ret;
}

void descriptor_is_issm_now(int fd)
{
	set_state(fd, DESCRIPTOR_ISSM);
}

bool descriptor_was_issm(int fd)
{
	return state_of(fd) == DESCRIPTOR_ISSM;
}

void descriptor_is_log_now(int fd)
{
	set_state(fd, DESCRIPTOR_LOG);
}

bool descriptor_was_log(int fd)
{
	return state_of(fd) == DESCRIPTOR_LOG;
}

void descriptor_is_uevent_now(int fd)
{
	set_state(fd, DESCRIPTOR_UEVENT);
}

bool descriptor_has_unnamed(void)
{
	return atomic_load_explicit(&has_unnamed, memory_order_relaxed);
}

void descriptor_copied(int from, int to)
{
	enum descriptor_state state = state_of(from);

	if (to < 0 || state == DESCRIPTOR_OTHER)
		return;
	set_state(to, state);
	descriptor_set_form(to, descriptor_form(from));
}

unsigned int descriptor_form(int fd)
{
	if ((unsigned int)fd >= DESCRIPTOR_COUNT)
		return 0;
	return atomic_load_explicit(&forms[fd], memory_order_relaxed);
}

bool descriptor_was_opened_by_path(int fd, unsigned int *ret_number)
{
	unsigned int form = descriptor_form(fd);

	/* (Not by descriptor_is(), which calls fstat(2).) */
	if (!(form & DESCRIPTOR_BY_PATH) || !raw_calls() || !is_handle(raw_calls(), fd))
		return false;
	*ret_number = form >> DESCRIPTOR_NUMBER_SHIFT;
	return true;
}

void descriptor_set_form(int fd, unsigned int form)
{
	if ((unsigned int)fd < DESCRIPTOR_COUNT)
		atomic_store_explicit(&forms[fd], (uint16_t)form, memory_order_relaxed);
}

void descriptor_received(int fd)
{
	set_state(fd, DESCRIPTOR_UNKNOWN);
	descriptor_set_form(fd, 0);
}

void umadrig_raw_opened(int fd)
{
	set_state(fd, DESCRIPTOR_HANDLE);
	if (!handle_name_is_there(fd))
		atomic_store(&has_unnamed, true);
}
