/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/file-buffer.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <sys/types.h>

#include "harness/filter/memory.h"

/*
 * The first address that no program has: of aarch64's kernels the one with the widest addresses is
 * meant. Of what is below, reading tells.
 */
#ifdef __aarch64__
#define ADDRESS_END (UINT64_C(1) << 52)
#else
#define ADDRESS_END (UINT64_C(1) << 47)
#endif
#define TRANSFER_MAX (UINT64_C(0x7fffffff) & ~UINT64_C(4095))	/* bytes of one read or write */

int file_check_buffer(uint64_t at, uint64_t wanted, size_t *ret_size)
{
	if (at > ADDRESS_END || wanted > ADDRESS_END - at)
		return -EFAULT;
	*ret_size = MIN(wanted, TRANSFER_MAX);
	return 0;
}

int file_get_parts(const struct seccomp_notif *call, struct iovec *parts)
{
	uint64_t count = call->data.args[2], sum = 0;
	int r;

	if (count > UIO_MAXIOV)
		return -EINVAL;
	r = memory_read((pid_t)call->pid, call->data.args[1], parts, count * sizeof(*parts));
	if (r < 0)
		return r;
	for (uint64_t i = 0; i < count; i++) {
		size_t size = 0;

		if (parts[i].iov_len > SSIZE_MAX)
			return -EINVAL;
		r = file_check_buffer((uintptr_t)parts[i].iov_base, parts[i].iov_len, &size);
		if (r < 0)
			return r;
		parts[i].iov_len = MIN(size, TRANSFER_MAX - sum);
		sum += parts[i].iov_len;
	}
	return sum ? (int)count : 0;
}
