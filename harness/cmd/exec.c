/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig exec: runs an unmodified program on a simulated fabric.
 *
 * 	umadrig exec --fabric cluster.net,state=cold --host node7 -- opensm -o
 */
#include "config.h"

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"
#include "sim/time/duration.h"

#define GRACE_EXPECTED "a time with a unit, such as 500ms (ns us ms s), or 0"

static const char description[] =
	"FABRIC is the output of ibnetdiscover, a net file of ibsim, OpenSM's opensm-subnet.lst,\n"
	"a .topo of ibdm, generate: and a shape ('umadrig topology --help' lists them), or a\n"
	"capture, which then answers as the captured fabric did. The default is two hosts, H1 and\n"
	"H2, on one cable.\n"
	"\n"
	"Options of a fabric, each after a comma:\n"
	"  state=active|cold  start with the LIDs, tables and links of the file (default), or as\n"
	"                     after power-up: no LIDs, empty tables, links in Init\n"
	"  partial=yes        use the fabric even if a tenth or more of it is lost to errors\n"
	"  order=any          take a capture in which time goes backwards; its times count\n"
	"  latency=TIME       how long each packet takes, each way: 1us, 2.5ms (default 0)\n"
	"  seed=N             seed of everything random (default 1)\n"
	"  fault=RULE         what goes wrong on cables: drop:5%, delay:2ms:1/20@S1[3], ...; see\n"
	"                     FAULTS in umadrig-formats(5); may be given more than once\n"
	"  capture=FILE       write every packet to FILE, for Wireshark and 'umadrig show', as\n"
	"                     pcapng; as pcap, without comments, if its name ends in .pcap\n"
	"  report=FILE        at the end, write to FILE which port has which LID, and whether the\n"
	"                     forwarding tables lead from each port to each other port\n"
	"  host=NODE          the same as --host\n"
	"  clock=virtual      let time move only while the program waits for MADs; the fabric is\n"
	"                     in the program itself, and all other processes are refused\n"
	"\n"
	"The command and everything it starts share the fabric. A process that has\n"
	"UMADRIG_HOST=NODE in its environment runs on that node. What still runs when the\n"
	"command has ended gets SIGTERM, and after --grace SIGKILL; the fabric ends last.\n"
	"\n"
	"Exit status: that of the command; 1 if it succeeded and the capture or report is not\n"
	"complete; 124 if it ended and nothing opened the fabric; 125 if it was refused, 126 if\n"
	"it cannot be executed, 127 if it was not found.";

int cmd_exec(int argc, char **argv)
{
	g_autofree char *fabric = NULL, *host = NULL, *attach = NULL, *spec = NULL, *socket = NULL;
	g_autofree char *bridge = NULL;
	g_autofree char *grace = NULL;
	gboolean sysfs = false, detach = false;
	const GOptionEntry entries[] = {
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &fabric, "The fabric and its options",
		  "FABRIC[,OPTION=VALUE...]" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &host, "The node on which the command runs",
		  "NODE" },
		{ "attach", 'a', 0, G_OPTION_ARG_FILENAME, &attach,
		  "Share the fabric of the 'umadrig serve' on this socket",
		  "SOCKET|ssh:HOST:SOCKET" },
		{ "attach-command", 0, 0, G_OPTION_ARG_STRING, &bridge,
		  "The same through COMMAND, which runs 'umadrig bridge' on another machine",
		  "COMMAND" },
		{ "sysfs", 0, 0, G_OPTION_ARG_NONE, &sysfs,
		  "Show the command the simulated devices in /sys/class/infiniband", NULL },
		{ "grace", 0, 0, G_OPTION_ARG_STRING, &grace,
		  "How long what the command leaves running has to end (default 2s)", "TIME" },
		{ "detach", 0, 0, G_OPTION_ARG_NONE, &detach,
		  "Let that run on, and the fabric with it", NULL },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name, .grace_ns = EXEC_GRACE_NS };

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program on a simulated fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (argc > 1)
		return command_usage(name, "unexpected argument '%s': put the command after --, "
				     "as in '%s -- %s'", argv[1], name, argv[1]);
	if (!job.argv)
		return command_usage(name, "no command given: put it after --");
	if (!!attach + !!fabric + !!bridge > 1)
		return command_usage(name, "--fabric, --attach and --attach-command exclude each "
				     "other");
	if (grace && (duration_parse(grace, &job.grace_ns) < 0 || job.grace_ns < 0))
		return command_bad_value(name, "--grace", grace, GRACE_EXPECTED);
	job.host = host;
	job.sysfs = sysfs;
	job.detach = detach;
	if (attach && !bridge)
		bridge = exec_bridge_command(attach, &error);
	if (error)
		return command_error(name, error->code, "%s", error->message);
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
	if (!spec)
		return command_error(name, error->code, "%s", error->message);
	job.spec = spec;
	return exec_run(&job);
}
