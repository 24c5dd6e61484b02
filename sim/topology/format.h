/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The formats of files that describe fabrics. A new format is one file that defines its struct
 * topology_format and its reader (sim/topology/reader.h has what readers share), a row of the list
 * here, and its name in umadrig-formats(5).
 */
#ifndef UMADRIG_SIM_TOPOLOGY_FORMAT_H
#define UMADRIG_SIM_TOPOLOGY_FORMAT_H

#include "sim/topology/reader.h"

struct topology_format {
	const char *name;	/* of such files, in the plural: "ibsim net files" */

	/*
	 * Whether 'text', which is neither empty nor binary, is of this format. It is called for
	 * every file that the formats before it in the list did not recognize, and should not read
	 * further than it must: files have millions of lines.
	 */
	bool (*detect)(struct span text);

	/* Reads all of 'text', which belongs to the caller, and diagnoses what is wrong. */
	void (*read)(struct topology_reader *reader, struct span text);

	/* How to write such a file without traces of a terminal: "save the file as plain text". */
	const char *clean;

	/* What readers of records and links do for this format only. */
	bool counts_guids;	/* GUIDs before a header are counted up for those that follow */
	bool has_aliases;	/* "@name" is an alias of a port */
	bool links_once;	/* a link has one line, not one at each end */
	bool wants_tabs;	/* between the fields of a port line */
	bool strict_peers;	/* no blank between a peer and its port */
	bool sets_enabled;	/* w=, s= and e= are masks of what is enabled, not what is active */
};

/* In the order in which they are tried. */
#define TOPOLOGY_FORMATS(ROW) \
	ROW(ibsim) \
	ROW(ibnetdiscover) \
	ROW(subnet_list) \
	ROW(mock_ib) \
	ROW(ibdm)

#define ROW(name) extern const struct topology_format topology_format_##name;
TOPOLOGY_FORMATS(ROW)
#undef ROW

#endif
