/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What udev tells programs when it has seen to a uevent: the same device, with what its database
 * knows of it, behind a header by which they filter (systemd 252, libudev).
 */
#ifndef UMADRIG_HARNESS_FILTER_UDEV_MESSAGE_H
#define UMADRIG_HARNESS_FILTER_UDEV_MESSAGE_H

#include <glib.h>
#include <stddef.h>

/*
 * udev's message of the kernel's 'event', to be freed. 'shown': where the database is
 * (host_view_values()); -1: none is looked at.
 */
GByteArray *udev_message(int shown, const char *event, size_t size);

#endif
