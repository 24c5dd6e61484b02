/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Kernels in shared objects: which files are refused, what a name stands for, and which host of a
 * fabric runs on which.
 */
#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/umad-command.h"
#include "lib/base/user-header.h"
#include "lib/words/number.h"
#include "sim/api/inside.h"
#include "sim/capture/capture.h"
#include "sim/fabric/host.h"
#include "sim/host/device.h"
#include "sim/kernels/kernel-cache.h"
#include "sim/kernels/kernel-wish.h"
#include "tests/rig/echo-kernel.h"
#include "tests/rig/leak.h"
#include "tests/rig/real-root.h"
#include "tests/rig/trees.h"

#define IDENTITY "0123456789abcdef"

static char *directory;		/* XDG_CACHE_HOME */

/* A file that the tests' Makefile has made. */
static char *module(const char *name)
{
	g_autofree char *file = g_strdup_printf(".libs/kernel-%s.so", name);

	return build_path(file);
}

static void write_file(const char *path, const char *text, gsize size)
{
	g_assert_true(g_file_set_contents(path, text, (gssize)size, NULL));
}

/* ---- refusals ---- */

/* Given a file, when it is loaded, then that is said behind its name. */
static const struct refusal {
	const char *module;	/* or, with 'text': made of it */
	const char *text;
	const char *said;
} refusals[] = {
	{ "absent", NULL, "No such file or directory: 'umadrig kernel build TREE' makes one" },
	{ "text", "#!/bin/sh\n",
	  "not a kernel: no ELF file: 'umadrig kernel build TREE' makes one" },
	{ "empty", "", "not a kernel: no ELF file: 'umadrig kernel build TREE' makes one" },
	{ "other-abi", NULL, "a kernel for another umadrig (its interface is number 4711, this "
	  "one's " },
	{ "other-layout", NULL, "a kernel for another umadrig (its structs are number 4711, this "
	  "one's " },
	{ "old", NULL, "a kernel of the release '4.19.300', and umadrig knows 5.10 and later "
	  "ones" },
	{ "lacks", NULL, "a kernel that lacks a part: build it again: " },
	{ "fails", NULL, "the kernel does not start: Cannot allocate memory" },
};

static void test_refusal(const void *data)
{
	const struct refusal *row = data;
	g_autofree char *path = row->text ? g_build_filename(directory, row->module, NULL) :
				module(row->module);
	g_autofree char *want = g_strdup_printf("%s: %s", path, row->said);
	char why[512] = "";

	if (row->text)
		write_file(path, row->text, strlen(row->text));
	/* Twice: what was refused is not there. */
	for (int i = 0; i < 2; i++) {
		g_assert_null(built_kernel_load(path, why, sizeof(why)));
		why[strlen(want)] = '\0';
		g_assert_cmpstr(why, ==, want);
	}
	if (row->text)
		g_unlink(path);
}

/* Given a file of that mode, owner and group, when it is loaded, then is it? */
static const struct rights {
	mode_t mode;
	uid_t uid;
	gid_t gid;
	const char *said;	/* NULL: it is loaded */
} rights[] = {
	{ 0700, 0, 0, NULL },
	{ 0644, 0, 1234, NULL },
	{ 0775, 0, 0, NULL },
	{ 0777, 0, 0, ": not loaded, as others may write to it: 'chmod go-w " },
	{ 0602, 0, 0, ": not loaded, as others may write to it: 'chmod go-w " },
	{ 0620, 0, 1234, ": not loaded, as others may write to it: 'chmod go-w " },
	{ 0700, 1234, 0, ": not loaded, as it belongs to another user (1234), and this is root: "
	  "'chown root " },
	{ 0700, 1234, 0, "', if you trust it: 'umadrig kernel build TREE' makes one of your own; "
	  "or copy it" },
};

