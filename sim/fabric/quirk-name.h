/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The names of quirks: what boards, firmware, drivers and containers do differently from the usual.
 * A new quirk is a row here, a case in sim/fabric/quirk.c, a row of doc/programs.md, a test, and a
 * line of NEWS; "make tables" writes its paragraph of umadrig-formats(5), completion, and a seed
 * for a fuzzer.
 */
#ifndef UMADRIG_SIM_FABRIC_QUIRK_NAME_H
#define UMADRIG_SIM_FABRIC_QUIRK_NAME_H

#include <stddef.h>

/*
 * ROW(enumerator, name, where it may be, meaning, what umadrig-formats(5) says behind that, with
 * words of options in `...`)
 */
#define QUIRKS(ROW) \
	ROW(HGX_B200, "hgx-b200", "host", \
	    "the first four HCAs are LPF devices, bridges to two NVLink switches in a subnet of " \
	    "their own (switch-management), the second and fourth of them sm-disabled; of more " \
	    "than eight the last two are roce", \
	    "It takes five HCAs or more. The switches are the host's, HOST NVSwitch-0 and " \
	    "HOST NVSwitch-1: programs that do not name a device see that subnet, and all " \
	    "others by `-C mlx5_4`. The ports that the cables of the four (limited physical " \
	    "functions) had led to are free, so that the leaves of the first four rails of a " \
	    "generated fabric are without hosts. A capture has the cables that it was made with; " \
	    "there the devices alone change.") \
	ROW(SWITCH_MANAGEMENT, "switch-management", "HCA", \
	    "its file device/vpd has SMDL=SW_MNG, by which an NVLink subnet manager finds its " \
	    "device", "") \
	ROW(PLANARIZED, "planarized", "HCA", \
	    "its ports are the planes of one port: a GSI device without QP0, and an SMI device " \
	    "without QP1 that has a port for each plane", \
	    "They share the GUID and the LIDs of the first: see PLANARIZED HCAS.") \
	ROW(SM_DISABLED, "sm-disabled", "port", \
	    "IsSMDisabled is set in CapabilityMask: no subnet manager may run there", "") \
	ROW(ROCE, "roce", "port", \
	    "a RoCE port: link layer Ethernet, Active, without LID, QP0 and cable", "") \
	ROW(ISSM_NONE, "issm-none", "port", \
	    "there is no issm device, as in a container that was given umad devices only", "") \
	ROW(PORT_GUID_0, "port-guid-0", "port", "the port GUID is 0", \
	    "It is so in GID 0 and NodeInfo.") \
	ROW(EXT_SPEEDS_ASKED, "ext-speeds-asked", "node", \
	    "PortInfo has extended speeds only if bit 31 of the attribute modifier asks for them", \
	    "They are taken only then, too. By the bit an SM says that it knows them; the usual " \
	    "nodes ignore it.") \
	ROW(RATE_UNREADABLE, "rate-unreadable", "port", "the kernel does not tell the rate", \
	    "There is no file `rate`. (Linux has it, and reading it fails with EINVAL.)") \
	ROW(PORT_DOWN, "port-down", "port", \
	    "the cable is pulled; where a node or host is named, at the first port of each HCA", \
	    "") \
	ROW(SLOW_FIRMWARE, "slow-firmware", "port", \
	    "answers to SMPs leave 150 ms late", "These are rules of FAULTS.") \
	ROW(LOSSY_FIRMWARE, "lossy-firmware", "port", "one in four answers to SMPs is lost", \
	    "These are rules of FAULTS.")

enum quirk_kind {
#define ROW(kind, ...) QUIRK_##kind,
	QUIRKS(ROW)
#undef ROW
	QUIRK_COUNT,
};

struct quirk_info {
	const char *name;
	const char *where;	/* what has it: "host", "node", "HCA" or "port" */
	const char *help;
	const char *more;
};

const struct quirk_info *quirk_info(enum quirk_kind kind);

/*
 * Takes "NAME" or "NAME:WHERE" apart; '*ret_where' is in 'text', or NULL. 0, or -EINVAL with a
 * message that lists the names.
 */
int quirk_parse(const char *text, enum quirk_kind *ret_kind, const char **ret_where, char *reterr,
		size_t reterr_size);

#endif
