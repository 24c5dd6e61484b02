/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Starts the program with our library first, and waits for it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "sim/api/umadrig.h"
#include "sim/run/spec.h"
#include "sim/system/session.h"
#include "sim/topology/load.h"

/* Signals that are sent to umadrig alone but meant for the program. */
static const int passed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };

static volatile sig_atomic_t child_pid;

static void pass_on(int sig)
{
	if (child_pid > 0)
		kill((pid_t)child_pid, sig);
}

/* What the child process needs from its parent: it can make nothing itself. */
struct child {
	const struct exec_job *job;
	struct exec_mounts *hidden;	/* what hides the real devices, or NULL */
	struct exec_mounts *shown;	/* what shows simulated ones in /sys, or NULL */
	const char *path;
	char **env;
	sigset_t mask;		/* signal dispositions as umadrig inherited them */
	int failed_fd;		/* gets the errno of a failed exec, or REFUSED; else is closed */
};

/* Not an errno: the child has already printed why it cannot become the program. */
enum { REFUSED = -1 };

/*
 * ---- between fork and exec ----
 *
 * The parent may have threads, of its own or of a library that was preloaded into it; a lock that
 * one of them holds is never released in the child. Only what is async-signal-safe may be called.
 */

/* A line on stderr: the job's name, and the texts up to NULL. */
static void say(const struct child *child, const char *const *texts)
{
	struct iovec pieces[8] = {
		{ (char *)child->job->name, strlen(child->job->name) }, { (char *)": ", 2 },
	};
	int n = 2;

	for (; *texts; texts++)
		pieces[n++] = (struct iovec){ (char *)*texts, strlen(*texts) };
	/* Where it cannot be said there is nobody to say so to. */
	if (writev(STDERR_FILENO, pieces, n) < 0)
		return;
}

static void give_up(const struct child *child, int reason) G_GNUC_NORETURN;

static void give_up(const struct child *child, int reason)
{
	if (write(child->failed_fd, &reason, sizeof(reason)) < 0)
		_exit(COMMAND_CANNOT_RUN);
	_exit(COMMAND_CANNOT_RUN);
}

static void hide_devices(const struct child *child)
{
	int ret = exec_mounts_enter(child->hidden);

	if (ret == 0)
		ret = exec_mounts_make(child->hidden);
	if (ret == 0)
		return;
	say(child, (const char *const []){
		"the real devices of this machine cannot be hidden (", strerrordesc_np(-ret),
		"): programs that do not use umadrig's libibumad reach the real fabric\n",
		NULL });
}

static void show_sysfs(const struct child *child)
{
	const char *what = "cannot make a mount namespace";
	int ret = exec_mounts_enter(child->shown);

	if (ret == 0) {
		what = "cannot mount anything over /sys/class";
		ret = exec_mounts_make(child->shown);
	}
	if (ret == 0)
		return;
	say(child, (const char *const []){
		"--sysfs: ", what, ": ", strerrordesc_np(-ret),
		".\nIt needs root, or the right to make user namespaces: sysctl "
		"kernel.unprivileged_userns_clone=1, user.max_user_namespaces above 0; in a "
		"container --cap-add SYS_ADMIN and no seccomp or AppArmor profile that denies "
		"mount. Without --sysfs, only programs that read /sys themselves do not work.\n",
		NULL });
	give_up(child, REFUSED);
}

static void become_program(const struct child *child) G_GNUC_NORETURN;

static void become_program(const struct child *child)
{
	if (child->hidden)
		hide_devices(child);
	if (child->shown)
		show_sysfs(child);
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	execvpe(child->path, child->job->argv, child->env);
	give_up(child, errno);
}

/* ---- the parent ---- */

/*
 * Ctrl-C goes to the program as well, and the program decides what it means; other signals are
 * passed on.
 */
