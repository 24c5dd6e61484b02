/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/show/history.h. */
#include "harness/show/history.h"

#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/mad-address.h"
#include "harness/show/mad-text.h"
#include "lib/base/wire.h"
#include "sim/dictionary/mad-dictionary.h"

enum {
	TIME_WIDTH = 14,
	KNOWN_MAX = 1 << 18,	/* attributes whose last value is held */
	SETS_MAX = 1 << 16,	/* Sets whose answers have not come yet */
	VALUE_SIZE = 256,
};

struct history {
	struct view view;
	GHashTable *known;	/* "SUBJECT ATTRIBUTE MODIFIER": its last value, GBytes */
	GHashTable *sets;	/* the TID of a Set: by whom, or NULL */
	GHashTable *traps;	/* "SUBJECT TID": they are repeated, and recorded twice */
	char **ports;		/* of which history there is; NULL: all */
	GHashTable *met;	/* those of them that there are; not owned */
	uint64_t changes, unknown;
};

/* What an attribute says of whom. */
struct statement {
	uint8_t mgmt_class;
	const char *attribute;
	/* The field that has the port's number; NULL: the modifier; "": none, it is a node's. */
	const char *port;
	/* Fields that are no news, divided by blanks: they repeat the request, or always move. */
	const char *passed_over;
};

static const struct statement statements[] = {
	{ MAD_CLASS_SUBN_LID, "NodeDescription", "", "" },
	{ MAD_CLASS_SUBN_LID, "NodeInfo", "", "LocalPortNum LocalPort PortGUID PortGuid" },
	{ MAD_CLASS_SUBN_LID, "SwitchInfo", "", "StateChange" },
	{ MAD_CLASS_SUBN_LID, "PortInfo", NULL,
	  "LocalPort LocalPortNum Mkey M_Key ClientReregister" },
	{ MAD_CLASS_SUBN_LID, "SMInfo", "", "ActCount SMKey" },
	{ MAD_CLASS_PERF, "PortCounters", "PortSelect", "CounterSelect CounterSelect2" },
	{ MAD_CLASS_PERF, "PortCountersExtended", "PortSelect", "CounterSelect CounterSelect2" },
};

/* ---- whose it is ---- */

/* An answer along a directed route, of a node that nothing names: "DR 0,1,3" is that route. */
static void append_route(struct text *text, const struct capture_mad *mad)
{
	for (unsigned int hop = 0; hop <= mad->mad[SMP_HOP_CNT] && hop < SMP_PATH_SIZE; hop++) {
		text_char(text, hop == 0 ? ' ' : ',');
		text_number(text, mad->mad[SMP_INITIAL_PATH + hop]);
	}
}

/* What an end of a MAD is called, to be freed. */
static char *end_name(const struct history *history, const struct capture_mad *mad, bool source)
{
	const struct mad_ends *ends = history->view.setup.ends;
	const char *name = ends ? mad_ends_called(ends, mad, source) : NULL;
	struct text text = { NULL, 0, 0 };

	if (name)
		text_clean(&text, name);
	else if (source)
		mad_text_source(&text, mad);
	else
		mad_text_destination(&text, mad);
	if (!name && source && mad_is_directed(mad) && mad_is_returning(mad))
		append_route(&text, mad);
	text_char(&text, '\0');
	return text.bytes;
}

/* The length of "H1" in "H1[1]". */
static size_t node_size(const char *name)
{
	size_t size = strlen(name), at;

	if (size == 0 || name[size - 1] != ']')
		return size;
	for (at = size - 1; at > 0 && g_ascii_isdigit(name[at - 1]); at--)
		continue;
	return at > 1 && at < size - 1 && name[at - 1] == '[' ? at - 1 : size;
}

/* "S1[3]", or "S1" where it is the node's; to be freed. */
static char *subject_of(const struct history *history, const struct statement *statement,
			const struct capture_mad *mad, const struct mad_attribute *attribute,
			const uint8_t *data)
{
	g_autofree char *name = end_name(history, mad, true);
	size_t size = node_size(name);
	const struct mad_field *field;
	uint64_t port = get_be32(mad->mad + MAD_ATTR_MOD) & 0xff;

	if (statement->port && !*statement->port)
		return g_strndup(name, size);
	if (statement->port) {
		field = mad_field_by_name(attribute, statement->port, NULL);
		port = field ? mad_field_get(field, data) : 0;
	}
	/* Port 0 of a channel adapter's PortInfo is the one that was asked. */
	return port == 0 && name[size] ? g_steal_pointer(&name) :
	       g_strdup_printf("%.*s[%" PRIu64 "]", (int)size, name, port);
}

