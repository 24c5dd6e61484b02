/*
 * The runner: steps of a point, one after the other, each at its time.
 */
#include "script-run.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "script-calls.h"
#include "script-peer.h"

#define RECV_BUFFER_SIZE (64 + (1 << 20))

/* How long a real scenario may take that does not say. */
#define HW_LIMIT_NS (60 * NS_PER_S)

/* How far a failed wait is followed, to say how late it would have been. */
#define PROBE_STEPS_MAX 100000

/* A window in which something must not happen. */
struct silence {
	const struct step *step;
	int64_t from_ns, to_ns;
	struct run_handle *handle;	/* NULL: '> nothing' */
};

/* When a step is due. */
struct due_window {
	int64_t target_ns;	/* what the script says */
	int64_t low_ns, high_ns;	/* both inclusive */
};

bool run_failed(const struct run *run)
{
	return run->outcome->verdict != VERDICT_PASS;
}

void run_fail(struct run *run, struct place place, const char *format, ...)
{
	va_list args;

	if (run_failed(run))
		return;
	run->outcome->verdict = VERDICT_FAIL;
	run->outcome->place = place;
	va_start(args, format);
	run->outcome->message = g_strdup_vprintf(format, args);
	va_end(args);
}

static int64_t now(struct run *run)
{
	return run->world->kind->now_ns(run->world);
}

/* "200ms": one of a few buffers, for messages. */
static const char *say_time(int64_t ns)
{
	static char buffers[4][32];
	static unsigned int next;

	next = (next + 1) % G_N_ELEMENTS(buffers);
	return time_format(ns, buffers[next], sizeof(buffers[next]));
}

void run_note(struct run *run, int64_t at_ns, const char *arrow, const char *text, const char *note)
{
	uint64_t us = at_ns < 0 ? 0 : (uint64_t)at_ns / NS_PER_US;

	g_string_append_printf(run->outcome->ladder, "%8" G_GUINT64_FORMAT ".%03" G_GUINT64_FORMAT
			       "ms  %-1s %-52s", us / 1000, us % 1000, arrow, text);
	if (run->step != NULL)
		g_string_append_printf(run->outcome->ladder, "  line %-3u", run->step->place.line);
	g_string_append_printf(run->outcome->ladder, " %s\n", note);
}

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
		return false;
	}
	return false;
}

bool run_number(struct run *run, const struct expr *expr, uint64_t *ret)
{
	uint64_t known;

	return run_number_known(run, expr, ret, &known);
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
	if (!run->world->kind->is_sim && run->step->verb == STEP_ARRIVES)
		var.known = UINT32_MAX;
	set_var(run, name, &var);
}

/* ---- what happens ---- */

static void packet_instance(const struct world_packet *packet, struct mad_instance *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->has_addr = packet->has_addr;
	ret->addr = packet->addr;
	memcpy(ret->mad, packet->mad, MAD_SIZE);
}

static bool is_ignored(struct run *run, const struct world_packet *packet)
{
	struct mad_instance instance;

	packet_instance(packet, &instance);
	for (guint i = 0; i < run->ignores->len; i++) {
		if (mad_compare(run->ignores->pdata[i], &run->env, &instance, NULL))
			return true;
	}
	return false;
}

/* Does anything that must not happen happen at 'at_ns'? 'handle' NULL: a packet leaves A. */
static void check_silences(struct run *run, int64_t at_ns, const struct run_handle *handle,
			   const char *what)
{
	for (guint i = 0; i < run->silences->len; i++) {
		const struct silence *silence = &g_array_index(run->silences, struct silence, i);

		if (silence->handle != handle || at_ns < silence->from_ns || at_ns >= silence->to_ns)
			continue;
		run_fail(run, silence->step->place, "nothing was to %s from %s up to %s: at %s came %s",
			 handle == NULL ? "leave" : "arrive", say_time(silence->from_ns),
			 say_time(silence->to_ns), say_time(at_ns), what);
		run_note(run, at_ns, handle == NULL ? ">" : "", what, "UNEXPECTED");
	}
}

