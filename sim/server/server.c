/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's loop: what is to be served, in which order, and how long to wait.
 */
#include "config.h"

#include "sim/server/server.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "lib/lockstep/table.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/server/client.h"
#include "sim/server/exchange.h"
#include "sim/server/listener.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/own-write.h"
#include "sim/server/served-fabric.h"
#include "sim/server/server-ring.h"
#include "sim/server/view-reader.h"
#include "sim/server/watch.h"

struct server {
	struct watch_set watches;
	struct served_fabric served;
	struct server_rings rings;
	struct server_clients clients;
	struct listener listener;
	struct watch timer;
	struct watch lockstep;		/* a timer, by which programs in virtual time are watched */
	int64_t timer_due_ns;		/* CLOCK_MONOTONIC; TIME_NEVER: not armed */
	struct epoll_event *events;	/* room for all watches, twice; see step() */
	unsigned int events_room;	/* of each half */
	uint64_t swept_count;		/* watches.closed_count at the last sweep of accounts */
	unsigned int own_writes;	/* handles that programs have written to by themselves */
	bool gives_back;		/* memory to the system, a slice in each step */
};

enum { PACKETS_IN_A_SLICE = 2048 };

/* ---- the loop ---- */

/*
 * The timer fires when something is due. One that fires too early costs less than setting it each
 * time.
 */
static void set_timer(struct server *server)
{
	int64_t due_ns = clock_due_ns(server->served.fabric->clock);
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
	uint8_t bytes[4096];	/* a counter */

	while (read(fd, bytes, sizeof(bytes)) < 0 && errno == EINTR)
		continue;
}

/* Programs that wait for their owner make no progress, and that is no fault. */
static void watch_turns(struct served_fabric *served)
{
	if (!served->owner || !lockstep_owner_has_turn(served->owner))
		server_lockstep_watch(served->lockstep);
}

static void file_event(struct server *server, struct server_file *file, uint32_t events)
{
	if (events & (EPOLLHUP | EPOLLERR)) {
		server_rings_send_for(&server->rings, file);
		server_file_close(file);
	} else if (events & EPOLLIN) {
		own_write_note(&server->own_writes);
		server_file_close(file);
	} else if (events & EPOLLOUT) {
		server_file_flush(file);
	}
}

/*
 * Serves everything but clients and bells. True: the server is to stop. Clients are left for
 * serve_clients().
 */
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
			file_event(server, container_of(watch, struct server_file, watch),
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
			sysfs_views_look_at_issm(&server->served.views);
			break;
		case WATCH_LISTENER:
			*ret_knocks = true;
			break;
		case WATCH_LOCKSTEP:
			drain(watch->fd);
			watch_turns(&server->served);
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
			server_exchange(&server->clients,
					container_of(watch, struct server_client, watch));
	}
}

/*
 * A process that had much memory has gone. That memory is in malloc's free lists, between pieces
 * still in use: it returns to the system only on request. That takes long, so it is done in slices.
 */
static void give_memory_back(struct server *server)
{
	struct umadrig_fabric *fabric = server->served.fabric;

	server->gives_back = packet_pool_trim(&fabric->pool, PACKETS_IN_A_SLICE);
	if (server->gives_back)
		return;
	for (unsigned int i = 0; i < fabric->hosts->len; i++) {
		const struct umadrig_host *host = g_ptr_array_index(fabric->hosts, i);

		if (host->kmod)
			kmod_host_trim(host->kmod);
	}
	malloc_trim(0);
}

static void end_malformed(struct server *server)
{
	struct server_ring *ring;

	while ((ring = server_rings_malformed(&server->rings)))
		server_client_end(&server->clients,
				  container_of(ring, struct server_client, ring), true);
}

static void accept_clients(struct server *server)
{
	int fd;

	while ((fd = listener_accept(&server->listener)) >= 0)
		server_client_admit(&server->clients, fd);
}

/* Of these events only the clients' will be served: the second look reports the others again. */
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
			server_ring_wake(&server->rings,
					 container_of(watch, struct server_ring, bell));
	}
}

/*
 * epoll must be able to report everything that is ready at once: only then is a handle that was
 * closed before a call was sent seen before the call.
 */
