/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Locks: see linux-locks.h.
 */
#include "kmod-stub/linux/linux-locks.h"

unsigned int linux_locks_held, linux_spins_held;

void linux_lock_take(struct linux_lock *lock, bool spins, const char *name, const char *file,
		     int line)
{
	if (lock->held)
		linux_stop("%s:%d: %s is taken while it is held: it would wait for ever", file,
			   line, name);
	lock->held = true;
	lock->spins = spins;
	linux_locks_held++;
	linux_spins_held += spins;
}

void linux_lock_release(struct linux_lock *lock, const char *name, const char *file, int line)
{
	if (!lock->held) {
		linux_fault(file, line, "%s is released, but not held", name);
		return;
	}
	lock->held = false;
	linux_locks_held--;
	linux_spins_held -= lock->spins;
}

void linux_may_sleep(const char *what, const char *file, int line)
{
	if (linux_spins_held > 0)
		linux_fault(file, line, "%s may sleep, but a spin lock is held", what);
}
