/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Aliases: what takes the place of the GUIDs, GIDs, names and keys of a site.
 *
 * A book is filled first (alias_learn...) and then sealed: each original gets one alias, and no
 * alias is an original. Without a key, aliases are numbers in the order of the originals, so that
 * they tell nothing but that order, and the same originals give the same aliases. With a key they
 * are HMAC-SHA256 of the original: the same in every file, and not to be found out by trying.
 *
 * Well-known values, which every fabric has (GUID 0, prefix fe80::/64, Q_Key 0x80010000, ...), are
 * never learned and are their own aliases. Numbers are in host byte order. One thread at a time.
 */
#ifndef UMADRIG_SIM_SCRUB_ALIAS_H
#define UMADRIG_SIM_SCRUB_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum alias_kind {
	ALIAS_GUID,		/* and the lower half of a GID; 64 bits */
	ALIAS_PREFIX,		/* the upper half of a GID; 64 bits */
	ALIAS_GROUP,		/* the lower half of a multicast GID; 64 bits */
	ALIAS_KEY,		/* 64 bits */
	ALIAS_Q_KEY,		/* 32 bits; the top bit, which privileged ones have, is kept */
	ALIAS_P_KEY,		/* 15 bits, without the membership bit */
	ALIAS_IPV4,		/* 32 bits */
	ALIAS_MAC,		/* 48 bits */
	ALIAS_LID_GROUP,	/* LID / 128: LMC and tables of LIDs leave a group together */
	ALIAS_KINDS,
};

struct alias_book;

/* Never NULL. 'key' may be NULL: aliases are then numbered. */
struct alias_book *alias_book_new(const char *key);
/* NULL is allowed. */
void alias_book_free(struct alias_book *book);

/* Before alias_book_seal(). */
void alias_learn(struct alias_book *book, enum alias_kind kind, uint64_t original);
/* A name of at most 'size' bytes, ended by a NUL before that. */
void alias_learn_name(struct alias_book *book, const char *text, size_t size);

void alias_book_seal(struct alias_book *book);

/* After it. What was not learned and is not well-known becomes 0. */
uint64_t alias_of(const struct alias_book *book, enum alias_kind kind, uint64_t original);
/*
 * The alias of a name, to be freed with g_free(). What follows the host's name in the description
 * of a CA (" HCA-1", " mlx5_0") is kept, and so are descriptions that vendors give to all devices.
 */
char *alias_of_name(const struct alias_book *book, const char *text, size_t size);

/* How many originals of the kind there are; and names. */
size_t alias_count(const struct alias_book *book, enum alias_kind kind);
size_t alias_name_count(const struct alias_book *book);

/*
 * For each place in 'bytes' that holds an original (GUID, prefix, key, Q_Key, MAC address, name) in
 * any byte order: 'alias' is the 'size' bytes that belong at 'at'. Places do not overlap. Numbers
 * with few bytes other than 0 and 0xff are not looked for, because counters are full of them, nor
 * are names of fewer than 4 bytes.
 */
typedef void alias_place_fn(void *ctx, size_t at, size_t size, const uint8_t *alias);
void alias_search(const struct alias_book *book, const uint8_t *bytes, size_t size,
		  alias_place_fn *fn, void *ctx);

/*
 * The name that begins at 'text', the longest there is, at most 'size' bytes of it: its size, or 0;
 * '*ret_alias' then belongs to 'book'.
 */
size_t alias_name_at(const struct alias_book *book, const char *text, size_t size,
		     const char **ret_alias);
/* Is it the whole of a learned name of any length? Its alias, which belongs to 'book', or NULL. */
const char *alias_of_exact_name(const struct alias_book *book, const char *text);
/* Is the number an original of the kind that is looked for in bytes and texts? */
bool alias_is_learned(const struct alias_book *book, enum alias_kind kind, uint64_t original);

#endif
