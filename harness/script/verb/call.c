/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * [NAME =] call(...) [= RESULT]: a call of libibumad, or of the umad file.
 * harness/script/verb/call-table.c lists the calls.
 */
#include "harness/script/verb/verbs.h"

#include <string.h>

#include "harness/script/check/needs.h"
#include "harness/script/parse/parser.h"
#include "harness/script/run/expect.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "harness/script/verb/call-check.h"
#include "harness/script/verb/recv.h"
#include "harness/script/verb/words.h"

struct call_step {
	struct step step;
	const struct call_expr *call;
	const char *bind;		/* the name that the result gets, or NULL */
	struct place bind_place;
	struct result_expr result;
};

struct call_step_plan {
	struct call_plan call;
	struct expected expected;
};

static const struct step_part parts[] = {
	STEP_PART(CALL, call_step, call), STEP_PART(NAME, call_step, bind),
	STEP_PARTS_RESULT(call_step, result), STEP_PARTS_END,
};

/* Is it a unit that stands apart from its number? */
static bool is_unit(struct parser *parser)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "sec", "second", "seconds" };
	const struct token *token = parser_peek(parser);

	for (size_t i = 0; token->kind == TOKEN_WORD && i < G_N_ELEMENTS(units); i++) {
		if (strcmp(token->text, units[i]) == 0)
			return parser_peek_at(parser, 1)->kind != TOKEN_LPAREN &&
			       parser_peek_at(parser, 1)->kind != TOKEN_ASSIGN;
	}
	return false;
}

static struct step *parse_call_line(struct parser *parser)
{
	struct call_step *line = parser_step(parser, &verb_call);

	if (parser_peek_at(parser, 1)->kind == TOKEN_ASSIGN) {
		line->bind_place = parser_peek(parser)->place;
		line->bind = parser_next(parser)->text;
		if (strchr(line->bind, '.')) {
			parser_error(parser, line->bind_place, "a name cannot have dots");
			return NULL;
		}
		parser_next(parser);
	}
	if (is_unit(parser)) {
		parser_error(parser, parser_peek(parser)->place, "a time and its unit are one "
			     "word, such as 1s or 20ms (ns us ms s)");
		return NULL;
	}
	if (parser_peek(parser)->kind != TOKEN_WORD ||
	    parser_peek_at(parser, 1)->kind != TOKEN_LPAREN) {
		parser_expected(parser, "a call, such as umad_open_port(...)");
		return NULL;
	}
	line->call = parse_call(parser);
	if (!line->call || !parse_reply(parser, &line->result))
		return NULL;
	return &line->step;
}

/* ---- checking ---- */

static bool is_recv(const struct step *step)
{
	return strcmp(((const struct call_step *)step)->call->name, "umad_recv") == 0;
}

static unsigned int call_timing(const struct step *step)
{
	const struct call_step *line = (const struct call_step *)step;

	if (!is_recv(step))
		return 0;
	return expr_is_word(line->result.value, "nothing") ? STEP_SILENT : STEP_WAITS;
}

/* What a call that prints must not have, and what one that returns a text must. */
static void check_given(struct checker *checker, const struct expr *value,
			const struct call_kind *kind)
{
	const struct binding *binding;

	switch (kind->gives) {
	case GIVES_NUMBER:
		check_number(checker, value);
		return;
	case GIVES_HANDLE:
		binding = value->kind == EXPR_WORD ? check_lookup(checker, value->text) : NULL;
		if (!binding || binding->kind != VAR_HANDLE)
			check_number(checker, value);
		return;
	case GIVES_TEXT:
		if (value->kind != EXPR_STRING)
			check_expected(checker, value, "a text in quotes");
		return;
	case GIVES_PRINT:
		check_error(checker, value->place, "%s() returns nothing: expected lines= or "
			    "prints=", kind->name);
		return;
	}
}

/* The result of a call that tells facts, prints, or returns something other than a number. */
static void check_told(struct checker *checker, const struct result_expr *result,
		       const struct call_kind *kind, struct expected *ret)
{
	static const struct fact_kind none = { NULL, FACT_DECIMAL };

	*ret = (struct expected) { .call = kind->name, .value = result->value };
	if (result->value)
		check_given(checker, result->value, kind);
	if (kind->gives == GIVES_PRINT)
		check_prints(checker, result->umad, "this call");
	else
		check_facts(checker, kind->name, kind->facts ? kind->facts : &none, result->umad);
	if (result->mad)
		check_error(checker, result->mad->place, "%s() reads no MAD", kind->name);
}

