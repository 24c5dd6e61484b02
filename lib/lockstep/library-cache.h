/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Libraries that a program loads later, by name: dlopen(3), libgcc_s.so.1 for pthread_exit(3),
 * those of the name service. ld.so maps its cache before it maps such a library, and unmaps it
 * again, so that what is mapped from then on, stacks of threads too, would lie where the size of
 * that file has it: lib/base/mapping-base.h sees to the start of a program only. In a session ld.so
 * reads a copy instead, which has one size on all machines; the server makes it. Where it cannot,
 * or the cache is no longer what it was, ld.so reads its own. (Where a machine has none, or an
 * empty one, ld.so never asks for it again, and libraries lie higher by that size.)
 */
#ifndef UMADRIG_LIB_LOCKSTEP_LIBRARY_CACHE_H
#define UMADRIG_LIB_LOCKSTEP_LIBRARY_CACHE_H

/* To be called in each new program. */
void library_cache_begin(void);

#endif
