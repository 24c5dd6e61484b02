/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The directives of a scenario script: settings, each a line that begins with a word.
 */
#include "harness/script/parse/directive.h"

#include <string.h>

#include "harness/script/parse/parse.h"
#include "harness/script/parse/script-file.h"
#include "kmod-stub/kmod.h"
#include "sim/dictionary/mad-dictionary.h"
#include "sim/topology/load.h"

/* A time in a directive: 1ms. */
static bool parse_define(struct parser *parser)
{
	struct define *define = arena_alloc(parser->arena, sizeof(*define));
	const struct token *name = parser_expect(parser, TOKEN_WORD, "the name to define");
	const struct token *open;
	struct expr *mad;

	if (!name || !parser_has_room(parser, name->place, parser->defines, SETTINGS_MAX))
		return false;
	define->place = name->place;
	define->name = name->text;
	define->params = arena_array(parser->arena);
	open = parser_accept(parser, TOKEN_LPAREN);
	if (open) {
		parser->nest++;
		do {
			const struct token *param = parser_expect(parser, TOKEN_WORD,
								  "the name of a parameter");

			if (!param)
				return false;
			g_ptr_array_add(define->params, (void *)param->text);
		} while (parser_accept(parser, TOKEN_COMMA));
		if (!parser_close(parser, open, TOKEN_RPAREN))
			return false;
		parser->nest--;
	}
	if (!parser_expect(parser, TOKEN_ASSIGN, "'='"))
		return false;
	mad = parse_mad(parser);
	if (!mad)
		return false;
	if (mad->kind != EXPR_MAD) {
		parser_error(parser, mad->place,
			     "expected a MAD, such as VendGet(0x0010) class=0x32");
		return false;
	}
	for (guint i = 0; i < parser->defines->len; i++) {
		const struct define *other = parser->defines->pdata[i];

		if (strcmp(other->name, define->name) == 0) {
			parser_refuse(parser, name->place, "%s is already defined, in line %u",
				     name->text, other->place.line);
			return false;
		}
	}
	define->mad = mad->mad;
	g_ptr_array_add(parser->defines, define);
	return true;
}

struct need_word {
	const char *word;
	enum need_kind kind;
	bool number, text;
};

static const struct need_word need_words[] = {
	{ "sim", NEED_SIM, false, false },
	{ "hw", NEED_HW, false, false },
	{ "peer", NEED_PEER, false, false },
	{ "ib", NEED_IB, false, false },
	{ "wire", NEED_WIRE, false, false },
	{ "ib_umad", NEED_IB_UMAD, false, false },
	{ "root", NEED_ROOT, false, false },
	{ "ports", NEED_PORTS, true, false },
	{ "program", NEED_PROGRAM, false, true },
	{ "module", NEED_MODULE, false, true },
};

const char *script_need(unsigned int at, const char **ret_takes)
{
	const struct need_word *word = need_words + at;

	*ret_takes = ">=N";
	if (at == G_N_ELEMENTS(need_words))
		return "kernel";
	if (at > G_N_ELEMENTS(need_words))
		return NULL;
	*ret_takes = word->number ? " N" : word->text ? " X" : "";
	return word->word;
}

static bool parse_need_kernel(struct parser *parser, struct need *need)
{
	const struct token *token;

	need->kind = NEED_KERNEL;
	if (!parser_expect(parser, TOKEN_GREATER_EQUAL, "'>='"))
		return false;
	token = parser_expect(parser, TOKEN_DECIMAL, "a version, such as 6.14");
	if (!token)
		return false;
	need->text = token->text;
	return true;
}

static bool parse_need(struct parser *parser)
{
	struct need *need = arena_alloc(parser->arena, sizeof(*need));
	const struct token *word =
		parser_expect(parser, TOKEN_WORD, "a need: sim, hw, peer, ...");
	const struct token *number;
	size_t i;

	if (!word ||
	    !parser_has_room(parser, word->place, parser->settings->needs, SETTINGS_MAX))
		return false;
	need->place = word->place;
	g_ptr_array_add(parser->settings->needs, need);
	if (strcmp(word->text, "kernel") == 0)
		return parse_need_kernel(parser, need);
	for (i = 0; i < G_N_ELEMENTS(need_words); i++) {
		if (strcmp(need_words[i].word, word->text) == 0)
			break;
	}
	if (i == G_N_ELEMENTS(need_words)) {
		parser_error(parser, word->place,
			     "there is no need '%s': a script may need sim, hw, peer, ib, wire, "
			     "ib_umad, "
			     "root, ports N, program X, module X, kernel>=N",
			     word->text);
		return false;
	}
	need->kind = need_words[i].kind;
	if (need_words[i].number) {
		number = parser_expect(parser, TOKEN_NUMBER, "a number of ports");
		if (!number)
			return false;
		need->number = number->number;
	}
	if (need_words[i].text) {
		need->text = parse_dashed(parser);
		return need->text != NULL;
	}
	return true;
}

