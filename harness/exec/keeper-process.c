/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The keeper's own process: starts the program, and keeps an eye on all that comes of it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/attendant.h"
#include "harness/exec/exec.h"
#include "harness/exec/in-guest.h"
#include "harness/exec/keeper.h"
#include "harness/exec/launch.h"
#include "harness/exec/means.h"
#include "harness/filter/fabric-supervisor.h"
#include "harness/filter/seccomp-filter.h"
#include "harness/filter/supervisor-threads.h"
#include "harness/filter/trap-table.h"
#include "lib/base/monotonic.h"
#include "sim/process/descendants.h"
#include "sim/process/process-loop.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"
#include "sim/programs/program-stand-in.h"
#include "sim/server/lockstep-cache.h"
#include "sim/system/private-directory.h"

enum {
	LOOK_MS = 50,	/* how long what is being ended may go unseen */
	KILL_MS = 5,	/* the same where processes may be made as fast as they are killed */
	STOP_MS = 1,	/* how long a traced program's stop is left to its tracer */
	NAMES_MAX = 3,	/* in a message */
};

/* How long what is left in virtual time may take to end, which costs it hardly any of ours. */
static const int64_t virtual_ns = INT64_C(10000000000);
/* How long SIGKILL is given to work. */
static const int64_t kill_ns = INT64_C(5000000000);
/* A signal that comes so soon after the program's end is the one that ended it. */
static const int64_t same_ns = INT64_C(500000000);

enum phase {
	PHASE_RUNS,	/* the program does */
	PHASE_LEAVES,	/* what it left does, by the job's wish */
	PHASE_ENDS,	/* what is left has got SIGTERM */
	PHASE_KILLS,	/* what is left gets SIGKILL, until nothing is */
	PHASE_OVER,
};

struct process {
	const struct keeper_setup *setup;
	pid_t umadrig;		/* the process that has made this one */
	int link;		/* to it; -1: it has gone */
	int launch;		/* the report on the program until it runs; -1 */
	struct loop *loop;
	struct loop_source *hears_link, *hears_launch;
	bool has_ended;		/* some child, and it was not waited for yet */
	pid_t program;		/* 0: it has ended */
	enum phase phase;
	int64_t phase_begin_ns, phase_end_ns;
	bool is_virtual;	/* the program and what it leaves are in virtual time */
	int64_t look_ns;	/* when to look again at what is being ended */
	sigset_t early;		/* signals that umadrig got before there was an order */
	GHashTable *told;	/* pids that got SIGTERM */
	/* For the calls of programs that load no library of ours. */
	struct supervisor_start start;	/* listener -1: there is none */
	char *server, *host;		/* where the fabric is; see fabric_supervisor_new() */
	struct supervisor *supervisor;
};

static void report(const struct process *process, enum keeper_news news, int value)
{
	struct keeper_report report = { .news = news, .value = value };

	/* Where nobody takes it nobody is left. */
	send(process->link, &report, sizeof(report), MSG_NOSIGNAL);
}

/* What the loop waited for goes. */
static void drop(struct loop_source **source, int *fd)
{
	loop_remove(*source);
	*source = NULL;
	close(*fd);
	*fd = -1;
}

/* ---- the start ---- */

/* The next of the order's texts; NULL: "". */
static const char *next_text(const char **at, const char *end)
{
	const char *text = *at;

	if (text == end)
		return NULL;
	*at += strlen(text) + 1;
	return *text ? text : NULL;
}

/* Both may be NULL. */
static char **with_sm_cache(char **env, const char *sm_cache)
{
	return env && sm_cache ? g_environ_setenv(env, "OSM_CACHE_DIR", sm_cache, false) : env;
}

static char **make_environment(const struct process *process, const char *backend,
			       const char *lockstep, const char *host, GError **error)
{
	const struct exec_means *means = process->setup->means;
	char **env = means->preload ? exec_environment(backend, lockstep, host, error) :
				      exec_environment_bare(host, error);

	/* Programs for musl are on the fabric by the filter. */
	return means->preload && means->filter ? exec_environment_for_glibc(env) : env;
}

