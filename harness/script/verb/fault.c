/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * fault ACT [RATE] [COUNT|all] [MAD] [from|to|on PORT] [after N] [by T] [at BYTE]
 * [where "FILTER"] ...: a fault on a cable. What is known before the line runs is checked here;
 * then it becomes the text that the simulator reads everywhere (sim/fabric/fault-sentence.c), with
 * the values of its names.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/check/needs.h"
#include "harness/script/mad/pattern.h"
#include "harness/script/parse/mad-expr.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/peer-line.h"
#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-filter-word.h"
#include "sim/fabric/fault-where.h"
#include "sim/fabric/fault.h"
#include "sim/fabric/lie.h"
#include "sim/filter/mad-filter.h"

struct fault_step {
	struct step step;
	/*
	 * What the line says, as named arguments: act, count, rate, from, to or on, after, by, at,
	 * where, and words that stand alone. Counts and times may vary.
	 */
	const struct call_expr *call;
	const struct expr *mad;		/* which packets, or NULL; a number: how many */
	/* Of a lie about a field, whose value is the argument "lie": "NodeInfo.LocalPort=+". */
	const char *lie;
};

struct fault_plan {
	const struct mad_pattern *mad;
	bool withheld;		/* the peer can withhold the answers that are to be lost */
};

static const struct step_part parts[] = {
	STEP_PART(CALL, fault_step, call), STEP_PART(VALUE, fault_step, mad), STEP_PARTS_END,
};

static const struct expr *argument(const struct fault_step *line, const char *name)
{
	for (guint i = 0; i < line->call->args->len; i++) {
		const struct call_arg *arg = line->call->args->pdata[i];

		if (strcmp(arg->name, name) == 0)
			return arg->value;
	}
	return NULL;
}

/* ---- parsing ---- */

static bool add_argument(struct parser *parser, struct fault_step *line, GPtrArray *args,
			 const char *name, const struct expr *value)
{
	struct call_arg *arg = arena_alloc(parser->arena, sizeof(*arg));

	if (!value)
		return false;
	if (argument(line, name)) {
		parser_refuse(parser, value->place, "'%s' is given twice", name);
		return false;
	}
	arg->place = value->place;
	arg->name = name;
	arg->value = value;
	g_ptr_array_add(args, arg);
	return true;
}

/* Words that stand alone, besides 'mended'. */
static const char *const plain_words[] = { "packet", "overrun", "unread" };

/* Which way a packet goes at the port behind the word. */
static const char *const way_words[] = { "from", "to", "on" };

/* Words with a value behind them. */
static const char *const value_words[] = { "after", "by", "at" };

/* rmpp=data, rmpp=none, mod=: other spellings of what scenarios have. */
static void spell_rmpp(struct parser *parser, const GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++) {
		struct field_expr *field = fields->pdata[i];
		struct expr *value;

		if (strcmp(field->name, "mod") == 0)
			field->name = "modifier";
		if (strcmp(field->name, "rmpp") != 0 || field->value->kind != EXPR_WORD)
			continue;
		value = arena_alloc(parser->arena, sizeof(*value));
		*value = *field->value;
		if (g_ascii_strcasecmp(value->text, "none") == 0) {
			value->kind = EXPR_NUMBER;
			value->number = 0;
			value->text = NULL;
		} else {
			g_autofree char *upper = g_ascii_strup(value->text, -1);

			value->text = arena_text(parser->arena, upper, strlen(upper));
		}
		field->value = value;
	}
}

/* Refuses fields that filters of captures have, with what rules have instead. */
static bool refuse_filter_fields(struct parser *parser, const GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++) {
		const struct field_expr *field = fields->pdata[i];
		const char *reason = field->in_attribute ? NULL :
				     fault_filter_word_reason(field->name, true);

		if (!reason)
			continue;
		parser_refuse(parser, field->place, "'%s': %s", field->name, reason);
		return true;
	}
	return false;
}

