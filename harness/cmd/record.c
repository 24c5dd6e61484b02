/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig record: a program on a simulated fabric, and all that there is to know of its run.
 *
 *	umadrig record --scrub -o report --fabric cluster.net -- ./my-tests
 */
#include "config.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/cmd/fabric-option.h"
#include "harness/cmd/record-scenario.h"
#include "harness/exec/exec.h"
#include "harness/kernel/kernel-option.h"
#include "harness/record/attached.h"
#include "harness/record/bundle.h"
#include "harness/record/tapped.h"
#include "lib/words/size.h"
#include "sim/capture/capture.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"
#include "sim/run/spec.h"
#include "sim/scrub/scrub.h"
#include "sim/topology/load.h"

enum { MESSAGE_SIZE = 512 };

static const char description[] =
	"BUNDLE is a new directory, or an archive if its name ends in .tar.zst, for nobody else\n"
	"to read: capture.pcapng has every packet of the fabric, topology.net the fabric as\n"
	"ibnetdiscover would have printed it at the start (where FABRIC is a file or generated),\n"
	"environment.txt versions, the system, the command and the variables UMAD_* and OSM_*.\n"
	"'umadrig replay BUNDLE' takes it.\n"
	"\n"
	"FILE.mad is a scenario that does what the program did, without the program: it sends\n"
	"the MADs that left its port, and expects them and what came back. It is run once, so\n"
	"that it passes with 'umadrig run'. A fabric that is a file is copied beside it.\n"
	"\n"
	"With --scrub, GUIDs, GIDs, names and keys are replaced in all three, each by one alias\n"
	"('umadrig scrub --help' lists what is replaced); nothing else is left on disk.\n"
	"\n"
	"With --attach the program joins the fabric of a running 'umadrig serve'. The server\n"
	"writes the capture as long as the program runs: every packet of the fabric, those of\n"
	"other programs, too. topology.net is the fabric as it is at the start.\n"
	"\n"
	"With --backend ib_umad the program runs on the devices of this machine. capture.pcap\n"
	"then has the MADs that it and the programs below it sent and received through\n"
	"libibumad, each as the packet that it was; environment.txt lists devices and ports.\n"
	"\n"
	"FABRIC and its options: see 'umadrig exec --help'.\n"
	"\n"
	"Exit status: as for umadrig exec, but 128 and its number for a signal; 1 if the program\n"
	"succeeded and the bundle did not.";

struct record {
	const char *name;
	struct bundle *bundle;
	bool real;		/* on this machine's devices, and not simulated */
	int server;		/* to which the program is attached; -1: none */
	bool scrub;
	const char *key;
	bool never_started;	/* the program; why was said */
};

static volatile sig_atomic_t runner;

static void pass_on(int sig)
{
	if (runner > 0)
		kill((pid_t)runner, sig);
}

/* Becomes the program, on real devices with our library as the tap. An exit status. */
static int become_program(const struct record *record, const struct exec_job *job)
{
	g_autofree char *capture = bundle_file(record->bundle, record->bundle->capture);
	g_autoptr(GError) error = NULL;
	struct exec_means means = {
		.preload = true, .lack = (char *)"what real devices get is recorded by libibumad",
	};
	g_autofree char *path = exec_guard_find(job->argv, &means, &error);
	char **env = path ? exec_environment("ib_umad", NULL, NULL, &error) : NULL;
	int ret;

	if (!env)
		return command_error(job->name, error->code, "%s", error->message);
	env = g_environ_setenv(env, "UMAD_TAP", capture, true);
	ret = spawn_become(path, job->argv, env);
	return command_error(job->name, ret == -ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN,
			     "%s: %s", path, g_strerror(-ret));
}

/* In the process that runs the program, or becomes it. An exit status. */
static int run_here(const struct record *record, const struct exec_job *job, bool *never_started)
{
	struct exec_job told = *job;
	int verdict;

	told.ret_never_started = never_started;
	verdict = record->real ? become_program(record, job) : exec_run(&told);
	if (record->real)
		*never_started = true;
	fflush(NULL);
	return verdict;
}

