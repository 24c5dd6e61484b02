/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Options of a fabric that somebody has written as options of a command.
 */
#ifndef UMADRIG_HARNESS_CMD_FABRIC_OPTION_H
#define UMADRIG_HARNESS_CMD_FABRIC_OPTION_H

/*
 * Says that the command line of 'name' is wrong, by 'message', as command_usage() does. An option
 * that is unknown, and has the name of a fabric's or is a typo away from one, is followed by how
 * that is written. Returns COMMAND_USAGE.
 */
int fabric_option_usage(const char *name, const char *message);

#endif