static void collect_handle(struct run *run, struct run_handle *handle)
{
	while (!handle->closed) {
		int length = RECV_BUFFER_SIZE - 64;
		struct run_item *item;
		g_autofree char *summary = NULL;
		int result;

		memset(run->buffer, 0, 64 + MAD_SIZE);
		result = umad_recv(handle->fd, run->buffer, &length, 0);
		if (result < 0)
			return;
		item = g_new0(struct run_item, 1);
		item->at_ns = now(run);
		item->result = result;
		item->length = length;
		memcpy(item->umad, run->buffer, 64);
		memcpy(item->mad, run->buffer + 64, MAD_SIZE);
		g_queue_push_tail(&handle->inbox, item);
		summary = mad_summary(item->mad);
		check_silences(run, item->at_ns, handle, summary);
	}
}

void run_collect(struct run *run)
{
	struct world_packet *packet;

	for (guint i = 0; i < run->handles->len; i++)
		collect_handle(run, run->handles->pdata[i]);
	peer_collect(run->peer, &run->env);
	while ((packet = g_queue_pop_head(&run->world->leaves)) != NULL) {
		g_autofree char *summary = mad_summary(packet->mad);

		if (is_ignored(run, packet)) {
			run->ignored++;
			g_free(packet);
			continue;
		}
		g_queue_push_tail(&run->outbox, packet);
		check_silences(run, packet->at_ns, NULL, summary);
	}
}

static size_t run_fds(struct run *run, int *fds, size_t size)
{
	size_t count = 0;

	for (guint i = 0; i < run->handles->len && count < size; i++) {
		const struct run_handle *handle = run->handles->pdata[i];

		if (!handle->closed)
			fds[count++] = handle->fd;
	}
	if (peer_fd(run->peer) >= 0 && count < size)
		fds[count++] = peer_fd(run->peer);
	return count;
}

/* One instant, or less: false when nothing more happens up to and at 'until_ns', which is now. */
static bool advance_once(struct run *run, int64_t until_ns)
{
	int fds[64];
	int64_t due_ns = peer_due_ns(run->peer);
	bool happened;

	happened = run->world->kind->step(run->world, MIN(due_ns, until_ns), fds,
					  run_fds(run, fds, G_N_ELEMENTS(fds)));
	run_collect(run);
	if (!happened && due_ns <= until_ns) {
		int status = peer_send_due(run->peer, now(run));

		if (status < 0)
			run_fail(run, run->step->place, "the peer could not answer: %s",
				 g_strerror(-status));
		run_collect(run);
		happened = true;
	}
	return happened && !run_failed(run);
}

void run_advance(struct run *run, int64_t until_ns)
{
	until_ns = MAX(until_ns, now(run));
	while (!run_failed(run) && advance_once(run, until_ns))
		;
}

/* ---- when a step is due ---- */

static int64_t late_allowed(const struct run *run, int64_t waited_ns)
{
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;
	int64_t per_try = tolerance->per_try_ns >= 0 ? tolerance->per_try_ns :
			  2 * run->world->tick_ns;

	return tolerance->late_ns + waited_ns / 100000 * (int64_t)tolerance->late_millipercent +
	       per_try * (1 + (int64_t)run->same_count);
}

/* The window of a point in time: an instant on the simulator, with tolerances on hw. */
static struct due_window point_window(struct run *run, const struct step *step)
{
	const struct step_time *time = &step->time;
	int64_t target = time->from_relative ? run->base_ns + time->from_ns : time->from_ns;
	struct due_window due = { target, target, target };
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;

	if (run->world->kind->is_sim)
		return due;
	due.low_ns -= tolerance->early_ns >= 0 ? tolerance->early_ns : run->world->tick_ns;
	due.high_ns += late_allowed(run, time->from_relative ? time->from_ns : target);
	return due;
}

static struct due_window step_window(struct run *run, const struct step *step)
{
	const struct step_time *time = &step->time;
	struct due_window due;

	switch (time->kind) {
	case STEP_TIME_POINT:
		return point_window(run, step);
	case STEP_TIME_WINDOW:
		due.low_ns = time->from_relative ? run->base_ns + time->from_ns : time->from_ns;
		due.high_ns = (time->to_relative ? run->base_ns + time->to_ns : time->to_ns) - 1;
		due.target_ns = due.low_ns;
		return due;
	case STEP_TIME_ANY:
		due.low_ns = due.target_ns = run->base_ns;
		due.high_ns = run->limit_ns;
		return due;
	}
	return (struct due_window) { 0, 0, 0 };
}

