/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/cmd/explore-options.h. */
#include "harness/cmd/explore-options.h"

#include "harness/base/command.h"
#include "harness/kernel/kernel-option.h"

static const char description[] =
	"Each run is what umadrig exec does with clock=virtual, with seeds of its own for the\n"
	"chances of the faults (seed=) and for which thread runs next (schedule=); an option that\n"
	"FABRIC has is the same in all of them. A run fails if the command exits non-zero, is\n"
	"killed, or exceeds a limit; if its output matches --lacks or does not match --has; or\n"
	"if an --expect check fails.\n"
	"Output and captures of failures are kept. UMADRIG_RUN is the directory of the run, for\n"
	"what else the command writes; UMADRIG_SEED is the seed that random bytes go by, too.\n"
	"\n"
	"Each run but the first has some of the faults, drawn by chance, and other percentages of\n"
	"them (a quarter to four times); --all-faults and seed= have all of them as they are.\n"
	"\n"
	"A failure is then shrunk: faults are removed one by one, and each is applied to fewer\n"
	"packets. The smallest that fails in the same way is printed as a command.\n"
	"\n"
	"PATTERN is a regular expression (Perl's), searched for in each line. COMMAND of --expect\n"
	"is one of 'umadrig ctl --help'.\n"
	"\n"
	"Exit status: 0 if no run has failed, 1 if one has, or if a condition of --sometimes\n"
	"was true in none; 2 if the command line is wrong; 125, 126, 127 if the command cannot be\n"
	"run, as for umadrig exec.";

void explore_options_clear(struct explore_options *options)
{
	g_free(options->fabric);
	g_free(options->kernel);
	g_free(options->host);
	g_free(options->output);
	g_free(options->timeout);
	g_free(options->limit);
	g_free(options->seed);
	g_free(options->grace);
	g_free(options->runs);
	g_free(options->jobs);
	g_free(options->corpus);
	g_free(options->budget);
	g_free(options->shard);
	explore_reports_clear(&options->reports);
	g_strfreev(options->expect);
	g_strfreev(options->has);
	g_strfreev(options->lacks);
	session_lines_clear(&options->lines);
	g_free(options->each);
	g_strfreev(options->plans);
	plan_file_clear(&options->plan);
	g_clear_pointer(&options->words, g_ptr_array_unref);
}

static bool parse_entries(const GOptionEntry *entries, int *argc, char ***argv, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new("-- COMMAND [ARGUMENT...]");

	g_option_context_set_summary(context, "Runs a program on a simulated fabric, over many "
				     "seeds.");
	g_option_context_set_description(context, description);
	g_option_context_add_main_entries(context, entries, NULL);
	return command_parse(context, argc, argv, error);
}

/* An option that takes a text, and may be given again. */
#define TEXTS(name, to, help, value) \
	{ name, 0, 0, G_OPTION_ARG_STRING_ARRAY, to, help, value }
/* One that is the name of a file. */
#define PATH(name, to, help) { name, 0, 0, G_OPTION_ARG_FILENAME, to, help, "FILE" }

