/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Running a program on a simulated fabric, and making sure that it is simulated.
 *
 * harness/exec/guard.c looks at the program, harness/exec/session.c gives it and all below it a
 * fabric and knows whether they opened it, harness/exec/attach.c asks another's server that,
 * harness/exec/hide.c takes the real devices out of sight, harness/exec/library.c the
 * distribution's libibumad, harness/exec/sysfs.c shows the simulated devices, harness/exec/mount.c
 * is what these need, harness/exec/run.c starts the program and waits.
 */
#ifndef UMADRIG_HARNESS_EXEC_EXEC_H
#define UMADRIG_HARNESS_EXEC_EXEC_H

#include <glib.h>
#include <stdbool.h>

#include "sim/system/private-directory.h"

/* Errors are of COMMAND_ERROR: COMMAND_REFUSED, COMMAND_CANNOT_RUN, COMMAND_NOT_FOUND. */

struct exec_job {
	const char *name;	/* "umadrig exec", for messages */
	const char *spec;	/* "FILE[,OPTION=VALUE...]", FILE absolute or ""; NULL: 'attach' */
	const char *attach;	/* socket of a server that is there already, absolute; or NULL */
	const char *bridge;	/* or a shell command that carries a bridge to one; or NULL */
	const char *host;	/* where it runs; NULL: UMADRIG_HOST, or the fabric's first */
	bool sysfs;		/* it is to see its devices in /sys/class */
	char **argv;		/* the program and its arguments, NULL-terminated */
};

/*
 * Runs the job and gives what umadrig's exit status shall be. A program that a signal ended ends
 * this process by the same signal.
 */
int exec_run(const struct exec_job *job);

/*
 * 'spec' with its file made absolute, host=HOST added ('host' may be NULL) and everything checked
 * that can be before the program starts; to be freed with g_free(). NULL with COMMAND_REFUSED.
 */
char *exec_spec(const char *spec, const char *host, GError **error);

/*
 * The environment of a program on a fabric: our libraries in front, UMAD_BACKEND 'backend';
 * libumadrig only where the program is to have the fabric in itself ('session_directory', else
 * NULL). 'host' may be NULL. To be freed with g_strfreev(); NULL with COMMAND_REFUSED.
 */
char **exec_environment(const char *backend, const char *session_directory, const char *host,
			GError **error);

/* ---- harness/exec/guard.c ---- */

/*
 * Finds program 'argv[0]' as execvp(3) would and makes sure that our library gets into it,
 * following scripts to their interpreters. Its path, to be freed with g_free(), or NULL with the
 * reason and the cure.
 */
char *exec_guard_find(char *const *argv, GError **error);

/* ---- harness/exec/bridge.c ---- */

/* A way to a server on another machine (harness/bridge/bridge.h): two processes. */
struct exec_bridge {
	char *socket;		/* where its near end listens, in a directory of its own */
	pid_t command, near;	/* 0: none */
	int control;		/* held as long as the near end is to run; -1 */
};

/*
 * The shell command of --attach ssh:HOST:SOCKET, to be freed with g_free(). NULL: 'attach' is a
 * path; or, with COMMAND_REFUSED, it is neither.
 */
char *exec_bridge_command(const char *attach, GError **error);
/* Starts 'command' and waits for its greeting; what it writes to stderr is seen. No threads yet. */
bool exec_bridge_begin(struct exec_bridge *bridge, const char *command, GError **error);
void exec_bridge_end(struct exec_bridge *bridge);

/* ---- harness/exec/session.c ---- */

/*
 * Where the fabric of a job is. Usually in a server, in this process: everything below the
 * program shares it. With clock=virtual in the program itself, the first that opens it
 * (sim/system/session.h). Or in a server that is there already.
 */
struct exec_session {
	char *backend;			/* for UMAD_BACKEND */
	char banner[256];		/* what is simulated, said for all below; "": they say */
	char *sysfs;			/* where its /sys/class is, or NULL */
	struct private_directory directory;	/* clock=virtual: for UMADRIG_SESSION; else none */
	struct server *server;		/* ours, or NULL */
	GThread *thread;		/* that serves */
	struct exec_bridge bridge;	/* to that server, where it is not on this machine */
	int attached;			/* our connection to a server that was there, or -1 */
	char *name;			/* of the session, for the server */
};

/* Makes it, before the program starts. */
bool exec_session_begin(struct exec_session *session, const struct exec_job *job,
			    GError **error);
/* The program has been forked off: now threads may be made. */
void exec_session_serve(struct exec_session *session);
/* Has any process opened the fabric? */
bool exec_session_opened(const struct exec_session *session);
/* Takes everything away. */
void exec_session_end(struct exec_session *session);

/* ---- harness/exec/descriptors.c ---- */

/* Raises the soft limit to the hard one: each client takes a descriptor, and each handle. */
void exec_raise_descriptors(void);

/* ---- harness/exec/attach.c ---- */

/*
 * Connects with the server at 'socket_path' as from 'host' ("": its choice) and has it look out for
 * 'session'. The connection with the server's banner, or -1 with COMMAND_REFUSED.
 */
int exec_attach_open(const char *socket_path, const char *host, const char *session, char *banner,
		     size_t banner_size, GError **error);
/* Where the server keeps the host's /sys/class; to be freed with g_free(). NULL: as above. */
char *exec_attach_sysfs(int fd, GError **error);
/* Has a program of that session opened the fabric? */
bool exec_attach_was_used(int fd, const char *session);

/* ---- harness/exec/mount.c ---- */

/*
 * All in the child, before it becomes the program. 0, or -errno: not to be had here.
 *
 * A mount namespace of this process's own, through a user namespace where it is not root; once.
 */
int exec_mount_enter(void);
/* An empty directory over 'directory', with the old names bound into it but for those hidden. */
typedef bool exec_mount_hides_fn(const char *name);
int exec_mount_cover(const char *directory, exec_mount_hides_fn *hides);
/* Makes 'name' in such a directory be what 'from' is. */
int exec_mount_bind(const char *from, const char *directory, const char *name);
/* Makes 'path', which exists and is a directory where 'from' is one, be what 'from' is. */
int exec_mount_over(const char *from, const char *path);

/* ---- harness/exec/sysfs.c ---- */

/*
 * Puts infiniband and infiniband_mad of 'view' into /sys/class of this process and its children: in
 * the child. NULL where it worked; else why not and the cure, to be freed with g_free().
 */
char *exec_show_sysfs(const char *view);

/* ---- harness/exec/hide.c ---- */

/*
 * Takes the machine's real devices out of this process's sight and that of its children, and puts
 * 'library' (our libibumad, absolute) in place of the distribution's: to be called in the child,
 * before it becomes the program. NULL where it worked or where there are no devices; else a
 * message, to be freed with g_free(): the devices are still in sight.
 */
char *exec_hide_devices(const char *library);

/* ---- harness/exec/library.c ---- */

/*
 * The absolute path of the library that 'symbol' is in, to be freed with g_free(). NULL with
 * COMMAND_REFUSED: it cannot be told, or cannot be in LD_PRELOAD. 'what': its name, for messages.
 */
char *exec_library_path(const void *symbol, const char *what, GError **error);
/*
 * Binds 'ours' over each libibumad that ld.so would find by itself, in the mount namespace that
 * exec_mount_enter() made. 0, also where there is none, or -errno.
 */
int exec_replace_library(const char *ours);

#endif
