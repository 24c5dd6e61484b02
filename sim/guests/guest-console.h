/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The console of a guest: a file that its kernel writes, and what the kernel complains of there.
 */
#ifndef UMADRIG_SIM_GUESTS_GUEST_CONSOLE_H
#define UMADRIG_SIM_GUESTS_GUEST_CONSOLE_H

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* The file keeps so many bytes, and its end when there are more. */
#define GUEST_CONSOLE_MAX (1 << 20)
/* A guest that writes more without a wait is ended; it is looked at each second of real time. */
#define GUEST_CONSOLE_TURN_MAX (16 << 20)
/* So many complaints of one boot are told: what runs in a guest can write any number. */
#define GUEST_COMPLAINTS_MAX 32

struct guest_console {
	int fd;			/* its file, to be appended to; -1: none */
	off_t seen;		/* how much of the file has been looked at */
	GString *line;		/* the begin of the last line, if there was no end yet; or NULL */
	char *where;		/* the function that was last said to run; or NULL */
	unsigned int complaints;	/* how many there were */
};

/* A new file 'name' in a directory that is the guest's own. 0, or -errno. */
int guest_console_open(struct guest_console *console, const char *directory, const char *name);
/* The file stays; it goes with the directory. Nothing, where none is open. */
void guest_console_close(struct guest_console *console);

/*
 * Looks at what has been written since the last time. Each line in which Linux reports a mistake of
 * its own (a warning, an oops, a panic, a report of KASAN, UBSAN or lockdep) is kept for
 * found_faults_take(), as of the host, and goes to stderr. A panic has the function that the kernel
 * was in.
 */
void guest_console_look(struct guest_console *console, const char *host);

/* Has more been written since then than GUEST_CONSOLE_TURN_MAX bytes? */
bool guest_console_floods(const struct guest_console *console);

/* The last lines, each after 'before'; to be freed. */
char *guest_console_last_words(const struct guest_console *console, const char *before);

#endif
