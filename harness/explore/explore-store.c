/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What is kept of an exploration: see harness/explore/explore-store.h.
 */
#include "config.h"

#include "harness/explore/explore-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/base/directory-names.h"
#include "harness/base/whole-file.h"
#include "lib/words/number.h"
#include "sim/system/private-directory.h"

#define STATE_VERSION 1
#define STATE "state"
#define LOCK "lock"
#define GENERAL "explore"
#define TRAITS "traits"
#define KINDS "kinds"
#define ENTRY "entry "
#define FAILURE "failure "

/* ---- the directory ---- */

static bool lock(struct explore_store *store, GError **error)
{
	g_autofree char *path = g_build_filename(store->path, LOCK, NULL);

	store->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (store->lock >= 0 && flock(store->lock, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (store->lock >= 0 && errno == EWOULDBLOCK)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: another umadrig explore is "
			    "at work there", store->path);
	else
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", path,
			    g_strerror(errno));
	return false;
}

/* Runs of a call that was killed: they are done again. */
static void remove_left(const char *path)
{
	g_auto(GStrv) names = directory_names(path);

	for (char **name = names; name && *name; name++) {
		g_autofree char *left = g_build_filename(path, *name, NULL);

		if (g_str_has_prefix(*name, "run-") || g_str_has_prefix(*name, "try-"))
			remove_tree(left);
	}
}

bool explore_store_begin(struct explore_store *store, const char *path, GError **error)
{
	*store = (struct explore_store){ .lock = -1 };
	if (g_mkdir(path, 0777) < 0 && errno != EEXIST) {
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", path,
			    g_strerror(errno));
		return false;
	}
	store->path = g_canonicalize_filename(path, NULL);
	if (!lock(store, error))
		return false;
	remove_left(store->path);
	return true;
}

void explore_store_end(struct explore_store *store)
{
	if (store->lock >= 0)
		close(store->lock);
	g_free(store->path);
	*store = (struct explore_store){ .lock = -1 };
}

void explore_state_clear(struct explore_state *state)
{
	g_strfreev(state->words);
	*state = (struct explore_state){ .next = 0 };
}

/* ---- writing ---- */

static void set_text(GKeyFile *file, const char *group, const char *key, const char *text)
{
	g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;

	if (valid)
		g_key_file_set_string(file, group, key, valid);
}

static void set_list(GKeyFile *file, const char *group, const char *key, char *const *list)
{
	g_key_file_set_string_list(file, group, key, (const char *const *)list,
				   g_strv_length((char **)list));
}

/* 'prefix': "" or "least-". */
static void set_point(GKeyFile *file, const char *group, const char *prefix,
		      const struct explore_point *point)
{
	char schedule[SCHEDULE_TEXT_SIZE];
	g_autofree char *seed = g_strconcat(prefix, "seed", NULL);
	g_autofree char *of_schedule = g_strconcat(prefix, "schedule", NULL);
	g_autofree char *switches = g_strconcat(prefix, "switches", NULL);
	g_autofree char *faults = g_strconcat(prefix, "faults", NULL);
	g_autofree char *instant = g_strconcat(prefix, "instant", NULL);

	g_key_file_set_uint64(file, group, seed, point->seed);
	set_text(file, group, of_schedule, schedule_text(&point->schedule, schedule));
	set_text(file, group, switches, point->switches);
	set_list(file, group, faults, point->faults);
	g_key_file_set_uint64(file, group, instant, point->instant);
}

static void set_way(GKeyFile *file, const struct explore_way *way, guint at)
{
	g_autofree char *group = g_strdup_printf(FAILURE "%u", at + 1);
	g_autofree char *name = way->directory ? g_path_get_basename(way->directory) : NULL;

	g_key_file_set_integer(file, group, "kind", (int)way->verdict.kind);
	g_key_file_set_integer(file, group, "number", way->verdict.number);
	set_text(file, group, "text", way->verdict.text);
	set_text(file, group, "signature", way->verdict.signature);
	g_key_file_set_uint64(file, group, "first", way->first);
	g_key_file_set_uint64(file, group, "count", way->count);
	set_point(file, group, "", &way->point);
	if (way->least.faults)
		set_point(file, group, "least-", &way->least);
	set_text(file, group, "directory", name);
	set_text(file, group, "command", way->command);
}

