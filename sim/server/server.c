/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's loop: who wants something, in which order, and until when nothing happens.
 */
#include "config.h"

#include "sim/server/server.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/fabric/entry.h"
#include "sim/run/issm-pipe.h"
#include "sim/server/parts.h"
#include "sim/server/sysfs-view.h"

enum { BACKLOG = 512 };

/* ---- watching ---- */

int server_watch(struct server *server, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, watch->fd, &event) < 0)
		return -errno;
	server->watched++;
	return 0;
}

int server_watch_for(struct server *server, struct watch *watch, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	return epoll_ctl(server->epoll, EPOLL_CTL_MOD, watch->fd, &event) < 0 ? -errno : 0;
}

static void listen_again(struct server *server)
{
	if (server->is_deaf && server_watch(server, &server->listener, EPOLLIN) == 0)
		server->is_deaf = false;
}

/* Also closes the descriptor. */
void server_unwatch(struct server *server, struct watch *watch)
{
	/* A descriptor that others have copies of would stay watched, so closing is not enough. */
	if (epoll_ctl(server->epoll, EPOLL_CTL_DEL, watch->fd, NULL) == 0)
		server->watched--;
	close(watch->fd);
	watch->fd = -1;
	if (server->is_deaf)
		listen_again(server);
}

/* ---- new clients ---- */

static bool may_enter(int fd)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

static void accept_clients(struct server *server)
{
	for (;;) {
		int fd = accept4(server->listener.fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd >= 0) {
			if (!may_enter(fd))
				close(fd);
			else
				server_admit(server, fd);
			continue;
		}
		/*
		 * Who knocks waits until a descriptor is free; listening would only be told
		 * again.
		 */
		if (errno == EMFILE || errno == ENFILE) {
			epoll_ctl(server->epoll, EPOLL_CTL_DEL, server->listener.fd, NULL);
			server->watched--;
			server->is_deaf = true;
		}
		if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

/* ---- the loop ---- */

/*
 * The timer says when something is due. One that fires too early costs less than setting it each
 * time.
 */
static void set_timer(struct server *server)
{
	int64_t due_ns = clock_due_ns(server->fabric->clock);
	struct itimerspec when = {
		.it_value = { .tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S },
	};

	if (due_ns >= server->timer_due_ns)
		return;
	timerfd_settime(server->timer.fd, TFD_TIMER_ABSTIME, &when, NULL);
	server->timer_due_ns = due_ns;
}

static void drain(int fd)
{
	uint8_t bytes[4096];	/* a counter, or some of what inotify(7) has to say */

	while (read(fd, bytes, sizeof(bytes)) < 0 && errno == EINTR)
		continue;
}

void server_settle(struct server *server)
{
	struct umadrig_fabric *fabric = server->fabric;

	clock_settle(fabric->clock);
	/* Before anybody reads of an M_Key that was set. */
	if (server->m_key_changes != fabric->m_key_changes) {
		server->m_key_changes = fabric->m_key_changes;
		for (struct server_file *file = server->first_file; file; file = file->next)
			server_page_update(file);
	}
	for (guint i = 0; i < server->sysfs_views->len; i++)
		sysfs_view_refresh(g_ptr_array_index(server->sysfs_views, i));
	handles_settle(fabric);
}

/* What is no client and no bell; true: it is to stop. Clients are left, for serve_clients(). */
static bool serve_others(struct server *server, struct epoll_event *events,
			 unsigned int count, bool *ret_knocks)
{
	bool stopped = false;

	*ret_knocks = false;
	for (unsigned int i = 0; i < count; i++) {
		struct watch *watch = events[i].data.ptr;

		if (watch->kind != WATCH_CLIENT)
			events[i].data.ptr = NULL;	/* it may be gone in a moment */
		switch (watch->kind) {
		case WATCH_FILE:
			server_file_event(server, container_of(watch, struct server_file, watch),
					  events[i].events);
			break;
		case WATCH_TIMER:
			drain(watch->fd);
			server->timer_due_ns = TIME_NEVER;
			break;
		case WATCH_STOP:
			drain(watch->fd);
			stopped = true;
			break;
		case WATCH_ISSM:
			drain(watch->fd);	/* server_settle() will look */
			break;
		case WATCH_LISTENER:
			*ret_knocks = true;
			break;
		case WATCH_CLIENT:
		case WATCH_BELL:
			break;
		}
	}
	return stopped;
}

static void serve_clients(struct server *server, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct watch *watch = server->events[i].data.ptr;

		if (watch)
			server_client_serve(server,
					    container_of(watch, struct server_client, watch));
	}
}

/* Of these only the clients will be served: the rest is told again in a second look. */
static void keep_clients(struct epoll_event *events, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		const struct watch *watch = events[i].data.ptr;

		if (watch->kind != WATCH_CLIENT)
			events[i].data.ptr = NULL;
	}
}

