/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rules for faults on cables, and the packets that match them. See sim/fabric/fault.h and
 * sim/api/umadrig.h; the actions are in sim/fabric/fault-action.h.
 */
#include "sim/fabric/fault.h"

#include <errno.h>
#include <glib.h>

#include "sim/fabric/drop.h"
#include "sim/fabric/fabric-trace.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/fault-action.h"
#include "sim/fabric/fault-where.h"
#include "sim/fabric/host.h"
#include "sim/fabric/lane.h"
#include "sim/capture/mad-role.h"
#include "sim/fabric/lie.h"
#include "sim/fabric/link-error.h"
#include "sim/fabric/node.h"
#include "sim/fabric/port-counters.h"
#include "sim/fabric/port.h"
#include "sim/time/chance.h"

enum {
	REORDER_MS = 10,		/* if the rule does not say how long */
	NAME_SIZE = 16,			/* of a rule without a name */
};

struct rule {
	int id;
	char *name;
	struct node *node;		/* NULL: every cable */
	struct umadrig_fault fault;	/* of its strings 'lie' and 'where' alone are kept */
	struct lie lie;
	struct fault_where *where;	/* its filter; or NULL */
	uint64_t seen;			/* packets that matched */
	uint64_t hits;			/* packets that it acted on */
	fault_seen_fn *watch;		/* called instead of acting; or NULL */
	void *watch_ctx;
};

struct fault_set {
	GPtrArray *rules;		/* of struct rule *, in the order added */
	unsigned int lies;		/* how many of them are lies */
};

/* The values that rules match, read once for all rules. */
struct key {
	uint8_t mgmt_class;
	uint8_t method;
	uint16_t attribute;
	uint32_t modifier;
	uint32_t tid_low, tid_high;
	uint8_t rmpp_type;		/* 0: not part of an RMPP transfer */
	uint32_t segment;		/* of DATA and ACK */
};

/* The effect of the rules on a packet so far. */
struct outcome {
	char *why;			/* the reason to drop it at the cable's end, or NULL */
	int64_t delay_ns;
	const struct rule *reorder;	/* the rule that holds it back, or NULL */
	fault_resume_fn *resume;	/* called when a held packet goes on */
	GString *said;			/* the lies */
};

/* ---- matching ---- */

static struct key key_of(const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);
	struct key key = {
		.mgmt_class = mad[MAD_CLASS],
		.method = mad[MAD_METHOD],
		.attribute = get_be16(mad + MAD_ATTR_ID),
		.modifier = get_be32(mad + MAD_ATTR_MOD),
		.tid_high = get_be32(mad + MAD_TID),
		.tid_low = get_be32(mad + MAD_TID + 4),
	};

	if (!mad_class_has_rmpp(key.mgmt_class) || !(mad[RMPP_FLAGS] & RMPP_FLAG_ACTIVE))
		return key;
	key.rmpp_type = mad[RMPP_TYPE];
	/* IBA vol 1, 13.6.2: in STOP and ABORT the field is reserved. */
	if (key.rmpp_type == RMPP_TYPE_DATA || key.rmpp_type == RMPP_TYPE_ACK)
		key.segment = get_be32(mad + RMPP_SEGMENT);
	return key;
}

static bool is(uint32_t wanted, bool zero_counts, uint32_t value)
{
	return wanted == value || (wanted == 0 && !zero_counts);
}

static bool matches_mad(const struct umadrig_fault *fault, const struct key *key)
{
	unsigned int zeros = fault->zeros;

	return is(fault->mgmt_class, false, key->mgmt_class) &&
	       is(fault->method, false, key->method) &&
	       is(fault->attribute, false, key->attribute) &&
	       is(fault->modifier, zeros & UMADRIG_FAULT_ZERO_MODIFIER, key->modifier) &&
	       is(fault->tid_low, zeros & UMADRIG_FAULT_ZERO_TID_LOW, key->tid_low) &&
	       is(fault->tid_high, zeros & UMADRIG_FAULT_ZERO_TID_HIGH, key->tid_high) &&
	       is(fault->rmpp_type, zeros & UMADRIG_FAULT_ZERO_RMPP_TYPE, key->rmpp_type) &&
	       is(fault->segment, zeros & UMADRIG_FAULT_ZERO_SEGMENT, key->segment);
}

