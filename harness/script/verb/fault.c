/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * fault ACT [mended] [COUNT|all] [MAD] [from|to PORT] [after N] [by T] [at BYTE]: a fault on a
 * cable, from its words to a rule of the simulator (sim/api/umadrig.h). The actions are those of
 * sim/fabric/fault-action.h.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/checker.h"
#include "harness/script/check/needs.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/peer-line.h"
#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/fault-action.h"

struct fault_step {
	struct step step;
	/*
	 * What the line says, as named arguments: act, mended, count, from or to, after, by, at.
	 * Counts and times may vary.
	 */
	const struct call_expr *call;
	const struct expr *mad;		/* which packets, or NULL */
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
		parser_error(parser, value->place, "'%s' is given twice", name);
		return false;
	}
	arg->place = value->place;
	arg->name = name;
	arg->value = value;
	g_ptr_array_add(args, arg);
	return true;
}

/* Only fields, such as class=SA rmpp=ACK, or a MAD with its method. */
static bool parse_which(struct parser *parser, struct fault_step *line)
{
	const struct token *token = parser_peek(parser);
	enum token_kind next = parser_peek_at(parser, 1)->kind;
	struct expr *expr;

	if (token->kind == TOKEN_USE || (token->kind == TOKEN_WORD && next == TOKEN_LPAREN)) {
		line->mad = parse_mad(parser);
		return line->mad != NULL;
	}
	if (token->kind != TOKEN_WORD || next != TOKEN_ASSIGN)
		return true;
	expr = arena_alloc(parser->arena, sizeof(*expr));
	expr->kind = EXPR_MAD;
	expr->place = token->place;
	expr->weight = 1;
	expr->mad = parse_fields(parser, token->place);
	line->mad = expr;
	return expr->mad != NULL;
}

/* [from|to PORT] [after N] [by T] [at BYTE], in any order. */
static bool parse_how(struct parser *parser, struct fault_step *line, GPtrArray *args)
{
	static const char *const words[] = { "from", "to", "after", "by", "at" };

	for (;;) {
		size_t i;

		for (i = 0; i < G_N_ELEMENTS(words); i++) {
			if (parser_accept_word(parser, words[i]))
				break;
		}
		if (i == G_N_ELEMENTS(words))
			return true;
		if (!add_argument(parser, line, args, words[i], parse_value(parser)))
			return false;
	}
}

static struct step *parse_fault(struct parser *parser)
{
	struct fault_step *line = parser_step(parser, &verb_fault);
	const struct token *act = parser_peek(parser);
	struct call_expr *call = arena_alloc(parser->arena, sizeof(*call));
	GPtrArray *args = arena_array(parser->arena);

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
	if (!add_argument(parser, line, args, "act", parse_value(parser)))
		return NULL;
	if (parser_at_word(parser, "mended") &&
	    !add_argument(parser, line, args, "mended", parse_value(parser)))
		return NULL;
	if ((parser_peek(parser)->kind == TOKEN_NUMBER || parser_at_word(parser, "all")) &&
	    !add_argument(parser, line, args, "count", parse_value(parser)))
		return NULL;
	return parse_which(parser, line) && parse_how(parser, line, args) ? &line->step : NULL;
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
	static const struct { unsigned int argument; const char *name; } arguments[] = {
		{ FAULT_MENDED, "mended" }, { FAULT_TIME, "by" }, { FAULT_BITS, "at" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(arguments); i++) {
		const char *name = arguments[i].name;
		const struct expr *value = argument(line, name);
		g_autofree char *words = fault_action_words(arguments[i].argument, "and");

		if (value && !(action->takes & arguments[i].argument))
			check_error(checker, value->place, "'%s' is for %s only", name, words);
	}
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
				    "rmpp and seg of a MAD only");
	}
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
	if (line->mad)
		check_fields(checker, line->mad, plan);
	check_count(checker, line, "count");
	check_count(checker, line, "after");
	check_cable(checker, from);
	check_cable(checker, argument(line, "to"));
	if (by)
		check_constant_time(checker, by);
	if (at && (!expr_constant_number(at, &number) || number > 255))
		check_error(checker, at->place, "expected a byte of the MAD, from 0 to 255");
	check_arguments(checker, step, action);
	plan->withheld = action->act == UMADRIG_FAULT_DROP && from && expr_is_word(from, "peer") &&
			 peer_answers_above(checker);
}

/* ---- running ---- */

static uint64_t number_of(const struct fault_step *line, const char *name, uint64_t otherwise)
{
	const struct expr *value = argument(line, name);
	uint64_t number;

	return value && expr_constant_number(value, &number) ? number : otherwise;
}

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