/* The step was kept at 'at_ns': what follows with '+' counts from here. */
static void step_done(struct run *run, const struct step *step, const struct due_window *due,
		      int64_t at_ns)
{
	if (step->time.kind == STEP_TIME_WINDOW)
		return;
	run->base_ns = run->world->kind->is_sim && step->time.kind == STEP_TIME_POINT ?
		       due->target_ns : at_ns;
}

/* ---- failures ---- */

static char *expected_text(const struct due_window *due, const char *what)
{
	if (due->low_ns == due->high_ns)
		return g_strdup_printf("{ time: %s, mad: %s }", say_time(due->target_ns), what);
	return g_strdup_printf("{ time: %s, window: [%s, %s], mad: %s }", say_time(due->target_ns),
			       say_time(due->low_ns), say_time(due->high_ns), what);
}

/* The text of a line behind its time, for "expected". */
static char *step_text(const struct step *step)
{
	const struct source *source = step->place.source;
	size_t end = step->place.offset;

	while (end < source->size && source->text[end] != '\n' && source->text[end] != '\r')
		end++;
	return g_strstrip(g_strndup(source->text + step->place.offset, end - step->place.offset));
}

static void fail_expected(struct run *run, const struct step *step, const struct due_window *due)
{
	g_autofree char *text = step_text(step);

	if (run->outcome->expected == NULL)
		run->outcome->expected = expected_text(due, text);
}

/* Something came at the wrong time. */
static void fail_time(struct run *run, const struct step *step, const struct due_window *due,
		      int64_t at_ns, const char *what)
{
	g_autofree char *window = NULL;

	if (due->low_ns != due->high_ns)
		window = g_strdup_printf(" (window %s +%s)", say_time(due->low_ns - due->target_ns),
					 say_time(due->high_ns - due->target_ns));
	run_fail(run, step->place, "%s by %s%s", at_ns < due->low_ns ? "early" : "late",
		 say_time(at_ns < due->low_ns ? due->target_ns - at_ns : at_ns - due->target_ns),
		 window != NULL ? window : "");
	fail_expected(run, step, due);
	if (run->outcome->actual == NULL)
		run->outcome->actual = g_strdup_printf("{ time: %s, mad: %s }", say_time(at_ns), what);
	run_note(run, at_ns, ">", what, at_ns < due->low_ns ? "EARLY" : "LATE");
}

static void fail_unexpected(struct run *run, struct place place, const struct world_packet *packet)
{
	g_autofree char *summary = mad_summary(packet->mad);

	run_fail(run, place, "unexpected > %s at %s", summary, say_time(packet->at_ns));
	if (run->outcome->actual == NULL)
		run->outcome->actual = g_strdup_printf("{ time: %s, mad: %s }", say_time(packet->at_ns),
						       summary);
	run->step = NULL;
	run_note(run, packet->at_ns, ">", summary, "UNEXPECTED");
}

/*
 * What was waited for did not come. On the simulator it costs nothing to look further: is it late,
 * or can nothing happen any more? 'handle' NULL: a packet was waited for.
 */
static void fail_missing(struct run *run, const struct step *step, const struct due_window *due,
			 struct run_handle *handle)
{
	GQueue *queue = handle != NULL ? &handle->inbox : &run->outbox;
	const char *what = handle != NULL ? "arrives at the handle" : "leaves the port";
	unsigned int steps = 0;
	int64_t next_ns = 0;

