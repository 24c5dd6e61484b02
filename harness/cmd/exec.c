/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig exec: runs an unmodified program on a simulated fabric.
 *
 * 	umadrig exec --fabric cluster.net,state=cold --host node7 -- opensm -o
 */
#include "config.h"

#include <string.h>

#include "harness/base/command.h"
#include "harness/base/option-value.h"
#include "harness/base/plan-file.h"
#include "harness/base/session-lines.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/fabric-option.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-option.h"


static const char description[] =
	"FABRIC is the output of ibnetdiscover, a net file of ibsim, OpenSM's opensm-subnet.lst,\n"
	"a .topo of ibdm, a profile of mock-ib, generate: and a shape ('umadrig topology --help'\n"
	"lists them), or a capture, which then answers as the captured fabric did. The default is\n"
	"two hosts, H1 and H2, on one cable.\n"
	"\n"
	"Options of a fabric, each after a comma:\n"
	"  state=active|cold  start with the LIDs, tables and links of the file (default), or as\n"
	"                     after power-up: no LIDs, empty tables, links in Init\n"
	"  partial=yes        use the fabric even if a tenth or more of it is lost to errors\n"
	"  order=any          take a capture in which time goes backwards; its times count\n"
	"  latency=TIME       how long each packet takes, each way: 1us, 2.5ms (default 0)\n"
	"  seed=N             seed of everything random (default 1)\n"
	"  fault=RULE         what goes wrong on cables: drop 5%, delay 1 by 2ms, ...; see\n"
	"                     FAULTS in umadrig-formats(5); may be given more than once\n"
	"  capture=FILE       write every packet to FILE, for Wireshark and 'umadrig show', as\n"
	"                     pcapng; as pcap, without comments, if its name ends in .pcap\n"
	"  report=FILE        at the end, write to FILE which port has which LID, and whether the\n"
	"                     forwarding tables lead from each port to each other port\n"
	"  host=NODE          the same as --host\n"
	"  kernel=6.12        hosts run Linux's own MAD layer, as 'umadrig kernel build' has made\n"
	"                     it; kernel=HOST:6.12: that host does\n"
	"  device=mlx5_0      devices that the file does not name are mlx5_0, mlx5_1, ... of each\n"
	"                     host (default: sim0, sim1, ...)\n"
	"  clock=virtual      the command and all that it starts live in virtual time, which\n"
	"                     moves when none of them can run: sleeping costs nothing\n"
	"  schedule=N         with clock=virtual: another order of programs for each N\n"
	"  audit=yes|fail     with clock=virtual: name calls that bypass virtual time;\n"
	"                     'fail': and fail if there are any\n"
	"  how=filter         with clock=virtual: the same as --how filter\n"
	"\n"
	"The command and everything it starts share the fabric. A process that has\n"
	"UMADRIG_HOST=NODE in its environment runs on that node. What still runs when the\n"
	"command has ended gets SIGTERM, and after --grace SIGKILL; the fabric ends last. It has\n"
	"no subnet manager unless the command or --with-sm starts one.\n"
	"\n"
	"Exit status: that of the command; 1 if it succeeded and the capture or report is not\n"
	"complete, or a property (always, never, finally) has not held; 124 if it ended and\n"
	"nothing opened the fabric; 125 if it was refused, 126 if it cannot be executed, 127 if\n"
	"it was not found.";

/* What the command line asks for, beside the command. */
struct asked {
	char *fabric, *kernel, *host, *attach, *bridge, *grace, *how, *with_sm, *scripted;
	char **plans;
	struct session_lines lines;
	struct plan_file plan;
	GPtrArray *words;	/* of the command line, with those of plans; not owned */
	gboolean sysfs, detach;
};

/* What a plan for umadrig explore may have, too; the other options of both mean the same. */
static const char *const of_explore[] = {
	"runs", "jobs", "seed", "output", "keep-going", "html", "junit", "json", "timeout",
	"limit", "has", "lacks", "expect", "each", "all-faults", "twice", "find-leaks",
	"no-shrink", "no-vary", "corpus", "budget", "shard", NULL
};

