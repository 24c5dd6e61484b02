/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The commands of umadrig: what "umadrig NAME ..." may be.
 *
 * Each command is a file of its name in harness/cmd/ and a row of the table in
 * harness/cmd/main.c. What they share is in harness/cmd/command.c, which knows none of them.
 */
#ifndef UMADRIG_HARNESS_CMD_COMMAND_H
#define UMADRIG_HARNESS_CMD_COMMAND_H

/* Exit statuses that all commands share; umadrig(1) lists them. */
enum command_exit {
	COMMAND_OK = 0,
	COMMAND_FAILED = 1,		/* the job was done, its verdict is no */
	COMMAND_USAGE = 2,		/* the command line is wrong */
	COMMAND_BAIL_OUT = 99,		/* the rig broke: no verdict */
	COMMAND_NEVER_OPENED = 124,	/* exec, replay: nothing has opened the fabric */
	COMMAND_REFUSED = 125,		/* exec, replay: the program was not started */
	COMMAND_CANNOT_RUN = 126,	/* exec, replay: it is there and cannot be run */
	COMMAND_NOT_FOUND = 127,	/* exec, replay: there is no such program */
};

struct command {
	const char *name;
	const char *summary;	/* one line for --help, no full stop */
	/*
	 * 'argv[0]' is "umadrig NAME", for messages and GOption; the rest as typed. An exit status.
	 */
	int (*run)(int argc, char **argv);
};

/*
 * "umadrig NAME: MESSAGE" to stderr: what could not be done, and why. Returns 'status', for callers
 * to end with.
 */
int command_error(const char *name, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same about the command line, and where help is. Returns COMMAND_USAGE. */
int command_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Ends umadrig's own arguments at "--" and returns the command that follows it, whose options
 * GOption then does not see; NULL: there is none.
 */
char **command_split(int *argc, char **argv);

/* The commands. */
int cmd_run(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_topology(int argc, char **argv);

#endif
