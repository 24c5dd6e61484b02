/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The server's owner in virtual time: see sim/server/lockstep-owner.h.
 */
#include "config.h"

#include "sim/server/lockstep-owner.h"

#include <errno.h>
#include <glib.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/attach/protocol.h"
#include "lib/base/socket-message.h"
#include "lib/lockstep/table.h"
#include "sim/process/process-reap.h"
#include "sim/server/client.h"

/* How long one that is about to end is waited for in one go. */
enum { END_MS = 100 };

struct lockstep_owner {
	struct lockstep_table *table;
	struct server_client *asking;	/* for time to move; NULL: one runs, or there is none */
	int64_t deadline;		/* of the one that asks */
};

struct lockstep_owner *lockstep_owner_new(struct lockstep_table *table)
{
	struct lockstep_owner *owner = g_new0(struct lockstep_owner, 1);

	owner->table = table;
	table->is_claimed = 1;
	return owner;
}

void lockstep_owner_free(struct lockstep_owner *owner)
{
	g_free(owner);
}

/* ---- whose turn it is ---- */

void lockstep_owner_asked(struct lockstep_owner *owner, struct server_client *client,
			  int64_t deadline)
{
	owner->asking = client;
	owner->deadline = deadline;
}

void lockstep_owner_forget(struct lockstep_owner *owner, const struct server_client *client)
{
	if (owner && owner->asking == client)
		owner->asking = NULL;
}

bool lockstep_owner_has_turn(struct lockstep_owner *owner)
{
	struct lockstep_table *table = owner->table;

	if (owner->asking)
		return true;
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		if (lockstep_is_alive(&table->slot[i]))
			return table->holder == 0;
	}
	/* Of the last one nobody waits for the end, so that is to be done here. */
	if (!reap_has_ended(table->holder, END_MS))
		return false;
	table->holder = table->holder_tid = table->dying = table->dying_tid = 0;
	return true;
}

static struct lockstep_slot *first_runnable(struct lockstep_table *table)
{
	struct lockstep_slot *first = NULL;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->state == LOCKSTEP_RUNNABLE && !slot->stopped &&
		    (!first || slot->ready_seq < first->ready_seq))
			first = slot;
	}
	return first;
}

bool lockstep_owner_is_over(const struct lockstep_owner *owner)
{
	return __atomic_load_n(&owner->table->is_over, __ATOMIC_SEQ_CST);
}

bool lockstep_owner_others_can_run(const struct lockstep_owner *owner)
{
	return first_runnable(owner->table);
}

int64_t lockstep_owner_deadline(const struct lockstep_owner *owner)
{
	return owner->asking ? owner->deadline : LOCKSTEP_NEVER;
}

static void answer(struct lockstep_owner *owner, int64_t now_ns)
{
	struct server_client *client = owner->asking;
	struct attach_reply reply = { .result = now_ns };
	struct iovec part = { &reply, sizeof(reply) };

	owner->asking = NULL;
	/* It has been killed meanwhile: the server's watch has another go on. */
	if (reap_has_ended(owner->table->holder, 0))
		return;
	if (socket_message_send(client->watch.fd, &part, 1, -1, MSG_DONTWAIT) < 0)
		shutdown(client->watch.fd, SHUT_RDWR);
}

static void give(struct lockstep_table *table, struct lockstep_slot *slot, uint32_t duty)
{
	table->switches++;
	lockstep_hand(table, slot, duty);
	syscall(SYS_futex, &slot->baton, FUTEX_WAKE, INT_MAX);
}

void lockstep_owner_pass(struct lockstep_owner *owner, int64_t now_ns)
{
	struct lockstep_table *table = owner->table;
	struct lockstep_slot *first;

	table->now = now_ns;
	if (owner->asking) {
		answer(owner, now_ns);
		return;
	}
	first = first_runnable(table);
	if (!first)
		return;
	table->activity++;
	give(table, first, 0);
}

/* ---- programs ---- */

/* As a program that posix_spawn() has made: it waits until it finds its slot. */
bool lockstep_owner_adopt(struct lockstep_owner *owner, pid_t pid, const char *name)
{
	struct lockstep_table *table = owner->table;
	struct lockstep_slot *slot = lockstep_unused(table);

	if (!slot)
		return false;
	memset(slot, 0, sizeof(*slot));
	slot->pid = slot->tid = pid;
	slot->virtual_pid = LOCKSTEP_FIRST_PID + table->processes++;
	slot->is_main = 1;
	slot->deadline = LOCKSTEP_NEVER;
	g_strlcpy(slot->name, name, sizeof(slot->name));
	lockstep_make_runnable(table, slot, LOCKSTEP_WOKEN);
	__atomic_add_fetch(&table->births, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &table->births, FUTEX_WAKE, INT_MAX);
	return true;
}

static bool is_of(const struct lockstep_slot *slot, pid_t group)
{
	return lockstep_is_alive(slot) && slot->pid > 0 &&
	       (group == 0 || slot->pid == group || getpgid(slot->pid) == group);
}

void lockstep_owner_signalled(struct lockstep_owner *owner, pid_t group, int sig)
{
	struct lockstep_table *table = owner->table;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		const struct lockstep_slot *slot = &table->slot[i];

		if (slot->is_main && is_of(slot, group))
			lockstep_wake_taker(table, slot->pid, sig);
	}
}

static void kill_process(struct lockstep_table *table, pid_t pid)
{
	kill(pid, SIGKILL);
	while (!reap_has_ended(pid, END_MS))
		continue;
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (slot->pid != pid || !lockstep_is_alive(slot))
			continue;
		slot->state = LOCKSTEP_DEAD;
		slot->is_reaped = 1;
	}
}

/* The one that asked is gone: any other chooses who goes on. */
static void replace_asking(struct lockstep_owner *owner)
{
	struct lockstep_table *table = owner->table;

	owner->asking = NULL;
	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		struct lockstep_slot *slot = &table->slot[i];

		if (!lockstep_is_thread(slot) || slot->stopped)
			continue;
		table->activity++;
		give(table, slot, 1);
		return;
	}
}

void lockstep_owner_kill(struct lockstep_owner *owner, pid_t group)
{
	struct lockstep_table *table = owner->table;

	for (uint32_t i = 0; i < lockstep_count(table); i++) {
		if (is_of(&table->slot[i], group))
			kill_process(table, table->slot[i].pid);
	}
	if (owner->asking && reap_has_ended(table->holder, 0))
		replace_asking(owner);
}
