/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Bundles: see harness/record/bundle.h.
 */
#include "config.h"

#include "harness/record/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "harness/record/archive.h"
#include "lib/base/session-date.h"
#include "lib/base/wire.h"
#include "sim/capture/frame.h"
#include "sim/kernels/kernel-wish.h"
#include "sim/run/spec.h"
#include "sim/scrub/scrub-text.h"
#include "sim/topology/write.h"

#define ARCHIVE_SUFFIX ".tar.zst"

char *bundle_file(const struct bundle *bundle, const char *name)
{
	return g_build_filename(bundle->path, name, NULL);
}

static bool refuse(GError **error, const char *path)
{
	const char *cure = errno == EEXIST ? "; give a name that nothing has yet" : "";

	g_set_error(error, COMMAND_ERROR, COMMAND_REFUSED, "cannot make %s: %s%s", path,
		    g_strerror(errno), cure);
	return false;
}

/* A tap wants a header: of pcap with nanoseconds, version 2.4, and ERF records. */
static bool make_capture(const struct bundle *bundle, GError **error)
{
	static const uint8_t header[] = {
		0x4d, 0x3c, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0,
		LINKTYPE_ERF, 0, 0, 0,
	};
	g_autofree char *capture = bundle_file(bundle, bundle->capture);
	int fd = open(capture, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0 && (strcmp(bundle->capture, BUNDLE_TAPPED) != 0 ||
				write(fd, header, sizeof(header)) == sizeof(header));

	if (!good)
		refuse(error, capture);
	if (fd >= 0)
		close(fd);
	return good;
}

/* Before anything is in it: no umask makes it readable for others. */
static int make_directory(struct bundle *bundle)
{
	if (!bundle->archive)
		return mkdir(bundle->path, 0700);
	errno = EEXIST;
	if (g_file_test(bundle->archive, G_FILE_TEST_EXISTS))
		return -1;
	return g_mkdtemp_full(bundle->path, 0700) ? 0 : -1;
}

struct bundle *bundle_new(const char *path, const char *capture, GError **error)
{
	struct bundle *bundle = g_new0(struct bundle, 1);

	bundle->path = g_canonicalize_filename(path, NULL);
	bundle->capture = capture;
	bundle->environment = g_ptr_array_new_with_free_func(g_free);
	if (g_str_has_suffix(bundle->path, ARCHIVE_SUFFIX)) {
		bundle->archive = bundle->path;
		bundle->path = g_strconcat(bundle->archive, ".XXXXXX", NULL);
	}
	if (make_directory(bundle) < 0)
		refuse(error, path);
	else if (make_capture(bundle, error))
		return bundle;
	bundle_free(bundle);
	return NULL;
}

void bundle_free(struct bundle *bundle)
{
	if (!bundle)
		return;
	g_ptr_array_unref(bundle->environment);
	topology_free(bundle->topology);
	g_free(bundle->archive);
	g_free(bundle->path);
	g_free(bundle);
}

char *bundle_capture(const char *path)
{
	g_autofree char *tapped = g_build_filename(path, BUNDLE_TAPPED, NULL);

	if (!g_file_test(path, G_FILE_TEST_IS_DIR))
		return g_strdup(path);
	if (g_file_test(tapped, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&tapped);
	return g_build_filename(path, BUNDLE_CAPTURE, NULL);
}

/* ---- what it is of ---- */

static void note(struct bundle *bundle, const char *name, const char *value)
{
	g_autofree char *line = g_strescape(value, NULL);

	g_ptr_array_add(bundle->environment, g_strdup_printf("%s: %s", name, line));
}

/* As GIDs and GUIDs are written, so that they are found when the text is scrubbed. */
static void note_port(struct bundle *bundle, const umad_port_t *port)
{
	g_autofree char *text = g_strdup_printf(
		"%s/%d state %u phys %u lid %u lmc %u sm_lid %u rate %u link %s prefix "
		"0x%016" G_GINT64_MODIFIER "x guid 0x%016" G_GINT64_MODIFIER "x", port->ca_name,
		port->portnum, port->state, port->phys_state, port->base_lid, port->lmc,
		port->sm_lid, port->rate, port->link_layer, GUINT64_FROM_BE(port->gid_prefix),
		GUINT64_FROM_BE(port->port_guid));

	note(bundle, "port", text);
}

static void note_devices(struct bundle *bundle)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);

	for (int i = 0; i < count; i++) {
		g_autofree char *text = NULL;
		umad_ca_t ca;

		if (umad_get_ca(names[i], &ca) < 0)
			continue;
		text = g_strdup_printf("%s type %s firmware %s hardware %s guid 0x%016"
				       G_GINT64_MODIFIER "x system 0x%016" G_GINT64_MODIFIER "x",
				       ca.ca_name, ca.ca_type, ca.fw_ver, ca.hw_ver,
				       GUINT64_FROM_BE(ca.node_guid),
				       GUINT64_FROM_BE(ca.system_guid));
		note(bundle, "device", text);
		for (int num = 0; num < UMAD_CA_MAX_PORTS; num++)
			if (ca.ports[num])
				note_port(bundle, ca.ports[num]);
		umad_release_ca(&ca);
	}
}

