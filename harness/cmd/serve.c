/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig serve: runs one simulated fabric for many programs.
 *
 * 	umadrig serve --fabric cluster.net --socket /tmp/fabric &
 * 	umadrig exec --attach /tmp/fabric --host node7 -- opensm
 * 	eval "$(umadrig env --attach /tmp/fabric)"
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/fabric-option.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-faults.h"
#include "harness/kernel/kernel-option.h"
#include "sim/api/umadrig.h"
#include "sim/guests/hca-machine.h"
#include "sim/server/server.h"

static const char description[] =
	"FABRIC and its options are those of umadrig exec, except clock=virtual: programs that\n"
	"come and go live in real time. When the server is ready it prints one line,\n"
	"UMAD_BACKEND=attach:SOCKET, and on standard error the command with which the programs\n"
	"of a shell use its fabric:\n"
	"\n"
	"  eval \"$(umadrig env --attach SOCKET)\"\n"
	"\n"
	"UMAD_BACKEND alone is not enough: it does not choose umadrig's library, and the usual\n"
	"one would use the machine's devices. 'umadrig exec --attach SOCKET' starts one program.\n"
	"\n"
	"--hca is for a machine of a lab, and for root: programs of this machine find the HCAs\n"
	"of these hosts as their own devices, by the driver umadrig_hca; see umadrig-hca(4).\n"
	"\n"
	"Only processes of the same user, of root and of users named by --allow-user are\n"
	"admitted. SIGTERM, SIGINT and SIGHUP end it.\n"
	"\n"
	"Exit status: 0 when a signal has ended it; 1 if its capture is incomplete; 2 if the\n"
	"command line is wrong; 125 if the fabric or the socket cannot be made.";

enum { HCAS_COME_MS = 60000 };		/* a kernel that checks everything is slow */

static struct server *serving;

static void stop(int sig)
{
	(void)sig;
	server_stop(serving);
}

static void set_signals(void)
{
	struct sigaction action = { .sa_handler = stop }, before;

	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	/* The terminal has gone; but nohup(1) has it ignored. */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* Memory that is shared with programs has a size of a file's, too: that is an error. */
	signal(SIGXFSZ, SIG_IGN);
}

static void say_command(const char *socket)
{
	g_autofree char *quoted = g_shell_quote(socket);
	bool plain = strspn(socket, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "/._-+") ==
		     strlen(socket);

	fprintf(stderr, "The programs of a shell use this fabric after:\n"
		"  eval \"$(umadrig env --attach %s)\"\n", plain ? socket : quoted);
}

/* Returns 0 or -errno. */
static int say_ready(const char *socket, int ready_fd)
{
	g_autofree char *line = g_strdup_printf("UMAD_BACKEND=attach:%s\n", socket);

	say_command(socket);
	if (ready_fd < 0)
		return fputs(line, stdout) < 0 || fflush(stdout) < 0 ? -errno : 0;
	if (write(ready_fd, line, strlen(line)) < 0)
		return -errno;
	close(ready_fd);
	return 0;
}

/* The kernel of this machine becomes that of some hosts. COMMAND_OK, or as command_error(). */
static int take_hosts(const char *name, struct server *server, const char *hosts,
		      const char *device)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char message[512];
	int ret = server_take_hosts(server, hosts, device, message, sizeof(message));

	if (ret < 0)
		return command_error(name, COMMAND_REFUSED, "--hca: %s", message);
	ret = server_await_hosts(server, HCAS_COME_MS, text);
	fputs(text->str, stderr);
	if (ret == 0)
		return COMMAND_OK;
	return command_error(name, COMMAND_REFUSED, "--hca: %s: %s", device,
			     ret == -ENODEV ? "not all HCAs have come" :
			     ret == -EPIPE ? "the driver has gone" :
			     ret == -ETIMEDOUT ? "the driver does not make the HCAs; the kernel's "
						 "log (dmesg) may say why" : g_strerror(-ret));
}

static int serve(const char *name, struct server *server, int ready_fd)
{
	int ret;

	serving = server;
	set_signals();
	exec_raise_descriptors();
	ret = say_ready(server_socket(server), ready_fd);
	if (ret < 0)
		return command_error(name, COMMAND_FAILED, "cannot say that the server is "
				     "ready: %s", g_strerror(-ret));
	ret = server_run(server);
	if (ret < 0)
		return command_error(name, COMMAND_FAILED, "%s", g_strerror(-ret));
	return COMMAND_OK;
}

/* Returns COMMAND_OK, or what command_usage() returns. */
static int parse_limits(const char *name, char **texts, struct server_limits *ret_limits)
{
	char message[512];

	server_limits_init(ret_limits);
	for (unsigned int i = 0; texts && texts[i]; i++) {
		if (server_limits_parse(ret_limits, texts[i], message, sizeof(message)) < 0)
			return command_usage(name, "--limit %s", message);
	}
	return COMMAND_OK;
}

/* Returns COMMAND_OK, or what command_usage() returns. */
static int parse_users(const char *name, char **texts, struct server_users *users)
{
	char message[512];

	for (unsigned int i = 0; texts && texts[i]; i++) {
		if (server_users_parse(users, texts[i], message, sizeof(message)) < 0) {
			server_users_clear(users);
			return command_usage(name, "--allow-user %s", message);
		}
	}
	return COMMAND_OK;
}

/* Sets what the server allows. COMMAND_OK, or what command_error() returns. */
static int set_rights(const char *name, struct server *server, const struct server_limits *limits,
		      struct server_users *users)
{
	int ret = server_allow_users(server, users);

	server_users_clear(users);
	server_set_limits(server, limits);
	return ret == 0 ? COMMAND_OK :
			  command_error(name, COMMAND_REFUSED, "--allow-user: %s: %s",
					server_socket(server), g_strerror(-ret));
}

