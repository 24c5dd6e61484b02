/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as a ladder: time runs down, each port is a rail, each MAD an arrow between two.
 *
 *                      H1[1]                     H2[1]
 *        0.000ms         |----VendGet(0x0010)----->|
 *        0.002ms         |<--VendGetResp(0x0010)---|
 *
 * What rails are called, and what arrows say, is in harness/show/rail-name.h, which all drawings
 * share; where the rails are is in harness/show/ladder-plan.h.
 */
#ifndef UMADRIG_HARNESS_SHOW_LADDER_H
#define UMADRIG_HARNESS_SHOW_LADDER_H

#include "harness/show/view.h"

/* Needs a plan in its setup, whose rails and columns are known. */
extern const struct view_kind ladder_view;

#endif
