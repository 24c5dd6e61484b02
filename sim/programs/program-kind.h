/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a program's file says of how it starts: by which loader, with which rights, by which
 * interpreter. Whoever asks knows what that means, and says it.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_KIND_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum {
	PROGRAM_HEAD_SIZE = 4096,	/* of a file, to tell what it is */
	PROGRAM_SCRIPT_DEPTH = 5,	/* Linux follows so many interpreters, then ELOOP */
};

enum program_loader {
	PROGRAM_LOADED,		/* by a loader that may preload libraries for glibc */
	PROGRAM_GO,		/* the same, and its runtime makes system calls past libc */
	PROGRAM_MUSL,		/* by that of musl */
	PROGRAM_STATIC,		/* by none */
	PROGRAM_FOREIGN,	/* the file is for another machine than this process's */
	PROGRAM_TRUNCATED,
	PROGRAM_DAMAGED,	/* its program headers cannot be read */
};

enum program_rights {
	PROGRAM_NO_RIGHTS,
	PROGRAM_SETUID,
	PROGRAM_SETGID,
	PROGRAM_CAPABILITIES,	/* of the file */
};

/* Of an ELF file that is open. */
enum program_loader program_loader_of(int fd);
/* Does the file itself name libibverbs? What else it may load, and by what, is not known. */
bool program_loads_verbs(int fd);
bool program_is_elf(const char *head, size_t size);
/* Those that it gains when it starts; 'st' is the file's at 'path'. */
enum program_rights program_rights_of(const char *path, const struct stat *st);
/*
 * Takes a script's first line apart, what follows "#!": 'line' is then the interpreter ("": none),
 * '*ret_arguments' the rest. Returns the program in PATH that env(1) runs with those, as in
 * "#!/usr/bin/env python3" and with -S, to be freed; NULL: it is not env, or there is no such.
 */
char *program_of_script(char *line, char **ret_arguments);

#endif