static void match_term(struct umadrig_fault *fault, const char *name, uint64_t value)
{
	if (strcmp(name, "class") == 0) {
		fault->mgmt_class = (uint8_t)value;
	} else if (strcmp(name, "method") == 0) {
		fault->method = (uint8_t)value;
	} else if (strcmp(name, "attr") == 0) {
		fault->attribute = (uint16_t)value;
	} else if (strcmp(name, "modifier") == 0) {
		fault->modifier = (uint32_t)value;
		fault->zeros |= UMADRIG_FAULT_ZERO_MODIFIER;
	} else if (strcmp(name, "rmpp") == 0) {
		fault->rmpp_type = (uint8_t)value;
		fault->zeros |= UMADRIG_FAULT_ZERO_RMPP_TYPE;
	} else if (strcmp(name, "seg") == 0) {
		fault->segment = (uint32_t)value;
		fault->zeros |= UMADRIG_FAULT_ZERO_SEGMENT;
	} else {
		if (strcmp(name, "tid.high") != 0) {
			fault->tid_low = (uint32_t)value;
			fault->zeros |= UMADRIG_FAULT_ZERO_TID_LOW;
		}
		if (strcmp(name, "tid.low") != 0) {
			fault->tid_high =
				(uint32_t)(strcmp(name, "tid") == 0 ? value >> 32 : value);
			fault->zeros |= UMADRIG_FAULT_ZERO_TID_HIGH;
		}
	}
}

static void match_pattern(struct run *run, const struct mad_pattern *pattern,
			  struct umadrig_fault *fault)
{
	uint64_t value;

	if (pattern->class_info) {
		fault->method = pattern->method;
		/* A prefix that several classes share identifies none of them. */
		if (pattern->class_info->mgmt_class == pattern->class_info->last)
			fault->mgmt_class = pattern->class_info->mgmt_class;
	}
	if (pattern->attr_id >= 0)
		fault->attribute = (uint16_t)pattern->attr_id;
	for (guint i = 0; i < pattern->terms->len; i++) {
		const struct mad_term *term = pattern->terms->pdata[i];

		if (term_value(run, term, &value))
			match_term(fault, term->info->name, value);
	}
}

/* The port's node, to be freed; the port number is put in the rule. NULL: every cable. */
static char *match_port(struct run *run, const struct fault_step *line, struct umadrig_fault *fault)
{
	const struct expr *from = argument(line, "from"), *to = argument(line, "to");
	const struct expr *port = from ? from : to;
	const char *name;
	char *node = NULL;
	int number = 0;

	if (!port)
		return NULL;
	name = world_end_name(run->world, port);
	if (!world_port_parse(name, &node, &number)) {
		run_fail(run, port->place, "'%s' is not a port: write \"NODE[N]\"", name);
		return NULL;
	}
	fault->way = from ? UMADRIG_FAULT_LEAVING : UMADRIG_FAULT_ARRIVING;
	fault->port = (unsigned int)number;
	return node;
}

static void run_fault(struct run *run, const struct plan_step *step)
{
	const struct fault_step *line = (const struct fault_step *)step->line;
	const struct fault_plan *plan = step->resolved;
	struct due_window due = step_window(run, step);
	const struct expr *count = argument(line, "count"), *by = argument(line, "by");
	struct umadrig_fault fault = {
		.act = fault_action_find(argument(line, "act")->text)->act,
		.count = number_of(line, "count", !count ? 1 : 0),
		.skip = number_of(line, "after", 0),
		.crc_mended = argument(line, "mended") != NULL,
		.flips = 1,
	};
	g_autofree char *node = NULL;
	char message[512] = "";
	g_autofree char *name = g_strdup_printf("line %u", step->place.line);

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	if (plan->mad)
		match_pattern(run, plan->mad, &fault);
	node = match_port(run, line, &fault);
	fault.node = node;
	fault.name = name;
	if (by)
		expr_constant_time(by, &fault.time_ns);
	if (argument(line, "at")) {
		fault.first_bit = 8 * (uint32_t)number_of(line, "at", 0);
		fault.bit_count = 8;
		fault.flips = 0;
	}
	if (run_failed(run))
		return;
	/* "drop 0" drops nothing. */
	if (count && count->kind == EXPR_NUMBER && fault.count == 0)
		return;
	if (!run->world->kind->fault) {
		peer_withhold(run->peer, step, plan->mad, fault.skip,
			      fault.count > 0 ? fault.count : UINT64_MAX);
	} else if (run->world->kind->fault(run->world, &fault, message, sizeof(message)) < 0) {
		run_fail(run, step->place, "%s", message);
		return;
	}
	run_note(run, run_now(run), "", "fault", "ok");
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
