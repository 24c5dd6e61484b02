/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig env: what a shell has to do so that its programs use our library and a server's fabric.
 *
 * 	eval "$(umadrig env --attach /tmp/fabric)"
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/attach-client.h"
#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"
#include "lib/json/json-writer.h"

static const char description[] =
	"The commands are for sh and its relatives:\n"
	"\n"
	"  eval \"$(umadrig env --attach SOCKET)\"\n"
	"  ibstat\n"
	"  eval \"$(umadrig env --unset)\"\n"
	"\n"
	"If no server listens on SOCKET, it prints 'false', so that eval fails.\n"
	"\n"
	"Unlike umadrig exec, a shell does not see to it that a program loads umadrig's library:\n"
	"setuid and statically linked programs, sudo and 'env -i' reach the machine's own\n"
	"devices.\n"
	"\n"
	"Exit status: 0; 2 if the command line is wrong; 125 if there is no server, or it has no\n"
	"such host.";

/* In the order in which they are printed. */
static const char *const variables[] = {
	"LD_LIBRARY_PATH", "LD_PRELOAD", "ASAN_OPTIONS", "UMAD_BACKEND", "UMADRIG_HOST",
};

/* Prints the commands that make of our environment 'env'. */
static void print_commands(char **env)
{
	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *value = g_environ_getenv(env, variables[i]);
		g_autofree char *quoted = value ? g_shell_quote(value) : NULL;

		if (quoted)
			printf("export %s=%s\n", variables[i], quoted);
		else
			printf("unset %s\n", variables[i]);
	}
}

/* The same as a JSON object; null: to be unset. 0, or -EILSEQ: JSON cannot have such a value. */
static int print_json(char **env)
{
	struct json_writer json;

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *value = g_environ_getenv(env, variables[i]);

		if (value && !g_utf8_validate(value, -1, NULL))
			return -EILSEQ;
	}
	json_writer_init(&json, JSON_LINES, json_to_file, stdout);
	json_open(&json, '{');
	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		json_space(&json, "\n  ");
		json_string(json_name(&json, variables[i]), g_environ_getenv(env, variables[i]));
	}
	json_space(&json, "\n");
	json_close(&json, '}');
	json_end_line(&json);
	json_finish(&json);
	return 0;
}

/* What is asked for, and for whom. */
struct env_job {
	const char *name;	/* for messages */
	gboolean json;
};

static int print(const struct env_job *job, char **env)
{
	if (!job->json)
		print_commands(env);
	else if (print_json(env) < 0)
		return command_error(job->name, COMMAND_REFUSED, "a value is not UTF-8, which JSON "
				     "has to be: leave out --json");
	return command_finish_output(job->name, COMMAND_OK);
}

/* eval does not see an exit status within $(...): the shell must not go on with real devices. */
static int fail(const struct env_job *job, int status)
{
	if (!job->json)
		puts("false");
	fflush(stdout);
	return status;
}

/* Is there a server, and has it such a host? */
static bool check_server(const char *socket, const char *host, GError **error)
{
	char banner[256];
	int fd = exec_attach_open(socket, host ? host : "", "env", banner, sizeof(banner), error);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int print_attached(const struct env_job *job, const char *attach, const char *host)
{
	g_autofree char *path = attach ? g_canonicalize_filename(attach, NULL) :
				attach_client_socket();
	g_autofree char *backend = g_strconcat("attach:", path, NULL);
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) env = NULL;

	if (!path)
		return fail(job, command_usage(job->name, "no server given: name its socket "
					       "(--attach SOCKET); 'umadrig serve' starts one, "
					       "and says how"));
	if (strpbrk(path, ",\n"))
		return fail(job, command_usage(job->name, "--attach %s: a comma or a line feed in "
					       "a path would end it in UMAD_BACKEND", path));
	if (check_server(path, host, &error))
		env = exec_environment(backend, NULL, host, &error);
	if (!env)
		return fail(job, command_error(job->name, error->code, "%s", error->message));
	return print(job, env);
}

static int print_without(const struct env_job *job)
{
	g_autoptr(GError) error = NULL;
	g_auto(GStrv) env = exec_environment_without(&error);

	if (!env)
		return fail(job, command_error(job->name, error->code, "%s", error->message));
	return print(job, env);
}

int cmd_env(int argc, char **argv)
{
	g_autofree char *attach = NULL, *host = NULL;
	struct env_job asked = { .name = argv[0] };
	gboolean unset = false;
	const GOptionEntry entries[] = {
		{ "attach", 'a', 0, G_OPTION_ARG_FILENAME, &attach,
		  "Socket of the 'umadrig serve' (default: that of UMAD_BACKEND)", "SOCKET" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &host, "The node on which programs run",
		  "NODE" },
		{ "json", 0, 0, G_OPTION_ARG_NONE, &asked.json,
		  "Print a JSON object of the variables instead", NULL },
		{ "unset", 'u', 0, G_OPTION_ARG_NONE, &unset, "Undo it", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;

	g_option_context_set_summary(context, "Prints what a shell has to do so that its programs "
				     "use a server's fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return fail(&asked, command_usage(asked.name, "%s", error->message));
	if (argc > 1)
		return fail(&asked, command_usage(asked.name, "unexpected argument '%s': a socket "
						  "follows --attach", argv[1]));
	if (unset && (attach || host))
		return fail(&asked, command_usage(asked.name, "--unset takes no --attach and no "
						  "--host"));
	return unset ? print_without(&asked) : print_attached(&asked, attach, host);
}
