/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Lies: one field of an answer has another value, and all else of it is right. Fields are those of
 * the MAD dictionary, which names them; there is no other table of them. sim/fabric/lie-parse.c
 * reads what a rule says, sim/fabric/lie.c changes MADs. See sim/fabric/fault.h for the rules.
 *
 * What a MAD needs to get where it goes is never changed: its first four bytes (versions, class and
 * method), and of a directed route the direction, hops, LIDs and return path. A transaction ID and
 * the RMPP header are changed where they are asked for only.
 */
#ifndef UMADRIG_SIM_FABRIC_LIE_H
#define UMADRIG_SIM_FABRIC_LIE_H

#include <glib.h>

#include "sim/dictionary/mad-dictionary.h"
#include "sim/time/chance.h"

/* What a lie may be about, beside one field by its name: ROW(enumerator, word, help). */
#define LIE_KINDS(ROW) \
	ROW(ANY, any, "any field but those of `tid` and `rmpp`") \
	ROW(STATUS, status, "the status") \
	ROW(MODIFIER, modifier, "the attribute modifier") \
	ROW(TID, tid, "the transaction ID") \
	ROW(PORT, port, "a port's number, or how many there are") \
	ROW(GUID, guid, "a GUID") \
	ROW(LID, lid, "a LID") \
	ROW(PATH, path, "a hop of the initial path of a directed route") \
	ROW(RMPP, rmpp, "a field of the RMPP header") \
	ROW(MASK, mask, "the component mask") \
	ROW(BLOCK, block, "an entry of a table: forwarding, P_Keys, VLs, numbered counters")

enum lie_kind {
	LIE_FIELD,		/* one, by its name */
#define ROW(name, ...) LIE_##name,
	LIE_KINDS(ROW)
#undef ROW
};

enum lie_how {
	LIE_DRAWN,		/* another value, by chance */
	LIE_VALUE,		/* this one */
	LIE_MORE,		/* so much more, which wraps around */
};

/* All zeros: no lie. */
struct lie {
	enum lie_kind kind;
	/* FIELD: as the dictionary has them, of an attribute or a header. */
	const char *owner, *name;
	const struct mad_field *header;		/* NULL: of an attribute */
	enum lie_how how;
	uint64_t value;
};

/* In the order of the list, with its help; NULL after the last. */
const char *lie_kind_word(unsigned int at, const char **ret_help);
/* False: there is no such kind. */
bool lie_kind_find(const char *word, enum lie_kind *ret_kind);
/* The kind that the word may have been meant for, or NULL. */
const char *lie_kind_near(const char *word);
/* "NodeInfo.LocalPort=255": is it a lie about a field, not "tid.low=2"? */
bool lie_names_field(const char *word);

/*
 * Reads what a lie is about: "any" or another kind, or a field and its value, as in
 * "NodeInfo.LocalPort=1", "PortInfo.LinkState=Down", "NodeInfo.NumPorts=+1", "MAD.Status=random";
 * Wireshark's names of fields are understood, too (NodeInfo.LocalPortNum). 0, or -EINVAL with a
 * message.
 */
int lie_parse(const char *text, struct lie *ret_lie, char *reterr, size_t reterr_size);

/* Does the MAD (256 bytes) have a field for it, which it would change? */
bool lie_fits(const struct lie *lie, const uint8_t *mad);

/*
 * Tells it of a MAD (256 bytes) that it fits, and appends what it is to 'said': "lie
 * NodeInfo.LocalPort 1 -> 255", "lie PathRecord[3].DLID 4 -> 5".
 */
void lie_tell(const struct lie *lie, struct chance *chance, uint8_t *mad, GString *said);

/* Are the bits ever changed by a lie in a MAD of that class? 'bit' counts from its first byte. */
bool lie_may_change(unsigned int mgmt_class, unsigned int bit, unsigned int width);

#endif