static void hear_bells(struct server *server, const struct epoll_event *events,
		       unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		struct watch *watch = events[i].data.ptr;

		if (watch->kind == WATCH_BELL)
			server_ring_wake(server, container_of(watch, struct server_client, bell));
	}
}

/*
 * epoll must be able to tell all that is ready at once: only then is a handle that was closed
 * before a call was sent seen before the call.
 */
static void make_room(struct server *server)
{
	if (server->events_room >= server->watched)
		return;
	server->events_room = 2 * server->watched;
	server->events = g_renew(struct epoll_event, server->events, 2 * server->events_room);
}

/*
 * Who was there first is served first, though calls, rings and closed handles come by different
 * ways (lib/attach/protocol.h: order). What somebody has put into a ring before a call was sent is seen
 * by looking at the rings after the call; the handles that were closed before it was put, by
 * looking at those after that. Where no ring has more than what its bell told of, one look shows
 * all.
 *
 * 1: stopped.
 */
static int step(struct server *server, int timeout_ms)
{
	struct epoll_event *others;
	bool stopped, knocks;
	int count, later;

	make_room(server);
	later = count = epoll_wait(server->epoll, server->events, (int)server->events_room,
				   server_rings_rest(server, timeout_ms));
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	fabric_enter(server->fabric);
	others = server->events;
	hear_bells(server, others, (unsigned int)count);
	server_rings_look(server);
	if (!server_rings_are_told(server)) {
		others = server->events + server->events_room;
		later = epoll_wait(server->epoll, others, (int)server->events_room, 0);
		later = MAX(later, 0);
		hear_bells(server, others, (unsigned int)later);
		keep_clients(server->events, (unsigned int)count);
	}
	stopped = serve_others(server, others, (unsigned int)later, &knocks);
	server_rings_send(server);
	serve_clients(server, (unsigned int)count);
	server_rings_check(server);
	if (knocks)
		accept_clients(server);
	server_settle(server);
	fabric_leave(server->fabric);
	set_timer(server);
	return stopped;
}

int server_step(struct server *server, int timeout_ms)
{
	int ret = step(server, timeout_ms);

	return ret < 0 ? ret : 0;
}

int server_run(struct server *server)
{
	int ret;

	do
		ret = step(server, -1);
	while (ret == 0);
	return ret < 0 ? ret : 0;
}

void server_stop(struct server *server)
{
	uint64_t one = 1;
	ssize_t ret = write(server->stop.fd, &one, sizeof(one));

	(void)ret;	/* fails only where it was told very often already */
}

/* ---- what there is ---- */

const char *server_socket(const struct server *server)
{
	return server->socket_path;
}

struct umadrig_fabric *server_fabric(struct server *server)
{
	return server->fabric;
}

bool server_was_used(const struct server *server)
{
	return server->was_used;
}

unsigned int server_client_count(const struct server *server)
{
	return server->client_count;
}

unsigned int server_file_count(const struct server *server)
{
	return server->file_count;
}

/*
 * Who opens an issm path tells nobody, and whoever asks for CapabilityMask looks then. But files
 * say what they say without being asked.
 */
static int watch_issm(struct server *server)
{
	if (server->issm.fd >= 0)
		return 0;
	server->issm = (struct watch){ WATCH_ISSM, issm_pipe_watch(server->directory.path) };
	if (server->issm.fd < 0)
		return server->issm.fd;
	return server_watch(server, &server->issm, EPOLLIN);
}

