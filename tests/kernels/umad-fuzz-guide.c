/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What leads umad-fuzz: see tests/kernels/umad-fuzz-guide.h. */
#include "config.h"

#include "tests/kernels/umad-fuzz-guide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/hca-edges.h"
#include "sim/capture/capture.h"

enum {
	KEPT_STEPS = 6,			/* operations that are kept, where the last found a way */
	CHANGES = 4,
	GUIDED_ONE_IN = 16,		/* what was kept is begun with as often */
};

/* ---- its life ---- */

static void free_kept(void *data)
{
	g_ptr_array_free(data, true);
}

static void free_capture(void *data)
{
	capture_free(data);
}

void guide_init(struct guide *guide)
{
	*guide = (struct guide){
		.seen = g_malloc0(UMADRIG_EDGES),
		.kept = g_ptr_array_new_with_free_func(free_kept),
		.samples = g_ptr_array_new_with_free_func(free_capture),
		.plan = g_queue_new(), .past = g_queue_new(),
	};
}

void guide_clear(struct guide *guide)
{
	const char *path = getenv(UMADRIG_EDGES_VARIABLE);

	if (guide->counts && path)
		unlink(path);
	if (guide->counts)
		munmap(guide->counts, UMADRIG_EDGES);
	g_ptr_array_free(guide->samples, true);
	g_ptr_array_free(guide->kept, true);
	g_free(guide->seen);
	g_queue_free(guide->plan);
	g_queue_free(guide->past);
}

/* ---- the ways of the kernel ---- */

bool guide_count(struct guide *guide)
{
	g_autofree char *path = NULL;
	int fd = g_file_open_tmp("umad-fuzz-XXXXXX", &path, NULL);
	void *map = MAP_FAILED;

	if (fd >= 0 && ftruncate(fd, UMADRIG_EDGES) == 0)
		map = mmap(NULL, UMADRIG_EDGES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (map == MAP_FAILED) {
		fputs("umad-fuzz: no file for counters in TMPDIR\n", stderr);
		return false;
	}
	setenv(UMADRIG_EDGES_VARIABLE, path, true);
	guide->counts = map;
	return true;
}

/* ---- MADs of captures ---- */

bool guide_add_samples(struct guide *guide, const char *path)
{
	char message[1024] = "";
	struct capture *capture = capture_read(path, message, sizeof(message));

	if (!capture) {
		fprintf(stderr, "umad-fuzz: %s\n", message);
		return false;
	}
	guide->sample_count += capture->mad_count;
	g_ptr_array_add(guide->samples, capture);
	return true;
}

const uint8_t *guide_sample(const struct guide *guide, uint64_t number)
{
	const struct capture *capture = g_ptr_array_index(guide->samples, 0);

	for (guint i = 1; number >= capture->mad_count; i++) {
		number -= capture->mad_count;
		capture = g_ptr_array_index(guide->samples, i);
	}
	return capture->mads[number].mad;
}

/* ---- operations ---- */

struct step *guide_step_new(unsigned int operation)
{
	struct step *step = g_new0(struct step, 1);

	step->operation = operation;
	step->drawn = g_array_new(false, false, sizeof(uint64_t));
	return step;
}

static struct step *step_copy(const struct step *of)
{
	struct step *step = guide_step_new(of->operation);

	if (of->drawn->len)
		g_array_append_vals(step->drawn, of->drawn->data, of->drawn->len);
	return step;
}

static void step_free(void *data)
{
	struct step *step = data;

	g_array_free(step->drawn, true);
	g_free(step);
}

/* A bit for 1, 2, 3, 4 to 7, 8 to 15, to 31, to 127, and more: the classes of AFL. */
static uint8_t how_often(uint8_t count)
{
	static const uint8_t least[] = { 1, 2, 3, 4, 8, 16, 32, 128 };
	unsigned int i = G_N_ELEMENTS(least) - 1;

	while (count < least[i])
		i--;
	return (uint8_t)(1u << i);
}

bool guide_look(struct guide *guide)
{
	bool ret = false;

	for (size_t i = 0; i < UMADRIG_EDGES; i += sizeof(uint64_t)) {
		uint64_t some;

		memcpy(&some, guide->counts + i, sizeof(some));
		for (size_t k = i; some && k < i + sizeof(some); k++) {
			uint8_t often = guide->counts[k] ? how_often(guide->counts[k]) : 0;

			guide->edges += often && !guide->seen[k];
			ret |= often && !guide->seen[k];
			guide->seen[k] |= often;
			guide->counts[k] = 0;
		}
	}
	return ret;
}

static void keep(struct guide *guide, bool (*is_kept)(unsigned int operation))
{
	GPtrArray *steps = g_ptr_array_new_with_free_func(step_free);

	for (GList *past = guide->past->head; past; past = past->next) {
		const struct step *step = past->data;

		if (is_kept(step->operation))
			g_ptr_array_add(steps, step_copy(step));
	}
	if (steps->len)
		g_ptr_array_add(guide->kept, steps);
	else
		g_ptr_array_free(steps, true);
}

/* Of what was drawn, mostly the first and the last means something; between is what a MAD has. */
static void change_step(struct chance *chance, struct step *step)
{
	uint64_t count = step->drawn->len, at, *number;

	if (count == 0)
		return;
	at = chance_below(chance, count);
	if (chance_below(chance, 3) == 0)
		at = chance_below(chance, MIN(count, 16));
	else if (chance_below(chance, 2) == 0)
		at = count - 1 - chance_below(chance, MIN(count, 32));
	number = &g_array_index(step->drawn, uint64_t, at);
	*number = chance_below(chance, 2) ? *number + 1 : chance_next(chance);
}

/* Some of what was kept is to be done again; what was found late more often. */
static void plan(struct guide *guide)
{
	struct chance *chance = &guide->chance;
	uint64_t one = chance_below(chance, guide->kept->len);
	uint64_t other = chance_below(chance, guide->kept->len);
	const GPtrArray *steps = g_ptr_array_index(guide->kept, MAX(one, other));

	for (guint i = (guint)chance_below(chance, steps->len); i < steps->len; i++) {
		if (i + 1 == steps->len || chance_below(chance, 2) != 0)
			g_queue_push_tail(guide->plan, step_copy(g_ptr_array_index(steps, i)));
	}
	for (uint64_t i = chance_below(chance, CHANGES); i > 0 && guide->plan->length; i--) {
		guint at = (guint)chance_below(chance, guide->plan->length);

		change_step(chance, g_queue_peek_nth(guide->plan, at));
	}
}

struct step *guide_next(struct guide *guide)
{
	if (!guide->plan->length && guide->kept->len &&
	    chance_below(&guide->chance, GUIDED_ONE_IN) == 0)
		plan(guide);
	return g_queue_pop_head(guide->plan);
}

void guide_done(struct guide *guide, struct step *step, bool (*is_kept)(unsigned int operation))
{
	g_queue_push_tail(guide->past, step);
	if (guide->past->length > KEPT_STEPS)
		step_free(g_queue_pop_head(guide->past));
	if (guide_look(guide))
		keep(guide, is_kept);
}

void guide_begin(struct guide *guide, uint64_t seed)
{
	chance_init(&guide->chance, seed, "umad-fuzz guide");
}

static void free_all(GQueue *steps)
{
	while (steps->length)
		step_free(g_queue_pop_head(steps));
}

void guide_end(struct guide *guide)
{
	free_all(guide->plan);
	free_all(guide->past);
}