/* What the child installs, and what the supervisor will need. */
static void begin_filter(struct process *process, const char *backend, const char *host,
			 struct launch_filter *filtered)
{
	static const char attach[] = "attach:";
	struct seccomp_filter *filter;
	int first;

	g_assert(g_str_has_prefix(backend, attach));
	process->server = g_strdup_printf("%s%s%s", backend + strlen(attach),
					  host ? ",host=" : "", host ? host : "");
	process->host = g_strdup(host);
	fabric_supervisor_choose_numbers(&first, &process->start.end_number);
	process->start.first_number = first;
	filter = seccomp_filter_new(&trap_table, first);
	if (process->setup->means->keeps_rights)
		seccomp_filter_keep_rights(filter);
	filtered->filter = filter;
}

/* Takes the listener, if there is one. */
static void end_filter(struct process *process, struct launch_filter *filtered)
{
	seccomp_filter_free((struct seccomp_filter *)filtered->filter);
	process->start.listener = filtered->listener;
	process->start.waits_killable = filtered->waits_killable;
}

/*
 * The script sends signals to the whole group. Those that came before the program was in it, to
 * umadrig alone, are not with it; what umadrig has passed on by now is of these.
 */
static void give_early_signals(struct process *process)
{
	static const int meant[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2 };
	int sig;

	/* (0 is keeper_stop(), which stays.) */
	while (recv(process->link, &sig, sizeof(sig), MSG_DONTWAIT | MSG_PEEK) == sizeof(sig) &&
	       sig != 0) {
		recv(process->link, &sig, sizeof(sig), MSG_DONTWAIT);
		sigaddset(&process->early, sig);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(meant); i++) {
		if (sigismember(&process->early, meant[i]) == 1)
			kill(process->program, meant[i]);
	}
}

/* Launches the program as the order says. False: it is reported why not. */
static bool carry_out(struct process *process, const char *order, size_t size)
{
	const struct exec_job *job = process->setup->job;
	const char *end = order + size;
	const char *backend = next_text(&order, end), *lockstep = next_text(&order, end);
	const char *sysfs = next_text(&order, end), *host = next_text(&order, end);
	const char *sm_cache = next_text(&order, end);
	bool has_attendant = next_text(&order, end), in_guest = next_text(&order, end);
	g_auto(GStrv) guest_words = in_guest ? in_guest_words(job->argv) : NULL;
	const char *path = in_guest ? guest_words[0] : process->setup->path;
	char *const *argv = in_guest ? guest_words : job->argv;
	g_autofree char **attended = has_attendant ? attendant_words(path, argv) : NULL;
	g_autofree char *own = attended ? g_file_read_link("/proc/self/exe", NULL) : NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *library = exec_library_path((void *)umad_init, "libibumad", &error);
	g_auto(GStrv) env = library ? with_sm_cache(make_environment(process, backend, lockstep,
								     host, &error),
						    sm_cache) : NULL;
	struct launch_filter filtered = { .listener = -1 };
	g_auto(GStrv) words = env && process->setup->means->has_stand_in && lockstep && !in_guest ?
			      program_stand_in_words(env, path, argv) : NULL;
	struct exec_mounts *hidden = env ? exec_hidden_devices(library) : NULL;
	struct exec_mounts *shown = env && sysfs ? exec_shown_sysfs(sysfs) : NULL;
	struct launch launch = {
		.name = job->name, .env = env,
		.path = own ? own : path,
		.argv = own ? attended : argv,
		.hidden = hidden, .shown = shown, .is_apart = job->is_apart,
		.group = process->setup->group,
		.mask = process->setup->mask,
		.child_action = process->setup->child_action,
		.filtered = process->setup->means->filter ? &filtered : NULL,
		.same_addresses = lockstep && !job->any_addresses,
	};

	process->is_virtual = lockstep;
	/* (An attendant starts it as programs of the session start others.) */
	if (words && !own) {
		launch.path = words[0];
		launch.argv = words;
	}
	if (!env) {
		command_error(job->name, error->code, "%s", error->message);
		report(process, KEEPER_REFUSED, 0);
		return false;
	}
	if (launch.filtered)
		begin_filter(process, backend, host, &filtered);
	process->program = launch_program(&launch, &process->launch);
	end_filter(process, &filtered);
	exec_mounts_free(hidden);
	exec_mounts_free(shown);
	if (process->program <= 0) {
		report(process, KEEPER_FAILED, -process->program);
		return false;
	}
	if (job->scripted)
		give_early_signals(process);
	return true;
}

