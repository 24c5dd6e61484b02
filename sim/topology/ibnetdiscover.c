/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The output of ibnetdiscover, also when it has been through terminals, editors and people's hands.
 *
 * sim/topology/record.c reads the nodes; this file reads what is around them: the heading, the
 * sections of -g (where a switch occurs twice), shell prompts.
 */
#include "config.h"

#include "sim/topology/format.h"
#include "sim/topology/reader.h"

/* Lines that -g prints between the nodes. */
static bool is_grouping(struct span line)
{
	return span_starts(line, "Chassis ") || span_starts(line, "Non-Chassis Nodes") ||
	       span_starts(line, "Hostname:");
}

static void comment_line(struct topology_reader *reader, struct span line)
{
	static const char *const sections[] = {
		"# Spine Nodes", "# Line Nodes", "# Chassis Switches", "# Chassis CAs",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		if (span_starts(line, sections[i]))
			reader->grouped = true;
}

/* A line that has a node's first word and id, and still is no header. */
static bool is_like_header(struct span line)
{
	return (span_starts(line, "Switch") || span_starts(line, "Ca") ||
		span_starts(line, "Rt")) && span_find(line, '"');
}

static void other_line(struct topology_reader *reader, struct span line)
{
	/* Lines before the first node are banners or prompts: one diagnostic for all of them. */
	if (topology_is_prompt(line) || !reader->began) {
		if (!reader->saw_prompt)
			reader->prompt_line = reader->line;
		reader->saw_prompt = true;
		return;
	}
	topology_diagnose(reader, TOPOLOGY_WARNING, reader->line,
			  "'%.*s' not understood; skipped; start comments with #", SHOWN(line));
	topology_lose_line(reader);
	if (is_like_header(line)) {
		reader->topology->loss.nodes.said++;
		reader->topology->loss.nodes.lost++;
	}
}

/* "[3]" or "[ 3]", not "[root@host /]#". */
static bool is_port_line(struct span line)
{
	long number;

	if (!cursor_skip(&line, "["))
		return false;
	cursor_skip_blanks(&line);
	return cursor_number(&line, &number) && span_starts(line, "]");
}

static void read_line(struct topology_reader *reader, struct span line)
{
	enum topology_kind kind;

	topology_check_length(reader, line);
	if (is_port_line(line)) {
		topology_count_line(reader);
		reader->began = true;
		topology_port_line(reader, line);
		return;
	}
	if (span_starts(line, "#")) {
		comment_line(reader, line);
		return;
	}
	topology_record_close(reader);
	line = span_trim(line);
	if (line.at == line.end)
		return;
	topology_count_line(reader);
	if (topology_record_keyword(&line, &kind)) {
		reader->began = true;
		topology_record_header(reader, kind, line);
	} else if (topology_record_preamble(reader, line)) {
		reader->began = true;
	} else {
		if (is_grouping(line))
			reader->grouped |= span_starts(line, "Chassis ");
		else
			other_line(reader, line);
	}
}

static void read_dump(struct topology_reader *reader, struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line;

	while (reader_next_line(reader, &lines, &line))
		read_line(reader, line);
}

/* Any header will do: ibsim's files, which have them too, were recognized before. */
static bool detect(struct span text)
{
	struct line_reader lines = { .rest = text };
	struct span line;
	bool guid_id;

	while (line_next(&lines, &line))
		if (topology_record_is_header(line, &guid_id))
			return true;
	return false;
}

const struct topology_format topology_format_ibnetdiscover = {
	.name = "ibnetdiscover dumps",
	.detect = detect,
	.read = read_dump,
	.clean = "write the file with 'ibnetdiscover > FILE'",
	.wants_tabs = true,
};
