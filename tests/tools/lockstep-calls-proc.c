/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Numbers of processes in the names of /proc, and in what files there say. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

/* What /proc lists, of numbers, in its order. */
static void list(char *text, size_t size)
{
	DIR *directory = opendir("/proc");
	const struct dirent *entry;
	size_t length = 0;

	text[0] = '\0';
	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
		    length + strlen(entry->d_name) + 2 < size)
			length += (size_t)snprintf(text + length, size - length, "%s ",
						   entry->d_name);
	}
	if (directory)
		closedir(directory);
}

static const char *line_of(pid_t pid, const char *name)
{
	static char line[128];
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file) && strncmp(line, name, strlen(name)) != 0)
		line[0] = '\0';
	if (file)
		fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return line;
}

static bool is(const char *what, const char *text, const char *wanted)
{
	if (strcmp(text, wanted) != 0)
		printf("# %s: '%s', not '%s'\n", what, text, wanted);
	return strcmp(text, wanted) == 0;
}

bool row_proc_list(void)
{
	char text[256], wanted[64];
	pid_t pid = ends_after(2, 7);
	bool ok;

	list(text, sizeof(text));
	snprintf(wanted, sizeof(wanted), "%d %d ", (int)getpid(), (int)pid);
	ok = is("with a child", text, wanted);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	list(text, sizeof(text));
	snprintf(wanted, sizeof(wanted), "%d ", (int)getpid());
	return is("alone", text, wanted) && ok;
}

bool row_proc_names(void)
{
	char name[64], link[64] = "", wanted[64];
	struct stat st;
	pid_t pid = ends_after(2, 7);
	int at = open("/proc", O_RDONLY | O_DIRECTORY), fd;
	bool ok;

	snprintf(wanted, sizeof(wanted), "Pid:\t%d", (int)pid);
	ok = is("a child", line_of(pid, "Pid:"), wanted);
	snprintf(wanted, sizeof(wanted), "PPid:\t%d", (int)getpid());
	ok = is("its parent", line_of(pid, "PPid:"), wanted) && ok;
	ok = is("its memory", line_of(pid, "VmRSS:"), "VmRSS:\t       0 kB") && ok;
	snprintf(wanted, sizeof(wanted), "%d", (int)getpid());
	ok = readlink("/proc/self", link, sizeof(link) - 1) > 0 && is("self", link, wanted) && ok;
	snprintf(name, sizeof(name), "%d/comm", (int)pid);
	fd = openat(at, name, O_RDONLY);
	ok = ok && fd >= 0 && faccessat(at, name, R_OK, 0) == 0;
	close(fd);
	snprintf(name, sizeof(name), "/proc/%d", (int)pid);
	ok = ok && stat(name, &st) == 0 && access(name, R_OK) == 0;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return ok && stat(name, &st) == -1 && errno == ENOENT && close(at) == 0;
}
