/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the commands of umadrig share: exit statuses, and errors about the command line.
 */
#ifndef UMADRIG_HARNESS_BASE_COMMAND_H
#define UMADRIG_HARNESS_BASE_COMMAND_H

#include <glib.h>
#include <stdbool.h>

/* Exit statuses of all commands; EXIT STATUS of umadrig(1) is the same list. */
enum command_exit {
	COMMAND_OK = 0,
	COMMAND_FAILED = 1,		/* the job was done; the result is negative, or lost */
	COMMAND_USAGE = 2,		/* the command line is wrong, or refused */
	COMMAND_LACKS = 3,		/* kernel build: the tree needs what umadrig lacks */
	COMMAND_INCONCLUSIVE = 98,	/* run: nothing failed, but something has no verdict */
	COMMAND_BAIL_OUT = 99,		/* run: nothing was run, or not all: the rig broke */
	COMMAND_KERNEL_FAULT = 122,	/* exec, replay, record, serve: a kernel has a fault */
	COMMAND_NEVER_OPENED = 124,	/* exec, replay, record: nothing has opened the fabric */
	COMMAND_REFUSED = 125,		/* the program was not started; there is no fabric */
	COMMAND_CANNOT_RUN = 126,	/* exec, replay, record: it exists but cannot be run */
	COMMAND_NOT_FOUND = 127,	/* exec, replay, record: there is no such program */
};

/* The domain of a GError whose code is one of these statuses. */
#define COMMAND_ERROR (command_error_quark())
GQuark command_error_quark(void);

/*
 * Prints "umadrig NAME: MESSAGE" to stderr: what could not be done, and why. Returns 'status', so
 * that callers can return it.
 */
int command_error(const char *name, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for errors in the command line, with a pointer to --help. Returns COMMAND_USAGE. */
int command_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for an option whose value is not valid: "OPTION VALUE: expected EXPECTED". */
int command_bad_value(const char *name, const char *option, const char *value,
		      const char *expected);

/*
 * Where a file has said what a command line could say, "FILE:LINE": errors about that option and
 * value name it. One table for the process, as it has one command line; never while threads run.
 */
void command_say_at(const char *option, const char *value, const char *place);

/* "FILE:LINE: " for "OPTION VALUE", without dashes, or ""; it stays the table's. */
const char *command_said_at(const char *words);

/*
 * The same for words in front of the "--" that are not expected, 'args' (ended by NULL):
 * "unexpected argument 'WORD': ADVICE", or, if a blank has cut off what 'fabric' (NULL: there is
 * none) says of a fault, load or quirk, how to quote it. One word without a fabric, and 'command'
 * (NULL: there is none) behind the "--": the word was meant as the fabric.
 */
int command_unexpected(const char *name, char *const *args, const char *fabric,
		       char *const *command, const char *advice);

/*
 * Writes what is left of standard output. Returns 'status', or, if output was lost, COMMAND_FAILED
 * after an error (unless 'status' is a failure already).
 */
int command_finish_output(const char *name, int status);

/*
 * g_option_context_parse() for a command whose 'argv[0]' is "umadrig NAME": --help is
 * printed, at most 80 columns wide, with the name of the command's manual page at the end, and ends
 * the process.
 */
bool command_parse(GOptionContext *context, int *argc, char ***argv, GError **error);

/*
 * Ends umadrig's own arguments at "--" and returns the command that follows it, so that GOption
 * does not see that command's options. NULL: there is none.
 */
char **command_split(int *argc, char **argv);

#endif
