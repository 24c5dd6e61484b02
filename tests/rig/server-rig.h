/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server in a process of its own, and libibumad's backend for it in this one, for tests.
 * The server must end with what it began with: descriptors, memory (under LeakSanitizer), its
 * directory.
 */
#ifndef UMADRIG_TESTS_RIG_SERVER_RIG_H
#define UMADRIG_TESTS_RIG_SERVER_RIG_H

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/attach/call.h"
#include "lib/backend-list.h"
#include "tests/rig/leak.h"
#include "tests/rig/rig.h"
#include "sim/server/server.h"

struct server_rig {
	struct rig rig;		/* its backend is the attach backend; it has no fabric */
	char *directory;	/* of the test */
	char *socket;
	pid_t pid;
};

static struct server *server_rig_server;

static inline void server_rig_stop(int sig)
{
	(void)sig;
	server_stop(server_rig_server);
}

/* The server's process: 0 when all went well. */
static inline int server_rig_serve(const char *spec, const char *socket, int ready_fd)
{
	struct sigaction action = { .sa_handler = server_rig_stop };
	char message[512];
	int ret;

	/* If the test fails, its server is killed too. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	leak_begin();
	server_rig_server = server_new(spec, socket, message, sizeof(message));
	if (!server_rig_server)
		g_error("%s", message);
	sigaction(SIGTERM, &action, NULL);
	if (write(ready_fd, "", 1) != 1)
		return 1;
	ret = server_run(server_rig_server);
	server_free(server_rig_server);
	return leak_end(ret ? 1 : 0);
}

/* A server for 'spec'. 'host' is the host of the calling thread; for others see open_on(). */
static inline struct server_rig server_rig_start(const char *spec, const char *host)
{
	struct server_rig rig = { .rig.backend = &umad_backend_attach };
	char message[512] = "", byte;
	g_autofree char *text = NULL;
	int ends[2];

	rig.directory = g_dir_make_tmp("umadrig-test-XXXXXX", NULL);
	g_assert_nonnull(rig.directory);
	rig.socket = g_build_filename(rig.directory, "socket", NULL);
	g_assert_cmpint(pipe(ends), ==, 0);
	rig.pid = fork();
	g_assert_cmpint(rig.pid, >=, 0);
	if (rig.pid == 0) {
		int status;

		close(ends[0]);
		status = server_rig_serve(spec, rig.socket, ends[1]);
		/* The child must free its copies of the parent's memory: LeakSanitizer checks. */
		g_free(rig.socket);
		g_free(rig.directory);
		exit(status);
	}
	close(ends[1]);
	g_assert_cmpint(read(ends[0], &byte, 1), ==, 1);
	close(ends[0]);
	text = g_strdup_printf("%s,host=%s", rig.socket, host);
	if (umad_backend_attach.start(text, message, sizeof(message)) != 0)
		g_error("%s", message);
	return rig;
}

static inline void server_rig_end(struct server_rig *rig)
{
	int status;

	kill(rig->pid, SIGTERM);
	g_assert_cmpint(waitpid(rig->pid, &status, 0), ==, rig->pid);
	g_assert_cmpint(status, ==, 0);
	/* It has removed its socket. */
	g_assert_cmpint(g_rmdir(rig->directory), ==, 0);
	g_free(rig->directory);
	g_free(rig->socket);
}

/* A command to the fabric (sim/console/), over the connection of the calling thread. */
static inline void server_rig_console(const char *line)
{
	char reply[4096];
	struct attach_exchange exchange = {
		.call.op = ATTACH_CONSOLE, .data = line, .size = strlen(line), .fd = -1,
		.reply = reply, .reply_room = sizeof(reply), .reply_fd = -1,
	};

	g_assert_cmpint(attach_call(&exchange), ==, 0);
}

struct server_rig_open {
	struct server_rig *rig;
	const char *host;
	int fd;
};

static inline void *server_rig_open_thread(void *data)
{
	struct server_rig_open *open = data;
	size_t header_size;

	g_assert_cmpint(attach_call_setup(open->rig->socket, open->host, ""), ==, 0);
	open->fd = umad_backend_attach.open(open->host, 1, &header_size);
	return NULL;
}

/* Port 1 of the device with its host's name, H1 or H2; on this thread's or another host. */
static inline int server_rig_open_on(struct server_rig *rig, const char *host)
{
	struct server_rig_open open = { .rig = rig, .host = host };

	/* A thread has the host that was set at its first call. */
	g_thread_join(g_thread_new("open", server_rig_open_thread, &open));
	g_assert_cmpint(open.fd, >=, 0);
	return open.fd;
}

/* A connection without libibumad behind it. */
static inline int server_rig_connect(struct server_rig *rig)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	g_strlcpy(address.sun_path, rig->socket, sizeof(address.sun_path));
	g_assert_cmpint(connect(fd, (struct sockaddr *)&address, sizeof(address)), ==, 0);
	return fd;
}

#endif
