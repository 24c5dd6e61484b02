/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * wire == "x.pcap": compares what has crossed A's cable with what a captured port sent and
 * received.
 *
 * Here each side is brought into the form of a capture of that one port; sim/diff compares them.
 * Whether they are the same is decided packet by packet. If they are not, conversations are
 * compared as well: they say best what is different, unless it is in the packets alone.
 */
#include "harness/script/verb/wire-line.h"

#include <inttypes.h>
#include <string.h>

#include "harness/script/mad/where.h"
#include "harness/show/difference.h"
#include "sim/capture/side.h"
#include "sim/diff/diff.h"

enum {
	TIME_SLACK_NS = 999,	/* captures have at least microseconds */
	DETAILS_MAX = 10,
};

/* ---- what is ignored ---- */

static bool is_same_place(const struct header_field *header, const struct term_info *term)
{
	return header->field.bit == term->bit && header->field.width == term->width;
}

/*
 * Of a diff, a header has one field for each place; scenarios have some more names for parts of
 * them, all of whole bytes.
 */
static void ignore_term(const struct term_info *term, struct ignored_fields *ignored)
{
	const struct header_field *header = header_fields;
	const char *suggestion;
	char bytes[32];

	while (header->field.name && !is_same_place(header, term))
		header++;
	g_snprintf(bytes, sizeof(bytes), "bytes[%u..%u]", term->bit / 8u,
		   (term->bit + term->width) / 8u - 1);
	ignored_fields_add(ignored, header->field.name ? header->field.name : bytes, &suggestion);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}

bool wire_ignore(const char *name, struct ignored_fields *ignored)
{
	const char *suggestion;
	const struct term_info *term = term_find(name, MAD_LEAVES, &suggestion);

	if (term && term->where == TERM_MAD) {
		ignore_term(term, ignored);
		return true;
	}
	if (term) {
		/* Of the packet around the MAD, some fields are not compared (vl, psn). */
		if (is_one_of(term->name, address_field_names, ADDRESS_FIELDS))
			ignored_fields_add(ignored, term->name, &suggestion);
		return term->where == TERM_ADDR;
	}
	/* Packets count, however often one is sent again. */
	return !is_one_of(name, conversation_field_names, CONVERSATION_FIELDS) &&
	       ignored_fields_add(ignored, name, &suggestion);
}

/* ---- both sides ---- */

struct side {
	GArray *mads;			/* of struct capture_mad */
	guint next;
};

static const struct capture_mad *side_next(void *ctx)
{
	struct side *side = ctx;

	if (side->next == side->mads->len)
		return NULL;
	return &g_array_index(side->mads, struct capture_mad, side->next++);
}

static bool side_rewind(void *ctx)
{
	((struct side *)ctx)->next = 0;
	return true;
}

static gint compare_times(gconstpointer a, gconstpointer b)
{
	const struct capture_mad *one = a, *two = b;

	if (one->time_ns != two->time_ns)
		return one->time_ns < two->time_ns ? -1 : 1;
	return (one->frame > two->frame) - (one->frame < two->frame);
}

static void add(struct side *side, const struct capture_mad *mad)
{
	g_array_append_vals(side->mads, mad, 1);
}

static struct side captured_side(struct run *run, const struct wire_plan *wire,
				 const struct capture *capture,
				 enum capture_transport *ret_transport)
{
	struct side captured = { .mads = g_array_new(false, false, sizeof(struct capture_mad)) };
	struct world_address self = { 0 };
	struct capture_stand stand;

	run->world->kind->address(run->world, "self", &self);
	stand = capture_stand_find(capture, run->world->label[WORLD_SELF], self.lid);
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		enum capture_side side = capture_side(&stand, mad);
		/* As A has it: without where it was recorded, and how the CRCs were. */
		struct capture_mad seen = {
			.frame = mad->frame,
			.time_ns = mad->time_ns,
			.transport = mad->transport,
			.direction = side == CAPTURE_SENT ? CAPTURE_OUTBOUND : CAPTURE_INBOUND,
			.addr = mad->addr,
		};

		if (side == CAPTURE_ELSEWHERE || !where_fits(wire->where, &mad->addr, mad->mad))
			continue;
		memcpy(seen.mad, mad->mad, MAD_SIZE);
		if (side == CAPTURE_GOT)
			capture_mad_got(mad, seen.mad);
		/* Recorded where it left; here it arrived one latency later. */
		if (side == CAPTURE_GOT && mad->direction == CAPTURE_OUTBOUND)
			seen.time_ns += run->point->scenario->settings.latency_ns;
		*ret_transport = mad->transport;
		add(&captured, &seen);
	}
	g_array_sort(captured.mads, compare_times);
	return captured;
}

