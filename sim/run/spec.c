/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The words after a fabric's file: see sim/run/spec.h. A table has a row for each option.
 */
#include "lib/words/size.h"
#include "sim/run/spec.h"

#include <errno.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

#include "kmod-stub/kmod.h"
#include "lib/words/duration.h"
#include "lib/words/list.h"
#include "lib/words/number.h"
#include "lib/words/schedule-switch.h"
#include "sim/capture/pace.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/fabric/fabric-load.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/function-make.h"
#include "sim/fabric/quirk-name.h"
#include "sim/kernels/kernel-wish.h"
#include "sim/run/replay-words.h"
#include "sim/topology/generate.h"
#include "sim/topology/load.h"
#include "sim/topology/style.h"

enum { HI_TID_MAX = 0xffffff };	/* Linux allocates numbers of 24 bits */

/*
 * 0, or -EINVAL: the value is not one of those that 'wanted' describes. That of a time returns what
 * duration_parse() does.
 */
typedef int option_set_fn(struct umadrig_options *options, const char *value);

struct option {
	const char *name;
	const char *wanted;
	option_set_fn *set;
	bool many;		/* may be given more than once */
};

/* A number that is out of bounds is none of those that 'wanted' describes. */
static int parse_number(const char *value, uint64_t min, uint64_t max, uint64_t *ret)
{
	return number_parse(value, min, max, ret) < 0 ? -EINVAL : 0;
}

static int set_state(struct umadrig_options *options, const char *value)
{
	if (strcmp(value, "active") != 0 && strcmp(value, "cold") != 0)
		return -EINVAL;
	options->cold = value[0] == 'c';
	return 0;
}

static int set_sa(struct umadrig_options *options, const char *value)
{
	if (strcmp(value, "builtin") != 0 && strcmp(value, "none") != 0)
		return -EINVAL;
	options->sa = value[0] == 'b' ? SA_OPTION_BUILTIN : SA_OPTION_NONE;
	return 0;
}

static int set_order(struct umadrig_options *options, const char *value)
{
	if (strcmp(value, "any") != 0 && strcmp(value, "time") != 0)
		return -EINVAL;
	options->any_order = value[0] == 'a';
	return 0;
}

static int set_yes(bool *ret, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return -EINVAL;
	*ret = value[0] == 'y';
	return 0;
}

static int set_partial(struct umadrig_options *options, const char *value)
{
	return set_yes(&options->partial, value);
}

static int set_seed(struct umadrig_options *options, const char *value)
{
	options->seed_set = true;
	return parse_number(value, 0, UINT64_MAX, &options->seed);
}

static int set_schedule(struct umadrig_options *options, const char *value)
{
	return schedule_parse(value, &options->schedule) < 0 ? -EINVAL : 0;
}

static int set_audit(struct umadrig_options *options, const char *value)
{
	static const char *const words[] = {
		[LOCKSTEP_NO_AUDIT] = "no",
		[LOCKSTEP_AUDIT] = "yes",
		[LOCKSTEP_AUDIT_FAILS] = "fail",
	};

	for (unsigned int i = 0; i < G_N_ELEMENTS(words); i++) {
		if (strcmp(value, words[i]) == 0) {
			options->audit = (enum lockstep_audit)i;
			return 0;
		}
	}
	return -EINVAL;
}

static int set_how(struct umadrig_options *options, const char *value)
{
	options->how_filter = strcmp(value, "filter") == 0;
	return options->how_filter || strcmp(value, "preload") == 0 ? 0 : -EINVAL;
}

static int set_latency(struct umadrig_options *options, const char *value)
{
	return duration_parse(value, &options->latency_ns);
}

static int set_clock(struct umadrig_options *options, const char *value)
{
	if (strcmp(value, "real") != 0 && strcmp(value, "virtual") != 0)
		return -EINVAL;
	options->virtual_clock = value[0] == 'v';
	return 0;
}