static void test_rights(void)
{
	g_autofree char *whole = module("6-12");
	char *bytes;
	gsize size;

	g_assert_true(g_file_get_contents(whole, &bytes, &size, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(rights); i++) {
		const struct rights *row = &rights[i];
		g_autofree char *path = g_strdup_printf("%s/rights-%zu.so", directory, i);
		const struct built_kernel *built;
		char why[512] = "";

		/* Only root gives files away. */
		if (!is_real_root() && (row->uid || row->gid))
			continue;
		write_file(path, bytes, size);
		if (row->uid || row->gid)
			g_assert_cmpint(chown(path, row->uid, row->gid), ==, 0);
		g_assert_cmpint(chmod(path, row->mode), ==, 0);
		built = built_kernel_load(path, why, sizeof(why));
		if (!row->said)
			g_assert_cmpstr(why, ==, "");
		else if (!strstr(why, row->said))
			g_error("%zu: '%s' lacks '%s'", i, why, row->said);
		g_assert_cmpint(built != NULL, ==, !row->said);
		g_unlink(path);
	}
	g_free(bytes);
}

/* Given this, the file 'swapped' has become another one when it is loaded. */
static const char *swapped, *swapped_by;

/* In front of libc's: what the library calls. */
void *dlopen(const char *name, int flags)
{
	void *(*next)(const char *, int) = NULL;
	void *symbol = dlsym(RTLD_NEXT, "dlopen");

	memcpy(&next, &symbol, sizeof(next));
	if (swapped)
		g_assert_cmpint(rename(swapped_by, swapped), ==, 0);
	swapped = NULL;
	return next(name, flags);
}

/* A copy in a directory of 'mode' below the tests'. */
static char *copy_into(const char *place, mode_t mode, const char *name)
{
	g_autofree char *below = g_build_filename(directory, place, NULL), *from = module(name);
	g_autofree char *file = g_strconcat(name, ".so", NULL), *bytes = NULL;
	char *path = g_build_filename(below, file, NULL);
	gsize size;

	g_mkdir(below, 0700);
	g_assert_cmpint(chmod(below, mode), ==, 0);
	g_assert_true(g_file_get_contents(from, &bytes, &size, NULL));
	write_file(path, bytes, size);
	g_assert_cmpint(chmod(path, 0600), ==, 0);
	return path;
}

/* Was it loaded by a descriptor? That is closed, though its library stays. */
static void close_descriptor(const struct built_kernel *built)
{
	static const char where[] = "/proc/self/fd/";
	uint64_t fd;
	Dl_info info;

	g_assert_cmpint(dladdr(built->file, &info), !=, 0);
	g_assert_true(g_str_has_prefix(info.dli_fname, where));
	g_assert_cmpint(number_parse(info.dli_fname + strlen(where), 3, INT_MAX, &fd), ==, 0);
	g_assert_cmpint(close((int)fd), ==, 0);
}

/*
 * Given a directory that others may write to, when another file is put in the place of the one that
 * was looked at, then that one is loaded nevertheless. One after the other has the name of its own.
 */
static void test_swap(void)
{
	g_autofree char *path = copy_into("open", 0777, "6-12");
	g_autofree char *other = copy_into("open", 0777, "other-abi");
	g_autofree char *second = copy_into("open", 0777, "5-10");
	const struct built_kernel *first, *built;
	char why[512] = "";

	swapped = path;
	swapped_by = other;
	first = built_kernel_load(path, why, sizeof(why));
	g_assert_cmpstr(why, ==, "");
	g_assert_null(swapped);
	g_assert_cmpstr(first->release, ==, "6.12.117");
	g_assert_cmpstr(first->path, ==, path);
	built = built_kernel_load(second, why, sizeof(why));
	g_assert_nonnull(built);
	g_assert_cmpstr(built->release, ==, "5.10.262");
	close_descriptor(first);
	close_descriptor(built);
}

/* Given a directory of one's own, what is loaded has its name, by which debuggers find it. */
static void test_name(void)
{
	g_autofree char *path = copy_into("own", 0700, "6-12");
	g_autofree char *real = realpath(path, NULL);
	char why[512] = "";
	struct link_map *map;
	void *handle;

	g_assert_nonnull(built_kernel_load(path, why, sizeof(why)));
	handle = dlopen(real, RTLD_NOW | RTLD_NOLOAD);
	g_assert_nonnull(handle);
	g_assert_cmpint(dlinfo(handle, RTLD_DI_LINKMAP, &map), ==, 0);
	g_assert_cmpstr(map->l_name, ==, real);
	dlclose(handle);
}

/* Files that no test has made: a program, a library, a directory, another machine's library. */
static void test_strangers(void)
{
	g_autofree char *program = build_path("tests/sim/built-kernel");
	g_autofree char *library = build_path(".libs/libsim-check.so");
	g_autofree char *foreign = g_build_filename(directory, "foreign.so", NULL);
	char why[512] = "";
	char *bytes;
	gsize size;

	g_assert_null(built_kernel_load(directory, why, sizeof(why)));
	g_assert_nonnull(strstr(why, ": a directory: 'umadrig kernel build "));
	g_assert_null(built_kernel_load(library, why, sizeof(why)));
	g_assert_nonnull(strstr(why, "libsim-check.so: not a kernel: it has no symbol "
				"umadrig_kernel: "));
	/* dlopen(3) refuses those that are linked as such. */
	g_assert_null(built_kernel_load(program, why, sizeof(why)));
	g_assert_nonnull(strstr(why, "built-kernel: "));

	g_assert_true(g_file_get_contents(library, &bytes, &size, NULL));
	bytes[18] ^= 0x55;	/* e_machine */
	write_file(foreign, bytes, size);
	g_free(bytes);
	g_assert_null(built_kernel_load(foreign, why, sizeof(why)));
	g_assert_nonnull(strstr(why, "foreign.so: not a kernel: no shared object for this "
				"machine: "));
	g_unlink(foreign);
}

static void test_load(void)
{
	g_autofree char *path = module("6-12"), *other = module("5-10");
	char why[512] = "";
	const struct built_kernel *built = built_kernel_load(path, why, sizeof(why));

	g_assert_cmpstr(why, ==, "");
	g_assert_nonnull(built);
	g_assert_cmpstr(built->path, ==, path);
	g_assert_cmpstr(built->release, ==, "6.12.117");
	g_assert_cmpstr(built->identity, ==, IDENTITY);
	g_assert_cmpstr(built->kernel->name, ==, "linux-6.12.117");
	/* Its ways are those of its release, not those that its number looks like. */
	g_assert_cmpint(built->profile, ==, KMOD_LINUX_6_1);
	g_assert_true(built_kernel_load(path, why, sizeof(why)) == built);
	g_assert_true(built_kernel_of(built->kernel) == built);
	g_assert_null(built_kernel_of(&kmod_stub));
	g_assert_true(built_kernel_load(other, why, sizeof(why)) != built);
}

/* ---- names ---- */

/* Given what is in the cache, when a kernel is asked for, then it is that file, or none. */
static const struct {
	const char *name;
	const char *file;	/* NULL: there is none */
} names[] = {
	{ "linux-6.12", "linux-6.12.117-" IDENTITY },
	{ "6.12", "linux-6.12.117-" IDENTITY },
	{ "6", "linux-6.17.13-" IDENTITY },
	{ "6.1", "linux-6.1.192-fedcba9876543210" },	/* the one that was built last */
	{ "6.1.192", "linux-6.1.192-fedcba9876543210" },
	{ "6.1.192-01", "linux-6.1.192-" IDENTITY },
	{ "6.1.19", NULL },
	{ "6.12+sanitize", "linux-6.12.95-" IDENTITY "+sanitize" },
	{ "6.12+debug", NULL },
	{ "7", "linux-7.3.0-" IDENTITY },		/* after its candidates */
	{ "7.3.0-rc10", "linux-7.3.0-rc10-" IDENTITY },
	{ "7.3.0-rc1", NULL },
	{ "5.10", NULL },
	{ "linux-", NULL },
	{ "", NULL },
};

static void make_cached(const char *name, time_t at)
{
	g_autofree char *cache = kernel_cache_directory();
	g_autofree char *path = g_strdup_printf("%s/%s", cache, name);
	const struct timespec times[2] = { { .tv_sec = at }, { .tv_sec = at } };

	write_file(path, "", 0);
	g_assert_cmpint(utimensat(AT_FDCWD, path, times, 0), ==, 0);
}

static void test_names(void)
{
	g_autofree char *cache = kernel_cache_directory();
	g_autofree char *below = g_build_filename(directory, "umadrig/kernels", NULL);
	GPtrArray *list;
	char why[512];

	g_assert_cmpstr(cache, ==, below);
	list = kernel_cache_list();
	g_assert_cmpuint(list->len, ==, 0);
	g_ptr_array_unref(list);
	g_assert_null(kernel_cache_find("6.12", why, sizeof(why)));
	g_assert_nonnull(strstr(why, "no kernel '6.12' has been built (there are none): "));

	g_assert_cmpint(g_mkdir_with_parents(cache, 0777), ==, 0);
	make_cached("linux-6.12.117-" IDENTITY ".so", 100);
	make_cached("linux-6.12.95-" IDENTITY "+sanitize.so", 200);
	make_cached("linux-6.1.192-" IDENTITY ".so", 100);
	make_cached("linux-6.1.192-fedcba9876543210.so", 101);
	make_cached("linux-6.17.13-" IDENTITY ".so", 1);
	make_cached("linux-7.3.0-rc10-" IDENTITY ".so", 300);
	make_cached("linux-7.3.0-" IDENTITY ".so", 1);
	/* Not ours. */
	make_cached("linux-5.10.1-0123.so", 1);
	make_cached("linux-5.10.1-" IDENTITY ".so.new", 1);
	make_cached("linux-" IDENTITY ".so", 1);
	make_cached("README", 1);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = kernel_cache_find(names[i].name, why, sizeof(why));
		g_autofree char *want = names[i].file ?
			g_strdup_printf("%s/%s.so", cache, names[i].file) : NULL;

		g_assert_cmpstr(path, ==, want);
	}
	g_assert_nonnull(strstr(why, "(there are linux-6.1.192, linux-6.1.192, "
				"linux-6.12.95+sanitize, linux-6.12.117, linux-6.17.13, "
				"linux-7.3.0-rc10, linux-7.3.0): "));
}

