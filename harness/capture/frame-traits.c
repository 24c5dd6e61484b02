/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What frames are within their capture: see harness/capture/frame-traits.h. */
#include "harness/capture/frame-traits.h"

#include <glib.h>

struct frame_traits {
	GArray *list;			/* of struct frame_trait */
	GHashTable *by_frame;		/* its number: place in 'list' + 1 */
};

struct frame_traits *frame_traits_new(void)
{
	struct frame_traits *traits = g_new0(struct frame_traits, 1);

	traits->list = g_array_new(false, true, sizeof(struct frame_trait));
	traits->by_frame = g_hash_table_new(NULL, NULL);
	return traits;
}

void frame_traits_free(struct frame_traits *traits)
{
	if (!traits)
		return;
	g_array_unref(traits->list);
	g_hash_table_unref(traits->by_frame);
	g_free(traits);
}

struct frame_trait *frame_traits_at(struct frame_traits *traits, unsigned int frame)
{
	const struct frame_trait none = { .trip_ns = -1 };
	gpointer key = GUINT_TO_POINTER(frame);
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(traits->by_frame, key));

	if (!place) {
		g_array_append_val(traits->list, none);
		place = traits->list->len;
		g_hash_table_insert(traits->by_frame, key, GUINT_TO_POINTER(place));
	}
	return &g_array_index(traits->list, struct frame_trait, place - 1);
}

const struct frame_trait *frame_traits_find(const struct frame_traits *traits, unsigned int frame)
{
	guint place = GPOINTER_TO_UINT(g_hash_table_lookup(traits->by_frame,
							   GUINT_TO_POINTER(frame)));

	return place ? &g_array_index(traits->list, struct frame_trait, place - 1) : NULL;
}