	fail_expected(run, step, due);
	while (run->world->kind->is_sim && g_queue_is_empty(queue) && !run_failed(run) &&
	       steps++ < PROBE_STEPS_MAX) {
		next_ns = MIN(run->world->kind->next_ns(run->world), peer_due_ns(run->peer));
		if (next_ns == TIME_NEVER)
			break;
		advance_once(run, next_ns);
	}
	if (run_failed(run))
		return;
	if (!g_queue_is_empty(queue)) {
		const struct world_packet *packet = handle == NULL ? g_queue_peek_head(queue) : NULL;
		const struct run_item *item = handle != NULL ? g_queue_peek_head(queue) : NULL;
		g_autofree char *summary = mad_summary(packet != NULL ? packet->mad : item->mad);

		fail_time(run, step, due, packet != NULL ? packet->at_ns : item->at_ns, summary);
		return;
	}
	run->outcome->actual = g_strdup("nothing");
	if (run->world->kind->is_sim && next_ns == TIME_NEVER)
		run_fail(run, step->place, "nothing can happen any more: this line waits for a MAD that %s, "
			 "no timer is armed and no answer is scripted", what);
	else
		run_fail(run, step->place, "nothing %s up to %s", what, say_time(due->high_ns));
}

/* Everything that came before 'before_ns' must be accounted for. */
static void check_leftovers(struct run *run, struct place place, int64_t before_ns)
{
	const struct world_packet *packet = g_queue_peek_head(&run->outbox);

	if (packet != NULL && packet->at_ns < before_ns)
		fail_unexpected(run, place, packet);
	for (guint i = 0; i < run->handles->len && !run_failed(run); i++) {
		struct run_handle *handle = run->handles->pdata[i];
		const struct run_item *item = g_queue_peek_head(&handle->inbox);
		g_autofree char *summary = NULL;

		if (item == NULL || item->at_ns >= before_ns || handle->closed)
			continue;
		summary = mad_summary(item->mad);
		run_fail(run, place, "unexpected: at %s umad_recv() had %s%s, which no line reads",
			 say_time(item->at_ns), summary,
			 get_be32(item->umad + 4) != 0 ? " (a send that failed)" : "");
	}
}

/* ---- '>' ---- */

/* Waits for a packet in the window: the head of the outbox, or NULL when the run has failed. */
static struct world_packet *wait_packet(struct run *run, const struct step *step,
					const struct due_window *due)
{
	struct world_packet *packet;

	run_collect(run);
	while (g_queue_is_empty(&run->outbox) && !run_failed(run)) {
		if (!advance_once(run, due->high_ns))
			break;
	}
	packet = g_queue_peek_head(&run->outbox);
	if (run_failed(run))
		return NULL;
	if (packet == NULL)
		fail_missing(run, step, due, NULL);
	return packet;
}

/* The candidates behind the head that would have fitted. */
static void hint_candidates(struct run *run, const struct mad_pattern *pattern)
{
	for (const GList *link = run->outbox.head->next; link != NULL; link = link->next) {
		const struct world_packet *packet = link->data;
		struct mad_instance instance;
		g_autofree char *summary = mad_summary(packet->mad);

		packet_instance(packet, &instance);
		if (!mad_compare(pattern, &run->env, &instance, NULL))
			continue;
		g_string_append_printf(run->outcome->details,
				       "a later one fits: %s at %s: is the order right?\n", summary,
				       say_time(packet->at_ns));
		return;
	}
}

static void take_packet(struct run *run, const struct step *step, const struct due_window *due)
{
	struct world_packet *packet = g_queue_pop_head(&run->outbox);
	g_autofree char *summary = mad_summary(packet->mad);

	step_done(run, step, due, packet->at_ns);
	run_note(run, packet->at_ns, ">", step->verb == STEP_SAME ? "same" : summary, "ok");
	g_free(run->last_left);
	run->last_left = packet;
}

static void fail_packet(struct run *run, const struct step *step, const struct due_window *due,
			const struct world_packet *packet, const struct mad_pattern *pattern,
			GString *why)
{
	g_autofree char *summary = mad_summary(packet->mad);

	if (packet->at_ns < due->low_ns) {
		fail_unexpected(run, step->place, packet);
		return;
	}
	run_fail(run, step->place, "the MAD is another");
	fail_expected(run, step, due);
	run->outcome->actual = g_strdup_printf("{ time: %s, mad: %s }", say_time(packet->at_ns), summary);
	g_string_append(run->outcome->details, why->str);
	if (pattern != NULL)
		hint_candidates(run, pattern);
	run_note(run, packet->at_ns, ">", summary, "DIFFERS");
}