/* Only fields, such as class=SA rmpp=ACK, which may be in several places. */
static bool parse_which_fields(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	struct place place = parser_peek(parser)->place;
	struct mad_expr *fields = parse_fields(parser, place);
	struct expr *expr;

	if (!fields || refuse_filter_fields(parser, fields->fields))
		return false;
	spell_rmpp(parser, fields->fields);
	if (line->mad && line->mad->kind == EXPR_MAD) {
		for (guint i = 0; i < fields->fields->len; i++)
			g_ptr_array_add(line->mad->mad->fields, fields->fields->pdata[i]);
		return true;
	}
	if (line->mad && !add_argument(parser, line, args, "count", line->mad))
		return false;
	expr = arena_alloc(parser->arena, sizeof(*expr));
	expr->kind = EXPR_MAD;
	expr->place = place;
	expr->weight = 1;
	expr->mad = fields;
	line->mad = expr;
	return true;
}

/* A MAD with its method; $name may turn out to be a number, of packets. */
static bool parse_which(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	struct place place = parser_peek(parser)->place;
	const struct expr *before = line->mad;
	struct expr *expr = parse_mad(parser);

	if (!expr)
		return false;
	if (before && expr->kind == EXPR_USE)
		return add_argument(parser, line, args, "count", expr);
	if (before && before->kind == EXPR_USE) {
		if (!add_argument(parser, line, args, "count", before))
			return false;
	} else if (before) {
		parser_refuse(parser, place, "the MAD comes once, and before other fields of it");
		return false;
	}
	if (expr->kind == EXPR_MAD && refuse_filter_fields(parser, expr->mad->fields))
		return false;
	if (expr->kind == EXPR_MAD)
		spell_rmpp(parser, expr->mad->fields);
	line->mad = expr;
	return true;
}

static struct expr *new_string(struct parser *parser, struct place place, const char *text)
{
	struct expr *expr = arena_alloc(parser->arena, sizeof(*expr));

	expr->kind = EXPR_STRING;
	expr->place = place;
	expr->weight = 1;
	expr->text = arena_text(parser->arena, text, strlen(text));
	return expr;
}

/* bits=8-15, flips=2, skip=2: also behind fields of the MAD, of which they are none. */
static const char *const own_words[] = { "bits", "flips", "skip", NULL };

/* False: diagnosed; '*ret_is' whether it is one of these. */
static bool parse_own_field(struct parser *parser, struct fault_step *line, GPtrArray *args,
			    bool *ret_is)
{
	const struct token *name = parser_peek(parser), *first, *last;
	g_autofree char *text = NULL;
	size_t i;

	for (i = 0; own_words[i] && !parser_at_word(parser, own_words[i]); i++)
		continue;
	*ret_is = own_words[i] && parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN;
	if (!*ret_is)
		return true;
	parser_next(parser);
	parser_next(parser);
	if (i == 2)
		return add_argument(parser, line, args, "after", parse_value(parser));
	if (i == 1)
		return add_argument(parser, line, args, "flips", parse_value(parser));
	first = parser_expect(parser, TOKEN_NUMBER, "a bit, or the first and the last: 8-15");
	last = first;
	if (first && parser_accept(parser, TOKEN_MINUS))
		last = parser_expect(parser, TOKEN_NUMBER, "the last bit");
	if (!last)
		return false;
	text = g_strdup_printf("%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, first->number,
			       last->number);
	return add_argument(parser, line, args, "bits", new_string(parser, name->place, text));
}

