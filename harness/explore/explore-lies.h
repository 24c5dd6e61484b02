/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The lies that nodes have told in a run (sim/fabric/lie.h), as its capture has them.
 */
#ifndef UMADRIG_HARNESS_EXPLORE_EXPLORE_LIES_H
#define UMADRIG_HARNESS_EXPLORE_EXPLORE_LIES_H

#include <glib.h>

/*
 * The first ones of the capture 'path', at most 'most', with the frame and the port: "lie
 * NodeInfo.LocalPort 1 -> 255, frame 2 from S1[0]". How many there are is stored in '*ret_count'.
 * An array of char *, to be freed with g_ptr_array_unref(); empty if the capture cannot be read.
 */
GPtrArray *explore_lies_read(const char *path, unsigned int most, unsigned int *ret_count);

#endif
