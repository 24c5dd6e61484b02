/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Opening a fabric: see sim/run/open.h.
 */
#include "sim/run/open.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/capture/capture.h"
#include "sim/console/console.h"
#include "sim/fabric/entry.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/function-make.h"
#include "sim/fabric/quirk.h"
#include "sim/fabric/quirk-name.h"
#include "sim/fabric/record.h"
#include "sim/run/assembly.h"
#include "sim/run/host-kernels.h"
#include "sim/run/replay-fabric.h"
#include "sim/run/spec.h"
#include "sim/sa/sa.h"
#include "sim/topology/lid.h"
#include "sim/topology/load.h"
#include "sim/topology/nvlink.h"

static void print_diagnostics(const GArray *diagnostics)
{
	for (unsigned int i = 0; diagnostics && i < diagnostics->len; i++) {
		g_autofree char *line = topology_diagnostic_format(
			&g_array_index(diagnostics, struct topology_diagnostic, i));

		fprintf(stderr, "%s\n", line);
	}
}

/*
 * A small rest of a fabric misleads the programs that run on it, and is refused without
 * partial=yes.
 */
static bool is_refused(const struct topology *topology, const struct umadrig_options *options,
		       char *reterr, size_t reterr_size)
{
	g_autofree char *objection = options->partial ? NULL : topology_objection(topology);

	if (objection)
		g_strlcpy(reterr, objection, reterr_size);
	return objection != NULL;
}

/* The fatal diagnostic, which is the last one, becomes the error; those before it go to stderr. */
static void take_fatal(GArray *diagnostics, const char *file, char *reterr, size_t reterr_size)
{
	struct topology_diagnostic *last;
	g_autofree char *line = NULL;

	if (!diagnostics || diagnostics->len == 0) {
		g_snprintf(reterr, reterr_size, "%s: cannot be loaded", file);
		return;
	}
	last = &g_array_index(diagnostics, struct topology_diagnostic, diagnostics->len - 1);
	line = topology_diagnostic_format(last);
	g_strlcpy(reterr, line, reterr_size);
}

/* The quirks that are cables and nodes, too. What is wrong with one, quirk_add_text() says. */
static void add_boards(struct topology *topology, const struct umadrig_options *options)
{
	for (char **text = options->quirks; text && *text; text++) {
		enum quirk_kind kind;
		const char *where;
		char why[256];

		if (quirk_parse(*text, &kind, &where, why, sizeof(why)) == 0 &&
		    kind == QUIRK_HGX_B200)
			topology_add_nvlink(topology, where);
	}
}

/* Makes a fabric of a topology (or NULL) and its reader's diagnostics; frees both. */
static struct umadrig_fabric *open_topology(struct topology *topology, GArray *diagnostics,
					    const char *file, struct umadrig_options *options,
					    char *reterr, size_t reterr_size)
{
	struct umadrig_fabric *fabric = NULL;

	if (!topology) {
		take_fatal(diagnostics, file, reterr, reterr_size);
	} else if (!is_refused(topology, options, reterr, reterr_size)) {
		add_boards(topology, options);
		if (!options->cold)
			topology_assign_lids(topology);
		fabric = fabric_new(topology, options, reterr, reterr_size);
		if (fabric)
			console_run_commands(fabric, topology);
		print_diagnostics(diagnostics);
	}
	topology_free(topology);
	if (diagnostics)
		topology_diagnostics_free(diagnostics);
	return fabric;
}

/* The word that belongs to the other mode of replays, or NULL. */
static const char *misplaced_word(const struct replay_wishes *replay)
{
	if (replay->timed)
		return replay->as_of != REPLAY_IN_ORDER ? "as-of=" :
		       replay->unmatched_status ? "unmatched=" : NULL;
	return replay->speed_milli ? "speed=" : replay->own_tids ? "rewrite=" : NULL;
}

static struct umadrig_fabric *open_capture(struct spec *spec, char *reterr, size_t reterr_size)
{
	const char *word = misplaced_word(&spec->options.replay);

	if (word) {
		g_snprintf(reterr, reterr_size, "%s: %s is for mode=%s, not mode=%s", spec->file,
			   word, spec->options.replay.timed ? "answer" : "timed",
			   spec->options.replay.timed ? "timed" : "answer");
		return NULL;
	}
	if (spec->options.replay.timed)
		return fabric_new_replay_timed(spec->file, &spec->options, reterr, reterr_size);
	return fabric_new_replay(spec->file, &spec->options, reterr, reterr_size);
}

static struct umadrig_fabric *open_spec(struct spec *spec, char *reterr, size_t reterr_size)
{
	GArray *diagnostics = NULL;
	struct topology *topology;

