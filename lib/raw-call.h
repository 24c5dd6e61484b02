/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* read(2), write(2) and ioctl(2) on handles, where libumadraw is there to pass them on. */
#ifndef UMADRIG_LIB_RAW_CALL_H
#define UMADRIG_LIB_RAW_CALL_H

/* To be called when umad_open_port() has opened 'fd'. */
void umad_raw_opened(int fd);

#endif
