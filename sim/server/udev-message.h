/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What udev tells programs when it has seen to a uevent: the same device, with what its database
 * knows of it, behind a header by which they filter (systemd 252, libudev).
 */
#ifndef UMADRIG_SIM_SERVER_UDEV_MESSAGE_H
#define UMADRIG_SIM_SERVER_UDEV_MESSAGE_H

#include <glib.h>
#include <stddef.h>

/* In what stands for /sys: udev's files, of /run/udev/data. */
#define UDEV_DATABASE "udev/data"

/*
 * udev's message of the kernel's 'event', to be freed. 'root': what stands for /sys, in which the
 * database has what it has at this moment.
 */
GByteArray *udev_message(const char *root, const char *event, size_t size);

#endif