/* Removes what umadrig could not, if it was killed. */
static void remove_left(const struct process *process)
{
	enum { TRIES = 100, PAUSE_US = 1000 };

	/* What it has locked is free when it has gone, some moments after its socket. */
	for (int i = 0; i < TRIES && getppid() == process->umadrig; i++)
		g_usleep(PAUSE_US);
	if (getppid() == process->umadrig)
		return;
	private_directories_remove_left();
	lockstep_cache_remove_left();
}

/* Waits for the order, and carries it out. False: there is nothing to keep. */
static bool begin(struct process *process)
{
	int sig;
	char order[KEEPER_ORDER_MAX + 1];
	ssize_t size;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_NAME, "umadrig-keeper");
	for (;;) {
		size = recv(process->link, order, sizeof(order) - 1, 0);
		if (size != sizeof(sig))
			break;
		memcpy(&sig, order, sizeof(sig));
		if (sig == 0)
			break;
		sigaddset(&process->early, sig);
	}
	if (size <= 0)
		remove_left(process);
	/* Instead of an order: umadrig has said why. */
	if (size <= (ssize_t)sizeof(int))
		return false;
	order[size] = '\0';
	return carry_out(process, order, (size_t)size);
}

/*
 * What the program inherited is not the keeper's to hold: whoever reads from a pipe waits for its
 * last writer. To be called before the keeper opens anything else. Where close_range(2) is missing
 * it is held for longer.
 */
static void close_inherited(const struct process *process)
{
	const int kept[] = {
		STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, process->link, process->launch,
		process->start.listener,
	};

	spawn_close_others(kept, G_N_ELEMENTS(kept));
}

/* ---- what is left ---- */

/* "a (1), b (2), c (3) and 4 more". */
static char *join_names(const GPtrArray *names)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < MIN(names->len, NAMES_MAX); i++)
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)names->pdata[i]);
	if (names->len > NAMES_MAX)
		g_string_append_printf(text, " and %u more", names->len - NAMES_MAX);
	return g_string_free(text, false);
}

static void enter_phase(struct process *process, enum phase phase, int64_t length_ns)
{
	process->phase = phase;
	process->phase_begin_ns = process->look_ns = monotonic_ns();
	process->phase_end_ns = process->phase_begin_ns + MIN(length_ns, INT64_MAX / 2);
}

/* SIGKILL for what is there now, and a line that says so. 'why': after "killed what". */
static void begin_to_kill(struct process *process, const char *why)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	descendants_kill(NULL, 0, names);
	text = join_names(names);
	if (names->len > 0)
		fprintf(stderr, "%s: killed what %s: %s\n", process->setup->job->name, why, text);
	enter_phase(process, PHASE_KILLS, kill_ns);
}

/* Some have ignored SIGTERM. */
static void lose_patience(struct process *process)
{
	double waited_s = (double)(monotonic_ns() - process->phase_begin_ns) / 1e9;
	g_autofree char *why = g_strdup_printf("had not ended %.1f s after SIGTERM", waited_s);

	begin_to_kill(process, why);
}

static void begin_to_end(struct process *process)
{
	int64_t grace_ns = process->setup->job->grace_ns;

	/* They end each other, in their own time. */
	if (process->is_virtual)
		grace_ns = MAX(grace_ns, virtual_ns);
	if (grace_ns > 0)
		enter_phase(process, PHASE_ENDS, grace_ns);
	else
		begin_to_kill(process, "was left");
}

/* Not even SIGKILL has ended it: it hangs in the kernel, or belongs to somebody else. */
static void give_up(struct process *process)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	descendants_names(names);
	text = join_names(names);
	fprintf(stderr, "%s: cannot kill %s: runs on without the fabric\n",
		process->setup->job->name, text);
	process->phase = PHASE_OVER;
}

