/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * attach-handle.c: see lib/attach/attach-handle.h.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/attach/attach-handle.h"
#include "lib/base/handle-token.h"

static __thread struct {
	int fd;
	unsigned int changes;
	uint64_t token;
	bool may_send, may_wait;
} told __attribute__((tls_model("initial-exec")));
static atomic_uint changes;

int attach_handle_token(int fd, uint64_t *ret_token)
{
	*ret_token = handle_token(fd);
	return *ret_token ? 0 : -EBADF;
}

void attach_handle_told(int fd, uint64_t token)
{
	told.fd = fd;
	told.changes = atomic_load_explicit(&changes, memory_order_relaxed);
	told.token = token;
	told.may_send = told.may_wait = true;
}

static uint64_t take(int fd, bool *may)
{
	bool is_known = *may && told.fd == fd &&
			told.changes == atomic_load_explicit(&changes, memory_order_relaxed);

	*may = false;
	return is_known ? told.token : 0;
}

uint64_t attach_handle_to_send(int fd)
{
	return take(fd, &told.may_send);
}

uint64_t attach_handle_to_wait(int fd)
{
	return take(fd, &told.may_wait);
}

void attach_handle_changed(void)
{
	atomic_fetch_add(&changes, 1);
}