/* How runs are done, and what is said of them. */
static void add_runs(GArray *all, struct explore_options *options)
{
	const GOptionEntry entries[] = {
		{ "plan", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->plans,
		  "Read options and the command from FILE; may be given again", "FILE" },
		{ "runs", 'n', 0, G_OPTION_ARG_STRING, &options->runs,
		  "How many runs (default: 100)", "N" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &options->jobs,
		  "Do N runs at a time; 0: one on each processor", "N" },
		{ "fabric", 'f', 0, G_OPTION_ARG_FILENAME, &options->fabric,
		  "The fabric and its options", "FABRIC[,OPTION=VALUE...]" },
		{ "kernel", 0, 0, G_OPTION_ARG_FILENAME, &options->kernel,
		  KERNEL_OPTION_TEXT, KERNEL_OPTION_VALUE },
		{ "host", 0, 0, G_OPTION_ARG_STRING, &options->host,
		  "The node on which the command runs", "NODE" },
		{ "seed", 0, 0, G_OPTION_ARG_STRING, &options->seed,
		  "The seed of the first run; each other one has the next (default: 1)", "N" },
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &options->output,
		  "The directory to make for what fails (default: in TMPDIR)", "DIR" },
		{ "corpus", 0, 0, G_OPTION_ARG_FILENAME, &options->corpus,
		  "Keep what is found in DIR, and go on where a former call has ended", "DIR" },
		{ "budget", 0, 0, G_OPTION_ARG_STRING, &options->budget,
		  "End after so much real time: 90s, 45min, 8h", "TIME" },
		{ "shard", 0, 0, G_OPTION_ARG_STRING, &options->shard,
		  "Do part I of N of the runs; merge puts the parts together", "I/N" },
		{ "keep-going", 0, 0, G_OPTION_ARG_NONE, &options->keep_going,
		  "Do all runs, even if some fail", NULL },
		PATH("html", &options->reports.html,
		     "Write what is found to FILE as a page, with ladders"),
		PATH("junit", &options->reports.junit,
		     "Write what is found to FILE as JUnit XML, too"),
		PATH("json", &options->reports.json,
		     "Write what is found to FILE as JSON, too"),
		{ "timeout", 0, 0, G_OPTION_ARG_STRING, &options->timeout,
		  "How much real time a run may take; 0: any (default: 60)", "SECONDS" },
		{ "limit", 0, 0, G_OPTION_ARG_STRING, &options->limit,
		  "How much virtual time a run may take; 0: any (default: 3600s)", "TIME" },
		{ "grace", 0, 0, G_OPTION_ARG_STRING, &options->grace, "As for umadrig exec",
		  "TIME" },
		{ "all-faults", 0, 0, G_OPTION_ARG_NONE, &options->all_faults,
		  "Give each run all faults as they are, instead of some of them", NULL },
		{ "twice", 0, 0, G_OPTION_ARG_NONE, &options->twice,
		  "Do each run twice: it fails unless everything is the same", NULL },
		{ "find-leaks", 0, 0, G_OPTION_ARG_NONE, &options->find_leaks,
		  "Do runs that differ in addresses only, and name each byte that does", NULL },
		{ "no-vary", 0, 0, G_OPTION_ARG_NONE, &options->no_vary,
		  "Do not derive runs from those that showed something new", NULL },
		{ "no-shrink", 0, 0, G_OPTION_ARG_NONE, &options->no_shrink,
		  "Do not shrink failures", NULL },
	};

	g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
}

/* What happens in each run, and what must hold. */
static void add_lines(GArray *all, struct explore_options *options)
{
	const GOptionEntry entries[] = {
		TEXTS("has", &options->has, "A run fails unless it prints this", "PATTERN"),
		TEXTS("lacks", &options->lacks, "A run fails if it prints this", "PATTERN"),
		{ "expect", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->expect,
		  "A run fails unless 'umadrig ctl COMMAND' at its end answers this",
		  "COMMAND=PATTERN" },
		{ "each", 0, 0, G_OPTION_ARG_STRING, &options->each,
		  "In each run, do this at another one of the first run's packets", "LINE" },
	};

	g_array_append_vals(all, entries, G_N_ELEMENTS(entries));
	session_lines_add_options(all, &options->lines,
				  "Fail unless this is true at some time in at least one run");
}

/* 'plan': what the plans say that are named; or NULL: they are not read. */
static bool parse_once(struct explore_options *options, struct plan_file *plan, int *argc,
		       char ***argv, GError **error)
{
	g_autoptr(GArray) all = g_array_new(true, false, sizeof(GOptionEntry));
	const GOptionEntry *entries;

	add_runs(all, options);
	add_lines(all, options);
	entries = (const GOptionEntry *)all->data;
	return parse_entries(entries, argc, argv, error) &&
	       (!plan || plan_file_read(plan, options->plans, entries, error));
}

bool explore_options_parse(struct explore_options *options, int *argc, char ***argv,
			   GError **error)
{
	GPtrArray *words = plan_file_words(*argc, *argv);
	struct plan_file plan;
	bool is_good;

	plan_file_begin(&plan);
	is_good = parse_once(options, &plan, argc, argv, error);
	explore_options_clear(options);
	*options = (struct explore_options){ .plan = plan, .words = words };
	if (!is_good)
		return false;
	plan_file_put(&plan, words, argc, argv);
	return parse_once(options, NULL, argc, argv, error);
}