/* ---- wishes ---- */

static const struct {
	const char *text;
	const char *host, *kernel;	/* 'kernel' NULL: refused */
} wishes[] = {
	{ "6.12", NULL, "6.12" },
	{ "linux-6.12", NULL, "linux-6.12" },
	{ "H1:7.2", "H1", "7.2" },
	{ "node 7:kmod-stub", "node 7", "kmod-stub" },
	{ "H1:/a:b.so", "H1", "/a:b.so" },
	{ "/a:b.so", NULL, "/a:b.so" },
	{ "./a:b.so", NULL, "./a:b.so" },
	{ "\"a:b\":7.2", "a:b", "7.2" },
	{ "H*:7.2", "H*", "7.2" },
	{ "", NULL, NULL },
	{ "H1:", NULL, NULL },
	{ ":7.2", NULL, NULL },
};

static void test_wishes(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(wishes); i++) {
		struct kernel_wish wish = { NULL, NULL };
		char why[512] = "";
		int ret = kernel_wish_parse(wishes[i].text, &wish, why, sizeof(why));

		g_assert_cmpint(ret, ==, wishes[i].kernel ? 0 : -EINVAL);
		g_assert_cmpstr(wish.host, ==, wishes[i].host);
		g_assert_cmpstr(wish.kernel, ==, wishes[i].kernel);
		if (ret < 0)
			g_assert_nonnull(strstr(why, ": expected KERNEL or HOST:KERNEL, "));
		kernel_wish_clear(&wish);
	}
}

