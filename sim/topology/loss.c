/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* How much of a file is missing in its topology. See sim/topology/loss.h. */
#include "config.h"

#include <glib.h>

#include "sim/topology/loss.h"

/* The loss of one part in so many is too much to go on. */
#define PARTS_GREAT 10

static bool share_is_great(const struct topology_share *share)
{
	return share->lost && share->lost >= (share->said + PARTS_GREAT - 1) / PARTS_GREAT;
}

bool topology_loss_is_great(const struct topology_loss *loss)
{
	return share_is_great(&loss->nodes) || share_is_great(&loss->ends) ||
	       share_is_great(&loss->lines);
}

char *topology_loss_format(const struct topology_loss *loss)
{
	const struct {
		const struct topology_share *share;
		const char *what;
	} rows[] = {
		{ &loss->nodes, "nodes" }, { &loss->ends, "ends of links" },
		{ &loss->lines, "lines" },
	};
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		if (rows[i].share->lost)
			g_string_append_printf(text, "%s%u of %u %s", text->len ? ", " : "",
					       rows[i].share->lost, rows[i].share->said,
					       rows[i].what);
	return g_string_free(text, false);
}