static void asked_clear(struct asked *asked)
{
	g_free(asked->fabric);
	g_free(asked->kernel);
	g_free(asked->host);
	g_free(asked->attach);
	g_free(asked->bridge);
	g_free(asked->grace);
	g_free(asked->how);
	g_free(asked->with_sm);
	g_free(asked->scripted);
	g_strfreev(asked->plans);
	session_lines_clear(&asked->lines);
	plan_file_clear(&asked->plan);
	g_clear_pointer(&asked->words, g_ptr_array_unref);
}

/* --with-sm alone gets an empty value: GOption would take the next word for it. */
static void complete(char **argv)
{
	static char any_sm[] = "--with-sm=";

	for (; *argv; argv++) {
		if (strcmp(*argv, "--with-sm") == 0)
			*argv = any_sm;
	}
}

static bool parse_entries(const GOptionEntry *entries, int *argc, char ***argv, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");

	complete(*argv);
	g_option_context_set_summary(context, "Runs a program on a simulated fabric.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return command_parse(context, argc, argv, error);
}

static void add_own(GArray *all, struct asked *asked)
{
	const GOptionEntry entries[] = {
		{ "plan", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &asked->plans,
		  "Read options and the command from FILE; may be given again", "FILE" },
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &asked->fabric,
		  "The fabric and its options", "FABRIC[,OPTION=VALUE...]" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &asked->kernel,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &asked->host,
		  "The node on which the command runs", "NODE" },
		{ "attach", 'a', 0, G_OPTION_ARG_FILENAME, &asked->attach,
		  "Share the fabric of the 'umadrig serve' on this socket",
		  "SOCKET|ssh:HOST:SOCKET" },
		{ "attach-command", 0, 0, G_OPTION_ARG_STRING, &asked->bridge,
		  "The same through COMMAND, which runs 'umadrig bridge' on another machine",
		  "COMMAND" },
		{ "sysfs", 0, 0, G_OPTION_ARG_NONE, &asked->sysfs,
		  "Show the command the simulated devices in /sys/class/infiniband", NULL },
		{ "with-sm", 0, 0, G_OPTION_ARG_STRING, &asked->with_sm,
		  "Start opensm first, on NODE (default: on another host than the command's)",
		  "[NODE]" },
		{ "how", 0, 0, G_OPTION_ARG_STRING, &asked->how,
		  "How programs reach the fabric (default both)",
		  "preload|filter|both" },
		{ "grace", 0, 0, G_OPTION_ARG_STRING, &asked->grace,
		  "How long what the command leaves running has to end (default 2s)", "TIME" },
		{ "detach", 0, 0, G_OPTION_ARG_NONE, &asked->detach,
		  "Let that run on, and the fabric with it", NULL },
		{ EXEC_SCRIPTED, 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &asked->scripted,
		  "For umadrig run", "SESSION" },
	};

	g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

/* 'plan': what the plans say that are named; or NULL: they are not read. */
static bool parse_once(struct asked *asked, struct plan_file *plan, int *argc, char ***argv,
		       GError **error)
{
	g_autoptr(GArray) all = g_array_new(true, false, sizeof(GOptionEntry));
	const GOptionEntry *entries;

	add_own(all, asked);
	session_lines_add_options(all, &asked->lines,
				  "Note whether this is true at some time, for 'property list'");
	entries = (const GOptionEntry *)all->data;
	return parse_entries(entries, argc, argv, error) &&
	       (!plan || plan_file_read(plan, asked->plans, entries, error));
}

/* What the command line says comes behind what plans say: it adds to that, or replaces it. */
static bool parse(struct asked *asked, int *argc, char ***argv, GError **error)
{
	GPtrArray *words = plan_file_words(*argc, *argv);
	struct plan_file plan;
	bool is_good;

	plan_file_begin(&plan);
	plan.foreign = of_explore;
	plan.foreign_command = "umadrig explore";
	is_good = parse_once(asked, &plan, argc, argv, error);
	asked_clear(asked);
	*asked = (struct asked){ .plan = plan, .words = words };
	if (!is_good)
		return false;
	plan_file_put(&plan, words, argc, argv);
	return parse_once(asked, NULL, argc, argv, error);
}

/* COMMAND_OK: the command line is a sensible one. */
static int check(const struct asked *asked, struct exec_job *job, int argc, char **argv)
{
	g_autofree char *advice = NULL;
	g_auto(GStrv) lines = session_lines_all(&asked->lines);

	if (argc > 1) {
		advice = g_strdup_printf("put the command after --, as in '%s -- %s'", job->name,
					 argv[1]);
		return command_unexpected(job->name, argv + 1, asked->fabric, job->argv, advice);
	}
	if (!job->argv)
		job->argv = asked->plan.command;
	if (!job->argv)
		return command_usage(job->name, "no command given: put it after --, or in a plan, "
				     "after 'command'");
	if (!!asked->attach + !!asked->fabric + !!asked->bridge > 1)
		return command_usage(job->name, "--fabric, --attach and --attach-command exclude "
				     "each other");
	if (asked->kernel && (asked->attach || asked->bridge))
		return command_usage(job->name, "--kernel is for a fabric of its own: hosts of a "
				     "server have what it was started with");
	if (lines && (asked->attach || asked->bridge))
		return command_usage(job->name, "--do, and what must hold, are for a fabric of its "
				     "own: tell a server by 'umadrig ctl'");
	if (!option_time(job->name, "--grace", asked->grace, OPTION_TIME_EXPECTED,
			 &job->grace_ns))
		return COMMAND_USAGE;
	if (asked->how && !exec_how_parse(asked->how, &job->how))
		return command_bad_value(job->name, "--how", asked->how,
					 "preload, filter or both");
	return COMMAND_OK;
}

static int run(struct asked *asked, struct exec_job *job)
{
	g_autofree char *fabric = NULL, *spec = NULL, *socket = NULL;
	g_auto(GStrv) lines = session_lines_all(&asked->lines);
	g_autoptr(GError) error = NULL;

	job->host = asked->host;
	job->sysfs = asked->sysfs;
	job->detach = asked->detach || asked->scripted;
	job->scripted = asked->scripted;
	job->has_how = asked->how;
	job->with_sm = asked->with_sm;
	job->lines = lines;
	if (asked->attach)
		asked->bridge = exec_bridge_command(asked->attach, &error);
	if (error)
		return command_error(job->name, error->code, "%s", error->message);
	if (asked->bridge) {
		job->bridge = asked->bridge;
		return exec_run(job);
	}
	if (asked->attach) {
		socket = g_canonicalize_filename(asked->attach, NULL);
		job->attach = socket;
		return exec_run(job);
	}
	fabric = kernel_option_fabric(job->name, asked->fabric, asked->kernel, &error);
	spec = fabric ? exec_spec(fabric, asked->host, &error) : NULL;
	if (!spec)
		return command_error(job->name, error->code, "%s", error->message);
	job->spec = spec;
	return exec_run(job);
}

int cmd_exec(int argc, char **argv)
{
	g_autofree char *name = g_strdup(argv[0]);
	g_autoptr(GError) error = NULL;
	struct exec_job job = { .name = name, .how = EXEC_BOTH, .grace_ns = EXEC_GRACE_NS };
	struct asked asked = { .fabric = NULL };
	int status;

	job.argv = command_split(&argc, argv);
	status = parse(&asked, &argc, &argv, &error) ? check(&asked, &job, argc, argv) :
		 fabric_option_usage(name, error->message);
	if (status == COMMAND_OK)
		status = run(&asked, &job);
	asked_clear(&asked);
	return status;
}
