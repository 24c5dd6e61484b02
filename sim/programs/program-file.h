/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of a program, which has to load our library: it is what keeps its time.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_FILE_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_FILE_H

#include <stddef.h>

/*
 * Can program 'name', looked for as execvp(3) does and from 'directory' (NULL: where we are), load
 * our library? Scripts are followed to their interpreter. 0, or -errno with a message: -ENOENT it
 * is not there; -EACCES it is not executable, or cannot be read; -ENOEXEC it is static, for musl or
 * another architecture, or damaged; -EPERM it gains rights, so that no library is preloaded.
 */
int program_file_check(const char *name, const char *directory, char *reterr, size_t reterr_size);

#endif
