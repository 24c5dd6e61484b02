/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whatever variables a program is started with, and however much the kernel tells it of itself, its
 * stack begins at one address (lib/base/environment-padding.h).
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "lib/base/environment-padding.h"

extern char **environ;

enum { VARIABLES = 40, POINTER = sizeof(char *), NO_TYPE = 16 /* AT_NULL, which all have */ };

/* 'count' variables of 'length' bytes each; to be freed with g_strfreev(). */
static char **make(unsigned int count, unsigned int length)
{
	char **env = g_new0(char *, count + ENVIRONMENT_PADDING_VARIABLES + 1);

	for (unsigned int i = 0; i < count; i++)
		env[i] = g_strnfill(length, 'A');
	return env;
}

static size_t size_of(char *const *env)
{
	size_t size = 0;

	for (; *env; env++)
		size += POINTER + strlen(*env) + 1;
	return size;
}

/* From the kernel, and not by its entries. */
static size_t auxiliary_vector_size(void)
{
	g_autofree char *bytes = NULL;
	gsize size = 0;

	g_assert_true(g_file_get_contents("/proc/self/auxv", &bytes, &size, NULL));
	return size - NO_TYPE;
}

static void test_sizes(void)
{
	const size_t auxiliary = auxiliary_vector_size();

	g_assert_cmpuint(auxiliary, >, 0);
	for (unsigned int count = 1; count <= VARIABLES; count++) {
		for (unsigned int length = 1; length < 4096; length = length * 2 + 1) {
			static struct environment_padding padding, again;
			char **env = make(count, length);
			size_t size;

			environment_pad(env, &padding);
			size = size_of(env);
			g_assert_cmpuint((size + auxiliary) % ENVIRONMENT_PADDED, ==, 0);
			g_assert_true(environment_is_padded(env));
			environment_pad(env, &again);
			g_assert_cmpuint(size_of(env), ==, size);
			for (unsigned int i = 0; i < count; i++)
				g_free(env[i]);
			g_free(env);
		}
	}
	g_assert_false(environment_is_padded(NULL));
}

/* Where the stack of a program with this environment begins, as it says. */
static char *stack_of(unsigned int count, unsigned int length)
{
	static struct environment_padding padding;
	char *argv[] = { (char *)"/proc/self/exe", (char *)"where", NULL };
	char **env = make(count, length), *said = NULL;
	GError *error = NULL;

	environment_pad(env, &padding);
	g_spawn_sync(NULL, argv, env, G_SPAWN_DEFAULT, NULL, NULL, &said, NULL, NULL, &error);
	g_assert_no_error(error);
	for (unsigned int i = 0; i < count; i++)
		g_free(env[i]);
	g_free(env);
	return said;
}

static void test_stack(void)
{
	static const unsigned int counts[] = { 1, 2, 3, 10, 33 };
	g_autofree char *first = NULL;
	const int before = personality(0xffffffff);

	if (before < 0 || personality((unsigned int)before | ADDR_NO_RANDOMIZE) < 0) {
		g_test_skip("addresses cannot be fixed here");
		return;
	}
	first = stack_of(1, 1);
	g_assert_true(g_str_has_prefix(first, "stack 0x"));
	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		for (unsigned int length = 1; length < 900; length += 101) {
			g_autofree char *said = stack_of(counts[i], length);

			g_assert_cmpstr(said, ==, first);
		}
	}
	personality((unsigned int)before);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "where") == 0) {
		printf("stack %p\n", (void *)environ);
		return 0;
	}
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/environment-padding/sizes", test_sizes);
	g_test_add_func("/environment-padding/stack", test_stack);
	return g_test_run();
}