static void set_entries(GKeyFile *file, const struct explore_corpus *corpus)
{
	for (guint i = 0; i < corpus->entries->len; i++) {
		const struct explore_entry *entry = corpus->entries->pdata[i];
		g_autofree char *group = g_strdup_printf(ENTRY "%u", i + 1);

		g_key_file_set_uint64(file, group, "run", entry->run);
		set_point(file, group, "", &entry->point);
		g_key_file_set_uint64(file, group, "picked", entry->picked);
	}
}

/* The texts of a hash table's keys, sorted: no order of its own reaches the file. */
static GList *sorted_keys(GHashTable *table)
{
	return g_list_sort(g_hash_table_get_keys(table), (GCompareFunc)strcmp);
}

static void set_traits(GKeyFile *file, const struct explore_corpus *corpus)
{
	GList *texts = sorted_keys(corpus->traits);
	unsigned int number = 0;

	for (const GList *at = texts; at; at = at->next) {
		const struct explore_trait *trait = g_hash_table_lookup(corpus->traits, at->data);
		g_autofree char *key = g_strdup_printf("%u", ++number);
		g_autofree char *value = g_strdup_printf("%u %u %s", trait->count, trait->first,
							 trait->text);

		set_text(file, TRAITS, key, value);
	}
	g_list_free(texts);
}

static void set_kinds(GKeyFile *file, GHashTable *kinds)
{
	GList *names = sorted_keys(kinds);

	for (const GList *at = names; at; at = at->next)
		g_key_file_set_uint64(file, KINDS, at->data, GPOINTER_TO_UINT(
			g_hash_table_lookup(kinds, at->data)));
	g_list_free(names);
}

static void set_hashes(GKeyFile *file, const char *key, GHashTable *hashes)
{
	GList *texts = sorted_keys(hashes);
	g_autoptr(GString) all = g_string_new(NULL);

	for (const GList *at = texts; at; at = at->next)
		g_string_append_printf(all, "%s%s", all->len > 0 ? " " : "", (char *)at->data);
	g_key_file_set_string(file, GENERAL, key, all->str);
	g_list_free(texts);
}

static void set_numbers(GKeyFile *file, const char *key, const unsigned int *numbers)
{
	int values[EXPLORE_VARIATIONS];

	for (unsigned int i = 0; i < EXPLORE_VARIATIONS; i++)
		values[i] = (int)numbers[i];
	g_key_file_set_integer_list(file, GENERAL, key, values, EXPLORE_VARIATIONS);
}

bool explore_store_write(const char *path, const struct explore_state *state,
			 const struct explore_guide *guide, const struct explore_report *report,
			 GError **error)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autofree char *where = g_build_filename(path, STATE, NULL), *text = NULL;
	gsize size;

	g_key_file_set_integer(file, GENERAL, "version", STATE_VERSION);
	set_list(file, GENERAL, "test", state->words);
	g_key_file_set_uint64(file, GENERAL, "part", state->part);
	g_key_file_set_uint64(file, GENERAL, "parts", state->parts);
	g_key_file_set_uint64(file, GENERAL, "next", state->next);
	g_key_file_set_uint64(file, GENERAL, "points", state->points);
	g_key_file_set_uint64(file, GENERAL, "instants", state->instants);
	g_key_file_set_uint64(file, GENERAL, "in-turn", guide->in_turn);
	g_key_file_set_uint64(file, GENERAL, "runs", report->runs);
	g_key_file_set_uint64(file, GENERAL, "failed", report->failures);
	g_key_file_set_uint64(file, GENERAL, "mads", report->mads);
	g_key_file_set_uint64(file, GENERAL, "met", report->met);
	g_key_file_set_uint64(file, GENERAL, "picks", guide->corpus.picks);
	g_key_file_set_uint64(file, GENERAL, "last", guide->corpus.last);
	set_numbers(file, "tried", guide->tried);
	set_numbers(file, "fresh", guide->fresh);
	set_hashes(file, "orders", report->orders);
	set_hashes(file, "captures", report->contents);
	for (guint i = 0; i < report->ways->len; i++)
		set_way(file, &g_array_index(report->ways, struct explore_way, i), i);
	set_entries(file, &guide->corpus);
	set_kinds(file, report->kinds);
	set_traits(file, &guide->corpus);
	text = g_key_file_to_data(file, &size, NULL);
	return whole_file_write(where, text, size, 0666, error);
}

/* ---- reading ---- */

/* A file that is being read; 'wrong' has what was not as expected, or is NULL. */
struct reading {
	GKeyFile *file;
	const char *path;	/* of the directory */
	char *wrong;
};

