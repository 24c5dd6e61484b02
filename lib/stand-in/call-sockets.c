/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/call-sockets.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "lib/lockstep/stand-in-door.h"
#include "lib/stand-in/call-changes.h"
#include "lib/stand-in/call-sockets.h"
#include "lib/stand-in/foreign-call.h"
#include "lib/stand-in/foreign-descriptor.h"
#include "lib/stand-in/foreign-memory.h"
#include "lib/stand-in/foreign-socket.h"
#include "lib/stand-in/foreign-umad.h"
#include "lib/stand-in/foreign-view.h"

long call_sockets_socket(void)
{
	int domain = (int)foreign_argument(0), type = (int)foreign_argument(1);
	int protocol = (int)foreign_argument(2), fd = socket(domain, type, protocol);

	if (domain == AF_NETLINK && protocol == NETLINK_KOBJECT_UEVENT &&
	    foreign_socket_is_kept(fd))
		return foreign_umad_open(fd, type & SOCK_CLOEXEC);
	return foreign_call_descriptor(fd, type & SOCK_CLOEXEC);
}

static bool make_own_path(struct sockaddr_un *to, socklen_t *size)
{
	char path[sizeof(to->sun_path) + 1] = "", own[OWN_PATH_MAX];
	const size_t begin = offsetof(struct sockaddr_un, sun_path);

	if (*size <= begin || to->sun_path[0] == '\0')	/* in no directory */
		return true;
	if (*size > sizeof(*to))
		return false;
	memcpy(path, to->sun_path, *size - begin);
	call_changes_own_path(AT_FDCWD, path, own);
	if (strlen(own) >= sizeof(to->sun_path))
		return false;
	strcpy(to->sun_path, own);
	*size = (socklen_t)(begin + strlen(own) + 1);
	return true;
}

bool call_sockets_make_own(struct sockaddr_storage *to, socklen_t *size)
{
	return to->ss_family != AF_UNIX || make_own_path((struct sockaddr_un *)to, size);
}

/* Those that wait: TCP's, and where a listener of this machine has no room. */
static bool is_made_here(const struct foreign_descriptor *descriptor, struct sockaddr_storage *to,
			 socklen_t *size)
{
	if (*size > sizeof(*to) || *size < sizeof(to->ss_family) ||
	    foreign_memory_get(foreign_argument(1), to, *size) < 0)
		return false;
	return descriptor->is_tcp ||
	       (to->ss_family == AF_UNIX && !descriptor->never_waits &&
		!foreign_view_is_elsewhere() && call_sockets_make_own(to, size));
}

long call_sockets_connect(void)
{
	struct foreign_descriptor descriptor;
	struct sockaddr_storage to = { .ss_family = AF_UNSPEC };
	socklen_t size = (socklen_t)foreign_argument(2);
	int ret;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	if (descriptor.umad >= 0) {
		foreign_descriptor_put(&descriptor);
		return foreign_socket_connect(descriptor.umad);
	}
	if (!is_made_here(&descriptor, &to, &size)) {
		foreign_descriptor_put(&descriptor);
		return CALL_GOES_ON;
	}
	ret = connect(descriptor.fd, (const struct sockaddr *)&to, size);
	if (ret < 0 && errno == EINPROGRESS) {
		umadrig_session_connects(descriptor.fd, foreign.pidfd, (int)foreign_argument(0));
		errno = EINPROGRESS;
	}
	foreign_descriptor_put(&descriptor);
	return foreign_call_restarting(ret);
}

static long accept_with(int flags)
{
	struct foreign_descriptor descriptor;
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	int fd;

	foreign_descriptor_get((int)foreign_argument(0), &descriptor);
	fd = accept4(descriptor.fd, (struct sockaddr *)&from, &size, flags);
	foreign_descriptor_put(&descriptor);
	if (fd < 0)
		return foreign_call_restarting(fd);
	if (foreign_argument(1))
		foreign_memory_put_address(foreign_argument(1), foreign_argument(2), &from, size);
	return foreign_call_descriptor(fd, flags & SOCK_CLOEXEC);
}

long call_sockets_accept(void)
{
	return accept_with(0);
}

long call_sockets_accept4(void)
{
	return accept_with((int)foreign_argument(3));
}
