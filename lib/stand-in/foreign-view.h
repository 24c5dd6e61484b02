/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whether the foreign program sees the same files under the same paths as this process: not as
 * another user, or from another root directory.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_VIEW_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_VIEW_H

#include <stdbool.h>

/* Does it not? */
bool foreign_view_is_elsewhere(void);

/*
 * setuid(2), chroot(2) and their kin: the kernel makes the call, and what has become of it is
 * looked at when it next matters.
 */
long foreign_view_changes(void);

#endif
