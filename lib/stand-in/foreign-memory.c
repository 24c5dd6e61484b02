/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-memory.h. */
#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-process.h"

enum { PAGE = 4096 };

static int move(long call, uint64_t at, void *bytes, size_t size)
{
	struct iovec near = { bytes, size }, far = { (void *)(uintptr_t)at, size };

	if (size == 0)
		return 0;
	return CALL_6(call, foreign.pid, &near, 1, &far, 1, 0) == (long)size ? 0 : -EFAULT;
}

int foreign_memory_get(uint64_t at, void *ret, size_t size)
{
	return move(SYS_process_vm_readv, at, ret, size);
}

int foreign_memory_put(uint64_t at, const void *bytes, size_t size)
{
	return move(SYS_process_vm_writev, at, (void *)(uintptr_t)bytes, size);
}

/* Page by page: what follows the text may not be there. */
int foreign_memory_get_text(uint64_t at, char *ret, size_t size)
{
	size_t have = 0;

	while (have < size) {
		size_t part = PAGE - (size_t)((at + have) % PAGE);

		if (part > size - have)
			part = size - have;
		if (foreign_memory_get(at + have, ret + have, part) < 0)
			return -EFAULT;
		if (memchr(ret + have, 0, part))
			return 0;
		have += part;
	}
	return -ENAMETOOLONG;
}
