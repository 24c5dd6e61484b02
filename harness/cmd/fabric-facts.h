/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What is known of a fabric, from whatever names it, for umadrig diff --fabric. */
#ifndef UMADRIG_HARNESS_CMD_FABRIC_FACTS_H
#define UMADRIG_HARNESS_CMD_FABRIC_FACTS_H

#include "sim/facts/facts.h"

/*
 * 'path': a capture or a bundle, the socket of a running server, a topology file with or without
 * options, or generate:SPEC. NULL: it was said why, as 'name's.
 */
struct fabric_facts *fabric_facts_open(const char *name, const char *path);

#endif