static void compare_same(const struct world_packet *left, const struct world_packet *right,
			 GString *why)
{
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		if (left->mad[i] != right->mad[i])
			g_string_append_printf(why, "byte %u  expected 0x%02x  actual 0x%02x\n", i,
					       left->mad[i], right->mad[i]);
	}
	if (!left->has_addr || !right->has_addr)
		return;
	if (left->addr.dlid != right->addr.dlid)
		g_string_append_printf(why, "dlid  expected %u  actual %u\n", left->addr.dlid,
				       right->addr.dlid);
	if (left->addr.dest_qp != right->addr.dest_qp)
		g_string_append_printf(why, "dqp  expected %u  actual %u\n", left->addr.dest_qp,
				       right->addr.dest_qp);
	if (left->addr.has_grh != right->addr.has_grh)
		g_string_append(why, "grh  differs\n");
}

static void run_leaves(struct run *run, const struct step *step)
{
	const struct mad_pattern *pattern = step->patterns.mad;
	struct due_window due;
	struct world_packet *packet;
	struct mad_instance instance;
	g_autoptr(GString) why = g_string_new(NULL);

	run->same_count = step->verb == STEP_SAME ? run->same_count + 1 : 0;
	due = step_window(run, step);
	packet = wait_packet(run, step, &due);
	if (packet == NULL)
		return;
	packet_instance(packet, &instance);
	if (step->verb == STEP_SAME && run->last_left != NULL)
		compare_same(run->last_left, packet, why);
	else if (step->verb == STEP_LEAVES)
		mad_compare(pattern, &run->env, &instance, why);
	if (why->len > 0)
		fail_packet(run, step, &due, packet, pattern, why);
	else if (packet->at_ns < due.low_ns || packet->at_ns > due.high_ns) {
		g_autofree char *summary = mad_summary(packet->mad);

		fail_time(run, step, &due, packet->at_ns, summary);
	} else {
		take_packet(run, step, &due);
	}
}

/* ---- windows of silence ---- */

static void add_silence(struct run *run, const struct step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct silence silence = { step, due.low_ns, due.high_ns + 1, handle };
	const GQueue *queue = handle != NULL ? &handle->inbox : &run->outbox;
	const struct tolerance *tolerance = &run->point->scenario->settings.tolerance;

	/* On hw what follows the window may come a little early. */
	if (!run->world->kind->is_sim)
		silence.to_ns -= tolerance->early_ns >= 0 ? tolerance->early_ns : run->world->tick_ns;
	run_collect(run);
	g_array_append_val(run->silences, silence);
	run->end_ns = MAX(run->end_ns, silence.to_ns);
	for (const GList *link = queue->head; link != NULL; link = link->next) {
		int64_t at_ns = handle != NULL ? ((struct run_item *)link->data)->at_ns :
				((struct world_packet *)link->data)->at_ns;
		g_autofree char *summary = mad_summary(handle != NULL ?
						       ((struct run_item *)link->data)->mad :
						       ((struct world_packet *)link->data)->mad);

		check_silences(run, at_ns, handle, summary);
	}
}

/* ---- '<' ---- */

static void run_arrives(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	struct mad_defaults defaults = { -1, -1, 0x001405, run->next_tid++ };
	struct mad_instance instance = { .has_addr = true };
	struct world_address self = { 0 }, peer = { 0 };
	g_autoptr(GString) error = g_string_new(NULL);
	g_autofree char *summary = NULL;
	int status;

	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run))
		return;
	run->world->kind->address(run->world, "self", &self);
	run->world->kind->address(run->world, "peer", &peer);
	instance.addr = (struct packet_addr) {
		.slid = peer.lid, .dlid = self.lid, .pkey = PKEY_DEFAULT, .hop_limit = 64,
		.src_qp = 1, .dest_qp = 1, .qkey = QKEY_GSI,
	};
	memcpy(instance.addr.sgid, peer.gid, 16);
	memcpy(instance.addr.dgid, self.gid, 16);
	if (step->patterns.mad->class_info != NULL &&
	    mad_class_is_smp(step->patterns.mad->class_info->mgmt_class))
		instance.addr.src_qp = instance.addr.dest_qp = instance.addr.qkey = 0;
	if (!mad_build(step->patterns.mad, &run->env, &defaults, &instance, error)) {
		run_fail(run, step->place, "%s", error->str);
		return;
	}
	if (instance.mad[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		/* Permissive addresses on both sides, unless said otherwise. */
		if (mad_pattern_term(step->patterns.mad, "slid") == NULL)
			instance.addr.slid = LID_PERMISSIVE;
		if (mad_pattern_term(step->patterns.mad, "dlid") == NULL)
			instance.addr.dlid = LID_PERMISSIVE;
	}
	summary = mad_summary(instance.mad);
	run_note(run, now(run), "<", summary, "ok");
	step_done(run, step, &due, now(run));
	if (run->world->kind->arrive != NULL)
		status = run->world->kind->arrive(run->world, &instance.addr, instance.mad);
	else
		status = peer_send(run->peer, instance.mad);
	if (status < 0)
		run_fail(run, step->place, "this could not be sent: %s", g_strerror(-status));
	run_advance(run, now(run));
}

