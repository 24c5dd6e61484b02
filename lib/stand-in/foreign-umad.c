/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-umad.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "lib/stand-in/foreign-answer.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-kept.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-umad.h"

enum {
	FILES = 64,		/* one below FOREIGN_UMAD_FIRST to 1024 */
	MESSAGE_MAX = 1 << 21,	/* more than the largest that the library has */
	TRIES = 100000,
	PARTS_MAX = 1024,	/* UIO_MAXIOV */
};

/* ---- opening ---- */

static bool is_free_there(int number)
{
	int fd = (int)CALL_3(SYS_pidfd_getfd, foreign.pidfd, number, 0);

	if (fd >= 0)
		CALL_1(SYS_close, fd);
	return fd < 0;
}

static int put(int fd, bool closes_on_exec)
{
	struct seccomp_notif_addfd add = {
		.id = foreign_self->call.id, .srcfd = (uint32_t)fd,
		.flags = SECCOMP_ADDFD_FLAG_SETFD, .newfd = FOREIGN_UMAD_FIRST,
		.newfd_flags = closes_on_exec ? O_CLOEXEC : 0,
	};

	while (add.newfd < FOREIGN_UMAD_FIRST + FILES && !is_free_there((int)add.newfd))
		add.newfd++;
	if (add.newfd == FOREIGN_UMAD_FIRST + FILES)
		return -EMFILE;
	return (int)CALL_3(SYS_ioctl, foreign.listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
}

long foreign_umad_open(int fd, bool closes_on_exec)
{
	int ret = put(fd, closes_on_exec);

	if (ret < 0 || foreign_kept_add(fd) < 0)
		close(fd);
	return ret;
}

/* ---- closing ---- */

/* The kernel closes it; others see that with this turn. */
long foreign_umad_close(void)
{
	int number = (int)foreign_argument(0);

	foreign_answer(CALL_GOES_ON);
	for (int i = 0; i < TRIES && !is_free_there(number); i++)
		CALL_0(SYS_sched_yield);
	foreign_kept_sweep();
	return CALL_ANSWERED;
}

/* ---- the calls ---- */

long foreign_umad_read(int fd)
{
	size_t size = foreign_argument(2) < MESSAGE_MAX ? (size_t)foreign_argument(2) :
							  MESSAGE_MAX;
	uint8_t *bytes = malloc(size ? size : 1);
	long ret;

	if (!bytes)
		return -ENOMEM;
	ret = foreign_call_restarting(read(fd, bytes, size));
	if (ret > 0 && foreign_memory_put(foreign_argument(1), bytes, (size_t)ret) < 0)
		ret = -EFAULT;
	free(bytes);
	return ret;
}

/* 'parts' are the foreign program's, 'own' are as long and get places in 'bytes'. */
static void lay_out(const struct iovec *parts, struct iovec *own, int count, uint8_t *bytes)
{
	size_t at = 0;

	for (int i = 0; i < count; i++) {
		size_t room = MESSAGE_MAX - at;

		own[i].iov_base = bytes + at;
		own[i].iov_len = parts[i].iov_len < room ? parts[i].iov_len : room;
		at += own[i].iov_len;
	}
}

long foreign_umad_readv(int fd)
{
	struct iovec parts[PARTS_MAX], own[PARTS_MAX];
	uint64_t count = foreign_argument(2);
	uint8_t *bytes;
	long ret;

	if (count > PARTS_MAX)
		return -EINVAL;
	if (foreign_memory_get(foreign_argument(1), parts, count * sizeof(*parts)) < 0)
		return -EFAULT;
	bytes = malloc(MESSAGE_MAX);
	if (!bytes)
		return -ENOMEM;
	lay_out(parts, own, (int)count, bytes);
	ret = foreign_call_restarting(readv(fd, own, (int)count));
	if (ret > 0 && foreign_memory_put_parts(parts, count, bytes, (size_t)ret) < 0)
		ret = -EFAULT;
	free(bytes);
	return ret;
}

long foreign_umad_write(int fd)
{
	size_t size = foreign_argument(2) < MESSAGE_MAX ? (size_t)foreign_argument(2) :
							  MESSAGE_MAX;
	uint8_t *bytes = malloc(size ? size : 1);
	long ret;

	if (!bytes)
		return -ENOMEM;
	ret = foreign_memory_get(foreign_argument(1), bytes, size);
	if (ret == 0)
		ret = foreign_call_result(write(fd, bytes, size));
	free(bytes);
	return ret;
}

/* The request says how large its argument is, and which way it goes. */
long foreign_umad_ioctl(void)
{
	int fd = foreign_descriptor_own(), ret;
	unsigned int request = (unsigned int)foreign_argument(1);	/* musl extends its sign */
	uint8_t bytes[_IOC_SIZEMASK + 1];
	size_t size = _IOC_SIZE(request);

	if (fd < 0)
		return CALL_GOES_ON;
	if (foreign_memory_get(foreign_argument(2), bytes, size) < 0)
		return -EFAULT;
	ret = ioctl(fd, request, bytes);
	return foreign_call_with(ret, size && _IOC_DIR(request) & _IOC_READ ? foreign_argument(2) :
				      0, bytes, size);
}

long foreign_umad_seek(void)
{
	int fd = foreign_descriptor_own();

	return fd < 0 ? CALL_GOES_ON :
	       foreign_call_result(lseek(fd, (off_t)foreign_argument(1), (int)foreign_argument(2)));
}
