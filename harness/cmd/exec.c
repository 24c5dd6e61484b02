/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig exec: a program, unmodified, on a simulated fabric.
 *
 *	umadrig exec --fabric cluster.net,state=cold --host node7 -- opensm -o
 */
#include "config.h"

#include <stdio.h>

#include "harness/cmd/command.h"
#include "harness/exec/exec.h"

static const char description[] =
	"FABRIC is the output of ibnetdiscover, a net file of ibsim, OpenSM's opensm-subnet.lst,\n"
	"a .topo of ibdm, generate: and a shape (umadrig topology --help lists them), or a\n"
	"capture, which then answers as the captured fabric did. Without --fabric: two hosts, H1\n"
	"and H2, on one cable.\n"
	"\n"
	"Options of a fabric, each after a comma:\n"
	"  state=active|cold  LIDs, tables and links as the file has them (active, what is usual), or\n"
	"                     as after power-up: no LIDs, empty tables, links in Init\n"
	"  latency=TIME       each way, each packet: 1us, 2.5ms; usually 0\n"
	"  seed=N             of everything random; usually 1\n"
	"  fault=RULE         what goes wrong on cables: drop:5%, delay:2ms:1/20@S1[3], ...; see\n"
	"                     umadrig(1), FAULTS; may be given more than once\n"
	"  capture=FILE       write every packet to FILE, for Wireshark and umadrig show\n"
	"  report=FILE        at the end, write who has which LID, and whether forwarding tables lead from\n"
	"                     each port to each other, to FILE\n"
	"  host=NODE          as --host\n"
	"  clock=virtual      time moves only while the program waits for MADs; the fabric is in the\n"
	"                     program itself, and every other process is refused\n"
	"\n"
	"All that the command starts shares the fabric, which ends with it. A process that has\n"
	"UMADRIG_HOST=NODE in its environment runs on that node.\n"
	"\n"
	"Exit status: the command's; 124 when it ended and nothing opened the fabric; 125 when it\n"
	"was refused; 126 when it cannot be run, 127 when it is not there.";

int cmd_exec(int argc, char **argv)
{
	g_autofree char *fabric = NULL, *host = NULL, *attach = NULL, *spec = NULL, *socket = NULL;
	g_autofree char *bridge = NULL;
	gboolean sysfs = FALSE;
	const GOptionEntry entries[] = {
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &fabric, "the fabric, and options of it",
		  "FABRIC[,OPTION=VALUE...]" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &host, "the node on which the command runs", "NODE" },
		{ "attach", 'a', 0, G_OPTION_ARG_FILENAME, &attach,
		  "share the fabric of the 'umadrig serve' on this socket",
		  "SOCKET|ssh:HOST:SOCKET" },
		{ "attach-command", 0, 0, G_OPTION_ARG_STRING, &bridge,
		  "the same over what COMMAND carries: it runs 'umadrig bridge' there", "COMMAND" },
		{ "sysfs", 0, 0, G_OPTION_ARG_NONE, &sysfs,
		  "/sys/class/infiniband shows the simulated devices, to the command alone", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name };

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program on a simulated fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (argc > 1)
		return command_usage(name, "'%s': the command stands behind --, as in %s -- %s", argv[1],
				     name, argv[1]);
	if (!job.argv)
		return command_usage(name, "which command? It stands behind --");

	if (!!attach + !!fabric + !!bridge > 1)
		return command_usage(name, "--fabric makes a fabric, --attach and --attach-command "
				     "take one that is there: one of them");
	job.host = host;
	job.sysfs = sysfs;
	if (attach && !bridge)
		bridge = exec_bridge_command(attach, &error);
	if (error) {
		fprintf(stderr, "%s: %s\n", name, error->message);
		return error->code;
	}
	if (bridge) {
		job.bridge = bridge;
		return exec_run(&job);
	}
	if (attach) {
		socket = g_canonicalize_filename(attach, NULL);
		job.attach = socket;
		return exec_run(&job);
	}
	spec = exec_spec(fabric ? fabric : "", host, &error);
	if (!spec) {
		fprintf(stderr, "%s: %s\n", name, error->message);
		return error->code;
	}
	job.spec = spec;
	return exec_run(&job);
}
