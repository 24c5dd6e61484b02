/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program does with an issm device, for which a pipe stands (lib/base/issm-pipe-open.h):
 * another one that opens it waits, or gets EAGAIN; it cannot be read or written; and what is shown
 * in /sys has followed when open and close return.
 */
#ifndef UMADRIG_LIB_RAW_ISSM_DEVICE_H
#define UMADRIG_LIB_RAW_ISSM_DEVICE_H

#include <stdbool.h>

/*
 * To be asked before open(2), which would wait for a reader of the pipe: opens the device, with
 * open's result. ISSM_DEVICE_NOT: it is another file, or another way to open it.
 */
int issm_device_open(int at, const char *path, int flags);
#define ISSM_DEVICE_NOT (-2)

/* After open(2) has returned 'fd'; the descriptor that the program gets, or -1 with errno. */
int issm_device_opened(int fd, int at, const char *path, int flags);

/* The result of a call on a descriptor that is one: -1, and errno is as the kernel's. */
long issm_device_refuse(int fd, bool reads);
int issm_device_ioctl(unsigned long request);

/* To be called when a descriptor that was one has been closed. errno stays. */
void issm_device_closed(void);

#endif
