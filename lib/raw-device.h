/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Umad files that a program opens by their paths, /dev/infiniband/umadN, where a simulated device
 * has that name in /sys/class/infiniband_mad (umadrig exec --sysfs shows it there).
 */
#ifndef UMADRIG_LIB_RAW_DEVICE_H
#define UMADRIG_LIB_RAW_DEVICE_H

/* Does a simulated port have umad file 'number'? 0; -ENOENT: none; -EOPNOTSUPP: no simulation. */
int raw_device_look(unsigned int number);

/*
 * Opens it, with those flags of open(2) that a descriptor has: a handle, with headers of 64 bytes.
 * -ENOENT and -EOPNOTSUPP as above: the kernel is to be asked; -ENXIO: the device has just been
 * removed; or another -errno.
 */
int raw_device_open(unsigned int number, int flags);

#endif
