/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Two kernels, the same steps: see tests/kernels/duel.h.
 *
 * 	duel				tests itself, without any kernel; prints TAP
 * 	duel 6.12			kmod-stub against a built kernel, by name or file
 * 	duel --seed 17 --count 100000 ./k.so
 * 	duel stub:linux-6.1 stub:linux-6.12	kmod-stub against itself with another profile
 * 	duel --seed 17 --trace ./k.so	one sequence as it was drawn, and both logs
 *
 * The exit status is 1 if something differs, 2 after a mistake.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/kernels/built-kernel.h"
#include "tests/kernels/duel.h"
#include "tests/rig/trees.h"

enum {
	SELF_SEEDS = 300,	/* of a test */
	DIFFERENCES_MAX = 20,	/* then it ends */
};

static int64_t first_seed = 1;
static int64_t operations = 100000;
static int trace;
static char **side_words;

static const GOptionEntry options[] = {
	{ "seed", 0, 0, G_OPTION_ARG_INT64, &first_seed, "Of the first sequence", "N" },
	{ "count", 0, 0, G_OPTION_ARG_INT64, &operations, "How many operations", "N" },
	{ "trace", 0, 0, G_OPTION_ARG_NONE, &trace, "One sequence, and all that is seen", NULL },
	{ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &side_words, NULL,
	  "KERNEL [KERNEL]" },
	{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
};

/* ---- a kernel that ends the process ---- */

static char last_words[200];

static void say_seed(int number)
{
	ssize_t ignored = write(STDOUT_FILENO, last_words, strlen(last_words));

	(void)ignored;
	signal(number, SIG_DFL);
	raise(number);
}

/* ---- what differs ---- */

static void print_sequence(const struct duel_sequence *sequence)
{
	for (unsigned int i = 0; i < sequence->count; i++) {
		g_autoptr(GString) words = g_string_new(NULL);

		duel_step_print(&sequence->steps[i], words);
		printf("#   %u: %s\n", i, words->str);
	}
}

static char *sequence_text(const struct duel_sequence *sequence)
{
	GString *text = g_string_new(NULL);

	for (unsigned int i = 0; i < sequence->count; i++) {
		duel_step_print(&sequence->steps[i], text);
		g_string_append_c(text, '\n');
	}
	return g_string_free(text, false);
}

/* What of 'line' is not in 'other', and what is before that, if that is much. */
static void print_line(const char *name, const char *line, const char *other)
{
	enum { BEFORE = 200, AROUND = 40, SHOWN = 300 };
	size_t same = 0;

	while (line[same] && line[same] == other[same])
		same++;
	if (*line == '\0')
		printf("# %s: nothing more\n", name);
	else if (same < BEFORE)
		printf("# %s: %.*s\n", name, SHOWN, line);
	else
		printf("# %s: %.*s ... %.*s\n", name, BEFORE - AROUND, line, AROUND * 2,
		       line + same - AROUND);
}

static void print_difference(const struct duel_sequence *sequence,
			     const struct duel_side sides[2], uint64_t seed)
{
	struct duel_difference difference = { .step = -1 };

	duel_differs(sequence, sides, &difference);
	printf("# seed %" PRIu64 " is answered differently; the shortest such sequence:\n", seed);
	print_sequence(sequence);
	for (unsigned int i = 0; i < 2; i++)
		print_line(sides[i].name, difference.lines[i], difference.lines[!i]);
	printf("# replay: duel --seed %" PRIu64 " --count 1", seed);
	for (char **word = side_words; word && *word; word++)
		printf(" %s", *word);
	printf("\n");
	fflush(stdout);
	duel_difference_clear(&difference);
}

/* ---- sides ---- */

static bool find_side(const char *word, struct duel_side *ret)
{
	const struct built_kernel *built;
	char message[300];

	ret->name = word;
	ret->kernel = &kmod_stub;
	if (g_str_has_prefix(word, "stub:")) {
		if (kmod_profile_find(word + strlen("stub:"), &ret->profile))
			return true;
		fprintf(stderr, "duel: %s: no such profile; expected stub:linux-6.12\n", word);
		return false;
	}
	built = built_kernel_find(word, message, sizeof(message));
	if (!built) {
		fprintf(stderr, "duel: %s\n", message);
		return false;
	}
	ret->name = built->kernel->name;
	ret->kernel = built->kernel;
	ret->profile = built->profile;
	return true;
}

/* One word: kmod-stub, as that kernel should be, and the kernel. */
static bool find_sides(struct duel_side sides[2])
{
	if (!find_side(side_words[0], &sides[1]))
		return false;
	if (side_words[1]) {
		sides[0] = sides[1];
		return find_side(side_words[1], &sides[1]);
	}
	sides[0] = (struct duel_side){
		.name = g_strdup_printf("kmod-stub as %s", kmod_profile_name(sides[1].profile)),
		.kernel = &kmod_stub,
		.profile = sides[1].profile,
	};
	return true;
}

/* ---- many sequences ---- */

static void print_trace(const struct duel_sequence *sequence, const struct duel_side sides[2])
{
	print_sequence(sequence);
	for (unsigned int i = 0; i < 2; i++) {
		g_autoptr(GString) log = g_string_new(NULL);

		duel_play(sequence, &sides[i], log);
		printf("%s:\n%s", sides[i].name, log->str);
	}
}

static int fight(const struct duel_side sides[2])
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int64_t done = 0, differ = 0;
	struct duel_sequence sequence;

	for (uint64_t seed = (uint64_t)first_seed; done < operations; seed++) {
		g_snprintf(last_words, sizeof(last_words), "# seed %" PRIu64 " ends the process\n",
			   seed);
		duel_draw(&sequence, seed);
		done += sequence.count;
		if (!duel_differs(&sequence, sides, NULL))
			continue;
		differ++;
		duel_shrink(&sequence, sides);
		if (!g_hash_table_add(seen, sequence_text(&sequence)))
			continue;
		print_difference(&sequence, sides, seed);
		if (g_hash_table_size(seen) >= DIFFERENCES_MAX)
			break;
	}
	printf("# %s against %s: %" PRId64 " operations, %" PRId64 " sequences differ, in %u "
	       "ways\n", sides[0].name, sides[1].name, done, differ, g_hash_table_size(seen));
	return differ ? 1 : 0;
}

