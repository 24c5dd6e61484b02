/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* IBNL: reads the model of a system. */
#include "config.h"

#include <string.h>

#include "sim/topology/ibnl.h"

struct ibnl_reader {
	struct topology_reader *reader;
	struct ibnl_model *model;
	struct ibnl_board *board;	/* whose parts follow; NULL: none yet */
	struct ibnl_part *part;		/* whose wires follow; NULL: none yet */
};

static const char *keep(struct topology_reader *reader, struct span text)
{
	return g_string_chunk_insert_len(reader->topology->strings, text.at,
					 (gssize)span_size(text));
}

static void complain(struct ibnl_reader *ibnl, struct span line, const char *cure)
{
	topology_diagnose(ibnl->reader, TOPOLOGY_ERROR, ibnl->reader->line,
			  "'%.*s' not understood; left out; %s", SHOWN(line), cure);
}

/* ---- freeing ---- */

static void part_free(gpointer data)
{
	struct ibnl_part *part = data;

	g_array_unref(part->wires);
	g_free(part);
}

static void board_free(gpointer data)
{
	struct ibnl_board *board = data;

	g_ptr_array_unref(board->parts);
	g_hash_table_unref(board->by_name);
	g_free(board);
}

void ibnl_model_free(struct ibnl_model *model)
{
	g_ptr_array_unref(model->top_names);
	g_ptr_array_unref(model->boards);
	g_hash_table_unref(model->by_name);
	g_free(model);
}

/* ---- wires ---- */

/* "4x" or "4X", "5G": one word of an arrow. */
static bool arrow_word(struct span word, struct topology_port *rate)
{
	char text[8];
	struct span lower = { text, text };

	if (span_size(word) < 2 || span_size(word) > sizeof(text))
		return false;
	lower.end += span_size(word);
	for (size_t i = 0; i < span_size(word); i++)
		text[i] = g_ascii_tolower(word.at[i]);
	if (lower.end[-1] != 'g')
		return topology_width_parse(lower, rate);
	lower.end--;
	return topology_lane_speed_parse(lower, rate);
}

bool ibnl_arrow(struct span *line, struct span *ret_port, struct topology_port *rate)
{
	const char *arrow = span_find_text(*line, "->");

	if (!arrow)
		return false;

	struct span left = span_trim((struct span){ line->at, arrow }), port = left;

	/* A name may have dashes where a blank follows it: "P1-12x -12x->". */
	if (!cursor_word(&left, &port))
		return false;
	left = span_trim(left);
	if (left.at == left.end && span_find(port, '-')) {
		left = (struct span){ span_find(port, '-'), port.end };
		port.end = left.at;
	}
	while (left.at < left.end) {
		if (!cursor_skip(&left, "-"))
			return false;

		const char *dash = span_find(left, '-');
		struct span word = { left.at, dash ? dash : left.end };

		left.at = word.end;
		if (!arrow_word(span_trim(word), rate))
			return false;
	}
	*ret_port = port;
	line->at = arrow + 2;
	return span_size(port) > 0;
}

static void read_wire(struct ibnl_reader *ibnl, struct span line)
{
	struct topology_reader *reader = ibnl->reader;
	struct ibnl_wire wire = { .line = reader->line };
	struct span rest = line, port, to, to_port = { 0 };

	if (!ibnl->part || !ibnl_arrow(&rest, &port, &wire.rate) || !cursor_word(&rest, &to)) {
		complain(ibnl, line, "write: PORT -4x-5G-> PART PORT or PORT -> "
			 "CONNECTOR, below its NODE or SUBSYSTEM");
		return;
	}
	if (cursor_word(&rest, &to_port))
		wire.to_port = keep(reader, to_port);
	wire.port = keep(reader, port);
	wire.to = keep(reader, to);
	g_array_append_val(ibnl->part->wires, wire);
}

/* ---- parts ---- */

static void part_add(struct ibnl_reader *ibnl, const struct ibnl_part *given, struct span line)
{
	struct ibnl_part *part;

	ibnl->part = NULL;
	if (!ibnl->board || g_hash_table_contains(ibnl->board->by_name, given->name)) {
		complain(ibnl, line, ibnl->board ? "the board has a part of this name already" :
						   "begin with SYSTEM or TOPSYSTEM");
		return;
	}
	part = g_memdup2(given, sizeof(*given));
	part->line = ibnl->reader->line;
	part->wires = g_array_new(false, false, sizeof(struct ibnl_wire));
	g_ptr_array_add(ibnl->board->parts, part);
	g_hash_table_insert(ibnl->board->by_name, (void *)part->name, part);
	ibnl->part = part;
}

