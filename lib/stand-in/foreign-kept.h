/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of the foreign program that this process has made for it and has open as well, because the
 * session knows them by that: umad files, and timers. This process's copy goes when the foreign
 * program has none.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_KEPT_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_KEPT_H

#include <sys/types.h>

/* Keeps 'fd', a pipe or a socket, which the foreign program has by now. 0, or -EMFILE. */
int foreign_kept_add(int fd);
/* This process's descriptor of the file with this inode; -1: there is none. */
int foreign_kept_of(ino_t inode);
/* Closes those that the foreign program has not. */
void foreign_kept_sweep(void);

#endif
