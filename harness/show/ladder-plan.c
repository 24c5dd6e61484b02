/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The rails of a ladder. See harness/show/ladder-plan.h.
 */
#include "harness/show/ladder-plan.h"

#include <string.h>

#include "harness/show/rail-name.h"
#include "lib/base/wire.h"

enum {
	NAME_SPACE = 3,		/* between two names */
	ARROW_ROOM = 6,		/* dashes and arrowhead beside a label */
	GAP_USUAL = 40,		/* where nothing is known of the labels */
	GAP_LEAST = 8,		/* between two rails: names and labels are cut off to it */
	TAIL_SPACE = 2,
	TAIL_UNKNOWN = 24,	/* "  tid=0x0000000100001234" */
};

static const char others[] = "(others)";

struct ladder_plan *ladder_plan_new(const char *ports, bool is_read)
{
	struct ladder_plan *plan = g_new0(struct ladder_plan, 1);
	g_auto(GStrv) names = ports ? g_strsplit(ports, ",", LADDER_RAILS_MAX) : NULL;

	plan->names = g_ptr_array_new_with_free_func(g_free);
	plan->rails = g_hash_table_new(g_str_hash, g_str_equal);
	plan->needs = g_array_new(false, true, sizeof(size_t));
	plan->named = ports != NULL;
	plan->places = is_read ? g_array_new(false, false, sizeof(struct ladder_place)) : NULL;
	for (char **name = names; name && *name; name++) {
		if (!**name || g_hash_table_contains(plan->rails, *name))
			continue;
		g_ptr_array_add(plan->names, g_strdup(*name));
		g_hash_table_insert(plan->rails, plan->names->pdata[plan->names->len - 1],
				    GUINT_TO_POINTER(plan->names->len));
	}
	g_array_set_size(plan->needs, plan->names->len + 2);
	for (guint i = 0; i < plan->names->len; i++)
		g_array_index(plan->needs, size_t, i) = GAP_USUAL;
	return plan;
}

void ladder_plan_free(struct ladder_plan *plan)
{
	if (!plan)
		return;
	g_hash_table_destroy(plan->rails);
	g_ptr_array_unref(plan->names);
	g_array_unref(plan->needs);
	if (plan->places)
		g_array_unref(plan->places);
	g_free(plan->columns);
	text_clear(&plan->text);
	g_free(plan);
}

/* The number of the name that is in plan->text; the number of rails where it has none. */
static unsigned int look_up(struct ladder_plan *plan)
{
	gpointer found;

	text_char(&plan->text, '\0');
	found = g_hash_table_lookup(plan->rails, plan->text.bytes);
	if (found)
		return GPOINTER_TO_UINT(found) - 1;
	if (plan->named || plan->columns || plan->names->len == LADDER_RAILS_MAX)
		return plan->names->len;
	g_ptr_array_add(plan->names, g_strdup(plan->text.bytes));
	g_array_set_size(plan->needs, plan->names->len + 2);
	g_hash_table_insert(plan->rails, plan->names->pdata[plan->names->len - 1],
			    GUINT_TO_POINTER(plan->names->len));
	return plan->names->len - 1;
}

/* The rail of a MAD's end, by its name. */
static unsigned int name_rail(struct ladder_plan *plan, const struct mad_ends *ends,
			      const struct capture_mad *mad, bool source)
{
	plan->text.length = 0;
	rail_name(&plan->text, ends, mad, source);
	return look_up(plan);
}

static gint compare_frames(gconstpointer a, gconstpointer b)
{
	const struct ladder_place *one = a, *other = b;

	return (one->frame > other->frame) - (one->frame < other->frame);
}

/* NULL: the MAD has not gone in. */
static const struct ladder_place *find_place(const struct ladder_plan *plan,
					     const struct capture_mad *mad)
{
	const struct ladder_place key = { .frame = mad->frame };
	guint at;

	if (!g_array_binary_search(plan->places, &key, compare_frames, &at))
		return NULL;
	return &g_array_index(plan->places, struct ladder_place, at);
}

bool ladder_plan_has(const struct ladder_plan *plan, const struct capture_mad *mad)
{
	return !plan->places || find_place(plan, mad);
}

