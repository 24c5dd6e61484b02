/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What each process uses of a server: connections, handles, rings and memory. A process that opens
 * handles for other programs has an account for each of those: what one of them uses up is its own.
 * All functions are called with the fabric's lock held.
 */
#ifndef UMADRIG_SIM_SERVER_ACCOUNT_H
#define UMADRIG_SIM_SERVER_ACCOUNT_H

#include <stdbool.h>
#include <sys/types.h>

#include "kmod-stub/kmod.h"
#include "sim/server/limits.h"

struct server_account {
	struct server_account *next;
	uint64_t process;	/* its number, or another that no number is equal to */
	uid_t uid;
	pid_t pid;		/* 0: it is in a PID namespace that the server does not see */
	uint32_t program;	/* for which the process has opened the handles; 0: for itself */
	unsigned int connections, handles, rings;
	struct kmod_usage usage;
	bool is_near_limit;	/* of usage.sending_max */
	bool has_said_limit;	/* a send was refused; reported once */
};

/*
 * Descriptors of a server: those that it may have for itself, and those of a program with a few
 * threads and handles. With fewer it would turn every program away.
 */
enum { SERVER_DESCRIPTORS_OWN = 64, SERVER_DESCRIPTORS_LEAST = 96 };

struct server_accounts {
	struct server_limits limits;
	struct server_account *first;
};

/* Is the account of one process, or of all that cannot be told apart? */
static inline bool server_account_is_of_one(const struct server_account *account)
{
	return account->process != 0;
}

/*
 * The account of the process that connected to the server's socket 'fd', made when it is first
 * asked for, and kept while the process has anything. Processes that have no number here, as in
 * another container, share one on kernels before Linux 6.9.
 */
struct server_account *server_account_get(struct server_accounts *accounts, int fd);
/*
 * The account of a program that the process of 'account' opens handles for; 0: 'account' itself.
 * The process decides which numbers its programs have. It gets no more memory by inventing some
 * than by making processes.
 */
struct server_account *server_account_for(struct server_accounts *accounts,
					  struct server_account *account, uint32_t program);
/*
 * May the program have one more descriptor of the server's? Of what is left it may have had no more
 * than its share, if each program that has any gets one: then no program takes more than half, and
 * when N have all they get, two parts in N + 2 are left for others.
 */
bool server_account_has_room(const struct server_accounts *accounts,
			     const struct server_account *account);
/*
 * The same for another handle. Besides, a process may have as many as its limit; of a process's
 * programs all have, and each of them its share.
 */
bool server_account_may_open(const struct server_accounts *accounts,
			     const struct server_account *account);
/*
 * To be called when a process has less than before: frees the accounts of processes that have
 * nothing. Returns true if one of them had so much memory that it should be returned to the system.
 */
bool server_accounts_sweep(struct server_accounts *accounts);
/* Frees all accounts, after all processes are gone. */
void server_accounts_clear(struct server_accounts *accounts);

#endif