static bool parse_needs(struct parser *parser)
{
	do {
		if (!parse_need(parser))
			return false;
	} while (parser_accept(parser, TOKEN_COMMA));
	return true;
}

static bool parse_tags(struct parser *parser)
{
	return parse_tag_list(parser, parser->settings->tags);
}

/* topology "file.net"|"generate:SPEC" [self="H1[1]"] [peer="H2[1]"] [state=cold] [partial=yes] */
static bool parse_topology(struct parser *parser)
{
	const struct token *file = parser_expect(parser, TOKEN_STRING, "the file's name in quotes");
	struct call_expr *args;

	if (!file)
		return false;
	parser->settings->topology = g_str_has_prefix(file->text, TOPOLOGY_GENERATE) ?
				     file->text : parser_beside(parser, file);
	parser->settings->topology_place = file->place;
	args = parse_bare_args(parser, "topology", file->place);
	if (!args)
		return false;
	for (guint i = 0; i < args->args->len; i++) {
		const struct call_arg *arg = args->args->pdata[i];

		if (strcmp(arg->name, "state") == 0 && arg->value->kind == EXPR_WORD &&
		    (strcmp(arg->value->text, "cold") == 0 ||
		     strcmp(arg->value->text, "active") == 0)) {
			parser->settings->cold = strcmp(arg->value->text, "cold") == 0;
			continue;
		}
		if (strcmp(arg->name, "partial") == 0 && arg->value->kind == EXPR_WORD &&
		    (strcmp(arg->value->text, "yes") == 0 || strcmp(arg->value->text, "no") == 0)) {
			parser->settings->partial = strcmp(arg->value->text, "yes") == 0;
			continue;
		}
		if (arg->value->kind != EXPR_STRING) {
			parser_error(parser, arg->value->place,
				     "expected a port in quotes, such as \"H1[1]\"");
			return false;
		}
		if (strcmp(arg->name, "self") == 0)
			parser->settings->self = arg->value;
		else if (strcmp(arg->name, "peer") == 0)
			parser->settings->peer = arg->value;
		else {
			parser_error(parser, arg->place,
				     "expected self=, peer=, state=cold, state=active or "
				     "partial=yes");
			return false;
		}
	}
	return true;
}

/* tolerance hw -4ms +25ms +12.5% per-try +8ms */
static bool parse_tolerance(struct parser *parser)
{
	struct tolerance tolerance = parser->settings->tolerance;
	const struct token *percent;

	if (!parser_accept_word(parser, "hw")) {
		parser_expected(parser, "'hw' (the simulator is exact)");
		return false;
	}
	if (!parser_expect(parser, TOKEN_MINUS, "'-' and how early") ||
	    !parse_duration(parser, "a time, such as 4ms", &tolerance.early_ns) ||
	    !parser_expect(parser, TOKEN_PLUS, "'+' and how late") ||
	    !parse_duration(parser, "a time, such as 25ms", &tolerance.late_ns))
		return false;
	if (parser_peek(parser)->kind == TOKEN_PLUS) {
		parser_next(parser);
		percent = parser_expect(parser, TOKEN_PERCENT, "a percentage, such as 12.5%");
		if (!percent)
			return false;
		if (percent->number % 1000 != 0) {
			parser_refuse(parser, percent->place, "a tolerance has three decimals at "
				     "most");
			return false;
		}
		tolerance.late_millipercent = percent->number / 1000;
	}
	if (parser_accept_word(parser, "per")) {
		if (!parser_expect(parser, TOKEN_MINUS, "'per-try'"))
			return false;
		if (!parser_accept_word(parser, "try")) {
			parser_expected(parser, "'per-try'");
			return false;
		}
		if (!parser_expect(parser, TOKEN_PLUS, "'+' and how much later a try may be") ||
		    !parse_duration(parser, "a time, such as 8ms", &tolerance.per_try_ns))
			return false;
	}
	parser->settings->tolerance = tolerance;
	return true;
}

static bool parse_seed(struct parser *parser)
{
	const struct token *seed = parser_expect(parser, TOKEN_NUMBER, "a number");

	if (!seed)
		return false;
	parser->settings->seed = seed->number;
	parser->settings->seed_set = true;
	return true;
}

