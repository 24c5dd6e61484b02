/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * replay: what it costs to look up a request in a capture.
 *
 *	replay [--smoke]
 *
 * The processor time of looking up one question among 1,000,000, as a multiple of that among 1,000:
 * one that is there, in the order of the capture and at random; and the closest one to a question
 * that is not there, with the words about it. Measured alternately, medians count. Random look-ups
 * among a million miss the caches, which is a factor of its own; with how many questions a look-up
 * of the closest compares is exact.
 * --smoke: with fewer questions, TAP; what is found is checked, times are not.
 */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/capture/replay-closest.h"
#include "sim/capture/replay-store.h"

enum {
	FEW = 1000,
	MANY = 1000000, MANY_SMOKE = 20000,
	LOOK_UPS = 20000, LOOK_UPS_SMOKE = 500,
	ROUNDS = 7,
};

enum way { IN_ORDER, AT_RANDOM, CLOSEST, WAYS };

static const char *const way_names[WAYS] = {
	[IN_ORDER] = "in the order of the capture",
	[AT_RANDOM] = "at random",
	[CLOSEST] = "the closest of what is not there",
};

struct asked {
	struct replay_store *store;
	uint32_t count;
	unsigned int looked_at;		/* at most, of a look-up of the closest */
};

static bool smoke;
static unsigned int failures;

/* ---- questions ---- */

/* PortCounters of each port of each LID, as perfquery asks for them. */
static void make_question(uint32_t number, bool is_there, struct packet_addr *addr, uint8_t *mad)
{
	memset(mad, 0, MAD_SIZE);
	memcpy(mad, (const uint8_t[]){ 1, MAD_CLASS_PERF, 1, MAD_METHOD_GET }, 4);
	put_be16(mad + MAD_ATTR_ID, 0x12);
	put_be32(mad + MAD_ATTR_MOD, number / 40000 + (is_there ? 0 : 100));
	*addr = (struct packet_addr){ .dlid = (uint16_t)(1 + number % 40000) };
}

static void fill(struct asked *asked, uint32_t count)
{
	asked->store = replay_store_new(false);
	asked->count = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct replay_event event = { .frame = i, .answer = REPLAY_NONE };
		struct packet_addr addr;
		uint8_t mad[MAD_SIZE];
		uint32_t number;

		make_question(i, true, &addr, mad);
		number = replay_store_ask(asked->store, &addr, mad, i);
		replay_store_event(asked->store, number, &event, NULL, 0);
	}
}

/* ---- looking up ---- */

/* As for a request that is not in a capture. */
static void explain(const struct asked *asked, uint32_t found, const struct question *question)
{
	struct question have;
	char text[512];

	replay_store_question(asked->store, replay_store_asked(asked->store, found), &have);
	question_format(question, text, sizeof(text));
	question_format_difference(&have, question, text, sizeof(text));
	if (!strstr(text, "modifier"))
		failures++;
}

static void look_up(struct asked *asked, enum way way, uint32_t number)
{
	struct packet_addr addr;
	struct question question;
	uint8_t mad[MAD_SIZE];
	unsigned int looked_at;
	uint32_t found;
	bool near;

	make_question(number, way != CLOSEST, &addr, mad);
	question_from(&addr, mad, false, &question);
	if (way != CLOSEST) {
		if (replay_store_find(asked->store, &question, &near) != number || near)
			failures++;
		return;
	}
	if (replay_store_find(asked->store, &question, &near) != REPLAY_NONE)
		failures++;
	found = replay_store_closest(asked->store, &question, &looked_at);
	/* Of another modifier at the same LID. */
	if (found == REPLAY_NONE ||
	    replay_store_asked(asked->store, found)->dlid != addr.dlid)
		failures++;
	asked->looked_at = MAX(asked->looked_at, looked_at);
	if (found != REPLAY_NONE)
		explain(asked, found, &question);
}

/* Nanoseconds of processor time for one look-up. */
static double measure(struct asked *asked, enum way way)
{
	const uint32_t count = smoke ? LOOK_UPS_SMOKE : LOOK_UPS;
	uint32_t number = 0;
	struct timespec begin, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (uint32_t i = 0; i < count; i++) {
		number = way == IN_ORDER ? i : number * 1664525 + 1013904223;
		look_up(asked, way, (number >> (way == IN_ORDER ? 0 : 8)) % asked->count);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	return ((double)(end.tv_sec - begin.tv_sec) * 1e9 +
		(double)(end.tv_nsec - begin.tv_nsec)) / count;
}

static int by_value(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return values[count / 2];
}

static void compare(struct asked *few, struct asked *many, enum way way)
{
	double of_few[ROUNDS], of_many[ROUNDS], least, most;
	unsigned int rounds = smoke ? 1 : ROUNDS;

	for (unsigned int round = 0; round < rounds; round++) {
		of_few[round] = measure(few, way);
		of_many[round] = measure(many, way);
	}
	if (smoke)
		return;
	least = median(of_few, rounds);
	most = median(of_many, rounds);
	printf("%-36s%8.0f ns among %u,%8.0f ns among %u: %.2f times\n", way_names[way], least,
	       few->count, most, many->count, most / least);
}

int main(int argc, char **argv)
{
	struct asked few = { .store = NULL }, many = { .store = NULL };

	smoke = argc > 1 && strcmp(argv[1], "--smoke") == 0;
	if (smoke)
		printf("1..2\n");
	fill(&few, FEW);
	fill(&many, smoke ? MANY_SMOKE : MANY);
	for (unsigned int way = 0; way < WAYS; way++)
		compare(&few, &many, way);
	if (smoke) {
		printf("%sok 1 - what is asked is found, or one that is like it\n",
		       failures ? "not " : "");
		printf("%sok 2 - the closest is found in bounded time\n",
		       many.looked_at && many.looked_at <= CLOSEST_LOOK_AT_MAX ? "" : "not ");
	} else {
		printf("the closest: compared with at most %u of %u, and %u of %u\n",
		       few.looked_at, few.count, many.looked_at, many.count);
	}
	replay_store_free(few.store);
	replay_store_free(many.store);
	return failures != 0;
}
