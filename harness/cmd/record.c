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
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/cmd/commands.h"
#include "harness/exec/exec.h"
#include "harness/record/bundle.h"
#include "sim/capture/capture.h"
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
	"With --scrub, GUIDs, GIDs, names and keys are replaced in all three, the same by the\n"
	"same ('umadrig scrub --help' says what is); nothing else is left on disk.\n"
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
	bool scrub;
	const char *key;
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
	g_autofree char *path = exec_guard_find(job->argv, &error);
	char **env = path ? exec_environment("ib_umad", NULL, NULL, &error) : NULL;

	if (!env)
		return command_error(job->name, error->code, "%s", error->message);
	env = g_environ_setenv(env, "UMAD_TAP", capture, true);
	execvpe(path, job->argv, env);
	return command_error(job->name, errno == ENOENT ? COMMAND_NOT_FOUND : COMMAND_CANNOT_RUN,
			     "%s: %s", path, g_strerror(errno));
}

/* Runs the program in a process of its own: one that a signal ends takes exec_run()'s with it. */
static int run(const struct record *record, const struct exec_job *job)
{
	static const int passed_on[] = { SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCONT };
	struct sigaction ignore = { .sa_handler = SIG_IGN }, pass = { .sa_handler = pass_on };
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return command_error(job->name, COMMAND_REFUSED, "cannot fork: %s",
				     g_strerror(errno));
	if (pid == 0) {
		int verdict = record->real ? become_program(record, job) : exec_run(job);

		fflush(NULL);
		_exit(verdict);
	}
	runner = pid;
	sigaction(SIGINT, &ignore, NULL);
	sigaction(SIGQUIT, &ignore, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(passed_on); i++)
		sigaction(passed_on[i], &pass, NULL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
	runner = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
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

/* Runs the program, and makes of what there is then a bundle. */
static int record_run(struct record *record, const struct exec_job *job)
{
	g_autoptr(GError) error = NULL;
	int verdict = run(record, job), made = record->scrub ? scrub(record) : COMMAND_OK;
	const char *called;

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
	return verdict ? verdict : made;
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

int cmd_record(int argc, char **argv)
{
	g_autofree char *fabric = NULL, *host = NULL, *bundle = NULL, *key = NULL;
	g_autofree char *backend = NULL;
	gboolean scrubs = false, sysfs = false;
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &bundle,
		  "The directory or archive to make",
		  "BUNDLE" },
		{ "scrub", 's', 0, G_OPTION_ARG_NONE, &scrubs,
		  "Take the names of the site out of it", NULL },
		{ "key", 'k', 0, G_OPTION_ARG_STRING, &key, "As of umadrig scrub", "SECRET" },
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &fabric, "The fabric and its options",
		  "FABRIC[,OPTION=VALUE...]" },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &host, "The node on which the command runs",
		  "NODE" },
		{ "sysfs", 0, 0, G_OPTION_ARG_NONE, &sysfs, "As of umadrig exec", NULL },
		{ "backend", 'b', 0, G_OPTION_ARG_STRING, &backend,
		  "Run it on this machine's devices, and record its MADs", "ib_umad" },
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(GOptionContext) context =
		g_option_context_new("-o BUNDLE -- COMMAND [ARGUMENT...]");
	g_autoptr(GError) error = NULL;
	g_autofree char *name = g_strdup(argv[0]);
	struct exec_job job = { .name = name };
	struct record this = { .name = name };

	job.argv = command_split(&argc, argv);
	g_option_context_set_summary(context, "Runs a program on a simulated fabric, and records "
				     "the run.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		return command_usage(name, "%s", error->message);
	if (argc > 1)
		return command_usage(name, "unexpected argument '%s': put the command after --",
				     argv[1]);
	if (!bundle)
		return command_usage(name, "no bundle given: name a new directory with -o");
	if (!job.argv)
		return command_usage(name, "no command given: put it after --");
	if (key && !scrubs)
		return command_usage(name, "--key goes with --scrub");
	if (backend && strcmp(backend, "ib_umad") != 0)
		return command_usage(name, "no such backend '%s': there is ib_umad; without "
				     "--backend the fabric is simulated", backend);
	if (backend && (fabric || host || sysfs))
		return command_usage(name, "--backend ib_umad excludes --fabric, --host and "
				     "--sysfs, which are of simulated fabrics");
	job.host = host;
	job.sysfs = sysfs;
	this.scrub = scrubs;
	this.key = key;
	if (backend)
		return record_real(&this, bundle, &job);
	return record(&this, bundle, fabric ? fabric : "", host, &job);
}
