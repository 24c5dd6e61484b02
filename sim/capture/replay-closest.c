/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The closest question: see sim/capture/replay-closest.h.
 */
#include "sim/capture/replay-closest.h"

#include <glib.h>
#include <string.h>

#include "sim/capture/rows.h"

enum {
	PLACES_MIN = 64,
	CHAIN_LOOK_AT = 16,
	CLOSE_ENOUGH = 4,	/* one part differs, such as LID or modifier: no need to look on */
	KINDS_MAX = 256,	/* attributes of a class that are told apart */
	KIND_KEEPS = 16,	/* questions of each, the first ones */
};

static const uint32_t NOBODY = UINT32_MAX;

enum chain { TO_THE_SAME_PLACE, THE_SAME_ELSEWHERE, CHAIN_COUNT };

static const enum question_view views[CHAIN_COUNT] = {
	[TO_THE_SAME_PLACE] = QUESTION_ABOUT_AND_PLACE,
	[THE_SAME_ELSEWHERE] = QUESTION_BUT_PLACE,
};

struct link {
	uint32_t next[CHAIN_COUNT];
};

struct kind {
	uint32_t hash;
	uint32_t count;			/* in 'first' */
	uint32_t first[KIND_KEEPS];
};

struct closest_index {
	struct rows links;		/* struct link, of each question */
	uint32_t *places[CHAIN_COUNT];	/* the newest question of a chain */
	uint32_t place_count;		/* a power of two, of each */
	struct kind kinds[KINDS_MAX];
	uint32_t kind_count;
};

struct closest_index *closest_index_new(void)
{
	struct closest_index *index = g_new0(struct closest_index, 1);

	rows_init(&index->links, sizeof(struct link));
	return index;
}

void closest_index_free(struct closest_index *index)
{
	if (!index)
		return;
	rows_clear(&index->links);
	for (unsigned int i = 0; i < CHAIN_COUNT; i++)
		g_free(index->places[i]);
	g_free(index);
}

size_t closest_index_size(const struct closest_index *index)
{
	return sizeof(*index) + rows_size(&index->links) +
	       CHAIN_COUNT * index->place_count * sizeof(uint32_t);
}

static uint32_t *place_of(const struct closest_index *index, enum chain chain,
			  const struct question *question)
{
	uint32_t hash = question_hash_view(question, views[chain]);

	return &index->places[chain][hash & (index->place_count - 1)];
}

static void enter(struct closest_index *index, uint32_t number, const struct question *question)
{
	struct link *link = rows_at(&index->links, number);

	for (unsigned int chain = 0; chain < CHAIN_COUNT; chain++) {
		uint32_t *place = place_of(index, chain, question);

		link->next[chain] = *place;
		*place = number;
	}
}

/* At most two questions for each place. */
static void make_room(struct closest_index *index, closest_get_fn *get, const void *ctx)
{
	struct question question;

	if (index->links.count < 2 * index->place_count)
		return;
	index->place_count = MAX(2 * index->place_count, PLACES_MIN);
	for (unsigned int i = 0; i < CHAIN_COUNT; i++) {
		index->places[i] = g_renew(uint32_t, index->places[i], index->place_count);
		memset(index->places[i], 0xff, index->place_count * sizeof(uint32_t));
	}
	for (uint32_t number = 0; number < index->links.count; number++) {
		get(ctx, number, &question);
		enter(index, number, &question);
	}
}

static struct kind *find_kind(struct closest_index *index, const struct question *question)
{
	uint32_t hash = question_hash_view(question, QUESTION_ABOUT);

	for (uint32_t i = 0; i < index->kind_count; i++) {
		if (index->kinds[i].hash == hash)
			return &index->kinds[i];
	}
	if (index->kind_count == KINDS_MAX)
		return NULL;
	index->kinds[index->kind_count].hash = hash;
	return &index->kinds[index->kind_count++];
}

void closest_index_add(struct closest_index *index, const struct question *question,
		       closest_get_fn *get, const void *ctx)
{
	struct kind *kind = find_kind(index, question);
	uint32_t number;

	make_room(index, get, ctx);
	number = rows_add(&index->links);
	enter(index, number, question);
	if (kind && kind->count < KIND_KEEPS)
		kind->first[kind->count++] = number;
}

/* ---- looking up ---- */

struct look {
	const struct question *question;
	closest_get_fn *get;
	const void *ctx;
	uint32_t best;
	unsigned int least;		/* its distance */
	unsigned int count;
};

static void look_at(struct look *look, uint32_t number)
{
	struct question have;
	unsigned int distance;

	look->get(look->ctx, number, &have);
	distance = question_distance(&have, look->question);
	look->count++;
	if (look->best == NOBODY || distance < look->least ||
	    (distance == look->least && number < look->best)) {
		look->best = number;
		look->least = distance;
	}
}

static bool is_close(const struct look *look)
{
	return look->best != NOBODY && look->least <= CLOSE_ENOUGH;
}

static void look_along(const struct closest_index *index, enum chain chain, struct look *look)
{
	uint32_t number = *place_of(index, chain, look->question);

	for (unsigned int i = 0; i < CHAIN_LOOK_AT && number != NOBODY && !is_close(look); i++) {
		const struct link *link = rows_at(&index->links, number);

		look_at(look, number);
		number = link->next[chain];
	}
}

uint32_t closest_index_find(const struct closest_index *index, const struct question *question,
			    closest_get_fn *get, const void *ctx, unsigned int *ret_looked_at)
{
	struct look look = { .question = question, .get = get, .ctx = ctx, .best = NOBODY };
	uint32_t hash = question_hash_view(question, QUESTION_ABOUT);

	for (unsigned int chain = 0; index->place_count && chain < CHAIN_COUNT; chain++)
		look_along(index, chain, &look);
	for (uint32_t i = 0; i < index->kind_count && !is_close(&look); i++) {
		const struct kind *kind = &index->kinds[i];

		for (uint32_t n = 0; n < (kind->hash == hash ? kind->count : 1); n++)
			look_at(&look, kind->first[n]);
	}
	if (ret_looked_at)
		*ret_looked_at = look.count;
	return look.best;
}
