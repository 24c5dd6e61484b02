/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The runner: steps of a point, one after the other, each at its time.
 */
#include "harness/script/run/script-run.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <string.h>

#include "kmod-stub/event.h"
#include "harness/script/check/script-calls.h"
#include "harness/script/run/script-console.h"
#include "harness/script/run/script-counter.h"
#include "harness/script/run/script-expect.h"
#include "harness/script/run/script-fault.h"
#include "harness/script/check/script-overlap.h"
#include "harness/script/mad/script-packet.h"
#include "harness/script/run/script-peer.h"
#include "harness/script/run/script-program.h"
#include "harness/script/run/script-timeline.h"
#include "harness/script/run/script-verdict.h"
#include "harness/script/run/script-wire.h"

/* How long a real scenario may take that does not say. */
#define HW_LIMIT_NS (15 * 60 * NS_PER_S)

/* ---- names ---- */

static struct var *run_var(struct run *run, const char *name)
{
	return g_hash_table_lookup(run->vars, name);
}

/* Numbers, and what of them is known. */
static bool run_number_known(struct run *run, const struct expr *expr, uint64_t *ret,
			     uint64_t *ret_known)
{
	const struct var *var;
	uint64_t left, right;

	*ret_known = UINT64_MAX;
	switch (expr->kind) {
	case EXPR_TIME:
		*ret = (uint64_t)(expr->time_ns / NS_PER_MS);
		return true;
	case EXPR_WORD:
	case EXPR_USE:
		var = run_var(run, expr->text);
		if (var != NULL && (var->kind == VAR_NUMBER || var->kind == VAR_AGENT)) {
			*ret = var->kind == VAR_NUMBER ? var->number : (uint64_t)var->agent.id;
			*ret_known = var->kind == VAR_NUMBER ? var->known : UINT64_MAX;
			return true;
		}
		if (expr->kind == EXPR_WORD && strcmp(expr->text, "hdr") == 0) {
			*ret = run->header_size;
			return true;
		}
		return expr_constant_number(expr, ret);
	case EXPR_BINARY:
		if (!run_number(run, expr->left, &left) || !run_number(run, expr->right, &right))
			return false;
		*ret = expr->operation == '+' ? left + right :
		       expr->operation == '-' ? left - right : left * right;
		return true;
	case EXPR_NUMBER:
	case EXPR_NEGATIVE:
		return expr_constant_number(expr, ret);
	case EXPR_CAPTURE:
	case EXPR_STRING:
	case EXPR_SET:
	case EXPR_MAD:
	case EXPR_PIECE:
		return false;
	}
	return false;
}

bool run_number(struct run *run, const struct expr *expr, uint64_t *ret)
{
	uint64_t known;

	return run_number_known(run, expr, ret, &known);
}

const char *world_end_name(const struct world *world, const struct expr *port)
{
	if (port->kind != EXPR_WORD)
		return port->text;
	return world->label[strcmp(port->text, "self") == 0 ? WORLD_SELF : WORLD_PEER];
}

static bool env_number(void *ctx, const struct expr *expr, uint64_t *ret, uint64_t *ret_known)
{
	return run_number_known(ctx, expr, ret, ret_known);
}

static bool env_address(void *ctx, const char *name, struct world_address *ret)
{
	struct run *run = ctx;

	return run->world->kind->address(run->world, name, ret) == 0;
}

const uint8_t *run_data(struct run *run, const char *name, size_t *ret_size)
{
	const struct payload *payload = payload_find(run->point, name);
	GBytes *bytes = g_hash_table_lookup(run->data, name);
	size_t size;

	if (bytes == NULL) {
		uint8_t *memory;

		if (payload == NULL || !payload_size(run->point, payload, &size))
			return NULL;
		memory = g_malloc0(size + 1);
		payload_fill(run->point, payload, memory);
		bytes = g_bytes_new_take(memory, size);
		g_hash_table_insert(run->data, g_strdup(name), bytes);
	}
	/* Of no bytes too there is an address. */
	*ret_size = g_bytes_get_size(bytes);
	return *ret_size > 0 ? g_bytes_get_data(bytes, NULL) : (const uint8_t *)"";
}