/* ---- calls ---- */

static void append_value(GString *out, int64_t value)
{
	const char *name = value < 0 ? errno_name((int)-value) : NULL;

	if (name != NULL)
		g_string_append_printf(out, "-%s", name);
	else
		g_string_append_printf(out, "%" G_GINT64_FORMAT, value);
}

static bool is_nothing(const struct expr *expr)
{
	return expr != NULL && expr->kind == EXPR_WORD && strcmp(expr->text, "nothing") == 0;
}

/* {IN, OUT} as poll(2) has it. */
static uint64_t poll_set(const struct expr *set)
{
	uint64_t events = 0;

	for (guint i = 0; i < set->items->len; i++) {
		const char *word = ((const struct expr *)set->items->pdata[i])->text;

		events |= strcmp(word, "IN") == 0 ? POLLIN : strcmp(word, "OUT") == 0 ? POLLOUT :
			  strcmp(word, "ERR") == 0 ? POLLERR : POLLHUP;
	}
	return events;
}

/* The value that a call must have, against the one it has. */
static void check_value(struct run *run, const struct step *step, int64_t value)
{
	GString *text;
	uint64_t expected;

	if (step->result == NULL)
		return;
	if (step->result->kind == EXPR_SET) {
		expected = poll_set(step->result);
	} else if (!run_number(run, step->result, &expected)) {
		run_fail(run, step->result->place, "this has no value here");
		return;
	}
	if ((int64_t)expected == value)
		return;
	text = g_string_new(NULL);
	append_value(text, value);
	run_fail(run, step->place, "%s() gave %s", step->call->name, text->str);
	run->outcome->actual = g_string_free(text, FALSE);
	text = g_string_new(NULL);
	append_value(text, (int64_t)expected);
	run->outcome->expected = g_string_free(text, FALSE);
}

static void check_fields(struct run *run, const struct step *step,
			 const struct mad_instance *instance, bool has_item)
{
	g_autoptr(GString) why = g_string_new(NULL);

	if (run_failed(run))
		return;
	if (step->patterns.umad != NULL)
		mad_compare(step->patterns.umad, &run->env, instance, why);
	if (step->patterns.result != NULL && has_item)
		mad_compare(step->patterns.result, &run->env, instance, why);
	if (step->patterns.result != NULL && !has_item)
		g_string_append(why, "nothing was read\n");
	if (why->len == 0)
		return;
	g_string_append(run->outcome->details, why->str);
	g_strdelimit(why->str, "\n", ';');
	why->str[strlen(why->str) - 1] = '\0';
	run_fail(run, step->place, "%s(): %s", step->call->name, why->str);
}

static void note_call(struct run *run, const struct step *step, int64_t value)
{
	g_autoptr(GString) text = g_string_new(step->call->name);

	g_string_append(text, "() = ");
	append_value(text, value);
	run_note(run, now(run), "", text->str, run_failed(run) ? "DIFFERS" : "ok");
}

