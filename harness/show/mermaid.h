/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as a sequence diagram for Mermaid, which many wikis and issue trackers draw.
 */
#ifndef UMADRIG_HARNESS_SHOW_MERMAID_H
#define UMADRIG_HARNESS_SHOW_MERMAID_H

#include "harness/show/view.h"

extern const struct view_kind mermaid_view;

#endif
