/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Files of text that are read whole: those that users name, which may be anything.
 */
#ifndef UMADRIG_SIM_TOPOLOGY_TEXT_FILE_H
#define UMADRIG_SIM_TOPOLOGY_TEXT_FILE_H

#include <glib.h>
#include <stdbool.h>

/* For files that have no limit of their own: a fabric of all LIDs has some tens of MB. */
#define TEXT_FILE_MAX ((size_t)256 << 20)

/*
 * The text of a file, or of a pipe up to its end, with a NUL behind it; to be freed. False with an
 * error that names the file: it has more than 'size_max' bytes, is a device or a socket, or is a
 * pipe that nobody has opened to write to, which could be waited for without end.
 */
bool text_file_read(const char *path, size_t size_max, char **ret_text, gsize *ret_size,
		    GError **error);

#endif
