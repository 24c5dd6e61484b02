/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Whatever the kernel maps into a program, and however large ld.so's cache is, the libraries behind
 * both begin at one address (lib/base/mapping-base.h).
 */
#include <glib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/base/mapping-base.h"
#include "sim/process/kernel-mapped.h"

enum { PAGE = 4096 };

/* They are beside each other, and the address of the last one is known from elsewhere. */
static void test_size(void)
{
	uint64_t size = kernel_mapped_size(), vdso = getauxval(AT_SYSINFO_EHDR), end = 0;
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (vdso == 0) {
		g_assert_cmpuint(size, ==, 0);
		g_test_skip("the kernel has mapped nothing");
		return;
	}
	g_assert_true(g_file_get_contents("/proc/self/maps", &text, NULL, NULL));
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		if (strstr(*line, "[vdso]"))
			end = g_ascii_strtoull(strchr(*line, '-') + 1, NULL, 16);
	}
	g_assert_cmpuint(end, >, vdso);
	/* What begins as much before the end as that is the first of them. */
	g_assert_cmpuint(size, >=, end - vdso);
	for (char **line = lines; *line; line++) {
		if (g_ascii_strtoull(*line, NULL, 16) == end - size) {
			g_assert_nonnull(strstr(*line, size == end - vdso ? "[vdso]" : "[vvar"));
			return;
		}
	}
	g_error("nothing begins %" G_GUINT64_FORMAT " bytes before the end of the vdso", size);
}

/* From the end of the stack's room: what is mapped there, and where the libraries begin. */
static void test_base(void)
{
	static const uint64_t caches[] = { 0, 1, PAGE, 30000, 160 << 10, MAPPING_BASE_CACHE_MAX };
	static const uint64_t kernels[] = { 0, 2 * PAGE, 6 * PAGE, 8 * PAGE, 16 * PAGE };

	for (size_t i = 0; i < G_N_ELEMENTS(caches); i++) {
		for (size_t j = 0; j < G_N_ELEMENTS(kernels); j++) {
			uint64_t limit = mapping_base_limit(caches[i], kernels[j], PAGE);
			uint64_t cache = (caches[i] + PAGE - 1) / PAGE * PAGE;

			g_assert_cmpuint(limit + kernels[j] + cache, ==, MAPPING_BASE_MAX);
			g_assert_true(mapping_base_is_raised(limit));
		}
	}
	g_assert_true(mapping_base_is_raised(
		mapping_base_limit(UINT64_MAX / 2, UINT64_MAX / 2, PAGE)));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/kernel-mapped/size", test_size);
	g_test_add_func("/kernel-mapped/base", test_base);
	return g_test_run();
}
