/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A fabric as SVG: see harness/report/fabric-svg.h. */
#include "harness/report/fabric-svg.h"

#include "harness/base/xml.h"

enum {
	NODES_MAX = 400,
	ROWS_MAX = 16,
	/* In pixels. */
	COLUMN = 84,
	ROW = 110,
	MARGIN = 50,
	BOX_WIDTH = 72,
	BOX_HEIGHT = 26,
	LABEL_MAX = 11,		/* characters in a box; all of them are in the tooltip */
};

struct drawing {
	const struct topology *topology;
	GString *out;
	unsigned int *row;	/* by node, from below */
	unsigned int *column;
	unsigned int counts[ROWS_MAX];
	unsigned int rows, columns;
};

static const struct topology_node *node_at(const struct drawing *drawing, unsigned int index)
{
	return topology_node(drawing->topology, (int)index);
}

/* The least row of what it has a cable to, + 1. */
static unsigned int row_above(const struct drawing *drawing, unsigned int index)
{
	const struct topology_node *node = node_at(drawing, index);
	unsigned int least = ROWS_MAX - 1;

	for (unsigned int num = 1; num <= node->port_count; num++)
		if (node->ports[num].peer_node >= 0)
			least = MIN(least, drawing->row[node->ports[num].peer_node] + 1);
	return MIN(least, ROWS_MAX - 1);
}

static void find_rows(struct drawing *drawing)
{
	unsigned int count = drawing->topology->nodes->len;

	for (unsigned int i = 0; i < count; i++)
		drawing->row[i] = node_at(drawing, i)->kind == TOPOLOGY_SWITCH ? ROWS_MAX - 1 : 0;
	for (unsigned int pass = 1; pass < ROWS_MAX; pass++) {
		for (unsigned int i = 0; i < count; i++)
			if (node_at(drawing, i)->kind == TOPOLOGY_SWITCH)
				drawing->row[i] = row_above(drawing, i);
	}
	for (unsigned int i = 0; i < count; i++) {
		drawing->column[i] = drawing->counts[drawing->row[i]]++;
		drawing->rows = MAX(drawing->rows, drawing->row[i] + 1);
		drawing->columns = MAX(drawing->columns, drawing->counts[drawing->row[i]]);
	}
}

static int x_of(const struct drawing *drawing, unsigned int index)
{
	unsigned int count = drawing->counts[drawing->row[index]];

	return MARGIN + (int)((2 * drawing->column[index] + 1) * drawing->columns * COLUMN /
			      (2 * count));
}

static int y_of(const struct drawing *drawing, unsigned int index)
{
	return MARGIN + (int)(drawing->rows - 1 - drawing->row[index]) * ROW;
}

static void draw_cables(struct drawing *drawing)
{
	for (unsigned int i = 0; i < drawing->topology->nodes->len; i++) {
		const struct topology_node *node = node_at(drawing, i);

		for (unsigned int num = 1; num <= node->port_count; num++) {
			const struct topology_port *port = &node->ports[num];
			unsigned int peer = (unsigned int)port->peer_node;

			if (port->peer_node < 0 || peer < i || (peer == i && port->peer_port < num))
				continue;
			g_string_append_printf(drawing->out, "<line x1=\"%d\" y1=\"%d\" "
					       "x2=\"%d\" y2=\"%d\" stroke=\"#8c959f\"><title>",
					       x_of(drawing, i), y_of(drawing, i),
					       x_of(drawing, peer), y_of(drawing, peer));
			xml_append_text(drawing->out, node->description, false);
			g_string_append_printf(drawing->out, "[%u] - ", num);
			xml_append_text(drawing->out, node_at(drawing, peer)->description, false);
			g_string_append_printf(drawing->out, "[%u]</title></line>\n",
					       port->peer_port);
		}
	}
}

static void draw_node(struct drawing *drawing, unsigned int index)
{
	const struct topology_node *node = node_at(drawing, index);
	g_autofree char *valid = g_utf8_make_valid(node->description, -1);
	glong length = MIN(g_utf8_strlen(valid, -1), LABEL_MAX);
	g_autofree char *name = g_utf8_substring(valid, 0, length);
	bool is_switch = node->kind == TOPOLOGY_SWITCH;
	int x = x_of(drawing, index), y = y_of(drawing, index);

	g_string_append_printf(drawing->out, "<g><title>");
	xml_append_text(drawing->out, valid, false);
	g_string_append_printf(drawing->out, ", 0x%016" G_GINT64_MODIFIER "x</title><rect x=\"%d\" "
			       "y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" "
			       "stroke=\"#57606a\"/><text x=\"%d\" y=\"%d\" font-size=\"11\" "
			       "text-anchor=\"middle\">", node->node_guid, x - BOX_WIDTH / 2,
			       y - BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT, is_switch ? 2 : 12,
			       is_switch ? "#ddf4ff" : "#ffffff", x, y + 4);
	xml_append_text(drawing->out, name, false);
	g_string_append(drawing->out, "</text></g>\n");
}

bool fabric_svg(GString *out, const struct topology *topology)
{
	unsigned int count = topology->nodes->len;
	struct drawing drawing = { .topology = topology, .out = out };

	if (count > NODES_MAX)
		return false;
	drawing.row = g_new0(unsigned int, count + 1);
	drawing.column = g_new0(unsigned int, count + 1);
	find_rows(&drawing);
	g_string_append_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" "
			       "height=\"%u\" font-family=\"system-ui,sans-serif\">\n",
			       2 * MARGIN + drawing.columns * COLUMN,
			       2 * MARGIN + (drawing.rows - 1) * ROW);
	draw_cables(&drawing);
	for (unsigned int i = 0; i < count; i++)
		draw_node(&drawing, i);
	g_string_append(out, "</svg>\n");
	g_free(drawing.row);
	g_free(drawing.column);
	return true;
}