static void is_wrong(struct reading *reading, const char *group, const char *key)
{
	if (!reading->wrong)
		reading->wrong = g_strdup_printf("[%s] %s", group, key);
}

static uint64_t get_number(struct reading *reading, const char *group, const char *key,
			   uint64_t max)
{
	g_autofree char *text = g_key_file_get_value(reading->file, group, key, NULL);
	uint64_t number = 0;

	if (!text || number_parse(text, 0, max, &number) < 0)
		is_wrong(reading, group, key);
	return number;
}

/* NULL: it is not there. */
static char *get_text(struct reading *reading, const char *group, const char *key)
{
	return g_key_file_get_string(reading->file, group, key, NULL);
}

static struct explore_point get_point(struct reading *reading, const char *group,
				      const char *prefix)
{
	g_autofree char *seed = g_strconcat(prefix, "seed", NULL);
	g_autofree char *of_schedule = g_strconcat(prefix, "schedule", NULL);
	g_autofree char *switches = g_strconcat(prefix, "switches", NULL);
	g_autofree char *faults = g_strconcat(prefix, "faults", NULL);
	g_autofree char *instant = g_strconcat(prefix, "instant", NULL);
	g_autofree char *schedule = get_text(reading, group, of_schedule);
	struct explore_point point = { .seed = get_number(reading, group, seed, UINT64_MAX) };

	if (!schedule || schedule_parse(schedule, &point.schedule) < 0)
		is_wrong(reading, group, of_schedule);
	point.switches = get_text(reading, group, switches);
	point.faults = g_key_file_get_string_list(reading->file, group, faults, NULL, NULL);
	if (!point.faults) {
		is_wrong(reading, group, faults);
		point.faults = g_new0(char *, 1);
	}
	point.instant = get_number(reading, group, instant, UINT64_MAX);
	return point;
}

static void get_way(struct reading *reading, const char *group, struct explore_report *report)
{
	g_autofree char *name = get_text(reading, group, "directory");
	struct explore_way way = { .directory = NULL };

	way.count = (unsigned int)get_number(reading, group, "count", UINT_MAX);
	way.first = (unsigned int)get_number(reading, group, "first", UINT_MAX);
	way.verdict.kind = (enum explore_kind)get_number(reading, group, "kind", EXPLORE_DIFFERS);
	way.verdict.number = g_key_file_get_integer(reading->file, group, "number", NULL);
	way.verdict.text = get_text(reading, group, "text");
	way.verdict.signature = get_text(reading, group, "signature");
	if (!way.verdict.text || way.verdict.kind == EXPLORE_PASSED)
		is_wrong(reading, group, "text");
	way.point = get_point(reading, group, "");
	if (g_key_file_has_key(reading->file, group, "least-seed", NULL))
		way.least = get_point(reading, group, "least-");
	/* A name, not a way to somewhere else. */
	if (name && strchr(name, '/'))
		is_wrong(reading, group, "directory");
	else if (name)
		way.directory = g_build_filename(reading->path, name, NULL);
	way.command = get_text(reading, group, "command");
	g_array_append_val(report->ways, way);
}

static void get_entry(struct reading *reading, const char *group, struct explore_corpus *corpus)
{
	struct explore_point point = get_point(reading, group, "");
	unsigned int run = (unsigned int)get_number(reading, group, "run", UINT_MAX);
	struct explore_entry *entry = explore_corpus_add(corpus, run, &point);

	entry->picked = (unsigned int)get_number(reading, group, "picked", UINT_MAX);
}

/* "COUNT FIRST TEXT". */
static void get_trait(struct reading *reading, const char *key, struct explore_corpus *corpus)
{
	g_autofree char *value = get_text(reading, TRAITS, key);
	g_auto(GStrv) parts = g_strsplit(value ? value : "", " ", 3);
	struct explore_trait *trait;
	uint64_t count, first;

	if (g_strv_length(parts) != 3 || number_parse(parts[0], 1, UINT_MAX, &count) < 0 ||
	    number_parse(parts[1], 1, UINT_MAX, &first) < 0) {
		is_wrong(reading, TRAITS, key);
		return;
	}
	trait = explore_corpus_trait(corpus, parts[2], (unsigned int)first);
	if (trait)
		trait->count = (unsigned int)count;
}

static void get_keys(struct reading *reading, struct explore_guide *guide,
		     struct explore_report *report)
{
	g_auto(GStrv) traits = g_key_file_get_keys(reading->file, TRAITS, NULL, NULL);
	g_auto(GStrv) kinds = g_key_file_get_keys(reading->file, KINDS, NULL, NULL);