/* It runs on, as the job wishes. */
static void leave(struct process *process)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = NULL;

	descendants_names(names);
	text = join_names(names);
	if (!process->setup->job->scripted)
		fprintf(stderr, "%s: left running: %s; process %d has the fabric until they have "
			"ended, and ends them at SIGTERM\n", process->setup->job->name, text,
			(int)getppid());
	report(process, KEEPER_LEFT, 0);
	exec_detach_files();
	process->phase = PHASE_LEAVES;
}

/* umadrig is gone, and the fabric with it. */
static void end_without_fabric(struct process *process)
{
	drop(&process->hears_link, &process->link);
	if (process->phase != PHASE_RUNS && process->phase != PHASE_LEAVES)
		return;
	fprintf(stderr, "%s: was killed, and the fabric with it: ends what runs on it\n",
		process->setup->job->name);
	begin_to_end(process);
}

/* What has to be done now and again while something is being ended. */
static void press(struct process *process)
{
	int64_t now_ns = monotonic_ns();
	bool is_time = now_ns >= process->phase_end_ns;

	if (now_ns < process->look_ns && !is_time)
		return;
	process->look_ns = now_ns + LOOK_MS * INT64_C(1000000);
	switch (process->phase) {
	case PHASE_ENDS:
		if (!process->is_virtual)
			descendants_terminate(process->told);
		if (is_time)
			lose_patience(process);
		return;
	case PHASE_KILLS:
		process->look_ns = now_ns;
		descendants_kill(NULL, 0, NULL);
		if (is_time)
			give_up(process);
		return;
	case PHASE_RUNS:
	case PHASE_LEAVES:
	case PHASE_OVER:
		return;
	}
}

/* ---- calls of programs ---- */

/* Without a supervisor each call that is stopped fails, so that the program cannot go on. */
static void supervise(struct process *process)
{
	char message[512];

	/* Each file of a program needs two here. */
	exec_raise_descriptors();
	process->supervisor = fabric_supervisor_new(&process->start, process->server,
						    process->host, message, sizeof(message));
	if (process->supervisor) {
		int ret = supervisor_threads_start(process->supervisor);

		if (ret == 0)
			return;
		snprintf(message, sizeof(message), "%s", g_strerror(-ret));
	}
	command_error(process->setup->job->name, 0, "%s", message);
	report(process, KEEPER_REFUSED, 0);
	process->program = 0;
	descendants_kill(NULL, 0, NULL);
	enter_phase(process, PHASE_KILLS, kill_ns);
}

/*
 * Its memory stays: the end of the last program wakes a thread that serves, and it looks at the
 * turn, which it never gets.
 */
static void end_supervision(struct supervisor *supervisor)
{
	supervisor_threads_stop(supervisor);
	fabric_supervisor_close(supervisor);
}

/* ---- the loop ---- */

/* Takes what there is to know of the program's start. */
static void take_launch(struct process *process)
{
	struct spawn_failure failure;
	int ret = process->launch < 0 ? -EAGAIN : spawn_take_report(process->launch, &failure);

	if (ret == -EAGAIN)
		return;
	drop(&process->hears_launch, &process->launch);
	if (ret == 0)
		return;
	report(process, failure.at == SPAWN_PREPARE ? KEEPER_REFUSED : KEEPER_FAILED, failure.err);
	process->program = 0;
}

static void end_program(struct process *process, int status)
{
	take_launch(process);
	if (process->program == 0)
		return;
	process->program = 0;
	if (process->supervisor && process->supervisor->has_met_verbs)
		report(process, KEEPER_MET_VERBS, 0);
	report(process, KEEPER_ENDED, status);
}

/* Waits for those that have ended. */
static void take_children(struct process *process)
{
	int status;
	pid_t pid;

	while ((pid = reap_any(&status)) > 0) {
		if (pid == process->program)
			end_program(process, status);
	}
	process->has_ended = pid == -EAGAIN;
	if (pid == -ECHILD)
		process->phase = PHASE_OVER;
	else if (process->phase != PHASE_RUNS || process->program > 0)
		return;
	else if (process->setup->job->detach && !process->setup->job->is_apart)
		leave(process);
	else
		begin_to_end(process);
}

