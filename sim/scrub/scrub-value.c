/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Values in place: see sim/scrub/scrub-value.h.
 */
#include "sim/scrub/scrub-value.h"

#include <glib.h>
#include <string.h>

#include "lib/base/wire.h"

enum {
	LIDS_OF_GROUP = 128,	/* of ALIAS_LID_GROUP: 2 to the power of the greatest LMC */
	LIDS_OF_BLOCK = 64,
	RANDOM_ENTRY_SIZE = 4,
	GID_MULTICAST = 0xff,
	MGID_SIGNATURE_AT = 2,
	MGID_P_KEY_AT = 4,
	MGID_IPV4 = 0x401b,	/* RFC 4391: of IPoIB's groups */
	MGID_IPV6 = 0x601b,
};

/* Learns the number, or gives its alias. */
static uint64_t number(const struct value_book *book, enum alias_kind kind, uint64_t v)
{
	if (book->replace)
		return alias_of(book->aliases, kind, v);
	alias_learn(book->aliases, kind, v);
	return v;
}

void value_guid(const struct value_book *book, uint8_t bytes[8])
{
	put_be64(bytes, number(book, ALIAS_GUID, get_be64(bytes)));
}

static void value_prefix(const struct value_book *book, uint8_t bytes[8])
{
	put_be64(bytes, number(book, ALIAS_PREFIX, get_be64(bytes)));
}

void value_ipv4(const struct value_book *book, uint8_t bytes[4])
{
	put_be32(bytes, (uint32_t)number(book, ALIAS_IPV4, get_be32(bytes)));
}

void value_mac(const struct value_book *book, uint8_t bytes[6])
{
	uint64_t mac = (uint64_t)get_be16(bytes) << 32 | get_be32(bytes + 2);

	mac = number(book, ALIAS_MAC, mac);
	put_be16(bytes, (uint16_t)(mac >> 32));
	put_be32(bytes + 2, (uint32_t)mac);
}

void value_p_key(const struct value_book *book, uint8_t bytes[2])
{
	uint16_t p_key = get_be16(bytes);

	if (!book->keep_p_keys)
		put_be16(bytes, (uint16_t)((p_key & 0x8000) |
					   number(book, ALIAS_P_KEY, p_key & 0x7fff)));
}

/* The lower half says the group; before it IPoIB writes the partition. */
static void multicast_gid(const struct value_book *book, uint8_t *gid)
{
	unsigned int signature = get_be16(gid + MGID_SIGNATURE_AT);

	if (signature == MGID_IPV4 || signature == MGID_IPV6)
		value_p_key(book, gid + MGID_P_KEY_AT);
	put_be64(gid + 8, number(book, ALIAS_GROUP, get_be64(gid + 8)));
}

void value_gid(const struct value_book *book, uint8_t bytes[16])
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	if (bytes[0] == GID_MULTICAST) {
		multicast_gid(book, bytes);
	} else if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
		value_ipv4(book, bytes + 12);
	} else {
		value_prefix(book, bytes);
		value_guid(book, bytes + 8);
	}
}

/* ---- LIDs ---- */

static bool is_unicast(uint32_t lid)
{
	return lid && lid <= LID_UNICAST_MAX;
}

void value_lid(const struct value_book *book, uint8_t bytes[2])
{
	uint16_t lid = get_be16(bytes);
	uint64_t group;

	if (!book->lids || !is_unicast(lid))
		return;
	group = number(book, ALIAS_LID_GROUP, lid / LIDS_OF_GROUP);
	put_be16(bytes, (uint16_t)(group * LIDS_OF_GROUP + lid % LIDS_OF_GROUP));
}

/* The highest of the aliases of the LIDs up to this one. */
static void lid_top(const struct value_book *book, uint8_t bytes[2])
{
	uint16_t top = get_be16(bytes);
	uint64_t highest = 0;

	if (!book->lids || !is_unicast(top))
		return;
	for (unsigned int lid = 1; lid <= top; lid += LIDS_OF_GROUP) {
		unsigned int group = lid / LIDS_OF_GROUP;
		unsigned int last = MIN(top, group * LIDS_OF_GROUP + LIDS_OF_GROUP - 1);
		uint64_t alias = number(book, ALIAS_LID_GROUP, group);

		highest = MAX(highest, alias * LIDS_OF_GROUP + last % LIDS_OF_GROUP);
	}
	put_be16(bytes, (uint16_t)highest);
}

/* The number of a block of a linear forwarding table, in 'size' bytes. */
static void lid_block(const struct value_book *book, uint8_t *bytes, size_t size)
{
	const unsigned int blocks = LIDS_OF_GROUP / LIDS_OF_BLOCK;
	uint32_t block = size == 4 ? get_be32(bytes) : get_be16(bytes);
	uint64_t alias;

	if (!book->lids || block > LID_UNICAST_MAX / LIDS_OF_BLOCK)
		return;
	alias = number(book, ALIAS_LID_GROUP, block / blocks) * blocks + block % blocks;
	if (size == 4)
		put_be32(bytes, (uint32_t)alias);
	else
		put_be16(bytes, (uint16_t)alias);
}

/* ---- fields ---- */

static void key(const struct value_book *book, uint8_t *bytes, size_t size)
{
	if (size == 4) {
		put_be32(bytes, (uint32_t)number(book, ALIAS_Q_KEY, get_be32(bytes)));
		return;
	}
	for (size_t at = 0; at + 8 <= size; at += 8)
		put_be64(bytes + at, number(book, ALIAS_KEY, get_be64(bytes + at)));
}

static void name(const struct value_book *book, uint8_t *bytes, size_t size)
{
	g_autofree char *alias = NULL;

	if (!book->replace) {
		alias_learn_name(book->aliases, (const char *)bytes, size);
		return;
	}
	alias = alias_of_name(book->aliases, (const char *)bytes, size);
	memset(bytes, 0, size);
	memcpy(bytes, alias, MIN(strlen(alias), size));
}

void value_field(const struct value_book *book, enum mad_identity identity, uint8_t *bytes,
		 size_t size)
{
	switch (identity) {
	case MAD_IDENTITY_NONE:
		return;
	case MAD_IDENTITY_GUID:
		value_guid(book, bytes);
		return;
	case MAD_IDENTITY_GID:
		value_gid(book, bytes);
		return;
	case MAD_IDENTITY_PREFIX:
		value_prefix(book, bytes);
		return;
	case MAD_IDENTITY_NAME:
		name(book, bytes, size);
		return;
	case MAD_IDENTITY_KEY:
		key(book, bytes, size);
		return;
	case MAD_IDENTITY_P_KEY:
		for (size_t at = 0; at + 2 <= size; at += 2)
			value_p_key(book, bytes + at);
		return;
	case MAD_IDENTITY_LID:
		value_lid(book, bytes);
		return;
	case MAD_IDENTITY_LID_TOP:
		lid_top(book, bytes);
		return;
	case MAD_IDENTITY_LID_BLOCK:
		lid_block(book, bytes, size);
		return;
	case MAD_IDENTITY_LID_TABLE:
		for (size_t at = 0; at + RANDOM_ENTRY_SIZE <= size; at += RANDOM_ENTRY_SIZE)
			value_lid(book, bytes + at);
		return;
	case MAD_IDENTITY_PRIVATE:
		if (book->replace)
			memset(bytes, 0, size);
		return;
	}
}
