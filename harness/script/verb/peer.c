/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * peer listens class= methods={...} and peer answers MAD [after T] [with FIELDS].
 */
#include "harness/script/verb/peer-line.h"

#include <string.h>

#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/verbs.h"

struct listens_step {
	struct step step;
	const struct call_expr *call;	/* its arguments */
};

struct answers_step {
	struct step step;
	const struct expr *asked;
	const struct expr *after;	/* time to think, or NULL */
	const GPtrArray *answers;	/* of const struct expr *: fields of answers, or MADs */
};

struct answers_plan {
	const struct mad_pattern *asked;
	GPtrArray *answers;		/* of const struct mad_pattern * */
};

static const struct step_part listens_parts[] = {
	STEP_PART(CALL, listens_step, call), STEP_PARTS_END,
};

static const struct step_part answers_parts[] = {
	STEP_PART(VALUE, answers_step, asked), STEP_PART(VALUE, answers_step, after),
	STEP_PART(LIST, answers_step, answers), STEP_PARTS_END,
};

static struct step *parse_listens(struct parser *parser)
{
	struct listens_step *listens = parser_step(parser, &verb_peer_listens);

	listens->call = parse_bare_args(parser, "peer listens", parser_peek(parser)->place);
	return listens->call ? &listens->step : NULL;
}

static bool at_field(struct parser *parser, unsigned int ahead)
{
	enum token_kind next = parser_peek_at(parser, ahead + 1)->kind;

	return parser_peek_at(parser, ahead)->kind == TOKEN_WORD &&
	       (next == TOKEN_ASSIGN || next == TOKEN_LBRACKET);
}

static bool at_answer(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;

	return kind == TOKEN_WORD || kind == TOKEN_USE || kind == TOKEN_LBRACE;
}

/* Fields that an answer has, such as status=0x1c, or a MAD with its method. */
static const struct expr *parse_answer(struct parser *parser)
{
	const struct token *token = parser_peek(parser);
	struct expr *expr;

	if (!at_field(parser, 0) && token->kind != TOKEN_LBRACE)
		return parse_mad(parser);
	expr = arena_alloc(parser->arena, sizeof(*expr));
	expr->kind = EXPR_MAD;
	expr->place = token->place;
	expr->mad = parse_fields(parser, token->place);
	if (expr->mad && parser_peek(parser) == token) {
		parser_next(parser);
		parser_expected(parser, "the fields of an answer");
		return NULL;
	}
	if (!expr->mad)
		return NULL;
	expr->weight = mad_expr_weight(expr->mad);
	return expr;
}

/* ANSWER, ANSWER...; in braces on any number of lines, where { Field=... } is one answer. */
static bool parse_answer_list(struct parser *parser, GPtrArray *answers)
{
	const struct token *open = at_field(parser, 1) ? NULL :
				   parser_accept(parser, TOKEN_LBRACE);
	const struct expr *answer;
	bool ok = true;

	parser->nest += open != NULL;
	do {
		if (open && answers->len > 0 && !at_answer(parser))
			break;
		answer = parse_answer(parser);
		ok = answer && parser_has_room(parser, answer->place, answers, FIELDS_MAX);
		if (ok)
			g_ptr_array_add(answers, (void *)answer);
	} while (ok && (parser_accept(parser, TOKEN_COMMA) || open));
	ok = ok && (!open || parser_close(parser, open, TOKEN_RBRACE));
	parser->nest -= open != NULL;
	return ok;
}

static struct step *parse_answers(struct parser *parser)
{
	struct answers_step *line = parser_step(parser, &verb_peer_answers);
	GPtrArray *answers = arena_array(parser->arena);

	line->answers = answers;
	line->asked = parse_mad(parser);
	if (!line->asked)
		return NULL;
	if (parser_accept_word(parser, "after")) {
		line->after = parse_value(parser);
		if (!line->after)
			return NULL;
	}
	if (parser_accept_word(parser, "with") && !parse_answer_list(parser, answers))
		return NULL;
	return &line->step;
}

/* ---- checking ---- */

static void check_listens(struct checker *checker, struct plan_step *step)
{
	static const char *const names[] = { "class", "version", "oui", "methods", NULL };
	const struct call_expr *call = ((const struct listens_step *)step->line)->call;
	bool has_class = false, has_methods = false;

	for (guint i = 0; i < call->args->len; i++) {
		const struct call_arg *arg = call->args->pdata[i];
		const struct mad_class_info *info = arg->value->kind == EXPR_WORD ?
						    mad_class_by_name(arg->value->text) : NULL;
		uint64_t number;

		if (!g_strv_contains(names, arg->name)) {
			check_error(checker, arg->place,
				    "expected class=, version=, oui= or methods=");
			continue;
		}
		has_class |= strcmp(arg->name, "class") == 0;
		if (strcmp(arg->name, "methods") == 0) {
			has_methods = true;
			check_methods(checker, arg->value);
		} else if (!(info && strcmp(arg->name, "class") == 0) &&
			   (!expr_constant_number(arg->value, &number) || number > 0xffffff)) {
			check_expected(checker, arg->value, "a number");
		}
	}
	if (!has_class || !has_methods)
		check_error(checker, step->place,
			    "'peer listens' needs class= and methods={...}");
}