/* schedule N|$NAME */
static bool parse_schedule(struct parser *parser)
{
	const struct expr *value = parse_value(parser);

	if (!value)
		return false;
	parser->settings->schedule = value;
	if (value->kind == EXPR_NUMBER || value->kind == EXPR_USE || value->kind == EXPR_BINARY)
		return true;
	parser_refuse(parser, value->place, "expected a number, or $NAME of a line 'vary'");
	return false;
}

static bool parse_latency(struct parser *parser)
{
	return parse_duration(parser, "a time, such as 1ms", &parser->settings->latency_ns);
}

/* clock virtual|real */
static bool parse_clock(struct parser *parser)
{
	struct settings *settings = parser->settings;

	settings->virtual_clock = parser_accept_word(parser, "virtual");
	settings->real_clock = !settings->virtual_clock && parser_accept_word(parser, "real");
	if (settings->virtual_clock || settings->real_clock)
		return true;
	parser_expected(parser, "'virtual' or 'real', the time that programs live in");
	return false;
}

static bool parse_timeout(struct parser *parser)
{
	return parse_duration(parser, "a time, such as 30s", &parser->settings->timeout_ns);
}

/* ignore > class=0x81 */
static bool parse_ignore(struct parser *parser)
{
	struct place place = parser_peek(parser)->place;
	struct mad_expr *fields;
	struct expr *mad;

	if (!parser_expect(parser, TOKEN_GREATER, "'>'") ||
	    !parser_has_room(parser, place, parser->settings->ignores, SETTINGS_MAX))
		return false;
	if (parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN ||
	    parser_peek_at(parser, 1)->kind == TOKEN_LBRACKET) {
		fields = parse_fields(parser, place);
		if (!fields)
			return false;
		g_ptr_array_add(parser->settings->ignores, fields);
		return true;
	}
	mad = parse_mad(parser);
	if (!mad)
		return false;
	if (mad->kind != EXPR_MAD) {
		parser_error(parser, mad->place, "expected a MAD or fields to ignore");
		return false;
	}
	g_ptr_array_add(parser->settings->ignores, (void *)mad->mad);
	return true;
}

/* linux-6.17 */
static bool parse_one_profile(struct parser *parser, enum kmod_profile *ret_profile)
{
	struct place place = parser_peek(parser)->place;
	g_autoptr(GString) name = g_string_new(NULL);
	g_autoptr(GString) known = g_string_new(NULL);
	const char *text = parse_dashed(parser);

	if (!text)
		return false;
	g_string_append(name, text);
	if (parser_accept(parser, TOKEN_MINUS)) {
		const struct token *version =
			parser_expect(parser, TOKEN_DECIMAL, "a version, such as 6.1");

		if (!version)
			return false;
		g_string_append_printf(name, "-%s", version->text);
	}
	if (kmod_profile_find(name->str, ret_profile))
		return true;
	for (unsigned int i = 0; i < KMOD_PROFILE_COUNT; i++)
		g_string_append_printf(known, "%s%s", i > 0 ? ", " : "",
				       kmod_profile_name((enum kmod_profile)i));
	parser_refuse(parser, place, "there is no profile %s: there are %s", name->str, known->str);
	return false;
}

/* profile linux-6.12, linux-6.17 */
static bool parse_profile(struct parser *parser)
{
	struct settings *settings = parser->settings;

	settings->profiles = 0;
	do {
		enum kmod_profile profile;

		if (!parse_one_profile(parser, &profile))
			return false;
		if (settings->profiles == 0)
			settings->profile = profile;
		settings->profiles |= 1U << profile;
	} while (parser_accept(parser, TOKEN_COMMA));
	return true;
}

static void settings_copy(struct arena *arena, struct settings *to, const struct settings *from)
{
	*to = *from;
	to->tags = arena_array(arena);
	to->needs = arena_array(arena);
	to->ignores = arena_array(arena);
	to->varies = arena_array(arena);
	to->payloads = arena_array(arena);
	for (guint i = 0; i < from->tags->len; i++)
		g_ptr_array_add(to->tags, from->tags->pdata[i]);
	for (guint i = 0; i < from->needs->len; i++)
		g_ptr_array_add(to->needs, from->needs->pdata[i]);
	for (guint i = 0; i < from->ignores->len; i++)
		g_ptr_array_add(to->ignores, from->ignores->pdata[i]);
	for (guint i = 0; i < from->varies->len; i++)
		g_ptr_array_add(to->varies, from->varies->pdata[i]);
	for (guint i = 0; i < from->payloads->len; i++)
		g_ptr_array_add(to->payloads, from->payloads->pdata[i]);
}

