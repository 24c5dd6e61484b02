/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The programs of a simulated world: see harness/world/sim-programs.h.
 */
#include "harness/world/sim-programs.h"

#include <string.h>

#include "harness/exec/exec.h"
#include "harness/exec/in-guest.h"
#include "sim/programs/program-stand-in.h"
#include "sim/server/lockstep-owner.h"
#include "sim/server/server.h"

/* One that is to be started, in real time or in virtual time. */
struct starting {
	struct server *server;
	const char *node;	/* the host that it runs on */
	const char *backend;	/* for UMAD_BACKEND */
	const char *session;
	const char *directory;
	char *const *argv;
};

/* What starts a program by other means than our library: to be freed, unlike the strings. */
static const char **by_exec(const struct starting *starting, const char *how)
{
	const char *before[] = {
		"/proc/self/exe", "exec", "--" EXEC_SCRIPTED, starting->session, "--how", how,
		"--attach", server_socket(starting->server), "--host", starting->node, "--",
	};
	GPtrArray *words = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(before); i++)
		g_ptr_array_add(words, (char *)before[i]);
	for (char *const *word = starting->argv; *word; word++)
		g_ptr_array_add(words, *word);
	g_ptr_array_add(words, NULL);
	return (const char **)g_ptr_array_free(words, false);
}

/* The means for a program in real time; NULL: our library alone. */
static const char *means_of(const struct starting *starting, const char *how)
{
	if (how)
		return strcmp(how, "preload") == 0 ? NULL : how;
	return exec_guard_loads_library(starting->argv, starting->directory) ? NULL : "filter";
}

/* OpenSM keeps files in its log's directory; they must not be another instance's. */
static char **keep_apart(char **env, const char *directory)
{
	env = g_environ_setenv(env, "OSM_CACHE_DIR", directory, true);
	return g_environ_setenv(env, "OSM_TMP_DIR", directory, true);
}

/* 'env': what exec_environment() has made, which is taken over. NULL: it has failed. */
static struct world_program *start(const struct starting *starting, char *const *argv, char **env,
				   const GError *error, char **reterr)
{
	bool in_time = server_lockstep_table(starting->server);
	struct world_program *program = NULL;

	if (env) {
		env = keep_apart(env, starting->directory);
		program = world_program_new(starting->directory, argv, env, in_time, reterr);
	} else {
		*reterr = g_strdup(error->message);
	}
	g_strfreev(env);
	return program;
}

static struct world_program *start_in_real_time(const struct starting *starting, const char *how,
						char **reterr)
{
	const char *means = means_of(starting, how);
	g_autofree const char **words = means ? by_exec(starting, means) : NULL;
	g_autoptr(GError) error = NULL;
	char **env = means ? exec_preloaded_environment() :
			     exec_environment(starting->backend, NULL, starting->node, &error);

	return start(starting, words ? (char *const *)words : starting->argv, env, error, reterr);
}

static struct world_program *start_in_time(const struct starting *starting, char **reterr)
{
	g_autofree char *name = g_path_get_basename(starting->argv[0]);
	g_autoptr(GError) error = NULL;
	g_autofree char *foreign = NULL;
	g_auto(GStrv) words = NULL, guest = NULL;
	char *const *argv = starting->argv;
	struct world_program *program;
	char **env = NULL;

	if (server_host_is_guest(starting->server, starting->node)) {
		guest = in_guest_words(starting->argv);
		argv = guest;
	}
	if (exec_guard_check_in_time(argv, starting->directory, &foreign, &error))
		env = exec_environment(starting->backend, server_lockstep_table(starting->server),
				       starting->node, &error);
	if (foreign && env)
		words = program_stand_in_words(env, foreign, argv);
	program = start(starting, words ? words : argv, env, error, reterr);
	if (!program || lockstep_owner_adopt(server_owner(starting->server),
					     world_program_pid(program), name))
		return program;
	world_program_free(program);
	*reterr = g_strdup("virtual time has no room for another program");
	return NULL;
}

struct world_program *sim_programs_start(struct server *server, const struct sim_program *program,
					 char **reterr)
{
	g_autofree char *node = NULL, *backend = NULL;
	struct starting starting = {
		.server = server, .session = program->session, .directory = program->directory,
		.argv = program->argv,
	};
	int number;

	if (!world_port_parse(program->port, &node, &number)) {
		*reterr = g_strdup_printf("'%s' is not a port: expected \"NODE[N]\"",
					  program->port);
		return NULL;
	}
	backend = g_strdup_printf("attach:%s,session=%s,host=%s", server_socket(server),
				  program->session, node);
	starting.node = node;
	starting.backend = backend;
	server_expect(server, program->session);
	return server_lockstep_table(server) ? start_in_time(&starting, reterr) :
					       start_in_real_time(&starting, program->how, reterr);
}

/* NULL: all. */
static pid_t group_of(const struct world_program *program)
{
	return program ? world_program_pid(program) : 0;
}

void sim_programs_signalled(struct server *server, const struct world_program *program, int sig)
{
	lockstep_owner_signalled(server_owner(server), group_of(program), sig);
}

void sim_programs_kill(struct server *server, const struct world_program *program)
{
	lockstep_owner_kill(server_owner(server), group_of(program));
}
