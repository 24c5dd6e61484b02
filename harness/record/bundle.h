/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bundles: directories that umadrig record makes, or archives of them (.tar.zst). One has the
 * capture of a run, the fabric that it ran on and what it ran in.
 */
#ifndef UMADRIG_HARNESS_RECORD_BUNDLE_H
#define UMADRIG_HARNESS_RECORD_BUNDLE_H

#include <glib.h>

#include "sim/scrub/scrub-value.h"
#include "sim/topology/topology.h"

/* The files of a bundle. */
#define BUNDLE_CAPTURE "capture.pcapng"		/* of a simulated fabric */
#define BUNDLE_TAPPED "capture.pcap"		/* of real ports (lib/mad-tap.h) */
#define BUNDLE_TOPOLOGY "topology.net"		/* as ibnetdiscover prints it; may be missing */
#define BUNDLE_ENVIRONMENT "environment.txt"

/* What goes into a bundle beside its capture. */
struct bundle {
	char *path;			/* absolute: the directory */
	char *archive;			/* absolute: what becomes of it, or NULL */
	const char *capture;		/* the name of its capture */
	GPtrArray *environment;		/* of char *, lines */
	struct topology *topology;	/* NULL: none is known */
};

/*
 * Makes the directory 'path', mode 0700, and in it 'capture' (one of the two above), mode 0600,
 * empty or with a header. NULL with an error of COMMAND_ERROR where it is there already or cannot
 * be made.
 */
struct bundle *bundle_new(const char *path, const char *capture, GError **error);
/*
 * The bundle is whole: where it is to be an archive, it becomes one, and the directory goes. What
 * it is called then, the bundle's, or NULL with an error: the directory stays.
 */
const char *bundle_finish(struct bundle *bundle, GError **error);

/* Nothing has been recorded: the directory and its files go. */
void bundle_remove(const struct bundle *bundle);
/* The bundle itself stays. NULL is allowed. */
void bundle_free(struct bundle *bundle);

/* A file of it, to be freed with g_free(). */
char *bundle_file(const struct bundle *bundle, const char *name);

/*
 * Notes what the run is: the command, the fabric (as its user named it), versions, and the
 * variables UMAD_* and OSM_* of this process. With 'real', the devices of this machine.
 */
void bundle_describe(struct bundle *bundle, const char *fabric, char *const *command, bool real);

/* Replaces what is in 'topology' and 'environment' by aliases, or learns it. */
void bundle_scrub(struct bundle *bundle, const struct value_book *values);

/* Writes 'topology' and 'environment', mode 0600. */
bool bundle_write(const struct bundle *bundle, GError **error);

/*
 * The capture of the bundle 'path'; or 'path', where that is none, or an archive, which is read as
 * its capture; to be freed.
 */
char *bundle_capture(const char *path);

#endif
