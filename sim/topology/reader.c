/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A topology in the making. See sim/topology/reader.h. */
#include "config.h"

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

void reader_init(struct topology_reader *reader, struct topology *topology)
{
	*reader = (struct topology_reader){
		.topology = topology,
		.node = -1,
		.ids = g_hash_table_new(g_str_hash, g_str_equal),
		.aliases = g_hash_table_new(g_str_hash, g_str_equal),
		.claims = g_array_new(false, false, sizeof(struct topology_claim)),
		.claims_by_port = g_ptr_array_new_with_free_func(g_free),
	};
}

void reader_done(struct topology_reader *reader)
{
	g_hash_table_unref(reader->ids);
	g_hash_table_unref(reader->aliases);
	g_array_unref(reader->claims);
	g_ptr_array_unref(reader->claims_by_port);
}

void topology_diagnose(struct topology_reader *reader, enum topology_severity severity,
		       unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	topology_tell_va(reader->topology, severity, reader->file_number, line, format, args);
	va_end(args);
}

void topology_diagnose_at(struct topology_reader *reader, enum topology_severity severity,
			  unsigned int file_number, unsigned int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	topology_tell_va(reader->topology, severity, file_number, line, format, args);
	va_end(args);
}

void topology_count_line(struct topology_reader *reader)
{
	reader->topology->loss.lines.said++;
}

void topology_lose_line(struct topology_reader *reader)
{
	reader->topology->loss.lines.lost++;
}

static void tell_glued(struct topology_reader *reader)
{
	if (reader->glued_count)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, 0, reader->glued_line,
				     "%u header%s without the tab before the number of ports, as "
				     "in Switch36 \"S-...\"; read as if it were there; %s to get "
				     "one with tabs",
				     reader->glued_count, reader->glued_count == 1 ? "" : "s",
				     reader->format->clean);
}

bool reader_next_line(struct topology_reader *reader, struct line_reader *lines,
		      struct span *ret_line)
{
	if (line_next(lines, ret_line)) {
		reader->line = lines->number;
		return true;
	}
	reader->saw_cr |= lines->cr_seen;
	reader->saw_cut |= lines->cut;
	return false;
}

/*
 * Reports what a terminal or an editor did to the file: it is harmless, so one line is enough for
 * all.
 */
void reader_tell_traces(struct topology_reader *reader)
{
	GString *traces = g_string_new(NULL);
	const struct {
		bool seen;
		const char *name;
	} all[] = {
		{ reader->saw_bom, "a byte order mark" },
		{ reader->saw_prompt, "a shell prompt or banner" },
		{ reader->saw_cr, "CR LF line ends" },
		{ reader->saw_blanks_for_tabs, "blanks for tabs" },
		{ reader->saw_cut, "no newline at the end" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
		if (all[i].seen)
			g_string_append_printf(traces, "%s%s", traces->len ? ", " : "",
					       all[i].name);
	if (traces->len)
		topology_diagnose_at(reader, TOPOLOGY_WARNING, 0, reader->prompt_line,
				     "traces of a terminal or an editor: %s; ignored; %s to get "
				     "rid of them",
				     traces->str, reader->format->clean);
	g_string_free(traces, true);
	tell_glued(reader);
}
