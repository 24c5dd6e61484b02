/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Reads what a fabric server says of its verbs devices (lib/base/verbs-values.h). 'shown' is a
 * directory that stands for /sys (host_view_values()).
 */
#ifndef UMADRIG_HARNESS_FILTER_VERBS_VALUES_READ_H
#define UMADRIG_HARNESS_FILTER_VERBS_VALUES_READ_H

#include <stdint.h>

#include "lib/base/verbs-values.h"

/* 0, or -EIO: there is no such device any more. */
int verbs_values_read_device(int shown, const char *device, struct verbs_device *ret);
/* 0, or -EINVAL: it has no such port. */
int verbs_values_read_port(int shown, const char *device, unsigned int portnum,
			   struct verbs_port *ret);
/* GID 'index' of the port, zeros if it is not in use. 0, or -EINVAL: it has none of that number. */
int verbs_values_read_gid(int shown, const char *device, unsigned int portnum, unsigned int index,
			  uint8_t ret_gid[16]);

#endif