static const uint8_t *env_data(void *ctx, const char *name, size_t *ret_size)
{
	return run_data(ctx, name, ret_size);
}

static void set_var(struct run *run, const char *name, const struct var *value)
{
	struct var *var = g_new(struct var, 1);

	*var = *value;
	g_hash_table_replace(run->vars, g_strdup(name), var);
}

static void env_capture(void *ctx, const char *name, uint64_t value)
{
	struct run *run = ctx;
	struct var var = { .kind = VAR_NUMBER, .number = value, .known = UINT64_MAX };

	/* The kernel of a real B replaces the upper half of the TID of what '<' sends. */
	if (run->world->kind->arrive == NULL && run->step->verb == STEP_ARRIVES)
		var.known = UINT32_MAX;
	set_var(run, name, &var);
}

/* ---- '<' ---- */

/* The addresses of what arrives where the script does not say: from the peer to A. */
static void default_addresses(struct run *run, const struct mad_pattern *pattern,
			      struct packet_addr *ret)
{
	struct world_address self = { 0 }, peer = { 0 };
	bool smp = pattern->class_info != NULL && mad_class_is_smp(pattern->class_info->mgmt_class);

	run->world->kind->address(run->world, "self", &self);
	run->world->kind->address(run->world, "peer", &peer);
	*ret = (struct packet_addr) {
		.slid = peer.lid,
		.dlid = self.lid,
		.pkey = PKEY_DEFAULT,
		.hop_limit = 64,
		.src_qp = smp ? 0 : 1,
		.dest_qp = smp ? 0 : 1,
		.qkey = smp ? 0 : QKEY_GSI,
		/* IBA vol 1, 3.5.10: subnet management has virtual lane 15 to itself. */
		.vl = smp ? 15 : 0,
	};
	memcpy(ret->sgid, peer.gid, 16);
	memcpy(ret->dgid, self.gid, 16);
}

static bool build_arriving(struct run *run, const struct step *step, struct mad_instance *ret)
{
	const struct mad_pattern *pattern = step->patterns.mad;
	struct mad_defaults defaults = { -1, -1, DEFAULT_OUI, run->next_tid++ };
	g_autoptr(GString) error = g_string_new(NULL);

	default_addresses(run, pattern, &ret->addr);
	if (!mad_build(pattern, &run->env, &defaults, ret, error)) {
		run_fail(run, step->place, "%s", error->str);
		return false;
	}
	if (ret->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* Permissive addresses on both sides, unless said otherwise. */
		if (mad_pattern_term(pattern, "slid") == NULL)
			ret->addr.slid = LID_PERMISSIVE;
		if (mad_pattern_term(pattern, "dlid") == NULL)
			ret->addr.dlid = LID_PERMISSIVE;
	}
	return true;
}

static bool build_packet(struct run *run, const struct step *step,
			 const struct mad_instance *instance, uint8_t *ret, size_t *ret_size)
{
	g_autoptr(GString) error = g_string_new(NULL);

	if (packet_bytes(step->patterns.mad, &run->env, instance, ret, ret_size, error))
		return true;
	run_fail(run, step->place, "%s", error->str);
	return false;
}

/* What becomes of it is seen at once. */
static int arrive_packet(struct run *run, const char *summary, const uint8_t *bytes, size_t size)
{
	g_autofree char *why = NULL, *note = NULL;
	int64_t at_ns = run_now(run);
	int status = run->world->kind->arrive_packet(run->world, bytes, size, &why);

	note = why != NULL ? g_strdup_printf("dropped: %s", why) : g_strdup("ok");
	run_note(run, at_ns, "<", summary, note);
	return status;
}

