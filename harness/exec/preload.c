/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A sanitizer's library in LD_PRELOAD is meant for the program, not for umadrig.
 *
 * It would be loaded into umadrig first, too, and makes GLib hang: libgpg-error, which libpcap
 * brings, calls bindtextdomain(3) from its constructor; the sanitizer initializes itself at the
 * first malloc() in there and takes the same lock of libc; afterwards that lock is never free.
 * umadrig therefore starts itself again without it, and puts it back for the program.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/exec/exec.h"
#include "sim/process/process-spawn.h"

/* Holds LD_PRELOAD as the caller had it, in umadrig alone. */
#define SAVED "UMADRIG_PRELOAD"

static bool is_sanitizer(const char *library)
{
	static const char *const prefixes[] = {
		"libasan.", "libhwasan.", "liblsan.", "libtsan.", "libubsan.", "libclang_rt.",
	};
	const char *slash = strrchr(library, '/');

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		if (g_str_has_prefix(slash ? slash + 1 : library, prefixes[i]))
			return true;
	}
	return false;
}

static bool has_sanitizer(const char *list)
{
	/* ld.so(8): spaces and colons are between. */
	g_auto(GStrv) libraries = g_strsplit_set(list, ": ", 0);

	for (char **library = libraries; *library; library++) {
		if (is_sanitizer(*library))
			return true;
	}
	return false;
}

void exec_restart_without_sanitizer(char **argv)
{
	const char *list = getenv("LD_PRELOAD");

	if (!list || !has_sanitizer(list) || setenv(SAVED, list, 1) < 0)
		return;
	unsetenv("LD_PRELOAD");
	spawn_become("/proc/self/exe", argv, environ);
	/* Without /proc it goes on as well as it can. */
	setenv("LD_PRELOAD", getenv(SAVED), 1);
	unsetenv(SAVED);
}

char **exec_preloaded_environment(void)
{
	char **env = g_get_environ();
	const char *saved = g_environ_getenv(env, SAVED);

	if (!saved)
		return env;
	env = g_environ_setenv(env, "LD_PRELOAD", saved, true);
	return g_environ_unsetenv(env, SAVED);
}
