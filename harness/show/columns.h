/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as numbers for programs: a line of names, then a line for each MAD, separated by tabs:
 * frame, slid, dlid, sqp, dqp, class, method, attr, tid, status, modifier. Numbers are written as
 * tshark writes them; RoCE has no LIDs.
 */
#ifndef UMADRIG_HARNESS_SHOW_COLUMNS_H
#define UMADRIG_HARNESS_SHOW_COLUMNS_H

#include "harness/show/view.h"

extern const struct view_kind columns_view;

#endif