static void set_signals(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction pass = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct sigaction old;

	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++) {
		/* nohup's SIG_IGN stays. */
		if (sigaction(passed_on[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &pass, NULL);
	}
}

/*
 * Forks. The signal handlers are this process's alone; the program inherits what umadrig inherited.
 */
static pid_t start_child(struct child *child)
{
	sigset_t all;
	pid_t pid;

	/* No signal may come between fork() and the moment when pass_on() knows the child. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &child->mask);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		become_program(child);
	if (pid > 0) {
		child_pid = pid;
		set_signals();
	}
	sigprocmask(SIG_SETMASK, &child->mask, NULL);
	return pid;
}

/* Returns 0 and the program's wait status, -errno if it could not be started, or -REFUSED. */
static int run_child(struct child *child, struct exec_session *session, int *ret_status)
{
	int ends[2], reason = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child->failed_fd = ends[1];
	pid = start_child(child);
	if (pid < 0)
		reason = errno;
	else
		exec_session_serve(session);
	close(ends[1]);
	if (pid > 0 && read(ends[0], &reason, sizeof(reason)) < (ssize_t)sizeof(reason))
		reason = 0;
	close(ends[0]);
	while (pid > 0 && waitpid(pid, ret_status, 0) < 0 && errno == EINTR)
		continue;
	child_pid = 0;
	return -reason;
}

static void die_like(int sig) G_GNUC_NORETURN;

static void die_like(int sig)
{
	struct rlimit no_core = { 0, 0 };
	sigset_t only;

	/* The program has dumped core; our core would replace it. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(sig, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, sig);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(sig);
	_exit(128 + sig);
}

static void say_never_opened(const struct exec_job *job, int status)
{
	fprintf(stderr,
		"%s: '%s' ended with status %d, and nothing opened the fabric. Likely reasons:\n"
		"  it makes no MAD calls with these arguments, or failed before the first one;\n"
		"  it opens the devices itself, or has libibumad linked in statically;\n"
		"  it clears the environment (env -i), or starts its work through sudo, ssh, a\n"
		"  container or a service, which do not pass it on: put 'umadrig exec' inside.\n",
		job->name, job->argv[0], status);
}

void exec_say_sm_missed(const char *name, enum sm_missed missed)
{
	if (missed == SM_NOT_MISSED)
		return;
	fprintf(stderr, "%s: %s. Start one on the fabric, for example:\n"
		"  umadrig exec ... -- sh -c 'opensm -f osm.log & sleep 5; saquery'\n",
		name, missed == SM_MISSED_BY_REQUEST ?
		"no subnet manager answered requests to the subnet administrator" :
		"the ports have no LIDs (state=cold): no subnet manager gave them any");
}

static int say_error(const struct exec_job *job, const GError *error)
{
	fprintf(stderr, "%s: %s\n", job->name, error->message);
	return error->code;
}

char *exec_spec(const char *spec, const char *host, GError **error)
{
	g_autofree char *text = host ? g_strconcat(spec, ",host=", host, NULL) : g_strdup(spec);
	g_autofree char *absolute = NULL;
	struct spec parsed;
	char message[512];
	size_t length;

	if (spec_parse(text, NULL, &parsed, message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return NULL;
	}
	length = strlen(parsed.file);
	/* The program may change its working directory before it opens the fabric. */
	if (length > 0 && !g_str_has_prefix(parsed.file, TOPOLOGY_GENERATE))
		absolute = g_canonicalize_filename(parsed.file, NULL);
	spec_clear(&parsed);
	if (!absolute)
		return g_steal_pointer(&text);
	if (access(absolute, R_OK) < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", absolute,
			    g_strerror(errno));
		return NULL;
	}
	return g_strconcat(absolute, text + length, NULL);
}

/* Runs the program in a session that exists. '*ret_signal': the signal that ended it, or 0. */
static int run_in_session(const struct exec_job *job, const char *path,
			  struct exec_session *session, int *ret_signal)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *library = exec_library_path((void *)umad_init, "libibumad", &error);
	g_auto(GStrv) env = library ? exec_environment(session->backend, session->directory.path,
						       job->host, &error) : NULL;
	struct child child = { .job = job, .path = path, .env = env };
	int status = 0, ret;

	if (!env)
		return say_error(job, error);
	/*
	 * A simulation is never mistaken for reality: printed once for all processes of the
	 * program.
	 */
	if (*session->banner)
		fprintf(stderr, "%s\n", session->banner);
	child.hidden = exec_hidden_devices(library);
	child.shown = session->sysfs ? exec_shown_sysfs(session->sysfs) : NULL;
	ret = run_child(&child, session, &status);
	exec_mounts_free(child.hidden);
	exec_mounts_free(child.shown);
	if (ret == -REFUSED)
		return COMMAND_REFUSED;
	if (ret < 0) {
		fprintf(stderr, "%s: %s: %s\n", job->name, path, g_strerror(-ret));
		return ret == -ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN;
	}
	if (WIFSIGNALED(status)) {
		*ret_signal = WTERMSIG(status);
		return COMMAND_FAILED;
	}
	/* With --sysfs, reading files is enough. */
	if (!job->sysfs && !exec_session_opened(session)) {
		say_never_opened(job, WEXITSTATUS(status));
		return COMMAND_NEVER_OPENED;
	}
	return WEXITSTATUS(status);
}

int exec_run(const struct exec_job *job)
{
	struct exec_session session = { .attached = -1, .bridge.control = -1 };
	g_autoptr(GError) error = NULL;
	g_autofree char *path = exec_guard_find(job->argv, &error);
	enum sm_missed missed;
	int verdict, sig = 0;
	bool complete;

	if (!path || !exec_session_begin(&session, job, &error)) {
		exec_session_end(&session);
		return say_error(job, error);
	}
	verdict = run_in_session(job, path, &session, &sig);
	missed = exec_session_sm_missed(&session);
	/* A program that succeeds did without LIDs. */
	if (missed != SM_MISSED_BY_PORT || sig || verdict != COMMAND_OK)
		exec_say_sm_missed(job->name, missed);
	complete = exec_session_end(&session);
	if (sig)
		die_like(sig);
	return verdict == COMMAND_OK && !complete ? COMMAND_FAILED : verdict;
}