/* A signal that was sent to umadrig, or keeper_stop(). */
static void take_signal(struct process *process, int sig)
{
	bool is_late = monotonic_ns() >= process->phase_begin_ns + same_ns;

	if (sig == 0) {
		if (process->phase == PHASE_RUNS || process->phase == PHASE_LEAVES)
			begin_to_end(process);
		return;
	}
	switch (process->phase) {
	case PHASE_RUNS:
		/* The terminal has sent these to the program, too, which decides about them. */
		if (process->program > 0 && sig != SIGINT && sig != SIGQUIT &&
		    !process->setup->job->scripted)
			kill(process->program, sig);
		return;
	case PHASE_LEAVES:
		if (sig == SIGTERM)
			begin_to_end(process);
		return;
	case PHASE_ENDS:
		if (is_late && (sig == SIGINT || sig == SIGQUIT || sig == SIGTERM))
			lose_patience(process);
		return;
	case PHASE_KILLS:
	case PHASE_OVER:
		return;
	}
}

static void take_link(void *ctx, int events)
{
	struct process *process = ctx;
	int sig;
	ssize_t got = recv(process->link, &sig, sizeof(sig), MSG_DONTWAIT);

	if (got == sizeof(sig))
		take_signal(process, sig);
	else if (got == 0)
		end_without_fabric(process);
	(void)events;
}

static void hear_launch(void *ctx, int events)
{
	(void)events;
	take_launch(ctx);
}

/* They are waited for when the other sources have been called. */
static void hear_children(void *ctx, int sig)
{
	struct process *process = ctx;

	(void)sig;
	process->has_ended = true;
}

/* How long the loop may wait. */
static int64_t wait_until(const struct process *process)
{
	if (process->has_ended)
		return monotonic_ns() + STOP_MS * INT64_C(1000000);
	switch (process->phase) {
	case PHASE_ENDS:
		return monotonic_ns() + LOOK_MS * INT64_C(1000000);
	case PHASE_KILLS:
		return monotonic_ns() + KILL_MS * INT64_C(1000000);
	case PHASE_RUNS:
	case PHASE_LEAVES:
	case PHASE_OVER:
		break;
	}
	return INT64_MAX;
}

/* False with errno. What the program says of its start comes first, then orders. */
static bool make_loop(struct process *process)
{
	process->loop = loop_new();
	if (!process->loop)
		return false;
	process->hears_link = loop_add_descriptor(process->loop, process->link, EPOLLIN, 1,
						  take_link, process);
	/* Else it is read when the program ends. */
	if (process->launch >= 0)
		process->hears_launch = loop_add_descriptor(process->loop, process->launch, EPOLLIN,
							    0, hear_launch, process);
	return process->hears_link &&
	       loop_add_signal(process->loop, SIGCHLD, 2, hear_children, process);
}

static void keep(struct process *process)
{
	close_inherited(process);
	/* Nobody would wait for the keeper of another program to let go of them. */
	if (process->setup->job->detach && process->setup->job->is_apart)
		exec_detach_files();
	if (!make_loop(process)) {
		report(process, KEEPER_FAILED, errno);
		reap_killed(process->program);
		return;
	}
	if (process->start.listener >= 0)
		supervise(process);
	while (process->phase != PHASE_OVER) {
		press(process);
		loop_step(process->loop, wait_until(process));
		if (process->has_ended || process->phase == PHASE_KILLS)
			take_children(process);
	}
}

void keeper_process(const struct keeper_setup *setup)
{
	struct process process = {
		.setup = setup, .umadrig = setup->parent, .link = setup->link,
		.launch = -1, .start.listener = -1,
		.told = g_hash_table_new(NULL, NULL),
	};

	sigemptyset(&process.early);
	if (begin(&process))
		keep(&process);
	if (process.supervisor)
		end_supervision(process.supervisor);
	if (process.link < 0)
		remove_left(&process);
	fflush(NULL);
	_exit(0);
}