/* RoCE has no LIDs: with a capture of that those of the simulator do not count either. */
static struct side crossed_side(const struct wire_plan *wire, const GPtrArray *crossed,
				enum capture_transport transport, GPtrArray *ret_meant)
{
	struct side side = { .mads = g_array_new(false, false, sizeof(struct capture_mad)) };

	for (guint i = 0; i < crossed->len; i++) {
		const struct world_packet *packet = crossed->pdata[i];
		struct capture_mad seen = {
			.frame = i + 1,
			.time_ns = packet->at_ns,
			.transport = transport,
			.direction = packet->leaves ? CAPTURE_OUTBOUND : CAPTURE_INBOUND,
			.addr = packet->addr,
		};

		if (!packet->has_addr || !where_fits(wire->where, &packet->addr, packet->mad))
			continue;
		memcpy(seen.mad, packet->mad, MAD_SIZE);
		add(&side, &seen);
		g_ptr_array_add(ret_meant, (void *)packet);
	}
	return side;
}

/* ---- comparing ---- */

/* 'ret_text' NULL: whether they differ is enough. */
static struct diff_counts compare(const struct diff_options *options, const char *capture,
				  struct side *captured, struct side *crossed, char **ret_text)
{
	const struct diff_source a = { captured, side_next, side_rewind };
	const struct diff_source b = { crossed, side_next, side_rewind };
	struct difference_text *text = difference_text_new_wire(capture);
	struct diff_options chosen = *options;
	struct diff_counts counts;
	g_autofree char *differences = NULL;

	chosen.details_max = ret_text ? DETAILS_MAX : 0;
	captured->next = crossed->next = 0;
	diff_run(&chosen, &a, &b, difference_text_take, text, &counts);
	differences = difference_text_close(text);
	if (ret_text)
		*ret_text = g_steal_pointer(&differences);
	return counts;
}

static void say_counts(GString *why, const struct diff_counts *counts, const char *what,
		       const char *capture, const char *differences)
{
	uint64_t all = counts->changed + counts->missing + counts->extra;

	g_string_append_printf(why, "%s of %s: %" PRIu64 " changed, %" PRIu64 " missing, %"
			       PRIu64 " extra, %" PRIu64 " the same\n%s", what, capture,
			       counts->changed, counts->missing, counts->extra, counts->same,
			       differences);
	if (all > DETAILS_MAX)
		g_string_append_printf(why, "... and %" PRIu64 " more differences\n",
				       all - DETAILS_MAX);
}

/* The packets differ: in what? */
static void say_differences(const struct diff_options *options, const char *capture,
			    struct side *captured, struct side *crossed, GString *why)
{
	g_autofree char *differences = NULL;
	struct diff_options by = *options;
	struct diff_counts counts;

	by.packets = false;
	counts = compare(&by, capture, captured, crossed, &differences);
	if (diff_found(&counts)) {
		say_counts(why, &counts, "conversations", capture, differences);
		return;
	}
	g_free(differences);
	by.packets = true;
	counts = compare(&by, capture, captured, crossed, &differences);
	say_counts(why, &counts, "packets", capture, differences);
}

static void compare_sides(const struct wire_plan *wire, struct side *captured,
			  struct side *crossed, bool *ret_same, GString *why)
{
	const struct wire_step *line = wire->line;
	struct diff_options options = {
		.any_order = line->any_order,
		.packets = true,
		.times = !wire->ignores_time,
		.tolerance_ns = TIME_SLACK_NS,
	};
	struct diff_counts counts;

	for (guint i = 0; i < line->ignoring->len; i++) {
		const struct field_expr *field = line->ignoring->pdata[i];

		wire_ignore(field->name, &options.ignored);
	}
	counts = compare(&options, line->capture, captured, crossed, NULL);
	*ret_same = !diff_found(&counts);
	if (why && !*ret_same)
		say_differences(&options, line->capture, captured, crossed, why);
	ignored_fields_clear(&options.ignored);
}

bool wire_is_captured(struct run *run, const struct wire_plan *wire, const GPtrArray *crossed,
		      struct capture **capture, GPtrArray *ret_meant, GString *why)
{
	enum capture_transport transport = CAPTURE_INFINIBAND;
	struct side captured, seen;
	char message[512];
	bool is_same;

	if (!*capture)
		*capture = capture_read(wire->line->capture, message, sizeof(message));
	if (!*capture) {
		if (why)
			g_string_append_printf(why, "%s\n", message);
		return false;
	}
	captured = captured_side(run, wire, *capture, &transport);
	seen = crossed_side(wire, crossed, transport, ret_meant);
	compare_sides(wire, &captured, &seen, &is_same, why);
	g_array_unref(captured.mads);
	g_array_unref(seen.mads);
	return is_same;
}
