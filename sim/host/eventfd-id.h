/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Which eventfd a descriptor is of: the kernel's number of it, which all copies of the descriptor
 * share and no other eventfd has (/proc/self/fdinfo, Linux 5.2).
 */
#ifndef UMADRIG_SIM_HOST_EVENTFD_ID_H
#define UMADRIG_SIM_HOST_EVENTFD_ID_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The number plus one; 0: it is no eventfd, or the kernel does not say. Neither a cancellation
 * point nor unsafe in a signal handler.
 */
uint64_t eventfd_id(int fd);

/*
 * A descriptor of this process, other than 'except', that is of the eventfd of this number; -1:
 * none.
 */
int eventfd_find(uint64_t id, int except);

/*
 * Closes '*fd', which is -1 then, and says whether it was the last descriptor of the eventfd: in
 * this process, in others, and in messages. If that cannot be found out it is not, and stays open.
 */
bool eventfd_close(int *fd);

#endif
