/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Running a program on a simulated fabric, and making sure that it is simulated.
 *
 * harness/exec/guard.c checks the program; harness/exec/session.c gives it and its descendants a
 * fabric and knows whether they opened it; harness/exec/attach.c asks an existing server the same;
 * harness/exec/hide.c hides the real devices, harness/exec/library.c the distribution's libibumad;
 * harness/exec/attached-view.c copies what a server shows of them to where it is seen;
 * harness/exec/sysfs.c shows the simulated devices; harness/exec/mount.c is what these three need;
 * harness/exec/run.c does all of it, with a keeper (harness/exec/keeper.h) that starts the program
 * (harness/exec/launch.h), waits for it, and looks after what it leaves behind
 * (sim/process/descendants.h).
 */
#ifndef UMADRIG_HARNESS_EXEC_EXEC_H
#define UMADRIG_HARNESS_EXEC_EXEC_H

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/exec/attached-view.h"
#include "harness/exec/means.h"
#include "sim/fabric/options.h"
#include "sim/host/sm-missed.h"
#include "sim/server/lockstep-end.h"
#include "sim/system/private-directory.h"

/*
 * Errors are in the domain COMMAND_ERROR: COMMAND_REFUSED, COMMAND_CANNOT_RUN, COMMAND_NOT_FOUND.
 */

/* The option by which umadrig run has umadrig exec run a scenario's program, with its session. */
#define EXEC_SCRIPTED "scripted"

/* The grace of a job that is given none. */
#define EXEC_GRACE_NS INT64_C(2000000000)

/* When all that a program started has ended, and its fabric is still there. */
struct exec_end {
	const char *socket;	/* of the fabric's server */
	struct lockstep_end lockstep;	/* zeros in real time */
	const char *switches;	/* as lockstep_switches_end(); or NULL */
};

struct exec_job {
	const char *name;	/* "umadrig exec", for messages */
	const char *spec;	/* "FILE[,OPTION=VALUE...]", FILE absolute or ""; NULL: 'attach' */
	const char *attach;	/* socket of an existing server, absolute; or NULL */
	const char *bridge;	/* shell command that carries a bridge to one, or NULL */
	const char *host;	/* where it runs; NULL: UMADRIG_HOST, or the fabric's first */
	bool sysfs;		/* the program sees its devices in /sys/class */
	enum exec_how how;	/* by what means it gets to the fabric */
	bool has_how;		/* the user has said so */
	int64_t grace_ns;	/* from SIGTERM to SIGKILL, for what the program leaves running */
	bool any_addresses;	/* they are left to chance, which virtual time fixes otherwise */
	bool tells_crashes;	/* as of struct lockstep_wishes */
	int64_t limit_ns;	/* of virtual time, after which nothing goes on; 0: none */
	bool detach;		/* that runs on instead, and the fabric with it */
	/*
	 * It is a scenario's program, and this its session, whose use the server notes:
	 * nothing is said of it. Its process group is this process's, and gets signals as a whole.
	 * With 'detach'; and when the server ends, so does everything. NULL: it is none.
	 */
	const char *scripted;
	char *const *lines;	/* of the console, before the program starts; NULL: none */
	const char *with_sm;	/* the host of a subnet manager; "": any; NULL: there is none */
	bool is_apart;		/* in a session of its own, away from the terminal */
	char **argv;		/* the program and its arguments, NULL-terminated */
	/*
	 * Called, in another thread, when a signal has come that is to end the program: what it
	 * does then. NULL: nothing is.
	 */
	void (*at_signal)(void *ctx, const struct lockstep_end *end);
	/* Called when all that the program started has ended. NULL: nothing is. */
	void (*at_end)(void *ctx, const struct exec_end *end);
	void *at_end_ctx;
	bool *ret_never_started;	/* true: the program was not, and why is said; or NULL */
};

/*
 * Runs the job and returns umadrig's exit status: COMMAND_FAILED also if the program succeeded and
 * the capture or report of its fabric is not complete, or a property of it has not held. If a
 * signal ended the program, this process ends by the same signal. With 'detach' it may return
 * twice: in this process when the program has ended, and in a child when all that the program left
 * has.
 */
int exec_run(const struct exec_job *job);

/*
 * A line on stderr that says what programs missed, and how to start a subnet manager: a fabric has
 * none by itself, which users of real ones do not expect. 'name': "umadrig exec".
 */
void exec_say_sm_missed(const char *name, enum sm_missed missed);

/*
 * Returns 'spec' with its file made absolute and host=HOST added ('host' may be NULL), after
 * checking all that can be checked before the program starts; to be freed with g_free(). Fails with
 * NULL and COMMAND_REFUSED.
 */
char *exec_spec(const char *spec, const char *host, GError **error);

/* How a job ended. */
struct exec_verdict {
	int status;	/* umadrig's exit status */
	int sig;	/* the signal that ended the program, or 0 */
};

/* ---- harness/exec/detach.c ---- */

/*
 * For a job that leaves processes behind: forks, so that one process can end with the program and
 * another stay with the fabric. True: this is the one that stays, and '*ret_fd' leads to the other,
 * until exec_detach_tell(). False: this is the one that ends, with '*ret_verdict'.
 */
