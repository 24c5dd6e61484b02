/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * peer withholds [COUNT|all] MAD [after N]: answers that the peer keeps to itself.
 *
 * The MAD is the answer, as in 'fault drop COUNT MAD from peer [after N]', which means the same
 * where the cable is not ours.
 */
#include "harness/script/verb/peer-line.h"

#include <string.h>

#include "harness/script/parse/parser.h"
#include "harness/script/run/peer.h"
#include "harness/script/run/timeline.h"
#include "harness/script/verb/verbs.h"

struct withholds_step {
	struct step step;
	const struct expr *count;	/* NULL: 1; 'all' */
	const struct expr *mad;
	const struct expr *after;	/* how many pass before; NULL: 0 */
};

struct withholds_plan {
	const struct mad_pattern *mad;
	uint64_t skip, count;
};

static const struct step_part parts[] = {
	STEP_PART(VALUE, withholds_step, count), STEP_PART(VALUE, withholds_step, mad),
	STEP_PART(VALUE, withholds_step, after), STEP_PARTS_END,
};

/* Does a count precede the MAD? A name is one (or meant to be) if a MAD follows it. */
static bool at_count(struct parser *parser)
{
	enum token_kind kind = parser_peek(parser)->kind;
	enum token_kind next = parser_peek_at(parser, 1)->kind;

	if (kind == TOKEN_NUMBER || kind == TOKEN_LPAREN || parser_at_word(parser, "all"))
		return true;
	return (kind == TOKEN_USE || kind == TOKEN_WORD) &&
	       (next == TOKEN_USE || (next == TOKEN_WORD &&
				      strcmp(parser_peek_at(parser, 1)->text, "after") != 0 &&
				      parser_peek_at(parser, 2)->kind == TOKEN_LPAREN));
}

static struct step *parse_withholds(struct parser *parser)
{
	struct withholds_step *line = parser_step(parser, &verb_peer_withholds);

	if (at_count(parser)) {
		line->count = parser_peek(parser)->kind == TOKEN_WORD ||
			      parser_peek(parser)->kind == TOKEN_USE ? parse_token(parser) :
			      parse_value(parser);
		if (!line->count)
			return NULL;
	}
	line->mad = parse_mad(parser);
	if (!line->mad)
		return NULL;
	if (parser_accept_word(parser, "after")) {
		line->after = parse_value(parser);
		if (!line->after)
			return NULL;
	}
	return &line->step;
}

static uint64_t checked_number(struct checker *checker, const struct expr *expr, const char *what)
{
	uint64_t number = 0;

	if (!expr_constant_number(expr, &number))
		check_expected(checker, expr, what);
	return number;
}

/* Is it certainly no answer? Only segments of a message are answered by such MADs. */
static bool is_request(const struct mad_pattern *mad)
{
	return mad->class_info && !(mad->method & MAD_METHOD_RESPONSE) &&
	       mad->method != MAD_METHOD_TRAP_REPRESS && !mad_pattern_term(mad, "method") &&
	       !mad_pattern_term(mad, "rmpp");
}

static void check_withholds(struct checker *checker, struct plan_step *step)
{
	const struct withholds_step *line = (const struct withholds_step *)step->line;
	struct withholds_plan *plan = check_resolved(checker, sizeof(*plan));
	char name[MAD_NAME_SIZE];

	plan->count = !line->count ? 1 : expr_is_word(line->count, "all") ? UINT64_MAX :
		      checked_number(checker, line->count, "a number or 'all'");
	plan->skip = line->after ? checked_number(checker, line->after, "a number") : 0;
	plan->mad = check_mad_expr(checker, line->mad, MAD_ASKED);
	if (plan->mad && is_request(plan->mad)) {
		mad_method_format(plan->mad->class_info->mgmt_class,
				  peer_response_method(plan->mad->method), name, sizeof(name));
		check_error(checker, line->mad->place, "the peer withholds answers, and this is a "
			    "request: did you mean %s?", name);
	} else if (plan->mad && !peer_answers_above(checker)) {
		check_error(checker, step->place, "there is nothing to withhold: no line above "
			    "says what the peer answers ('peer answers ...')");
	}
}

static void run_withholds(struct run *run, const struct plan_step *step)
{
	struct due_window due = step_window(run, step);
	const struct withholds_plan *plan = step->resolved;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	step_done(run, step, &due, run_now(run));
	peer_withhold(run->peer, step, plan->mad, plan->skip, plan->count);
	run_note(run, run_now(run), "", "peer withholds", "ok");
}

const struct script_verb verb_peer_withholds = {
	.word = "peer",
	.second = "withholds",
	.follows = TOKEN_BIT(WORD),
	.size = sizeof(struct withholds_step),
	.parts = parts,
	.parse = parse_withholds,
	.check = check_withholds,
	.run = run_withholds,
};