/* Ends the server and its capture. Returns umadrig's exit status, which so far is 'verdict'. */
static int end(const char *name, struct server *server, const char *capture, int verdict)
{
	if (capture && umadrig_capture_stop(server_fabric(server)) < 0)
		verdict = command_error(name, COMMAND_FAILED, "the capture %s is incomplete",
					capture);
	if (server_sm_missed(server, "") == SM_MISSED_BY_REQUEST)
		exec_say_sm_missed(name, SM_MISSED_BY_REQUEST);
	if (server_free(server) < 0 && verdict == COMMAND_OK)
		verdict = COMMAND_FAILED;
	return kernel_faults_status(name, verdict);
}

/* To the file 'path'; NULL: none is wanted. False, with a message: it cannot be written. */
static bool start_capture(struct server *server, const char *path, char *reterr,
			  size_t reterr_size)
{
	return !path || umadrig_capture_start(server_fabric(server), path, NULL, reterr,
					      reterr_size) == 0;
}

/* A descriptor, or -1: 'text' is NULL. COMMAND_OK, or what command_usage() returns. */
static int parse_ready_fd(const char *name, const char *text, int *ret_fd)
{
	uint64_t number = 0;

	if (!option_number(name, "--ready-fd", text, 0, INT_MAX, "the number of a descriptor",
			   &number))
		return COMMAND_USAGE;
	*ret_fd = text ? (int)number : -1;
	if (*ret_fd >= 0 && fcntl(*ret_fd, F_GETFD) < 0)
		return command_usage(name, "--ready-fd %d: %s", *ret_fd, g_strerror(errno));
	return COMMAND_OK;
}

/* What is said together, or not at all. COMMAND_OK, or what command_usage() returns. */
static int check_pairs(const char *name, const char *socket, char **allowed, const char *hosts,
		       const char *device)
{
	if (device && !hosts)
		return command_usage(name, "--hca-device: name the hosts of this machine with "
				     "--hca HOST[,...]");
	if (allowed && !socket)
		return command_usage(name, "--allow-user: name a --socket that these users reach; "
				     "the default one is in a directory of yours alone");
	return COMMAND_OK;
}

int cmd_serve(int argc, char **argv)
{
	g_autofree char *fabric = NULL, *socket = NULL, *capture = NULL, *spec = NULL;
	g_autofree char *ready = NULL, *kernel = NULL, *words = NULL, *hosts = NULL, *device = NULL;
	g_auto(GStrv) limits = NULL, allowed = NULL;
	struct server_users users = { NULL };
	struct server_limits limit;
	int ready_fd = -1, verdict;
	const GOptionEntry entries[] = {
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &fabric, "The fabric and its options",
		  "FABRIC[,OPTION=VALUE...]" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &kernel,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "hca", 0, 0, G_OPTION_ARG_STRING, &hosts,
		  "This machine's kernel has their HCAs, by its driver umadrig_hca",
		  "HOST[,...]" },
		{ "hca-device", 0, 0, G_OPTION_ARG_FILENAME, &device,
		  "The driver's device (default: " HCA_MACHINE_DEVICE ")", "PATH" },
		{ "socket", 's', 0, G_OPTION_ARG_FILENAME, &socket,
		  "Where to listen (default: in a new directory)", "PATH" },
		{ "capture", 'c', 0, G_OPTION_ARG_FILENAME, &capture, "Write every packet to FILE",
		  "FILE" },
		{ "limit", 'l', 0, G_OPTION_ARG_STRING_ARRAY, &limits,
		  "How much one process may have", "NAME=NUMBER[,...]" },
		{ "allow-user", 0, 0, G_OPTION_ARG_STRING_ARRAY, &allowed,
		  "Admit processes of these users, too", "USER[,...]" },
		{ "ready-fd", 0, 0, G_OPTION_ARG_STRING, &ready,
		  "Write the line to this descriptor and close it", "N" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	struct server *server;
	char message[512] = "";

	g_option_context_set_summary(context, "Serves a simulated fabric to many programs.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return fabric_option_usage(argv[0], error->message);
	if (argc > 1)
		return command_unexpected(argv[0], argv + 1, fabric, NULL,
					  "'umadrig exec --attach' starts programs");
	verdict = check_pairs(argv[0], socket, allowed, hosts, device);
	if (verdict == COMMAND_OK)
		verdict = parse_limits(argv[0], limits, &limit);
	if (verdict == COMMAND_OK)
		verdict = parse_ready_fd(argv[0], ready, &ready_fd);
	if (verdict == COMMAND_OK)
		verdict = parse_users(argv[0], allowed, &users);
	if (verdict != COMMAND_OK)
		return verdict;
	words = kernel_option_fabric(argv[0], fabric, kernel, &error);
	spec = words ? exec_spec(words, NULL, &error) : NULL;
	if (!spec)
		return command_error(argv[0], error->code, "%s", error->message);
	if (!exec_descriptors_suffice(&error))
		return command_error(argv[0], error->code, "%s", error->message);
	server = server_new(spec, socket, message, sizeof(message));
	if (!server || !start_capture(server, capture, message, sizeof(message))) {
		server_free(server);
		return command_error(argv[0], COMMAND_REFUSED, "%s", message);
	}
	verdict = set_rights(argv[0], server, &limit, &users);
	if (verdict == COMMAND_OK && hosts)
		verdict = take_hosts(argv[0], server, hosts, device ? device : HCA_MACHINE_DEVICE);
	if (verdict == COMMAND_OK)
		verdict = serve(argv[0], server, ready_fd);
	return end(argv[0], server, capture, verdict);
}