static void bind_result(struct run *run, const struct step *step, const struct call_outcome *outcome)
{
	struct var var = outcome->bind;

	if (step->bind == NULL)
		return;
	if (var.kind == VAR_NONE) {
		if (outcome->value < 0 && step->result == NULL) {
			g_autoptr(GString) text = g_string_new(NULL);

			append_value(text, outcome->value);
			run_fail(run, step->place, "%s() failed: %s (errno %s)", step->call->name, text->str,
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

	run_advance(run, due.target_ns);
	if (run->world->kind->is_sim)
		check_leftovers(run, step->place, due.target_ns);
	if (run_failed(run))
		return;
	/* What is read counts from the moment of asking: on hw a call takes time. */
	step_done(run, step, &due, now(run));
	kind->run(run, step->call, args, step->patterns.mad, &outcome);
	if (run_failed(run))
		return;
	check_value(run, step, outcome.value);
	check_fields(run, step, &outcome.instance, outcome.has_item);
	if (!run_failed(run))
		bind_result(run, step, &outcome);
	note_call(run, step, outcome.value);
	run_advance(run, now(run));
}

/* umad_recv(fd) = nothing, at a point. */
static void recv_nothing(struct run *run, const struct step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	const struct run_item *item;
	g_autofree char *summary = NULL;

	run_advance(run, due.target_ns);
	step_done(run, step, &due, now(run));
	item = g_queue_peek_head(&handle->inbox);
	if (run_failed(run) || item == NULL)
		return;
	summary = mad_summary(item->mad);
	run_fail(run, step->place, "nothing was to be read: since %s there is %s", say_time(item->at_ns),
		 summary);
}

/* A negative result: what umad_recv() itself says where nothing was read before. */
static bool recv_error(struct run *run, const struct step *step, struct run_handle *handle)
{
	struct due_window due = step_window(run, step);
	struct mad_instance instance = { .has_addr = false };
	int length = MAD_SIZE;
	uint64_t expected;
	int result;

	if (step->result == NULL || !run_number(run, step->result, &expected) || (int64_t)expected >= 0)
		return false;
	run_advance(run, due.target_ns);
	step_done(run, step, &due, now(run));
	if (run_failed(run))
		return true;
	if (!g_queue_is_empty(&handle->inbox)) {
		const struct run_item *item = g_queue_peek_head(&handle->inbox);

		result = item->result;
	} else {
		memset(run->buffer, 0, 64 + MAD_SIZE);
		errno = 0;
		result = umad_recv(handle->fd, run->buffer, &length, 0);
		instance.result[TERM_RESULT_ERRNO] = errno;
	}
	check_value(run, step, result);
	check_fields(run, step, &instance, false);
	note_call(run, step, result);
	return true;
}

static void take_item(struct run *run, const struct step *step, const struct due_window *due,
		      struct run_handle *handle)
{
	struct run_item *item = g_queue_pop_head(&handle->inbox);
	struct mad_instance instance;
	g_autofree char *summary = mad_summary(item->mad);
	g_autofree char *text = g_strdup_printf("recv %s", summary);

	call_item_instance(item, &instance);
	if (item->at_ns < due->low_ns || item->at_ns > due->high_ns) {
		fail_time(run, step, due, item->at_ns, summary);
	} else {
		check_value(run, step, item->result);
		check_fields(run, step, &instance, true);
		step_done(run, step, due, item->at_ns);
		run_note(run, item->at_ns, "", text, run_failed(run) ? "DIFFERS" : "ok");
	}
	g_free(item);
}

static void run_recv(struct run *run, const struct step *step, const struct call_args *args)
{
	struct run_handle *handle = call_handle(run, args->at[0]);
	struct due_window due;

	if (handle == NULL)
		return;
	if (is_nothing(step->result)) {
		if (step->time.kind == STEP_TIME_WINDOW)
			add_silence(run, step, handle);
		else
			recv_nothing(run, step, handle);
		return;
	}
	if (recv_error(run, step, handle))
		return;
	due = step_window(run, step);
	run_collect(run);
	while (g_queue_is_empty(&handle->inbox) && !run_failed(run)) {
		if (!advance_once(run, due.high_ns))
			break;
	}
	if (run_failed(run))
		return;
	if (g_queue_is_empty(&handle->inbox))
		fail_missing(run, step, &due, handle);
	else
		take_item(run, step, &due, handle);
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

static void run_peer(struct run *run, const struct step *step)
{
	struct due_window due = step_window(run, step);
	uint64_t mask[2] = { 0, 0 }, number, known;
	const struct mad_term *term;
	const struct expr *bad;
	unsigned int mgmt_class = 0;
	uint32_t oui = 0x001405;
	int64_t after_ns = 0;
	int status;

	run_advance(run, due.target_ns);
	if (run_failed(run))
		return;
	if (step->verb == STEP_PEER_LISTENS) {
		for (guint i = 0; i < step->call->args->len; i++) {
			const struct call_arg *arg = step->call->args->pdata[i];

			if (strcmp(arg->name, "methods") == 0)
				method_mask(arg->value, mask, &bad);
		}
		status = peer_listen(run->peer, (unsigned int)bare_number(step->call, "class", 0),
				     (unsigned int)bare_number(step->call, "version", 0),
				     (uint32_t)bare_number(step->call, "oui", oui), mask);
	} else {
		term = mad_pattern_term(step->patterns.mad, "class");
		if (term != NULL && (term_word(term, term->value->text ? term->value->text : "", &number) ||
				     env_number(run, term->value, &number, &known)))
			mgmt_class = (unsigned int)number;
		else
			mgmt_class = step->patterns.mad->class_info->mgmt_class;
		term = mad_pattern_term(step->patterns.mad, "oui");
		if (term != NULL && env_number(run, term->value, &number, &known))
			oui = (uint32_t)number;
		if (step->after != NULL)
			expr_constant_time(step->after, &after_ns);
		status = peer_answer(run->peer, step->patterns.mad, mgmt_class, 0, oui, after_ns,
				     step->patterns.answer);
	}
	if (status < 0)
		run_fail(run, step->place, "the peer %s cannot do that: %s", run->world->label[WORLD_PEER],
			 g_strerror(-status));
	step_done(run, step, &due, now(run));
	run_note(run, now(run), "", step->verb == STEP_PEER_LISTENS ? "peer listens" : "peer answers",
		 "ok");
}

/* ---- steps ---- */

static void run_step(struct run *run, const struct step *step)
{
	struct call_args args;
	const struct call_kind *kind;
	const char *suggestion;
	g_autofree char *comment = NULL;

	run->step = step;
	comment = g_strdup_printf("%s:%u", step->place.source->name, step->place.line);
	run->world->kind->comment(run->world, comment);
	switch (step->verb) {
	case STEP_ARRIVES:
		run_arrives(run, step);
		return;
	case STEP_LEAVES:
	case STEP_SAME:
		run_leaves(run, step);
		return;
	case STEP_SILENCE:
		add_silence(run, step, NULL);
		return;
	case STEP_PEER_LISTENS:
	case STEP_PEER_ANSWERS:
		run_peer(run, step);
		return;
	case STEP_CALL:
		run->header_size = 64;
		kind = call_find(step->call->name, &suggestion);
		call_bind_args(run->script->diagnostics, kind, step->call, &args);
		if (kind->is_recv)
			run_recv(run, step, &args);
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
	check_leftovers(run, place, INT64_MAX);
	run->outcome->end_ns = now(run);
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

	run->env = (struct mad_env) { run, env_number, env_address, env_capture };
	run->vars = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	run->handles = g_ptr_array_new_with_free_func(handle_free);
	run->files = g_ptr_array_new_with_free_func(g_free);
	run->silences = g_array_new(FALSE, TRUE, sizeof(struct silence));
	run->ignores = g_ptr_array_new();
	run->peer = peer_new(run->world);
	run->buffer = g_malloc(RECV_BUFFER_SIZE);
	run->next_tid = 1;
	run->base_ns = now(run);
	run->limit_ns = settings->timeout_ns != 0 ? settings->timeout_ns :
			run->world->kind->is_sim ? INT64_MAX / 2 : HW_LIMIT_NS;
	g_queue_init(&run->outbox);
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
	g_ptr_array_unref(run->handles);
	g_ptr_array_unref(run->files);
	peer_free(run->peer);
	g_hash_table_unref(run->vars);
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
		if (!run_failed(&run) && now(&run) > run.limit_ns)
			run_fail(&run, run.step->place, "the scenario is not over within its timeout (%s)",
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
