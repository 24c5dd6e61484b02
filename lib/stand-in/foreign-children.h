/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Processes that the foreign program has made, and not waited for. Each has a process that stands
 * for it, which is a child of this one; the foreign one itself is the foreign program's, and stays
 * a zombie until that ends.
 */
#ifndef UMADRIG_LIB_STAND_IN_FOREIGN_CHILDREN_H
#define UMADRIG_LIB_STAND_IN_FOREIGN_CHILDREN_H

#include <stdbool.h>
#include <sys/types.h>

/* 'number' is the session's, 'pid' the kernel's. */
void foreign_children_add(int number, pid_t pid);
/* It was waited for. Should only what stood for it have been killed, it is now as well. */
void foreign_children_ended(int number);
/* In a new process: it has none. */
void foreign_children_forget(void);
bool foreign_children_are_there(void);
/*
 * The session's number of the child that a descriptor of a process is of, as clone(2) makes one
 * with CLONE_PIDFD; 0: it is of none. (pidfd_open(2) has that of the process that stands for it.)
 */
int foreign_children_of_pidfd(int fd);

#endif
