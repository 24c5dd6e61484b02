/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The users that a server admits: see sim/server/users.h.
 */
#include "config.h"

#include "sim/server/users.h"

#include <errno.h>
#include <pwd.h>

#include "lib/words/number.h"

/* (uid_t)-1 is nobody's: setuid(2) has another meaning for it. */
#define UID_LAST ((uid_t)-2)

struct user_range {
	uid_t first, last;
};

void server_users_clear(struct server_users *users)
{
	g_clear_pointer(&users->ranges, g_array_unref);
}

void server_users_move(struct server_users *users, struct server_users *from)
{
	server_users_clear(users);
	users->ranges = g_steal_pointer(&from->ranges);
}

bool server_users_has(const struct server_users *users, uid_t uid)
{
	for (guint i = 0; users->ranges && i < users->ranges->len; i++) {
		const struct user_range *range = &g_array_index(users->ranges, struct user_range,
								i);

		if (uid >= range->first && uid <= range->last)
			return true;
	}
	return false;
}

/* A number, or two of them with - between. */
static bool parse_numbers(const char *text, struct user_range *ret)
{
	uint64_t first, last;

	if (number_parse_range(text, UID_LAST, &first, &last) < 0)
		return false;
	*ret = (struct user_range){ (uid_t)first, (uid_t)last };
	return true;
}

static bool parse_name(const char *text, struct user_range *ret)
{
	const struct passwd *user = *text ? getpwnam(text) : NULL;

	if (!user)
		return false;
	ret->first = ret->last = user->pw_uid;
	return true;
}

int server_users_parse(struct server_users *users, const char *text, char *reterr,
		       size_t reterr_size)
{
	g_auto(GStrv) parts = g_strsplit(*text ? text : ",", ",", -1);
	g_autoptr(GArray) ranges = g_array_new(false, false, sizeof(struct user_range));
	struct user_range range;

	for (char **part = parts; *part; part++) {
		/* useradd(8) makes no names that begin with a digit; a server of names may. */
		if (!parse_numbers(*part, &range) && !parse_name(*part, &range)) {
			g_snprintf(reterr, reterr_size, "%s: expected the name of a user, a number "
				   "such as 1000, or FIRST-LAST", **part ? *part : "(nothing)");
			return -EINVAL;
		}
		g_array_append_val(ranges, range);
	}
	if (!users->ranges)
		users->ranges = g_steal_pointer(&ranges);
	else
		g_array_append_vals(users->ranges, ranges->data, ranges->len);
	return 0;
}
