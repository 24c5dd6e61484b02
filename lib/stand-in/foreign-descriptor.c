/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-descriptor.h. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lib/lockstep/error-queue.h"
#include "lib/lockstep/stand-in-door.h"
#include "lib/lockstep/terminal-device.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-kept.h"
#include "lib/stand-in/foreign-notices.h"
#include "lib/stand-in/foreign-process.h"

#define SIGNALFD "anon_inode:[signalfd]"

static void look_at_socket(struct foreign_descriptor *descriptor)
{
	socklen_t size = sizeof(int);
	int type = 0, domain = 0;

	getsockopt(descriptor->fd, SOL_SOCKET, SO_TYPE, &type, &size);
	size = sizeof(domain);
	getsockopt(descriptor->fd, SOL_SOCKET, SO_DOMAIN, &domain, &size);
	descriptor->is_stream = type == SOCK_STREAM;
	descriptor->is_server = type == SOCK_SEQPACKET && domain == AF_UNIX &&
				umadrig_session_leads_to_server(descriptor->fd);
	descriptor->has_errors = error_queue_is_of(domain);
	descriptor->is_tcp = type == SOCK_STREAM && (domain == AF_INET || domain == AF_INET6);
}

bool foreign_descriptor_is_on_proc(dev_t device)
{
	static dev_t proc;
	struct stat at;

	if (!proc && stat("/proc/self/stat", &at) == 0)
		proc = at.st_dev;
	return proc && device == proc;
}

static bool is_signalfd(int fd)
{
	char name[32], target[32];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, target, sizeof(target));
	return n == (ssize_t)strlen(SIGNALFD) && memcmp(target, SIGNALFD, (size_t)n) == 0;
}

/* As lib/lockstep/machine-files.c has them: random devices are 1:8 and 1:9, /dev/kmsg is 1:11. */
static bool is_of_machine(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && major(st->st_rdev) == 1 &&
	       (minor(st->st_rdev) == 8 || minor(st->st_rdev) == 9 || minor(st->st_rdev) == 11);
}

void foreign_descriptor_get(int number, struct foreign_descriptor *ret)
{
	struct stat st;

	*ret = (struct foreign_descriptor){
		.fd = (int)CALL_3(SYS_pidfd_getfd, foreign.pidfd, number, 0), .umad = -1,
	};
	if (ret->fd < 0) {
		ret->fd = -1;
		return;
	}
	/* The kernel's word: libumadraw has another one for umad files. */
	if (CALL_2(SYS_fstat, ret->fd, &st) < 0)
		return;
	if (S_ISSOCK(st.st_mode))
		ret->umad = foreign_kept_of(st.st_ino);
	ret->never_waits = fcntl(ret->fd, F_GETFL) & O_NONBLOCK || S_ISREG(st.st_mode) ||
			   S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode);
	ret->is_socket = S_ISSOCK(st.st_mode);
	ret->is_stream = S_ISFIFO(st.st_mode);
	ret->is_file = S_ISREG(st.st_mode);
	ret->is_directory = S_ISDIR(st.st_mode);
	ret->is_anonymous = (st.st_mode & S_IFMT) == 0;
	ret->is_signalfd = ret->is_anonymous && is_signalfd(ret->fd);
	ret->is_read_here = is_of_machine(&st) || terminal_is_master(&st) || ret->is_signalfd ||
			    foreign_descriptor_is_on_proc(st.st_dev);
	if (S_ISSOCK(st.st_mode) && ret->umad < 0)
		look_at_socket(ret);
}

int foreign_descriptor_own(void)
{
	struct foreign_descriptor descriptor;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	foreign_descriptor_put(&descriptor);
	return descriptor.umad;
}

void foreign_descriptor_put(struct foreign_descriptor *descriptor)
{
	int err = errno;

	if (descriptor->fd >= 0)
		foreign_notices_close(descriptor->fd);
	descriptor->fd = -1;
	errno = err;
}
