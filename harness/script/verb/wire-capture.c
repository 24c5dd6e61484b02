/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == "x.pcap": compares what has crossed A's cable with what a captured port sent and
 * received.
 *
 * Both are brought into one form: direction, addresses, the MAD, without what the line ignores. The
 * virtual lane belongs to the link, and the packet sequence number to the queue pair.
 */
#include "harness/script/verb/wire-line.h"

#include <string.h>

#include "harness/script/mad/term-value.h"
#include "harness/script/mad/where.h"
#include "harness/script/run/verdict.h"
#include "sim/capture/side.h"
#include "sim/diff/form.h"

/* Captures have at least microseconds. */
enum { TIME_SLACK_NS = 1000 };

/* One packet, in the form in which it is compared. */
struct entry {
	bool leaves;
	struct form form;
	int64_t at_ns;
	unsigned int frame;		/* in the capture; 0: it has crossed the cable */
	const struct world_packet *packet;
};

/* ---- one form ---- */

static void ignore_fields(const struct wire_plan *wire, struct mad_instance *instance)
{
	/* Terms use a pattern only to find where the attribute begins. */
	static const struct mad_pattern none;
	const char *suggestion;

	for (guint i = 0; i < wire->line->ignoring->len; i++) {
		const struct field_expr *field = wire->line->ignoring->pdata[i];
		struct mad_term term = {
			.info = term_find(field->name, MAD_LEAVES, &suggestion),
		};

		if (!term.info)
			continue;	/* time */
		if (term_width(&term) > 64)
			memset(term_bytes(&none, &term, instance), 0, term_width(&term) / 8);
		else
			term_set(&none, &term, instance, 0);
	}
}

static struct form form_of(const struct wire_plan *wire, bool has_lids,
			   const struct packet_addr *addr, const uint8_t *mad)
{
	/* What the line ignores is zero already: of that, a diff has other names. */
	static const struct ignored_fields none;
	struct mad_instance instance = { .has_addr = true, .addr = *addr };
	struct form form;

	memcpy(instance.mad, mad, MAD_SIZE);
	ignore_fields(wire, &instance);
	form_make(&none, has_lids, &(struct conversation_message){
			.addr = instance.addr,
			.bytes = instance.mad,
			.size = MAD_SIZE,
			.padded = MAD_SIZE,
		  }, &form);
	return form;
}

static void clear_entry(void *data)
{
	form_clear(&((struct entry *)data)->form);
}

static GArray *new_entries(void)
{
	GArray *entries = g_array_new(false, true, sizeof(struct entry));

	g_array_set_clear_func(entries, clear_entry);
	return entries;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const struct entry *one = a, *two = b;

	if (one->at_ns != two->at_ns)
		return one->at_ns < two->at_ns ? -1 : 1;
	return (one->frame > two->frame) - (one->frame < two->frame);
}

static GArray *captured_entries(struct run *run, const struct wire_plan *wire,
				const struct capture *capture, bool *ret_has_lids)
{
	GArray *entries = new_entries();
	struct world_address self = { 0 };
	struct capture_stand stand;

	run->world->kind->address(run->world, "self", &self);
	stand = capture_stand_find(capture, run->world->label[WORLD_SELF], self.lid);
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		enum capture_side side = capture_side(&stand, mad);
		struct entry entry = { .at_ns = mad->time_ns, .frame = mad->frame };
		uint8_t bytes[MAD_SIZE];

		if (side == CAPTURE_ELSEWHERE ||
		    !where_fits(wire->where, &mad->addr, mad->mad))
			continue;
		/* Recorded where it left; here it arrived one latency later. */
		if (side == CAPTURE_GOT && mad->direction == CAPTURE_OUTBOUND)
			entry.at_ns += run->point->scenario->settings.latency_ns;
		/* RoCE has no LIDs: those of the simulator are then ignored too. */
		*ret_has_lids = mad->transport == CAPTURE_INFINIBAND;
		memcpy(bytes, mad->mad, MAD_SIZE);
		if (side == CAPTURE_GOT)
			capture_mad_got(mad, bytes);
		entry.leaves = side == CAPTURE_SENT;
		entry.form = form_of(wire, *ret_has_lids, &mad->addr, bytes);
		g_array_append_val(entries, entry);
	}
	g_array_sort(entries, compare_times);
	return entries;
}

static GArray *crossed_entries(const struct wire_plan *wire, const GPtrArray *crossed,
			       bool has_lids)
{
	GArray *entries = new_entries();

	for (guint i = 0; i < crossed->len; i++) {
		const struct world_packet *packet = crossed->pdata[i];
		struct entry entry = { .at_ns = packet->at_ns, .packet = packet };

		if (!packet->has_addr ||
		    !where_fits(wire->where, &packet->addr, packet->mad))
			continue;
		entry.leaves = packet->leaves;
		entry.form = form_of(wire, has_lids, &packet->addr, packet->mad);
		g_array_append_val(entries, entry);
	}
	return entries;
}

/* ---- comparing ---- */

static int compare_packets(const struct entry *one, const struct entry *two)
{
	if (one->leaves != two->leaves)
		return one->leaves - two->leaves;
	return form_compare(&one->form, &two->form);
}

static gint compare_forms(gconstpointer a, gconstpointer b)
{
	const struct entry *one = a, *two = b;
	int order = compare_packets(one, two);

	/*
	 * Equal packets stay in the order of their arrival, so that the one named is always the
	 * same.
	 */
	return order != 0 ? order : (one->at_ns > two->at_ns) - (one->at_ns < two->at_ns);
}

