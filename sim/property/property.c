/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The properties of a fabric, judged: see sim/property/property.h.
 */
#include "sim/property/property.h"

#include <errno.h>
#include <stdio.h>

#include "kmod-stub/packet.h"
#include "sim/capture/capture.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/observer.h"
#include "sim/property/property-condition.h"
#include "sim/time/event-queue.h"

/* A condition that takes long to look at is looked at so often in the time that it may be false. */
enum { LOOKS_WITHIN = 50 };

struct property {
	struct event due;	/* it has been wrong, or has to be true, for long enough */
	struct property_set *set;
	int id;
	enum property_kind kind;
	enum property_state state;
	struct condition *condition;
	char *text;
	int64_t within_ns;
	int64_t looked_ns;	/* -1: never so far */
	bool is_wrong;		/* always, never: at the last look */
	bool is_due;		/* finally: it is, but the condition has been asked */
	int64_t at_ns;
	char *why;
	void (*met)(void *ctx);	/* NULL: it is listed */
	void *ctx;
};

struct property_set {
	struct umadrig_fabric *fabric;
	GPtrArray *properties;
	struct event look;	/* at the end of this instant */
	bool has_changed;	/* the fabric has, since the last look */
	int last_id;
};

const char *property_kind_word(enum property_kind kind)
{
	static const char *const words[] = {
		[PROPERTY_ALWAYS] = "always", [PROPERTY_NEVER] = "never",
		[PROPERTY_SOMETIMES] = "sometimes", [PROPERTY_FINALLY] = "finally",
	};

	return words[kind];
}

const char *property_state_word(enum property_state state)
{
	static const char *const words[] = {
		[PROPERTY_OPEN] = "holds", [PROPERTY_MET] = "met", [PROPERTY_BROKEN] = "broken",
	};

	return words[state];
}

/* ---- what becomes of one ---- */

static bool is_judged_always(const struct property *property)
{
	return property->kind == PROPERTY_ALWAYS || property->kind == PROPERTY_NEVER;
}

static void meet(struct property *property)
{
	property->state = PROPERTY_MET;
	property->condition->is_over = true;
	property->at_ns = property->set->fabric->queue.now_ns;
	event_queue_disarm(&property->set->fabric->queue, &property->due);
	if (property->met)
		property->met(property->ctx);
}

/* For good: the first time counts. It is said on stderr, and in the capture where it is seen. */
static void shatter(struct property *property, const char *why)
{
	struct umadrig_fabric *fabric = property->set->fabric;
	g_autofree char *said = g_strdup_printf("%s %s: %s",
						property_kind_word(property->kind), property->text,
						why);

	property->state = PROPERTY_BROKEN;
	property->condition->is_over = true;
	property->at_ns = fabric->queue.now_ns;
	property->why = g_strdup(why);
	event_queue_disarm(&fabric->queue, &property->due);
	fprintf(stderr, "umadrig: at %.3fs: %s\n", (double)property->at_ns / NS_PER_S, said);
	if (fabric->capture)
		capture_writer_note(fabric->capture, property->at_ns, said);
}

static bool looks_true(struct property *property, GString *why)
{
	property->looked_ns = property->set->fabric->queue.now_ns;
	return property->condition->kind->holds(property->condition, why);
}

/* Does the condition say since when it is wrong? That may become later. */
static bool is_dated(const struct property *property)
{
	return property->condition->kind->since_ns && property->kind == PROPERTY_ALWAYS;
}

static int64_t wrong_since_ns(const struct property *property)
{
	const struct condition *condition = property->condition;

	return is_dated(property) ? condition->kind->since_ns(condition) :
				    property->set->fabric->queue.now_ns;
}

/* What is wrong now may be so for a while. */
static void judge_always(struct property *property)
{
	struct event_queue *queue = &property->set->fabric->queue;
	g_autoptr(GString) why = g_string_new(NULL);
	bool is_true = looks_true(property, why);

	if (is_true == (property->kind == PROPERTY_ALWAYS)) {
		property->is_wrong = false;
		event_queue_disarm(queue, &property->due);
		return;
	}
	if (property->within_ns == 0) {
		shatter(property, why->len ? why->str : "it is so");
		return;
	}
	if (!property->is_wrong || is_dated(property))
		event_queue_arm(queue, &property->due, wrong_since_ns(property) +
						       property->within_ns);
	property->is_wrong = true;
}