static int set_string(char **string, const char *value)
{
	if (!*value)
		return -EINVAL;
	g_free(*string);
	*string = g_strdup(value);
	return 0;
}

/* Letters, digits and '_', and at the end a number or "%d", which is 0. */
static int set_device(struct umadrig_options *options, const char *value)
{
	enum { PREFIX_MAX = 12, NUMBER_MAX = 999 };
	size_t length = strlen(value), prefix;
	uint64_t first = 0;

	if (g_str_has_suffix(value, "%d"))
		length = prefix = length - strlen("%d");
	else
		for (prefix = length; prefix > 0 && g_ascii_isdigit(value[prefix - 1]); prefix--)
			;
	if (prefix == 0 || prefix > PREFIX_MAX || !g_ascii_isalpha(value[0]) ||
	    strspn(value, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_") < length)
		return -EINVAL;
	if (!g_str_has_suffix(value, "%d") &&
	    parse_number(value + prefix, 0, NUMBER_MAX, &first) < 0)
		return -EINVAL;
	g_free(options->device);
	options->device = g_strndup(value, prefix);
	options->first_device = (unsigned int)first;
	return 0;
}

static int set_host(struct umadrig_options *options, const char *value)
{
	return set_string(&options->host, value);
}

static int set_switches(struct umadrig_options *options, const char *value)
{
	struct schedule_switch one;
	const char *at = value;
	int err;

	do {
		err = schedule_switch_take(&at, &one);
	} while (err == 0 && *at);
	return err < 0 ? -EINVAL : set_string(&options->switches, value);
}

static int set_capture(struct umadrig_options *options, const char *value)
{
	return set_string(&options->capture, value);
}

static int set_report(struct umadrig_options *options, const char *value)
{
	return set_string(&options->report, value);
}

static int set_hi_tid(struct umadrig_options *options, const char *value)
{
	uint64_t number;

	if (parse_number(value, 1, HI_TID_MAX, &number) < 0)
		return -EINVAL;
	options->first_hi_tid = (uint32_t)number;
	return 0;
}

static int set_queue_size(unsigned int *ret, const char *value)
{
	uint64_t number;

	if (parse_number(value, KMOD_QUEUE_MIN, KMOD_QUEUE_MAX, &number) < 0)
		return -EINVAL;
	*ret = (unsigned int)number;
	return 0;
}

static int set_send_queue_size(struct umadrig_options *options, const char *value)
{
	return set_queue_size(&options->send_queue_size, value);
}

static int set_recv_queue_size(struct umadrig_options *options, const char *value)
{
	return set_queue_size(&options->recv_queue_size, value);
}

static int set_profile(struct umadrig_options *options, const char *value)
{
	enum kmod_profile profile;

	if (!kmod_profile_find(value, &profile))
		return -EINVAL;
	options->profile = profile;
	options->profile_set = true;
	return 0;
}

static int append_string(char ***strings, const char *value)
{
	unsigned int count = *strings ? g_strv_length(*strings) : 0;

	*strings = g_renew(char *, *strings, count + 2);
	(*strings)[count] = g_strdup(value);
	(*strings)[count + 1] = NULL;
	return 0;
}

static int set_fault(struct umadrig_options *options, const char *value)
{
	return append_string(&options->faults, value);
}

static int set_load(struct umadrig_options *options, const char *value)
{
	return append_string(&options->loads, value);
}

static int set_quirk(struct umadrig_options *options, const char *value)
{
	return append_string(&options->quirks, value);
}

static int set_vfs(struct umadrig_options *options, const char *value)
{
	return append_string(&options->vfs, value);
}

static int set_vf_lids(struct umadrig_options *options, const char *value)
{
	return set_yes(&options->vf_lids, value);
}

static int set_kernel(struct umadrig_options *options, const char *value)
{
	return append_string(&options->kernels, value);
}

static int set_guest_directory(struct umadrig_options *options, const char *value)
{
	/* It is a word of the guests' command lines. */
	if (!*value || strpbrk(value, " \t\n\""))
		return -EINVAL;
	g_free(options->guest_directory);
	options->guest_directory = g_canonicalize_filename(value, NULL);
	return 0;
}

static int set_as_of(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = true;
	return replay_parse_as_of(value, &options->replay);
}

static int set_unmatched(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = true;
	return replay_parse_unmatched(value, &options->replay);
}

static int set_mode(struct umadrig_options *options, const char *value)
{
	if (strcmp(value, "answer") != 0 && strcmp(value, "timed") != 0)
		return -EINVAL;
	options->replay.is_given = true;
	options->replay.timed = value[0] == 't';
	return 0;
}

static int set_speed(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = true;
	return pace_parse(value, &options->replay.speed_milli);
}

static int set_rewrite(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = options->replay.own_tids = true;
	return strcmp(value, "tid") == 0 ? 0 : -EINVAL;
}

static int set_summary(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = true;
	return set_yes(&options->replay.summary, value);
}

static int set_max_size(struct umadrig_options *options, const char *value)
{
	options->replay.is_given = true;
	return size_parse(value, &options->replay.size_max);
}

#define QUEUE_SIZE_WANTED "a number from 64 to 8192"

static const struct option known[] = {
	{ "state", "active or cold", set_state, false },
	{ "sa", "builtin or none", set_sa, false },
	{ "partial", "yes or no", set_partial, false },
	{ "order", "time or any", set_order, false },
	{ "seed", "a number", set_seed, false },
	{ "schedule", "a number, walk:N, pct:N[:DEPTH[:POINTS]] or pos:N", set_schedule, false },
	{ "switches", "choices of threads, such as 1001.1@17:1001.3+1001.3@4:1001.1", set_switches,
	  false },
	{ "audit", "yes, no or fail", set_audit, false },
	{ "how", "preload or filter", set_how, false },
	{ "latency", "a time with a unit, such as 1us (ns us ms s)", set_latency, false },
	{ "clock", "real or virtual", set_clock, false },
	{ "device", "a name with a number, such as mlx5_0 or mlx5_%d", set_device, false },
	{ "host", "a host's or node's name", set_host, false },
	{ "capture", "a file to write", set_capture, false },
	{ "report", "a file to write", set_report, false },
	{ "hi-tid", "a number from 1 to 16777215", set_hi_tid, false },
	{ "profile", "linux-6.1, linux-5.10, linux-6.12, linux-6.17 or linux-7.2", set_profile,
	  false },
	{ "send-queue-size", QUEUE_SIZE_WANTED, set_send_queue_size, false },
	{ "recv-queue-size", QUEUE_SIZE_WANTED, set_recv_queue_size, false },
	{ "as-of", REPLAY_AS_OF_WANTED, set_as_of, false },
	{ "unmatched", REPLAY_UNMATCHED_WANTED, set_unmatched, false },
	{ "summary", "yes or no", set_summary, false },
	{ "mode", "answer or timed", set_mode, false },
	{ "speed", PACE_WANTED, set_speed, false },
	{ "rewrite", "tid", set_rewrite, false },
	{ "max-size", SIZE_WANTED, set_max_size, false },
	{ "fault", "a rule, such as drop 5%", set_fault, true },
	{ "load", "a load, such as H1:H2:100G", set_load, true },
	{ "quirk", "a quirk, such as port-down:H1[1]", set_quirk, true },
	{ "vfs", "a number of virtual functions, such as 4 or 4:H1", set_vfs, true },
	{ "vf-lids", "yes or no", set_vf_lids, false },
	{ "kernel", "a built kernel, such as 6.12 or H1:6.12", set_kernel, true },
	{ "guest-directory", "a directory without a blank or quotes in its name",
	  set_guest_directory, false },
};

const char *spec_option(unsigned int at, const char **ret_wanted)
{
	if (at >= G_N_ELEMENTS(known))
		return NULL;
	*ret_wanted = known[at].wanted;
	return known[at].name;
}

/* Those of a generated fabric, too, if this is one. */
static char *known_names(bool is_generated)
{
	GString *names = g_string_new(NULL);
	const char *name, *wanted;

	for (unsigned int i = 0; is_generated && (name = generate_style_option(i, &wanted)); i++)
		g_string_append_printf(names, "%s%s=", i ? " " : "", name);
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		g_string_append_printf(names, "%s%s=", names->len ? " " : "", known[i].name);
	return g_string_free(names, false);
}

/* "unknown option 'latncy=1us': did you mean latency=? Expected one of ..." */
static void say_unknown(const char *word, const char *name, bool is_generated, char *reterr,
			size_t reterr_size)
{
	g_autofree char *names = known_names(is_generated);
	g_auto(GStrv) each = g_strsplit(names, "= ", -1);
	const char *closest;

	/* The last one has its '=' still. */
	g_strdelimit(each[g_strv_length(each) - 1], "=", '\0');
	closest = mad_closest(name, (const char *const *)each);
	g_snprintf(reterr, reterr_size, "unknown option '%s': %s%s%s one of %s", word,
		   closest ? "did you mean " : "", closest ? closest : "",
		   closest ? "=? Expected" : "expected", names);
}

static int set_option(struct umadrig_options *options, const char *word, bool is_generated,
		      bool *seen, char *reterr, size_t reterr_size)
{
	const char *equals = strchr(word, '=');
	g_autofree char *name = equals ? g_strndup(word, (gsize)(equals - word)) : g_strdup(word);
	int err;

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		if (strcmp(name, known[i].name) != 0)
			continue;
		if (seen[i] && !known[i].many) {
			g_snprintf(reterr, reterr_size, "option '%s' is given twice", name);
			return -EINVAL;
		}
		seen[i] = true;
		err = equals ? known[i].set(options, equals + 1) : -EINVAL;
		if (err == 0)
			return 0;
		if (!equals && known[i].set == set_audit)	/* the one that goes alone */
			return set_audit(options, "yes");
		g_snprintf(reterr, reterr_size, "%s=%s: expected %s", name,
			   equals ? equals + 1 : "", duration_expected(err, known[i].wanted));
		return -EINVAL;
	}
	say_unknown(word, name, is_generated, reterr, reterr_size);
	return -EINVAL;
}

static bool system_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* "generate:fat-tree:8,4,2,state=cold": the options begin with the first word that has an '='. */
static size_t generated_length(const char *text)
{
	size_t end = strcspn(text, ",");

	while (text[end] == ',') {
		size_t size = strcspn(text + end + 1, ",");

		if (size == 0 || memchr(text + end + 1, '=', size))
			break;
		end += 1 + size;
	}
	return end;
}

/* Length of the file's name at the start of 'text'. */
static size_t file_length(const char *text, spec_exists_fn *exists)
{
	size_t end = strlen(text);

	if (!strchr(text, ','))
		return end;
	if (g_str_has_prefix(text, TOPOLOGY_GENERATE))
		return generated_length(text);
	for (;;) {
		g_autofree char *file = g_strndup(text, end);
		const char *comma;

		if (end > 0 && exists(file))
			return end;
		comma = g_strrstr_len(text, (gssize)end, ",");
		if (!comma)
			return strcspn(text, ",");
		end = (size_t)(comma - text);
	}
}

/*
 * Finds rules that are wrong in any fabric; whether it has their ports is checked when it is made.
 */
static int check_faults(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	for (char **text = options->faults; text && *text; text++) {
		struct umadrig_fault fault;
		int ret = fault_text_parse(*text, &fault, reterr, reterr_size);

		if (ret < 0)
			return ret;
		fault_text_clear(&fault);
	}
	return 0;
}

static int check_quirks(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = options->quirks; ret == 0 && text && *text; text++) {
		enum quirk_kind kind;
		const char *where;

		ret = quirk_parse(*text, &kind, &where, reterr, reterr_size);
	}
	return ret;
}