/* ---- fabrics ---- */

/* With the modules' paths for $6-12 and so on. */
static struct umadrig_fabric *open_fabric(const char *options, char *why, size_t why_size)
{
	static const char *const modules[] = { "6-12", "5-10", "echo" };
	GString *spec = g_string_new(",clock=virtual");
	struct umadrig_fabric *fabric;

	g_string_append(spec, options);
	for (size_t i = 0; i < G_N_ELEMENTS(modules); i++) {
		g_autofree char *path = module(modules[i]);
		g_autofree char *word = g_strdup_printf("$%s", modules[i]);

		g_string_replace(spec, word, path, 0);
	}
	fabric = umadrig_fabric_open(spec->str, why, why_size);
	g_string_free(spec, true);
	return fabric;
}

/* Given options, when the default fabric is made, then its hosts have these kernels. */
static const struct mix {
	const char *options;
	const char *kernels[2];		/* of H1 and H2 */
	enum kmod_profile profiles[2];
	const char *text;
} mixes[] = {
	{ "", { "kmod-stub", "kmod-stub" }, { KMOD_LINUX_6_1, KMOD_LINUX_6_1 }, NULL },
	{ ",kernel=kmod-stub,profile=linux-7.2", { "kmod-stub", "kmod-stub" },
	  { KMOD_LINUX_7_2, KMOD_LINUX_7_2 }, NULL },
	{ ",kernel=$6-12", { "linux-6.12.117", "linux-6.12.117" },
	  { KMOD_LINUX_6_1, KMOD_LINUX_6_1 }, "kernel linux-6.12.117" },
	{ ",kernel=H1:$6-12,profile=linux-7.2", { "linux-6.12.117", "kmod-stub" },
	  { KMOD_LINUX_6_1, KMOD_LINUX_7_2 },
	  "kernels linux-6.12.117 at H1, kmod-stub at H2" },
	{ ",kernel=H2:kmod-stub,kernel=$5-10", { "linux-5.10.262", "kmod-stub" },
	  { KMOD_LINUX_6_12, KMOD_LINUX_6_12 },
	  "kernels linux-5.10.262 at H1, kmod-stub at H2" },
	{ ",kernel=$5-10,kernel=H?:$6-12", { "linux-6.12.117", "linux-6.12.117" },
	  { KMOD_LINUX_6_1, KMOD_LINUX_6_1 }, "kernel linux-6.12.117" },
};