/* "NODE SW 24 MT47396 U1" */
static void read_device(struct ibnl_reader *ibnl, struct span rest, struct span line)
{
	struct ibnl_part part = { .is_device = true, .kind = TOPOLOGY_CA };
	struct span kind, model, name;
	long ports = 0;
	bool ok = cursor_word(&rest, &kind) && cursor_skip_blanks(&rest) &&
		  cursor_number(&rest, &ports) && cursor_word(&rest, &model) &&
		  cursor_word(&rest, &name) && ports >= 1 && ports <= TOPOLOGY_PORT_MAX;

	if (ok && span_equals(kind, "SW"))
		part.kind = TOPOLOGY_SWITCH;
	else if (ok && !span_equals(kind, "CA") && !span_equals(kind, "HCA"))
		ok = false;
	if (!ok) {
		complain(ibnl, line, "write: NODE SW|CA PORTS MAKE NAME");
		ibnl->part = NULL;
		return;
	}
	part.port_count = (uint8_t)ports;
	part.model = keep(ibnl->reader, model);
	part.name = keep(ibnl->reader, name);
	part_add(ibnl, &part, line);
}

/* "SUBSYSTEM LEAF leaf1" */
static void read_subsystem(struct ibnl_reader *ibnl, struct span rest, struct span line)
{
	struct ibnl_part part = { 0 };
	struct span model, name;

	if (!cursor_word(&rest, &model) || !cursor_word(&rest, &name)) {
		complain(ibnl, line, "write: SUBSYSTEM BOARD NAME");
		ibnl->part = NULL;
		return;
	}
	part.model = keep(ibnl->reader, model);
	part.name = keep(ibnl->reader, name);
	part_add(ibnl, &part, line);
}

/* ---- boards ---- */

/* "LEAF,LEAF:4x, LEAF:4X": the names of one board, or of the box. */
static void read_board(struct ibnl_reader *ibnl, struct span rest, bool is_top)
{
	struct ibnl_model *model = ibnl->model;
	struct ibnl_board *board = g_new0(struct ibnl_board, 1);

	board->parts = g_ptr_array_new_with_free_func(part_free);
	board->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	g_ptr_array_add(model->boards, board);
	ibnl->board = board;
	ibnl->part = NULL;
	if (is_top)
		model->top = board;
	while (rest.at < rest.end) {
		const char *comma = span_find(rest, ',');
		struct span name = span_trim((struct span){ rest.at, comma ? comma : rest.end });

		rest.at = comma ? comma + 1 : rest.end;
		if (!span_size(name))
			continue;
		if (is_top)
			g_ptr_array_add(model->top_names, (void *)keep(ibnl->reader, name));
		else
			g_hash_table_insert(model->by_name, (void *)keep(ibnl->reader, name),
					    board);
	}
}

static bool keyword(struct span *line, const char *word)
{
	struct span rest = *line;

	if (!cursor_skip(&rest, word) || !cursor_skip_blanks(&rest))
		return false;
	*line = rest;
	return true;
}

static void read_line(struct ibnl_reader *ibnl, struct span line)
{
	const char *comment = span_find(line, '#');

	if (comment)
		line.end = comment;
	line = span_trim(line);

	struct span rest = line;

	if (line.at == line.end)
		return;
	if (keyword(&rest, "TOPSYSTEM"))
		read_board(ibnl, rest, true);
	else if (keyword(&rest, "SYSTEM"))
		read_board(ibnl, rest, false);
	else if (keyword(&rest, "NODE"))
		read_device(ibnl, rest, line);
	else if (keyword(&rest, "SUBSYSTEM"))
		read_subsystem(ibnl, rest, line);
	else if (span_find_text(line, "->") || !span_find(line, '='))
		read_wire(ibnl, line);
	/* "U1=isChaBma": a remark about a part for ibdm's reports. */
}

struct ibnl_model *ibnl_parse(struct topology_reader *reader, struct span text)
{
	struct ibnl_model *model = g_new0(struct ibnl_model, 1);
	struct ibnl_reader ibnl = { .reader = reader, .model = model };
	struct line_reader lines = { .rest = text };
	struct span line;

	model->file_number = reader->file_number;
	model->top_names = g_ptr_array_new();
	model->boards = g_ptr_array_new_with_free_func(board_free);
	model->by_name = g_hash_table_new(g_str_hash, g_str_equal);
	while (line_next(&lines, &line)) {
		reader->line = lines.number;
		read_line(&ibnl, line);
	}
	return model;
}
