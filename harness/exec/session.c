/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The session of a job: makes the fabric available, knows whether it was opened, and removes it.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/exec/exec.h"
#include "sim/run/spec.h"
#include "sim/server/server.h"
#include "sim/system/issm-pipe.h"
#include "sim/time/quiet-thread.h"

/* ---- in our own server ---- */

/* Programs of a session print no banner while exec, which has printed it, is running. */
static void set_backend(struct exec_session *session, const char *socket_path)
{
	session->socket = g_strdup(socket_path);
	session->backend = *session->banner ?
			   g_strdup_printf("attach:%s,session=%s", socket_path, session->name) :
			   g_strdup_printf("attach:%s", socket_path);
}

static bool show_sysfs(struct exec_session *session, const char *host, GError **error)
{
	const char *path;
	int ret = server_sysfs(session->server, host, &path);

	if (ret < 0) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "--sysfs: cannot show the devices of %s: %s",
			    *host ? host : "the first host",
			    ret == -ENOENT ? "there is no such host" : issm_pipe_strerror(-ret));
		return false;
	}
	session->sysfs = g_strdup(path);
	session->sysfs_watch = exec_sysfs_watch(path);
	return true;
}

static bool begin_server(struct exec_session *session, const struct exec_job *job,
			 const char *host, bool is_virtual, GError **error)
{
	const struct lockstep_wishes wishes = {
		.schedule = session->schedule, .switches = session->switches,
		.audit = session->audit, .how_filter = session->how_filter,
		.grace_ns = job->grace_ns, .limit_ns = job->limit_ns,
		.tells_crashes = job->tells_crashes,
	};
	char message[512];

	if (!exec_descriptors_suffice(error))
		return false;
	session->server = is_virtual ?
			  server_new_lockstep(job->spec, &wishes, message, sizeof(message)) :
			  server_new(job->spec, NULL, message, sizeof(message));
	if (!session->server) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return false;
	}
	/* No such host: the program that asks for it prints the error. */
	if (server_announce(session->server, session->name, host, session->banner,
			    sizeof(session->banner)) < 0)
		session->banner[0] = '\0';
	server_disregard(session->server, session->sm_name);
	set_backend(session, server_socket(session->server));
	session->lockstep = server_lockstep_table(session->server);
	session->in_guest = is_virtual && server_host_is_guest(session->server, host);
	return !job->sysfs || show_sysfs(session, host, error);
}

static void *serve(void *data)
{
	int ret = server_run(data);

	if (ret < 0)
		g_printerr("umadrig: the fabric server has failed: %s\n", g_strerror(-ret));
	return GINT_TO_POINTER(ret);
}

bool exec_session_serve(struct exec_session *session, GError **error)
{
	int ret;

	attached_view_follow(&session->view);
	if (!session->server)
		return true;
	exec_raise_descriptors();
	/* Signals go to the main thread, which waits for the program. */
	ret = quiet_thread_start(&session->thread, NULL, serve, session->server);
	if (ret < 0)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "no thread for the fabric server: %s (ulimit -u, or the limit of the "
			    "container)", g_strerror(-ret));
	session->has_thread = ret == 0;
	return ret == 0;
}

/* ---- in an existing server ---- */

static bool begin_attached(struct exec_session *session, const struct exec_job *job,
			       const char *host, GError **error)
{
	const char *path = job->attach;

	if (job->bridge) {
		if (!exec_bridge_begin(&session->bridge, job->bridge, error))
			return false;
		path = session->bridge.socket;
	}
	session->attached = exec_attach_open(path, host, session->name, session->banner,
					     sizeof(session->banner), error);
	if (session->attached < 0)
		return false;
	set_backend(session, path);
	if (!job->sysfs)
		return true;
	if (!attached_view_begin(&session->view, session->attached, path, host, error))
		return false;
	session->sysfs = g_strdup(session->view.path);
	session->sysfs_watch = exec_sysfs_watch(session->sysfs);
	return true;
}

/* ---- all of them ---- */

/*
 * OpenSM remembers LIDs and M_Keys in /var/cache/opensm. It must not remember those of a simulation
 * there, for the machine's own OpenSM would use them; and a user may not write there at all. Where
 * no directory can be made (an image that is read-only), it keeps to its own.
 */
