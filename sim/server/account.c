/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What each process uses: see sim/server/account.h.
 */
#include "config.h"

#include "sim/server/account.h"

#include <glib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77		/* Linux 6.5 */
#endif
#define PIDFS 0x50494446	/* Linux 6.9: each process has an inode there */
#define BY_INODE (UINT64_C(1) << 63)

enum { MUCH = 4 << 20 };	/* bytes of memory that are worth returning */

static struct ucred peer_of(int fd)
{
	struct ucred peer = { 0, (uid_t)-1, (gid_t)-1 };
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
		return (struct ucred){ 0, (uid_t)-1, (gid_t)-1 };
	return peer;
}

/* What tells a process without a number from others; 0: nothing does. */
static uint64_t inode_of(int fd)
{
	int process = -1;
	socklen_t size = sizeof(process);
	struct statfs system;
	struct stat st;
	uint64_t ret = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERPIDFD, &process, &size) < 0)
		return 0;
	if (fstatfs(process, &system) == 0 && system.f_type == PIDFS && fstat(process, &st) == 0)
		ret = BY_INODE | st.st_ino;
	close(process);
	return ret;
}

/* The account of 'wanted', made when it is first asked for. */
static struct server_account *get(struct server_accounts *accounts,
				  const struct server_account *wanted)
{
	struct server_account *account = accounts->first;

	/* A program that changes its user has two accounts. */
	while (account && (account->process != wanted->process || account->uid != wanted->uid ||
			   account->program != wanted->program))
		account = account->next;
	if (account)
		return account;
	account = g_new0(struct server_account, 1);
	account->process = wanted->process;
	account->pid = wanted->pid;
	account->uid = wanted->uid;
	account->program = wanted->program;
	account->usage.sending_max = accounts->limits.most[SERVER_LIMIT_SENDING];
	account->usage.received_max = accounts->limits.most[SERVER_LIMIT_RECEIVED];
	account->next = accounts->first;
	accounts->first = account;
	return account;
}

struct server_account *server_account_get(struct server_accounts *accounts, int fd)
{
	struct ucred peer = peer_of(fd);
	const struct server_account wanted = {
		.process = peer.pid ? (uint64_t)peer.pid : inode_of(fd),
		.pid = peer.pid, .uid = peer.uid,
	};

	return get(accounts, &wanted);
}

struct server_account *server_account_for(struct server_accounts *accounts,
					  struct server_account *account, uint32_t program)
{
	struct server_account wanted = *account;

	wanted.program = program;
	return program ? get(accounts, &wanted) : account;
}

/* The server's descriptors for 'account': of each handle a socket and a page. */
static uint64_t descriptors_of(const struct server_account *account)
{
	return UINT64_C(2) * account->handles + account->connections + account->rings;
}

bool server_account_has_room(const struct server_accounts *accounts,
			     const struct server_account *account)
{
	struct rlimit limit;
	uint64_t all = SERVER_DESCRIPTORS_OWN, sharers = 0;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return true;
	for (const struct server_account *one = accounts->first; one; one = one->next) {
		all += descriptors_of(one);
		sharers += descriptors_of(one) > 0;
	}
	return all < limit.rlim_cur && descriptors_of(account) * sharers < limit.rlim_cur - all;
}

bool server_account_may_open(const struct server_accounts *accounts,
			     const struct server_account *account)
{
	uint64_t most = accounts->limits.most[SERVER_LIMIT_HANDLES], all = 0, sharers = 0;

	for (const struct server_account *one = accounts->first; one; one = one->next) {
		if (one->process != account->process || one->uid != account->uid)
			continue;
		all += one->handles;
		sharers += one->handles > 0;
	}
	return all < most && (!account->program || account->handles * sharers < most - all) &&
	       server_account_has_room(accounts, account);
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
