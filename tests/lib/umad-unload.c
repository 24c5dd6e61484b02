/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A program loads libibumad in a thread, uses it, unloads it, and ends the thread: the library's
 * cleanup at a thread's end still works.
 */
#include <dlfcn.h>
#include <glib.h>
#include <stdlib.h>

#include "tests/rig/false-server.h"
#include "tests/rig/leak.h"
#include "tests/rig/trees.h"

static void grant(struct false_server *server, int socket, const struct attach_call *call)
{
	(void)server;
	(void)call;
	false_server_reply(socket, 0, 0, -1, 0);
}

static void *load_and_unload(void *data)
{
	void *library = dlopen(data, RTLD_NOW | RTLD_LOCAL);
	int (*init)(void);
	int (*list)(char (*names)[20], int max);
	char names[4][20];

	if (!library)
		g_error("%s", dlerror());
	*(void **)&init = dlsym(library, "umad_init");
	*(void **)&list = dlsym(library, "umad_get_cas_names");
	g_assert_cmpint(init(), ==, 0);
	/* Calls the server through this thread's connection. */
	g_assert_cmpint(list(names, G_N_ELEMENTS(names)), ==, 0);
	g_assert_cmpint(dlclose(library), ==, 0);
	return NULL;
}

static void test_unload(void)
{
	g_autofree char *library = build_path(".libs/libibumad.so.3");
	struct false_server server = { .reply = grant };
	g_autofree char *backend = NULL;

	if (!g_file_test(library, G_FILE_TEST_EXISTS)) {
		g_test_skip("no shared library was built (--disable-shared)");
		return;
	}
	false_server_begin(&server);
	backend = g_strconcat("attach:", server.path, NULL);
	g_setenv("UMAD_BACKEND", backend, true);
	g_thread_join(g_thread_new("program", load_and_unload, library));
	false_server_end(&server);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/umad-unload", test_unload);
	return leak_end(g_test_run());
}
