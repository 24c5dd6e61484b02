/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Warnings about scripts: see harness/script/check/lint.h.
 *
 * Whether a name is used is told by the words of the script and of all that it includes: one that
 * also means something else there counts as used. What an included file defines may be for others.
 */
#include "harness/script/check/lint.h"

#include <string.h>

#include "harness/script/parse/lex.h"
#include "harness/script/tree/value.h"

struct linter {
	struct script *script;
	struct diagnostics *diagnostics;
	GHashTable *words;	/* const char * -> how often it is a word: look-up only */
	GHashTable *uses;	/* the same of $NAME */
};

static void warn(const struct linter *linter, struct place place, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static void warn(const struct linter *linter, struct place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diagnose_va(linter->diagnostics, place, false, format, args);
	va_end(args);
}

static void count(GHashTable *table, const char *word)
{
	guint before = GPOINTER_TO_UINT(g_hash_table_lookup(table, word));

	g_hash_table_insert(table, (gpointer)word, GUINT_TO_POINTER(before + 1));
}

static guint counted(GHashTable *table, const char *word)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(table, word));
}

/* ---- line by line ---- */

/* A second line of these replaces the first. */
static const char *const single[] = {
	"topology", "timeout", "latency", "seed", "replay", "profile", "tolerance", "clock",
	"schedule",
	NULL,
};

/* Line ends of another system: they are read, but tools on this one show them. */
static void lint_line_ends(const struct linter *linter, const struct source *source)
{
	const char *end = memchr(source->text, '\r', source->size);

	if (end)
		warn(linter, (struct place) { .source = source },
		     "lines end with CR LF: 'umadrig format' makes it LF");
}

/* Reports a setting that is made twice for one scenario, or twice above all of them. */
static void lint_setting(const struct linter *linter, const struct token *word, GHashTable *made)
{
	guint line = counted(made, word->text);

	if (!g_strv_contains(single, word->text))
		return;
	if (line != 0)
		warn(linter, word->place, "this replaces '%s' of line %u", word->text, line);
	g_hash_table_insert(made, (gpointer)word->text, GUINT_TO_POINTER(word->place.line));
}

static void lint_tokens(const struct linter *linter, const struct source *source)
{
	g_autoptr(GArray) tokens = script_lex(linter->script, source);
	g_autoptr(GHashTable) made = g_hash_table_new(g_str_hash, g_str_equal);
	bool begins = true;

	for (guint i = 0; i < tokens->len; i++) {
		const struct token *token = &g_array_index(tokens, struct token, i);

		if (token->kind == TOKEN_WORD)
			count(linter->words, token->text);
		else if (token->kind == TOKEN_USE)
			count(linter->uses, token->text);
		if (begins && token->kind == TOKEN_WORD && strcmp(token->text, "scenario") == 0)
			g_hash_table_remove_all(made);
		else if (begins && token->kind == TOKEN_WORD)
			lint_setting(linter, token, made);
		begins = token->kind == TOKEN_NEWLINE;
	}
}

/* ---- names ---- */

/* Is the name a word only where it is made, and never $NAME? */
static bool is_unused(const struct linter *linter, struct place place, const char *name)
{
	return place.source == linter->script->source && counted(linter->words, name) < 2 &&
	       counted(linter->uses, name) == 0;
}

static void lint_names(const struct linter *linter, const struct scenario *scenario)
{
	const struct settings *settings = &scenario->settings;

	for (guint i = 0; i < scenario->defines->len; i++) {
		const struct define *define = scenario->defines->pdata[i];

		if (is_unused(linter, define->place, define->name))
			warn(linter, define->place, "nothing uses %s", define->name);
	}
	for (guint i = 0; i < settings->payloads->len; i++) {
		const struct payload *payload = settings->payloads->pdata[i];

		if (is_unused(linter, payload->place, payload->name))
			warn(linter, payload->place, "nothing uses the data %s", payload->name);
	}
	for (guint i = 0; i < settings->varies->len; i++) {
		const struct vary *vary = settings->varies->pdata[i];

		for (guint j = 0; j < vary->names->len; j++) {
			const char *name = vary->names->pdata[j];

			if (is_unused(linter, vary->place, name))
				warn(linter, vary->place, "%s varies, but nothing uses $%s", name,
				     name);
		}
	}
}

