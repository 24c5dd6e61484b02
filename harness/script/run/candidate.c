/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a line may have meant: see harness/script/run/candidate.h.
 */
#include "harness/script/run/candidate.h"

#include "harness/script/run/peer.h"
#include "harness/script/run/run-ladder.h"
#include "harness/script/run/timeline.h"
#include "harness/script/run/verdict.h"
#include "kmod-stub/event.h"

/* How long a run goes on to see whether what was expected comes later. */
#define AHEAD_STEPS_MAX 1000

/* In how many fields the packet differs. 'why' gets a line each. */
static unsigned int differences_of(struct run *run, const struct mad_pattern *pattern,
				   const struct world_packet *packet, GString *why)
{
	struct mad_instance instance;
	unsigned int count = 0;

	packet_instance(packet, &instance);
	g_string_truncate(why, 0);
	mad_compare(pattern, &run->env, &instance, why);
	for (const char *at = why->str; *at != '\0'; at++)
		count += *at == '\n';
	return count;
}

struct best {
	const struct world_packet *packet;
	unsigned int differences;
	char *fields;		/* how it differs, a line each */
};

static void consider(struct run *run, const struct mad_pattern *pattern,
		     const struct world_packet *packet, struct best *best)
{
	g_autoptr(GString) why = g_string_new(NULL);
	unsigned int differences = differences_of(run, pattern, packet, why);

	if (differences >= best->differences)
		return;
	g_free(best->fields);
	*best = (struct best) { packet, differences, g_strdup(why->str) };
}

static void consider_outbox(struct run *run, const struct mad_pattern *pattern,
			    const struct world_packet *found, struct best *best)
{
	for (const GList *link = run->outbox.head; link; link = link->next) {
		if (link->data != found)
			consider(run, pattern, link->data, best);
	}
}

/* Lets the next thing happen. False: nothing will. */
static bool look_ahead(struct run *run)
{
	int64_t next_ns;

	if (!run->world->kind->is_sim || run->runs_programs)
		return false;
	run_ladder_end(run);
	next_ns = MIN(run->world->kind->next_ns(run->world), peer_due_ns(run->peer));
	if (next_ns == TIME_NEVER)
		return false;
	run_advance_once(run, next_ns);
	return true;
}

static void say_ignored(struct run *run, const struct mad_pattern *pattern)
{
	g_autoptr(GString) why = g_string_new(NULL);

	for (const GList *link = run->ignored_last.head; link; link = link->next) {
		const struct world_packet *packet = link->data;
		const struct mad_pattern *ignore = run->point->plan->ignores->pdata[packet->ignore];
		g_autofree char *summary = NULL;

		if (differences_of(run, pattern, packet, why) > 0)
			continue;
		summary = mad_summary(packet->mad);
		g_string_append_printf(run->outcome->details, "line %u ignored one that fits: > %s "
				       "at %s\n", ignore->place.line, summary,
				       say_time(packet->at_ns));
		return;
	}
}

void hint_packets(struct run *run, const struct mad_pattern *pattern,
		  const struct world_packet *found, unsigned int differences)
{
	struct best best = { NULL, found ? differences : 1, NULL };
	g_autofree char *summary = NULL, *fields = NULL;

	/* Comparing would amend. */
	if (run->amendments)
		return;
	consider_outbox(run, pattern, found, &best);
	for (unsigned int i = 0; i < AHEAD_STEPS_MAX && best.differences > 0 && look_ahead(run);
	     i++)
		consider_outbox(run, pattern, found, &best);
	if (!best.packet) {
		say_ignored(run, pattern);
		return;
	}
	fields = say_differences(best.fields);
	g_free(best.fields);
	summary = mad_summary(best.packet->mad);
	if (best.differences == 0)
		g_string_append_printf(run->outcome->details, "a later one fits: %s at %s: is the "
				       "order right?\n", summary, say_time(best.packet->at_ns));
	else
		g_string_append_printf(run->outcome->details, "a later one is closer: %s at %s: "
				       "%s\n", summary, say_time(best.packet->at_ns), fields);
}

/* ---- what can be read ---- */

static bool item_fits(struct run *run, const struct expected *expected, const struct run_item *item)
{
	struct mad_instance instance;
	uint64_t wanted;

	item_instance(item, &instance);
	if (expected->value && run_number(run, expected->value, &wanted) &&
	    (int64_t)wanted != item->result)
		return false;
	return (!expected->umad || mad_compare(expected->umad, &run->env, &instance, NULL)) &&
	       (!expected->mad || mad_compare(expected->mad, &run->env, &instance, NULL));
}

static const struct run_item *fitting(struct run *run, const struct expected *expected,
				      const struct run_handle *handle)
{
	for (const GList *link = handle->inbox.head; link; link = link->next) {
		if (item_fits(run, expected, link->data))
			return link->data;
	}
	return NULL;
}

/* What fits from that handle or, if it is another one, anything: its agents have other numbers. */
static bool hint_handle(struct run *run, const struct expected *expected,
			const struct run_handle *from, const struct run_handle *handle)
{
	const struct run_item *item = from == handle ? fitting(run, expected, from) :
				      g_queue_peek_head((GQueue *)&from->inbox);
	g_autofree char *text = item ? item_text(item) : NULL;

	if (!item || from->closed)
		return false;
	if (from == handle)
		g_string_append_printf(run->outcome->details, "a later one fits: %s at %s: is the "
				       "order right?\n", text, say_time(item->at_ns));
	else
		g_string_append_printf(run->outcome->details, "the handle %s can read since %s: "
				       "%s\n", from->name ? from->name : "?",
				       say_time(item->at_ns), text);
	return true;
}

void hint_items(struct run *run, const struct expected *expected, const struct run_handle *handle)
{
	unsigned int steps = 0;

	if (run->amendments)
		return;
	do {
		if (hint_handle(run, expected, handle, handle))
			return;
	} while (steps++ < AHEAD_STEPS_MAX && look_ahead(run));
	for (guint i = 0; i < run->handles->len; i++) {
		const struct run_handle *other = run->handles->pdata[i];

		if (other != handle && hint_handle(run, expected, other, handle))
			return;
	}
}
