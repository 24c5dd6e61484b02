/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The process of a guest: see sim/guests/guest-process.h.
 */
#include "config.h"

#include "sim/guests/guest-process.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/hca-edges.h"
#include "lib/base/mix64.h"
#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/guests/guest-console.h"
#include "sim/guests/guest-image.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest-stream.h"
#include "sim/guests/guest.h"
#include "sim/process/process-reap.h"
#include "sim/process/process-spawn.h"

#define TIME_SOCKET "time"
#define HCA_SOCKET "hca"
#define CONSOLE "console"

enum {
	LOOK_MS = 100,		/* whether it has ended before it begins: real time */
};

/* ---- all of this process ---- */

static GMutex lock;
static GHashTable *pids;	/* a set; NULL: there has been none */

static void note(pid_t pid)
{
	g_mutex_lock(&lock);
	if (!pids)
		pids = g_hash_table_new(NULL, NULL);
	g_hash_table_add(pids, GINT_TO_POINTER(pid));
	g_mutex_unlock(&lock);
}

static void forget(pid_t pid)
{
	g_mutex_lock(&lock);
	if (pids)
		g_hash_table_remove(pids, GINT_TO_POINTER(pid));
	g_mutex_unlock(&lock);
}

bool guest_process_is(pid_t pid)
{
	bool is;

	g_mutex_lock(&lock);
	is = pids && g_hash_table_contains(pids, GINT_TO_POINTER(pid));
	g_mutex_unlock(&lock);
	return is;
}

/* ---- its command line ---- */

/* Each guest has entropy of its own, and another with another seed or schedule. */
static uint64_t seed_of(const struct guest *guest)
{
	const struct umadrig_fabric *fabric = guest->host->fabric;
	uint64_t seed = mix64(fabric->seed + MIX64_STEP * (guest->number + 1));

	return mix64(seed ^ fabric->options.schedule.seed);
}

static char **command_line(const struct guest *guest, const char *init)
{
	const char *directory = guest->host->fabric->options.guest_directory;
	GPtrArray *words = g_ptr_array_new();

	g_ptr_array_add(words, g_strdup("linux"));
	g_ptr_array_add(words, g_strdup("mem=" GUEST_MEMORY));
	g_ptr_array_add(words, g_strdup("rootfstype=hostfs"));
	g_ptr_array_add(words, g_strdup("ro"));
	g_ptr_array_add(words, g_strconcat("init=", init, NULL));
	g_ptr_array_add(words, g_strdup("con=null"));
	g_ptr_array_add(words, g_strdup("con0=null,fd:1"));
	g_ptr_array_add(words, g_strdup("console=tty0"));
	/* All but what debuggers want: registers at a panic are only information to Linux. */
	g_ptr_array_add(words, g_strdup("loglevel=7"));
	g_ptr_array_add(words, g_strdup("panic=-1"));
	g_ptr_array_add(words, g_strdup("uml_dir=./"));
	g_ptr_array_add(words, g_strdup("umid=guest"));
	/*
	 * Since Linux 6.16: programs' calls are caught without ptrace(2), a fifth faster. Programs
	 * can reach all of the guest's memory then, where they are root anyway.
	 */
	g_ptr_array_add(words, g_strdup("seccomp=auto"));
	g_ptr_array_add(words, g_strdup("time-travel=ext:0:./" TIME_SOCKET));
	g_ptr_array_add(words, g_strdup_printf("virtio_uml.device=./" HCA_SOCKET ":%d",
					       UMADRIG_HCA_VIRTIO_ID));
	g_ptr_array_add(words, g_strdup_printf("umadrig_seed=%" G_GUINT64_FORMAT, seed_of(guest)));
	if (directory)
		g_ptr_array_add(words, g_strconcat("umadrig_write=", directory, NULL));
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, false);
}

/* ---- its beginning ---- */

static int without_random_addresses(void *ctx)
{
	(void)ctx;
	personality(ADDR_NO_RANDOMIZE);
	return 0;
}

/* The file of counters of an image that was built with --edges; to be freed. NULL: none. */
static char *edges_variable(void)
{
	const char *path = getenv(UMADRIG_EDGES_VARIABLE);
	g_autofree char *whole = path ? g_canonicalize_filename(path, NULL) : NULL;

	return whole ? g_strconcat(UMADRIG_EDGES_VARIABLE "=", whole, NULL) : NULL;
}

