/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What <linux/seccomp.h> of older distributions lacks: the running kernel may have it all the same.
 */
#ifndef UMADRIG_HARNESS_FILTER_SECCOMP_ABI_H
#define UMADRIG_HARNESS_FILTER_SECCOMP_ABI_H

#include <linux/seccomp.h>

#ifndef SECCOMP_ADDFD_FLAG_SEND		/* Linux 5.14 */
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif
#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV		/* 5.19 */
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS		/* 6.6 */
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

#endif