static bool is_port(const struct rule *rule, const struct port *port)
{
	return port->node == rule->node && (!rule->fault.port || port->num == rule->fault.port);
}

/* Its filter is asked last: it costs most. */
static bool matches_where(const struct rule *rule, const struct port *out,
			  const struct packet *packet)
{
	return !rule->where || fault_where_fits(rule->where, out, packet);
}

/* "Unread" applies only to packets to a QP1. */
static bool matches_loss(const struct umadrig_fault *fault, const struct port *out,
			 const struct packet *packet)
{
	return fault->loss != UMADRIG_FAULT_LOSS_UNREAD || (out->peer->end && !lane_is_smp(packet));
}

static bool matches_cable(const struct rule *rule, const struct port *out)
{
	if (!rule->node)
		return true;
	switch (rule->fault.way) {
	case UMADRIG_FAULT_LEAVING:
		return is_port(rule, out);
	case UMADRIG_FAULT_ARRIVING:
		return is_port(rule, out->peer);
	case UMADRIG_FAULT_EITHER_WAY:
		break;
	}
	return is_port(rule, out) || is_port(rule, out->peer);
}

/*
 * Answers of the CM are Sends. A rule that asks for a method asks for that one, which may be a
 * request's.
 */
static bool matches_lie(const struct rule *rule, const struct packet *packet)
{
	const uint8_t *mad = packet_mad_const(packet);

	return (rule->fault.method || (mad[MAD_METHOD] & MAD_METHOD_RESPONSE) ||
		(mad[MAD_CLASS] == MAD_CLASS_CM && mad_role(mad) == MAD_ROLE_ANSWERS)) &&
	       lie_fits(&rule->lie, mad);
}

/* A packet matches: is it one of those that the rule acts on? */
static bool is_chosen(struct rule *rule, struct chance *chance)
{
	const struct umadrig_fault *fault = &rule->fault;
	bool drawn;

	rule->seen++;
	if (!fault->denominator)
		return rule->seen > fault->skip &&
		       (!fault->count || rule->seen - fault->skip <= fault->count);
	/* Always draw, so that skipping does not change what happens to later packets. */
	drawn = chance_hits(chance, fault->numerator, fault->denominator);
	return drawn && rule->seen > fault->skip && (!fault->count || rule->hits < fault->count);
}

/* ---- acting ---- */

static int64_t later(int64_t ns, int64_t more_ns)
{
	return MIN(ns + more_ns, FAULT_TIME_MAX_NS);
}

/* The port at the cable's end loses it, and counts that if the rule says so. */
static void lose(const struct umadrig_fault *fault, struct port *in, const struct packet *packet)
{
	switch (fault->loss) {
	case UMADRIG_FAULT_LOSS_UNSEEN:
		return;
	case UMADRIG_FAULT_LOSS_OVERRUN:
		link_error_overrun(in, lane_is_smp(packet));
		return;
	case UMADRIG_FAULT_LOSS_UNREAD:
		port_counters_rcv(&in->counters, packet, packet_is_plain(packet));
		port_counters_add(&in->counters, COUNTER_QP1_DROPPED, 1);
		return;
	}
}

/* Bits that noise has changed are counted as wrong symbols; those changed in a buffer are not. */
static const char *corrupt(const struct umadrig_fault *fault, struct port *out,
			   struct packet *packet)
{
	uint8_t before[LONG_PACKET_SIZE_MAX], after[LONG_PACKET_SIZE_MAX];
	size_t size = (size_t)packet->mad_at + packet->mad_size;
	unsigned int changed = 0;
	const char *why;