static int spawn(struct guest *guest, const char *init)
{
	g_auto(GStrv) argv = command_line(guest, init);
	g_autofree char *memory = g_strconcat("TMPDIR=", guest_memory_directory(), NULL);
	g_autofree char *home = g_strconcat("HOME=", guest->directory.path, NULL);
	g_autofree char *edges = edges_variable();
	char *environment[] = { memory, home, edges, NULL };
	sigset_t none;	/* the kernel's own SIGSYS must come, too */
	const struct spawn how = {
		.mask = &none,
		.leads = SPAWN_LEADS_SESSION, .path = guest->image, .argv = argv,
		.environment = environment, .directory = guest->directory.path,
		.input = SPAWN_NULL, .output = guest->console.fd,
		.errors = guest->console.fd,
		.prepare = without_random_addresses,
	};
	struct spawn_failure failure;
	pid_t pid;

	sigemptyset(&none);
	pid = spawn_program(&how, &failure);
	if (pid < 0)
		return failure.err > 0 ? -failure.err : -ENOEXEC;
	guest->pid = pid;
	note(pid);
	return 0;
}

/* It connects before it does anything else. */
static int await_connection(struct guest *guest)
{
	for (int waited_ms = 0; waited_ms < guest->set->patience_ms; waited_ms += LOOK_MS) {
		int fd = guest_stream_accept(guest->time_listener, LOOK_MS);

		if (fd != -ETIMEDOUT)
			return fd;
		if (reap_can(guest->pid))
			return -ECHILD;
	}
	return -ETIMEDOUT;
}

static void say_why(const struct guest *guest, int err, char *reterr, size_t reterr_size)
{
	g_autofree char *words = guest_console_last_words(&guest->console, "\n  ");

	g_snprintf(reterr, reterr_size, "the guest of %s did not start (%s): %s%s%s",
		   guest->host->name, guest->image, err == -ECHILD ? "its process has ended" :
		   err == -EPROTO ? guest->time.why : g_strerror(-err), *words ? "; it says:" : "",
		   words);
}

static int start(struct guest *guest, const char *init)
{
	int ret = guest_console_open(&guest->console, guest->directory.path, CONSOLE);

	if (ret < 0)
		return ret;
	guest->time_listener = guest_stream_listen(guest->directory.path, TIME_SOCKET);
	guest->vhost.listener = guest_stream_listen(guest->directory.path, HCA_SOCKET);
	ret = MIN(guest->time_listener, guest->vhost.listener);
	if (ret >= 0)
		ret = spawn(guest, init);
	if (ret < 0)
		return ret;
	guest->time.fd = await_connection(guest);
	if (guest->time.fd < 0)
		return guest->time.fd;
	close(guest->time_listener);
	guest->time_listener = -1;
	return guest_time_start(&guest->time);
}

int guest_process_start(struct guest *guest, char *reterr, size_t reterr_size)
{
	g_autofree char *init = guest_init_path();
	int ret = private_directory_make(&guest->directory, "", reterr, reterr_size);

	if (ret < 0)
		return ret;
	guest->time = (struct guest_time) {
		.fd = -1, .patience_ms = guest->set->patience_ms, .request_ns = TIME_NEVER,
	};
	guest->vhost.patience_ms = guest->set->patience_ms;
	ret = start(guest, init);
	if (ret == 0)
		return 0;
	say_why(guest, ret, reterr, reterr_size);
	guest_process_end(guest);
	return ret;
}

/* ---- its end ---- */

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void guest_process_end(struct guest *guest)
{
	/* From 7.2 on each of its programs is a process that is our child when it has gone. */
	forget(guest->pid);
	reap_killed_group(guest->pid);
	guest->pid = 0;
	guest_console_look(&guest->console, guest->host->name);
	guest_console_close(&guest->console);
	close_one(&guest->time_listener);
	close_one(&guest->time.fd);
	guest_vhost_clear(&guest->vhost);
	guest->time.state = GUEST_TIME_NONE;
	if (guest->directory.path)
		private_directory_remove(&guest->directory);
}