static void check_title(struct parser *parser, const struct token *title)
{
	const struct scenario *other = g_hash_table_lookup(parser->titles, title->text);

	if (other)
		parser_refuse(parser, title->place, "line %u begins a scenario of the same name",
			     other->place.line);
}

/* How many entries a scenario takes over from the file. */
static bool take_over(struct parser *parser, struct place place)
{
	const struct settings *from = &parser->file_settings;

	parser->inherited += 1 + from->tags->len + from->needs->len + from->ignores->len +
			     from->varies->len + from->payloads->len + parser->file_defines->len;
	if (parser->inherited <= INHERITED_MAX)
		return true;
	parser_refuse(parser, place, "the directives above the first scenario are too many for so "
		     "many scenarios");
	return false;
}

/* The scenario begins even without a title, so that its events are not reported as errors. */
static bool parse_scenario(struct parser *parser)
{
	struct place place = parser_peek(parser)->place;
	const struct token *title = parser_expect(parser, TOKEN_STRING,
						  "what the scenario shows, in quotes");
	struct scenario *scenario = arena_alloc(parser->arena, sizeof(*scenario));

	if (!take_over(parser, place))
		return false;
	scenario->place = place;
	scenario->title = title ? title->text : "";
	scenario->items = arena_array(parser->arena);
	scenario->lost = arena_array(parser->arena);
	scenario->defines = arena_array(parser->arena);
	settings_copy(parser->arena, &scenario->settings, &parser->file_settings);
	for (guint i = 0; i < parser->file_defines->len; i++)
		g_ptr_array_add(scenario->defines, parser->file_defines->pdata[i]);
	if (title)
		check_title(parser, title);
	g_hash_table_insert(parser->titles, (gpointer)scenario->title, scenario);
	g_ptr_array_add(parser->script->scenarios, scenario);
	parser->scenario = scenario;
	parser->settings = &scenario->settings;
	parser->defines = scenario->defines;
	parser->items = scenario->items;
	return title != NULL;
}

/* ---- the table ---- */

struct directive {
	const char *word;
	bool (*parse)(struct parser *parser);
	bool in_block;
};

static const struct directive directives[] = {
	{ "scenario", parse_scenario, false },
	{ "tags", parse_tags, false },
	{ "needs", parse_needs, false },
	{ "topology", parse_topology, false },
	{ "include", parse_include, false },
	{ "define", parse_define, true },
	{ "tolerance", parse_tolerance, false },
	{ "timeout", parse_timeout, false },
	{ "latency", parse_latency, false },
	{ "clock", parse_clock, false },
	{ "seed", parse_seed, false },
	{ "schedule", parse_schedule, false },
	{ "ignore", parse_ignore, true },
	{ "replay", parse_replay, false },
	{ "vary", parse_vary, false },
	{ "data", parse_data, false },
	{ "profile", parse_profile, false },
	{ "on", parse_on, true },
};

static const char *const directive_words[] = {
	"scenario", "tags", "needs", "topology", "include", "define", "tolerance", "timeout",
	"latency", "seed", "ignore", "replay", "on", "each", "vary", "data", "profile",
	"clock", "schedule", NULL,
};

const char *const *script_directives(void)
{
	return directive_words;
}

bool parse_directive(struct parser *parser, bool in_block)
{
	const struct token *word = parser_next(parser);
	const char *closest;

	if (strcmp(word->text, "each") == 0)
		return parse_each(parser, word->place);
	for (size_t i = 0; i < G_N_ELEMENTS(directives); i++) {
		if (strcmp(directives[i].word, word->text) != 0)
			continue;
		if (in_block && !directives[i].in_block) {
			parser_error(parser, word->place, "'%s' cannot be inside a block",
				     word->text);
			return false;
		}
		return directives[i].parse(parser);
	}
	closest = mad_closest(word->text, directive_words);
	if (closest) {
		parser_error(parser, word->place, "there is no directive '%s': did you mean "
			     "%s?", word->text,
			     closest);
		/* What follows belongs to it. */
		if (strcmp(closest, "scenario") == 0 && !in_block)
			parse_scenario(parser);
		return false;
	}
	parser_error(parser, word->place,
		     "an event begins with its time (0, 100ms, +1ms), a directive with a "
		     "known word; '%s' is neither", word->text);
	return false;
}
