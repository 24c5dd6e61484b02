/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The socket that programs connect to: see sim/server/listener.h.
 */
#include "config.h"

#include "sim/server/listener.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "lib/base/monotonic.h"
#include "sim/server/closer.h"
#include "sim/server/descent.h"

enum {
	BACKLOG = 512,
	PAUSE_MS = 100,
	PATIENCE_S = 5,		/* without a free descriptor */
};

/* ---- new clients ---- */

static bool may_enter(const struct listener *listener, int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0 ||
		server_users_has(&listener->users, peer.uid) ||
		(listener->has_descendants && descent_is_ours(fd, peer.pid)));
}

/* Lets any user connect, who is then looked at. */
static int open_path(const struct listener *listener)
{
	struct stat st;

	/* Not a file that somebody has put there in the meantime. */
	if (lstat(listener->path, &st) < 0)
		return -errno;
	if (st.st_dev != listener->device || st.st_ino != listener->inode)
		return -ESTALE;
	return chmod(listener->path, 0666) < 0 ? -errno : 0;
}

int listener_allow(struct listener *listener, struct server_users *users)
{
	int ret = server_users_is_empty(users) ? 0 : open_path(listener);

	if (ret == 0)
		server_users_move(&listener->users, users);
	return ret;
}

int listener_allow_descendants(struct listener *listener)
{
	int ret = open_path(listener);

	listener->has_descendants = ret == 0;
	return ret;
}

/*
 * Descriptors have run out. A program that connects waits until one is free; epoll would only
 * report it again and again. One may become free without the server's doing, so a timer is needed,
 * too.
 */
static void pause_listening(struct listener *listener)
{
	watch_remove(listener->watches, &listener->watch);
	listener->closed_count = listener->watches->closed_count;
	listener->again_ns = monotonic_ns() + PAUSE_MS * NS_PER_MS;
	listener->is_paused = true;
}

/* To be called when no descriptor is free. */
static bool has_waited_for_long(struct listener *listener)
{
	int64_t now_ns = monotonic_ns();

	if (listener->short_since_ns == 0)
		listener->short_since_ns = now_ns;
	return now_ns - listener->short_since_ns >= PATIENCE_S * NS_PER_S;
}

/* Where even that fails those that wait are not turned away. */
static void have_spare(struct listener *listener)
{
	listener->spare_fd = fcntl(listener->watch.fd, F_DUPFD_CLOEXEC, 0);
}

/* Closes the connections of those that wait; more may come as fast as they are closed. */
static void turn_away(struct listener *listener)
{
	unsigned int count = 0;
	int fd;

	if (listener->spare_fd >= 0)
		close(listener->spare_fd);
	for (; count < BACKLOG; count++) {
		fd = accept4(listener->watch.fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			break;
		close(fd);
	}
	have_spare(listener);
	listener->short_since_ns = 0;
	if (count > 0)
		fprintf(stderr, "umadrig: the fabric server turned away %u connections: none of "
			"its descriptors was free for %d s (ulimit -n)\n", count, PATIENCE_S);
}

int listener_accept(struct listener *listener)
{
	for (;;) {
		int fd = accept4(listener->watch.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0)
			listener->short_since_ns = 0;
		if (fd >= 0 && may_enter(listener, fd))
			return fd;
		if (fd >= 0) {
			closer_close(listener->watches->closer, fd);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE) {
			if (has_waited_for_long(listener))
				turn_away(listener);
			else
				pause_listening(listener);
			return -1;
		}
		if (errno != EINTR && errno != ECONNABORTED)
			return -1;
	}
}

void listener_resume(struct listener *listener)
{
	if (!listener->is_paused)
		return;
	if (listener->closed_count == listener->watches->closed_count &&
	    monotonic_ns() < listener->again_ns)
		return;
	if (watch_add(listener->watches, &listener->watch, EPOLLIN) == 0)
		listener->is_paused = false;
}

int listener_timeout_ms(const struct listener *listener, int timeout_ms)
{
	return listener->is_paused && (timeout_ms < 0 || timeout_ms > PAUSE_MS) ? PAUSE_MS :
										 timeout_ms;
}

/* ---- coming and going ---- */

/*
 * Does nobody listen on this socket any more? Its file outlives a server that was killed. Any other
 * error may mean that a program is alive, even if it is not a fabric server.
 */
static bool is_abandoned(const struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool is_refused = fd >= 0 &&
			  connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 &&
			  errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return is_refused;
}

/* Frees the path if a server was killed there. 0, or -errno with a message. */
static int clear_path(const struct sockaddr_un *address, char *reterr, size_t reterr_size)
{
	struct stat st;

	if (lstat(address->sun_path, &st) < 0)
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		g_snprintf(reterr, reterr_size, "%s: this is %s, and no socket: give a name that "
			   "nothing has yet", address->sun_path,
			   S_ISDIR(st.st_mode) ? "a directory" : "another kind of file");
		return -EADDRINUSE;
	}
	if (!is_abandoned(address)) {
		g_snprintf(reterr, reterr_size, "%s: the socket is in use by another program",
			   address->sun_path);
		return -EADDRINUSE;
	}
	unlink(address->sun_path);
	return 0;
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
	ret = clear_path(&address, reterr, reterr_size);
	if (ret < 0)
		return ret;
	mask = umask(0177);
	ret = bind(listener->watch.fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ?
		      -errno : 0;
	umask(mask);
	if (ret == 0 && lstat(listener->path, &st) == 0) {
		listener->device = st.st_dev;
		listener->inode = st.st_ino;
	}
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
		.spare_fd = -1,
	};
	if (listener->watch.fd < 0) {
		ret = -errno;
		g_snprintf(reterr, reterr_size, "cannot make a socket: %s", g_strerror(-ret));
	} else {
		ret = bind_path(listener, reterr, reterr_size);
	}
	if (ret == 0) {
		have_spare(listener);
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
	struct stat st;

	if (listener->watch.fd >= 0)
		close(listener->watch.fd);
	listener->watch.fd = -1;
	if (listener->spare_fd >= 0)
		close(listener->spare_fd);
	listener->spare_fd = -1;
	if (listener->inode != 0 && lstat(listener->path, &st) == 0 &&
	    st.st_dev == listener->device && st.st_ino == listener->inode)
		unlink(listener->path);
	g_clear_pointer(&listener->path, g_free);
	server_users_clear(&listener->users);
}
