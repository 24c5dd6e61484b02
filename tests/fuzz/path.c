/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Fuzz target: whatever a program's path is, what it is resolved to is absolute and clean, resolves
 * to itself, and never leads to a real device. The lines of the input: the directory that the path
 * is relative to, the path, and where links of /proc lead.
 */
#include "config.h"

#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/filter/path.h"
#include "lib/base/sysfs-place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition) do { if (!(condition)) abort(); } while (0)

static bool follow(void *context, const struct path_link *link, char *target)
{
	const struct path *leads = context;

	CHECK(link->process >= 0);
	if (link->kind == PATH_LINK_FD && link->fd > 3)
		return false;
	strcpy(target, leads->text);
	return true;
}

static void check_clean(const char *text)
{
	CHECK(text[0] == '/' && strlen(text) < PATH_MAX);
	if (text[1] == '\0')
		return;
	for (const char *at = text; *at;) {
		size_t length = strcspn(at + 1, "/");

		CHECK(length > 0 && !(length == 1 && at[1] == '.') &&
		      !(length == 2 && at[1] == '.' && at[2] == '.'));
		at += 1 + length;
	}
}

/* A second time nothing changes. */
static void check_again(const struct path *path, bool hides_real)
{
	struct path again;

	CHECK(path_resolve(&again, "/", path->text, true, path_follow_none, NULL) == 0);
	CHECK(strcmp(again.text, path->text) == 0);
	path_classify(&again, hides_real);
	CHECK(again.kind == path->kind && strcmp(again.text, path->text) == 0);
}

/* What is the kernel's business must not name what it may not see. */
static void check_kind(const struct path *path, bool hides_real)
{
	bool is_shown = g_str_has_prefix(path->text, "/sys/") &&
			sysfs_place_is_ours(path->text + strlen("/sys/"));
	bool is_node = g_str_has_prefix(path->text, "/dev/infiniband/");
	bool is_kernels = path->kind == PATH_ELSEWHERE || path->kind == PATH_DOOR;

	CHECK((path->kind == PATH_SHOWN) == is_shown);
	CHECK((path->kind != PATH_UMAD && path->kind != PATH_ISSM) || is_node);
	CHECK(!(is_node && is_kernels));
	if (is_kernels && g_str_has_prefix(path->text, "/sys/")) {
		CHECK(!strstr(path->text, "/infiniband/") && !strstr(path->text, "/infiniband_"));
		CHECK(path->kind == PATH_DOOR || !hides_real);
	}
}

static void check(const struct path *base, const char *text, struct path *leads, bool hides_real)
{
	struct path path;

	if (path_resolve(&path, base->text, text, true, follow, leads) < 0)
		return;
	check_clean(path.text);
	path_classify(&path, hides_real);
	check_clean(path.text);
	check_kind(&path, hides_real);
	check_again(&path, hides_real);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *all = g_strndup((const char *)data, MIN(size, 3 * PATH_MAX));
	g_auto(GStrv) lines = g_strsplit(all, "\n", 3);
	struct path base, leads, path;

	if (g_strv_length(lines) < 3 ||
	    path_resolve(&base, "/", lines[0], true, path_follow_none, NULL) < 0 ||
	    path_resolve(&leads, "/", lines[2], true, path_follow_none, NULL) < 0)
		return 0;
	check(&base, lines[1], &leads, false);
	check(&base, lines[1], &leads, true);
	path_classify(&base, false);
	if (base.kind != PATH_ELSEWHERE || path_may_lead(lines[1]) || lines[1][0] == '/' ||
	    path_may_lead(base.text) ||
	    path_resolve(&path, base.text, lines[1], true, path_follow_none, NULL) < 0)
		return 0;
	path_classify(&path, false);
	CHECK(path.kind == PATH_ELSEWHERE);
	return 0;
}