static void make_room(struct server *server)
{
	if (server->events_room >= server->watches.count)
		return;
	server->events_room = 2 * server->watches.count;
	server->events = g_renew(struct epoll_event, server->events, 2 * server->events_room);
}

/* Is there work that no event announces? */
static bool has_more(const struct server *server)
{
	return server->gives_back || server->served.files.large > 0;
}

/*
 * What came first is served first, though calls, rings and closed handles arrive by different ways
 * (lib/attach/protocol.h: order). To see what was put into a ring before a call was sent, the rings
 * are looked at after the call has been seen; to see the handles that were closed before that was
 * put, handles are looked at after the rings. If no ring has more than its bell announced, one look
 * is enough.
 *
 * Returns 1 if the server was stopped, 0 or -errno.
 */
static int step(struct server *server, int timeout_ms)
{
	struct epoll_event *others;
	bool stopped, knocks;
	int count, later;

	make_room(server);
	timeout_ms = has_more(server) ? 0 : listener_timeout_ms(&server->listener, timeout_ms);
	later = count = epoll_wait(server->watches.epoll, server->events, (int)server->events_room,
				   server_rings_rest(&server->rings, timeout_ms));
	if (count < 0)
		return errno == EINTR ? 0 : -errno;
	fabric_enter(server->served.fabric);
	others = server->events;
	hear_bells(server, others, (unsigned int)count);
	server_rings_look(&server->rings);
	if (!server_rings_are_told(&server->rings)) {
		others = server->events + server->events_room;
		later = epoll_wait(server->watches.epoll, others, (int)server->events_room, 0);
		later = MAX(later, 0);
		hear_bells(server, others, (unsigned int)later);
		keep_clients(server->events, (unsigned int)count);
	}
	stopped = serve_others(server, others, (unsigned int)later, &knocks);
	server_rings_send(&server->rings);
	serve_clients(server, (unsigned int)count);
	end_malformed(server);
	if (knocks)
		accept_clients(server);
	served_fabric_settle(&server->served);
	server_files_go_on(&server->served.files);
	if (server->swept_count != server->watches.closed_count &&
	    server_accounts_sweep(&server->clients.accounts))
		server->gives_back = true;
	if (server->gives_back)
		give_memory_back(server);
	server->swept_count = server->watches.closed_count;
	listener_resume(&server->listener);
	if (INVARIANTS_ARE_CHECKED) {
		invariant_hold(server_files_check(&server->served.files), "server");
		invariant_hold(server_clients_check(&server->clients), "server");
	}
	fabric_leave(server->served.fabric);
	if (!server->served.is_borrowed && !server->served.lockstep)
		set_timer(server);	/* otherwise the clock's own thread sees to what is due */
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
	watch_set_stop(&server->watches);
}

/* ---- what is there ---- */

const char *server_socket(const struct server *server)
{
	return server->listener.path;
}

struct umadrig_fabric *server_fabric(struct server *server)
{
	return server->served.fabric;
}

void server_disregard(struct server *server, const char *session)
{
	g_strlcpy(server->clients.disregarded_session, session,
		  sizeof(server->clients.disregarded_session));
}

bool server_was_used(const struct server *server)
{
	return server->clients.was_used;
}

enum sm_missed server_sm_missed(struct server *server, const char *host)
{
	struct umadrig_fabric *fabric = server->served.fabric;
	enum sm_missed missed = SM_NOT_MISSED;
	struct umadrig_host *found;

	if (fabric_enter(fabric) < 0)
		return missed;
	found = *host ? fabric_host(fabric, host) : fabric->default_host;
	if (found)
		missed = sm_missed(fabric, found);
	fabric_leave(fabric);
	return missed;
}

unsigned int server_client_count(const struct server *server)
{
	return server->clients.count;
}

uint64_t server_sysfs_work(const struct server *server)
{
	return server->served.views.compared;
}

unsigned int server_file_count(const struct server *server)
{
	return server->served.files.count;
}

int server_announce(struct server *server, const char *session, const char *name, char *text,
		    size_t size)
{
	struct umadrig_host *host;

	fabric_enter(server->served.fabric);
	host = served_fabric_host(&server->served, name, text, size);
	fabric_leave(server->served.fabric);
	if (!host)
		return -ENOENT;
	g_strlcpy(server->clients.announced_session, session,
		  sizeof(server->clients.announced_session));
	return 0;
}

