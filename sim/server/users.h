/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The users whose processes a server admits, apart from its own and root.
 */
#ifndef UMADRIG_SIM_SERVER_USERS_H
#define UMADRIG_SIM_SERVER_USERS_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

struct server_users {
	GArray *ranges;		/* of struct user_range; NULL: none */
};

/* Frees what was added. */
void server_users_clear(struct server_users *users);
/*
 * Adds "USER[,...]", each a name, a number or FIRST-LAST. 0; or -EINVAL with a message in 'reterr',
 * and nothing is added.
 */
int server_users_parse(struct server_users *users, const char *text, char *reterr,
		       size_t reterr_size);
/* Takes over what 'from' has, which is empty then. */
void server_users_move(struct server_users *users, struct server_users *from);
bool server_users_has(const struct server_users *users, uid_t uid);
static inline bool server_users_is_empty(const struct server_users *users)
{
	return !users->ranges || users->ranges->len == 0;
}

#endif
