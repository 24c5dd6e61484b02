/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Ladders. See harness/show/ladder.h.
 *
 * A record contains where it was taken and the addresses, but not always the port. So ports are
 * learned first: a port that sends with a LID has that LID, and one that answers a directed-route
 * request is at the end of its route. What stays unknown gets a rail named after the address.
 */
#include "harness/show/ladder.h"

#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/mad-address.h"
#include "harness/show/mad-text.h"
#include "lib/base/wire.h"

enum {
	RAILS_MAX = 24,		/* further ports share the last rail: wider fits no screen */
	TIME_WIDTH = 16,
	NAME_SPACE = 3,		/* between two names */
	ARROW_ROOM = 6,		/* dashes and arrowhead beside a label */
};

struct arrow {
	size_t mad;		/* in the capture */
	unsigned int from, to;	/* rails */
	bool died;		/* at 'to', before it arrived */
	const char *why;	/* why it was dropped; NULL: unknown */
	char *label;
};

struct ladder {
	const struct capture *capture;
	GPtrArray *names;	/* rails, in the order in which they first appear */
	GHashTable *rails;	/* name -> number + 1: look-up only */
	GHashTable *by_lid;	/* LID -> name of the port that sends with it: look-up only */
	GHashTable *requesters;	/* directed-route conversation -> name: look-up only */
	GHashTable *responders;
	GHashTable *last;	/* MAD's identity -> index + 1 of its last arrow: look-up only */
	GArray *arrows;		/* of struct arrow, in the order of the capture */
	size_t *columns;	/* of the rails */
};

/* ---- which port is which ---- */

static bool is_directed(const struct capture_mad *mad)
{
	return mad->mad[MAD_CLASS] == MAD_CLASS_SUBN_DR && mad->addr.slid == LID_PERMISSIVE;
}

static bool is_returning(const struct capture_mad *mad)
{
	return get_be16(mad->mad + MAD_STATUS) & SMP_DIRECTION;
}

/* What a request and its response have in common. */
static char *conversation(const struct capture_mad *mad)
{
	return g_strdup_printf("%016" PRIx64 "/%04x/%08x", get_be64(mad->mad + MAD_TID),
			       get_be16(mad->mad + MAD_ATTR_ID), get_be32(mad->mad + MAD_ATTR_MOD));
}

/* The same MAD, recorded twice: where it left and where it was dropped. */
static char *identity(const struct capture_mad *mad)
{
	g_autofree char *rest = conversation(mad);

	return g_strdup_printf("%02x/%02x/%d/%s", mad->mad[MAD_CLASS], mad->mad[MAD_METHOD],
			       is_directed(mad) && is_returning(mad), rest);
}

static bool left_here(const struct capture_mad *mad)
{
	return mad->direction == CAPTURE_OUTBOUND && mad->interface_name;
}

/* If this is the second record of a MAD that did not arrive: why it did not. Otherwise NULL. */
static const char *death(const struct capture_mad *mad)
{
	const char *dropped;

	if (mad->direction != CAPTURE_INBOUND || !mad->comment)
		return NULL;
	dropped = strstr(mad->comment, "dropped: ");
	return dropped ? dropped + strlen("dropped: ") : NULL;
}

static void learn(struct ladder *ladder, const struct capture_mad *mad)
{
	if (!left_here(mad))
		return;
	if (is_directed(mad))
		g_hash_table_insert(is_returning(mad) ? ladder->responders : ladder->requesters,
				    conversation(mad), (char *)(uintptr_t)mad->interface_name);
	else if (mad->transport == CAPTURE_INFINIBAND)
		g_hash_table_insert(ladder->by_lid, GUINT_TO_POINTER(mad->addr.slid),
				    (char *)(uintptr_t)mad->interface_name);
}

/* The rail called 'name', which is made if there is none. */
static unsigned int rail(struct ladder *ladder, const char *name)
{
	gpointer found = g_hash_table_lookup(ladder->rails, name);

	if (found)
		return GPOINTER_TO_UINT(found) - 1;
	if (ladder->names->len == RAILS_MAX - 1)
		g_ptr_array_add(ladder->names, g_strdup("(others)"));
	if (ladder->names->len == RAILS_MAX)
		return RAILS_MAX - 1;
	g_ptr_array_add(ladder->names, g_strdup(name));
	g_hash_table_insert(ladder->rails, g_strdup(name), GUINT_TO_POINTER(ladder->names->len));
	return ladder->names->len - 1;
}

static char *route_name(const struct capture_mad *mad)
{
	GString *name = g_string_new("DR 0");

	for (unsigned int hop = 1; hop <= mad->mad[SMP_HOP_CNT] && hop < SMP_PATH_SIZE; hop++)
		g_string_append_printf(name, ",%u", mad->mad[SMP_INITIAL_PATH + hop]);
	return g_string_free(name, false);
}

