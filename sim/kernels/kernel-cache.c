/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Where built kernels are kept: see sim/kernels/kernel-cache.h.
 */
#include "sim/kernels/kernel-cache.h"

#include <string.h>
#include <sys/stat.h>

#include "lib/words/number.h"

#define PREFIX "linux-"
#define SUFFIX ".so"
#define UML_SUFFIX ".uml"

char *kernel_cache_directory(void)
{
	return g_build_filename(g_get_user_cache_dir(), "umadrig", "kernels", NULL);
}

static char *path_of(const char *release, const char *identity, const char *options,
		     const char *suffix)
{
	g_autofree char *directory = kernel_cache_directory();

	return g_strdup_printf("%s/" PREFIX "%s-%s%s%s%s", directory, release, identity,
			       *options ? "+" : "", options, suffix);
}

char *kernel_cache_path(const char *release, const char *identity, const char *options)
{
	return path_of(release, identity, options, SUFFIX);
}

char *kernel_cache_uml_path(const char *release, const char *identity, const char *options)
{
	return path_of(release, identity, options, UML_SUFFIX);
}

static void cached_free(void *data)
{
	struct kernel_cached *cached = data;

	g_free(cached->path);
	g_free(cached->release);
	g_free(cached->identity);
	g_free(cached->options);
	g_free(cached);
}

/* NULL: the name is not one of ours. */
static struct kernel_cached *parse(const char *directory, const char *name)
{
	bool is_uml = g_str_has_suffix(name, UML_SUFFIX);
	const char *dash, *plus, *suffix = is_uml ? UML_SUFFIX : SUFFIX;
	g_autofree char *body = NULL;
	struct kernel_cached *cached;
	struct stat st;

	if (!g_str_has_prefix(name, PREFIX) || !g_str_has_suffix(name, suffix))
		return NULL;
	body = g_strndup(name + strlen(PREFIX), strlen(name) - strlen(PREFIX) - strlen(suffix));
	plus = strchr(body, '+');
	dash = g_strrstr_len(body, plus ? plus - body : -1, "-");
	if (!dash || dash == body)
		return NULL;
	if (strspn(dash + 1, "0123456789abcdef") != KERNEL_IDENTITY_SIZE ||
	    (dash[1 + KERNEL_IDENTITY_SIZE] != '\0' && dash + 1 + KERNEL_IDENTITY_SIZE != plus))
		return NULL;
	cached = g_new0(struct kernel_cached, 1);
	cached->path = g_build_filename(directory, name, NULL);
	cached->release = g_strndup(body, (gsize)(dash - body));
	cached->identity = g_strndup(dash + 1, KERNEL_IDENTITY_SIZE);
	cached->options = g_strdup(plus ? plus + 1 : "");
	cached->is_uml = is_uml;
	if (stat(cached->path, &st) == 0)
		cached->built_ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	return cached;
}

/* Numbers as numbers: 6.9 is before 6.12. The rest ("-rc2") comes before nothing. */
static int compare_releases(const char *left, const char *right)
{
	for (;;) {
		uint64_t numbers[2];

		if (number_take(&left, 10, UINT64_MAX, &numbers[0]) < 0 ||
		    number_take(&right, 10, UINT64_MAX, &numbers[1]) < 0)
			break;
		if (numbers[0] != numbers[1])
			return numbers[0] < numbers[1] ? -1 : 1;
		if (*left != '.' || *right != '.')
			break;
		left++;
		right++;
	}
	if (*left == '-' && !*right)
		return -1;
	if (*right == '-' && !*left)
		return 1;
	return strcmp(left, right);
}

static int compare(const void *left_item, const void *right_item)
{
	const struct kernel_cached *left = *(const struct kernel_cached *const *)left_item;
	const struct kernel_cached *right = *(const struct kernel_cached *const *)right_item;
	int releases = compare_releases(left->release, right->release);

	if (releases != 0)
		return releases;
	if (left->built_ns != right->built_ns)
		return left->built_ns < right->built_ns ? -1 : 1;
	return strcmp(left->path, right->path);
}

GPtrArray *kernel_cache_list(void)
{
	GPtrArray *list = g_ptr_array_new_with_free_func(cached_free);
	g_autofree char *directory = kernel_cache_directory();
	GDir *dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		struct kernel_cached *cached = parse(directory, name);

		if (cached)
			g_ptr_array_add(list, cached);
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(list, compare);
	return list;
}

bool kernel_cached_is(const struct kernel_cached *cached, const char *name)
{
	g_autofree char *whole = g_strdup_printf("%s-%s", cached->release, cached->identity);
	size_t size, release_size = strlen(cached->release);
	const char *plus;

	if (g_str_has_prefix(name, KERNEL_UML_PREFIX) != cached->is_uml)
		return false;
	if (cached->is_uml)
		name += strlen(KERNEL_UML_PREFIX);
	if (g_str_has_prefix(name, PREFIX))
		name += strlen(PREFIX);
	plus = strchr(name, '+');
	size = plus ? (size_t)(plus - name) : strlen(name);
	if (strcmp(plus ? plus + 1 : "", cached->options) != 0 || size == 0 ||
	    strncmp(name, whole, size) != 0)
		return false;
	return size > release_size || whole[size] == '.' || whole[size] == '-';
}

static char *text_of(const GPtrArray *list)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++) {
		const struct kernel_cached *cached = g_ptr_array_index(list, i);

		g_string_append_printf(text, "%s%s" PREFIX "%s%s%s", i ? ", " : "",
				       cached->is_uml ? KERNEL_UML_PREFIX : "", cached->release,
				       *cached->options ? "+" : "", cached->options);
	}
	return g_string_free(text, false);
}

char *kernel_cache_find(const char *name, char *reterr, size_t reterr_size)
{
	g_autoptr(GPtrArray) list = kernel_cache_list();
	g_autofree char *text = text_of(list);

	for (guint i = list->len; i > 0; i--) {
		const struct kernel_cached *cached = g_ptr_array_index(list, i - 1);

		if (kernel_cached_is(cached, name))
			return g_strdup(cached->path);
	}
	g_snprintf(reterr, reterr_size, "no kernel '%s' has been built (there %s %s): 'umadrig "
		   "kernel build %sTREE' builds one of a kernel's sources; a file is written with "
		   "its directory, ./%s", name, list->len == 1 ? "is" : "are",
		   list->len ? text : "none",
		   g_str_has_prefix(name, KERNEL_UML_PREFIX) ? "--uml " : "", name);
	return NULL;
}