static void run_arrives(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = true };
	const struct mad_pattern *pattern = step->patterns.mad;
	g_autofree char *summary = NULL;
	uint8_t bytes[PACKET_SIZE_MAX];
	size_t size = 0;
	int64_t began_ns;
	int status;

	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		run_check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run) || (pattern->packet == NULL && !build_arriving(run, step, &instance)) ||
	    (packet_is_raw(pattern) && !build_packet(run, step, &instance, bytes, &size)))
		return;
	began_ns = run_now(run);
	summary = pattern->packet != NULL ? packet_summary(pattern, size) :
		  mad_summary(instance.mad);
	if (size == 0)
		run_note(run, began_ns, "<", summary, "ok");
	step_done(run, step, &due, began_ns);
	if (size > 0)
		status = arrive_packet(run, summary, bytes, size);
	else if (run->world->kind->arrive != NULL)
		status = run->world->kind->arrive(run->world, &instance.addr, instance.mad);
	else
		status = peer_send(run->peer, instance.mad);
	if (status < 0)
		run_fail(run, step->place, "this could not be sent: %s", g_strerror(-status));
	step_acted(run, began_ns);
	run_advance(run, run_now(run));
}

/* ---- calls ---- */

static void bind_result(struct run *run, const struct step *step,
			const struct call_outcome *outcome)
{
	struct var var = outcome->bind;

	if (step->bind == NULL)
		return;
	if (var.kind == VAR_NONE) {
		if (outcome->value < 0 && step->result == NULL) {
			g_autoptr(GString) text = g_string_new(NULL);

			append_call_value(text, outcome->value);
			run_fail(run, step->place, "%s() failed: %s (errno %s)", step->call->name,
				 text->str,
				 errno_name(outcome->instance.result[TERM_RESULT_ERRNO]));
			return;
		}
		var = (struct var) {
			.kind = VAR_NUMBER, .number = (uint64_t)outcome->value, .known = UINT64_MAX,
		};
	}
	set_var(run, step->bind, &var);
}

static void run_call(struct run *run, const struct step *step, const struct call_kind *kind,
		     const struct call_args *args)
{
	struct due_window due = step_window(run, step);
	struct call_outcome outcome = { .value = 0 };
	g_autofree uint8_t *message = NULL;
	int64_t began_ns;

	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		run_check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run))
		return;
	began_ns = run_now(run);
	step_done(run, step, &due, began_ns);
	kind->run(run, step->call, args, step->patterns.mad, &outcome);
	step_acted(run, began_ns);
	message = outcome.message;
	if (run_failed(run))
		return;
	expect_value(run, step, outcome.value);
	expect_fields(run, step, &outcome.instance, outcome.has_item);
	if (!run_failed(run))
		bind_result(run, step, &outcome);
	note_call(run, step, outcome.value);
	run_advance(run, run_now(run));
}

/* ---- the peer ---- */

/* The value of an argument that is a constant, or 'otherwise'. */
static uint64_t bare_number(const struct call_expr *call, const char *name, uint64_t otherwise)
{
	for (guint i = 0; i < call->args->len; i++) {
		const struct call_arg *arg = call->args->pdata[i];
		const struct mad_class_info *info;
		uint64_t number;

		if (arg->name == NULL || strcmp(arg->name, name) != 0)
			continue;
		if (expr_constant_number(arg->value, &number))
			return number;
		info = arg->value->kind == EXPR_WORD ? mad_class_by_name(arg->value->text) : NULL;
		if (info != NULL)
			return info->mgmt_class;
	}
	return otherwise;
}

static int peer_listens(struct run *run, const struct step *step)
{
	uint64_t mask[2] = { 0, 0 };
	const struct expr *bad;

	for (guint i = 0; i < step->call->args->len; i++) {
		const struct call_arg *arg = step->call->args->pdata[i];

		if (strcmp(arg->name, "methods") == 0)
			method_mask(arg->value, mask, &bad);
	}
	return peer_listen(run->peer, (unsigned int)bare_number(step->call, "class", 0),
			   (unsigned int)bare_number(step->call, "version", 0),
			   (uint32_t)bare_number(step->call, "oui", DEFAULT_OUI), mask);
}

