/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that this library cannot be put into have another one stand for them (lib/stand-in/).
 */
#ifndef UMADRIG_LIB_LOCKSTEP_STAND_INS_H
#define UMADRIG_LIB_LOCKSTEP_STAND_INS_H

#include <stdbool.h>

/* Becomes the program that stands for 'path'. Returns -errno. */
long stand_ins_execute(const char *path, char *const *argv, char *const *env);

/* Is this program one? */
bool stand_ins_are_this(void);

#endif