/* ---- tests ---- */

static struct duel_side stub(enum kmod_profile profile)
{
	return (struct duel_side){ kmod_profile_name(profile), &kmod_stub, profile };
}

static char *digest(const struct duel_side *side)
{
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char *text;

	for (uint64_t seed = 1; seed <= SELF_SEEDS; seed++) {
		g_autoptr(GString) log = g_string_new(NULL);
		struct duel_sequence sequence;

		duel_draw(&sequence, seed);
		duel_play(&sequence, side, log);
		g_checksum_update(sum, (const guchar *)log->str, (gssize)log->len);
	}
	text = g_strdup(g_checksum_get_string(sum));
	g_checksum_free(sum);
	return text;
}

static void test_twice(void)
{
	const struct duel_side side = stub(KMOD_LINUX_7_2);
	g_autofree char *first = digest(&side), *second = digest(&side);

	g_assert_cmpstr(first, ==, second);
}

/* kmod-stub in a shared object is kmod-stub. */
static void test_same(void)
{
	g_autofree char *file = build_path(".libs/kernel-6-12.so");
	struct duel_sequence sequence;
	struct duel_side sides[2];

	g_assert_true(find_side(file, &sides[1]));
	sides[0] = stub(sides[1].profile);
	for (uint64_t seed = 1; seed <= SELF_SEEDS; seed++) {
		duel_draw(&sequence, seed);
		g_assert_false(duel_differs(&sequence, sides, NULL));
	}
}

/* Profiles that differ in one way: the sequences that show it, and how few steps that takes. */
static const struct {
	const char *what;
	enum kmod_profile one, other;
	unsigned int steps_max;
} unlike[] = {
	{ "the gate", KMOD_LINUX_6_12, KMOD_LINUX_6_1, 4 },
	{ "flow control", KMOD_LINUX_6_12, KMOD_LINUX_6_17, 8 },
	{ "files of devices that are gone", KMOD_LINUX_6_12, KMOD_LINUX_5_10, 4 },
};

static void test_unlike(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(unlike); i++) {
		const struct duel_side sides[] = { stub(unlike[i].one), stub(unlike[i].other) };
		struct duel_sequence sequence;
		uint64_t seed = 1;

		for (duel_draw(&sequence, seed); !duel_differs(&sequence, sides, NULL);
		     duel_draw(&sequence, ++seed))
			g_assert_cmpuint(seed, <, 20 * SELF_SEEDS);
		duel_shrink(&sequence, sides);
		print_difference(&sequence, sides, seed);
		g_assert_cmpuint(sequence.count, <=, unlike[i].steps_max);
		g_assert_true(duel_differs(&sequence, sides, NULL));
	}
}

static void test_step(void)
{
	struct duel_step step = { .kind = DUEL_READ, .numbers = { [DUEL_FILE] = 2,
								  [DUEL_COUNT] = 64 } };
	g_autoptr(GString) text = g_string_new(NULL);

	duel_step_print(&step, text);
	g_assert_cmpstr(text->str, ==, "read file=2@B count=64");
	g_assert_false(duel_step_simplify(&step, DUEL_MS, 0));
	g_assert_true(duel_step_simplify(&step, DUEL_COUNT, 1));
	g_assert_false(duel_step_simplify(&step, DUEL_COUNT, 1));
	g_assert_true(duel_step_simplify(&step, DUEL_COUNT, 0));
	g_string_truncate(text, 0);
	duel_step_print(&step, text);
	g_assert_cmpstr(text->str, ==, "read file=2@B");
}

static int test_itself(void)
{
	g_test_add_func("/duel/step", test_step);
	g_test_add_func("/duel/twice", test_twice);
	g_test_add_func("/duel/same", test_same);
	g_test_add_func("/duel/unlike", test_unlike);
	return g_test_run();
}

int main(int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) error = NULL;
	struct duel_side sides[2];
	struct duel_sequence sequence;

	g_option_context_add_main_entries(context, options, NULL);
	g_option_context_set_ignore_unknown_options(context, true);
	if (!g_option_context_parse(context, &argc, &argv, &error)) {
		fprintf(stderr, "duel: %s\n", error->message);
		return 2;
	}
	if (!side_words) {
		g_test_init(&argc, &argv, NULL);
		return test_itself();
	}
	if (argc > 1) {
		fprintf(stderr, "duel: %s: no such option\n", argv[1]);
		return 2;
	}
	signal(SIGABRT, say_seed);
	signal(SIGSEGV, say_seed);
	if (!find_sides(sides))
		return 2;
	if (!trace)
		return fight(sides);
	duel_draw(&sequence, (uint64_t)first_seed);
	print_trace(&sequence, sides);
	return 0;
}
