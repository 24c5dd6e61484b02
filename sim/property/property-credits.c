/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * "no-credit-loop": by the forwarding tables, and the service levels that an SA has said. See
 * sim/property/property-condition.h.
 *
 * Which SL a packet has is not in the fabric: an engine that needs several tells those who ask for
 * path records. Each that a program's SA answers is remembered. As long as all have SL 0, every way
 * has; once one has another, ways that nobody has asked for are not used, for nobody knows their
 * SL.
 */
#include "sim/property/property-condition.h"

#include "lib/base/user-header.h"
#include "sim/fabric/credit-loop.h"
#include "sim/fabric/end-port.h"
#include "sim/fabric/observer.h"

enum {
	PATH_RECORD = 0x0035,
	PATH_SIZE = 64,
	PATH_DLID = 40,
	PATH_SLID = 42,
	PATH_SL = 52,			/* with QoSClass: the low 4 bits of 16 */
	GET_TABLE_RESP = MAD_METHOD_GET_TABLE | MAD_METHOD_RESPONSE,
	UNIT = 8,			/* of SA_ATTR_OFFSET */
};

struct credits {
	const void *file;		/* the SA's, which has answered last */
	GHashTable *sl;			/* by SLID and DLID, 1 more than the SL */
	bool are_several;		/* SLs: one is not 0 */
};

bool condition_credits_begin(struct condition *condition, const char *words, char **reterr)
{
	struct credits *credits = g_new0(struct credits, 1);

	(void)words;
	(void)reterr;
	condition->data = credits;
	credits->sl = g_hash_table_new(NULL, NULL);
	return true;
}

void condition_credits_end(struct condition *condition)
{
	struct credits *credits = condition->data;

	if (credits)
		g_hash_table_unref(credits->sl);
	g_clear_pointer(&condition->data, g_free);
}

/* ---- path records ---- */

static gpointer key_of(uint16_t slid, uint16_t dlid)
{
	return GUINT_TO_POINTER((guint)slid << 16 | dlid);
}

static void forget(struct credits *credits, const void *file)
{
	g_hash_table_remove_all(credits->sl);
	credits->are_several = false;
	credits->file = file;
}

static void take_path(struct credits *credits, const uint8_t *path)
{
	unsigned int sl = get_be16(path + PATH_SL) & 0xf;

	credits->are_several |= sl != 0;
	g_hash_table_insert(credits->sl,
			    key_of(get_be16(path + PATH_SLID), get_be16(path + PATH_DLID)),
			    GUINT_TO_POINTER(sl + 1));
}

static bool take_paths(struct credits *credits, const struct file_event *event)
{
	const uint8_t *mad = event->umad + USER_HEADER_SIZE;
	size_t size = event->size - USER_HEADER_SIZE, step = PATH_SIZE;

	if (mad[MAD_CLASS] != MAD_CLASS_SUBN_ADM || get_be16(mad + MAD_ATTR_ID) != PATH_RECORD ||
	    get_be16(mad + MAD_STATUS) != 0 || size < SA_DATA + PATH_SIZE ||
	    (mad[MAD_METHOD] != MAD_METHOD_GET_RESP && mad[MAD_METHOD] != GET_TABLE_RESP))
		return false;
	/* Another SA may have another engine. */
	if (credits->file != event->file)
		forget(credits, event->file);
	if (mad[MAD_METHOD] == MAD_METHOD_GET_RESP)
		size = SA_DATA + PATH_SIZE;
	else
		step = MAX((size_t)get_be16(mad + SA_ATTR_OFFSET) * UNIT, PATH_SIZE);
	for (size_t at = SA_DATA; at + PATH_SIZE <= size; at += step)
		take_path(credits, mad + at);
	return true;
}

bool condition_credits_see(struct condition *condition, const struct file_event *event)
{
	return event->kind == FILE_WRITTEN && take_paths(condition->data, event);
}

/* ---- the condition ---- */

static unsigned int sl_of(const void *ctx, const struct end_port *from, uint16_t dlid)
{
	const struct credits *credits = ctx;
	unsigned int found = 0;

	if (!credits->are_several)
		return 0;
	for (unsigned int path = 0; found == 0 && path < 1U << from->attr.lmc; path++)
		found = GPOINTER_TO_UINT(g_hash_table_lookup(credits->sl,
				key_of((uint16_t)(from->attr.lid + path), dlid)));
	return found ? found - 1 : CREDIT_NO_WAY;
}

bool condition_no_credit_loop(struct condition *condition, GString *why)
{
	g_autofree char *loop = credit_loop_find(condition->fabric, sl_of, condition->data);

	if (loop && why)
		g_string_append(why, loop);
	return !loop;
}
