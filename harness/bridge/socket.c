/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Messages with descriptors, for both ends of a bridge: see harness/bridge/bridge.h.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/bridge/bridge.h"
#include "lib/base/socket-message.h"

long bridge_receive(int socket, void *bytes, size_t size, int *ret_fd, bool *ret_is_cut)
{
	struct iovec part = { .iov_base = bytes, .iov_len = size };
	int flags;
	long n;

	do
		n = socket_message_receive(socket, &part, 1, MSG_DONTWAIT, ret_fd, &flags);
	while (n == -EINTR);
	*ret_is_cut = (flags & MSG_CTRUNC) != 0;
	return flags & MSG_TRUNC ? -EMSGSIZE : n;
}

int bridge_send(int socket, const struct iovec *parts, size_t count, int fd)
{
	return socket_message_send(socket, parts, count, fd, MSG_DONTWAIT);
}

int bridge_memfd(const void *bytes, size_t size)
{
	int fd = memfd_create("umad", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int ret;

	if (fd >= 0 && write(fd, bytes, size) == (ssize_t)size) {
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
		return fd;
	}
	ret = -errno;
	if (fd >= 0)
		close(fd);
	return ret ? ret : -ENOSPC;
}

uint8_t *bridge_memfd_read(int fd, size_t size)
{
	struct stat st;
	uint8_t *bytes;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size < (off_t)size)
		return NULL;
	bytes = g_try_malloc(size ? size : 1);
	if (bytes && pread(fd, bytes, size, 0) != (ssize_t)size)
		g_clear_pointer(&bytes, g_free);
	return bytes;
}

bool bridge_peer_is_trusted(int socket, bool or_we)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0 || (or_we && geteuid() == 0));
}

uint32_t bridge_peer_process(int socket)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ?
		       (uint32_t)peer.pid : 0;
}
