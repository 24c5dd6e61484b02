/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * How much one process may use: see sim/server/limits.h.
 */
#include "config.h"

#include "sim/server/limits.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "lib/words/size.h"

static const struct {
	const char *name;
	uint64_t most;
} rows[SERVER_LIMIT_COUNT] = {
#define ROW(limit, ...) [SERVER_LIMIT_##limit] = { __VA_ARGS__ },
	SERVER_LIMITS(ROW)
#undef ROW
};

const char *server_limit_name(enum server_limit limit)
{
	return rows[limit].name;
}

void server_limits_init(struct server_limits *limits)
{
	for (unsigned int i = 0; i < SERVER_LIMIT_COUNT; i++)
		limits->most[i] = rows[i].most;
}

static int parse_one(struct server_limits *limits, const char *text, char *reterr,
		     size_t reterr_size)
{
	g_auto(GStrv) parts = g_strsplit(text, "=", 2);
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned int i = 0; i < SERVER_LIMIT_COUNT; i++) {
		g_string_append_printf(names, "%s%s", i ? ", " : "", rows[i].name);
		if (!parts[0] || strcmp(parts[0], rows[i].name) != 0)
			continue;
		if (parts[1] && size_parse(parts[1], &limits->most[i]) == 0)
			return 0;
		g_snprintf(reterr, reterr_size,
			   "%s: expected %s=NUMBER, from 1, such as 100 or 64M", text,
			   rows[i].name);
		return -EINVAL;
	}
	g_snprintf(reterr, reterr_size, "%s: unknown limit; there are: %s", text, names->str);
	return -EINVAL;
}

int server_limits_parse(struct server_limits *limits, const char *text, char *reterr,
			size_t reterr_size)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);
	struct server_limits changed = *limits;

	if (!parts[0])
		return parse_one(&changed, text, reterr, reterr_size);
	for (unsigned int i = 0; parts[i]; i++) {
		if (parse_one(&changed, parts[i], reterr, reterr_size) < 0)
			return -EINVAL;
	}
	*limits = changed;
	return 0;
}