/* The rail at one end of a directed route: the requester's, or that of the port it leads to. */
static unsigned int route_end(struct ladder *ladder, const struct capture_mad *mad, bool requester)
{
	g_autofree char *key = conversation(mad);
	g_autofree char *route = route_name(mad);
	const char *name = g_hash_table_lookup(requester ? ladder->requesters : ladder->responders,
					       key);

	return rail(ladder, name ? name : requester ? "requester" : route);
}

static unsigned int lid_rail(struct ladder *ladder, const struct capture_mad *mad, uint16_t lid,
			     const char *address)
{
	const char *name = NULL;

	if (mad->transport == CAPTURE_INFINIBAND)
		name = g_hash_table_lookup(ladder->by_lid, GUINT_TO_POINTER(lid));
	return rail(ladder, name ? name : address);
}

/* To be freed with g_free(). */
static char *address_of(const struct capture_mad *mad, bool source)
{
	struct text text = { NULL, 0, 0 };

	if (source)
		mad_text_source(&text, mad);
	else
		mad_text_destination(&text, mad);
	text_char(&text, '\0');
	return text.bytes;
}

static unsigned int source_rail(struct ladder *ladder, const struct capture_mad *mad)
{
	g_autofree char *address = address_of(mad, true);

	if (left_here(mad))
		return rail(ladder, mad->interface_name);
	if (is_directed(mad))
		return route_end(ladder, mad, !is_returning(mad));
	return lid_rail(ladder, mad, mad->addr.slid, address);
}

static unsigned int destination_rail(struct ladder *ladder, const struct capture_mad *mad)
{
	g_autofree char *address = address_of(mad, false);

	if (mad->direction == CAPTURE_INBOUND && mad->interface_name)
		return rail(ladder, mad->interface_name);
	if (is_directed(mad))
		return route_end(ladder, mad, is_returning(mad));
	return lid_rail(ladder, mad, mad->addr.dlid, address);
}

/* ---- arrows ---- */

static char *label_of(const struct capture_mad *mad)
{
	struct text label = { NULL, 0, 0 };

	mad_text_name(&label, mad->mad);
	if (mad_plain_status(mad->mad)) {
		text_char(&label, ' ');
		text_hex(&label, mad_plain_status(mad->mad), 4);
	}
	text_char(&label, '\0');
	return label.bytes;
}

/* Ends the last arrow of the same MAD where it was dropped. False: it was never seen to leave. */
static bool end_arrow(struct ladder *ladder, const struct capture_mad *mad, const char *why)
{
	g_autofree char *key = identity(mad);
	gpointer found = g_hash_table_lookup(ladder->last, key);
	struct arrow *arrow;

	if (!found)
		return false;
	arrow = &g_array_index(ladder->arrows, struct arrow, GPOINTER_TO_UINT(found) - 1);
	arrow->to = destination_rail(ladder, mad);
	arrow->died = true;
	arrow->why = why;
	return true;
}

static void add_arrow(struct ladder *ladder, size_t i)
{
	const struct capture_mad *mad = &ladder->capture->mads[i];
	struct arrow arrow = { .mad = i, .why = death(mad) };

	if (arrow.why && end_arrow(ladder, mad, arrow.why))
		return;
	arrow.died = arrow.why != NULL;
	arrow.from = source_rail(ladder, mad);
	arrow.to = destination_rail(ladder, mad);
	arrow.label = label_of(mad);
	g_array_append_val(ladder->arrows, arrow);
	g_hash_table_replace(ladder->last, identity(mad), GUINT_TO_POINTER(ladder->arrows->len));
}

/* ---- drawing ---- */

static size_t name_length(const struct ladder *ladder, unsigned int number)
{
	return strlen(g_ptr_array_index(ladder->names, number));
}

/* Columns of the rails: names do not touch, and every label fits between its rails. */
static void set_columns(struct ladder *ladder)
{
	unsigned int count = ladder->names->len;
	size_t *gaps = g_new0(size_t, count + 1);

	for (unsigned int i = 0; i + 1 < count; i++)
		gaps[i] = (name_length(ladder, i) + name_length(ladder, i + 1) + 1) / 2 +
			  NAME_SPACE;
	for (unsigned int n = 0; n < ladder->arrows->len; n++) {
		const struct arrow *arrow = &g_array_index(ladder->arrows, struct arrow, n);
		unsigned int left = MIN(arrow->from, arrow->to);
		unsigned int right = MAX(arrow->from, arrow->to);
		size_t room = 0, need = strlen(arrow->label) + ARROW_ROOM;

		for (unsigned int i = left; i < right; i++)
			room += gaps[i];
		/*
		 * An arrow to the same rail has its label on the right, where there must be nothing
		 * else.
		 */
		if (left == right && right + 1 < count)
			gaps[right] = MAX(gaps[right], need);
		else if (left != right && room < need)
			gaps[right - 1] += need - room;
	}
	ladder->columns = g_new0(size_t, count + 1);
	ladder->columns[0] = TIME_WIDTH + (count ? name_length(ladder, 0) / 2 : 0);
	for (unsigned int i = 1; i < count; i++)
		ladder->columns[i] = ladder->columns[i - 1] + gaps[i - 1];
	g_free(gaps);
}