/* What a pattern says of the field 'name', or 'otherwise'. */
static uint64_t pattern_number(struct run *run, const struct mad_pattern *pattern, const char *name,
			       uint64_t otherwise)
{
	const struct mad_term *term = mad_pattern_term(pattern, name);
	uint64_t number, known;

	if (term == NULL)
		return otherwise;
	if (term->value->kind == EXPR_WORD && term_word(term, term->value->text, &number))
		return number;
	return env_number(run, term->value, &number, &known) ? number : otherwise;
}

static int peer_answers(struct run *run, const struct step *step)
{
	const struct mad_pattern *asked = step->patterns.mad;
	int64_t after_ns = 0;

	if (step->after != NULL)
		expr_constant_time(step->after, &after_ns);
	return peer_answer(run->peer, asked,
			   (unsigned int)pattern_number(run, asked, "class",
							asked->class_info->mgmt_class),
			   0, (uint32_t)pattern_number(run, asked, "oui", DEFAULT_OUI), after_ns,
			   step->patterns.answer);
}

static void run_peer(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	bool listens = step->verb == STEP_PEER_LISTENS;
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

/* ---- steps ---- */

static void run_step(struct run *run, const struct step *step)
{
	struct call_args args;
	const struct call_kind *kind;
	const char *suggestion;
	g_autofree char *base = NULL;
	g_autofree char *comment = NULL;

	run->step = step;
	/* The file's name alone: a capture does not depend on where the script lies. */
	base = g_path_get_basename(step->place.source->name);
	comment = g_strdup_printf("%s:%u", base, step->place.line);
	run->world->kind->comment(run->world, comment);
	switch (step->verb) {
	case STEP_ARRIVES:
		run_arrives(run, step);
		return;
	case STEP_LEAVES:
	case STEP_SAME:
		expect_leaves(run, step);
		return;
	case STEP_SILENCE:
		run_add_silence(run, step, NULL);
		return;
	case STEP_PEER_LISTENS:
	case STEP_PEER_ANSWERS:
		run_peer(run, step);
		return;
	case STEP_FAULT:
		run_fault(run, step);
		return;
	case STEP_RUN:
		run_program(run, step);
		return;
	case STEP_STOP:
		run_stop(run, step);
		return;
	case STEP_LINK:
	case STEP_POWER:
		run_link(run, step);
		return;
	case STEP_DO:
		run_do(run, step);
		return;
	case STEP_CHECK:
		run_check(run, step);
		return;
	case STEP_WIRE:
		run_wire(run, step);
		return;
	case STEP_START:
		run_start(run, step);
		return;
	case STEP_END:
		run_ended(run, step);
		return;
	case STEP_CALL:
		run->header_size = 64;
		kind = call_find(step->call->name, &suggestion);
		call_bind_args(run->script->diagnostics, kind, step->call, &args);
		if (kind->is_recv)
			expect_recv(run, step, &args);
		else
			run_call(run, step, kind, &args);
		return;
	}
}

static void run_end(struct run *run)
{
	struct place place = run->point->scenario->place;

	if (run->point->steps->len > 0) {
		const struct step *last = run->point->steps->pdata[run->point->steps->len - 1];

		place = last->place;
	}
	run_advance(run, run->end_ns);
	run_check_leftovers(run, place, INT64_MAX);
	run->outcome->end_ns = run_now(run);
	if (run->world->kind->unmatched(run->world) > 0)
		run_fail(run, place, "%zu requests are not in the capture that answers",
			 run->world->kind->unmatched(run->world));
}

static void handle_free(void *data)
{
	struct run_handle *handle = data;

	if (!handle->closed)
		umad_close_port(handle->fd);
	g_queue_clear_full(&handle->inbox, g_free);
	g_free(handle);
}

static void run_init(struct run *run)
{
	const struct settings *settings = &run->point->scenario->settings;
	static const char *const ca_names[WORLD_ENDS] = { "CA", "PEER_CA" };
	static const char *const port_names[WORLD_ENDS] = { "PORT", "PEER_PORT" };

	run->env = (struct mad_env) { run, env_number, env_address, env_capture, env_data };
	run->data = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					  (GDestroyNotify)g_bytes_unref);
	run->vars = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	run->handles = g_ptr_array_new_with_free_func(handle_free);
	run->files = g_ptr_array_new_with_free_func(g_free);
	run->silences = g_array_new(FALSE, TRUE, sizeof(struct silence));
	run->ignores = g_ptr_array_new();
	run->peer = peer_new(run->world);
	run->overlap = overlap_new(run->world);
	run->programs = g_ptr_array_new();
	run->runs_programs = point_runs_programs(run->point);
	run->buffer = g_malloc(RECV_BUFFER_SIZE);
	run->next_tid = 1;
	run->base_ns = run->zero_ns = run_now(run);
	run->limit_ns = settings->timeout_ns != 0 ? settings->timeout_ns :
			run->world->kind->is_sim ? INT64_MAX / 2 : HW_LIMIT_NS;
	g_queue_init(&run->outbox);
	run->wires_left = wire_count(run->point);
	if (run->wires_left > 0)
		run->world->crossed = g_ptr_array_new_with_free_func(g_free);
	for (guint i = 0; i < settings->ignores->len; i++) {
		struct mad_pattern *pattern = mad_resolve((struct script *)run->script,
							  settings->ignores->pdata[i], MAD_LEAVES);

		if (pattern != NULL)
			g_ptr_array_add(run->ignores, pattern);
	}
	for (int end = 0; end < WORLD_ENDS; end++) {
		struct var ca = { .kind = VAR_TEXT, .text = run->world->ca[end] };
		struct var port = { .kind = VAR_NUMBER, .known = UINT64_MAX,
				    .number = (uint64_t)run->world->port[end] };

		set_var(run, ca_names[end], &ca);
		set_var(run, port_names[end], &port);
	}
}