static void make_sm_cache(struct exec_session *session)
{
	char message[512];

	if (!g_getenv("OSM_CACHE_DIR") &&
	    private_directory_make_small(&session->sm_cache, message, sizeof(message)) < 0)
		session->sm_cache = (struct private_directory){ .path = NULL };
}

/* What does not go with virtual time; and names that are the same each time. */
static bool check_virtual(struct exec_session *session, const struct exec_job *job, GError **error)
{
	const char *option = job->with_sm ? "--with-sm" : job->detach ? "--detach" : NULL;

	if (option) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED,
			    "%s and clock=virtual exclude each other: %s", option, job->with_sm ?
			    "start opensm in the command, as in sh -c 'opensm & sleep 30; ...'" :
			    "what runs on would run for ever in no time");
		return false;
	}
	g_free(session->name);
	g_free(session->sm_name);
	session->name = g_strdup("virtual");
	session->sm_name = g_strdup("virtual-sm");
	return true;
}

bool exec_session_begin(struct exec_session *session, const struct exec_job *job,
			    GError **error)
{
	const char *host = job->host ? job->host : g_getenv("UMADRIG_HOST");
	struct spec spec;
	char message[512];
	bool is_virtual;

	*session = (struct exec_session){ .attached = -1, .bridge.control = -1, .sysfs_watch = -1 };
	session->name = job->scripted ? g_strdup(job->scripted) :
			g_strdup_printf("%d-%08x", (int)getpid(), g_random_int());
	session->sm_name = g_strconcat(session->name, "-sm", NULL);
	if (!host)
		host = "";
	session->host = g_strdup(host);
	make_sm_cache(session);
	if (job->attach || job->bridge)
		return begin_attached(session, job, host, error);
	if (spec_parse(job->spec, NULL, &spec, message, sizeof(message)) < 0) {
		g_set_error_literal(error, COMMAND_ERROR, COMMAND_REFUSED, message);
		return false;
	}
	is_virtual = spec.options.virtual_clock;
	session->schedule = spec.options.schedule;
	session->switches = g_strdup(spec.options.switches);
	session->audit = spec.options.audit;
	session->how_filter = spec.options.how_filter || job->how == EXEC_FILTER;
	spec_clear(&spec);
	if (is_virtual && !check_virtual(session, job, error))
		return false;
	return begin_server(session, job, host, is_virtual, error);
}

enum exec_use exec_session_use(const struct exec_session *session)
{
	enum exec_use use;

	if (session->attached >= 0)
		use = exec_attach_use(session->attached, session->name);
	else
		use = server_was_used(session->server) ? EXEC_USED : EXEC_NEVER_USED;
	if (use == EXEC_NEVER_USED && session->sysfs &&
	    (session->sysfs_watch < 0 || exec_sysfs_was_read(session->sysfs_watch)))
		return EXEC_USED;
	return use;
}

bool exec_session_is_over(const struct exec_session *session)
{
	return session->server && server_lockstep_is_over(session->server);
}

static void stop_server(struct exec_session *session)
{
	void *ret = NULL;

	if (!session->has_thread)
		return;
	server_stop(session->server);
	if (pthread_join(session->thread, &ret) == 0 && GPOINTER_TO_INT(ret) < 0)
		session->has_failed = true;
	session->has_thread = false;
}

enum sm_missed exec_session_sm_missed(struct exec_session *session)
{
	stop_server(session);
	return session->server ? server_sm_missed(session->server, session->host) : SM_NOT_MISSED;
}

bool exec_session_end(struct exec_session *session)
{
	bool complete;

	stop_server(session);
	complete = server_free(session->server) >= 0 && !session->has_failed;
	private_directory_remove(&session->sm_cache);
	attached_view_end(&session->view);
	if (session->attached >= 0)
		close(session->attached);
	if (session->sysfs_watch >= 0)
		close(session->sysfs_watch);
	exec_bridge_end(&session->bridge);
	g_clear_pointer(&session->backend, g_free);
	g_clear_pointer(&session->sysfs, g_free);
	g_clear_pointer(&session->name, g_free);
	g_clear_pointer(&session->sm_name, g_free);
	g_clear_pointer(&session->socket, g_free);
	g_clear_pointer(&session->host, g_free);
	g_clear_pointer(&session->switches, g_free);
	*session = (struct exec_session){ .attached = -1, .bridge.control = -1, .sysfs_watch = -1 };
	return complete;
}
