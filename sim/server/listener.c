/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The socket that programs connect to: see sim/server/listener.h.
 */
#include "config.h"

#include "sim/server/listener.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 512 };

/* ---- new clients ---- */

static bool may_enter(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

int listener_accept(struct listener *listener)
{
	for (;;) {
		int fd = accept4(listener->watch.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0 && may_enter(fd))
			return fd;
		if (fd >= 0) {
			close(fd);
			continue;
		}
		/* Whoever connects waits for a free descriptor; epoll would only tell of it again. */
		if (errno == EMFILE || errno == ENFILE) {
			watch_remove(listener->watches, &listener->watch);
			listener->closed_count = listener->watches->closed_count;
			listener->is_deaf = true;
		}
		if (errno != EINTR && errno != ECONNABORTED)
			return -1;
	}
}

void listener_hear_again(struct listener *listener)
{
	if (listener->is_deaf && listener->closed_count != listener->watches->closed_count &&
	    watch_add(listener->watches, &listener->watch, EPOLLIN) == 0)
		listener->is_deaf = false;
}

/* ---- coming and going ---- */

/* Is somebody listening on this socket? Its file outlives a server that was killed. */
static bool is_alive(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool alive = fd >= 0 &&
		     (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 ||
		      errno == EAGAIN);

	if (fd >= 0)
		close(fd);
	return alive;
}

static int bind_path(struct listener *listener, char *reterr, size_t reterr_size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat st;
	mode_t mask;
	int ret;

	if (strlen(listener->path) >= sizeof(address.sun_path)) {
		g_snprintf(reterr, reterr_size, "%s: a socket's path has at most %zu characters",
			   listener->path, sizeof(address.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(address.sun_path, listener->path);
	if (lstat(address.sun_path, &st) == 0 && S_ISSOCK(st.st_mode)) {
		if (is_alive(&address)) {
			g_snprintf(reterr, reterr_size, "%s: another server is there",
				   address.sun_path);
			return -EADDRINUSE;
		}
		unlink(address.sun_path);
	}
	mask = umask(0177);
	ret = bind(listener->watch.fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ?
		      -errno : 0;
	umask(mask);
	listener->is_bound = ret == 0;
	if (ret == 0 && listen(listener->watch.fd, BACKLOG) < 0)
		ret = -errno;
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "%s: %s", address.sun_path, g_strerror(-ret));
	return ret;
}

int listener_init(struct listener *listener, char *path, struct watch_set *watches, char *reterr,
		  size_t reterr_size)
{
	int ret;

	*listener = (struct listener) {
		.watch = { WATCH_LISTENER,
			   socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) },
		.watches = watches,
		.path = path,
	};
	if (listener->watch.fd < 0) {
		ret = -errno;
		g_snprintf(reterr, reterr_size, "cannot make a socket: %s", g_strerror(-ret));
	} else {
		ret = bind_path(listener, reterr, reterr_size);
	}
	if (ret == 0) {
		ret = watch_add(watches, &listener->watch, EPOLLIN);
		if (ret < 0)
			g_snprintf(reterr, reterr_size, "%s: %s", path, g_strerror(-ret));
	}
	if (ret < 0)
		listener_clear(listener);
	return ret;
}

void listener_clear(struct listener *listener)
{
	if (listener->watch.fd >= 0)
		close(listener->watch.fd);
	listener->watch.fd = -1;
	if (listener->is_bound)
		unlink(listener->path);
	g_clear_pointer(&listener->path, g_free);
}
