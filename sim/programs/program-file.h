/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The file of a program, which is to be in virtual time: by our library, or by another program that
 * stands for it.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_FILE_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_FILE_H

#include <stddef.h>

/*
 * Can program 'name', looked for as execvp(3) does and from 'directory' (NULL: where we are), be in
 * virtual time? Scripts are followed to their interpreter. 0, or -errno with a message: -ENOENT it
 * is not there; -EACCES it is not executable, or cannot be read; -ENOEXEC it is for another
 * architecture, or damaged; -EPERM it gains rights, so that no library is preloaded.
 *
 * '*ret_foreign' is its path, to be freed, if it cannot load our library: it is static, for musl,
 * or in Go, and program-stand-in.h has what starts it. NULL: it can.
 */
int program_file_check(const char *name, const char *directory, char **ret_foreign, char *reterr,
		       size_t reterr_size);

#endif