static bool is_asked_for(struct history *history, const char *subject)
{
	bool is_asked = false;

	if (!history->ports)
		return true;
	for (char **port = history->ports; *port; port++) {
		size_t size = strlen(*port);

		if (strcmp(*port, subject) != 0 &&
		    (node_size(*port) != size || node_size(subject) != size ||
		     strncmp(*port, subject, size) != 0))
			continue;
		g_hash_table_add(history->met, *port);
		is_asked = true;
	}
	return is_asked;
}

/* ---- lines ---- */

/* 'by' may be NULL. Takes 'what' apart no further. */
static void print(struct history *history, const struct capture_mad *mad, const char *subject,
		  const char *what, const char *by)
{
	const struct view_setup *setup = &history->view.setup;
	struct text line = { NULL, 0, 0 };

	if (setup->marks) {
		frame_traits_at(setup->marks, mad->frame)->is_changed = true;
		return;
	}
	show_clock_append(setup->clock, &line, mad->time_ns, TIME_WIDTH);
	text_char(&line, ' ');
	text_words(&line, subject);
	text_words(&line, ": ");
	text_words(&line, what);
	if (by) {
		text_words(&line, ", set by ");
		text_words(&line, by);
	}
	text_format(&line, "  #%u\n", mad->frame);
	fwrite(line.bytes, 1, line.length, setup->stream);
	text_clear(&line);
	history->changes++;
}

static bool is_passed_over(const struct statement *statement, const char *field)
{
	g_auto(GStrv) names = g_strsplit(statement->passed_over, " ", 0);

	return g_strv_contains((const char *const *)names, field) ||
	       g_str_has_prefix(field, "Reserved");
}

/* "LinkState Active -> Down", of a counter how much it has grown. */
static void append_change(GString *what, const struct mad_field *field, const uint8_t *before,
			  const uint8_t *now, bool counts)
{
	char old[VALUE_SIZE], value[VALUE_SIZE];

	mad_field_format_value(field, before, old, sizeof(old));
	mad_field_format_value(field, now, value, sizeof(value));
	if (strcmp(old, value) == 0)
		return;
	g_string_append_printf(what, "%s%s %s -> %s", what->len > 0 ? ", " : "", field->name, old,
			       value);
	if (counts && mad_field_get(field, now) > mad_field_get(field, before))
		g_string_append_printf(what, " (+%" PRIu64 ")",
				       mad_field_get(field, now) - mad_field_get(field, before));
}

static char *changes_of(const struct statement *statement, const struct mad_attribute *attribute,
			const uint8_t *before, const uint8_t *now)
{
	GString *what = g_string_new(NULL);

	for (const struct mad_field *field = attribute->fields; field->name; field++) {
		bool counts = statement->mgmt_class == MAD_CLASS_PERF && mad_field_is_number(field);

		if (!is_passed_over(statement, field->name))
			append_change(what, field, before, now, counts);
	}
	return g_string_free(what, false);
}

/* ---- MADs ---- */

static gint64 *tid_of(const uint8_t *mad)
{
	gint64 tid = (gint64)get_be64(mad + MAD_TID);

	return g_memdup2(&tid, sizeof(tid));
}

/* By whom the answer's attribute was set, to be freed; NULL: it was only asked for. */
static char *take_setter(struct history *history, const struct capture_mad *mad)
{
	g_autofree gint64 *tid = tid_of(mad->mad);

	return g_strdup(g_hash_table_lookup(history->sets, tid));
}

/* A request: it ends what an earlier one with its TID has said. */
static void take_request(struct history *history, const struct capture_mad *mad)
{
	gint64 *tid = tid_of(mad->mad);

	if (mad->mad[MAD_METHOD] != MAD_METHOD_SET ||
	    g_hash_table_size(history->sets) >= SETS_MAX) {
		g_hash_table_remove(history->sets, tid);
		g_free(tid);
		return;
	}
	g_hash_table_replace(history->sets, tid, end_name(history, mad, true));
}

static const struct statement *find_statement(const uint8_t *mad,
					      const struct mad_attribute *attribute)
{
	uint8_t mgmt_class = mad[MAD_CLASS] == MAD_CLASS_SUBN_DR ? MAD_CLASS_SUBN_LID :
								  mad[MAD_CLASS];

	for (size_t i = 0; attribute && attribute->fields && i < G_N_ELEMENTS(statements); i++) {
		if (statements[i].mgmt_class == mgmt_class &&
		    strcmp(statements[i].attribute, attribute->name) == 0)
			return &statements[i];
	}
	return NULL;
}

static void compare(struct history *history, const struct capture_mad *mad,
		    const struct statement *statement, const struct mad_attribute *attribute,
		    const uint8_t *data)
{
	g_autofree char *subject = subject_of(history, statement, mad, attribute, data);
	g_autofree char *key = g_strdup_printf("%s %s", subject, attribute->name);
	g_autofree char *by = take_setter(history, mad), *what = NULL;
	GBytes *before = g_hash_table_lookup(history->known, key);

	if (!is_asked_for(history, subject))
		return;
	if (before)
		what = changes_of(statement, attribute, g_bytes_get_data(before, NULL), data);
	else if (g_hash_table_size(history->known) >= KNOWN_MAX)
		history->unknown++;
	if (what && *what)
		print(history, mad, subject, what, by);
	if (before || g_hash_table_size(history->known) < KNOWN_MAX)
		g_hash_table_replace(history->known, g_steal_pointer(&key),
				     g_bytes_new(data, attribute->size));
}

