/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files that say what a command line may say: umadrig explore --plan, umadrig exec --plan.
 *
 *	# Two subnet managers, of which one is killed.
 *	fabric two.net,state=cold
 *	runs 100
 *	keep-going
 *	always one-master within 30s
 *	each signal opensm KILL
 *	command
 *		cd "$UMADRIG_RUN" || exit
 *		opensm -f log >out 2>&1 & sm=$!
 *		sleep 60; kill $sm; wait $sm
 *
 * A line has the long name of an option without its dashes, and its value, up to the end. Those
 * that begin with # are comments. What is to be run is a script for sh: the rest of the line
 * "command" and the lines below it that begin with a blank.
 */
#ifndef UMADRIG_HARNESS_BASE_PLAN_FILE_H
#define UMADRIG_HARNESS_BASE_PLAN_FILE_H

#include <glib.h>
#include <stdbool.h>

/* What files say: from several of them, one after the other. */
struct plan_file {
	GPtrArray *words;	/* of char *: "--OPTION=VALUE", "--OPTION" */
	char **command;		/* "sh", "-c" and the last file's script; NULL: none has one */
	/* Options that another command has, for the cure; or NULL. The caller's. */
	const char *const *foreign;
	const char *foreign_command;	/* "umadrig explore" */
};

void plan_file_begin(struct plan_file *plan);
void plan_file_clear(struct plan_file *plan);

/*
 * Takes the text of a file called 'path' of a command that has these options, ended by one without
 * a name. Where each line is from is remembered for errors about its value (command_said_at()).
 * False: an error of COMMAND_ERROR, with a line for each mistake; '*plan' is as it was.
 */
bool plan_file_take(struct plan_file *plan, const char *path, const char *text, gsize size,
		    const GOptionEntry *options, GError **error);

/* The same for the files themselves, NULL-terminated. */
bool plan_file_read(struct plan_file *plan, char *const *paths, const GOptionEntry *options,
		    GError **error);

/* The words of a command line before options are taken out of it; to be unref'd. */
GPtrArray *plan_file_words(int argc, char **argv);
/*
 * Puts the plans' words in front of these, which '*argc' and '*argv' are then: what the command
 * line says adds to them, or replaces what they say. Neither may be freed before.
 */
void plan_file_put(const struct plan_file *plan, GPtrArray *words, int *argc, char ***argv);

#endif