/* It was wrong at each look in all that time. */
static void judge_due(struct property *property)
{
	g_autoptr(GString) why = g_string_new(NULL);
	bool is_true = looks_true(property, why);

	if (property->kind == PROPERTY_FINALLY && is_true) {
		meet(property);
		return;
	}
	if (property->kind != PROPERTY_FINALLY &&
	    is_true == (property->kind == PROPERTY_ALWAYS)) {
		property->is_wrong = false;
		return;
	}
	if (why->len == 0)
		g_string_append(why, "it is so");
	if (property->within_ns > 0)
		g_string_append_printf(why, ", %s %gs",
				       property->kind == PROPERTY_FINALLY ? "after" : "for",
				       (double)property->within_ns / NS_PER_S);
	shatter(property, why->str);
}

/* What finally is true has to be so now, and not when it was last asked. */
static void due_fire(struct event *event)
{
	struct property *property = container_of(event, struct property, due);
	struct condition *condition = property->condition;

	if (property->kind == PROPERTY_FINALLY && condition->kind->ask) {
		condition->kind->ask(condition);
		property->is_due = condition->is_asked;
	}
	if (!property->is_due && !condition->is_unknown)
		judge_due(property);
}

/* ---- looking ---- */

/* When it is to be looked at, at this instant; or later, as that takes long. */
static int64_t when_to_look(const struct property *property)
{
	int64_t gap_ns = property->condition->kind->is_long ?
			 property->within_ns / LOOKS_WITHIN :
			 property->condition->kind->gap_ns;

	return property->looked_ns < 0 ? 0 : property->looked_ns + gap_ns;
}

static bool is_looked_at(const struct property *property)
{
	return property->state == PROPERTY_OPEN && property->kind != PROPERTY_FINALLY &&
	       !property->condition->is_unknown &&
	       (property->set->has_changed || property->condition->kind->looks_outside);
}

static void look(struct property *property)
{
	if (is_judged_always(property))
		judge_always(property);
	else if (looks_true(property, NULL))
		meet(property);
}

static void look_fire(struct event *event)
{
	struct property_set *set = container_of(event, struct property_set, look);
	struct event_queue *queue = &set->fabric->queue;
	int64_t later_ns = TIME_NEVER;

	for (unsigned int i = 0; i < set->properties->len; i++) {
		struct property *property = g_ptr_array_index(set->properties, i);

		if (property->is_due && !property->condition->is_asked) {
			property->is_due = false;
			judge_due(property);
		}
		if (!is_looked_at(property))
			continue;
		if (when_to_look(property) <= queue->now_ns)
			look(property);
		else
			later_ns = MIN(later_ns, when_to_look(property));
	}
	/* Those that were put off have still not seen the change. */
	set->has_changed = later_ns != TIME_NEVER;
	if (set->has_changed)
		event_queue_arm(queue, &set->look, later_ns);
}

static void look_soon(struct property_set *set)
{
	struct event_queue *queue = &set->fabric->queue;

	if (!event_is_armed(&set->look) || set->look.at_ns > queue->now_ns)
		event_queue_arm(queue, &set->look, queue->now_ns);
}

static void on_change(struct umadrig_fabric *fabric)
{
	fabric->properties->has_changed = true;
	look_soon(fabric->properties);
}

/* An SM changes tables that are no part of what node_changed() is called for. */
static bool may_change(const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);

	return mad_class_is_smp(mad[MAD_CLASS]) && (mad[MAD_METHOD] & MAD_METHOD_RESPONSE);
}

static void on_packet(struct umadrig_fabric *fabric, struct port *port, const struct packet *packet)
{
	struct property_set *set = fabric->properties;
	bool looks_outside = false;

	for (unsigned int i = 0; i < set->properties->len; i++) {
		struct condition *condition =
			((struct property *)g_ptr_array_index(set->properties, i))->condition;

		looks_outside |= condition->kind->looks_outside;
		if (condition->kind->see)
			condition->kind->see(condition, port, packet);
	}
	if (may_change(packet))
		on_change(fabric);
	else if (looks_outside)
		look_soon(set);
}

static void on_file(struct umadrig_fabric *fabric, const struct file_event *event)
{
	struct property_set *set = fabric->properties;
	bool has_changed = false;

	for (unsigned int i = 0; i < set->properties->len; i++) {
		struct condition *condition =
			((struct property *)g_ptr_array_index(set->properties, i))->condition;

		if (condition->kind->see_file)
			has_changed |= condition->kind->see_file(condition, event);
	}
	if (has_changed)
		on_change(fabric);
}

static const struct fabric_observer observer = {
	.packet = on_packet, .change = on_change, .file = on_file,
};

/* ---- the set ---- */

static void property_free(void *data)
{
	struct property *property = data;

	event_queue_disarm(&property->set->fabric->queue, &property->due);
	condition_free(property->condition);
	g_free(property->text);
	g_free(property->why);
	g_free(property);
}

