/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The programs of a fabric of this process: see sim/programs/program-session.h.
 */
#include "config.h"

#include "sim/programs/program-session.h"

#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdio.h>

#include "sim/fabric/entry.h"
#include "sim/fabric/host.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest.h"
#include "sim/programs/program-addresses.h"
#include "sim/programs/program-guard.h"
#include "sim/programs/program-in-guest.h"
#include "sim/programs/program-on-fabric.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/server.h"
#include "sim/system/private-directory.h"
#include "sim/time/quiet-thread.h"

/* How long programs are served in one go: real time. */
enum { SERVE_MS = 100 };

struct umadrig_program {
	struct umadrig_fabric *fabric;
	struct guest_program *in_guest;	/* NULL: the rest is of it */
	struct program_session *session;
	struct program_child child;
	char *name;
};

/* What the thread is to do, with the fabric's lock lent by the one that asks for it. */
typedef void work_fn(struct program_session *session, void *ctx);

struct program_session {
	struct umadrig_fabric *fabric;
	struct server *server;
	pid_t guard;			/* ends programs if this process dies; 0: none */
	struct private_directory cache;	/* what OpenSMs remember */
	struct clock_party in_time;
	GPtrArray *programs;		/* struct umadrig_program, in the order of their start */
	pthread_t thread;
	pthread_mutex_t lock;		/* guards the rest */
	pthread_cond_t changed;
	work_fn *work;			/* NULL: none */
	void *ctx;
	bool is_stopping;
};

/* ---- the thread ---- */

static void end_programs(struct program_session *session)
{
	if (session->server)
		lockstep_owner_kill(server_owner(session->server), 0);
	for (guint i = 0; i < session->programs->len; i++) {
		struct umadrig_program *program = g_ptr_array_index(session->programs, i);

		program_child_await(&program->child);
	}
	program_guard_stop(session->guard);
	server_free(session->server);
}

static void *serve(void *data)
{
	struct program_session *session = data;

	pthread_mutex_lock(&session->lock);
	while (!session->is_stopping) {
		if (session->work) {
			clock_borrow(session->fabric->clock);
			session->work(session, session->ctx);
			clock_return();
			session->work = NULL;
			pthread_cond_broadcast(&session->changed);
		}
		pthread_cond_wait(&session->changed, &session->lock);
	}
	pthread_mutex_unlock(&session->lock);
	end_programs(session);
	return NULL;
}

/* Has the thread do something, and waits for that. Lock held. */
static void have_done(struct program_session *session, work_fn *work, void *ctx)
{
	clock_lend(session->fabric->clock);
	pthread_mutex_lock(&session->lock);
	session->work = work;
	session->ctx = ctx;
	pthread_cond_broadcast(&session->changed);
	while (session->work)
		pthread_cond_wait(&session->changed, &session->lock);
	pthread_mutex_unlock(&session->lock);
	clock_reclaim(session->fabric->clock);
}

/* ---- turns, in the thread ---- */

/* Serves until all programs wait. */
static void await_turn(struct program_session *session)
{
	struct lockstep_owner *owner = server_owner(session->server);

	while (!lockstep_owner_has_turn(owner)) {
		/* One was beyond virtual time, which has been said: none can go on. */
		if (lockstep_owner_is_over(owner))
			lockstep_owner_kill(owner, 0);
		server_step(session->server, SERVE_MS);
	}
}

/* Threads that wait for a program which has ended go on. */
static void look_for_ends(struct program_session *session)
{
	for (guint i = 0; i < session->programs->len; i++) {
		struct umadrig_program *program = g_ptr_array_index(session->programs, i);

		if (!program->child.is_over && program_child_is_over(&program->child))
			clock_wake(session->fabric->clock, program, 1);
	}
}

static void let_run(struct program_session *session)
{
	server_pass_turn(session->server);
	await_turn(session);
	look_for_ends(session);
}