/* Is NAME=VALUE what a lie is about? Only there has a value a '+'. */
static bool at_lie(struct parser *parser)
{
	const struct token *name = parser_peek(parser);
	g_autofree char *text = NULL;
	const char *suggestion;

	if (name->kind != TOKEN_WORD || parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
		return false;
	text = g_strconcat(name->text, "=", NULL);
	return parser_peek_at(parser, 2)->kind == TOKEN_PLUS ||
	       (lie_names_field(text) && !term_find(name->text, MAD_ASKED, &suggestion));
}

static bool at_own_field(struct parser *parser)
{
	for (size_t i = 0; own_words[i]; i++) {
		if (parser_at_word(parser, own_words[i]))
			return true;
	}
	return at_lie(parser);
}

/* NodeInfo.LocalPort=255, =+1, =-1, =random, and fields that the MAD has behind it. */
static bool parse_lie(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	const struct token *name = parser_next(parser);
	enum token_kind sign = parser_peek_at(parser, 1)->kind;
	g_autofree char *text = g_strdup_printf("%s=%s", name->text, sign == TOKEN_PLUS ? "+" :
						sign == TOKEN_MINUS ? "-" : "");

	parser_next(parser);
	if (!lie_names_field(text)) {
		parser_refuse(parser, name->place, "'+' goes with the field of a lie only");
		return false;
	}
	parser_accept(parser, TOKEN_PLUS);
	line->lie = arena_text(parser->arena, text, strlen(text));
	return add_argument(parser, line, args, "lie", parse_value(parser)) &&
	       (parser_peek(parser)->kind == TOKEN_LPAREN || !parser_at_more_of_mad(parser) ||
		parse_which_fields(parser, line, args));
}

static bool has_way(const struct fault_step *line)
{
	for (size_t i = 0; i < G_N_ELEMENTS(way_words); i++) {
		if (argument(line, way_words[i]))
			return true;
	}
	return false;
}

/* "SubnGetResp(PortInfo) LinkState=Down": a filter, in quotes as on a command line. */
static bool parse_filter(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	if (parser_peek(parser)->kind == TOKEN_STRING)
		return add_argument(parser, line, args, "where", parse_token(parser));
	parser_expected(parser, "a filter in quotes, such as \"SubnGetResp(PortInfo) "
			"LinkState=Down\"");
	return false;
}

/* One of the words that say how, with its value. False: diagnosed; '*ret_is' whether it is one. */
static bool parse_how(struct parser *parser, struct fault_step *line, GPtrArray *args,
		      bool *ret_is)
{
	enum lie_kind kind;

	*ret_is = true;
	if (lie_kind_find(parser_peek(parser)->text, &kind) &&
	    parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
		return add_argument(parser, line, args, "lie", parse_token(parser));
	if (parser_at_word(parser, "mended"))
		return add_argument(parser, line, args, "mended", parse_token(parser));
	for (size_t i = 0; i < G_N_ELEMENTS(plain_words); i++) {
		if (parser_at_word(parser, plain_words[i]) &&
		    parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN)
			return add_argument(parser, line, args, plain_words[i],
					    parse_token(parser));
	}
	if (parser_accept_word(parser, "where"))
		return parse_filter(parser, line, args);
	for (size_t i = 0; i < G_N_ELEMENTS(value_words); i++) {
		if (parser_accept_word(parser, value_words[i]))
			return add_argument(parser, line, args, value_words[i],
					    parse_value(parser));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(way_words); i++) {
		const struct expr *port;

		if (!parser_accept_word(parser, way_words[i]))
			continue;
		port = parse_port(parser);
		if (!port || !has_way(line))
			return add_argument(parser, line, args, way_words[i], port);
		parser_refuse(parser, port->place, "'from', 'to' or 'on' is given twice");
		return false;
	}
	if (parser_at_word(parser, "all"))
		return add_argument(parser, line, args, "count", parse_token(parser));
	return parse_own_field(parser, line, args, ret_is);
}

static bool is_way(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(way_words); i++) {
		if (strcmp(name, way_words[i]) == 0)
			return true;
	}
	return false;
}

static bool is_comparison(enum token_kind kind)
{
	return kind == TOKEN_ASSIGN || kind == TOKEN_EQUAL || kind == TOKEN_NOT_EQUAL ||
	       kind == TOKEN_LESS || kind == TOKEN_LESS_EQUAL || kind == TOKEN_GREATER ||
	       kind == TOKEN_GREATER_EQUAL;
}

/*
 * Refuses what filters of captures have, with what rules have instead. 'from=' is no sentence of
 * the language, frame=7 is a field that nothing has here.
 */
static bool refuse_filter_word(struct parser *parser, const struct token *token,
			       enum token_kind next)
{
	const char *reason = fault_filter_word_reason(token->text, is_comparison(next));

	if (!reason)
		return false;
	(next == TOKEN_ASSIGN && !is_way(token->text) ? parser_refuse : parser_error)(
		parser, token->place, "'%s': %s", token->text, reason);
	return true;
}

/* One part of the line. False: diagnosed, or ('*ret_is' false) the line is over. */
static bool parse_part(struct parser *parser, struct fault_step *line, GPtrArray *args,
		       bool *ret_is)
{
	const struct token *token = parser_peek(parser);
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	*ret_is = true;
	switch ((int)token->kind) {
	case TOKEN_PERCENT:
	case TOKEN_RATIO:
		parser_next(parser);
		return add_argument(parser, line, args, "rate",
				    new_string(parser, token->place, token->text));
	case TOKEN_NUMBER:
	case TOKEN_LPAREN:
		return add_argument(parser, line, args, "count", parse_value(parser));
	case TOKEN_USE:
		return parse_which(parser, line, args);
	case TOKEN_WORD:
		if (refuse_filter_word(parser, token, next))
			return false;
		if (!parse_how(parser, line, args, ret_is))
			return false;
		if (*ret_is)
			return true;
		*ret_is = true;
		if (next == TOKEN_LPAREN)
			return parse_which(parser, line, args);
		if (at_lie(parser))
			return parse_lie(parser, line, args);
		if (next == TOKEN_ASSIGN)
			return parse_which_fields(parser, line, args);
		break;
	}
	*ret_is = false;
	return false;
}

static struct step *parse_fault(struct parser *parser)
{
	struct fault_step *line = parser_step(parser, &verb_fault);
	const struct token *act = parser_peek(parser);
	struct call_expr *call = arena_alloc(parser->arena, sizeof(*call));
	GPtrArray *args = arena_array(parser->arena);
	bool is_part;

	call->place = act->place;
	call->name = "fault";
	call->args = args;
	line->call = call;
	/* The value of $name is not known yet: check_fault() checks it. */
	if (act->kind == TOKEN_WORD && !fault_action_find(act->text)) {
		g_autofree char *words = fault_action_words(0, "or");

		parser_error(parser, act->place, "expected %s", words);
		return NULL;
	}
	if (!add_argument(parser, line, args, "act", parse_token(parser)))
		return NULL;
	parser->at_own_field = at_own_field;
	while (parse_part(parser, line, args, &is_part))
		continue;
	parser->at_own_field = NULL;
	return is_part ? NULL : &line->step;
}

/* ---- checking ---- */

/* The parts of a MAD that a rule of the simulator can match. */
static const char *const looked_at[] = {
	"class", "method", "attr", "modifier", "tid", "tid.low", "tid.high", "rmpp", "seg", NULL,
};

static void check_count(struct checker *checker, const struct fault_step *line, const char *name)
{
	const struct expr *value = argument(line, name);

	if (value && !(expr_is_word(value, "all") && strcmp(name, "count") == 0))
		check_constant_number(checker, value);
}

static const struct fault_action *check_action(struct checker *checker, const struct expr *act)
{
	const struct fault_action *action =
		act->kind == EXPR_WORD ? fault_action_find(act->text) : NULL;
	g_autofree char *words = fault_action_words(0, "or");

	if (!action)
		check_error(checker, act->place, "expected %s", words);
	return action;
}

/* What only some actions take. */
static void check_arguments(struct checker *checker, const struct plan_step *step,
			    const struct fault_action *action)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	const struct expr *about = argument(line, "lie");
	const struct fault_part *part;

	for (unsigned int i = 0; (part = fault_part_at(i)); i++) {
		const struct expr *value = argument(line, part->word);
		g_autofree char *words = fault_action_words(part->argument, "and");

		if (value && !(action->takes & part->argument))
			check_error(checker, value->place, "'%s' is for %s only", part->word,
				    words);
	}
	if (about && !(action->takes & FAULT_LIE))
		check_error(checker, about->place, "a field or a kind of fields is for lie only");
	if ((action->needs & FAULT_LIE) && !about)
		check_error(checker, step->place, "%s needs a field or a kind of them: "
			    "'NodeInfo.LocalPort=255', for example, or 'any 1%%'", action->word);
	if ((action->needs & FAULT_TIME) && !argument(line, "by"))
		check_error(checker, step->place, "%s needs a time: 'by 5ms', for example",
			    action->word);
}

