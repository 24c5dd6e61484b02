/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/words/schedule.h. */
#include "lib/words/schedule.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/words/number.h"

struct schedule schedule_walk(uint64_t seed)
{
	return (struct schedule){
		.strategy = seed ? SCHEDULE_WALK : SCHEDULE_IN_ORDER, .seed = seed,
	};
}

static const char *after(const char *text, const char *prefix)
{
	size_t size = strlen(prefix);

	return strncmp(text, prefix, size) == 0 ? text + size : NULL;
}

/* ":N", or nothing, which leaves '*ret' as it is. */
static int take_part(const char **at, uint64_t min, uint64_t max, uint64_t *ret)
{
	uint64_t number;
	int err;

	if (**at != ':')
		return 0;
	++*at;
	err = number_take(at, 0, max, &number);
	if (err == 0 && number < min)
		err = -ERANGE;
	if (err == 0)
		*ret = number;
	return err;
}

static int parse_pct(const char *at, struct schedule *ret)
{
	uint64_t seed, depth = SCHEDULE_DEPTH, points = SCHEDULE_POINTS;
	int err = number_take(&at, 0, UINT64_MAX, &seed);

	if (err == 0)
		err = take_part(&at, 1, SCHEDULE_DEPTH_MAX, &depth);
	if (err == 0)
		err = take_part(&at, 1, UINT32_MAX, &points);
	if (err == 0 && *at)
		err = -EINVAL;
	if (err == 0)
		*ret = (struct schedule){
			.strategy = SCHEDULE_PCT, .seed = seed, .depth = (unsigned int)depth,
			.points = points,
		};
	return err;
}

int schedule_parse(const char *text, struct schedule *ret)
{
	const char *walk = after(text, "walk:"), *pos = after(text, "pos:");
	const char *pct = after(text, "pct:");
	uint64_t seed;
	int err;

	if (pct)
		return parse_pct(pct, ret);
	err = number_parse(pos ? pos : walk ? walk : text, walk ? 1 : 0, UINT64_MAX, &seed);
	if (err < 0)
		return err;
	*ret = pos ? (struct schedule){ .strategy = SCHEDULE_POS, .seed = seed } :
		     schedule_walk(seed);
	return 0;
}

static void pct_text(const struct schedule *schedule, char text[SCHEDULE_TEXT_SIZE])
{
	if (schedule->points != SCHEDULE_POINTS)
		snprintf(text, SCHEDULE_TEXT_SIZE, "pct:%" PRIu64 ":%u:%" PRIu64, schedule->seed,
			 schedule->depth, schedule->points);
	else
		snprintf(text, SCHEDULE_TEXT_SIZE, "pct:%" PRIu64 ":%u", schedule->seed,
			 schedule->depth);
}

const char *schedule_text(const struct schedule *schedule, char text[SCHEDULE_TEXT_SIZE])
{
	switch (schedule->strategy) {
	case SCHEDULE_IN_ORDER:
	case SCHEDULE_WALK:
		snprintf(text, SCHEDULE_TEXT_SIZE, "%" PRIu64, schedule->seed);
		break;
	case SCHEDULE_PCT:
		pct_text(schedule, text);
		break;
	case SCHEDULE_POS:
		snprintf(text, SCHEDULE_TEXT_SIZE, "pos:%" PRIu64, schedule->seed);
		break;
	}
	return text;
}
