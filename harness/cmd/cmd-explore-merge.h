/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig explore merge: what several processes or machines have explored becomes one.
 *
 *	umadrig explore merge -o all part-1 part-2 part-3
 */
#ifndef UMADRIG_HARNESS_CMD_CMD_EXPLORE_MERGE_H
#define UMADRIG_HARNESS_CMD_CMD_EXPLORE_MERGE_H

/* 'argv[1]' is "merge". Returns an exit status. */
int cmd_explore_merge(int argc, char **argv);

#endif