	packet_gather(packet, before);
	why = fault_corrupt(fault, port_chance(out), packet);
	packet_gather(packet, after);
	for (size_t i = 0; i < size; i++)
		changed += before[i] != after[i];
	if (!fault->crc_mended)
		link_error_symbols(out->peer, changed);
	return why;
}

static void act_drop(const struct rule *rule, struct port *out, struct packet *packet,
		     struct outcome *outcome)
{
	lose(&rule->fault, out->peer, packet);
	outcome->why = g_strdup_printf("fault %s", rule->name);
}

static void act_delay(const struct rule *rule, struct port *out, struct packet *packet,
		      struct outcome *outcome)
{
	(void)out, (void)packet;
	outcome->delay_ns = later(outcome->delay_ns, rule->fault.time_ns);
}

static void act_duplicate(const struct rule *rule, struct port *out, struct packet *packet,
			  struct outcome *outcome)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	struct packet *copy = packet_copy(&fabric->pool, packet);

	fault_hold(out, copy, fabric->queue.now_ns + later(outcome->delay_ns, rule->fault.time_ns),
		   outcome->resume);
}

static void act_reorder(const struct rule *rule, struct port *out, struct packet *packet,
			struct outcome *outcome)
{
	(void)out, (void)packet;
	outcome->reorder = rule;
}

static void act_corrupt(const struct rule *rule, struct port *out, struct packet *packet,
			struct outcome *outcome)
{
	const char *why = corrupt(&rule->fault, out, packet);

	if (!why)
		return;
	link_error_packet(out->peer, packet_crc_ok(packet) ? COUNTER_MALFORMED_PKT_ERRORS :
			  COUNTER_LOCAL_PHYSICAL_ERRORS);
	outcome->why = g_strdup_printf("fault %s: %s", rule->name, why);
}

static void act_lie(const struct rule *rule, struct port *out, struct packet *packet,
		    struct outcome *outcome)
{
	if (!outcome->said)
		outcome->said = g_string_new(NULL);
	g_string_append_printf(outcome->said, "%sfault %s: ", outcome->said->len ? "; " : "",
			       rule->name);
	lie_tell(&rule->lie, port_chance(out), packet_mad(packet), outcome->said);
	packet->sealed = false;
}

/*
 * Applies the rule to 'packet', on the cable at 'out': updates the outcome of the rules before it.
 * It may change the packet, but does not free it.
 */
typedef void act_fn(const struct rule *rule, struct port *out, struct packet *packet,
		    struct outcome *outcome);

static act_fn *const acts[] = {
#define ROW(name, word, ...) [UMADRIG_FAULT_##name] = act_##word,
	FAULT_ACTIONS(ROW)
#undef ROW
};

static void act(struct rule *rule, struct port *out, struct packet *packet,
		struct outcome *outcome)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	enum umadrig_fault_act what = rule->fault.act;
	char name[PORT_NAME_SIZE];

	rule->hits++;
	if (rule->watch) {
		rule->watch(rule->watch_ctx);
		return;
	}
	if (fabric->trace)
		fabric_trace(fabric, port_format(out, name), "fault      %s: %s", rule->name,
			     fault_action_of(what)->word);
	acts[what](rule, out, packet, outcome);
}

bool fault_cross(struct port *out, struct packet *packet, fault_resume_fn *resume)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	const GPtrArray *rules = fabric->faults->rules;
	int64_t now_ns = fabric->queue.now_ns;
	struct key key = key_of(packet);
	struct outcome outcome = { .resume = resume };

	for (unsigned int i = 0; i < rules->len; i++) {
		struct rule *rule = g_ptr_array_index(rules, i);

		/*
		 * Dropped packets count, too: "the second one" does not depend on the first one's
		 * fate.
		 */
		if (rule->fault.act != UMADRIG_FAULT_LIE &&
		    matches_cable(rule, out) && matches_mad(&rule->fault, &key) &&
		    matches_loss(&rule->fault, out, packet) &&
		    matches_where(rule, out, packet) &&
		    is_chosen(rule, port_chance(out)) && !outcome.why)
			act(rule, out, packet, &outcome);
	}
	if (outcome.why) {
		drop_packet(out->peer, packet, "%s", outcome.why);
		g_free(outcome.why);
		return false;
	}
	if (outcome.reorder) {
		int64_t most_ns = later(outcome.delay_ns, outcome.reorder->fault.time_ns);

		fault_hold_back(out, packet, now_ns + most_ns, outcome.reorder->id,
				resume);
		return false;
	}
	if (outcome.delay_ns) {
		fault_hold(out, packet, now_ns + outcome.delay_ns, resume);
		return false;
	}
	fault_passed(out);
	return true;
}

