/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Pseudoterminals by their numbers, which are those of Linux' devices.txt. */
#ifndef UMADRIG_LIB_LOCKSTEP_TERMINAL_DEVICE_H
#define UMADRIG_LIB_LOCKSTEP_TERMINAL_DEVICE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/* /dev/ptmx, by which each master is opened. */
static inline bool terminal_is_master(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(5, 2);
}

/* A master, or the other end. */
static inline bool terminal_is_pseudo(const struct stat *st)
{
	return terminal_is_master(st) ||
	       (S_ISCHR(st->st_mode) && major(st->st_rdev) >= 136 && major(st->st_rdev) <= 143);
}

#endif
