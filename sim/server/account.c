/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What each process uses: see sim/server/account.h.
 */
#include "config.h"

#include "sim/server/account.h"

#include <glib.h>

enum { MUCH = 4 << 20 };	/* bytes of memory that are worth returning */

struct server_account *server_account_get(struct server_accounts *accounts, pid_t pid)
{
	struct server_account *account = accounts->first;

	while (account && account->pid != pid)
		account = account->next;
	if (account)
		return account;
	account = g_new0(struct server_account, 1);
	account->pid = pid;
	account->usage.sending_max = accounts->limits.most[SERVER_LIMIT_SENDING];
	account->usage.received_max = accounts->limits.most[SERVER_LIMIT_RECEIVED];
	account->next = accounts->first;
	accounts->first = account;
	return account;
}

bool server_accounts_sweep(struct server_accounts *accounts)
{
	struct server_account **at = &accounts->first;
	bool had_much = false;

	while (*at) {
		struct server_account *account = *at;

		if (account->connections > 0 || account->handles > 0 ||
		    account->usage.sending > 0) {
			at = &account->next;
			continue;
		}
		had_much = had_much || account->usage.peak > MUCH;
		*at = account->next;
		g_free(account);
	}
	return had_much;
}

void server_accounts_clear(struct server_accounts *accounts)
{
	while (accounts->first) {
		struct server_account *account = accounts->first;

		accounts->first = account->next;
		g_free(account);
	}
}