/* Follows the process that runs the program. An exit status. */
static int await(pid_t pid)
{
	static const int passed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, pass = { .sa_handler = pass_on };
	int status;

	runner = pid;
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	/* A bundle beyond the limit of files' sizes is an error, with a message. */
	sigaction(SIGXFSZ, &ignore, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++)
		sigaction(passed_on[i], &pass, NULL);
	status = reap(pid);
	status = MAX(status, 0);
	runner = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the program in a process of its own: one that a signal ends takes exec_run()'s with it. */
static int run(struct record *record, const struct exec_job *job)
{
	bool *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = shared == MAP_FAILED ? -errno : spawn_fork(NULL);
	int verdict;

	record->never_started = true;
	if (pid < 0)
		return command_error(job->name, COMMAND_REFUSED, "cannot fork: %s",
				     g_strerror(-pid));
	if (pid == 0)
		_exit(run_here(record, job, shared));
	verdict = await(pid);
	record->never_started = *shared;
	munmap(shared, sizeof(*shared));
	return verdict;
}

/* The file of a fabric's words; "" where it is the default fabric or a capture. */
static struct topology *topology_of(const char *spec)
{
	struct topology *topology = NULL;
	char message[MESSAGE_SIZE];
	struct spec parsed;

	if (spec_parse(spec, NULL, &parsed, message, sizeof(message)) < 0)
		return NULL;
	/* What is odd about it is told when the fabric is made of it. */
	if (*parsed.file && !capture_is_capture(parsed.file))
		topology = topology_load(parsed.file, NULL);
	spec_clear(&parsed);
	return topology;
}

static void also(void *ctx, const struct value_book *values)
{
	struct record *record = ctx;

	bundle_scrub(record->bundle, values);
}

/* The capture is written anew and takes the place of the one that was recorded. */
static int scrub(struct record *record)
{
	g_autofree char *capture = bundle_file(record->bundle, record->bundle->capture);
	g_autofree char *recorded = g_strconcat(capture, ".recorded", NULL);
	struct scrub_options options = { .key = record->key, .also = also, .also_ctx = record };
	struct scrub_report report;
	char message[MESSAGE_SIZE];
	int err = rename(capture, recorded) < 0 ? -errno : 0;

	if (err) {
		g_snprintf(message, sizeof(message), "%s: %s", capture, g_strerror(-err));
	} else {
		err = scrub_file(recorded, capture, &options, &report, message, sizeof(message));
		unlink(recorded);
	}
	return err ? command_error(record->name, COMMAND_FAILED, "%s", message) : COMMAND_OK;
}

/* What the program's MADs are short of is said; the rest is a good capture. */
static int finish_tapped(const struct record *record)
{
	g_autofree char *capture = bundle_file(record->bundle, record->bundle->capture);
	g_autoptr(GError) error = NULL;
	struct tapped_report report;

	if (!tapped_finish(capture, &report, &error))
		return command_error(record->name, error->code, "%s", error->message);
	if (report.set_back_ns)
		command_error(record->name, COMMAND_OK, "%s: the clock was set back by %"
			      G_GINT64_FORMAT " s during the run: the MADs are in the order in "
			      "which they were written", record->bundle->capture,
			      report.set_back_ns / 1000000000);
	if (!report.has_ended && !report.cut)
		return COMMAND_OK;
	return command_error(record->name, COMMAND_FAILED, "%s is not whole: a program could not "
			     "write all of its MADs, and said why; %zu MADs are there, %zu pieces "
			     "of others were taken out", record->bundle->capture, report.records,
			     report.cut);
}

/* The capture is ended where this process has to do it. */
static int finish_capture(const struct record *record)
{
	g_autoptr(GError) error = NULL;

	if (record->real)
		return finish_tapped(record);
	if (record->server >= 0 && !attached_end(record->server, &error))
		return command_error(record->name, COMMAND_FAILED, "%s", error->message);
	return COMMAND_OK;
}

/* Runs the program, and makes of what there is then a bundle. */
static int record_run(struct record *record, const struct exec_job *job)
{
	g_autoptr(GError) error = NULL;
	int verdict = run(record, job), whole = finish_capture(record), made;
	const char *called;

	/* Its name is free for the next attempt, which has the right word. */
	if (record->never_started) {
		bundle_remove(record->bundle);
		return verdict;
	}
	made = record->scrub ? scrub(record) : COMMAND_OK;
	if (made == COMMAND_OK && !bundle_write(record->bundle, &error))
		made = command_error(record->name, error->code, "%s", error->message);
	called = made == COMMAND_OK ? bundle_finish(record->bundle, &error) : NULL;
	if (made == COMMAND_OK && !called)
		made = command_error(record->name, error->code, "%s", error->message);
	if (called)
		fprintf(stderr, "%s: %s: %s, %s%s" BUNDLE_ENVIRONMENT "\n", record->name,
			called, record->bundle->capture,
			record->bundle->topology ? BUNDLE_TOPOLOGY ", " : "",
			record->scrub ? "all scrubbed; " : "");
	return verdict ? verdict : made ? made : whole;
}

static int record(struct record *record, const char *path, const char *fabric, const char *host,
		  struct exec_job *job)
{
	g_autofree char *spec = NULL, *absolute = g_canonicalize_filename(path, NULL);
	g_autofree char *words = NULL;
	g_autoptr(GError) error = NULL;
	int verdict;

	if (strchr(absolute, ','))
		return command_usage(record->name, "a comma in the name of %s would end it where "
				     "options of fabrics are read", absolute);
	spec = exec_spec(fabric, host, &error);
	record->bundle = spec ? bundle_new(path, BUNDLE_CAPTURE, &error) : NULL;
	if (!record->bundle)
		return command_error(record->name, error->code, "%s", error->message);
	bundle_describe(record->bundle, fabric, job->argv, false);
	record->bundle->topology = topology_of(spec);
	words = g_strdup_printf("%s,capture=%s/%s", spec, record->bundle->path,
				record->bundle->capture);
	job->spec = words;
	verdict = record_run(record, job);
	bundle_free(record->bundle);
	return verdict;
}

static int record_attached(struct record *record, const char *path, struct exec_job *job)
{
	g_autofree char *fabric = g_strdup_printf("that of the server %s", job->attach);
	g_autoptr(GError) error = NULL;
	int verdict;

	record->bundle = bundle_new(path, BUNDLE_CAPTURE, &error);
	if (!record->bundle)
		return command_error(record->name, error->code, "%s", error->message);
	bundle_describe(record->bundle, fabric, job->argv, false);
	record->server = attached_begin(record->bundle, job->attach, &error);
	if (record->server < 0) {
		verdict = command_error(record->name, error->code, "%s", error->message);
		bundle_remove(record->bundle);
	} else {
		verdict = record_run(record, job);
	}
	bundle_free(record->bundle);
	return verdict;
}

static int record_real(struct record *record, const char *path, struct exec_job *job)
{
	g_autoptr(GError) error = NULL;
	int verdict;

	record->real = true;
	record->bundle = bundle_new(path, BUNDLE_TAPPED, &error);
	if (!record->bundle)
		return command_error(record->name, error->code, "%s", error->message);
	bundle_describe(record->bundle, "", job->argv, true);
	verdict = record_run(record, job);
	bundle_free(record->bundle);
	return verdict;
}

/* What the command line asks for, beside the command. */
struct asked {
	char *bundle, *fabric, *kernel, *attach, *host, *backend, *from, *how, *max_size;
	char **ports;
	gboolean sysfs, scrub;
};

/* COMMAND_OK: it is a sensible one. */
static int check(const struct record *record, const struct exec_job *job, const struct asked *asked)
{
	if (!asked->bundle)
		return command_usage(record->name, "no bundle given: name a new directory with -o");
	if (asked->from || asked->ports || asked->max_size)
		return command_usage(record->name, "--from, --max-size and --port go with a "
				     "scenario: -o FILE.mad");
	if (!job->argv)
		return command_usage(record->name, "no command given: put it after --");
	if (record->key && !record->scrub)
		return command_usage(record->name, "--key goes with --scrub");
	if (asked->backend && strcmp(asked->backend, "ib_umad") != 0)
		return command_usage(record->name, "no such backend '%s': there is ib_umad; "
				     "without --backend the fabric is simulated",
				     asked->backend);
	if (asked->backend && (asked->fabric || asked->kernel || asked->attach || asked->host ||
			       asked->sysfs || asked->how))
		return command_usage(record->name, "--backend ib_umad excludes --fabric, --kernel, "
				     "--attach, --host, --sysfs and --how, which are of simulated "
				     "fabrics");
	if (asked->attach && (asked->fabric || asked->kernel))
		return command_usage(record->name, "--attach excludes --fabric and --kernel, which "
				     "are of a fabric of its own");
	if (asked->attach && g_str_has_prefix(asked->attach, "ssh:"))
		return command_usage(record->name, "the server writes the capture, on its own "
				     "machine: run '%s --attach SOCKET' there", record->name);
	return COMMAND_OK;
}

/* Runs what was asked for. An exit status. */
static int record_asked(struct record *this, const struct asked *asked, struct exec_job *job)
{
	g_autofree char *fabric = NULL, *socket = NULL;
	g_autoptr(GError) error = NULL;

	if (asked->backend)
		return record_real(this, asked->bundle, job);
	if (!asked->attach) {
		fabric = kernel_option_fabric(this->name, asked->fabric, asked->kernel, &error);
		return fabric ? record(this, asked->bundle, fabric, asked->host, job) :
		       command_error(this->name, error->code, "%s", error->message);
	}
	socket = g_canonicalize_filename(asked->attach, NULL);
	job->attach = socket;
	return record_attached(this, asked->bundle, job);
}

static void asked_clear(struct asked *asked)
{
	g_free(asked->bundle);
	g_free(asked->fabric);
	g_free(asked->kernel);
	g_free(asked->attach);
	g_free(asked->host);
	g_free(asked->backend);
	g_free(asked->from);
	g_free(asked->how);
	g_free(asked->max_size);
	g_strfreev(asked->ports);
}

/* ---- scenarios ---- */

static int run_job(void *ctx, const struct exec_job *job)
{
	return run(ctx, job);
}

/* -o with a name in .mad: an exit status. */
static int scenario(struct record *this, const struct asked *asked, const struct exec_job *job)
{
	struct record_scenario record = {
		.name = this->name, .path = asked->bundle, .ports = asked->ports,
		.from = asked->from, .job = job, .run = run_job, .ctx = this,
	};
	g_autoptr(GError) error = NULL;
	g_autofree char *spec = NULL;

	if (asked->attach || asked->backend || this->scrub)
		return command_usage(this->name, "a scenario is of a fabric of its own: --attach, "
				     "--backend and --scrub go with bundles");
	if (asked->kernel)
		return command_usage(this->name, "a scenario is of no kernel: record it without "
				     "--kernel; 'umadrig run' has the same option");
	if (!!job->argv == !!asked->from)
		return command_usage(this->name, "a scenario is recorded of a command, after --, "
				     "or of a capture, after --from");
	if (asked->max_size && size_parse(asked->max_size, &record.size_max) < 0)
		return command_bad_value(this->name, "--max-size", asked->max_size, SIZE_WANTED);
	spec = exec_spec(asked->fabric ? asked->fabric : "", asked->host, &error);
	if (!spec)
		return command_error(this->name, error->code, "%s", error->message);
	record.spec = spec;
	return record_scenario(&record);
}

int cmd_record(int argc, char **argv)
{
	struct asked asked = { .bundle = NULL };
	g_autofree char *key = NULL;
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &asked.bundle,
		  "The directory, archive or scenario to make", "BUNDLE|FILE.mad" },
		{ "from", 0, 0, G_OPTION_ARG_FILENAME, &asked.from,
		  "Make the scenario of this capture or bundle, and run no command", "CAPTURE" },
		{ "max-size", 0, 0, G_OPTION_ARG_STRING, &asked.max_size,
		  "With --from: take a compressed capture that unpacks to at most SIZE bytes "
		  "(default: 256M)", "SIZE" },
		{ "port", 0, 0, G_OPTION_ARG_STRING_ARRAY, &asked.ports,
		  "Make the scenario of this port's MADs (default: of the one that asks most); "
		  "B=: and this one answers", "[A=]PORT" },
		{ "scrub", 's', 0, G_OPTION_ARG_NONE, &asked.scrub,
		  "Take the names of the site out of it", NULL },
		{ "key", 'k', 0, G_OPTION_ARG_STRING, &key, "As for umadrig scrub", "SECRET" },
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &asked.fabric,
		  "The fabric and its options", "FABRIC[,OPTION=VALUE...]" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &asked.kernel,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "attach", 'a', 0, G_OPTION_ARG_FILENAME, &asked.attach,
		  "Share the fabric of the 'umadrig serve' on this socket", "SOCKET" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &asked.host,
		  "The node on which the command runs", "NODE" },
		{ "sysfs", 0, 0, G_OPTION_ARG_NONE, &asked.sysfs, "As for umadrig exec", NULL },
		{ "how", 0, 0, G_OPTION_ARG_STRING, &asked.how,
		  "How programs reach the fabric (default both)",
		  "preload|filter|both" },
		{ "backend", 'b', 0, G_OPTION_ARG_STRING, &asked.backend,
		  "Run it on this machine's devices, and record its MADs", "ib_umad" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("-o BUNDLE -- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name, .how = EXEC_BOTH, .grace_ns = EXEC_GRACE_NS };
	struct record this = { .name = name, .server = -1 };
	int verdict;

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program on a simulated fabric, and records "
				     "the run.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!command_parse(context, &argc, &argv, &error)) {
		verdict = fabric_option_usage(name, error->message);
	} else if (argc > 1) {
		verdict = command_unexpected(name, argv + 1, asked.fabric, job.argv,
					     "put the command after --");
	} else if (asked.how && !exec_how_parse(asked.how, &job.how)) {
		verdict = command_bad_value(name, "--how", asked.how, "preload, filter or both");
	} else {
		job.has_how = asked.how;
		job.host = asked.host;
		job.sysfs = asked.sysfs;
		this.scrub = asked.scrub;
		this.key = key;
		verdict = record_is_scenario(asked.bundle) ? scenario(&this, &asked, &job) :
			  check(&this, &job, &asked);
		if (verdict == COMMAND_OK && !record_is_scenario(asked.bundle))
			verdict = record_asked(&this, &asked, &job);
	}
	asked_clear(&asked);
	return verdict;
}
