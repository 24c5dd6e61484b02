/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The tags of points: their rows' and their scenarios'.
 */
#ifndef UMADRIG_HARNESS_CMD_RUN_TAGS_H
#define UMADRIG_HARNESS_CMD_RUN_TAGS_H

#include "harness/script/check/plan.h"

/* Is 'tag' what is wanted? "statement:7" is, if "statement" is wanted. */
bool tag_is(const char *tag, const char *wanted);

/* Tag 'at' of a point, counting its row's and then its scenario's. NULL: it has no more. */
const char *point_tag(const struct point *point, guint at);

/* Does the point have one of 'tags'? NULL matches all points. */
bool point_has_tag(const struct point *point, char **tags);

/*
 * The names of all tags in 'plans' (of struct plan *), sorted, without their numbers: GPtrArray of
 * char *, to be unref'd.
 */
GPtrArray *point_tag_names(const GPtrArray *plans, bool on_sim);

#endif