int server_sysfs_view(struct server *server, struct umadrig_host *host, const char **ret_path)
{
	g_autofree char *name = g_strdup_printf("sysfs%u", server->sysfs_views->len);
	g_autofree char *directory = g_build_filename(server->directory.path, name, NULL);
	struct sysfs_view *view;
	int ret;

	for (guint i = 0; i < server->sysfs_views->len; i++) {
		view = g_ptr_array_index(server->sysfs_views, i);
		if (sysfs_view_host(view) == host) {
			*ret_path = sysfs_view_path(view);
			return 0;
		}
	}
	ret = watch_issm(server);
	if (ret < 0)
		return ret;
	view = sysfs_view_new(host, directory);
	if (!view)
		return -errno;
	g_ptr_array_add(server->sysfs_views, view);
	*ret_path = sysfs_view_path(view);
	return 0;
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

static int bind_socket(struct server *server, int fd, char *reterr, size_t reterr_size)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat st;
	mode_t mask;
	int ret;

	if (strlen(server->socket_path) >= sizeof(address.sun_path)) {
		g_snprintf(reterr, reterr_size, "%s: a socket's path has at most %zu characters",
			   server->socket_path, sizeof(address.sun_path) - 1);
		return -ENAMETOOLONG;
	}
	strcpy(address.sun_path, server->socket_path);
	if (lstat(address.sun_path, &st) == 0 && S_ISSOCK(st.st_mode)) {
		if (is_alive(&address)) {
			g_snprintf(reterr, reterr_size, "%s: another server is there",
				   address.sun_path);
			return -EADDRINUSE;
		}
		unlink(address.sun_path);
	}
	mask = umask(0177);
	ret = bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
	umask(mask);
	server->is_bound = ret == 0;
	if (ret == 0 && listen(fd, BACKLOG) < 0)
		ret = -errno;
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "%s: %s", address.sun_path, g_strerror(-ret));
	return ret;
}

/* Opens what is watched and watches it. */
static int open_watches(struct server *server, char *reterr, size_t reterr_size)
{
	struct watch *watches[] = { &server->listener, &server->stop, &server->timer };
	int ret = 0;

	server->epoll = epoll_create1(EPOLL_CLOEXEC);
	server->listener = (struct watch) {
		WATCH_LISTENER, socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)
	};
	server->stop = (struct watch){ WATCH_STOP, eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	server->timer = (struct watch) {
		WATCH_TIMER, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)
	};
	if (server->epoll >= 0 && server->listener.fd >= 0)
		ret = bind_socket(server, server->listener.fd, reterr, reterr_size);
	if (ret < 0)
		return ret;
	for (size_t i = 0; ret == 0 && i < G_N_ELEMENTS(watches); i++)
		ret = server_watch(server, watches[i], EPOLLIN);
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "no descriptors for a server: %s",
			   g_strerror(-ret));
	return ret;
}

static int open_fabric(struct server *server, const char *spec, char *reterr, size_t reterr_size)
{
	server->fabric = fabric_open_served(spec, reterr, reterr_size);
	if (!server->fabric)
		return -EINVAL;
	if (clock_is_virtual(server->fabric->clock)) {
		g_snprintf(reterr, reterr_size, "clock=virtual: processes that share a fabric live in "
			   "real time; leave it out");
		return -EINVAL;
	}
	server->fabric->issm_directory = g_strdup(server->directory.path);
	return 0;
}

struct server *server_new(const char *spec, const char *socket_path, char *reterr,
			  size_t reterr_size)
{
	struct server *server = g_new0(struct server, 1);

	server->epoll = -1;
	server->listener.fd = server->stop.fd = server->timer.fd = server->issm.fd = -1;
	server->timer_due_ns = TIME_NEVER;
	server->sysfs_views = g_ptr_array_new_with_free_func((GDestroyNotify)sysfs_view_free);
	server->files = g_hash_table_new(g_int64_hash, g_int64_equal);
	server->buffer = g_malloc(ATTACH_REPLY_MAX);
	if (private_directory_make(&server->directory, reterr, reterr_size) == 0) {
		server->socket_path = socket_path ?
				      g_canonicalize_filename(socket_path, NULL) :
				      g_build_filename(server->directory.path, "socket", NULL);
		if (open_fabric(server, spec, reterr, reterr_size) == 0 &&
		    open_watches(server, reterr, reterr_size) == 0)
			return server;
	}
	server_free(server);
	return NULL;
}

static void end_all(struct server *server)
{
	fabric_enter(server->fabric);
	while (server->clients)
		server_client_end(server, server->clients, false);
	while (server->first_file)
		server_file_close(server, server->first_file);
	fabric_leave(server->fabric);
}

void server_free(struct server *server)
{
	int fds[] = { server ? server->listener.fd : -1, server ? server->stop.fd : -1,
		      server ? server->timer.fd : -1, server ? server->issm.fd : -1,
		      server ? server->epoll : -1 };

	if (!server)
		return;
	server->is_deaf = false;
	if (server->fabric)
		end_all(server);
	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
	if (server->is_bound)
		unlink(server->socket_path);
	g_ptr_array_unref(server->sysfs_views);
	umadrig_fabric_close(server->fabric);
	private_directory_remove(&server->directory);
	g_hash_table_unref(server->files);
	g_free(server->events);
	g_free(server->buffer);
	g_free(server->socket_path);
	g_free(server);
}
