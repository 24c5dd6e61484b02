/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A tree of directories that have nothing but names, for programs that list them: /dev/infiniband,
 * and those of /sys in which simulated devices are beside what the machine has.
 */
#ifndef UMADRIG_HARNESS_FILTER_VIEW_NAMES_H
#define UMADRIG_HARNESS_FILTER_VIEW_NAMES_H

#include "harness/filter/path.h"

/* In it, beside them: the files that stand for devices where a program wants a name alone. */
#define VIEW_NAMES "names"

/* Makes the tree in the empty directory 'tree'. 0 or -errno. */
int view_names_make(int tree);

/*
 * Brings a directory, or the name of a device, up to date: the machine's own names and those of the
 * view 'shown', a directory that stands for /sys. Other kinds of paths are not in the tree.
 */
void view_names_refresh(int tree, int shown, const struct path *path);

#endif