int server_sysfs(struct server *server, const char *name, const char **ret_path)
{
	struct umadrig_host *host;
	char text[ATTACH_BANNER_SIZE];
	int ret;

	fabric_enter(server->served.fabric);
	host = served_fabric_host(&server->served, name, text, sizeof(text));
	ret = host ? sysfs_views_get(&server->served.views, host, true, ret_path) : -ENOENT;
	fabric_leave(server->served.fabric);
	return ret;
}

void server_set_limits(struct server *server, const struct server_limits *limits)
{
	server->clients.accounts.limits = *limits;
}

int server_allow_users(struct server *server, struct server_users *users)
{
	return listener_allow(&server->listener, users);
}

int server_admit(struct server *server, int fd)
{
	return server_client_admit(&server->clients, fd);
}

/* ---- coming and going ---- */

static int open_timer(struct server *server)
{
	server->timer_due_ns = TIME_NEVER;
	server->timer = (struct watch) {
		WATCH_TIMER, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)
	};
	if (server->timer.fd < 0)
		return -errno;
	return watch_add(&server->watches, &server->timer, EPOLLIN);
}

static int open_watches(struct server *server, char *reterr, size_t reterr_size)
{
	int ret = watch_set_init(&server->watches);

	if (ret == 0)
		ret = open_timer(server);
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "no descriptors for a server: %s",
			   g_strerror(-ret));
	return ret;
}

/*
 * Only root's programs become other users'. They stay on their fabric: its directory lets them
 * through, though not look around, and its socket admits what this process has started.
 */
static int keep_those_who_change(struct server *server, char *reterr, size_t reterr_size)
{
	int ret;

	if (geteuid() != 0)
		return 0;
	ret = private_directory_let_through(&server->served.directory);
	if (ret == 0)
		ret = listener_allow_descendants(&server->listener);
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "%s: %s", server->served.directory.path,
			   g_strerror(-ret));
	return ret;
}

/* Sets up everything but the fabric, which is there already. */
static int open_clients(struct server *server, const char *socket_path, char *reterr,
			size_t reterr_size)
{
	char *path = socket_path ? g_canonicalize_filename(socket_path, NULL) :
				   g_build_filename(server->served.directory.path, "socket", NULL);
	int ret;

	server_limits_init(&server->clients.accounts.limits);
	server->rings.served = &server->served;
	server->rings.watches = &server->watches;
	server->clients.served = &server->served;
	server->clients.rings = &server->rings;
	server->clients.watches = &server->watches;
	server->clients.buffer = g_malloc(ATTACH_REPLY_MAX);
	server->served.views.tell = view_readers_tell;
	server->served.views.tell_ctx = &server->clients;
	ret = listener_init(&server->listener, path, &server->watches, reterr, reterr_size);
	return ret < 0 || socket_path ? ret : keep_those_who_change(server, reterr, reterr_size);
}

static struct server *server_alloc(void)
{
	struct server *server = g_new0(struct server, 1);

	server->watches.epoll = server->watches.stop.fd = -1;
	server->listener.watch.fd = server->listener.spare_fd = -1;
	server->timer.fd = server->lockstep.fd = -1;
	return server;
}

struct server *server_new_on(struct umadrig_fabric *fabric, const char *socket_path, char *reterr,
			     size_t reterr_size)
{
	struct server *server = server_alloc();

	if (open_watches(server, reterr, reterr_size) == 0 &&
	    served_fabric_borrow(&server->served, fabric, &server->watches, reterr,
				 reterr_size) == 0 &&
	    open_clients(server, socket_path, reterr, reterr_size) == 0)
		return server;
	server_free(server);
	return NULL;
}

/* Programs from anywhere live in real time, and a fabric for them does so, too. */
static bool is_real(const struct server *server, char *reterr, size_t reterr_size)
{
	if (!clock_is_virtual(server->served.fabric->clock))
		return true;
	g_snprintf(reterr, reterr_size, "clock=virtual: programs that come and go live in real "
		   "time; leave it out, or start them with 'umadrig exec --fabric'");
	return false;
}