char *fault_lie(struct port *out, struct packet *packet)
{
	struct umadrig_fabric *fabric = out->node->fabric;
	const GPtrArray *rules = fabric->faults->rules;
	struct key key = key_of(packet);
	struct outcome outcome = { .said = NULL };
	char name[PORT_NAME_SIZE];

	for (unsigned int i = 0; i < rules->len; i++) {
		struct rule *rule = g_ptr_array_index(rules, i);

		if (rule->fault.act == UMADRIG_FAULT_LIE && matches_cable(rule, out) &&
		    matches_mad(&rule->fault, &key) && matches_lie(rule, packet) &&
		    matches_where(rule, out, packet) && is_chosen(rule, port_chance(out)))
			act(rule, out, packet, &outcome);
	}
	if (!outcome.said)
		return NULL;
	if (fabric->trace)
		fabric_trace(fabric, port_format(out, name), "%s", outcome.said->str);
	return g_string_free(outcome.said, false);
}

bool fault_has_lies(const struct umadrig_fabric *fabric)
{
	return fabric->faults && fabric->faults->lies > 0;
}

/* ---- rules ---- */

static void rule_free(void *data)
{
	struct rule *rule = data;

	g_free(rule->name);
	g_free((char *)rule->fault.lie);
	g_free((char *)rule->fault.where);
	fault_where_free(rule->where);
	g_free(rule);
}

static unsigned int rule_find(const struct umadrig_fabric *fabric, int id)
{
	unsigned int i = 0;

	if (!fabric->faults)
		return UINT_MAX;
	for (; i < fabric->faults->rules->len; i++) {
		const struct rule *rule = g_ptr_array_index(fabric->faults->rules, i);

		if (rule->id == id)
			return i;
	}
	return UINT_MAX;
}

static void set_free(struct umadrig_fabric *fabric)
{
	if (!fabric->faults)
		return;
	g_ptr_array_unref(fabric->faults->rules);
	g_clear_pointer(&fabric->faults, g_free);
}

void fault_clear(struct umadrig_fabric *fabric)
{
	fault_hold_clear(fabric);
	set_free(fabric);
}

/* The node that the rule names; NULL with a message if a rule about it would never act. */
static struct node *find_node(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
			      char *reterr, size_t reterr_size)
{
	struct node *node = fabric_node(fabric, fault->node);

	if (!node)
		g_snprintf(reterr, reterr_size, "there is no node '%s'", fault->node);
	else if (fault->port > node->port_count)
		g_snprintf(reterr, reterr_size, "there is no port %s[%u], the last is %u",
			   fault->node, fault->port, node->port_count);
	else if (fault->port && !node->ports[fault->port].peer)
		g_snprintf(reterr, reterr_size, "there is no cable at %s[%u]", fault->node,
			   fault->port);
	else
		return node;
	return NULL;
}

