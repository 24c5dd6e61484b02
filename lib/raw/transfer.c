/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * read, write, readv, writev, lseek and ioctl: see lib/raw/raw.h.
 *
 * Other libraries' constructors may call them before ours has run: then the kernel is called. They
 * are cancellation points where the next definition is, and on handles.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/raw/descriptor.h"
#include "lib/raw/issm-device.h"
#include "lib/raw/kmsg-device.h"
#include "lib/raw/netlink-socket.h"
#include "lib/raw/raw.h"
#include "lib/raw/umad-device.h"

static struct {
	ssize_t (*read)(int fd, void *bytes, size_t size);
	ssize_t (*read_chk)(int fd, void *bytes, size_t size, size_t room);
	ssize_t (*write)(int fd, const void *bytes, size_t size);
	ssize_t (*readv)(int fd, const struct iovec *parts, int count);
	ssize_t (*writev)(int fd, const struct iovec *parts, int count);
	int (*ioctl)(int fd, unsigned long request, ...);
	off_t (*lseek)(int fd, off_t offset, int whence);
} next;

__attribute__((constructor))
static void find_next(void)
{
	*(void **)&next.read = raw_next("read");
	*(void **)&next.read_chk = raw_next("__read_chk");
	*(void **)&next.write = raw_next("write");
	*(void **)&next.readv = raw_next("readv");
	*(void **)&next.writev = raw_next("writev");
	*(void **)&next.ioctl = raw_next("ioctl");
	*(void **)&next.lseek = raw_next("lseek");
}

static ssize_t next_read(int fd, void *bytes, size_t size)
{
	return next.read ? next.read(fd, bytes, size) : syscall(SYS_read, fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_ISSM)
		return issm_device_refuse(fd, true);
	if (is == DESCRIPTOR_LOG)
		return raw_result(kmsg_device_read(fd, bytes, size));
	if (is == DESCRIPTOR_UEVENT)
		return raw_result(netlink_socket_receive(fd, bytes, size, 0, NULL, NULL));
	if (is != DESCRIPTOR_HANDLE)
		return next_read(fd, bytes, size);
	return raw_result(umad_device_read(fd, bytes, size));
}

/* What read() is where _FORTIFY_SOURCE knows how much room there is. */
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
	/* With too little room the next one ends the program. */
	if (next.read_chk && (size > room || descriptor_is(fd) == DESCRIPTOR_OTHER))
		return next.read_chk(fd, bytes, size, room);
	return read(fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_ISSM)
		return issm_device_refuse(fd, false);
	if (is == DESCRIPTOR_LOG || is == DESCRIPTOR_UEVENT)
		return raw_result(is == DESCRIPTOR_LOG ? -EBADF : -EPERM);
	if (is != DESCRIPTOR_HANDLE)
		return next.write ? next.write(fd, bytes, size) :
				    syscall(SYS_write, fd, bytes, size);
	return raw_result(umad_device_write(fd, bytes, size));
}

/*
 * The kernel has no readv and writev of umad files: it calls read or write for one part after
 * another, until one does not take all of its part (do_loop_readv_writev()).
 */
static long for_each_part(int fd, const struct iovec *parts, int count, bool reads)
{
	size_t left = 0;
	long done = 0;

	if (count < 0 || count > IOV_MAX)
		return -EINVAL;
	for (int i = 0; i < count; i++)
		left += parts[i].iov_len;
	for (int i = 0; i < count && left > 0; i++) {
		long n = reads ?
			umad_device_read(fd, parts[i].iov_base, parts[i].iov_len) :
			umad_device_write(fd, parts[i].iov_base, parts[i].iov_len);

		if (n < 0)
			return done > 0 ? done : n;
		done += n;
		left -= (size_t)n;
		if ((size_t)n < parts[i].iov_len)
			break;
	}
	return done;
}

ssize_t readv(int fd, const struct iovec *parts, int count)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_ISSM)
		return issm_device_refuse(fd, true);
	if (is == DESCRIPTOR_LOG)
		return raw_result(kmsg_device_readv(fd, parts, count));
	if (is == DESCRIPTOR_UEVENT)
		return raw_result(netlink_socket_read(fd, parts, count));
	if (is != DESCRIPTOR_HANDLE)
		return next.readv ? next.readv(fd, parts, count) :
				    syscall(SYS_readv, fd, parts, count);
	return raw_result(for_each_part(fd, parts, count, true));
}

ssize_t writev(int fd, const struct iovec *parts, int count)
{
	enum descriptor_state is = descriptor_is(fd);

	if (is == DESCRIPTOR_ISSM)
		return issm_device_refuse(fd, false);
	if (is == DESCRIPTOR_LOG || is == DESCRIPTOR_UEVENT)
		return raw_result(is == DESCRIPTOR_LOG ? -EBADF : -EPERM);
	if (is != DESCRIPTOR_HANDLE)
		return next.writev ? next.writev(fd, parts, count) :
				     syscall(SYS_writev, fd, parts, count);
	return raw_result(for_each_part(fd, parts, count, false));
}

int ioctl(int fd, unsigned long request, ...)
{
	enum descriptor_state is = descriptor_is(fd);
	int ret = UMAD_RAW_ANY_FILE;
	void *argument;
	va_list list;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (is == DESCRIPTOR_HANDLE)
		ret = umad_device_ioctl(fd, request, argument);
	else if (is != DESCRIPTOR_OTHER)
		ret = issm_device_ioctl(request);
	if (ret != UMAD_RAW_ANY_FILE)
		return (int)raw_result(ret);
	return next.ioctl ? next.ioctl(fd, request, argument) :
			    (int)syscall(SYS_ioctl, fd, request, argument);
}

off_t lseek(int fd, off_t offset, int whence)
{
	if (descriptor_is(fd) == DESCRIPTOR_LOG)
		return raw_result(kmsg_device_seek(fd, offset, whence));
	return next.lseek ? next.lseek(fd, offset, whence) :
			    syscall(SYS_lseek, fd, offset, whence);
}

#ifdef __LP64__
/* The same where there is one size of files. */
off64_t lseek64(int fd, off64_t offset, int whence)
{
	return lseek(fd, offset, whence);
}
#endif
