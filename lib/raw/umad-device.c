/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Umad files by their paths: see lib/raw/umad-device.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"
#include "lib/raw/descriptor.h"
#include "lib/raw/raw.h"
#include "lib/raw/umad-device.h"
#include "lib/user-memory.h"
#include "lib/words/number.h"

enum {
	SCRATCH_SIZE = 1024,
	HEAD_SIZE = USER_HEADER_SIZE_OLD + MAD_SIZE,	/* what a read writes at least, with room */
	RMPP_HEADER_END = 36,		/* the least of a MAD that a write has */
	COUNT_MAX = 0x7ffff000,		/* Linux: MAX_RW_COUNT, of any read(2) and write(2) */
};

/* ---- paths ---- */

/* The N of /dev/infiniband/umadN; -1: it is another path. */
static int number_of(const char *path)
{
	static const char prefix[] = "/dev/infiniband/umad";
	const size_t length = sizeof(prefix) - 1;
	uint64_t number;

	if (!raw_calls() || strncmp(path, prefix, length) != 0)
		return -1;
	path += length;
	if ((*path == '0' && path[1]) ||
	    number_parse_decimal(path, 0, DESCRIPTOR_NUMBER_MAX, &number) < 0)
		return -1;
	return (int)number;
}

static unsigned int form_of(unsigned int number, int flags)
{
	unsigned int ret = DESCRIPTOR_SHORT | DESCRIPTOR_BY_PATH;

	ret |= number << DESCRIPTOR_NUMBER_SHIFT;
	switch (flags & O_ACCMODE) {
	case O_RDONLY:
		return ret | DESCRIPTOR_NO_WRITE;
	case O_WRONLY:
		return ret | DESCRIPTOR_NO_READ;
	default:
		return ret;
	}
}

int umad_device_open(const char *path, int flags)
{
	int number = number_of(path), fd;

	if (number < 0 || flags & O_PATH)
		return (int)raw_result(-ENOENT);
	if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
		fd = raw_calls()->device_look((unsigned int)number) < 0 ? -ENOENT : -EEXIST;
	else
		fd = raw_calls()->device_open((unsigned int)number, flags);
	if (fd == -EOPNOTSUPP)
		fd = -ENOENT;
	if (fd >= DESCRIPTOR_COUNT) {
		syscall(SYS_close, fd);
		fd = -EMFILE;
	}
	if (fd >= 0)
		descriptor_set_form(fd, form_of((unsigned int)number, flags));
	return (int)raw_result(fd);
}

/* The number of the file at the path; -1 with ENOENT. */
static int find(const char *path)
{
	int number = number_of(path);

	if (number >= 0 && raw_calls()->device_look((unsigned int)number) == 0)
		return number;
	return (int)raw_result(-ENOENT);
}

int umad_device_access(const char *path, int mode)
{
	if (find(path) < 0)
		return -1;
	return (int)raw_result(mode & X_OK ? -EACCES : 0);
}

static void describe(unsigned int number, struct stat *ret)
{
	*ret = (struct stat){
		.st_mode = S_IFCHR | S_IRUSR | S_IWUSR, .st_nlink = 1, .st_blksize = 4096,
		.st_rdev = makedev(UMAD_MAJOR, number), .st_ino = 1 + (ino_t)number,
	};
}

int umad_device_stat(const char *path, struct stat *ret)
{
	int number = find(path);

	if (number < 0)
		return -1;
	if (!user_memory_is_there(ret, sizeof(*ret)))
		return (int)raw_result(-EFAULT);
	describe((unsigned int)number, ret);
	return 0;
}

bool umad_device_fstat(int fd, struct stat *ret)
{
	unsigned int number;

	if (!descriptor_was_opened_by_path(fd, &number) ||
	    !user_memory_is_there(ret, sizeof(*ret)))
		return false;
	describe(number, ret);
	return true;
}

int umad_device_statx(const char *path, struct statx *ret)
{
	int number = find(path);

	if (number < 0)
		return -1;
	if (!user_memory_is_there(ret, sizeof(*ret)))
		return (int)raw_result(-EFAULT);
	*ret = (struct statx){
		.stx_mask = STATX_BASIC_STATS, .stx_mode = S_IFCHR | S_IRUSR | S_IWUSR,
		.stx_nlink = 1, .stx_rdev_major = UMAD_MAJOR, .stx_rdev_minor = (uint32_t)number,
		.stx_blksize = 4096, .stx_ino = 1 + (uint64_t)number,
	};
	return 0;
}

