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

int foreign_memory_put_parts(const struct iovec *parts, size_t count, const uint8_t *bytes,
			     size_t size)
{
	for (size_t i = 0; i < count && size > 0; i++) {
		size_t part = parts[i].iov_len < size ? parts[i].iov_len : size;

		if (foreign_memory_put((uint64_t)(uintptr_t)parts[i].iov_base, bytes, part) < 0)
			return -EFAULT;
		bytes += part;
		size -= part;
	}
	return 0;
}

size_t foreign_memory_room(const struct iovec *parts, size_t count, size_t most)
{
	size_t room = 0;

	for (size_t i = 0; i < count; i++)
		room += parts[i].iov_len < most - room ? parts[i].iov_len : most - room;
	return room;
}

int foreign_memory_put_message(uint64_t at, struct msghdr *there, const struct iovec *parts,
			       const struct msghdr *got, const uint8_t *bytes, size_t size)
{
	socklen_t name = there->msg_namelen < got->msg_namelen ? there->msg_namelen :
								 got->msg_namelen;

	if (foreign_memory_put_parts(parts, there->msg_iovlen, bytes, size) < 0 ||
	    (there->msg_name && foreign_memory_put((uint64_t)(uintptr_t)there->msg_name,
						   got->msg_name, name) < 0) ||
	    (there->msg_control && foreign_memory_put((uint64_t)(uintptr_t)there->msg_control,
						      got->msg_control, got->msg_controllen) < 0))
		return -EFAULT;
	if (there->msg_name)
		there->msg_namelen = got->msg_namelen;
	there->msg_controllen = got->msg_controllen;
	there->msg_flags = got->msg_flags;
	return foreign_memory_put(at, there, sizeof(*there));
}

int foreign_memory_put_address(uint64_t at, uint64_t size_at, const void *address, socklen_t size)
{
	socklen_t room;

	if (foreign_memory_get(size_at, &room, sizeof(room)) < 0)
		return -EFAULT;
	if ((int)room < 0)
		return -EINVAL;
	if (foreign_memory_put(at, address, room < size ? room : size) < 0)
		return -EFAULT;
	return foreign_memory_put(size_at, &size, sizeof(size));
}

int foreign_memory_get_time(uint64_t at, struct timespec *buf, const struct timespec **ret)
{
	*ret = at ? buf : NULL;
	return at ? foreign_memory_get(at, buf, sizeof(*buf)) : 0;
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