struct turn {
	int64_t until_ns;
	bool is_taken;
};

static void take_turn(struct program_session *session, void *ctx)
{
	const struct lockstep_owner *owner = server_owner(session->server);
	struct umadrig_fabric *fabric = session->fabric;
	struct turn *turn = ctx;
	int64_t next_ns;

	/* What a program has closed before it waited or ended is noticed by this. */
	server_step(session->server, 0);
	if (!lockstep_owner_others_can_run(owner)) {
		next_ns = clock_next_ns(fabric->clock);
		if (next_ns == TIME_NEVER || next_ns > turn->until_ns)
			return;
		/* A deadline comes after what the fabric does at the same instant. */
		fabric_enter(fabric);
		if (!clock_next_instant(fabric->clock, next_ns) && next_ns > fabric->queue.now_ns)
			fabric->queue.now_ns = next_ns;
		fabric_leave(fabric);
	}
	let_run(session);
	turn->is_taken = true;
}

/* ---- what the clock asks ---- */

static bool advance(void *ctx, int64_t until_ns)
{
	struct turn turn = { .until_ns = until_ns };

	have_done(ctx, take_turn, &turn);
	return turn.is_taken;
}

static void take_part(struct program_session *session, void *ctx)
{
	(void)ctx;
	server_step(session->server, 0);
	let_run(session);
}

/* The instant has been fired by another party: handles may have become readable. */
static void run(void *ctx)
{
	have_done(ctx, take_part, NULL);
}

static int64_t due_ns(void *ctx)
{
	const struct program_session *session = ctx;
	const struct lockstep_owner *owner = server_owner(session->server);

	return lockstep_owner_others_can_run(owner) ? session->fabric->queue.now_ns :
	       lockstep_owner_deadline(owner);
}

/* ---- its beginning and end ---- */

struct message {
	char *text;
	size_t size;
};

static void make_server(struct program_session *session, void *ctx)
{
	const struct umadrig_options *options = &session->fabric->options;
	const struct lockstep_wishes wishes = {
		.schedule = options->schedule, .audit = options->audit,
		.how_filter = options->how_filter, .is_owned = true,
	};
	struct message *message = ctx;

	if (private_directory_make(&session->cache, "", message->text, message->size) < 0)
		return;
	session->server = server_new_lockstep_on(session->fabric, &wishes, message->text,
						 message->size);
	if (session->server)
		session->guard = program_guard_start(server_owner(session->server));
}

static void session_free(struct program_session *session)
{
	for (guint i = 0; i < session->programs->len; i++) {
		struct umadrig_program *program = g_ptr_array_index(session->programs, i);

		g_free(program->name);
		g_free(program);
	}
	g_ptr_array_free(session->programs, true);
	private_directory_remove(&session->cache);
	pthread_cond_destroy(&session->changed);
	pthread_mutex_destroy(&session->lock);
	g_free(session);
}

static void stop_thread(struct program_session *session)
{
	pthread_mutex_lock(&session->lock);
	session->is_stopping = true;
	pthread_cond_broadcast(&session->changed);
	pthread_mutex_unlock(&session->lock);
	pthread_join(session->thread, NULL);
}

/* Lock held. */
static int begin(struct umadrig_fabric *fabric, struct message *message)
{
	struct program_session *session = g_new0(struct program_session, 1);
	int ret;

	session->fabric = fabric;
	session->cache.lock = -1;
	session->programs = g_ptr_array_new();
	session->in_time = (struct clock_party){ NULL, advance, run, due_ns, session };
	pthread_mutex_init(&session->lock, NULL);
	pthread_cond_init(&session->changed, NULL);
	ret = quiet_thread_start(&session->thread, NULL, serve, session);
	if (ret < 0) {
		g_snprintf(message->text, message->size, "no thread for programs: %s",
			   g_strerror(-ret));
		session_free(session);
		return ret;
	}
	have_done(session, make_server, message);
	if (!session->server) {
		stop_thread(session);
		session_free(session);
		return -EADDRNOTAVAIL;
	}
	program_addresses_warn("umadrig");
	fabric->programs = session;
	clock_add_party(fabric->clock, &session->in_time);
	return 0;
}