static void check_fields(struct checker *checker, const struct expr *mad,
			 struct fault_plan *plan)
{
	plan->mad = check_mad_expr(checker, mad, MAD_ASKED);
	for (guint i = 0; plan->mad && i < plan->mad->terms->len; i++) {
		const struct mad_term *term = plan->mad->terms->pdata[i];

		if (!term->info || !g_strv_contains(looked_at, term->info->name))
			check_error(checker, term->place,
				    "a fault looks at class, method, attribute, modifier, tid, "
				    "rmpp and seg of a MAD; at all else after 'where': where "
				    "\"%s=...\"", term_name(term));
	}
}

/* A rate is what it is in all rules. */
static void check_rate(struct checker *checker, const struct expr *rate)
{
	g_autofree char *text = rate ? g_strdup_printf("drop %s", rate->text) : NULL;
	struct umadrig_fault fault;
	char why[256];

	if (text && fault_text_parse(text, &fault, why, sizeof(why)) < 0)
		check_error(checker, rate->place, "%s", strstr(why, "': ") + 3);
	else if (text)
		fault_text_clear(&fault);
}

/* What a lie is about, with its value as far as that is known. To be freed; NULL: it is not. */
static char *lie_text(const struct fault_step *line, uint64_t number, bool has_number)
{
	const struct expr *about = argument(line, "lie");
	bool is_less = line->lie && g_str_has_suffix(line->lie, "-");

	if (has_number)
		return g_strdup_printf("%s%" G_GUINT64_FORMAT, line->lie ? line->lie : "",
				       is_less ? -number : number);
	return about->kind == EXPR_WORD ?
	       g_strconcat(line->lie ? line->lie : "", about->text, NULL) : NULL;
}