struct server *server_new(const char *spec, const char *socket_path, char *reterr,
			  size_t reterr_size)
{
	struct server *server = server_alloc();

	if (open_watches(server, reterr, reterr_size) == 0 &&
	    served_fabric_init(&server->served, spec, &server->watches, reterr,
			       reterr_size) == 0 &&
	    is_real(server, reterr, reterr_size) &&
	    open_clients(server, socket_path, reterr, reterr_size) == 0)
		return server;
	server_free(server);
	return NULL;
}

/* Ten times a second: the programs' turns are not the server's business, but their end is. */
static int open_lockstep(struct server *server, const struct lockstep_wishes *wishes, char *reterr,
			 size_t reterr_size)
{
	const struct itimerspec tenth = { { 0, NS_PER_S / 10 }, { 0, NS_PER_S / 10 } };
	int ret = served_fabric_lockstep(&server->served, wishes, reterr, reterr_size);

	if (ret < 0)
		return ret;
	server->lockstep = (struct watch) {
		WATCH_LOCKSTEP, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)
	};
	if (server->lockstep.fd >= 0 &&
	    timerfd_settime(server->lockstep.fd, 0, &tenth, NULL) == 0 &&
	    watch_add(&server->watches, &server->lockstep, EPOLLIN) == 0)
		return 0;
	g_snprintf(reterr, reterr_size, "no descriptors for a server: %s", g_strerror(errno));
	return -EINVAL;
}

/* A fabric of its own, by 'spec', or where that is NULL this one. */
static struct server *new_lockstep(const char *spec, struct umadrig_fabric *fabric,
				   const struct lockstep_wishes *wishes, char *reterr,
				   size_t reterr_size)
{
	struct server *server = server_alloc();
	struct served_fabric *served = &server->served;
	int ret = open_watches(server, reterr, reterr_size);

	if (ret == 0 && spec)
		ret = served_fabric_init(served, spec, &server->watches, reterr, reterr_size);
	else if (ret == 0)
		ret = served_fabric_borrow(served, fabric, &server->watches, reterr, reterr_size);
	if (ret == 0 && open_lockstep(server, wishes, reterr, reterr_size) == 0 &&
	    open_clients(server, NULL, reterr, reterr_size) == 0)
		return server;
	server_free(server);
	return NULL;
}

struct server *server_new_lockstep(const char *spec, const struct lockstep_wishes *wishes,
				   char *reterr, size_t reterr_size)
{
	return new_lockstep(spec, NULL, wishes, reterr, reterr_size);
}

struct server *server_new_lockstep_on(struct umadrig_fabric *fabric,
				      const struct lockstep_wishes *wishes, char *reterr,
				      size_t reterr_size)
{
	return new_lockstep(NULL, fabric, wishes, reterr, reterr_size);
}

struct lockstep_owner *server_owner(struct server *server)
{
	return server->served.owner;
}

void server_pass_turn(struct server *server)
{
	struct umadrig_fabric *fabric = server->served.fabric;

	fabric_enter(fabric);
	served_fabric_settle(&server->served);
	lockstep_owner_pass(server->served.owner, fabric->queue.now_ns);
	fabric_leave(fabric);
}

const char *server_lockstep_table(const struct server *server)
{
	return server->served.lockstep ? server_lockstep_path(server->served.lockstep) : NULL;
}

bool server_lockstep_is_over(const struct server *server)
{
	const struct server_lockstep *lockstep = server->served.lockstep;

	return lockstep &&
	       __atomic_load_n(&server_lockstep_map(lockstep)->is_over, __ATOMIC_SEQ_CST);
}

static void end_clients(struct server *server)
{
	fabric_enter(server->served.fabric);
	while (server->clients.first)
		server_client_end(&server->clients, server->clients.first, false);
	fabric_leave(server->served.fabric);
}

int server_free(struct server *server)
{
	int err;

	if (!server)
		return 0;
	if (server->served.fabric)
		end_clients(server);
	own_write_sum(server->own_writes);
	listener_clear(&server->listener);
	err = served_fabric_clear(&server->served);
	server_accounts_clear(&server->clients.accounts);
	if (server->timer.fd >= 0)
		close(server->timer.fd);
	if (server->lockstep.fd >= 0)
		close(server->lockstep.fd);
	watch_set_clear(&server->watches);
	g_free(server->clients.buffer);
	g_free(server->events);
	g_free(server);
	return err;
}
