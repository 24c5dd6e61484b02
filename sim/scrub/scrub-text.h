/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Comments, notes and names of interfaces: text in which GUIDs, GIDs, addresses, keys and names of
 * a site may be.
 *
 * Anything that looks like a GUID (16 hexadecimal digits, with or without 0x, or in groups with
 * colons), a MAC address or an IP address is one, whether packets have it or not; shorter
 * hexadecimal numbers, and names, are replaced if the packets have them. Absolute paths, which
 * tell of users and projects, become "(path)".
 */
#ifndef UMADRIG_SIM_SCRUB_SCRUB_TEXT_H
#define UMADRIG_SIM_SCRUB_SCRUB_TEXT_H

#include "sim/scrub/scrub-value.h"

/*
 * 'text' with aliases, to be freed with g_free(); while 'book' learns, what is in it is
 * learned and the result is of no use.
 */
char *scrub_text(const struct value_book *book, const char *text);

/*
 * The same of the name of an interface: "H1[1]" is a port of node H1, and what is not the usual
 * name of a device (mlx5_0, ib0, eth1) is a name of the site.
 */
char *scrub_text_interface(const struct value_book *book, const char *name);

#endif