static void check_call(struct checker *checker, struct plan_step *step)
{
	const struct call_step *line = (const struct call_step *)step->line;
	struct call_step_plan *plan = check_resolved(checker, sizeof(*plan));
	const struct call_kind *kind = check_call_args(checker, line->call, &plan->call);
	unsigned int may = 0;

	if (!kind)
		return;
	if (kind->waits && plan->call.args.at[WAIT_AT_TIMEOUT])
		check_error(checker, plan->call.args.at[WAIT_AT_TIMEOUT]->place,
			    "a call that waits must be started: 'start r = %s(...)', and later "
			    "'end r = ...'", kind->name);
	if (kind->is_recv)
		may = RESULT_READS | RESULT_MAY_BE_NOTHING;
	else if (strcmp(kind->name, "file.read") == 0)
		may = RESULT_READS;
	else if (strcmp(kind->name, "file.poll") == 0)
		may = RESULT_IS_POLL_SET;
	if (kind->gives != GIVES_NUMBER || kind->facts)
		check_told(checker, &line->result, kind, &plan->expected);
	else if (!line->result.value && line->result.umad)
		check_error(checker, line->result.umad->place, "expected '=' and what %s() returns",
			    kind->name);
	else
		check_result(checker, &line->result, kind->name, may, &plan->expected);
	if (line->bind)
		check_bind(checker, line->bind_place, line->bind,
			   kind->binds != VAR_NONE ? kind->binds : VAR_NUMBER);
}

static char *call_needs(const struct plan_step *step, const struct rig *rig)
{
	const struct need wire = { .kind = NEED_WIRE };
	const struct call_kind *kind = ((const struct call_step_plan *)step->resolved)->call.kind;

	if (rig->on_sim)
		return NULL;
	if (kind->sim_only)
		return g_strdup_printf("needs sim: %s() is for the simulator only", kind->name);
	if (kind->wire_only && !rig->has_wire)
		return need_unmet(&wire, rig);
	if (g_str_has_prefix(kind->name, "issm.") && !rig->has_issm)
		return g_strdup("needs an issm device: this kernel gives the port none");
	return NULL;
}

static char *call_changes(const struct plan_step *step)
{
	const struct call_kind *kind = ((const struct call_step_plan *)step->resolved)->call.kind;

	return strcmp(kind->name, "issm.open") == 0 ?
	       g_strdup("issm.open() announces a subnet manager at the port") : NULL;
}

static uint32_t call_oui(const struct plan_step *step)
{
	const struct call_plan *call = &((const struct call_step_plan *)step->resolved)->call;
	uint64_t oui;

	for (int i = 0; i < CALL_PARAMS_MAX && call->kind->params[i].name != NULL; i++) {
		if (call->args.at[i] && strcmp(call->kind->params[i].name, "oui") == 0)
			return expr_constant_number(call->args.at[i], &oui) ? (uint32_t)oui :
			       UINT32_MAX;
	}
	return 0;
}

/* ---- running ---- */

/* The handle or file that the call is for: agents have numbers of their own in each. */
static const void *owner_of(struct run *run, const struct plan_step *step)
{
	const struct call_plan *call = &((const struct call_step_plan *)step->resolved)->call;
	const struct var *var = run_var_of(run, call->args.at[0]);

	return !var ? NULL : var->kind == VAR_HANDLE ? (const void *)var->handle :
	       (const void *)var->file;
}

static void bind_result(struct run *run, const struct plan_step *step,
			const struct call_outcome *outcome)
{
	const struct call_step *line = (const struct call_step *)step->line;
	struct var var = outcome->bind;

	if (!line->bind)
		return;
	if (var.kind == VAR_NONE) {
		if (outcome->value < 0 && !line->result.value) {
			g_autoptr(GString) text = g_string_new(NULL);

			append_call_value(text, outcome->value);
			run_fail(run, step->place, "%s() failed: %s (errno %s)", line->call->name,
				 text->str,
				 errno_name(outcome->instance.result[TERM_RESULT_ERRNO]));
			return;
		}
		var = (struct var) {
			.kind = VAR_NUMBER, .number = (uint64_t)outcome->value, .known = UINT64_MAX,
		};
	}
	if (var.kind == VAR_HANDLE)
		var.handle->name = line->bind;
	if (var.kind == VAR_AGENT)
		var.agent.owner = owner_of(run, step);
	run_bind(run, line->bind, &var);
}

/* "fd = umad_open_port()": the number of a descriptor says nothing, and is not always the same. */
static void note_call_line(struct run *run, const struct plan_step *step,
			   const struct due_window *due, const struct call_outcome *outcome)
{
	const struct call_step *line = (const struct call_step *)step->line;
	bool is_descriptor = outcome->bind.kind == VAR_HANDLE || outcome->bind.kind == VAR_FILE;
	g_autofree char *text = line->bind ?
				g_strdup_printf("%s = %s", line->bind, line->call->name) : NULL;

	if (text && is_descriptor && !run_failed(run)) {
		g_autofree char *opened = g_strconcat(text, "()", NULL);

		run_note(run, run_now(run), "", opened, "ok");
		return;
	}
	note_call(run, text ? text : line->call->name, outcome->value);
	if (run_failed(run)) {
		g_autofree char *actual = call_text(line->call->name, outcome->value);

		fail_expected(run, step, due);
		fail_actual(run, run_now(run), actual);
	}
}

