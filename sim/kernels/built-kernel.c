/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Built kernels: see sim/kernels/built-kernel.h.
 */
#include "sim/kernels/built-kernel.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kmod-stub/linux/kernel-file.h"
#include "kmod-stub/linux/kernel-layout.h"
#include "kmod-stub/packet.h"
#include "sim/kernels/found-faults.h"
#include "sim/kernels/kernel-cache.h"

#define CURE "'umadrig kernel build TREE' makes one"

struct message {
	char *text;
	size_t size;
};

static GMutex lock;
static GPtrArray *loaded;	/* of struct built_kernel *; under the lock */

static int crash_status;	/* set before anything runs */

static void *fail(const struct message *message, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void *fail(const struct message *message, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_vsnprintf(message->text, message->size, format, args);
	va_end(args);
	return NULL;
}

/* ---- what a kernel gets of us ---- */

long built_kernel_attribute(const struct kmod_kernel *kernel, const struct kmod_port *port,
			    const char *name, char *buf, size_t size)
{
	const struct built_kernel *built = built_kernel_of(kernel);

	return built ? built->file->attribute(port, name, buf, size) : -ENOENT;
}

/* Warnings come with each file that is opened: who wants them asks. */
static void write_log(int level, const char *host, const char *text)
{
	static int wants_all = -1;

	const char *word = level == KERNEL_LOG_FAULT ? "fault: " :
			   level == KERNEL_LOG_ERR ? "error: " :
			   level == KERNEL_LOG_WARNING ? "warning: " : "";

	if (wants_all < 0)
		wants_all = getenv("UMADRIG_KERNEL_LOG") != NULL;
	if (level == KERNEL_LOG_FAULT)
		found_faults_keep(host, text);
	if (level <= KERNEL_LOG_ERR || wants_all)
		fprintf(stderr, "umadrig: kernel: %s%s%s%s\n", host ? host : "", host ? ": " : "",
			word, text);
}

void built_kernel_set_crash_status(int status)
{
	crash_status = status;
}

/* Threads may be anywhere: nothing is cleaned up. */
static void end_process(const char *text)
{
	fprintf(stderr, "umadrig: kernel: fault: %s\n", text);
	if (crash_status)
		_exit(crash_status);
	abort();
}

static const struct kernel_services services = {
	.packet_make = packet_make,
	.packet_build = packet_build,
	.log = write_log,
	.abort = end_process,
};

/* ---- files ---- */

static bool is_foreign(const struct stat *st)
{
	return st->st_uid != 0 && st->st_uid != geteuid();
}

static bool others_may_write(const struct stat *st)
{
	return st->st_mode & S_IWOTH ||
	       (st->st_mode & S_IWGRP && st->st_gid != 0 && st->st_gid != getegid());
}

/*
 * What is loaded can do what this process can: it is root's or the user's own, and nobody else may
 * write to it. Who may call sudo is not asked: sudoers may permit a user some commands alone.
 */
static bool is_trusted(const char *path, const struct stat *st, const struct message *message)
{
	if (is_foreign(st)) {
		bool is_root = geteuid() == 0;

		fail(message, "%s: not loaded, as it belongs to another user (%u)%s%s%s: " CURE
		     " of your own; or copy it", path, (unsigned int)st->st_uid,
		     is_root ? ", and this is root: 'chown root " : "", is_root ? path : "",
		     is_root ? "', if you trust it" : "");
		return false;
	}
	if (others_may_write(st)) {
		fail(message, "%s: not loaded, as others may write to it: 'chmod go-w %s', if "
		     "nobody has, or " CURE, path, path);
		return false;
	}
	return true;
}

static bool read_head(int fd, Elf64_Ehdr *head)
{
	return pread(fd, head, sizeof(*head), 0) == sizeof(*head) &&
	       memcmp(head->e_ident, ELFMAG, SELFMAG) == 0;
}

/* dlopen(3) runs what is in a file before anybody can look at it. */
static bool is_shared_object(const char *path, int fd, const struct message *message)
{
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr ours, theirs;
	bool has_ours = self >= 0 && read_head(self, &ours);

	if (self >= 0)
		close(self);
	if (!has_ours) {
		fail(message, "%s: not loaded, as /proc/self/exe cannot be read", path);
		return false;
	}
	if (!read_head(fd, &theirs)) {
		fail(message, "%s: not a kernel: no ELF file: " CURE, path);
		return false;
	}
	if (theirs.e_type == ET_DYN && theirs.e_machine == ours.e_machine &&
	    memcmp(theirs.e_ident, ours.e_ident, EI_VERSION) == 0)
		return true;
	fail(message, "%s: not a kernel: no shared object for this machine: " CURE, path);
	return false;
}

/* Can none but this user and root put another file there? 'path' has no symbolic links. */
static bool has_safe_place(const char *path)
{
	for (size_t length = strlen(path); length > 1;) {
		g_autofree char *directory = NULL;
		struct stat st;

		while (length > 1 && path[length - 1] != '/')
			length--;
		directory = g_strndup(path, length);
		if (stat(directory, &st) < 0 || is_foreign(&st) ||
		    (others_may_write(&st) && !(st.st_mode & S_ISVTX)))
			return false;
		length = length > 1 ? length - 1 : length;
	}
	return true;
}

/*
 * Loads the file that was looked at: by its path, which debuggers need, or, where others could have
 * put another one there meanwhile, by its descriptor. That must stay then: the loader takes a name
 * that it has for the same library. Takes over 'fd'.
 */
static void *load_file(const char *path, int fd)
{
	bool is_safe = has_safe_place(path);
	g_autofree char *name = is_safe ? g_strdup(path) : g_strdup_printf("/proc/self/fd/%d", fd);
	void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	if (is_safe || !handle)
		close(fd);
	return handle;
}

/* A handle of dlopen(3) for a file that may be a kernel. */
static void *open_file(const char *path, const struct message *message)
{
	g_autofree char *real = realpath(path, NULL);
	int fd = real ? open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;
	void *handle;

	if (fd < 0 || fstat(fd, &st) < 0) {
		fail(message, "%s: %s: " CURE, path, g_strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (!is_trusted(path, &st, message) || !is_shared_object(path, fd, message)) {
		close(fd);
		return NULL;
	}
	handle = load_file(real, fd);
	if (!handle)
		fail(message, "%s: cannot be loaded: %s: " CURE, path, dlerror());
	return handle;
}

/* All operations must be there (kmod-stub/kmod-kernel.h): behind the name are pointers alone. */
static bool is_whole(const struct kmod_kernel *kernel)
{
	void *const *operations = (void *const *)(const void *)kernel;

	for (size_t i = 0; i < sizeof(*kernel) / sizeof(*operations); i++) {
		if (!operations[i])
			return false;
	}
	return true;
}

static const struct kernel_file *check(const struct kernel_file *file, const char *path,
				       enum kmod_profile *ret_profile,
				       const struct message *message)
{
	if (file->abi != KERNEL_FILE_ABI)
		return fail(message, "%s: a kernel for another umadrig (its interface is number "
			    "%u, this one's %u): build it again: " CURE, path, file->abi,
			    (unsigned int)KERNEL_FILE_ABI);
	if (file->layout != KERNEL_FILE_LAYOUT)
		return fail(message, "%s: a kernel for another umadrig (its structs are number "
			    "%u, this one's %u): build it again: " CURE, path, file->layout,
			    KERNEL_FILE_LAYOUT);
	if (!file->release || !file->identity || !file->options || !file->kernel || !file->begin ||
	    !file->attribute || !file->fail_allocation || !file->count_allocations ||
	    !file->at_once || !is_whole(file->kernel))
		return fail(message, "%s: a kernel that lacks a part: build it again: " CURE,
			    path);
	if (!kmod_profile_of_release(file->release, ret_profile))
		return fail(message, "%s: a kernel of the release '%s', and umadrig knows 5.10 "
			    "and later ones", path, file->release);
	return file;
}

static struct built_kernel *load(const char *path, const struct message *message)
{
	const struct kernel_file *file;
	struct built_kernel *built;
	enum kmod_profile profile;
	void *handle;
	int err;

	handle = open_file(path, message);
	if (!handle)
		return NULL;
	file = dlsym(handle, KERNEL_FILE_SYMBOL);
	if (!file)
		fail(message, "%s: not a kernel: it has no symbol " KERNEL_FILE_SYMBOL ": " CURE,
		     path);
	if (file)
		file = check(file, path, &profile, message);
	err = file ? file->begin(&services) : 0;
	if (err < 0)
		file = fail(message, "%s: the kernel does not start: %s", path, g_strerror(-err));
	if (!file) {
		dlclose(handle);
		return NULL;
	}
	built = g_new(struct built_kernel, 1);
	*built = (struct built_kernel) {
		.path = g_strdup(path), .release = file->release, .identity = file->identity,
		.options = file->options, .kernel = file->kernel, .profile = profile,
		.file = file,
	};
	return built;
}

static const struct built_kernel *load_once(const char *path, const struct message *message)
{
	struct built_kernel *built;

	if (!loaded)
		loaded = g_ptr_array_new();
	for (guint i = 0; i < loaded->len; i++) {
		built = g_ptr_array_index(loaded, i);
		if (strcmp(built->path, path) == 0)
			return built;
	}
	built = load(path, message);
	if (built)
		g_ptr_array_add(loaded, built);
	return built;
}

const struct built_kernel *built_kernel_load(const char *path, char *reterr, size_t reterr_size)
{
	const struct message message = { reterr, reterr_size };
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);
	const struct built_kernel *built;

	if (g_file_test(absolute, G_FILE_TEST_IS_DIR))
		return fail(&message, "%s: a directory: 'umadrig kernel build %s' makes a kernel "
			    "of the tree, and prints its file", path, path);
	g_mutex_lock(&lock);
	built = load_once(absolute, &message);
	g_mutex_unlock(&lock);
	return built;
}

const struct built_kernel *built_kernel_find(const char *name, char *reterr, size_t reterr_size)
{
	g_autofree char *path = NULL;

	if (strchr(name, '/'))
		return built_kernel_load(name, reterr, reterr_size);
	path = kernel_cache_find(name, reterr, reterr_size);
	return path ? built_kernel_load(path, reterr, reterr_size) : NULL;
}

const struct built_kernel *built_kernel_of(const struct kmod_kernel *kernel)
{
	const struct built_kernel *found = NULL;

	g_mutex_lock(&lock);
	for (guint i = 0; loaded && i < loaded->len && !found; i++) {
		const struct built_kernel *built = g_ptr_array_index(loaded, i);

		if (built->kernel == kernel)
			found = built;
	}
	g_mutex_unlock(&lock);
	return found;
}
