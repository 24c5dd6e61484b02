/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's loop: what is to be served, in which order, and how long to wait.
 */
#include "config.h"

#include "sim/server/server-loop.h"

#include <errno.h>
#include <malloc.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/fabric/record.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/hca-machine.h"
#include "sim/server/exchange.h"
#include "sim/server/lockstep-end.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/own-write.h"

enum { PACKETS_IN_A_SLICE = 2048 };

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

/*
 * Programs that wait for their owner make no progress, and that is no fault. Of a session that
 * hangs, and may be killed for that, the capture shows what came last.
 */
static void watch_turns(struct served_fabric *served)
{
	if (served->owner && lockstep_owner_has_turn(served->owner))
		return;
	if (server_lockstep_watch(served->lockstep))
		record_flush(served->fabric);
}

static void tell_noted(struct server *server)
{
	struct lockstep_end end;

	if (!server->is_noted || !server->when_noted)
		return;
	server_lockstep_end_read_both(server_lockstep_map(server->served.lockstep), server->noted,
				      &end);
	server->when_noted(server->when_noted_ctx, &end);
	server->when_noted = NULL;
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

static void hear_machine(struct server *server)
{
	struct hca_machine *machine = server->served.fabric->machine;
	int ret = hca_machine_take(machine);

	if (ret == 0)
		return;
	watch_remove(&server->watches, &server->machine);
	server->machine.fd = -1;
	hca_machine_end(machine, ret);
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
			tell_noted(server);
			break;
		case WATCH_MACHINE:
			hear_machine(server);
			break;
		case WATCH_LOG:
			/* It has ended, or the program has written there. */
			log_file_close(container_of(watch, struct log_file, ready.watch));
			break;
		case WATCH_EVENT:
			event_socket_close(container_of(watch, struct event_socket, ready.watch));
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

int server_loop_step(struct server *server, int timeout_ms)
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
	if (server->machine.fd >= 0)
		guest_ports_look(&server->served.fabric->machine->driver);
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