static void check_answer(struct checker *checker, struct answers_plan *plan,
			 const struct expr *expr)
{
	const struct mad_pattern *answer = check_mad_expr(checker, expr, MAD_ANSWER);

	if (!answer)
		return;
	if (plan->asked && plan->asked->class_info && answer->class_info &&
	    strcmp(plan->asked->class_info->prefix, answer->class_info->prefix) != 0)
		check_error(checker, expr->place, "this is no answer: its class is another one");
	g_ptr_array_add(plan->answers, (void *)answer);
}

static void check_answers(struct checker *checker, struct plan_step *step)
{
	const struct answers_step *answers = (const struct answers_step *)step->line;
	struct answers_plan *plan = check_resolved(checker, sizeof(*plan));

	plan->asked = check_mad_expr(checker, answers->asked, MAD_ASKED);
	check_class(checker, plan->asked);
	if (plan->asked && (plan->asked->method & MAD_METHOD_RESPONSE) &&
	    !mad_pattern_term(plan->asked, "rmpp"))
		check_error(checker, answers->asked->place, "a response cannot be answered: only "
			    "its segments can (rmpp=DATA)");
	if (answers->after)
		check_constant_time(checker, answers->after);
	plan->answers = arena_array(checker->arena);
	for (guint i = 0; i < answers->answers->len; i++)
		check_answer(checker, plan, answers->answers->pdata[i]);
}

bool peer_answers_above(const struct checker *checker)
{
	const GPtrArray *steps = checker->point->steps;

	for (guint i = 0; i < steps->len && steps->pdata[i] != checker->step; i++) {
		const struct plan_step *step = steps->pdata[i];

		if (step->line->verb == &verb_peer_answers)
			return true;
	}
	return false;
}

/* ---- running ---- */

/* The value of an argument that is a constant, or 'otherwise'. */
static uint64_t bare_number(const struct call_expr *call, const char *name, uint64_t otherwise)
{
	for (guint i = 0; i < call->args->len; i++) {
		const struct call_arg *arg = call->args->pdata[i];
		const struct mad_class_info *info;
		uint64_t number;

		if (!arg->name || strcmp(arg->name, name) != 0)
			continue;
		if (expr_constant_number(arg->value, &number))
			return number;
		info = arg->value->kind == EXPR_WORD ? mad_class_by_name(arg->value->text) : NULL;
		if (info)
			return info->mgmt_class;
	}
	return otherwise;
}

static int peer_listens(struct run *run, const struct plan_step *step)
{
	const struct listens_step *listens = (const struct listens_step *)step->line;
	uint64_t mask[2] = { 0, 0 };
	const struct expr *bad;

	for (guint i = 0; i < listens->call->args->len; i++) {
		const struct call_arg *arg = listens->call->args->pdata[i];

		if (strcmp(arg->name, "methods") == 0)
			method_mask(arg->value, mask, &bad);
	}
	return peer_listen(run->peer, (unsigned int)bare_number(listens->call, "class", 0),
			   (unsigned int)bare_number(listens->call, "version", 0),
			   (uint32_t)bare_number(listens->call, "oui", DEFAULT_OUI), mask);
}

/* The value of the field 'name' in a pattern, or 'otherwise'. */
static uint64_t pattern_number(struct run *run, const struct mad_pattern *pattern, const char *name,
			       uint64_t otherwise)
{
	const struct mad_term *term = mad_pattern_term(pattern, name);
	uint64_t number, known;

	if (!term)
		return otherwise;
	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, &number))
		return number;
	return run->env.number(run->env.ctx, term->value, &number, &known) ? number : otherwise;
}

static int peer_answers(struct run *run, const struct plan_step *step)
{
	const struct expr *after = ((const struct answers_step *)step->line)->after;
	const struct answers_plan *plan = step->resolved;
	const struct mad_pattern *asked = plan->asked;
	int64_t after_ns = 0;

	if (after)
		expr_constant_time(after, &after_ns);
	return peer_answer(run->peer, asked,
			   (unsigned int)pattern_number(run, asked, "class",
							asked->class_info->mgmt_class),
			   0, (uint32_t)pattern_number(run, asked, "oui", DEFAULT_OUI), after_ns,
			   plan->answers);
}

static void run_peer(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	bool listens = step->line->verb == &verb_peer_listens;
	int64_t began_ns;
	int status;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	began_ns = run_now(run);
	step_done(run, step, &due, began_ns);
	status = listens ? peer_listens(run, step) : peer_answers(run, step);
	if (status < 0)
		run_fail(run, step->place, "the peer %s cannot do that: %s",
			 run->world->label[WORLD_PEER], g_strerror(-status));
	step_acted(run, began_ns);
	run_note(run, run_now(run), "", listens ? "peer listens" : "peer answers", "ok");
}

const struct script_verb verb_peer_listens = {
	.word = "peer",
	.second = "listens",
	.follows = TOKEN_BIT(WORD),
	.size = sizeof(struct listens_step),
	.parts = listens_parts,
	.parse = parse_listens,
	.check = check_listens,
	.run = run_peer,
};

const struct script_verb verb_peer_answers = {
	.word = "peer",
	.second = "answers",
	.follows = TOKEN_BIT(WORD),
	.size = sizeof(struct answers_step),
	.parts = answers_parts,
	.parse = parse_answers,
	.check = check_answers,
	.run = run_peer,
};