static void test_mix(const void *data)
{
	static const char *const hosts[] = { "H1", "H2" };
	const struct mix *row = data;
	char why[512] = "";
	struct umadrig_fabric *fabric = open_fabric(row->options, why, sizeof(why));
	g_autofree char *text = NULL;

	g_assert_cmpstr(why, ==, "");
	for (size_t i = 0; i < G_N_ELEMENTS(hosts); i++) {
		const struct umadrig_host *host = fabric_host(fabric, hosts[i]);

		g_assert_cmpstr(host->kernel->name, ==, row->kernels[i]);
		g_assert_cmpint(host->profile, ==, row->profiles[i]);
	}
	text = fabric_kernels_text(fabric);
	g_assert_cmpstr(text, ==, row->text);
	umadrig_fabric_close(fabric);
}

/* Given options, when a fabric is made, then that is said. */
static const struct { const char *options, *said; } bad[] = {
	{ ",kernel=", "kernel=: expected KERNEL or HOST:KERNEL, " },
	{ ",kernel=/nowhere.so", "kernel=/nowhere.so: /nowhere.so: No such file or directory: " },
	{ ",kernel=H1:/nowhere.so", "kernel=H1:/nowhere.so: /nowhere.so: No such file" },
	{ ",kernel=3.10", "kernel=3.10: no kernel '3.10' has been built (" },
	{ ",kernel=H3:kmod-stub",
	  "kernel=H3:kmod-stub: the default fabric has no host 'H3'" },
	{ ",kernel=X*:kmod-stub", "has no host 'X*'" },
	{ ",kernel=$6-12,kernel=$5-10", ": there is another one for all hosts: " },
	{ ",kernel=$6-12,profile=linux-6.1", ": leave out profile=" },
};