static void run_clear(struct run *run)
{
	for (guint i = 0; i < run->files->len; i++) {
		struct run_file *file = run->files->pdata[i];

		if (file->file != NULL)
			run->world->kind->file_close(file->file);
	}
	programs_free(run);
	overlap_cancel(run->overlap);
	g_ptr_array_unref(run->handles);
	overlap_free(run->overlap);
	g_ptr_array_unref(run->files);
	peer_free(run->peer);
	g_hash_table_unref(run->vars);
	g_hash_table_unref(run->data);
	g_array_unref(run->silences);
	g_ptr_array_unref(run->ignores);
	g_queue_clear_full(&run->outbox, g_free);
	g_free(run->last_left);
	g_free(run->buffer);
}

void point_run(const struct script *script, const struct point *point, struct world *world,
	       struct outcome *ret)
{
	struct run run = {
		.script = script, .point = point, .world = world, .outcome = ret,
	};

	memset(ret, 0, sizeof(*ret));
	ret->details = g_string_new(NULL);
	ret->ladder = g_string_new(NULL);
	run_init(&run);
	for (guint i = 0; i < point->steps->len && !run_failed(&run); i++) {
		run_step(&run, point->steps->pdata[i]);
		if (!run_failed(&run) && run_now(&run) > run.limit_ns)
			run_fail(&run, run.step->place,
				 "the scenario is not over within its timeout (%s)",
				 say_time(run.limit_ns));
	}
	if (!run_failed(&run))
		run_end(&run);
	run_clear(&run);
}

void outcome_clear(struct outcome *outcome)
{
	g_free(outcome->message);
	g_free(outcome->expected);
	g_free(outcome->actual);
	if (outcome->details != NULL)
		g_string_free(outcome->details, TRUE);
	if (outcome->ladder != NULL)
		g_string_free(outcome->ladder, TRUE);
	memset(outcome, 0, sizeof(*outcome));
}
