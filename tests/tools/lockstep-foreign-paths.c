/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Of lockstep-foreign: times of files that are changed by relative paths, whose directory is then
 * left or closed, and after calls that would have the program see other files, but do not.
 */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* How long ago it was changed, in us. */
static void say_changed(const char *what, int at, const char *path)
{
	struct timespec real;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &real);
	if (fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		say("not there", errno);
		return;
	}
	say(what, (real.tv_sec - st.st_mtim.tv_sec) * 1000000L +
		  (real.tv_nsec - st.st_mtim.tv_nsec) / 1000);
}

static void change_in_directory(const char *where)
{
	/* A second after the session's start, and long before. */
	const struct timespec set[] = { { 1700000001, 0 }, { 8, 9000 } };
	const struct timespec wrong[] = { { 5, 0 }, { 8, 2000000000 } };
	int directory = open(where, O_RDONLY | O_DIRECTORY);
	struct stat st;
	int fd;

	pause_us(1000);
	fd = openat(directory, "file", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	close(fd);
	close(directory);
	pause_us(1000);
	say_changed("made in a directory that is closed", AT_FDCWD, "file");
	directory = open(where, O_RDONLY | O_DIRECTORY);
	say("set", utimensat(directory, "file", set, 0));
	close(directory);
	stat("file", &st);
	say("to seconds", st.st_mtim.tv_sec);
	say("and ns", st.st_mtim.tv_nsec);
	say("accessed", st.st_atim.tv_sec);
	directory = open(where, O_RDONLY | O_DIRECTORY);
	say("to now", utimensat(directory, "file", NULL, 0));
	say("of none", utimensat(directory, "none", NULL, 0) < 0 ? -errno : 0);
	say("by wrong flags", utimensat(directory, "file", NULL, 1) < 0 ? -errno : 0);
	say("in none", utimensat(900, "file", NULL, 0) < 0 ? -errno : 0);
	say("of a wrong time", utimensat(directory, "file", wrong, 0) < 0 ? -errno : 0);
	say("of an open file that is none", futimens(900, NULL) < 0 ? -errno : 0);
	close(directory);
	pause_us(1000);
	say_changed("now", AT_FDCWD, "file");
	say("by utimes", utimes("file", (struct timeval[]){ { 1, 0 }, { 2, 2000000 } }) < 0 ?
			 -errno : 0);
}

void part_paths(void)
{
	cpu_set_t none;

	say("made", mkdir("inner", 0700));
	say("into it", chdir("inner"));
	pause_us(2000);
	say_changed("the directory", AT_FDCWD, ".");
	change_in_directory(".");
	say("root of nothing", chroot("none") < 0);
	say("the same group", setgid(getgid()));
	say("the same user", setuid(getuid()));
	change_in_directory(".");
	unlink("file");
	say("out of it", chdir(".."));
	say("removed", rmdir("inner"));
	CPU_ZERO(&none);
	say("processors of none", sched_getaffinity(-1, sizeof(none), &none) < 0 ? -errno : 0);
	CPU_ZERO(&none);
	say("no processor", sched_setaffinity(0, sizeof(none), &none) < 0 ? -errno : 0);
}
