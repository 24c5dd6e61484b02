/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The program that stands in virtual time for one that cannot load our library (lib/stand-in/).
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_STAND_IN_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_STAND_IN_H

/*
 * The words of a command that has it stand for the program at 'path', which 'argv' is for: to be
 * freed with g_strfreev(). NULL: 'env', an environment of program_environment() for virtual time,
 * names no library that it would be beside of.
 */
char **program_stand_in_words(char *const *env, const char *path, char *const *argv);

#endif
