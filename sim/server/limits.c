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

#define KIB UINT64_C(1024)
#define MIB (1024 * KIB)

/*
 * The largest messages are an SA's: all paths between 1,164 nodes are 87 MB, between 2,800 nodes
 * 500 MB.
 */
static const struct {
	const char *name;
	uint64_t most;
} rows[SERVER_LIMIT_COUNT] = {
	[SERVER_LIMIT_CONNECTIONS] = { "connections", 8192 },
	[SERVER_LIMIT_HANDLES] = { "handles", 8192 },
	[SERVER_LIMIT_RINGS] = { "rings", 64 },
	[SERVER_LIMIT_RETURNED] = { "returned", 1024 },
	[SERVER_LIMIT_SEND] = { "send", 512 * MIB },
	[SERVER_LIMIT_SENDING] = { "sending", 1024 * MIB },
	[SERVER_LIMIT_RECEIVED] = { "received", 1024 * MIB },
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
