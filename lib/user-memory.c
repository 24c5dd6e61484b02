/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Memory at addresses that may be bad: see lib/user-memory.h. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/user-memory.h"

int user_memory_get(void *to, const void *address, size_t size)
{
	struct iovec here = { .iov_base = to, .iov_len = size };
	struct iovec there = { .iov_base = (void *)address, .iov_len = size };
	ssize_t n = process_vm_readv(getpid(), &here, 1, &there, 1, 0);

	if (n < 0 && errno != EFAULT) {
		memcpy(to, address, size);
		return 0;
	}
	return n == (ssize_t)size ? 0 : -EFAULT;
}

int user_memory_put(void *address, const void *from, size_t size)
{
	struct iovec here = { .iov_base = (void *)from, .iov_len = size };
	struct iovec there = { .iov_base = address, .iov_len = size };
	ssize_t n = process_vm_writev(getpid(), &here, 1, &there, 1, 0);

	if (n < 0 && errno != EFAULT) {
		memcpy(address, from, size);
		return 0;
	}
	return n == (ssize_t)size ? 0 : -EFAULT;
}

bool user_memory_is_there(const void *address, size_t size)
{
	uintptr_t page_mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
	uintptr_t first = (uintptr_t)address & ~page_mask;
	size_t span = (uintptr_t)address - first + size;
	unsigned char pages[512];
	size_t most = sizeof(pages) * (page_mask + 1);

	if (span < size)
		return false;
	/* What it says of the pages does not matter. (msync(2) would do, but valgrind objects.) */
	for (size_t at = 0; at < span; at += most) {
		if (mincore((void *)(first + at), span - at < most ? span - at : most, pages) < 0)
			return false;
	}
	return true;
}
