/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What a replay keeps: see sim/capture/replay-store.h.
 *
 * The table has the number of a first question for each place; further ones follow by
 * 'next_in_place'. Messages by RMPP, which have any size, are apart; their numbers have the bit
 * IS_MESSAGE.
 */
#include "sim/capture/replay-store.h"

#include <glib.h>
#include <string.h>

#include "sim/capture/replay-closest.h"
#include "sim/capture/rows.h"

enum {
	PLACES_MIN = 64,
};

static const uint32_t IS_MESSAGE = UINT32_C(1) << 31;

/* An answer by RMPP: headers, then data. */
struct message {
	size_t size;
	uint8_t bytes[];
};

struct replay_store {
	struct rows asked;	/* struct replay_asked */
	struct rows events;	/* struct replay_event */
	struct rows answers;	/* MAD_SIZE bytes each */
	GPtrArray *messages;	/* of struct message * */
	size_t message_bytes;	/* that they take */
	struct closest_index *closest;
	uint32_t *places;
	uint32_t place_count;	/* a power of two */
	bool from_own;
};

/* ---- life ---- */

struct replay_store *replay_store_new(bool from_own)
{
	struct replay_store *store = g_new0(struct replay_store, 1);

	rows_init(&store->asked, sizeof(struct replay_asked));
	rows_init(&store->events, sizeof(struct replay_event));
	rows_init(&store->answers, MAD_SIZE);
	store->closest = closest_index_new();
	store->messages = g_ptr_array_new_with_free_func(g_free);
	store->place_count = PLACES_MIN;
	store->places = g_new(uint32_t, PLACES_MIN);
	memset(store->places, 0xff, PLACES_MIN * sizeof(uint32_t));
	store->from_own = from_own;
	return store;
}

void replay_store_free(struct replay_store *store)
{
	if (!store)
		return;
	rows_clear(&store->asked);
	rows_clear(&store->events);
	rows_clear(&store->answers);
	closest_index_free(store->closest);
	g_ptr_array_unref(store->messages);
	g_free(store->places);
	g_free(store);
}

size_t replay_store_size(const struct replay_store *store)
{
	return sizeof(*store) + rows_size(&store->asked) + rows_size(&store->events) +
	       rows_size(&store->answers) + store->place_count * sizeof(uint32_t) +
	       store->message_bytes + store->messages->len * sizeof(void *) +
	       closest_index_size(store->closest);
}

uint32_t replay_store_count(const struct replay_store *store)
{
	return store->asked.count;
}

struct replay_asked *replay_store_asked(const struct replay_store *store, uint32_t number)
{
	return rows_at(&store->asked, number);
}

const struct replay_event *replay_store_at(const struct replay_store *store, uint32_t number)
{
	return rows_at(&store->events, number);
}

const uint8_t *replay_store_answer(const struct replay_store *store, uint32_t number,
				   size_t *ret_message_size)
{
	const struct message *message;

	if (number & IS_MESSAGE) {
		message = g_ptr_array_index(store->messages, number & ~IS_MESSAGE);
		*ret_message_size = message->size;
		return message->bytes;
	}
	*ret_message_size = 0;
	return rows_at(&store->answers, number);
}

uint32_t replay_requester(const struct packet_addr *addr)
{
	uint32_t mixed = 0;

	if (addr->slid)
		return addr->slid;
	for (unsigned int i = 0; addr->has_grh && i < 16; i += 4)
		mixed = (mixed ^ get_be32(addr->sgid + i)) * UINT32_C(0x9e3779b1);
	return mixed | UINT32_C(0x10000);
}

/* ---- questions ---- */

void replay_store_question(const struct replay_store *store, const struct replay_asked *asked,
			   struct question *ret)
{
	struct packet_addr addr = { .dlid = asked->dlid, .has_grh = true };

	memcpy(addr.dgid, asked->dgid, 16);
	question_from(&addr, asked->mad, store->from_own, ret);
}

/* Of what is the same in all forms of the address. */
static uint32_t hash_of(const struct question *question)
{
	struct question plain = *question;

	question_forget_gid(&plain);
	return question_hash(&plain);
}

static bool same_but_gid(const struct question *a, const struct question *b)
{
	struct question one = *a, two = *b;

	question_forget_gid(&one);
	question_forget_gid(&two);
	return question_equal(&one, &two);
}

static uint32_t find(const struct replay_store *store, const struct question *question,
		     uint32_t hash, bool *ret_near)
{
	uint32_t number = store->places[hash & (store->place_count - 1)], near = REPLAY_NONE;

	*ret_near = false;
	for (; number != REPLAY_NONE; number = replay_store_asked(store, number)->next_in_place) {
		const struct replay_asked *asked = replay_store_asked(store, number);
		struct question have;

		if (asked->hash != hash)
			continue;
		replay_store_question(store, asked, &have);
		if (question_equal(&have, question))
			return number;
		if (same_but_gid(&have, question))
			near = number;
	}
	*ret_near = near != REPLAY_NONE;
	return near;
}

