/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The commands of umadrig: each NAME of "umadrig NAME ...".
 *
 * Each command has a file of its name in harness/cmd/ and a row in the table of harness/cmd/main.c.
 * What the commands share is in harness/base/command.c, which knows none of them.
 */
#ifndef UMADRIG_HARNESS_CMD_COMMANDS_H
#define UMADRIG_HARNESS_CMD_COMMANDS_H

struct command {
	const char *name;
	const char *summary;	/* one line for --help, without a full stop */
	/*
	 * 'argv[0]' is "umadrig NAME", for messages and GOption; the rest is as typed. Returns the
	 * exit status.
	 */
	int (*run)(int argc, char **argv);
};

int cmd_run(int argc, char **argv);
int cmd_lint(int argc, char **argv);
int cmd_format(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_explore(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_ctl(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_scrub(int argc, char **argv);
int cmd_fields(int argc, char **argv);
int cmd_topology(int argc, char **argv);
int cmd_guest(int argc, char **argv);
int cmd_kernel(int argc, char **argv);

#endif