static void test_bad(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		char why[512] = "";

		if (open_fabric(bad[i].options, why, sizeof(why)))
			g_error("%s: opened", bad[i].options);
		if (!strstr(why, bad[i].said))
			g_error("%s: '%s' lacks '%s'", bad[i].options, why, bad[i].said);
	}
}

/* What leaves a host has been made by its kernel: the echo kernel's MADs have its mark. */
static void test_runs(void)
{
	enum { BYTES = USER_HEADER_SIZE + MAD_SIZE };
	static const char said[] = "the default fabric, seed 1, kernels kmod-stub at H1, "
				   "linux-6.1.192 at H2";
	g_autofree char *file_bytes = NULL;
	g_autofree char *path = g_build_filename(directory, "mixed.pcapng", NULL);
	g_autofree char *options = g_strdup_printf(",kernel=H2:$echo,capture=%s", path);
	char why[512] = "", text[256];
	struct umadrig_fabric *fabric = open_fabric(options, why, sizeof(why));
	struct umadrig_file *file;
	struct capture *capture;
	uint8_t bytes[BYTES] = { 0 };
	gsize size;

	g_assert_cmpstr(why, ==, "");
	device_banner(fabric_host(fabric, "H2"), text, sizeof(text));
	g_assert_nonnull(strstr(text, ", kernel linux-6.1.192), host H2"));
	g_assert_cmpint(umadrig_file_open(umadrig_port(fabric, "H2", 1), &file), ==, 0);
	g_assert_cmpint(umadrig_file_ioctl(file, UMAD_COMMAND_ENABLE_PKEY, NULL), ==, 0);
	put_be16(bytes + USER_LID_BE, 1);
	bytes[USER_HEADER_SIZE + MAD_CLASS] = 0x0b;
	g_assert_cmpint(umadrig_file_write(file, bytes, BYTES), ==, BYTES);
	umadrig_file_close(file);
	umadrig_fabric_close(fabric);

	capture = capture_read(path, why, sizeof(why));
	g_assert_nonnull(capture);
	g_assert_cmpuint(capture->mad_count, >, 0);
	g_assert_cmphex(capture->mads[0].mad[ECHO_MARK_AT], ==, ECHO_MARK);
	capture_free(capture);
	g_assert_true(g_file_get_contents(path, &file_bytes, &size, NULL));
	g_assert_nonnull(memmem(file_bytes, size, said, strlen(said)));
	g_unlink(path);
}

static void remove_all(const char *path)
{
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *below = g_build_filename(path, name, NULL);

		remove_all(below);
	}
	if (dir)
		g_dir_close(dir);
	g_remove(path);
}

int main(int argc, char **argv)
{
	int status;

	directory = g_dir_make_tmp("umadrig-kernels-XXXXXX", NULL);
	g_setenv("XDG_CACHE_HOME", directory, true);
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++) {
		g_autofree char *path = g_strdup_printf("/built-kernel/refused/%s",
							refusals[i].module);

		g_test_add_data_func(path, &refusals[i], test_refusal);
	}
	g_test_add_func("/built-kernel/rights", test_rights);
	g_test_add_func("/built-kernel/swap", test_swap);
	g_test_add_func("/built-kernel/name", test_name);
	g_test_add_func("/built-kernel/strangers", test_strangers);
	g_test_add_func("/built-kernel/load", test_load);
	g_test_add_func("/built-kernel/names", test_names);
	g_test_add_func("/built-kernel/wishes", test_wishes);
	for (size_t i = 0; i < G_N_ELEMENTS(mixes); i++) {
		g_autofree char *path = g_strdup_printf("/built-kernel/mix/%zu", i);

		g_test_add_data_func(path, &mixes[i], test_mix);
	}
	g_test_add_func("/built-kernel/bad", test_bad);
	g_test_add_func("/built-kernel/runs", test_runs);
	status = leak_end(g_test_run());
	remove_all(directory);
	return status;
}
