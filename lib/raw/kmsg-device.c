/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Kernel messages: see lib/raw/kmsg-device.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/kernel-ring.h"
#include "lib/base/lockstep-variable.h"
#include "lib/base/open-flags.h"
#include "lib/base/syslog-action.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/kmsg-device.h"
#include "lib/raw/raw.h"
#include "lib/user-memory.h"

enum { MEMORY_MAJOR = 1, KMSG_MINOR = 11 };	/* Linux: /dev/kmsg */

static bool is_virtual(void)
{
	return secure_getenv(LOCKSTEP_VARIABLE) && raw_calls();
}

static long call(enum umad_backend_log action, int fd, void *text, size_t size)
{
	return raw_calls()->kernel_log(action, fd, text, size);
}

/* ---- open ---- */

static long open_log(int flags)
{
	long fd, r;

	if ((flags & O_ACCMODE) == O_RDWR)
		return -EACCES;
	if (flags & O_DIRECTORY)
		return -ENOTDIR;
	fd = call(UMAD_BACKEND_LOG_OPEN, -1, NULL, 0);
	if (fd < 0)
		return fd;
	r = open_flags_set((int)fd, flags);
	if (r < 0) {
		syscall(SYS_close, (int)fd);
		return r;
	}
	descriptor_is_log_now((int)fd);
	return fd;
}

int kmsg_device_open(const char *path, int flags)
{
	int err = errno;
	long fd;

	if ((flags & O_ACCMODE) == O_WRONLY || flags & O_PATH ||
	    !user_memory_is_there(path, 1) || strcmp(path, "/dev/kmsg") != 0 || !is_virtual())
		return KMSG_DEVICE_NOT;
	fd = open_log(flags);
	if (fd == -EOPNOTSUPP) {
		errno = err;
		return KMSG_DEVICE_NOT;
	}
	return (int)raw_result(fd);
}

/* ---- the file ---- */

/* Waits as the descriptor's O_NONBLOCK says, by a read that takes nothing: SA_RESTART works. */
static long read_record(int fd, char *record, size_t room)
{
	char byte;
	long n;

	while ((n = call(UMAD_BACKEND_LOG_READ, fd, record, room)) == -EAGAIN) {
		ssize_t ready = recv(fd, &byte, sizeof(byte), MSG_PEEK);

		if (ready <= 0)
			return ready < 0 ? -errno : -EIO;
	}
	return n;
}

long kmsg_device_readv(int fd, const struct iovec *parts, int count)
{
	char record[KERNEL_RECORD_MAX];
	size_t room = 0;
	long n, done = 0;

	if (count < 0 || count > IOV_MAX)
		return -EINVAL;
	for (int i = 0; i < count && room < sizeof(record); i++)
		room += parts[i].iov_len;
	n = read_record(fd, record, room < sizeof(record) ? room : sizeof(record));
	for (int i = 0; n > done && i < count; i++) {
		size_t part = (size_t)(n - done);

		if (part > parts[i].iov_len)
			part = parts[i].iov_len;
		if (user_memory_put(parts[i].iov_base, record + done, part) < 0)
			return -EFAULT;
		done += (long)part;
	}
	return n;
}

long kmsg_device_read(int fd, void *bytes, size_t size)
{
	const struct iovec all = { .iov_base = bytes, .iov_len = size };

	return kmsg_device_readv(fd, &all, 1);
}

long kmsg_device_seek(int fd, off_t offset, int whence)
{
	if (offset != 0)
		return -ESPIPE;
	switch (whence) {
	case SEEK_SET:
		return call(UMAD_BACKEND_LOG_FIRST, fd, NULL, 0);
	case SEEK_DATA:
		return call(UMAD_BACKEND_LOG_DATA, fd, NULL, 0);
	case SEEK_END:
		return call(UMAD_BACKEND_LOG_END, fd, NULL, 0);
	}
	return -EINVAL;
}

bool kmsg_device_fstat(int fd, struct stat *ret)
{
	if (!descriptor_was_log(fd) || descriptor_is(fd) != DESCRIPTOR_LOG ||
	    !user_memory_is_there(ret, sizeof(*ret)))
		return false;
	*ret = (struct stat){
		.st_mode = S_IFCHR | 0644, .st_nlink = 1, .st_blksize = 4096,
		.st_rdev = makedev(MEMORY_MAJOR, KMSG_MINOR), .st_ino = KMSG_MINOR,
	};
	return true;
}

/* ---- syslog(2) ---- */

enum { LIST_MAX = 1 << 16 };

static long list(char *bytes, int size)
{
	char *text;
	long n;

	if (!bytes || size < 0)
		return -EINVAL;
	text = mmap(NULL, LIST_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED)
		return -ENOMEM;
	n = call(UMAD_BACKEND_LOG_LIST, -1, text, size < LIST_MAX ? (size_t)size : LIST_MAX);
	if (n > 0 && user_memory_put(bytes, text, (size_t)n) < 0)
		n = -EFAULT;
	munmap(text, LIST_MAX);
	return n;
}

/* Root may clear. */
static long do_action(int action, char *bytes, int size)
{
	long n = syslog_refusal(action, geteuid() == 0);

	if (n < 0)
		return n;
	switch (action) {
	case SYSLOG_READ_ALL:
		return list(bytes, size);
	case SYSLOG_READ_CLEAR:
		n = list(bytes, size);
		return n < 0 || call(UMAD_BACKEND_LOG_CLEAR, -1, NULL, 0) == 0 ? n : -EIO;
	case SYSLOG_CLEAR:
		return call(UMAD_BACKEND_LOG_CLEAR, -1, NULL, 0);
	case SYSLOG_SIZE_BUFFER:
		return SYSLOG_BUFFER_SIZE;
	}
	return 0;
}

int klogctl(int action, char *bytes, int size)
{
	static int (*next_klogctl)(int action, char *bytes, int size);
	long r = is_virtual() ? do_action(action, bytes, size) : -EOPNOTSUPP;

	if (r != -EOPNOTSUPP)
		return (int)raw_result(r);
	if (!next_klogctl)
		*(void **)&next_klogctl = raw_next("klogctl");
	return next_klogctl ? next_klogctl(action, bytes, size) :
			      (int)syscall(SYS_syslog, action, bytes, size);
}
