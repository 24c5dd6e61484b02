/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where the sources and the build are, for tests that read files: what "make check" says, otherwise
 * (a test that is started by hand, from whatever directory) what the test was built from.
 */
#ifndef UMADRIG_TESTS_RIG_TREES_H
#define UMADRIG_TESTS_RIG_TREES_H

/* The path of a file below the top of either; to be freed with g_free(). */
char *source_path(const char *path);
char *build_path(const char *path);

#endif
