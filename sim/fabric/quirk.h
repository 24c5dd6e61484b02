/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Quirks of a fabric's nodes: what some devices do differently from the others. They are set after
 * the fabric is made and before anything uses it.
 */
#ifndef UMADRIG_SIM_FABRIC_QUIRK_H
#define UMADRIG_SIM_FABRIC_QUIRK_H

#include <stddef.h>

struct umadrig_fabric;

/*
 * Sets the quirk of "NAME" everywhere that it may be, or of "NAME:WHERE" at a node (its id or
 * description), at a host's HCAs (the host's name), or at one port ("NODE[2]"). 0, or -EINVAL with
 * a message: there is no such quirk, node or port, or none that can have it. Lock held.
 */
int quirk_add_text(struct umadrig_fabric *fabric, const char *text, char *reterr,
		   size_t reterr_size);

#endif
