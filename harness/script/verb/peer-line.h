/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What lines about the peer have in common.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_VERB_PEER_LINE_H
#define UMADRIG_HARNESS_SCRIPT_VERB_PEER_LINE_H

#include "harness/script/check/checker.h"

/* Does a line above the current one let the peer answer? */
bool peer_answers_above(const struct checker *checker);

#endif