unsigned int ladder_plan_rail(struct ladder_plan *plan, const struct mad_ends *ends,
			      const struct capture_mad *mad, bool source)
{
	const struct ladder_place *place = plan->places ? find_place(plan, mad) : NULL;
	unsigned int rail;

	g_assert(place || plan->named);
	rail = !place ? name_rail(plan, ends, mad, source) : source ? place->from : place->to;
	return MIN(rail, plan->shown);
}

static size_t *need(struct ladder_plan *plan, unsigned int rail)
{
	return &g_array_index(plan->needs, size_t, rail);
}

void ladder_plan_take(struct ladder_plan *plan, const struct mad_ends *ends,
		      const struct capture_mad *mad)
{
	unsigned int from = name_rail(plan, ends, mad, true);
	unsigned int to = name_rail(plan, ends, mad, false);
	unsigned int left = MIN(from, to), right = MAX(from, to);
	struct ladder_place place = { mad->frame, (uint16_t)from, (uint16_t)to };
	size_t room;

	g_array_append_val(plan->places, place);
	plan->text.length = 0;
	rail_label(&plan->text, mad);
	room = plan->text.length + ARROW_ROOM;
	/*
	 * What an arrow over several rails needs is divided among them. An arrow to the same rail
	 * has its label on the right.
	 */
	for (unsigned int i = left; i < MAX(right, left + 1); i++)
		*need(plan, i) = MAX(*need(plan, i), room / MAX(1, right - left));
	plan->text.length = 0;
	text_words(&plan->text, "tid=");
	text_hex(&plan->text, get_be64(mad->mad + MAD_TID), 0);
	plan->tail = MAX(plan->tail, plan->text.length);
}

const char *ladder_plan_name(const struct ladder_plan *plan, unsigned int rail)
{
	return rail < plan->shown ? plan->names->pdata[rail] : others;
}

unsigned int ladder_plan_count(const struct ladder_plan *plan)
{
	return plan->shown + (plan->named || plan->shown < plan->names->len ||
			      plan->names->len == LADDER_RAILS_MAX);
}

/* From the first rail to the last, if every gap is at most 'most'. */
static size_t total(struct ladder_plan *plan, unsigned int count, size_t most)
{
	size_t sum = 0;

	for (unsigned int i = 0; i + 1 < count; i++)
		sum += MIN(*need(plan, i), most);
	return sum;
}

/* What names need, too. */
static void add_names(struct ladder_plan *plan)
{
	for (unsigned int i = 0; i < plan->names->len; i++) {
		size_t one = strlen(plan->names->pdata[i]);
		size_t two = i + 1 < plan->names->len ? strlen(plan->names->pdata[i + 1]) :
			     strlen(others);

		*need(plan, i) = MAX(*need(plan, i), (one + two + 1) / 2 + NAME_SPACE);
	}
}

/* Fewer rails are drawn until they fit, and then the widest gaps are made narrower. */
static size_t fit(struct ladder_plan *plan, size_t width)
{
	size_t most = SIZE_MAX, largest = 0;

	if (width == 0)
		return most;
	while (plan->shown > 1 &&
	       total(plan, ladder_plan_count(plan), GAP_LEAST) > width)
		plan->shown--;
	for (unsigned int i = 0; i + 1 < ladder_plan_count(plan); i++)
		largest = MAX(largest, *need(plan, i));
	for (most = largest; most > GAP_LEAST; most--) {
		if (total(plan, ladder_plan_count(plan), most) <= width)
			break;
	}
	return MAX(most, GAP_LEAST);
}

void ladder_plan_end(struct ladder_plan *plan, size_t width)
{
	size_t edges = LADDER_TIME_WIDTH + TAIL_SPACE + (plan->tail ? plan->tail : TAIL_UNKNOWN);
	size_t first, most;
	unsigned int count;

	plan->shown = plan->names->len;
	add_names(plan);
	first = plan->names->len ? strlen(plan->names->pdata[0]) / 2 : 0;
	if (width)
		first = MIN(first, GAP_LEAST);
	most = fit(plan, width == 0 ? 0 : MAX(width, edges + first + 1) - edges - first);
	count = ladder_plan_count(plan);
	plan->columns = g_new0(size_t, count + 1);
	plan->columns[0] = LADDER_TIME_WIDTH + first;
	for (unsigned int i = 1; i < count; i++)
		plan->columns[i] = plan->columns[i - 1] + MIN(*need(plan, i - 1), most);
}