int fault_add(struct umadrig_fabric *fabric, const struct umadrig_fault *fault, char *reterr,
	      size_t reterr_size)
{
	struct fault_where *where = NULL;
	struct node *node = NULL;
	struct rule *rule;

	if (fault_check(fault, reterr, reterr_size) < 0)
		return -EINVAL;
	if (fault->node) {
		node = find_node(fabric, fault, reterr, reterr_size);
		if (!node)
			return -ENOENT;
	}
	if (fault->where) {
		where = fault_where_new(fabric, fault, reterr, reterr_size);
		if (!where)
			return -ENOENT;
	}
	rule = g_new0(struct rule, 1);
	rule->id = ++fabric->fault_last_id;
	rule->name = fault->name ? g_strdup(fault->name) : g_strdup_printf("%d", rule->id);
	rule->node = node;
	rule->fault = *fault;
	rule->where = where;
	rule->fault.name = rule->fault.node = NULL;
	rule->fault.where = g_strdup(fault->where);
	rule->fault.lie = g_strdup(fault->lie);
	if (fault->lie)
		lie_parse(fault->lie, &rule->lie, reterr, reterr_size);
	if (fault->act == UMADRIG_FAULT_REORDER && !fault->time_ns)
		rule->fault.time_ns = REORDER_MS * NS_PER_MS;
	if (!fabric->faults) {
		fabric->faults = g_new0(struct fault_set, 1);
		fabric->faults->rules = g_ptr_array_new_with_free_func(rule_free);
	}
	fabric->faults->lies += fault->act == UMADRIG_FAULT_LIE;
	g_ptr_array_add(fabric->faults->rules, rule);
	return rule->id;
}

int fault_watch(struct umadrig_fabric *fabric, const struct umadrig_fault *fault,
		fault_seen_fn *seen, void *ctx, char *reterr, size_t reterr_size)
{
	struct umadrig_fault harmless = *fault;
	struct rule *rule;
	int id;

	harmless.act = UMADRIG_FAULT_DROP;
	id = fault_add(fabric, &harmless, reterr, reterr_size);
	if (id < 0)
		return id;
	rule = g_ptr_array_index(fabric->faults->rules, rule_find(fabric, id));
	rule->watch = seen;
	rule->watch_ctx = ctx;
	return id;
}

int fault_remove(struct umadrig_fabric *fabric, int id)
{
	unsigned int at = rule_find(fabric, id);
	const struct rule *rule;

	if (at == UINT_MAX)
		return -ENOENT;
	fault_release(fabric, id);
	rule = g_ptr_array_index(fabric->faults->rules, at);
	fabric->faults->lies -= rule->fault.act == UMADRIG_FAULT_LIE;
	g_ptr_array_remove_index(fabric->faults->rules, at);
	if (fabric->faults->rules->len == 0)
		set_free(fabric);
	return 0;
}

static const struct rule *listed(const struct fault_set *faults, unsigned int at)
{
	for (unsigned int i = 0; faults && i < faults->rules->len; i++) {
		const struct rule *rule = g_ptr_array_index(faults->rules, i);

		if (!rule->watch && at-- == 0)
			return rule;
	}
	return NULL;
}

bool fault_at(const struct umadrig_fabric *fabric, unsigned int at, struct fault_count *ret_count)
{
	const struct rule *rule = listed(fabric->faults, at);

	if (!rule)
		return false;
	*ret_count = (struct fault_count){ rule->id, rule->name, rule->seen, rule->hits,
					   &rule->fault };
	return true;
}

int64_t fault_hits(const struct umadrig_fabric *fabric, int id)
{
	unsigned int at = rule_find(fabric, id);
	const struct rule *rule;

	if (at == UINT_MAX)
		return -ENOENT;
	rule = g_ptr_array_index(fabric->faults->rules, at);
	return (int64_t)rule->hits;
}

int64_t fault_seen(const struct umadrig_fabric *fabric, int id)
{
	unsigned int at = rule_find(fabric, id);

	if (at == UINT_MAX)
		return -ENOENT;
	return (int64_t)((const struct rule *)g_ptr_array_index(fabric->faults->rules, at))->seen;
}

int fault_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		   size_t reterr_size)
{
	struct umadrig_fault fault;
	char why[512];
	int ret = fault_text_parse(text, &fault, reterr, reterr_size);

	if (ret < 0)
		return ret;
	ret = fault_add(fabric, &fault, why, sizeof(why));
	if (ret < 0)
		g_snprintf(reterr, reterr_size, "fault=%s: %s", text, why);
	fault_text_clear(&fault);
	return ret;
}