static int check_vfs(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = options->vfs; ret == 0 && text && *text; text++) {
		unsigned int count;
		const char *where;

		ret = functions_parse(*text, &count, &where, reterr, reterr_size);
	}
	return ret;
}

static int check_kernels(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	int ret = 0;

	for (char **text = options->kernels; ret == 0 && text && *text; text++) {
		struct kernel_wish wish;

		ret = kernel_wish_parse(*text, &wish, reterr, reterr_size);
		if (ret == 0)
			kernel_wish_clear(&wish);
	}
	return ret;
}

/* Options of a generated fabric's shape are part of its name, wherever they stand. */
static int set_word(struct spec *spec, const char *word, bool *seen, char *reterr,
		    size_t reterr_size)
{
	bool is_generated = g_str_has_prefix(spec->file, TOPOLOGY_GENERATE);
	char *name;

	if (!is_generated || !generate_style_knows(word))
		return set_option(&spec->options, word, is_generated, seen, reterr, reterr_size);
	name = g_strconcat(spec->file, ",", word, NULL);
	g_free(spec->file);
	spec->file = name;
	return 0;
}

static int check_loads(const struct umadrig_options *options, char *reterr, size_t reterr_size)
{
	for (char **text = options->loads; text && *text; text++) {
		struct load_order order;
		int ret = load_order_parse(*text, &order, reterr, reterr_size);

		if (ret < 0)
			return ret;
		load_order_clear(&order);
	}
	return 0;
}

