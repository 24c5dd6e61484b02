/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-umad.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

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

void foreign_umad_answer_open(int fd, bool closes_on_exec)
{
	int ret = put(fd, closes_on_exec);

	if (ret < 0 || foreign_kept_add(fd) < 0)
		close(fd);
	foreign_call_answer(ret);
}

/* ---- closing ---- */

/* The kernel closes it; others see that with this turn. */
void foreign_umad_close(void)
{
	int number = (int)foreign_argument(0);

	foreign_call_go_on();
	for (int i = 0; i < TRIES && !is_free_there(number); i++)
		CALL_0(SYS_sched_yield);
	foreign_kept_sweep();
}

/* ---- the calls ---- */

void foreign_umad_read(int fd)
{
	size_t size = foreign_argument(2) < MESSAGE_MAX ? (size_t)foreign_argument(2) :
							  MESSAGE_MAX;
	uint8_t *bytes = malloc(size ? size : 1);
	ssize_t n;

	if (!bytes) {
		foreign_call_answer(-ENOMEM);
		return;
	}
	n = read(fd, bytes, size);
	if (n < 0 && errno == EINTR)
		foreign_call_answer(CALL_RESTARTS);
	else
		foreign_call_answer_with(n, n > 0 ? foreign_argument(1) : 0, bytes, (size_t)n);
	free(bytes);
}

/* Its bytes, which are in one piece here, into the parts of the foreign program's. */
static long scatter(const struct iovec *parts, int count, const uint8_t *bytes, long n)
{
	size_t left = n > 0 ? (size_t)n : 0;

	for (int i = 0; i < count && left > 0; i++) {
		size_t part = parts[i].iov_len < left ? parts[i].iov_len : left;

		if (foreign_memory_put((uint64_t)(uintptr_t)parts[i].iov_base, bytes, part) < 0)
			return -EFAULT;
		bytes += part;
		left -= part;
	}
	return n;
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

void foreign_umad_readv(int fd)
{
	struct iovec parts[PARTS_MAX], own[PARTS_MAX];
	uint64_t count = foreign_argument(2);
	uint8_t *bytes = malloc(MESSAGE_MAX);
	ssize_t n;

	if (!bytes || count > PARTS_MAX) {
		foreign_call_answer(bytes ? -EINVAL : -ENOMEM);
	} else if (foreign_memory_get(foreign_argument(1), parts, count * sizeof(*parts)) < 0) {
		foreign_call_answer(-EFAULT);
	} else {
		lay_out(parts, own, (int)count, bytes);
		n = readv(fd, own, (int)count);
		if (n < 0 && errno == EINTR)
			foreign_call_answer(CALL_RESTARTS);
		else
			foreign_call_answer(n < 0 ? -errno : scatter(parts, (int)count, bytes, n));
	}
	free(bytes);
}

void foreign_umad_write(int fd)
{
	size_t size = foreign_argument(2) < MESSAGE_MAX ? (size_t)foreign_argument(2) :
							  MESSAGE_MAX;
	uint8_t *bytes = malloc(size ? size : 1);

	if (!bytes)
		foreign_call_answer(-ENOMEM);
	else if (foreign_memory_get(foreign_argument(1), bytes, size) < 0)
		foreign_call_answer(-EFAULT);
	else
		foreign_call_answer_of(write(fd, bytes, size));
	free(bytes);
}

/* The request says how large its argument is, and which way it goes. */
static void ioctl_of(int fd)
{
	unsigned int request = (unsigned int)foreign_argument(1);	/* musl extends its sign */
	uint8_t bytes[_IOC_SIZEMASK + 1];
	size_t size = _IOC_SIZE(request);
	int ret;

	if (foreign_memory_get(foreign_argument(2), bytes, size) < 0) {
		foreign_call_answer(-EFAULT);
		return;
	}
	ret = ioctl(fd, request, bytes);
	foreign_call_answer_with(ret, size && _IOC_DIR(request) & _IOC_READ ? foreign_argument(2) :
				      0, bytes, size);
}

void foreign_umad_ioctl(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0)
		ioctl_of(descriptor.umad);
	else
		foreign_call_go_on();
	foreign_descriptor_put(&descriptor);
}

void foreign_umad_seek(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0)
		foreign_call_answer_of(lseek(descriptor.umad, (off_t)foreign_argument(1),
					     (int)foreign_argument(2)));
	else
		foreign_call_go_on();
	foreign_descriptor_put(&descriptor);
}
