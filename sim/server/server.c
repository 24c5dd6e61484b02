/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A server: its coming and going, and what it is asked and told by whoever runs it.
 */
#include "config.h"

#include "sim/server/server.h"

#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "lib/base/monotonic.h"
#include "lib/lockstep/table.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/hca-machine.h"
#include "sim/server/lockstep-end.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/lockstep-switches.h"
#include "sim/server/own-write.h"
#include "sim/server/server-loop.h"
#include "sim/server/view-reader.h"
#include "sim/system/private-directory.h"

/* ---- its loop ---- */

int server_step(struct server *server, int timeout_ms)
{
	int ret = server_loop_step(server, timeout_ms);

	return ret < 0 ? ret : 0;
}

int server_run(struct server *server)
{
	int ret;

	do
		ret = server_loop_step(server, -1);
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

void server_expect(struct server *server, const char *session)
{
	if (!g_hash_table_contains(server->clients.expected_sessions, session))
		g_hash_table_insert(server->clients.expected_sessions, g_strdup(session),
				    GINT_TO_POINTER(false));
}

bool server_session_was_used(const struct server *server, const char *session)
{
	return g_hash_table_lookup(server->clients.expected_sessions, session);
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
	server->served.views.are_mounted |= ret == 0;
	fabric_leave(server->served.fabric);
	return ret;
}

bool server_host_is_guest(struct server *server, const char *name)
{
	struct umadrig_host *host;
	char text[ATTACH_BANNER_SIZE];
	bool is_guest;

	fabric_enter(server->served.fabric);
	host = served_fabric_host(&server->served, name, text, sizeof(text));
	is_guest = host && guest_set_find(host);
	fabric_leave(server->served.fabric);
	return is_guest;
}

int server_take_hosts(struct server *server, const char *hosts, const char *device, char *reterr,
		      size_t reterr_size)
{
	struct umadrig_fabric *fabric = server->served.fabric;
	int ret;

	fabric_enter(fabric);
	ret = hca_machine_open(fabric, hosts, device, reterr, reterr_size);
	if (ret == 0) {
		server->machine = (struct watch){ WATCH_MACHINE, hca_machine_fd(fabric->machine) };
		ret = watch_add(&server->watches, &server->machine, EPOLLIN);
		if (ret < 0)
			g_snprintf(reterr, reterr_size, "%s is not the device of the driver "
				   "umadrig_hca: %s", device, g_strerror(-ret));
	}
	fabric_leave(fabric);
	return ret;
}

int server_await_hosts(struct server *server, int timeout_ms, GString *text)
{
	const struct umadrig_fabric *fabric = server->served.fabric;
	int64_t end_ns = monotonic_deadline_ns(timeout_ms);
	int ret = 0;

	while (ret == 0 && server->machine.fd >= 0 && !hca_machine_is_up(fabric->machine)) {
		int left_ms = monotonic_left_ms(end_ns);

		ret = left_ms > 0 ? server_step(server, left_ms) : -ETIMEDOUT;
	}
	if (ret < 0)
		return ret;
	if (server->machine.fd < 0)
		return -EPIPE;
	return hca_machine_describe(fabric->machine, text) ? 0 : -ENODEV;
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
	server->clients.expected_sessions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
								  NULL);
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
	server->timer.fd = server->machine.fd = server->lockstep.fd = -1;
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
	if (wishes->tells_crashes)
		server->noted = g_new0(struct lockstep_table, 1);
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

bool server_wants_attendant(struct server *server)
{
	return server->served.errands && errands_begin(server->served.errands);
}

bool server_lockstep_is_over(const struct server *server)
{
	const struct server_lockstep *lockstep = server->served.lockstep;

	return lockstep &&
	       __atomic_load_n(&server_lockstep_map(lockstep)->is_over, __ATOMIC_SEQ_CST);
}

void server_lockstep_end(const struct server *server, struct lockstep_end *ret)
{
	const struct server_lockstep *lockstep = server->served.lockstep;

	memset(ret, 0, sizeof(*ret));
	if (lockstep)
		server_lockstep_end_read_both(server_lockstep_map(lockstep),
					      server->is_noted ? server->noted : NULL, ret);
}

void server_lockstep_when_noted(struct server *server,
				void (*told)(void *ctx, const struct lockstep_end *end), void *ctx)
{
	server->when_noted = told;
	server->when_noted_ctx = ctx;
}

void server_lockstep_note(struct server *server)
{
	if (!server->noted || server->is_noted)
		return;
	server_lockstep_end_copy(server_lockstep_map(server->served.lockstep), server->noted);
	server->is_noted = true;
}

char *server_lockstep_switches(const struct server *server)
{
	const struct server_lockstep *lockstep = server->served.lockstep;

	return lockstep ? lockstep_switches_end(server_lockstep_map(lockstep)) : NULL;
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
	g_free(server->noted);
	listener_clear(&server->listener);
	err = served_fabric_clear(&server->served);
	server_accounts_clear(&server->clients.accounts);
	if (server->timer.fd >= 0)
		close(server->timer.fd);
	if (server->lockstep.fd >= 0)
		close(server->lockstep.fd);
	watch_set_clear(&server->watches);
	g_free(server->clients.buffer);
	g_clear_pointer(&server->clients.expected_sessions, g_hash_table_unref);
	g_free(server->events);
	g_free(server);
	return err;
}
