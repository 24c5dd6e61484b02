/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Kernels with sanitizers: see harness/kernel/kernel-sanitizer.h.
 */
#include "config.h"

#include "harness/kernel/kernel-sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/process/process-spawn.h"

/* Set for the process that is executed again, as are those of 'variables'. */
#define AGAIN "UMADRIG_SANITIZER_AGAIN"

/* What is set for it, and where what the caller has had is kept meanwhile. */
static const struct {
	const char *name, *kept;
} variables[] = {
	{ "LD_PRELOAD", AGAIN "_PRELOAD" },
	{ "ASAN_OPTIONS", AGAIN "_ASAN" },
	{ "UBSAN_OPTIONS", AGAIN "_UBSAN" },
};

/*
 * AddressSanitizer begins at the first malloc(3). Left to itself that is one of libgpg-error's
 * constructor, within bindtextdomain(3), whose lock is broken from then on: a later message of
 * GLib's may wait for it for ever. A program's own preinit array runs before all constructors.
 */
__attribute__((no_sanitize("address"), no_sanitize("undefined")))
static void allocate_first(void)
{
	void *volatile memory = malloc(1);

	free(memory);
}

__attribute__((section(".preinit_array"), used))
static void (*const first)(void) = allocate_first;

/* Of libraries that a file needs, the one whose name begins so: "libasan.so.8"; or NULL. */
static char *needed(const char *bytes, gsize size, const char *prefix)
{
	gsize length = strlen(prefix);
	const char *at = memmem(bytes, size, prefix, length);

	/* A name is a string of its own, which ends within the file; only a number follows. */
	if (!at || at == bytes || at[-1] != '\0' ||
	    !memchr(at, '\0', size - (gsize)(at - bytes)) ||
	    strspn(at + length, "0123456789.") != strlen(at + length))
		return NULL;
	return g_strdup(at);
}

/* Blanks between them; "" for none. To be freed. */
static char *libraries_of(const char *path)
{
	static const char *const prefixes[] = { "libasan.so.", "libubsan.so." };
	GString *text = g_string_new(NULL);
	g_autofree char *bytes = NULL;
	gsize size = 0;

	if (!g_file_get_contents(path, &bytes, &size, NULL))
		return g_string_free(text, false);
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		g_autofree char *name = needed(bytes, size, prefixes[i]);

		if (name)
			g_string_append_printf(text, "%s%s", text->len ? " " : "", name);
	}
	return g_string_free(text, false);
}

/* Puts 'words' and 'between' before what the variable has. */
static void put_before(const char *name, const char *words, const char *between)
{
	const char *had = g_getenv(name);
	g_autofree char *all = g_strconcat(words, had ? between : NULL, had, NULL);

	g_setenv(name, all, true);
}

static void set_environment(const char *libraries)
{
	g_autofree char *status = g_strdup_printf("exitcode=%d", COMMAND_KERNEL_FAULT);
	/* Ours is not what is to be looked at. */
	g_autofree char *asan = g_strconcat("verify_asan_link_order=0:detect_leaks=0:", status,
					    NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		if (g_getenv(variables[i].name))
			g_setenv(variables[i].kept, g_getenv(variables[i].name), true);
	}
	g_setenv(AGAIN, "1", true);
	put_before("LD_PRELOAD", libraries, " ");
	put_before("ASAN_OPTIONS", asan, ":");
	put_before("UBSAN_OPTIONS", status, ":");
}

/* The process that was executed again: what it starts is to have neither libraries nor options. */
static void reset_environment(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(variables); i++) {
		const char *kept = g_getenv(variables[i].kept);

		if (kept)
			g_setenv(variables[i].name, kept, true);
		else
			g_unsetenv(variables[i].name);
		g_unsetenv(variables[i].kept);
	}
	g_unsetenv(AGAIN);
}

/* The command line that this process has had; to be freed. */
static char **command_line(void)
{
	g_autofree char *bytes = NULL;
	GPtrArray *words = g_ptr_array_new();
	gsize size = 0;

	if (!g_file_get_contents("/proc/self/cmdline", &bytes, &size, NULL))
		size = 0;
	for (gsize at = 0; at < size; at += strlen(bytes + at) + 1)
		g_ptr_array_add(words, g_strdup(bytes + at));
	g_ptr_array_add(words, NULL);
	return (char **)(void *)g_ptr_array_free(words, false);
}

bool kernel_sanitizer_is_again(void)
{
	return g_getenv(AGAIN) != NULL;
}

bool kernel_sanitizer_begin(const char *kernel, GError **error)
{
	bool is_again = kernel_sanitizer_is_again();
	char why[1024];
	g_autofree char *path = strchr(kernel, '/') ? g_strdup(kernel) :
				kernel_cache_find(kernel, why, sizeof(why));
	g_autofree char *libraries = path ? libraries_of(path) : g_strdup("");
	g_auto(GStrv) words = NULL;

	if (is_again)
		reset_environment();
	if (!*libraries || dlsym(RTLD_DEFAULT, "__asan_init"))
		return true;
	if (!is_again) {
		words = command_line();
		set_environment(libraries);
		spawn_become("/proc/self/exe", words, environ);
	}
	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "%s needs %s, which cannot be loaded: "
		    "install the package of the compiler that it was built with", path,
		    libraries);
	return false;
}