void program_session_end(struct umadrig_fabric *fabric)
{
	struct program_session *session = fabric->programs;

	/* In a forked child there is no thread, and the programs are the parent's. */
	if (!session || fabric_is_forked(fabric))
		return;
	clock_remove_party(fabric->clock, &fabric->programs->in_time);
	fabric->programs = NULL;
	stop_thread(session);
	session_free(session);
}

/* ---- a program's life ---- */

struct starting {
	const struct program_start *start;
	struct program_place place;
	struct umadrig_program *program;
	struct message message;
	int ret;
};

static void start_there(struct program_session *session, void *ctx)
{
	struct starting *starting = ctx;
	struct umadrig_program *program = g_new0(struct umadrig_program, 1);

	program->fabric = session->fabric;
	program->session = session;
	program->name = g_path_get_basename(starting->start->argv[0]);
	starting->ret = program_on_fabric_start(&program->child, starting->start, &starting->place,
						starting->message.text, starting->message.size);
	if (starting->ret == 0 &&
	    !lockstep_owner_adopt(server_owner(session->server), program->child.pid,
				  program->name)) {
		kill(program->child.pid, SIGKILL);
		program_child_await(&program->child);
		g_strlcpy(starting->message.text, "virtual time has no room for another program",
			  starting->message.size);
		starting->ret = -EAGAIN;
	}
	if (starting->ret < 0) {
		g_free(program->name);
		g_free(program);
		return;
	}
	g_ptr_array_add(session->programs, program);
	starting->program = program;
}

static int refuse(const struct message *message, int err, const char *why)
{
	g_strlcpy(message->text, why, message->size);
	return err;
}

/* The session is there, or is made; lock held. */
static int prepare(struct umadrig_fabric *fabric, struct starting *starting)
{
	struct program_place *place = &starting->place;
	struct message *message = &starting->message;
	const struct umadrig_host *host = place->host ? fabric_host(fabric, place->host) :
							fabric->default_host;
	int ret;

	if (!clock_is_virtual(fabric->clock))
		return refuse(message, -EOPNOTSUPP, "the clock is real, and programs share the "
			      "fabric by umadrig_serve(); make it with clock=virtual");
	if (!host) {
		g_snprintf(message->text, message->size, "there is no host '%s'", place->host);
		return -ENOENT;
	}
	if (!fabric->programs && fabric->issm_count)
		return refuse(message, -EBUSY, "an issm path was given to this process, which "
			      "programs could not open; start one before");
	ret = fabric->programs ? 0 : begin(fabric, message);
	if (ret < 0)
		return ret;
	place->host = host->name;
	place->seed = fabric->options.seed;
	place->socket = server_socket(fabric->programs->server);
	place->table = server_lockstep_table(fabric->programs->server);
	place->cache = fabric->programs->cache.path;
	return 0;
}

/* ---- programs in guests ---- */

/* The guest that a host is; NULL: it is none, or there is no such host. */
static struct guest *guest_of(struct umadrig_fabric *fabric, const char *name)
{
	const struct umadrig_host *host = name ? fabric_host(fabric, name) : fabric->default_host;

	return host ? guest_set_find(host) : NULL;
}

static void is_over_in_guest(void *ctx)
{
	const struct umadrig_program *program = ctx;

	clock_wake(program->fabric->clock, program, 1);
}

static int start_in_guest(struct guest *guest, struct starting *starting,
			  struct umadrig_program **ret)
{
	static const struct guest_program_calls calls = {
		.over = is_over_in_guest, .freed = g_free,
	};
	struct umadrig_program *program = g_new0(struct umadrig_program, 1);
	int err;