static void check_lie(struct checker *checker, const struct fault_step *line)
{
	const struct expr *about = argument(line, "lie");
	g_autofree char *text = NULL;
	struct lie lie;
	uint64_t number = 0;
	bool has_number;
	char why[256];

	if (!about)
		return;
	has_number = expr_constant_number(about, &number);
	text = lie_text(line, number, has_number);
	if (text && lie_parse(text, &lie, why, sizeof(why)) < 0)
		check_error(checker, about->place, "%s", why);
	else if (!text)
		check_constant_number(checker, about);
}

/* The place in the string that is wrong; all of it where it is not as it is written. */
static struct place place_in(const struct expr *string, const struct filter_error *error)
{
	struct place place = string->place;

	if (place.width != strlen(string->text) + 2)
		return place;
	place.offset += 1 + error->at;
	place.column += 1 + (unsigned int)error->at;
	place.width = (unsigned int)error->size;
	return place;
}

static uint8_t class_of(const struct fault_plan *plan)
{
	return plan->mad && plan->mad->class_info ? plan->mad->class_info->mgmt_class : 0;
}

static void check_where(struct checker *checker, const struct fault_step *line,
			const struct fault_plan *plan)
{
	const struct expr *where = argument(line, "where");
	uint16_t attribute = plan->mad && plan->mad->attr_id > 0 ? (uint16_t)plan->mad->attr_id : 0;
	struct filter_error error;
	struct mad_filter *filter;

	if (!where)
		return;
	filter = fault_where_parse(where->text, class_of(plan), attribute, &error);
	mad_filter_free(filter);
	if (filter)
		return;
	check_error(checker, place_in(where, &error), "%s", error.message);
	g_free(error.message);
}