uint32_t replay_store_find(const struct replay_store *store, const struct question *question,
			   bool *ret_near)
{
	return find(store, question, hash_of(question), ret_near);
}

/* closest_get_fn */
static void get_question(const void *ctx, uint32_t number, struct question *ret)
{
	const struct replay_store *store = ctx;

	replay_store_question(store, replay_store_asked(store, number), ret);
}

uint32_t replay_store_closest(const struct replay_store *store, const struct question *question,
			      unsigned int *ret_looked_at)
{
	return closest_index_find(store->closest, question, get_question, store, ret_looked_at);
}

static void put_in_place(struct replay_store *store, uint32_t number)
{
	struct replay_asked *asked = replay_store_asked(store, number);
	uint32_t *place = &store->places[asked->hash & (store->place_count - 1)];

	asked->next_in_place = *place;
	*place = number;
}

static void make_room(struct replay_store *store)
{
	if (store->asked.count < store->place_count)
		return;
	store->place_count *= 2;
	store->places = g_renew(uint32_t, store->places, store->place_count);
	memset(store->places, 0xff, store->place_count * sizeof(uint32_t));
	for (uint32_t i = 0; i < store->asked.count; i++)
		put_in_place(store, i);
}

uint32_t replay_store_ask(struct replay_store *store, const struct packet_addr *addr,
			  const uint8_t *mad, unsigned int frame)
{
	struct replay_asked *asked;
	struct question question;
	uint32_t hash, number;
	bool near;

	question_from(addr, mad, store->from_own, &question);
	hash = hash_of(&question);
	number = find(store, &question, hash, &near);
	if (number != REPLAY_NONE && !near)
		return number;
	make_room(store);
	number = rows_add(&store->asked);
	asked = replay_store_asked(store, number);
	*asked = (struct replay_asked){
		.dlid = addr->dlid,
		.frame = frame,
		.hash = hash,
		.last_event = REPLAY_NONE,
		.cursor = REPLAY_NONE,
	};
	memcpy(asked->mad, mad, MAD_SIZE);
	if (addr->has_grh)
		memcpy(asked->dgid, addr->dgid, 16);
	put_in_place(store, number);
	closest_index_add(store->closest, &question, get_question, store);
	return number;
}

/* ---- events ---- */

static uint32_t add_message(struct replay_store *store, const uint8_t *bytes, size_t size)
{
	struct message *message = g_malloc(sizeof(*message) + size);

	message->size = size;
	memcpy(message->bytes, bytes, size);
	g_ptr_array_add(store->messages, message);
	store->message_bytes += sizeof(*message) + size;
	return IS_MESSAGE | (store->messages->len - 1);
}

/* Is it the answer 'number', but for the TID? */
static bool is_same_answer(const struct replay_store *store, uint32_t number, const uint8_t *answer,
			   size_t message_size)
{
	const size_t size = message_size ? message_size : MAD_SIZE;
	const uint8_t *old;
	size_t old_size;

	if (!replay_is_answer(number))
		return false;
	old = replay_store_answer(store, number, &old_size);
	return old_size == message_size && memcmp(old, answer, MAD_TID) == 0 &&
	       memcmp(old + MAD_TID + 8, answer + MAD_TID + 8, size - MAD_TID - 8) == 0;
}

/* The answer's number: that of the answer before it, if only the TID differs. */
static uint32_t keep_answer(struct replay_store *store, uint32_t before, const uint8_t *answer,
			    size_t message_size)
{
	uint32_t number = before == REPLAY_NONE ? REPLAY_NONE :
						  replay_store_at(store, before)->answer;

	if (is_same_answer(store, number, answer, message_size))
		return number;
	if (message_size)
		return add_message(store, answer, message_size);
	number = rows_add(&store->answers);
	memcpy(rows_at(&store->answers, number), answer, MAD_SIZE);
	return number;
}

void replay_store_event(struct replay_store *store, uint32_t asked_number,
			const struct replay_event *event, const uint8_t *answer,
			size_t message_size)
{
	struct replay_asked *asked = replay_store_asked(store, asked_number);
	uint32_t before = asked->last_event, number = rows_add(&store->events);
	struct replay_event *row = rows_at(&store->events, number);

	*row = *event;
	if (answer)
		row->answer = keep_answer(store, before, answer, message_size);
	row->next = number;
	if (before != REPLAY_NONE) {
		struct replay_event *last = rows_at(&store->events, before);

		row->next = last->next;
		last->next = number;
	}
	asked->last_event = number;
}
