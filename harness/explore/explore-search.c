/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See harness/explore/explore-search.h. */
#include "config.h"

#include "harness/explore/explore-search.h"

#include <errno.h>
#include <glib/gstdio.h>

#include "sim/system/private-directory.h"

void explore_search_add(struct explore_search *search, const struct explore_point *point)
{
	g_array_append_val(search->points, *point);
}

static struct explore_point point_of_step(void *ctx, unsigned int at)
{
	const struct explore_search *search = ctx;

	struct explore_point point = { .seed = 0 };

	explore_point_copy(&point, &g_array_index(search->points, struct explore_point, at));
	return point;
}

static bool take(void *ctx, struct explore_result *result)
{
	struct explore_search *search = ctx;

	search->shrunk->runs++;
	if (!explore_verdict_is_alike(&result->verdict, search->verdict))
		return true;
	search->is_found = search->shrunk->is_less = true;
	search->found_at = result->at;
	explore_point_copy(&search->shrunk->point, &result->point);
	remove_tree(search->directory);
	if (g_rename(result->directory, search->directory) < 0)
		search->err = -errno;
	return false;
}

bool explore_search_step(struct explore_search *search)
{
	const struct explore_crew crew = {
		.test = search->test, .jobs = search->jobs, .end = search->points->len,
		.prefix = "try-", .ctx = search, .point = point_of_step, .take = take,
	};
	int err;

	search->is_found = false;
	if (search->err == 0 && crew.end > 0) {
		err = explore_crew_work(&crew, search->sig);
		if (search->err == 0)
			search->err = err;
	}
	for (guint i = 0; i < search->points->len; i++)
		explore_point_clear(&g_array_index(search->points, struct explore_point, i));
	g_array_set_size(search->points, 0);
	return search->is_found && search->err == 0;
}