/* ---- short headers ---- */

/* Memory for a message: on the stack, or mapped. */
struct scratch {
	uint8_t small[SCRATCH_SIZE];
	uint8_t *bytes;		/* NULL: there is none */
	size_t size;
};

static void scratch_get(struct scratch *scratch, size_t size)
{
	scratch->size = size;
	scratch->bytes = scratch->small;
	if (size <= sizeof(scratch->small))
		return;
	/* A read may ask for far more than comes. */
	scratch->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (scratch->bytes == MAP_FAILED)
		scratch->bytes = NULL;
}

static void scratch_put(struct scratch *scratch)
{
	if (scratch->bytes && scratch->bytes != scratch->small)
		munmap(scratch->bytes, scratch->size);
}

/*
 * Gives the program 'n' bytes that were received, or, for -ENOSPC, the header and the first
 * segment.
 */
static long give(uint8_t *bytes, uint8_t *received, long n)
{
	size_t size = n < 0 ? USER_HEADER_SIZE + MAD_SIZE : (size_t)n;

	user_header_shorten(received, size);
	if (user_memory_put(bytes, received, size - USER_HEADER_LESS) < 0)
		return -EFAULT;
	return n < 0 ? n : n - USER_HEADER_LESS;
}

static long read_short(int fd, void *bytes, size_t size)
{
	struct scratch scratch;
	long n;

	if (size > COUNT_MAX)
		size = COUNT_MAX;
	/* Then the message stays, as in Linux. */
	if (!user_memory_is_there(bytes, size < HEAD_SIZE ? size : HEAD_SIZE))
		return raw_calls()->read(fd, bytes, size + USER_HEADER_LESS);
	scratch_get(&scratch, size + USER_HEADER_LESS);
	if (!scratch.bytes)
		return -ENOMEM;
	n = raw_calls()->read(fd, scratch.bytes, size + USER_HEADER_LESS);
	if (n >= USER_HEADER_SIZE || n == -ENOSPC)
		n = give(bytes, scratch.bytes, n);
	scratch_put(&scratch);
	return n;
}

static long write_short(int fd, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	struct scratch scratch;
	long n = -EFAULT;

	if (size < USER_HEADER_SIZE_OLD + RMPP_HEADER_END)
		return -EINVAL;
	if (size > COUNT_MAX)
		size = COUNT_MAX;
	scratch_get(&scratch, size + USER_HEADER_LESS);
	if (!scratch.bytes)
		return -ENOMEM;
	memset(scratch.bytes + USER_HEADER_SIZE_OLD, 0, USER_HEADER_LESS);
	if (user_memory_get(scratch.bytes, from, USER_HEADER_SIZE_OLD) == 0 &&
	    user_memory_get(scratch.bytes + USER_HEADER_SIZE, from + USER_HEADER_SIZE_OLD,
			    size - USER_HEADER_SIZE_OLD) == 0)
		n = raw_calls()->write(fd, scratch.bytes, size + USER_HEADER_LESS);
	scratch_put(&scratch);
	return n > 0 ? n - USER_HEADER_LESS : n;
}

/* ---- calls on a handle ---- */

long umad_device_read(int fd, void *bytes, size_t size)
{
	unsigned int form = descriptor_form(fd);

	if (form & DESCRIPTOR_NO_READ)
		return -EBADF;
	return form & DESCRIPTOR_SHORT ? read_short(fd, bytes, size) :
					 raw_calls()->read(fd, bytes, size);
}

long umad_device_write(int fd, const void *bytes, size_t size)
{
	unsigned int form = descriptor_form(fd);

	if (form & DESCRIPTOR_NO_WRITE)
		return -EBADF;
	return form & DESCRIPTOR_SHORT ? write_short(fd, bytes, size) :
					 raw_calls()->write(fd, bytes, size);
}

int umad_device_ioctl(int fd, unsigned long request, void *argument)
{
	int ret = raw_calls()->ioctl(fd, request, argument);
	unsigned int form = descriptor_form(fd);

	if (ret == 0 && form & DESCRIPTOR_SHORT &&
	    (request == UMAD_COMMAND_ENABLE_PKEY || request == UMAD_COMMAND_REGISTER_AGENT2))
		descriptor_set_form(fd, form & ~(unsigned int)DESCRIPTOR_SHORT);
	return ret;
}
