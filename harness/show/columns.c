/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as numbers for programs. See harness/show/columns.h.
 */
#include "harness/show/columns.h"

#include <glib.h>

#include "harness/show/text.h"
#include "lib/base/wire.h"

enum { HELD_MAX = 1 << 16 };	/* bytes */

struct columns {
	struct view view;
	struct text text;
};

static struct view *columns_new(const struct view_setup *setup)
{
	struct columns *columns = g_new0(struct columns, 1);

	(void)setup;
	text_words(&columns->text,
		   "frame\tslid\tdlid\tsqp\tdqp\tclass\tmethod\tattr\ttid\tstatus\tmodifier\n");
	return &columns->view;
}

static void flush(struct view *view)
{
	struct columns *columns = (struct columns *)view;

	text_write(&columns->text, view->setup.stream);
}

static void columns_mad(struct view *view, const struct capture_mad *mad)
{
	struct columns *columns = (struct columns *)view;
	struct text *out = &columns->text;
	const struct packet_addr *addr = &mad->addr;

	text_number(out, mad->frame);
	text_char(out, '\t');
	if (mad->transport == CAPTURE_INFINIBAND)
		text_number(out, addr->slid);
	text_char(out, '\t');
	if (mad->transport == CAPTURE_INFINIBAND)
		text_number(out, addr->dlid);
	text_char(out, '\t');
	text_hex(out, addr->src_qp, 8);
	text_char(out, '\t');
	text_hex(out, addr->dest_qp, 6);
	text_char(out, '\t');
	text_hex(out, mad->mad[MAD_CLASS], 2);
	text_char(out, '\t');
	text_hex(out, mad->mad[MAD_METHOD], 2);
	text_char(out, '\t');
	text_hex(out, get_be16(mad->mad + MAD_ATTR_ID), 4);
	text_char(out, '\t');
	text_hex(out, get_be64(mad->mad + MAD_TID), 16);
	text_char(out, '\t');
	text_hex(out, get_be16(mad->mad + MAD_STATUS), 4);
	text_char(out, '\t');
	text_hex(out, get_be32(mad->mad + MAD_ATTR_MOD), 8);
	text_char(out, '\n');
	if (out->length > HELD_MAX)
		flush(view);
}

static void columns_end(struct view *view, const struct capture_counts *counts, uint64_t shown)
{
	struct columns *columns = (struct columns *)view;

	(void)counts;
	(void)shown;
	flush(view);
	text_clear(&columns->text);
	g_free(columns);
}

const struct view_kind columns_view = {
	.unchecked = true,
	.new = columns_new, .mad = columns_mad, .idle = flush, .end = columns_end,
};