bool exec_detach_begin(const char *name, int *ret_fd, struct exec_verdict *ret_verdict);
/* The other process ends with this verdict. */
void exec_detach_tell(int *fd, struct exec_verdict verdict);
/* Lets go of the terminal, or of pipes that somebody reads until their end. */
void exec_detach_files(void);

/* ---- harness/exec/environment.c ---- */

/*
 * The environment of a program on a fabric: our libraries first, UMAD_BACKEND 'backend'.
 * 'lockstep': the table of server_lockstep_table(), for programs in virtual time; or NULL. 'host'
 * may be NULL: it stays as it is. To be freed with g_strfreev(); NULL with COMMAND_REFUSED.
 */
char **exec_environment(const char *backend, const char *lockstep, const char *host,
			GError **error);
/*
 * Names our libraries in the environment so that no loader but glibc's finds them: it replaces $LIB
 * by a directory (ld.so(8)), while others look for one of that very name, and go on without. For
 * programs that have another means as well. Takes over 'env', which may be NULL.
 */
char **exec_environment_for_glibc(char **env);
/* The environment of a program that is to load none of our libraries; otherwise as the former. */
char **exec_environment_bare(const char *host, GError **error);
/* Our environment without all that those put into one. */
char **exec_environment_without(GError **error);

/* ---- harness/exec/preload.c ---- */

/*
 * To be called first in main(): starts umadrig again if a sanitizer's library was preloaded into
 * it. 'argv' is main()'s.
 */
void exec_restart_without_sanitizer(char **argv);
/* The environment that the caller gave us, to be freed with g_strfreev(). */
char **exec_preloaded_environment(void);

/* ---- harness/exec/guard.c ---- */

/*
 * Finds program 'argv[0]' as execvp(3) would and makes sure that it will get to the fabric by
 * 'means', following scripts to their interpreters. Takes the library out of the means if the
 * program cannot load it and need not. Returns the path, to be freed with g_free(), or NULL with
 * the reason and the cure.
 */
char *exec_guard_find(char *const *argv, struct exec_means *means, GError **error);
/*
 * Can the program load our library, as far as that is known? False: its calls have to be stopped,
 * or it is not on the fabric. 'directory': where a path that is not absolute begins.
 */
bool exec_guard_loads_library(char *const *argv, const char *directory);

/*
 * May this program, started in 'directory', be put into virtual time? If not, the error has the
 * cure. '*ret_foreign' is its path, to be freed, if it cannot load our library, and another program
 * is to stand for it (sim/programs/program-stand-in.h); else NULL.
 */
bool exec_guard_check_in_time(char *const *argv, const char *directory, char **ret_foreign,
			      GError **error);
/*
 * Makes sure that this process has no real device open, which the program would inherit; false with
 * COMMAND_REFUSED.
 */
bool exec_guard_check_inherited(GError **error);

/* ---- harness/exec/bridge.c ---- */

/* The connection to a server on another machine (harness/bridge/bridge.h): two processes. */
struct exec_bridge {
	char *socket;		/* where its near end listens, in a directory of its own */
	pid_t command, near;	/* 0: none */
	int control;		/* open as long as the near end is to run; -1: none */
};

/*
 * The shell command for --attach ssh:HOST:SOCKET, to be freed with g_free(). NULL without an error:
 * 'attach' is a path. NULL with COMMAND_REFUSED: it is neither.
 */
char *exec_bridge_command(const char *attach, GError **error);
/*
 * Starts 'command' and waits for its greeting; its stderr stays the caller's. To be called before
 * any thread is made.
 */
bool exec_bridge_begin(struct exec_bridge *bridge, const char *command, GError **error);
void exec_bridge_end(struct exec_bridge *bridge);

/* ---- harness/exec/session.c ---- */

/*
 * Where the fabric of a job is: in a server within this process, so that the program and all its
 * descendants share it; or in an existing server. With clock=virtual they also share its time
 * (lib/lockstep/lockstep-session.h).
 */
struct exec_session {
	char *backend;			/* for UMAD_BACKEND */
	char *socket;			/* of the server */
	const char *lockstep;		/* table of programs in virtual time, or NULL */
	char banner[256];		/* what is simulated, printed once; "": each prints it */
	char *sysfs;			/* where its /sys/class is; or NULL */
	int sysfs_watch;		/* of exec_sysfs_watch(), or -1 */
	struct private_directory sm_cache;	/* what an OpenSM of the program remembers */
	struct server *server;		/* ours, or NULL */
	pthread_t thread;		/* runs that server */
	bool has_thread;
	bool has_failed;		/* it has ended by an error, which has been said */
	struct exec_bridge bridge;	/* to a server on another machine */
	struct attached_view view;	/* what that shows in /sys/class */
	int attached;			/* our connection to an existing server, or -1 */
	struct schedule schedule;	/* for clock=virtual */
	char *switches;			/* exceptions to it; or NULL */
	enum lockstep_audit audit;
	bool how_filter;		/* with clock=virtual: all programs are below the filter */
	char *name;			/* the session's name, for servers */
	char *sm_name;			/* of the session of the subnet manager */
	char *host;			/* where the program runs; "": on the first host */
	bool in_guest;			/* and that is one (harness/exec/in-guest.h) */
};