/* The options between commas, to be freed; in a fault's quotes and brackets there may be commas. */
static char **split_options(const char *text)
{
	GPtrArray *words = g_ptr_array_new();

	while (*text) {
		size_t size = g_str_has_prefix(text, "fault=") ? list_word_size(text, ",") :
			      strcspn(text, ",");

		g_ptr_array_add(words, g_strndup(text, size));
		text += size;
		/* Behind the last comma an option is missing. */
		if (*text++ != ',')
			break;
		if (!*text)
			g_ptr_array_add(words, g_strdup(""));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, false);
}

int spec_parse(const char *text, spec_exists_fn *exists, struct spec *ret_spec, char *reterr,
	       size_t reterr_size)
{
	struct spec spec = { 0 };
	bool seen[G_N_ELEMENTS(known)] = { false };
	size_t end = file_length(text, exists ? exists : system_exists);
	g_auto(GStrv) words = NULL;

	spec.file = g_strndup(text, end);
	if (topology_begins_with_shape(text) && !(exists ? exists : system_exists)(spec.file)) {
		g_snprintf(reterr, reterr_size, "%s: there is no such file; a fabric of this shape "
			   "is written " TOPOLOGY_GENERATE "%s", text, text);
		spec_clear(&spec);
		return -EINVAL;
	}
	spec.options.seed = 1;
	spec.options.first_hi_tid = 1;
	if (text[end] == ',')
		words = split_options(text + end + 1);
	if (words && !words[0]) {
		spec_clear(&spec);
		g_snprintf(reterr, reterr_size, "%s: expected an option after the comma", text);
		return -EINVAL;
	}
	for (size_t i = 0; words && words[i]; i++) {
		if (set_word(&spec, words[i], seen, reterr, reterr_size) < 0) {
			spec_clear(&spec);
			return -EINVAL;
		}
	}
	if (check_faults(&spec.options, reterr, reterr_size) < 0 ||
	    check_loads(&spec.options, reterr, reterr_size) < 0 ||
	    check_quirks(&spec.options, reterr, reterr_size) < 0 ||
	    check_vfs(&spec.options, reterr, reterr_size) < 0 ||
	    check_kernels(&spec.options, reterr, reterr_size) < 0) {
		spec_clear(&spec);
		return -EINVAL;
	}
	*ret_spec = spec;
	return 0;
}

void spec_clear(struct spec *spec)
{
	g_clear_pointer(&spec->file, g_free);
	options_clear(&spec->options);
}
