/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Runs a fuzz target over its corpus: the part of fuzzing that `make check` does, with any
 * compiler.
 *
 * The program is called replay-NAME; its corpus is tests/fuzz/corpus-NAME, or the files given. Each
 * file is tried as it is, truncated at up to 256 places, and with a byte or a range changed 256
 * times, always the same ones. A target that knows how to change its input, by a function
 * LLVMFuzzerCustomMutator() as libFuzzer calls it, does so MUTATIONS times, up to GENERATIONS times
 * after each other. One TAP line per file; a crash ends the run, which TAP notices. The last line
 * is about standard error: a target that redirects it would hide a sanitizer's reports.
 *
 * To look for new inputs: make check-fuzz, which replaces this main by libFuzzer's.
 */
#ifndef UMADRIG_FUZZ
#include "config.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/rig/trees.h"

#define VARIANTS 256
#define MUTATIONS 512
#define GENERATIONS 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
	__attribute__((weak));

/* A copy of exactly this size, so that a sanitizer sees a read beyond its end. */
static void try(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static void try_cut(const uint8_t *data, size_t size)
{
	size_t step = size / VARIANTS + 1;

	for (size_t cut = 0; cut < size; cut += step)
		try(data, cut);
}

static void try_changed(const uint8_t *data, size_t size)
{
	uint32_t state = 1;
	uint8_t *copy = g_malloc(size);

	for (unsigned int i = 0; size && i < VARIANTS; i++) {
		size_t at = next_random(&state) % size, from = next_random(&state) % size;
		size_t length = next_random(&state) % 16;

		memcpy(copy, data, size);
		if (i % 2)
			memmove(copy + at, data + from, MIN(length, size - MAX(at, from)));
		else
			copy[at] = (uint8_t)next_random(&state);
		try(copy, size);
	}
	g_free(copy);
}

/* libFuzzer has one of its own. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	static uint32_t state = 1;

	(void)max_size;
	if (size)
		data[next_random(&state) % size] = (uint8_t)next_random(&state);
	return size;
}

static void try_mutated(const uint8_t *data, size_t size)
{
	size_t room = 2 * size + 4096, now = size;
	uint8_t *copy = g_malloc(room);

	for (unsigned int i = 0; LLVMFuzzerCustomMutator && i < MUTATIONS; i++) {
		if (i % GENERATIONS == 0) {
			memcpy(copy, data, size);
			now = size;
		}
		now = LLVMFuzzerCustomMutator(copy, now, room, i + 1);
		try(copy, now);
	}
	g_free(copy);
}

static bool replay(const char *path, unsigned int number)
{
	char *text;
	gsize size;

	if (!g_file_get_contents(path, &text, &size, NULL)) {
		printf("not ok %u - %s cannot be read\n", number, path);
		return false;
	}
	printf("# %s\n", path);
	fflush(stdout);
	try((const uint8_t *)text, size);
	try_cut((const uint8_t *)text, size);
	try_changed((const uint8_t *)text, size);
	try_mutated((const uint8_t *)text, size);
	g_free(text);

	char *name = g_path_get_basename(path);

	printf("ok %u - %s\n", number, name);
	g_free(name);
	return true;
}

/* Which file standard error is, by device and inode. */
static struct stat look_at_stderr(void)
{
	struct stat st = { .st_dev = 0 };

	fstat(STDERR_FILENO, &st);
	return st;
}

static bool check_stderr(const struct stat *before, unsigned int number)
{
	struct stat now = look_at_stderr();
	bool ok = now.st_dev == before->st_dev && now.st_ino == before->st_ino;

	printf("%s %u - standard error is where it was\n", ok ? "ok" : "not ok", number);
	return ok;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_corpus(GPtrArray *files, const char *program)
{
	const char *name = strstr(program, "replay-");
	char *folder = g_strconcat("corpus-", name ? name + strlen("replay-") : "", NULL);
	g_autofree char *corpora = source_path("tests/fuzz");
	char *path = g_build_filename(corpora, folder, NULL);
	GDir *directory = g_dir_open(path, 0, NULL);
	const char *entry;

	while (directory && (entry = g_dir_read_name(directory)))
		g_ptr_array_add(files, g_build_filename(path, entry, NULL));
	if (directory)
		g_dir_close(directory);
	g_ptr_array_sort(files, by_name);
	g_free(path);
	g_free(folder);
}

int main(int argc, char **argv)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	const struct stat before = look_at_stderr();
	unsigned int failed = 0;

	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-')
			g_ptr_array_add(files, g_strdup(argv[i]));
	if (!files->len) {
		char *program = g_path_get_basename(argv[0]);

		add_corpus(files, program);
		g_free(program);
	}
	if (!files->len) {
		printf("1..1\nnot ok 1 - no corpus found\n");
		return 1;
	}
	printf("1..%u\n", files->len + 1);
	for (unsigned int i = 0; i < files->len; i++)
		failed += !replay(files->pdata[i], i + 1);
	failed += !check_stderr(&before, files->len + 1);
	g_ptr_array_unref(files);
	return failed > 0;
}

#endif