static void expect_text(struct run *run, const struct plan_step *step, const char *text)
{
	const struct call_step *line = (const struct call_step *)step->line;

	if (!line->result.value || strcmp(line->result.value->text, text) == 0)
		return;
	run_fail(run, step->place, "%s() returned \"%s\"", line->call->name, text);
	run->outcome->actual = g_strdup_printf("\"%s\"", text);
	run->outcome->expected = g_strdup_printf("\"%s\"", line->result.value->text);
}

static void expect_printed(struct run *run, const struct plan_step *step, const char *printed)
{
	const struct call_step *line = (const struct call_step *)step->line;
	g_autoptr(GString) why = g_string_new(NULL);

	expect_prints(line->result.umad, printed, why);
	if (why->len == 0)
		return;
	run_fail(run, step->place, "%s(): %.*s", line->call->name, (int)why->len - 2, why->str);
	g_string_append_printf(run->outcome->details, "it printed:\n%s", printed);
}

/* Compares all that the call returned and told with what the line expects. */
static void expect_outcome(struct run *run, const struct plan_step *step,
			   const struct call_outcome *outcome)
{
	const struct call_step *line = (const struct call_step *)step->line;
	const struct call_step_plan *plan = step->resolved;
	const struct call_kind *kind = plan->call.kind;

	if (kind->gives == GIVES_TEXT) {
		expect_text(run, step, outcome->text);
	} else if (kind->gives == GIVES_PRINT) {
		expect_printed(run, step, outcome->printed);
	} else {
		expect_value(run, step, &plan->expected, outcome->value);
		if (!kind->facts && kind->gives == GIVES_NUMBER)
			expect_fields(run, step, &plan->expected, &outcome->instance,
				      outcome->has_item);
		else if (!run_failed(run))
			expect_facts(run, step, kind->name, kind->facts, line->result.umad,
				     outcome->facts);
	}
}

/* The line of a call that returns no number in the ladder. */
static void note_text(struct run *run, const struct call_kind *kind, const char *text)
{
	g_autofree char *line = text ? g_strdup_printf("%s() = \"%s\"", kind->name, text) :
				       g_strdup_printf("%s()", kind->name);

	run_note(run, run_now(run), "", line, run_failed(run) ? "DIFFERS" : "ok");
}

static void outcome_free(struct call_outcome *outcome)
{
	facts_free(outcome->facts);
	g_free(outcome->printed);
	g_free(outcome->hint);
}

static void run_call(struct run *run, const struct plan_step *step)
{
	const struct call_step *line = (const struct call_step *)step->line;
	const struct call_step_plan *plan = step->resolved;
	struct due_window due = step_window(run, step);
	const struct running_call call = {
		.run = run, .expr = line->call, .args = plan->call.args.at, .mad = plan->call.mad,
	};
	struct call_outcome outcome = { .value = 0 };
	g_autofree uint8_t *message = NULL;
	int64_t began_ns;

	run->header_size = 64;
	if (plan->call.kind->is_recv) {
		run_recv(run, step, &plan->call.args, &plan->expected);
		return;
	}
	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		run_check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run))
		return;
	began_ns = run_now(run);
	step_done(run, step, &due, began_ns);
	plan->call.kind->run(&call, &outcome);
	step_acted(run, began_ns);
	message = outcome.message;
	if (outcome.facts)
		facts_add_number(outcome.facts, "errno",
				 (uint64_t)outcome.instance.result[TERM_RESULT_ERRNO]);
	if (run_failed(run)) {
		outcome_free(&outcome);
		return;
	}
	expect_outcome(run, step, &outcome);
	if (!run_failed(run))
		bind_result(run, step, &outcome);
	if (run_failed(run) && outcome.hint)
		g_string_append_printf(run->outcome->details, "%s\n", outcome.hint);
	if (plan->call.kind->gives == GIVES_TEXT || plan->call.kind->gives == GIVES_PRINT)
		note_text(run, plan->call.kind, outcome.text);
	else
		note_call_line(run, step, &due, &outcome);
	outcome_free(&outcome);
	run_advance(run, run_now(run));
}

const struct script_verb verb_call = {
	.size = sizeof(struct call_step),
	.parts = parts,
	.timing_of = call_timing,
	.parse = parse_call_line,
	.check = check_call,
	.needs = call_needs,
	.changes = call_changes,
	.oui = call_oui,
	.run = run_call,
};