static void lint_tags(const struct linter *linter, const struct scenario *scenario)
{
	const GPtrArray *tags = scenario->settings.tags;
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < tags->len; i++) {
		if (!g_hash_table_add(seen, tags->pdata[i]))
			warn(linter, scenario->place, "the scenario has the tag %s twice",
			     (const char *)tags->pdata[i]);
	}
}

/* ---- what never happens ---- */

static bool needs(const struct scenario *scenario, enum need_kind kind)
{
	for (guint i = 0; i < scenario->settings.needs->len; i++) {
		const struct need *need = scenario->settings.needs->pdata[i];

		if (need->kind == kind)
			return true;
	}
	return false;
}

/* Why the scenario never runs in that world; or NULL. */
static const char *never_in(const struct scenario *scenario, bool on_sim)
{
	if (on_sim)
		return needs(scenario, NEED_HW) ? "needs hw" : NULL;
	if (needs(scenario, NEED_SIM))
		return "needs sim";
	return scenario->settings.topology || scenario->settings.replay ?
	       "names its fabric, which only the simulator has" : NULL;
}

static void lint_items(const struct linter *linter, const struct scenario *scenario,
		       const GPtrArray *items)
{
	for (guint i = 0; i < items->len; i++) {
		const struct item *item = items->pdata[i];
		const char *why = item->kind == ITEM_ON ? never_in(scenario, item->on_sim) : NULL;

		if (why)
			warn(linter, item->place, "these events never happen: the scenario %s",
			     why);
		if (item->kind != ITEM_EACH)
			continue;
		if (item->each->rows->len == 0)
			warn(linter, item->place, "there are no rows: these events never happen");
		for (guint j = 0; j < item->each->params->len; j++) {
			const char *name = item->each->params->pdata[j];

			if (is_unused(linter, item->place, name))
				warn(linter, item->place, "the rows have a value for %s, but "
				     "nothing uses $%s", name, name);
		}
		lint_items(linter, scenario, item->each->items);
	}
}

/* Lines behind the end of the scenario's time. */
static void lint_point(const struct linter *linter, const struct point *point)
{
	int64_t timeout_ns = point->scenario->settings.timeout_ns;
	char buf[32];

	for (guint i = 0; timeout_ns > 0 && i < point->steps->len; i++) {
		const struct plan_step *step = point->steps->pdata[i];

		if (step->when.is_known && step->when.from_ns > timeout_ns) {
			warn(linter, step->time.place, "this never happens: the scenario must be "
			     "over after %s", time_format(timeout_ns, buf, sizeof(buf)));
			return;
		}
	}
}

static void lint_scenario(const struct linter *linter, const struct plan_scenario *of)
{
	const struct scenario *scenario = of->scenario;

	lint_names(linter, scenario);
	lint_tags(linter, scenario);
	lint_items(linter, scenario, scenario->items);
	if (of->points[1]->len == 0)
		warn(linter, scenario->place, "this scenario has no points: what varies has no "
		     "values");
	for (guint i = 0; i < of->points[1]->len; i++)
		lint_point(linter, of->points[1]->pdata[i]);
}

void script_lint(struct script *script, const struct plan *plan)
{
	struct linter linter = {
		.script = script,
		.diagnostics = script->diagnostics,
		.words = g_hash_table_new(g_str_hash, g_str_equal),
		.uses = g_hash_table_new(g_str_hash, g_str_equal),
	};

	for (guint i = 0; i < script->sources->len; i++) {
		lint_line_ends(&linter, script->sources->pdata[i]);
		lint_tokens(&linter, script->sources->pdata[i]);
	}
	for (guint i = 0; i < plan->scenarios->len; i++)
		lint_scenario(&linter, plan->scenarios->pdata[i]);
	g_hash_table_unref(linter.words);
	g_hash_table_unref(linter.uses);
}
