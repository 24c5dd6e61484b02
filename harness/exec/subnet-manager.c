/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * opensm for the program: see harness/exec/subnet-manager.h.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/exec/subnet-manager.h"
#include "lib/attach/protocol.h"
#include "lib/base/monotonic.h"
#include "lib/base/port-attr.h"
#include "lib/words/number.h"
#include "sim/process/process-reap.h"

enum {
	PORT_ACTIVE = 4,
	LOOK_MS = 20,		/* how often it is looked at while the program waits for it */
	TAIL_LINES = 12,	/* of its output, in messages */
	TAIL_SIZE = 4000,
};

/* How long the first sweep may take, and how long the program's port may need afterwards. */
static const int64_t sweep_ns = INT64_C(120000000000), sweep_node_ns = INT64_C(100000000);
static const int64_t port_ns = INT64_C(5000000000);

/* What it is started by: $0 is opensm, $1 its directory. -d 2 has it write each line at once. */
static const char script[] =
	"OSM_TMP_DIR=$1 OSM_CACHE_DIR=$1 exec \"$0\" -d 2 -L 50 -f \"$1/log\" </dev/null "
	">\"$1/output\" 2>&1";

/* ---- opensm ---- */

/* Where it may be, beside PATH: in directories that users often lack there. */
static char *find(void)
{
	static const char *const places[] = {
		"/usr/sbin/opensm", "/sbin/opensm", "/usr/local/sbin/opensm",
	};
	char *path = g_find_program_in_path("opensm");

	for (size_t i = 0; i < G_N_ELEMENTS(places) && !path; i++) {
		if (access(places[i], X_OK) == 0)
			path = g_strdup(places[i]);
	}
	return path;
}

bool subnet_manager_prepare(struct subnet_manager *sm, const struct exec_job *job, GError **error)
{
	g_autofree char *checked = NULL;
	char message[256];
	int ret;

	sm->path = find();
	if (!sm->path) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "--with-sm: there is no opensm in PATH or /usr/sbin: install the "
			    "package opensm");
		return false;
	}
	sm->argv[0] = sm->path;
	/* Distributions link it with libibumad. */
	sm->means = (struct exec_means){ .preload = true };
	checked = exec_guard_find(sm->argv, &sm->means, error);
	if (!checked)
		return false;
	if (private_directory_make(&sm->directory, "", message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return false;
	}
	sm->argv[0] = (char *)"opensm";
	sm->argv[1] = (char *)"-c";
	sm->argv[2] = (char *)script;
	sm->argv[3] = sm->path;
	sm->argv[4] = sm->directory.path;
	sm->job = (struct exec_job){
		.name = job->name, .argv = sm->argv, .grace_ns = job->grace_ns,
		.detach = job->detach, .with_sm = job->with_sm, .is_apart = true,
	};
	ret = keeper_start(&sm->keeper, &sm->job, &sm->means, "/bin/sh");
	if (ret < 0)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "cannot make a process: %s",
			    g_strerror(-ret));
	return ret == 0;
}

/* ---- what it printed ---- */

