/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Descendants: found in /proc, and ended. None of this needs rights or a control group.
 */
#include "config.h"

#include "sim/process/descendants.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/words/number.h"
#include "sim/process/process-reap.h"

/* Where processes are made faster than they are found, a visit ends some time, too. */
enum { VISITED_MAX = 1 << 16 };

struct process {
	pid_t pid, parent;
	char state;
	char name[64];
};

/* False: it has gone. */
static bool process_read(pid_t pid, struct process *ret)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid);
	g_autofree char *text = NULL;
	char *name, *after;
	uint64_t parent;

	/* "PID (NAME) STATE PARENT": NAME may contain anything. */
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return false;
	name = strchr(text, '(');
	after = strrchr(text, ')');
	if (!name || !after || strlen(after) < strlen(") S") ||
	    number_after(after + strlen(") S"), "", 10, &parent) < 0)
		return false;
	ret->state = after[strlen(") ")];
	*after = '\0';
	g_strlcpy(ret->name, name + 1, sizeof(ret->name));
	ret->pid = pid;
	ret->parent = (pid_t)parent;
	return true;
}

pid_t descendants_parent_of(pid_t pid)
{
	struct process process;

	return process_read(pid, &process) ? process.parent : 0;
}

/* ---- lists of children, a file for each thread: proc_pid_children(5) ---- */

/* Adds what is in "PID PID ...". */
static void add_pids(GArray *pids, const char *text)
{
	for (uint64_t pid; number_take(&text, 10, INT_MAX, &pid) == 0; text += *text == ' ') {
		pid_t one = (pid_t)pid;

		g_array_append_val(pids, one);
	}
}

/* False: the kernel keeps no such lists, or the process has gone. */
static bool add_children(GArray *pids, pid_t pid)
{
	g_autofree char *tasks = g_strdup_printf("/proc/%d/task", (int)pid);
	g_autoptr(GDir) dir = g_dir_open(tasks, 0, NULL);
	bool listed = false;
	const char *tid;

	while (dir && (tid = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(tasks, tid, "children", NULL);
		g_autofree char *text = NULL;

		if (!g_file_get_contents(path, &text, NULL, NULL))
			continue;
		listed = true;
		add_pids(pids, text);
	}
	return listed;
}

void descendants_visit(descendant_fn *visit, void *ctx)
{
	g_autoptr(GArray) pids = g_array_new(false, false, sizeof(pid_t));

	if (!add_children(pids, getpid())) {
		descendants_visit_slowly(visit, ctx);
		return;
	}
	for (guint i = 0; i < MIN(pids->len, VISITED_MAX); i++) {
		pid_t pid = g_array_index(pids, pid_t, i);
		guint known = pids->len;

		/* First: once it has ended its children are not below it any more. */
		add_children(pids, pid);
		if (!visit(ctx, pid))
			g_array_set_size(pids, known);
	}
}

/* ---- all processes ---- */

static GArray *all_processes(void)
{
	GArray *found = g_array_new(false, false, sizeof(struct process));
	g_autoptr(GDir) dir = g_dir_open("/proc", 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		struct process process;
		uint64_t pid;

		if (number_parse_decimal(name, 1, INT_MAX, &pid) == 0 &&
		    process_read((pid_t)pid, &process))
			g_array_append_val(found, process);
	}
	return found;
}

void descendants_visit_slowly(descendant_fn *visit, void *ctx)
{
	g_autoptr(GArray) all = all_processes();
	g_autoptr(GArray) parents = g_array_new(false, false, sizeof(pid_t));
	pid_t self = getpid();

	g_array_append_val(parents, self);
	for (guint i = 0; i < parents->len; i++) {
		pid_t parent = g_array_index(parents, pid_t, i);

		for (guint j = 0; j < all->len; j++) {
			const struct process *process = &g_array_index(all, struct process, j);

			if (process->parent == parent && visit(ctx, process->pid))
				g_array_append_val(parents, process->pid);
		}
	}
}

/* ---- their names ---- */

static bool add_name(void *ctx, pid_t pid)
{
	GPtrArray *names = ctx;
	struct process process;

	if (process_read(pid, &process) && process.state != 'Z')
		g_ptr_array_add(names, g_strdup_printf("%s (%d)", process.name, (int)pid));
	return true;
}

void descendants_names(GPtrArray *names)
{
	descendants_visit(add_name, names);
}

/* ---- ending them ---- */

struct terminating {
	GHashTable *before, *now;
};

static bool terminate(void *ctx, pid_t pid)
{
	struct terminating *this = ctx;

	if (!g_hash_table_contains(this->before, GINT_TO_POINTER(pid))) {
		kill(pid, SIGTERM);
		/* One that is stopped acts on the former when it goes on. */
		kill(pid, SIGCONT);
	}
	g_hash_table_add(this->now, GINT_TO_POINTER(pid));
	return true;
}

void descendants_terminate(GHashTable *told)
{
	g_autoptr(GHashTable) now = g_hash_table_new(NULL, NULL);
	struct terminating this = { .before = told, .now = now };
	GHashTableIter iter;
	void *pid;

	descendants_visit(terminate, &this);
	g_hash_table_remove_all(told);
	g_hash_table_iter_init(&iter, now);
	while (g_hash_table_iter_next(&iter, &pid, NULL))
		g_hash_table_add(told, pid);
}

struct killing {
	const pid_t *except;
	size_t except_count;
	GPtrArray *names;
	unsigned int count;
};

static bool kill_one(void *ctx, pid_t pid)
{
	struct killing *this = ctx;
	int status;

	for (size_t i = 0; i < this->except_count; i++) {
		if (this->except[i] == pid)
			return false;
	}
	if (reap_ended(pid, &status) && status >= 0)
		return true;
	if (this->names)
		add_name(this->names, pid);
	kill(pid, SIGKILL);
	this->count++;
	return true;
}

unsigned int descendants_kill(const pid_t *except, size_t except_count, GPtrArray *names)
{
	struct killing this = {
		.except = except, .except_count = except_count, .names = names,
	};

	descendants_visit(kill_one, &this);
	return this.count;
}
