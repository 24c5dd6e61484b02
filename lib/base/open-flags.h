/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A descriptor that another call than open(2) has made, as open(2) would have made it. */
#ifndef UMADRIG_LIB_BASE_OPEN_FLAGS_H
#define UMADRIG_LIB_BASE_OPEN_FLAGS_H

/* Of 'flags', as of open(2), those that a descriptor keeps: O_NONBLOCK, O_CLOEXEC. 0 or -errno. */
int open_flags_set(int fd, int flags);

#endif