static void say_entry(GString *why, const struct entry *entry)
{
	g_autofree char *summary = mad_summary(entry->form.message.bytes);

	g_string_append_printf(why, "%c %s", entry->leaves ? '>' : '<', summary);
}

/* Only one of the two sides has the packet. */
static bool say_lonely(GString *why, const struct wire_plan *wire, const struct entry *entry)
{
	if (entry->frame != 0) {
		g_string_append_printf(why, "frame %u of %s is missing: ", entry->frame,
				       wire->line->capture);
		say_entry(why, entry);
	} else {
		g_string_append_printf(why, "%s does not have what came at %s: ",
				       wire->line->capture, say_time(entry->at_ns));
		say_entry(why, entry);
	}
	g_string_append_c(why, '\n');
	return false;
}

/* Of the packet; what differs of the MAD is said byte by byte. */
static void say_address(void *ctx, const char *name, const char *expected, const char *actual)
{
	g_string_append_printf(ctx, "%s  expected %s  actual %s\n", name, expected, actual);
}

static void say_bytes(GString *why, const uint8_t *expected, const uint8_t *actual)
{
	for (unsigned int i = 0; i < MAD_SIZE; i++) {
		char name[FIELD_NAME_SIZE];

		if (expected[i] == actual[i])
			continue;
		field_name_at(expected, i, name);
		g_string_append_printf(why, "byte %u  expected 0x%02x  actual 0x%02x", i,
				       expected[i], actual[i]);
		if (*name)
			g_string_append_printf(why, "  (%s)", name);
		g_string_append_c(why, '\n');
	}
}

static bool say_differences(GString *why, const struct wire_plan *wire,
			    const struct entry *captured, const struct entry *crossed)
{
	g_string_append_printf(why, "frame %u of %s is ", captured->frame, wire->line->capture);
	say_entry(why, captured);
	g_string_append_printf(why, ", at %s came ", say_time(crossed->at_ns));
	say_entry(why, crossed);
	g_string_append_c(why, '\n');
	form_address_differences(&captured->form, &crossed->form, say_address, why);
	say_bytes(why, captured->form.message.bytes, crossed->form.message.bytes);
	return false;
}

static bool same_time(GString *why, const struct wire_plan *wire, const struct entry *captured,
		      const struct entry *crossed, int64_t apart_ns)
{
	int64_t differs_ns = crossed->at_ns - captured->at_ns - apart_ns;

	if (ABS(differs_ns) < TIME_SLACK_NS)
		return true;
	g_string_append_printf(why, "frame %u of %s comes %s too %s: ", captured->frame,
			       wire->line->capture, say_time(ABS(differs_ns)),
			       differs_ns > 0 ? "late" : "early");
	say_entry(why, crossed);
	g_string_append_c(why, '\n');
	return false;
}

/* Compares in order. */
static bool same_sequence(const struct wire_plan *wire, const GArray *captured,
			  const GArray *crossed, GString *why)
{
	const struct entry *a = (const struct entry *)(void *)captured->data;
	const struct entry *b = (const struct entry *)(void *)crossed->data;
	guint shared = MIN(captured->len, crossed->len);

	for (guint i = 0; i < shared; i++) {
		if (compare_packets(&a[i], &b[i]) != 0)
			return say_differences(why, wire, &a[i], &b[i]);
		if (!wire->ignores_time && !same_time(why, wire, &a[i], &b[i],
						      b[0].at_ns - a[0].at_ns))
			return false;
	}
	if (captured->len == crossed->len)
		return true;
	return say_lonely(why, wire, captured->len > shared ? &a[shared] : &b[shared]);
}

/* Compares in any order: both sides sorted, then the first packet that only one side has. */
static bool same_set(const struct wire_plan *wire, GArray *captured, GArray *crossed, GString *why)
{
	guint a = 0, b = 0;

	g_array_sort(captured, compare_forms);
	g_array_sort(crossed, compare_forms);
	while (a < captured->len || b < crossed->len) {
		const struct entry *one = &g_array_index(captured, struct entry, a);
		const struct entry *two = &g_array_index(crossed, struct entry, b);
		int order = a == captured->len ? 1 : b == crossed->len ? -1 :
			    compare_packets(one, two);

		if (order != 0)
			return say_lonely(why, wire, order < 0 ? one : two);
		a++;
		b++;
	}
	return true;
}

bool wire_is_captured(struct run *run, const struct wire_plan *wire, const GPtrArray *crossed,
		      struct capture **capture, GPtrArray *ret_meant, GString *why)
{
	g_autoptr(GArray) captured = NULL, seen = NULL;
	char message[512];
	bool has_lids = true;

	if (!*capture)
		*capture = capture_read(wire->line->capture, message, sizeof(message));
	if (!*capture) {
		g_string_append_printf(why, "%s\n", message);
		return false;
	}
	captured = captured_entries(run, wire, *capture, &has_lids);
	seen = crossed_entries(wire, crossed, has_lids);
	for (guint i = 0; i < seen->len; i++)
		g_ptr_array_add(ret_meant,
				(void *)g_array_index(seen, struct entry, i).packet);
	return wire->line->any_order ? same_set(wire, captured, seen, why) :
				 same_sequence(wire, captured, seen, why);
}
