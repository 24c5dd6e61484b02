/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* futex(2), of which GLib, Rust and C++ make locks of their own. */
#ifndef UMADRIG_LIB_LOCKSTEP_FUTEXES_H
#define UMADRIG_LIB_LOCKSTEP_FUTEXES_H

/* 'a': its six arguments. What the kernel would return: -errno for a failure. */
long futexes_call(const long *a);

#endif
