/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Less that fails in the same way: see harness/explore/explore-shrink.h.
 *
 * What is less by chance alone hits other packets, and then another seed may fail where the first
 * does not, so that some are tried.
 */
#include "config.h"

#include "harness/explore/explore-shrink.h"

#include <string.h>

#include "harness/explore/explore-switches.h"
#include "lib/words/list.h"
#include "lib/words/number.h"
#include "sim/fabric/fault.h"

enum { OTHER_SEEDS = 7 };

/* On how many packets a fault may act. */
static const unsigned int limits[] = { 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64 };

/* ---- the texts of faults ---- */

/* Its number of packets: a word of digits that belongs to no word before it. NULL: none. */
static const char *find_count(const char *rule, size_t *ret_length)
{
	static const char *const takers[] = { "after", "at", "from", "to", "on", "by" };
	const char *end = rule + strlen(rule), *word = rule;
	bool is_taken = false;

	while (word < end) {
		size_t size = list_word_size(word, " ");

		if (size > 0 && strspn(word, "0123456789") == size && !is_taken) {
			*ret_length = size;
			return word;
		}
		is_taken = false;
		for (size_t i = 0; i < G_N_ELEMENTS(takers); i++)
			is_taken |= size == strlen(takers[i]) && !strncmp(word, takers[i], size);
		word += size + 1;
	}
	return NULL;
}

/* The word "all", which is a number of packets, too. */
static const char *find_all(const char *rule)
{
	const char *all = strstr(rule, " all");

	return all && (all[4] == ' ' || all[4] == '\0') ? all + 1 : NULL;
}

/*
 * The text of a fault that acts on 'count' packets at most, to be freed. NULL: it acts on no more
 * than that anyway, or the text is not understood.
 */
static char *fault_limit(const char *fault, unsigned int count)
{
	size_t size = 0;
	const char *old = find_count(fault, &size);
	g_autofree char *text = NULL;
	struct umadrig_fault parsed;
	uint64_t most = count;
	char message[256];

	if (old)
		number_after(old, "", 10, &most);
	if (old && most <= count)
		return NULL;
	if (!old) {
		old = find_all(fault);
		size = old ? strlen("all") : 0;
	}
	text = old ? g_strdup_printf("%.*s%u%s", (int)(old - fault), fault, count, old + size) :
	       g_strdup_printf("%s %u", fault, count);
	if (fault_text_parse(text, &parsed, message, sizeof(message)) < 0)
		return NULL;
	fault_text_clear(&parsed);
	return g_steal_pointer(&text);
}

/* ---- what is tried ---- */

static void add_point(struct explore_search *search, uint64_t seed, struct schedule schedule,
		      char **faults)
{
	struct explore_point point = {
		.seed = seed, .schedule = schedule, .faults = faults,
		.instant = search->shrunk->point.instant,
	};

	explore_search_add(search, &point);
}

/* With the seed that there is, and others. Takes over 'faults'. */
static void add_with_seeds(struct explore_search *search, bool others, char **faults)
{
	const struct explore_point *point = &search->shrunk->point;
	unsigned int count = others && !search->test->plan.has_seed ? OTHER_SEEDS : 0;

	for (unsigned int i = 1; i <= count; i++)
		add_point(search, point->seed + i, point->schedule, g_strdupv(faults));
	if (others)
		g_strfreev(faults);
	else
		add_point(search, point->seed, point->schedule, faults);
}

/* In order; or with fewer falls of priorities, the first of which are the same. */
static void simpler_schedule(struct explore_search *search)
{
	const struct explore_point *point = &search->shrunk->point;
	struct schedule schedule = point->schedule;

	if (schedule.strategy == SCHEDULE_IN_ORDER || search->test->plan.has_schedule)
		return;
	add_point(search, point->seed, schedule_walk(0), g_strdupv(point->faults));
	for (unsigned int depth = 1; depth < point->schedule.depth; depth++) {
		schedule.depth = depth;
		add_point(search, point->seed, schedule, g_strdupv(point->faults));
	}
	explore_search_step(search);
}

static char **without(char **faults, unsigned int at)
{
	unsigned int count = g_strv_length(faults);
	char **left = g_new0(char *, count);

	for (unsigned int i = 0, to = 0; i < count; i++) {
		if (i != at)
			left[to++] = g_strdup(faults[i]);
	}
	return left;
}

/* Without one of them; first with this seed, and then with others. */
static bool drop_one(struct explore_search *search)
{
	char **faults = search->shrunk->point.faults;
	unsigned int count = g_strv_length(faults);

	for (unsigned int i = 0; i < count; i++)
		add_with_seeds(search, false, without(faults, i));
	if (explore_search_step(search))
		return true;
	for (unsigned int i = 0; i < count; i++)
		add_with_seeds(search, true, without(faults, i));
	return explore_search_step(search);
}

static void limit_one(struct explore_search *search, unsigned int at)
{
	char **faults = search->shrunk->point.faults;

	for (unsigned int i = 0; i < G_N_ELEMENTS(limits); i++) {
		char *limited = fault_limit(faults[at], limits[i]);
		char **less;

		if (!limited)
			break;
		less = g_strdupv(faults);
		g_free(less[at]);
		less[at] = limited;
		add_with_seeds(search, false, g_strdupv(less));
		add_with_seeds(search, true, less);
	}
	explore_search_step(search);
}

/* They are found in the directory of what failed. */
static void fewer_switches(struct explore_search *search, const char *failed)
{
	if (search->shrunk->point.schedule.strategy != SCHEDULE_IN_ORDER &&
	    !search->test->plan.has_schedule)
		explore_switches_shrink(search, search->shrunk->is_less ? search->directory :
							   failed);
}

static void search_all(struct explore_search *search, const char *failed)
{
	simpler_schedule(search);
	if (g_strv_length(search->shrunk->point.faults) > 1) {
		add_with_seeds(search, false, g_new0(char *, 1));
		explore_search_step(search);
	}
	while (g_strv_length(search->shrunk->point.faults) > 0 && drop_one(search))
		continue;
	for (unsigned int i = 0; i < g_strv_length(search->shrunk->point.faults); i++)
		limit_one(search, i);
	fewer_switches(search, failed);
}

int explore_shrink(const struct explore_test *test, unsigned int jobs,
		   const struct explore_result *failure, const char *directory,
		   struct explore_shrunk *ret, int *ret_sig)
{
	struct explore_search search = {
		.test = test, .verdict = &failure->verdict, .directory = directory, .jobs = jobs,
		.points = g_array_new(false, false, sizeof(struct explore_point)),
		.shrunk = ret, .sig = ret_sig,
	};

	*ret = (struct explore_shrunk){ .runs = 0 };
	explore_point_copy(&ret->point, &failure->point);
	search_all(&search, failure->directory);
	g_array_free(search.points, true);
	return search.err;
}

void explore_shrunk_clear(struct explore_shrunk *shrunk)
{
	explore_point_clear(&shrunk->point);
}