static void check_fault(struct checker *checker, struct plan_step *step)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	struct fault_plan *plan = check_resolved(checker, sizeof(*plan));
	const struct expr *by = argument(line, "by"), *at = argument(line, "at");
	const struct expr *from = argument(line, "from");
	const struct fault_action *action = check_action(checker, argument(line, "act"));
	uint64_t number;

	if (!action)
		return;
	if (line->mad && line->mad->kind == EXPR_MAD)
		check_fields(checker, line->mad, plan);
	else if (line->mad)
		check_constant_number(checker, line->mad);
	check_count(checker, line, "count");
	check_count(checker, line, "after");
	check_count(checker, line, "flips");
	check_cable(checker, from);
	check_cable(checker, argument(line, "to"));
	check_cable(checker, argument(line, "on"));
	if (by)
		check_constant_time(checker, by);
	if (at && (!expr_constant_number(at, &number) || number > 255))
		check_error(checker, at->place, "expected a byte of the MAD, from 0 to 255");
	check_arguments(checker, step, action);
	check_lie(checker, line);
	check_where(checker, line, plan);
	check_rate(checker, argument(line, "rate"));
	if (!line->mad && line->call->args->len == 1 && !action->needs)
		check_error(checker, argument(line, "act")->place, "say how many packets: '%s 1', "
			    "'%s all' or '%s 5%%'", action->word, action->word, action->word);
	plan->withheld = action->act == UMADRIG_FAULT_DROP && from && expr_is_word(from, "peer") &&
			 !argument(line, "rate") && !argument(line, "overrun") &&
			 !argument(line, "unread") && !argument(line, "where") &&
			 peer_answers_above(checker);
}

/* ---- running ---- */

static bool term_value(struct run *run, const struct mad_term *term, uint64_t *ret)
{
	uint64_t known;

	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, ret))
		return true;
	if (run->env.number(run->env.ctx, term->value, ret, &known))
		return true;
	run_fail(run, term->place, "this has no value here");
	return false;
}

static void say_number(GString *text, const char *name, uint64_t value)
{
	g_string_append_printf(text, " %s=%" G_GUINT64_FORMAT, name, value);
}

/* Which MADs, by numbers: of each, 0 where any will do is left out. */
static void say_pattern(struct run *run, const struct mad_pattern *pattern, GString *text)
{
	bool has_class = mad_pattern_term(pattern, "class") != NULL;

	if (pattern->class_info) {
		if (!mad_pattern_term(pattern, "method"))
			say_number(text, "method", pattern->method);
		/* A prefix that several classes share identifies none of them. */
		if (pattern->class_info->mgmt_class == pattern->class_info->last && !has_class &&
		    !mad_class_is_smp(pattern->class_info->mgmt_class))
			say_number(text, "class", pattern->class_info->mgmt_class);
	}
	if (pattern->attr_id > 0 && !mad_pattern_term(pattern, "attr"))
		say_number(text, "attr", (uint64_t)pattern->attr_id);
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];
		uint64_t value;

		if (term_value(run, term, &value))
			say_number(text, term->info->name, value);
	}
}

static void say_lie(const struct fault_step *line, GString *text)
{
	uint64_t number = 0;
	bool has_number = expr_constant_number(argument(line, "lie"), &number);
	g_autofree char *about = lie_text(line, number, has_number);

	g_string_append_printf(text, " %s", about);
}