static char *read_file(const struct subnet_manager *sm, const char *name)
{
	g_autofree char *path = g_build_filename(sm->directory.path, name, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

/* The last lines of its log, or else of its output, indented. */
static char *tail(const struct subnet_manager *sm)
{
	g_autofree char *log = read_file(sm, "log"), *output = read_file(sm, "output");
	const char *text = g_strchomp(*log ? log : output);
	size_t size = strlen(text);
	g_auto(GStrv) lines = g_strsplit(text + (size > TAIL_SIZE ? size - TAIL_SIZE : 0), "\n", 0);
	GString *out = g_string_new(NULL);
	guint count = g_strv_length(lines);

	for (guint i = count > TAIL_LINES ? count - TAIL_LINES : 0; i < count; i++)
		g_string_append_printf(out, "\n  %s", lines[i]);
	return g_string_free(out, false);
}

/* ---- hosts ---- */

/* The ports of a host's devices, as its programs see them; and the nodes that these devices are. */
struct host_state {
	bool is_active;		/* one of the ports is */
	GArray *guids;		/* uint64_t, of nodes */
};

static void look_at_ports(int fd, struct attach_port_name name, const GString *ca,
			  struct host_state *state)
{
	for (size_t at = sizeof(struct attach_ca); at + sizeof(int) <= ca->len; at += sizeof(int)) {
		g_autoptr(GString) reply = g_string_new(NULL);
		struct port_attr attr;
		int number;

		memcpy(&number, ca->str + at, sizeof(number));
		name.portnum = (uint32_t)number;
		name.parts = UMAD_BACKEND_PORT_LINK;
		if (attach_client_call(fd, ATTACH_GET_PORT, &name, sizeof(name), reply) < 0 ||
		    reply->len < sizeof(attr))
			continue;
		memcpy(&attr, reply->str, sizeof(attr));
		state->is_active |= attr.state == PORT_ACTIVE;
	}
}

/* 'fd': a connection as the host. */
static void look_at_host(int fd, struct host_state *state)
{
	g_autoptr(GString) names = g_string_new(NULL);

	*state = (struct host_state){ .guids = g_array_new(false, false, sizeof(uint64_t)) };
	attach_client_call(fd, ATTACH_LIST_CAS, NULL, 0, names);
	for (size_t at = 0; at + UMAD_BACKEND_NAME_SIZE <= names->len;
	     at += UMAD_BACKEND_NAME_SIZE) {
		struct attach_port_name name = { .portnum = 0 };
		g_autoptr(GString) reply = g_string_new(NULL);
		struct attach_ca ca;

		memcpy(name.ca_name, names->str + at, sizeof(name.ca_name));
		if (attach_client_call(fd, ATTACH_GET_CA, &name, sizeof(name), reply) < 0 ||
		    reply->len < sizeof(ca))
			continue;
		memcpy(&ca, reply->str, sizeof(ca));
		g_array_append_val(state->guids, ca.node_guid);
		look_at_ports(fd, name, reply, state);
	}
}

static bool host_has(const struct host_state *state, uint64_t guid)
{
	for (guint i = 0; i < state->guids->len; i++) {
		if (g_array_index(state->guids, uint64_t, i) == guid)
			return true;
	}
	return false;
}

/* A line of the console's Dump: 'Ca 1 "NODE"	nodeguid GUID	...'. False: another one. */
static bool read_ca(const char *line, char **ret_node, uint64_t *ret_guid)
{
	const char *quote = strchr(line, '"'), *guid = strstr(line, "\"\tnodeguid ");

	if (!g_str_has_prefix(line, "Ca ") || !quote || !guid)
		return false;
	g_free(*ret_node);
	*ret_node = g_strndup(quote + 1, (gsize)(guid - quote - 1));
	guid += strlen("\"\tnodeguid ");
	return number_take(&guid, 16, UINT64_MAX, ret_guid) == 0;
}

/*
 * A node with a cable that is on another host than 'here'; NULL: there is none. To be freed with
 * g_free(). 'lines': of the console's Dump.
 */
static char *another_host(char **lines, const struct host_state *here)
{
	g_autofree char *node = NULL;
	bool is_other = false;
	uint64_t guid;

	for (; *lines; lines++) {
		if (read_ca(*lines, &node, &guid))
			is_other = !host_has(here, guid);
		else if (!**lines)
			is_other = false;
		else if (is_other && g_str_has_suffix(*lines, "/LinkUp"))
			return g_steal_pointer(&node);
	}
	return NULL;
}

/* A connection as 'host' ("": the default) that does not count as the program's; -1. */
static int connect_as(const struct exec_session *session, const char *host, GError **error)
{
	char banner[256];

	return exec_attach_open(session->socket, host, session->sm_name, banner, sizeof(banner),
				error);
}

/*
 * Chooses its host, unless the job does, and says how long its first sweep may take. False: no such
 * host.
 */
static bool survey(struct subnet_manager *sm, const struct exec_session *session, int fd,
		   char **ret_host, GError **error)
{
	static const char dump[] = "Dump";
	const char *wanted = sm->job.with_sm;
	g_autoptr(GString) reply = g_string_new(NULL);
	g_auto(GStrv) lines = NULL;
	struct host_state here;
	int other = -1;

	if (*wanted) {
		other = connect_as(session, wanted, error);
		if (other < 0)
			return false;
		close(other);
	}
	attach_client_call(fd, ATTACH_CONSOLE, dump, strlen(dump), reply);
	lines = g_strsplit(reply->str, "\n", 0);
	sm->sweep_ns = sweep_ns;
	for (char **line = lines; *line; line++)
		sm->sweep_ns += strstr(*line, "\tnodeguid ") ? sweep_node_ns : 0;
	look_at_host(fd, &here);
	*ret_host = *wanted ? g_strdup(wanted) : another_host(lines, &here);
	if (!*ret_host)
		*ret_host = g_strdup(session->host);
	g_array_unref(here.guids);
	return true;
}

/* ---- waiting for it ---- */

/* Does the log say that it is at work, or that another one is? */
static bool is_up(const struct subnet_manager *sm)
{
	g_autofree char *log = read_file(sm, "log");

	return strstr(log, "SUBNET UP") || strstr(log, "Entering STANDBY state");
}

static bool is_active(int fd)
{
	struct host_state state;

	look_at_host(fd, &state);
	g_array_unref(state.guids);
	return state.is_active;
}

/* Waits for the next report of its keeper, which says how it ended. */
static char *next_end(struct subnet_manager *sm, const pid_t *except, size_t except_count)
{
	g_autofree char *how = NULL;
	int value = 0;

	switch (keeper_next(&sm->keeper, except, except_count, &value)) {
	case KEEPER_ENDED:
		how = reap_status_text(value);
		return g_strconcat("opensm ", how, NULL);
	case KEEPER_FAILED:
		return g_strdup_printf("/bin/sh: %s", g_strerror(value));
	case KEEPER_REFUSED:
	case KEEPER_MET_VERBS:
	case KEEPER_LEFT:
		break;
	case KEEPER_OVER:
	case KEEPER_LOST:
		sm->runs = false;
		break;
	}
	return g_strdup("opensm was not started");
}

/* Why it does not run any more; NULL: it does. */
static char *is_over(struct subnet_manager *sm, const pid_t *except, size_t except_count)
{
	struct pollfd report = { .fd = sm->keeper.link, .events = POLLIN };

	return poll(&report, 1, 0) > 0 ? next_end(sm, except, except_count) : NULL;
}

/* The signals that end this process now, of those that may be meant to. */
static void deadly_signals(sigset_t *ret)
{
	static const int deadly[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
	struct sigaction action;

	sigemptyset(ret);
	for (size_t i = 0; i < G_N_ELEMENTS(deadly); i++) {
		if (sigaction(deadly[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
			sigaddset(ret, deadly[i]);
	}
}

/* Waits for it, with these signals blocked. NULL: it is at work; or why not. */
static char *wait_for(struct subnet_manager *sm, int fd, const pid_t *except, size_t except_count,
		      const sigset_t *deadly, int *ret_signal)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000 };
	int64_t until_ns = monotonic_ns() + sm->sweep_ns;
	bool was_up = false;
	char *why;

	while (monotonic_ns() < until_ns) {
		int sig;

		why = is_over(sm, except, except_count);
		if (why)
			return why;
		if (!was_up && is_up(sm)) {
			was_up = true;
			until_ns = monotonic_ns() + port_ns;
		}
		if (was_up && is_active(fd))
			return NULL;
		sig = sigtimedwait(deadly, NULL, &pause);
		if (sig > 0) {
			*ret_signal = sig;
			return g_strdup("it was interrupted");
		}
	}
	return was_up ? g_strdup("opensm has swept the subnet, but no port of the command's host "
				 "is Active: is there a way from opensm's host to it?") :
	       g_strdup_printf("opensm has not brought the subnet up within %d s",
			       (int)(sm->sweep_ns / 1000000000));
}

/* Starts it on a host, and waits. NULL, or what went wrong. */
static char *start(struct subnet_manager *sm, const struct exec_session *session, const char *host,
		   int fd, const pid_t *except, size_t except_count, int *ret_signal)
{
	g_autofree char *backend = g_strdup_printf("attach:%s,session=%s", session->socket,
						   session->sm_name);
	struct keeper_order order = { .backend = backend, .host = host };
	int ret = keeper_order(&sm->keeper, &order);
	sigset_t deadly, before;
	char *why;

	if (ret < 0)
		return g_strdup_printf("cannot start it: %s", g_strerror(-ret));
	sm->runs = true;
	deadly_signals(&deadly);
	pthread_sigmask(SIG_BLOCK, &deadly, &before);
	why = wait_for(sm, fd, except, except_count, &deadly, ret_signal);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return why;
}

bool subnet_manager_begin(struct subnet_manager *sm, const struct exec_session *session,
			  const pid_t *except, size_t except_count, int *ret_signal,
			  GError **error)
{
	g_autofree char *host = NULL, *why = NULL, *last = NULL;
	int fd = connect_as(session, session->host, error);

	if (fd < 0)
		return false;
	if (!survey(sm, session, fd, &host, error)) {
		g_prefix_error(error, "--with-sm: ");
		close(fd);
		return false;
	}
	why = start(sm, session, host, fd, except, except_count, ret_signal);
	close(fd);
	if (!why)
		return true;
	sm->has_failed = true;
	last = tail(sm);
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "--with-sm: %s%s%s", why,
		    *last ? ". The end of its log:" : "", last);
	return false;
}

void subnet_manager_end(struct subnet_manager *sm, const pid_t *except, size_t except_count)
{
	g_autofree char *why = sm->runs && !sm->has_failed ?
			      is_over(sm, except, except_count) : NULL;
	g_autofree char *last = why ? tail(sm) : NULL;

	if (why)
		fprintf(stderr, "%s: --with-sm: %s before the command did%s%s\n", sm->job.name, why,
			*last ? ". The end of its log:" : "", last);
	if (sm->runs)
		keeper_stop(&sm->keeper);
	while (sm->runs)
		g_free(next_end(sm, except, except_count));
	keeper_end(&sm->keeper);
	private_directory_remove(&sm->directory);
	g_clear_pointer(&sm->path, g_free);
}
