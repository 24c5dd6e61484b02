/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The history of ports and nodes: what has changed in what they say of themselves, a line for each
 * answer that differs from the one before: states, widths, speeds, LIDs, counters, subnet managers;
 * and traps.
 *
 *	12.500000ms S1[3]: LinkState Active -> Down, PhysLinkState LinkUp -> Polling  #120
 *	13.000000ms S1[3]: LinkState Initialize -> Armed, set by H1[1]  #131
 *
 * Memory grows with the attributes of the fabric, up to a limit, and not with the capture.
 */
#ifndef UMADRIG_HARNESS_SHOW_HISTORY_H
#define UMADRIG_HARNESS_SHOW_HISTORY_H

#include "harness/show/view.h"

extern const struct view_kind history_view;

#endif