/* The kernels that the fabric names, as they are now: a name may stand for another one later. */
static void note_kernels(struct bundle *bundle, const char *fabric)
{
	struct spec spec;
	char why[1024];

	if (spec_parse(fabric, NULL, &spec, why, sizeof(why)) < 0)
		return;
	for (char **text = spec.options.kernels; text && *text; text++) {
		const struct built_kernel *built = NULL;
		g_autofree char *line = NULL;
		struct kernel_wish wish;

		if (kernel_wish_parse(*text, &wish, why, sizeof(why)) < 0)
			continue;
		if (kernel_wish_find(&wish, &built, why, sizeof(why)) == 0 && built) {
			line = g_strdup_printf("%s%s%s %s", wish.host ? wish.host : "",
					       wish.host ? ":" : "", built->kernel->name,
					       built->identity);
			note(bundle, "kernel", line);
		}
		kernel_wish_clear(&wish);
	}
	spec_clear(&spec);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* When it begins: in virtual time that is always the same moment. */
static void note_date(struct bundle *bundle, bool is_virtual)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();
	g_autofree char *text = g_date_time_format(now, "%Y-%m-%d %H:%M:%S UTC");

	note(bundle, "date", is_virtual ? SESSION_DATE_TEXT " (virtual time)" : text);
}

void bundle_describe(struct bundle *bundle, const char *fabric, char *const *command, bool real)
{
	g_auto(GStrv) env = g_get_environ();
	g_autofree char *line = g_strjoinv(" ", (char **)command);
	struct utsname system;
	guint first;

	note(bundle, "version", PACKAGE_STRING);
	note_date(bundle, !real && strstr(fabric, ",clock=virtual"));
	/* Not its node name. */
	if (uname(&system) == 0) {
		g_autofree char *text = g_strdup_printf("%s %s %s", system.sysname, system.release,
							system.machine);

		note(bundle, "system", text);
	}
	note(bundle, "command", line);
	if (real) {
		note_devices(bundle);
	} else {
		note(bundle, "fabric", *fabric ? fabric : "(the default)");
		note_kernels(bundle, fabric);
	}
	first = bundle->environment->len;
	for (char **variable = env; *variable; variable++)
		if (g_str_has_prefix(*variable, "UMAD_") || g_str_has_prefix(*variable, "OSM_"))
			note(bundle, "variable", *variable);
	qsort(bundle->environment->pdata + first, bundle->environment->len - first,
	      sizeof(void *), compare_lines);
}

/* ---- scrubbing ---- */

static void scrub_guid(const struct value_book *values, uint64_t *guid)
{
	uint8_t bytes[8];

	put_be64(bytes, *guid);
	value_guid(values, bytes);
	*guid = get_be64(bytes);
}

static void scrub_node(struct topology *topology, struct topology_node *node,
		       const struct value_book *values)
{
	uint8_t description[TOPOLOGY_DESCRIPTION_MAX + 1] = "";

	scrub_guid(values, &node->node_guid);
	scrub_guid(values, &node->sys_image_guid);
	for (unsigned int num = 0; num <= node->port_count; num++)
		scrub_guid(values, &node->ports[num].guid);
	if (!node->description)
		return;
	g_strlcpy((char *)description, node->description, sizeof(description));
	value_field(values, MAD_IDENTITY_NAME, description, TOPOLOGY_DESCRIPTION_MAX);
	node->description = g_string_chunk_insert(topology->strings, (const char *)description);
}

void bundle_scrub(struct bundle *bundle, const struct value_book *values)
{
	for (guint i = 0; bundle->topology && i < bundle->topology->nodes->len; i++)
		scrub_node(bundle->topology, bundle->topology->nodes->pdata[i], values);
	for (guint i = 0; i < bundle->environment->len; i++) {
		char **line = (char **)&bundle->environment->pdata[i];
		char *text = scrub_text(values, *line);

		if (values->replace) {
			g_free(*line);
			*line = text;
		} else {
			g_free(text);
		}
	}
}

/* ---- writing ---- */

static bool write_text(const struct bundle *bundle, const char *name, const GString *text,
		       GError **error)
{
	g_autofree char *path = bundle_file(bundle, name);
	g_autoptr(GError) cause = NULL;

	if (g_file_set_contents_full(path, text->str, (gssize)text->len,
				     G_FILE_SET_CONTENTS_CONSISTENT, 0600, &cause))
		return true;
	g_set_error_literal(error, COMMAND_ERROR, COMMAND_FAILED, cause->message);
	return false;
}

bool bundle_write(const struct bundle *bundle, GError **error)
{
	g_autoptr(GString) environment = g_string_new(NULL), topology = g_string_new(NULL);

	for (guint i = 0; i < bundle->environment->len; i++)
		g_string_append_printf(environment, "%s\n",
				       (const char *)bundle->environment->pdata[i]);
	if (bundle->topology)
		topology_write_ibnetdiscover(bundle->topology, topology);
	return write_text(bundle, BUNDLE_ENVIRONMENT, environment, error) &&
	       (!bundle->topology || write_text(bundle, BUNDLE_TOPOLOGY, topology, error));
}

void bundle_remove(const struct bundle *bundle)
{
	const char *const names[] = { bundle->capture, BUNDLE_TOPOLOGY, BUNDLE_ENVIRONMENT };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *file = bundle_file(bundle, names[i]);

		unlink(file);
	}
	rmdir(bundle->path);
}

const char *bundle_finish(struct bundle *bundle, GError **error)
{
	const char *const names[] = { bundle->capture, BUNDLE_TOPOLOGY, BUNDLE_ENVIRONMENT, NULL };

	if (!bundle->archive)
		return bundle->path;
	if (!archive_write(bundle->archive, bundle->path, names, error))
		return NULL;
	bundle_remove(bundle);
	return bundle->archive;
}
