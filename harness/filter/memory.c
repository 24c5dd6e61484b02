/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
#include "config.h"

#include "harness/filter/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "harness/filter/supervisor-turn.h"

enum {
	PAGE = 4096,	/* the smallest page that there is */
	USUAL = 256,	/* longer texts are rare, and more takes longer to copy */
};

static int result(ssize_t done, size_t size)
{
	if (done < 0)
		return -errno;
	return (size_t)done == size ? 0 : -EFAULT;
}

int memory_read(pid_t tid, uint64_t at, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)(uintptr_t)at, size };
	ssize_t done;

	if (size == 0)
		return 0;
	turn_outside_begin();
	done = process_vm_readv(tid, &here, 1, &there, 1, 0);
	turn_outside_end();
	return result(done, size);
}

int memory_write(pid_t tid, uint64_t at, const void *from, size_t size)
{
	struct iovec here = { (void *)from, size }, there = { (void *)(uintptr_t)at, size };
	ssize_t done;

	if (size == 0)
		return 0;
	turn_outside_begin();
	done = process_vm_writev(tid, &here, 1, &there, 1, 0);
	turn_outside_end();
	return result(done, size);
}

int memory_read_text(pid_t tid, uint64_t at, char *to, size_t room)
{
	size_t got = 0;

	/* Page by page: the one after its end need not be mapped. */
	while (got < room) {
		size_t part = PAGE - ((at + got) & (PAGE - 1));
		int ret;

		if (got == 0 && part > USUAL)
			part = USUAL;
		if (part > room - got)
			part = room - got;
		ret = memory_read(tid, at + got, to + got, part);
		if (ret < 0)
			return ret;
		if (memchr(to + got, '\0', part))
			return 0;
		got += part;
	}
	return -ENAMETOOLONG;
}