	if (!*spec->file && !spec->options.replay.is_given) {
		/* As two adapters on one cable: scripts play the other side, and its SA. */
		if (spec->options.sa == SA_OPTION_UNSET)
			spec->options.sa = SA_OPTION_NONE;
		return fabric_new_default(&spec->options, reterr, reterr_size);
	}
	if (*spec->file && capture_is_capture(spec->file))
		return open_capture(spec, reterr, reterr_size);
	if (spec->options.replay.is_given) {
		g_snprintf(reterr, reterr_size, "%s is no capture, and as-of=, unmatched=, "
			   "summary=, mode=, speed=, rewrite= and max-size= are for captures",
			   *spec->file ? spec->file : "the default fabric");
		return NULL;
	}
	topology = topology_load(spec->file, &diagnostics);
	return open_topology(topology, diagnostics, spec->file, &spec->options, reterr,
			     reterr_size);
}

static int add_faults(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	for (char **text = fabric->options.faults; text && *text; text++) {
		int ret = fault_add_text(fabric, *text, reterr, reterr_size);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int add_loads(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	for (char **text = fabric->options.loads; text && *text; text++) {
		int ret = load_add(fabric, *text, reterr, reterr_size);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * Starts the SA that the options ask for. Without any, a warm fabric has it if a port can: where
 * captures and SMs answer, or nobody could ask, there is none.
 */
static int begin_sa(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	bool is_wanted = fabric->options.sa == SA_OPTION_BUILTIN;

	if (fabric->options.sa == SA_OPTION_NONE || fabric_has_sa(fabric))
		return 0;
	if (fabric->options.cold || fabric->replay || fabric->replay_timed) {
		if (!is_wanted)
			return 0;
		g_snprintf(reterr, reterr_size, "sa=builtin is for fabrics with state=active: %s",
			   fabric->options.cold ? "the SM of a cold one answers itself" :
			   "a capture answers itself");
		return -EINVAL;
	}
	if (sa_start_all(fabric) == 0 || !is_wanted)
		return 0;
	g_snprintf(reterr, reterr_size, "%s: no port has a LID, so there is none for sa=builtin",
		   fabric->name);
	return -ENOENT;
}

static int add_quirks(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = fabric->options.quirks; ret == 0 && text && *text; text++)
		ret = quirk_add_text(fabric, *text, reterr, reterr_size);
	return ret;
}

static int add_functions(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = fabric->options.vfs; ret == 0 && text && *text; text++)
		ret = functions_add_text(fabric, *text, reterr, reterr_size);
	return ret;
}

/* Carries out the options before the fabric is used. The lock is held. */
static int do_options(struct umadrig_fabric *fabric, char *reterr, size_t reterr_size)
{
	const char *capture = fabric->options.capture;
	int ret = host_kernels_give(fabric, reterr, reterr_size);

	if (ret == 0)
		ret = add_quirks(fabric, reterr, reterr_size);
	if (ret == 0)
		ret = add_functions(fabric, reterr, reterr_size);
	if (ret == 0)
		ret = add_faults(fabric, reterr, reterr_size);
	if (ret == 0)
		ret = add_loads(fabric, reterr, reterr_size);
	if (ret == 0)
		ret = begin_sa(fabric, reterr, reterr_size);
	if (ret < 0 || !capture)
		return ret;
	return record_start(fabric, capture, NULL, reterr, reterr_size);
}

/*
 * Starts a fabric, which may be NULL. Returns it, or NULL if an option failed, and the fabric is
 * freed.
 */
static struct umadrig_fabric *begin(struct umadrig_fabric *fabric, char *reterr,
				    size_t reterr_size)
{
	int ret;

	if (!fabric)
		return NULL;
	ret = fabric_enter(fabric);
	if (ret == 0) {
		ret = do_options(fabric, reterr, reterr_size);
		fabric_leave(fabric);
	}
	if (ret == 0)
		return fabric;
	fabric_free(fabric);
	return NULL;
}

/* Where no program is in virtual time, it would find nothing. */
static bool check_audit(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	if (options->audit == LOCKSTEP_NO_AUDIT || (options->is_served && options->virtual_clock))
		return true;
	g_snprintf(reterr, reterr_size, "%s", options->virtual_clock ?
		   "audit is of programs that 'umadrig exec' starts: there are none here" :
		   "audit is of virtual time: it needs clock=virtual");
	return false;
}

/* In real time each program may be started in its own way. */
static bool check_how(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	if (!options->how_filter || options->virtual_clock)
		return true;
	g_snprintf(reterr, reterr_size, "how=filter is of virtual time: it needs clock=virtual; in "
		   "real time 'umadrig exec --how filter' starts a program below the filter");
	return false;
}

/* They are exceptions to the order; other strategies choose each thread by themselves. */
static bool check_switches(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	if (!options->switches || options->schedule.strategy == SCHEDULE_IN_ORDER)
		return true;
	g_snprintf(reterr, reterr_size, "switches= goes with schedule=0 only");
	return false;
}

/* In real time nobody chooses who runs next, and nothing would say so. */
static bool check_schedule(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	if (options->virtual_clock || options->schedule.strategy == SCHEDULE_IN_ORDER)
		return true;
	g_snprintf(reterr, reterr_size, "schedule= is of virtual time: it needs clock=virtual");
	return false;
}

/* What must be known to be right before there is a fabric. */
static bool check_options(struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	return check_audit(options, reterr, reterr_size) &&
	       check_how(options, reterr, reterr_size) &&
	       check_schedule(options, reterr, reterr_size) &&
	       check_switches(options, reterr, reterr_size) &&
	       host_kernels_load(options, reterr, reterr_size) == 0;
}

/* Are they one regular file? */
static bool is_one_file(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/* A report is written at the end: that it cannot be is better known before a long run. */
static bool check_report(const char *path, char *reterr, size_t reterr_size)
{
	g_autofree char *directory = path ? g_path_get_dirname(path) : NULL;
	int err = 0;

	if (!path)
		return true;
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		err = EISDIR;
	else if (access(path, F_OK) == 0 ? access(path, W_OK) < 0 :
		 access(directory, W_OK | X_OK) < 0)
		err = errno;
	if (err)
		g_snprintf(reterr, reterr_size, "cannot write the report %s: %s", path,
			   g_strerror(err));
	return err == 0;
}

/* What is written does not take the place of what is read. */
static bool check_outputs(const struct spec *spec, char *reterr, size_t reterr_size)
{
	const struct { const char *option, *path; } outputs[] = {
		{ "capture", spec->options.capture }, { "report", spec->options.report },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(outputs); i++) {
		if (!outputs[i].path || !is_one_file(spec->file, outputs[i].path))
			continue;
		g_snprintf(reterr, reterr_size, "%s=%s: this is the file of the fabric, which "
			   "would be lost; give the %s another name", outputs[i].option,
			   outputs[i].path, outputs[i].option);
		return false;
	}
	return check_report(spec->options.report, reterr, reterr_size);
}

struct umadrig_fabric *fabric_open(const char *spec_text, bool is_served, char *reterr,
				   size_t reterr_size)
{
	struct umadrig_fabric *fabric;
	struct spec spec;

	if (spec_parse(spec_text, NULL, &spec, reterr, reterr_size) < 0)
		return NULL;
	spec.options.is_served = is_served;
	fabric = check_outputs(&spec, reterr, reterr_size) &&
		 check_options(&spec.options, reterr, reterr_size) ?
			 open_spec(&spec, reterr, reterr_size) : NULL;
	spec_clear(&spec);
	return begin(fabric, reterr, reterr_size);
}

struct umadrig_fabric *fabric_parse(const char *text, const char *options, char *reterr,
				    size_t reterr_size)
{
	static const char name[] = "text";
	g_autofree char *spec_text = g_strconcat(",", options, NULL);
	GArray *diagnostics = NULL;
	struct umadrig_fabric *fabric;
	struct topology *topology;
	struct spec spec;

	if (spec_parse(options && *options ? spec_text : "", NULL, &spec, reterr,
		       reterr_size) < 0)
		return NULL;
	if (!check_options(&spec.options, reterr, reterr_size)) {
		spec_clear(&spec);
		return NULL;
	}
	topology = topology_parse(text, strlen(text), name, &diagnostics);
	fabric = open_topology(topology, diagnostics, name, &spec.options, reterr, reterr_size);
	spec_clear(&spec);
	return begin(fabric, reterr, reterr_size);
}

struct topology *topology_open(const char *spec_text, char *reterr, size_t reterr_size)
{
	struct umadrig_fabric *fabric = fabric_open(spec_text, false, reterr, reterr_size);
	struct topology *topology = fabric ? fabric_topology(fabric) : NULL;

	fabric_free(fabric);
	return topology;
}

/* ---- "do" lines of a topology ---- */

/* A switch will do if there is no host to run on. */
static struct umadrig_fabric *run_on_first(const struct topology *topology, char *reterr,
					size_t reterr_size)
{
	const struct topology_node *first = g_ptr_array_index(topology->nodes, 0);
	struct umadrig_options options = {
		.virtual_clock = true, .seed = 1, .first_hi_tid = 1, .host = g_strdup(first->id),
	};
	struct umadrig_fabric *fabric = fabric_new(topology, &options, reterr, reterr_size);

	g_free(options.host);
	return fabric;
}

struct topology *topology_carry_out(struct topology *topology, char *reterr,
				    size_t reterr_size)
{
	struct umadrig_fabric *fabric = run_on_first(topology, reterr, reterr_size);
	struct topology *now;

	if (!fabric)
		return NULL;
	console_run_commands(fabric, topology);
	/* Let new links train. */
	if (fabric_enter(fabric) == 0) {
		clock_step(fabric->clock, NS_PER_S, false);
		fabric_leave(fabric);
	}
	now = fabric_topology(fabric);
	fabric_free(fabric);
	return now;
}