static struct property_set *set_of(struct umadrig_fabric *fabric)
{
	struct property_set *set = fabric->properties;

	if (set)
		return set;
	set = g_new0(struct property_set, 1);
	set->fabric = fabric;
	set->properties = g_ptr_array_new_with_free_func(property_free);
	set->look = (struct event){ .kind = EVENT_USER, .fire = look_fire };
	fabric->properties = set;
	fabric->observer = &observer;
	fabric_watch_changed(fabric);
	return set;
}

/* What must never be is wrong at once, and what is looked for once needs no time. */
static int64_t time_of(const struct property_order *order, const struct condition *condition)
{
	bool takes_time = order->kind == PROPERTY_ALWAYS || order->kind == PROPERTY_FINALLY;

	if (order->within_ns >= 0)
		return order->within_ns;
	return takes_time ? condition->kind->within_ns : 0;
}

int property_add(struct umadrig_fabric *fabric, const struct property_order *order, char **reterr)
{
	struct condition *condition;
	struct property *property;
	int ret = condition_parse(fabric, order->condition, order->ask, &condition, reterr);

	if (ret < 0)
		return ret;
	condition->changed = on_change;
	property = g_new0(struct property, 1);
	*property = (struct property){
		.due = { .kind = EVENT_USER, .fire = due_fire },
		.set = set_of(fabric), .kind = order->kind, .condition = condition,
		.text = g_strdup(order->condition), .within_ns = time_of(order, condition),
		.met = order->met, .ctx = order->ctx, .looked_ns = -1,
	};
	property->id = ++property->set->last_id;
	g_ptr_array_add(property->set->properties, property);
	on_change(fabric);
	return property->id;
}

static void set_free(struct umadrig_fabric *fabric)
{
	struct property_set *set = fabric->properties;

	fabric->observer = NULL;
	fabric_watch_changed(fabric);
	event_queue_disarm(&fabric->queue, &set->look);
	g_ptr_array_unref(set->properties);
	g_clear_pointer(&fabric->properties, g_free);
}

int property_remove(struct umadrig_fabric *fabric, int id)
{
	struct property_set *set = fabric->properties;

	for (unsigned int i = 0; set && i < set->properties->len; i++) {
		const struct property *property = g_ptr_array_index(set->properties, i);

		if (property->id != id)
			continue;
		g_ptr_array_remove_index(set->properties, i);
		return 0;
	}
	return -ENOENT;
}

static const struct property *listed(const struct property_set *set, unsigned int at)
{
	for (unsigned int i = 0; set && i < set->properties->len; i++) {
		const struct property *property = g_ptr_array_index(set->properties, i);

		if (!property->met && at-- == 0)
			return property;
	}
	return NULL;
}

bool property_at(const struct umadrig_fabric *fabric, unsigned int at,
		 struct property_report *ret_report)
{
	const struct property *property = listed(fabric->properties, at);

	if (!property)
		return false;
	*ret_report = (struct property_report){
		.id = property->id, .kind = property->kind, .state = property->state,
		.condition = property->text, .within_ns = property->within_ns,
		.at_ns = property->at_ns, .why = property->why,
	};
	return true;
}

unsigned int property_broken(const struct umadrig_fabric *fabric)
{
	struct property_report report;
	unsigned int broken = 0;

	for (unsigned int i = 0; property_at(fabric, i, &report); i++)
		broken += report.state == PROPERTY_BROKEN;
	return broken;
}

void property_healed(struct umadrig_fabric *fabric)
{
	struct property_set *set = fabric->properties;

	for (unsigned int i = 0; set && i < set->properties->len; i++) {
		struct property *property = g_ptr_array_index(set->properties, i);

		if (property->state == PROPERTY_OPEN && property->kind == PROPERTY_FINALLY)
			event_queue_arm(&fabric->queue, &property->due,
					fabric->queue.now_ns + property->within_ns);
	}
}

/* What had no time to show stays open; but of what files say, the last words count. */
void property_end(struct umadrig_fabric *fabric)
{
	struct property_set *set = fabric->properties;

	for (unsigned int i = 0; set && i < set->properties->len; i++) {
		struct property *property = g_ptr_array_index(set->properties, i);

		if (property->state != PROPERTY_OPEN || property->condition->is_unknown)
			continue;
		if (property->kind == PROPERTY_FINALLY)
			judge_due(property);
		else
			look(property);
	}
}

void property_clear(struct umadrig_fabric *fabric)
{
	if (fabric->properties)
		set_free(fabric);
}