/* A trap is of its node: is that, or a port of it, asked for? */
static bool is_node_asked_for(const struct history *history, const char *node)
{
	size_t size = strlen(node);

	for (char **port = history->ports; port && *port; port++) {
		if (node_size(*port) == size && strncmp(*port, node, size) == 0)
			return true;
	}
	return !history->ports;
}

/* "trap 128, LIDAddr=2"; to be freed. */
static char *trap_text(const uint8_t *mad, const struct mad_attribute *notice, const uint8_t *data)
{
	const struct mad_field *number = mad_field_by_name(notice, "NoticeTrapNumber", NULL);
	const struct mad_field *details = mad_details_of(notice, data);
	GString *text = g_string_new("trap");
	char value[VALUE_SIZE];

	if (number && details)
		g_string_append_printf(text, " %" PRIu64, mad_field_get(number, data));
	else
		g_string_append_printf(text, " of class 0x%02x", mad[MAD_CLASS]);
	for (; details && details->name; details++) {
		mad_field_format_value(details, data, value, sizeof(value));
		g_string_append_printf(text, ", %s=%s", details->name, value);
	}
	return g_string_free(text, false);
}

static void take_trap(struct history *history, const struct capture_mad *mad,
		      const struct mad_attribute *notice, const uint8_t *data)
{
	g_autofree char *node = end_name(history, mad, true);
	g_autofree char *key = NULL, *text = NULL;

	node[node_size(node)] = '\0';
	key = g_strdup_printf("%s %" PRIx64, node, (uint64_t)get_be64(mad->mad + MAD_TID));
	if (!is_node_asked_for(history, node) || g_hash_table_contains(history->traps, key))
		return;
	if (g_hash_table_size(history->traps) < KNOWN_MAX)
		g_hash_table_add(history->traps, g_steal_pointer(&key));
	text = trap_text(mad->mad, notice, data);
	print(history, mad, node, text, NULL);
}

static void view_mad(struct view *view, const struct capture_mad *mad)
{
	struct history *history = (struct history *)view;
	const uint8_t *bytes = mad->mad;
	const struct mad_class_info *info = mad_class_find(bytes[MAD_CLASS]);
	const struct mad_attribute *attribute =
		mad_attribute_find(bytes[MAD_CLASS], get_be16(bytes + MAD_ATTR_ID));
	const struct statement *statement = find_statement(bytes, attribute);

	if (!attribute || !attribute->fields || !info || mad_plain_status(bytes) ||
	    info->data_at + attribute->size > MAD_SIZE)
		return;
	if (mad_class_is_smp(bytes[MAD_CLASS]) && bytes[MAD_METHOD] == MAD_METHOD_TRAP)
		take_trap(history, mad, attribute, bytes + info->data_at);
	else if (statement && !mad_is_response(bytes))
		take_request(history, mad);
	else if (statement)
		compare(history, mad, statement, attribute, bytes + info->data_at);
}

/* ---- the view ---- */

static struct view *view_begin(const struct view_setup *setup)
{
	struct history *history = g_new0(struct history, 1);

	history->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					       (GDestroyNotify)g_bytes_unref);
	history->sets = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	history->traps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	history->met = g_hash_table_new(g_str_hash, g_str_equal);
	history->ports = setup->ports ? g_strsplit(setup->ports, ",", 0) : NULL;
	return &history->view;
}

static void view_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct history *history = (struct history *)view;

	if (view->setup.marks)
		goto end;
	fprintf(view->setup.stream, "# %" PRIu64 " change%s in %" PRIu64 " MADs (%" PRIu64
		" in the file)\n", history->changes, history->changes == 1 ? "" : "s", shown,
		counts->mads);
	for (char **port = history->ports; port && *port; port++) {
		if (!g_hash_table_contains(history->met, *port))
			fprintf(view->setup.stream, "# the capture has nothing of %s\n", *port);
	}
	if (history->unknown > 0)
		fprintf(view->setup.stream, "# %" PRIu64 " answers were not compared: more than %d "
			"attributes are there; name ports (--ports)\n", history->unknown,
			(int)KNOWN_MAX);
end:
	g_hash_table_destroy(history->known);
	g_hash_table_destroy(history->sets);
	g_hash_table_destroy(history->traps);
	g_hash_table_destroy(history->met);
	g_strfreev(history->ports);
	g_free(history);
}

const struct view_kind history_view = {
	.named = true, .new = view_begin, .mad = view_mad, .end = view_end,
};