static void put_text(GString *line, size_t column, const char *text)
{
	size_t length = strlen(text);

	while (line->len < column + length)
		g_string_append_c(line, ' ');
	memcpy(line->str + column, text, length);
}

static void draw_names(const struct ladder *ladder, FILE *stream)
{
	GString *line = g_string_new(NULL);

	for (unsigned int i = 0; i < ladder->names->len; i++)
		put_text(line, ladder->columns[i] - name_length(ladder, i) / 2,
			 g_ptr_array_index(ladder->names, i));
	fprintf(stream, "%s\n", line->str);
	g_string_free(line, true);
}

/* Dashes from rail to rail with the label in the middle and a head at the end. */
static void draw_arrow(const struct ladder *ladder, const struct arrow *arrow, GString *line)
{
	bool rightward = arrow->to > arrow->from;
	size_t left = ladder->columns[MIN(arrow->from, arrow->to)];
	size_t right = ladder->columns[MAX(arrow->from, arrow->to)];

	if (left == right) {
		put_text(line, left + 1, arrow->died ? "x " : "o ");
		put_text(line, left + 3, arrow->label);
		return;
	}
	memset(line->str + left + 1, '-', right - left - 1);
	put_text(line, left + 1 + (right - left - 1 - strlen(arrow->label)) / 2, arrow->label);
	line->str[rightward ? right - 1 : left + 1] = arrow->died ? 'x' : rightward ? '>' : '<';
}

static void append_words(GString *line, const char *words)
{
	for (; *words; words++)
		g_string_append_c(line, g_ascii_iscntrl(*words) ? ' ' : *words);
}

static void draw(const struct ladder *ladder, const struct arrow *arrow, FILE *stream)
{
	const struct capture_mad *mad = &ladder->capture->mads[arrow->mad];
	GString *line = g_string_new(NULL);

	g_string_append_printf(line, "%12.3fms", (double)mad->time_ns / 1e6);
	for (unsigned int i = 0; i < ladder->names->len; i++)
		put_text(line, ladder->columns[i], "|");
	draw_arrow(ladder, arrow, line);
	g_string_append_printf(line, "  tid=0x%" PRIx64, get_be64(mad->mad + MAD_TID));
	if (mad->comment) {
		g_string_append(line, "  # ");
		append_words(line, mad->comment);
	}
	/* If the arrow is itself the record of the drop, its own comment already says why. */
	if (arrow->why && arrow->why != death(mad)) {
		g_string_append(line, "  x ");
		append_words(line, arrow->why);
	}
	fprintf(stream, "%s\n", line->str);
	g_string_free(line, true);
}

/*
 * Prints the notes from '*next' on that precede 'frame' in the file, each a line across the rails.
 */
static void draw_notes(const struct ladder *ladder, size_t *next, unsigned int frame, FILE *stream)
{
	const struct capture *capture = ladder->capture;

	for (; *next < capture->note_count && capture->notes[*next].frame < frame; (*next)++) {
		const struct capture_note *note = &capture->notes[*next];
		GString *line = g_string_new(NULL);

		g_string_append_printf(line, "%12.3fms  -- ", (double)note->time_ns / 1e6);
		append_words(line, note->text);
		fprintf(stream, "%s --\n", line->str);
		g_string_free(line, true);
	}
}

void ladder_print(const struct capture *capture, FILE *stream)
{
	size_t note = 0;

	struct ladder ladder = {
		.capture = capture,
		.names = g_ptr_array_new_with_free_func(g_free),
		.rails = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.by_lid = g_hash_table_new(NULL, NULL),
		.requesters = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.responders = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.last = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.arrows = g_array_new(false, false, sizeof(struct arrow)),
	};

	for (size_t i = 0; i < capture->mad_count; i++)
		learn(&ladder, &capture->mads[i]);
	for (size_t i = 0; i < capture->mad_count; i++)
		add_arrow(&ladder, i);
	set_columns(&ladder);
	if (capture->mad_count == 0)
		fprintf(stream, "# %" G_GUINT64_FORMAT " frames, none of them a MAD\n",
			capture->counts.frames);
	else
		draw_names(&ladder, stream);
	for (unsigned int n = 0; n < ladder.arrows->len; n++) {
		const struct arrow *arrow = &g_array_index(ladder.arrows, struct arrow, n);

		draw_notes(&ladder, &note, capture->mads[arrow->mad].frame, stream);
		draw(&ladder, arrow, stream);
	}
	draw_notes(&ladder, &note, UINT_MAX, stream);

	for (unsigned int n = 0; n < ladder.arrows->len; n++)
		g_free(g_array_index(ladder.arrows, struct arrow, n).label);
	g_array_free(ladder.arrows, true);
	g_hash_table_destroy(ladder.last);
	g_hash_table_destroy(ladder.responders);
	g_hash_table_destroy(ladder.requesters);
	g_hash_table_destroy(ladder.by_lid);
	g_hash_table_destroy(ladder.rails);
	g_ptr_array_free(ladder.names, true);
	g_free(ladder.columns);
}
