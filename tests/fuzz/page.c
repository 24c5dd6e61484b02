/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: a capture of any bytes becomes a page, as `umadrig report` writes it, or is refused
 * with a message. The page is XML without control characters, has all its parts, and is the same
 * each time.
 */
#include "config.h"

#include <glib.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/report/capture-report.h"
#include "tests/fuzz/form-check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* NULL: refused; g_string_free() frees it. */
static GString *write_page(const char *path)
{
	GString *page = g_string_new(NULL);
	g_autoptr(GError) error = NULL;
	bool ok = capture_report(page, path, &error);

	g_assert(ok == !error);
	g_assert(ok || (error->code == COMMAND_FAILED && !page->len));
	if (!ok) {
		g_string_free(page, true);
		return NULL;
	}
	return page;
}

static void check_page(const GString *page)
{
	static const char *const parts[] = {
		"<h2>Summary</h2>", "<h2>Fabric</h2>", "<h2>Ladder</h2>",
		"<h2>What has changed</h2>", "<h2>What was lost, and why</h2>",
		"<h2>Conversations</h2>",
	};
	const char *at = page->str;

	g_assert(strlen(page->str) == page->len);
	form_check_text(page->str, page->len);
	form_check_xml(page->str, page->len);
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		at = strstr(at, parts[i]);
		g_assert_nonnull(at);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	GString *page, *again;

	g_assert(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	page = write_page(path);
	again = write_page(path);
	g_assert(!page == !again && (!page || g_string_equal(page, again)));
	if (page) {
		check_page(page);
		g_string_free(page, true);
		g_string_free(again, true);
	}
	close(fd);
	return 0;
}
