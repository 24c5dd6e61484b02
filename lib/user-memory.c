/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Memory at addresses that may be bad: see lib/user-memory.h. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
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

bool user_memory_is_writable(void *address, size_t size)
{
	uint8_t *ends[] = { address, (uint8_t *)address + size - 1 };
	uint8_t byte;

	for (unsigned int i = 0; i < 2; i++) {
		if (user_memory_get(&byte, ends[i], 1) < 0 ||
		    user_memory_put(ends[i], &byte, 1) < 0)
			return false;
	}
	return true;
}
