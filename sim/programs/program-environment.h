/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The environment of a program on a fabric: our libraries, and where the fabric is.
 */
#ifndef UMADRIG_SIM_PROGRAMS_PROGRAM_ENVIRONMENT_H
#define UMADRIG_SIM_PROGRAMS_PROGRAM_ENVIRONMENT_H

/* Has the fabric's seed, for what a program leaves to chance itself. */
#define PROGRAM_SEED_VARIABLE "UMADRIG_SEED"

/*
 * Stands before an absolute path: there is such a directory where glibc is installed, and from it
 * the way leads back to the root. Loaders that know no $LIB find nothing there; musl's would not
 * start a program with a library that needs glibc.
 */
#define PROGRAM_GLIBC_ALONE "/usr/$LIB/../../../../../../../.."

/* Our libraries: their files, absolute, without spaces and colons. */
struct program_libraries {
	char *umad, *raw, *sim, *lockstep;	/* 'sim' may be NULL: it is in no list */
	char *directory;	/* of libibumad and libumadraw */
};

/* Frees what it has. */
void program_libraries_clear(struct program_libraries *libraries);

/*
 * All of these take over 'env', of g_get_environ() and its kin, and return what it has become, to
 * be freed with g_strfreev().
 *
 * Takes out all that the next one puts in.
 */
char **program_environment_plain(char **env, const struct program_libraries *libraries);
/*
 * Our libraries come first, and UMAD_BACKEND is 'backend'. 'table': of server_lockstep_table(), for
 * a program in virtual time; or NULL. 'host' may be NULL: it stays as it is.
 */
char **program_environment(char **env, const struct program_libraries *libraries,
			   const char *backend, const char *table, const char *host);
/*
 * For a program in a guest, whose devices are real ones: what says where the fabric is has no
 * meaning there, and the directories that it may write are the guest's. It has one size
 * (lib/base/environment-padding.h), as those of programs in virtual time have when they start.
 */
char **program_environment_in_guest(char **env);

#endif