/* What became of the fabric while the program ran. */
enum exec_use {
	EXEC_NEVER_USED,
	EXEC_USED,		/* also where that cannot be known */
	EXEC_FABRIC_LOST,	/* its server has gone */
};

/* Makes the session, before the program starts. */
bool exec_session_begin(struct exec_session *session, const struct exec_job *job,
			    GError **error);
/* To be called once the keeper has been forked: from then on threads may be made. */
bool exec_session_serve(struct exec_session *session, GError **error);
/*
 * Has any process opened the fabric, or read its files? On a server, what others read of the same
 * host's files counts as well.
 */
enum exec_use exec_session_use(const struct exec_session *session);
/* Can its programs, in virtual time, not go on? That has been said. */
bool exec_session_is_over(const struct exec_session *session);
/*
 * Stops our own server, if there is one: what programs missed for want of a subnet manager. The
 * fabric of an existing server, or in the program itself, is not asked.
 */
enum sm_missed exec_session_sm_missed(struct exec_session *session);
/*
 * Removes everything. False, after a message on stderr: the capture or the report of the fabric is
 * not complete.
 */
bool exec_session_end(struct exec_session *session);

/* ---- harness/exec/descriptors.c ---- */

/* Raises the soft limit to the hard one: each client and each handle needs a descriptor. */
void exec_raise_descriptors(void);
/* Are there enough for a fabric server, once it has been raised? */
bool exec_descriptors_suffice(GError **error);

/* ---- harness/exec/attach.c ---- */

/*
 * Connects to the server at 'socket_path' as 'host' ("": the server's choice) and makes it watch
 * for 'session'. Returns the connection and the server's banner, or -1 with COMMAND_REFUSED.
 */
int exec_attach_open(const char *socket_path, const char *host, const char *session, char *banner,
		     size_t banner_size, GError **error);
/*
 * Says HELLO on a connection. Its result; the server's words are appended to 'text', or NULL.
 */
int64_t exec_attach_hello(int fd, const char *host, const char *session, GString *text);
/* Has a program of the session opened the fabric? */
enum exec_use exec_attach_use(int fd, const char *session);

/* ---- harness/exec/mount.c ---- */

/*
 * What is mounted for the program, in a mount namespace of its own. It is planned in the parent;
 * the child, which may do nothing but system calls, carries it out before it becomes the program.
 */
struct exec_mounts;

struct exec_mounts *exec_mounts_new(void);
/* NULL is allowed. */
void exec_mounts_free(struct exec_mounts *mounts);

/* An empty directory over 'directory', with the old names bound into it except the hidden ones. */
typedef bool exec_mount_hides_fn(const char *name);
void exec_mounts_cover(struct exec_mounts *mounts, const char *directory,
		       exec_mount_hides_fn *hides);
/* The same with the old names that are given, NULL-terminated; taken over. */
void exec_mounts_keep(struct exec_mounts *mounts, const char *directory, char **names);
/*
 * 'from' at 'path' in a directory that is covered; 'path' is made, as what 'from' is, and cannot be
 * written.
 */
void exec_mounts_add(struct exec_mounts *mounts, const char *from, const char *path);
/* 'from' over 'path', which must exist, and be a directory if 'from' is one. */
void exec_mounts_replace(struct exec_mounts *mounts, const char *from, const char *path);

/*
 * For the child; async-signal-safe. Both return 0, or -errno if it is not possible here.
 *
 * Enters a mount namespace, by way of a user namespace unless it is root; does nothing in a process
 * that has done so before.
 */
int exec_mounts_enter(const struct exec_mounts *mounts);
/* Mounts what was planned, in that order, in the namespace that was entered. */
int exec_mounts_make(const struct exec_mounts *mounts);

/* ---- harness/exec/sysfs.c ---- */

/* What shows a view, which stands for /sys (lib/base/sysfs-place.h), in /sys. */
struct exec_mounts *exec_shown_sysfs(const char *view);
/*
 * Begins to watch whether files or directories of a view are read. A descriptor; -1: that cannot be
 * known.
 */
int exec_sysfs_watch(const char *view);
/* Has any been read? */
bool exec_sysfs_was_read(int fd);

/* ---- harness/exec/hide.c ---- */

/*
 * What hides the machine's real devices, and has 'library' (our libibumad, absolute) in place of
 * the distribution's. NULL: there are no devices, or they are those of an outer umadrig exec.
 */
struct exec_mounts *exec_hidden_devices(const char *library);

/* ---- harness/exec/library.c ---- */

/*
 * The absolute path of the library that 'symbol' is in, to be freed with g_free(). NULL with
 * COMMAND_REFUSED: the path is unknown, or cannot be in LD_PRELOAD. 'what': its name, for messages.
 */
char *exec_library_path(const void *symbol, const char *what, GError **error);
/* Adds to 'mounts': 'ours' over each libibumad that ld.so would find by itself. */
void exec_replace_library(struct exec_mounts *mounts, const char *ours);

#endif
