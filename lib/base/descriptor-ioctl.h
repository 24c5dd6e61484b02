/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The ioctls that Linux answers for a descriptor itself, whatever its file is (do_vfs_ioctl()).
 */
#ifndef UMADRIG_LIB_BASE_DESCRIPTOR_IOCTL_H
#define UMADRIG_LIB_BASE_DESCRIPTOR_IOCTL_H

#include <stdbool.h>
#include <sys/ioctl.h>

static inline bool descriptor_ioctl_is(unsigned long command)
{
	return command == FIOCLEX || command == FIONCLEX || command == FIONBIO;
}

#endif
