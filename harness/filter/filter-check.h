/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Can the system calls of programs be stopped and answered here? */
#ifndef UMADRIG_HARNESS_FILTER_FILTER_CHECK_H
#define UMADRIG_HARNESS_FILTER_FILTER_CHECK_H

#include <stdbool.h>

/*
 * Tries all of it on a child that makes one call. NULL: it can be done. Otherwise the reason and
 * the cure, in one line without a full stop, to be freed with g_free(). 'keeps_rights': see
 * seccomp_filter_keep_rights(). To be called before any thread is made.
 */
char *filter_check(bool keeps_rights);

/*
 * Is this process below the supervisor of another umadrig? Only such a supervisor answers the
 * question: to the kernel it is a wrong one, whatever files there are.
 */
bool filter_is_below_another(void);

/* What filter_is_below_another() asks for: an attribute of this name, of this path. */
#define FILTER_QUESTION_PATH "/dev/infiniband"
#define FILTER_QUESTION "umadrig.supervisor"

/* May a child keep the right to gain rights (CAP_SYS_ADMIN, outside of any user namespace)? */
bool filter_may_keep_rights(void);

#endif
