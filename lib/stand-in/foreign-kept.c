/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* See lib/stand-in/foreign-kept.h. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/stand-in/foreign-kept.h"
#include "lib/stand-in/foreign-process.h"

enum {
	FILES = 1024,
	NAME_SIZE = 32,		/* "socket:[4026531840]" */
	SWEEP = 16,		/* more files than this are looked at before another is added */
};

static struct file {
	ino_t inode;		/* 0: free */
	int fd;
	char name[NAME_SIZE];	/* as /proc/PID/fd has it */
} files[FILES];
static unsigned int count;	/* of those in use */

/* The kernel's word: libumadraw has another one for umad files. */
static ino_t inode_of(int fd)
{
	struct stat st;

	return CALL_2(SYS_fstat, fd, &st) == 0 ? st.st_ino : 0;
}

static void name_of(int directory, const char *number, char ret[NAME_SIZE])
{
	long n = CALL_4(SYS_readlinkat, directory, number, ret, NAME_SIZE - 1);

	ret[n > 0 ? n : 0] = '\0';
}

int foreign_kept_add(int fd)
{
	struct file *file = files;
	char number[64];

	if (count >= SWEEP)
		foreign_kept_sweep();
	while (file < files + FILES && file->inode)
		file++;
	if (file == files + FILES)
		return -EMFILE;
	*file = (struct file){ .inode = inode_of(fd), .fd = fd };
	snprintf(number, sizeof(number), "/proc/self/fd/%d", fd);
	name_of(-1, number, file->name);
	count++;
	return 0;
}

int foreign_kept_of(ino_t inode)
{
	for (unsigned int i = 0; count > 0 && i < FILES; i++) {
		if (files[i].inode && files[i].inode == inode)
			return files[i].fd;
	}
	return -1;
}

static void mark(const char *name, bool *has_copy)
{
	for (unsigned int i = 0; i < FILES; i++) {
		if (files[i].inode && strcmp(files[i].name, name) == 0)
			has_copy[i] = true;
	}
}

void foreign_kept_sweep(void)
{
	bool has_copy[FILES] = { false };
	char name[NAME_SIZE], path[64];
	struct dirent *entry;
	DIR *directory;

	if (count == 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/fd", foreign.pid);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		name_of(dirfd(directory), entry->d_name, name);
		mark(name, has_copy);
	}
	if (directory)
		closedir(directory);
	for (unsigned int i = 0; directory && i < FILES; i++) {
		if (!files[i].inode || has_copy[i])
			continue;
		close(files[i].fd);
		files[i].inode = 0;
		count--;
	}
}