	for (char **key = traits; key && *key; key++)
		get_trait(reading, *key, &guide->corpus);
	for (char **key = kinds; key && *key; key++)
		g_hash_table_insert(report->kinds, g_strdup(*key), GUINT_TO_POINTER(
			(guint)get_number(reading, KINDS, *key, UINT_MAX)));
}

static void get_hashes(struct reading *reading, const char *key, GHashTable *hashes)
{
	g_autofree char *text = get_text(reading, GENERAL, key);
	g_auto(GStrv) words = g_strsplit(text ? text : "", " ", 0);

	for (char **word = words; *word; word++)
		g_hash_table_add(hashes, g_strdup(*word));
}

static void get_numbers(struct reading *reading, const char *key, unsigned int *numbers)
{
	gsize size = 0;
	g_autofree gint *values = g_key_file_get_integer_list(reading->file, GENERAL, key, &size,
							      NULL);

	for (gsize i = 0; i < EXPLORE_VARIATIONS; i++) {
		if (i >= size || values[i] < 0)
			is_wrong(reading, GENERAL, key);
		else
			numbers[i] = (unsigned int)values[i];
	}
}

static unsigned int get_unsigned(struct reading *reading, const char *key)
{
	return (unsigned int)get_number(reading, GENERAL, key, UINT_MAX);
}

static void get_general(struct reading *reading, struct explore_state *state,
			struct explore_guide *guide, struct explore_report *report)
{
	if (get_number(reading, GENERAL, "version", UINT_MAX) != STATE_VERSION)
		is_wrong(reading, GENERAL, "version");
	state->words = g_key_file_get_string_list(reading->file, GENERAL, "test", NULL, NULL);
	if (!state->words)
		is_wrong(reading, GENERAL, "test");
	state->part = get_unsigned(reading, "part");
	state->parts = get_unsigned(reading, "parts");
	if (state->part < 1 || state->part > state->parts)
		is_wrong(reading, GENERAL, "part");
	state->next = get_unsigned(reading, "next");
	state->points = get_number(reading, GENERAL, "points", UINT64_MAX);
	state->instants = get_number(reading, GENERAL, "instants", UINT64_MAX);
	guide->in_turn = get_unsigned(reading, "in-turn");
	guide->corpus.picks = get_unsigned(reading, "picks");
	guide->corpus.last = get_unsigned(reading, "last");
	report->runs = get_unsigned(reading, "runs");
	report->failures = get_unsigned(reading, "failed");
	report->mads = get_number(reading, GENERAL, "mads", UINT64_MAX);
	report->met = get_number(reading, GENERAL, "met", UINT64_MAX);
	get_numbers(reading, "tried", guide->tried);
	get_numbers(reading, "fresh", guide->fresh);
	get_hashes(reading, "orders", report->orders);
	get_hashes(reading, "captures", report->contents);
}

static void get_groups(struct reading *reading, struct explore_guide *guide,
		       struct explore_report *report)
{
	g_auto(GStrv) groups = g_key_file_get_groups(reading->file, NULL);

	for (char **group = groups; *group; group++) {
		if (g_str_has_prefix(*group, ENTRY))
			get_entry(reading, *group, &guide->corpus);
		else if (g_str_has_prefix(*group, FAILURE))
			get_way(reading, *group, report);
	}
}

bool explore_store_read(const char *path, struct explore_state *state,
			struct explore_guide *guide, struct explore_report *report, GError **error)
{
	g_autofree char *where = g_build_filename(path, STATE, NULL);
	struct reading reading = { .file = g_key_file_new(), .path = path };
	g_autoptr(GKeyFile) file = reading.file;
	g_autoptr(GError) why = NULL;
	g_autofree char *wrong = NULL;

	*state = (struct explore_state){ .next = 0 };
	if (!g_key_file_load_from_file(file, where, G_KEY_FILE_NONE, &why)) {
		if (g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
			return true;
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: %s", where, why->message);
		return false;
	}
	get_general(&reading, state, guide, report);
	get_groups(&reading, guide, report);
	get_keys(&reading, guide, report);
	explore_corpus_bind(&guide->corpus);
	wrong = reading.wrong;
	if (wrong)
		g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s: '%s' is not as umadrig "
			    "explore has written it: remove the directory, or name another one",
			    where, wrong);
	return !wrong;
}
