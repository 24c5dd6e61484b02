/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The addresses of captured MADs, as scenarios say them: " to=peer", " dlid=0x0007 sl=1". Those of
 * ports that have a role are the role's.
 *
 * The strings are to be freed. Any thread.
 */
#ifndef UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_ADDRESS_H
#define UMADRIG_HARNESS_SCRIPT_DRAFT_DRAFT_ADDRESS_H

#include "harness/script/draft/draft.h"

/* What a request is sent with, or ('leaves') what it has when it leaves. */
char *draft_sent_address(const struct draft *draft, const struct capture_mad *mad, bool leaves);

/* Where it comes from; what is as of every MAD from the peer to A is left out. */
char *draft_got_address(const struct draft *draft, const struct capture_mad *mad);

#endif