/* The words of the line, with the values of its names. */
static void say_arguments(struct run *run, const struct fault_step *line, GString *text)
{
	char buf[32];

	for (guint i = 1; i < line->call->args->len; i++) {
		const struct call_arg *arg = line->call->args->pdata[i];
		uint64_t number;
		int64_t time_ns;

		/* add_rule() has it. */
		if (strcmp(arg->name, "where") == 0)
			continue;
		if (strcmp(arg->name, "lie") == 0)
			say_lie(line, text);
		else if (is_way(arg->name))
			g_string_append_printf(text, " %s \"%s\"", arg->name,
					       world_end_name(run->world, arg->value));
		else if (strcmp(arg->name, "by") == 0 && expr_constant_time(arg->value, &time_ns))
			g_string_append_printf(text, " by %s", time_ns == 0 ? "0ns" :
					       time_format(time_ns, buf, sizeof(buf)));
		else if (strcmp(arg->name, "bits") == 0)
			g_string_append_printf(text, " bits=%s", arg->value->text);
		else if (!expr_constant_number(arg->value, &number))
			g_string_append_printf(text, " %s", arg->value->text);
		else if (strcmp(arg->name, "count") == 0)
			g_string_append_printf(text, " %" G_GUINT64_FORMAT, number);
		else
			g_string_append_printf(text, strcmp(arg->name, "flips") == 0 ?
					       " %s=%" G_GUINT64_FORMAT : " %s %" G_GUINT64_FORMAT,
					       arg->name, number);
	}
}

/* How many packets the line names, if it names a number. */
static bool counts_none(const struct fault_step *line)
{
	const struct expr *count = line->mad && line->mad->kind != EXPR_MAD ? line->mad :
				   argument(line, "count");
	uint64_t number;

	return count && expr_constant_number(count, &number) && number == 0;
}

/* The rule as text; see sim/fabric/fault-sentence.c. */
static char *fault_sentence(struct run *run, const struct plan_step *step)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	const struct fault_plan *plan = step->resolved;
	GString *text = g_string_new(argument(line, "act")->text);
	uint64_t number;

	if (plan->mad)
		say_pattern(run, plan->mad, text);
	else if (line->mad && expr_constant_number(line->mad, &number))
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, number);
	say_arguments(run, line, text);
	/* One packet is what it would say if it said more. */
	if (!strchr(text->str, ' '))
		g_string_append(text, " 1");
	return g_string_free(text, false);
}

/* Adds the rule, called after its line; where no cable is ours the peer withholds its answers. */
static int add_rule(struct run *run, const struct plan_step *step,
		    const struct umadrig_fault *fault, char *reterr, size_t reterr_size)
{
	const struct fault_plan *plan = step->resolved;
	g_autofree char *name = g_strdup_printf("line %u", step->place.line);
	const struct expr *where = argument((const struct fault_step *)step->line, "where");
	struct umadrig_fault named = *fault;

	named.where = where ? where->text : NULL;
	named.where_class = class_of(plan);
	if (!run->world->kind->fault) {
		peer_withhold(run->peer, step, plan->mad, fault->skip,
			      fault->count > 0 ? fault->count : UINT64_MAX);
		return 0;
	}
	named.name = name;
	return run->world->kind->fault(run->world, &named, reterr, reterr_size);
}

static void run_fault(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	struct umadrig_fault fault;
	g_autofree char *text = NULL;
	char message[512] = "";

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	/* "drop 0" drops nothing. */
	if (counts_none((const struct fault_step *)step->line))
		return;
	text = fault_sentence(run, step);
	if (run_failed(run))
		return;
	if (fault_text_parse(text, &fault, message, sizeof(message)) < 0) {
		run_fail(run, step->place, "%s", message);
		return;
	}
	if (add_rule(run, step, &fault, message, sizeof(message)) < 0)
		run_fail(run, step->place, "%s", message);
	else
		run_note(run, run_now(run), "", "fault", "ok");
	fault_text_clear(&fault);
}

static char *fault_needs(const struct plan_step *step, const struct rig *rig)
{
	const struct need wire = { .kind = NEED_WIRE }, peer = { .kind = NEED_PEER };
	const struct fault_plan *plan = step->resolved;

	return need_unmet(plan->withheld ? &peer : &wire, rig);
}

const struct script_verb verb_fault = {
	.word = "fault",
	.follows = TOKEN_BIT(WORD) | TOKEN_BIT(USE),
	.size = sizeof(struct fault_step),
	.parts = parts,
	.parse = parse_fault,
	.check = check_fault,
	.needs = fault_needs,
	.run = run_fault,
};
