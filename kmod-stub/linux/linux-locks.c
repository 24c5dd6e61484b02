/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks: see linux-locks.h.
 */
#include "kmod-stub/linux/linux-locks.h"

struct linux_held linux_held;

/* ---- their order ---- */

/* The way from one kind to another, over locks that are taken under each other: its first step. */
static const struct linux_lock_after *find_way(const struct linux_lock_kind *from,
					       const struct linux_lock_kind *to)
{
	for (unsigned int i = 0; i < from->count; i++) {
		const struct linux_lock_after *after = &from->after[i];

		if (!after->is_wrong && (after->kind == to || find_way(after->kind, to)))
			return after;
	}
	return NULL;
}

static bool is_known(const struct linux_lock_kind *first, const struct linux_lock_kind *second)
{
	for (unsigned int i = 0; i < first->count; i++)
		if (first->after[i].kind == second)
			return true;
	return false;
}

/* What is wrong is reported once, and is no part of a way. */
static void learn_order(struct linux_lock_kind *first, struct linux_lock_kind *second,
			const char *file, int line)
{
	const struct linux_lock_after *other;

	if (first == second || is_known(first, second))
		return;
	if (first->count == LINUX_LOCK_AFTER)
		linux_stop("%s:%d: more than %d kinds of locks are taken under %s", file, line,
			   LINUX_LOCK_AFTER, first->name);
	other = find_way(second, first);
	if (other)
		linux_fault(file, line, "%s is taken under %s, and the other way round at %s:%d: "
			    "two processors would wait for each other", second->name, first->name,
			    linux_short_name(other->file), other->line);
	first->after[first->count++] = (struct linux_lock_after){
		.kind = second, .file = file, .line = line, .is_wrong = other,
	};
}

/* ---- locks ---- */

static bool is_mine(const struct linux_lock *lock)
{
	for (unsigned int i = 0; i < linux_held.count; i++)
		if (linux_held.locks[i] == lock)
			return true;
	return false;
}

static bool is_free(const void *lock)
{
	return !((const struct linux_lock *)lock)->held;
}

void linux_lock_take(struct linux_lock *lock, bool spins, const char *name, const char *file,
		     int line)
{
	linux_point();
	if (lock->held && (!linux_processors_on || is_mine(lock) ||
			   !linux_processors_wait(is_free, lock)))
		linux_stop("%s:%d: %s is taken while it is held: it would wait for ever", file,
			   line, name);
	if (linux_held.count == LINUX_HELD_MAX)
		linux_stop("%s:%d: %s would be the lock number %d that is held", file, line, name,
			   LINUX_HELD_MAX + 1);
	for (unsigned int i = linux_held.before; i < linux_held.count; i++)
		learn_order(linux_held.locks[i]->kind, lock->kind, file, line);
	linux_held.locks[linux_held.count++] = lock;
	lock->held = true;
	lock->spins = spins;
	linux_held.spins += spins;
}

static void forget(const struct linux_lock *lock)
{
	unsigned int i = 0;

	while (linux_held.locks[i] != lock)
		i++;
	linux_held.count--;
	for (; i < linux_held.count; i++)
		linux_held.locks[i] = linux_held.locks[i + 1];
}

void linux_lock_release(struct linux_lock *lock, const char *name, const char *file, int line)
{
	if (!lock->held || !is_mine(lock)) {
		linux_fault(file, line, "%s is released, but not held", name);
		return;
	}
	forget(lock);
	lock->held = false;
	linux_held.spins -= lock->spins;
	linux_point();
}

/* ---- interrupts ---- */

void linux_irq_disable(const char *file, int line)
{
	if (linux_held.irqs_off)
		linux_fault(file, line, "spin_lock_irq() where interrupts are off: its "
			    "spin_unlock_irq() turns them on");
	linux_held.irqs_off = true;
}

void linux_irq_enable(const char *file, int line)
{
	if (!linux_held.irqs_off)
		linux_fault(file, line, "spin_unlock_irq() where interrupts are on");
	linux_held.irqs_off = false;
}

unsigned long linux_irq_save(void)
{
	bool was_off = linux_held.irqs_off;

	linux_held.irqs_off = true;
	return was_off;
}

void linux_irq_restore(unsigned long flags, const char *file, int line)
{
	if (!linux_held.irqs_off)
		linux_fault(file, line, "spin_unlock_irqrestore() where interrupts are on");
	linux_held.irqs_off = flags != 0;
}

/* ---- at the end ---- */

void linux_locks_end(unsigned int count, unsigned int spins)
{
	if (linux_held.irqs_off)
		linux_fault(NULL, 0, "interrupts are still off at the end of a call");
	linux_held.irqs_off = false;
	if (linux_held.count == count && linux_held.spins == spins)
		return;
	linux_fault(NULL, 0, "%u locks are still held at the end of a call",
		    linux_held.count - count);
	if (linux_held.count > count)
		linux_held.count = count;
	linux_held.spins = spins;
}

void linux_may_sleep(const char *what, const char *file, int line)
{
	if (linux_held.spins > 0)
		linux_fault(file, line, "%s may sleep, but a spin lock is held", what);
}