	program->fabric = guest->host->fabric;
	err = program_in_guest_start(guest, starting->start, &calls, program, &program->in_guest,
				     starting->message.text, starting->message.size);
	if (err < 0) {
		g_free(program);
		return err;
	}
	program->name = program->in_guest->name;
	*ret = program;
	return 0;
}

static bool is_over(const struct umadrig_program *program)
{
	return program->in_guest ? program->in_guest->is_over : program->child.is_over;
}

static int status_of(const struct umadrig_program *program)
{
	return program->in_guest ? program->in_guest->status : program->child.status;
}

/* ---- for the caller ---- */

int program_session_start(struct umadrig_fabric *fabric, const char *host,
			  struct program_start *start, struct umadrig_program **ret_program,
			  char *reterr, size_t reterr_size)
{
	struct starting starting = {
		.start = start, .place.host = host, .message = { reterr, reterr_size },
	};
	int ret;

	pthread_sigmask(SIG_SETMASK, NULL, &start->mask);
	ret = fabric_enter(fabric);
	if (ret < 0)
		return refuse(&starting.message, ret, ret == -EIO ?
			      "the fabric is this process's parent's" :
			      "called from within a call into the fabric");
	if (guest_of(fabric, host)) {
		ret = start_in_guest(guest_of(fabric, host), &starting, ret_program);
		fabric_leave(fabric);
		return ret;
	}
	ret = prepare(fabric, &starting);
	if (ret == 0) {
		have_done(fabric->programs, start_there, &starting);
		ret = starting.ret;
		*ret_program = starting.program;
	}
	fabric_leave(fabric);
	return ret;
}

/* Lock held. */
static int await_end(struct umadrig_program *program, int64_t until_ns)
{
	struct umadrig_fabric *fabric = program->fabric;
	int ret;

	if (is_over(program))
		return 0;
	clock_thread_enter(fabric->clock);
	ret = clock_wait(fabric->clock, program, MAX(until_ns, fabric->queue.now_ns));
	if (is_over(program))
		return 0;
	if (ret == -EDEADLK)
		fprintf(stderr, "umadrig: %s waits for what can never come\n", program->name);
	return ret < 0 ? ret : -ETIMEDOUT;
}

int program_session_wait(struct umadrig_program *program, int64_t until_ns, int *ret_status)
{
	struct umadrig_fabric *fabric = program->fabric;
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	ret = await_end(program, until_ns);
	if (ret == 0 && status_of(program) < 0)
		ret = status_of(program);
	else if (ret == 0)
		*ret_status = status_of(program);
	fabric_leave(fabric);
	return ret;
}

struct signalling {
	const struct umadrig_program *program;
	int sig;
};

static void signal_there(struct program_session *session, void *ctx)
{
	const struct signalling *signalling = ctx;
	pid_t pid = signalling->program->child.pid;
	struct lockstep_owner *owner = server_owner(session->server);

	kill(-pid, signalling->sig);
	if (signalling->sig == SIGKILL)
		lockstep_owner_kill(owner, pid);
	else
		lockstep_owner_signalled(owner, pid, signalling->sig);
	await_turn(session);
	look_for_ends(session);
}

static bool is_allowed(int sig)
{
	return sig > 0 && sig < NSIG && sig != SIGSTOP && sig != SIGTSTP && sig != SIGTTIN &&
	       sig != SIGTTOU;
}

int program_session_signal(struct umadrig_program *program, int sig)
{
	struct umadrig_fabric *fabric = program->fabric;
	struct signalling signalling = { program, sig };
	int ret = fabric_enter(fabric);

	if (ret < 0)
		return ret;
	if (!is_allowed(sig))
		ret = -EINVAL;
	else if (is_over(program))
		ret = -ESRCH;
	else if (program->in_guest)
		guest_program_signal(program->in_guest, sig);
	else
		have_done(program->session, signal_there, &signalling);
	fabric_leave(fabric);
	return ret;
}
