/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures that are read more than once to be shown: what ends are called in each reading, and a
 * file that changes between them.
 */
#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/show/ladder.h"
#include "harness/show/mermaid.h"
#include "harness/show/reading.h"
#include "harness/show/svg.h"
#include "lib/base/wire.h"
#include "tests/rig/leak.h"

enum { ATTR_CLASS_PORT_INFO = 1, MANY = 400, MORE = 10, PORTS = 1200 };

/* A PerfGet or its answer that leaves a port. */
struct row {
	const char *port;
	uint16_t slid, dlid;
	bool answers;
	uint64_t tid;
};

static void add(struct capture_writer *writer, const struct row *row, int64_t at_ns)
{
	const struct packet_addr addr = {
		.slid = row->slid, .dlid = row->dlid, .pkey = PKEY_DEFAULT, .src_qp = 1,
		.dest_qp = 1, .qkey = QKEY_GSI,
	};
	struct packet packet;
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_PERF;
	mad[MAD_METHOD] = row->answers ? MAD_METHOD_GET_RESP : MAD_METHOD_GET;
	put_be64(mad + MAD_TID, row->tid);
	put_be16(mad + MAD_ATTR_ID, ATTR_CLASS_PORT_INFO);
	capture_writer_packet(writer, capture_writer_interface(writer, row->port, NULL), at_ns,
			      true, &packet, NULL);
}

static char *write_capture(const struct row *rows, size_t count)
{
	char message[512] = "", *path;
	struct capture_writer *writer;

	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
	writer = capture_writer_open(path, NULL, true, message, sizeof(message));
	g_assert_cmpstr(message, ==, "");
	for (size_t i = 0; i < count; i++)
		add(writer, &rows[i], (int64_t)i * 1000000);
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	return path;
}

static char *shown(const char *path, const struct view_kind *kind)
{
	char *text = NULL;
	size_t size = 0;
	const struct reading reading = {
		.path = path, .kind = kind, .stream = open_memstream(&text, &size),
	};
	g_autoptr(GError) error = NULL;

	reading_show(&reading, &error);
	g_assert_no_error(error);
	fclose(reading.stream);
	return text;
}

/* ---- an address that moves ---- */

/* An SM gives LID 6 to another port: once, so it is not that of two ports. */
static const struct row moved[] = {
	{ "A[1]", 5, 6, .tid = 1 },
	{ "B[1]", 6, 5, .answers = true, .tid = 1 },
	{ "C[1]", 6, 45, .tid = 2 },
	{ "C[1]", 6, 45, .tid = 2 },
	{ "A[1]", 5, 6, .tid = 3 },
};

static void test_moved(void)
{
	g_autofree char *path = write_capture(moved, G_N_ELEMENTS(moved));
	char *ladder = shown(path, &ladder_view), *svg = shown(path, &svg_view);

	g_assert_cmpstr(ladder, ==,
		"                A[1]                            B[1]        "
		"  C[1]                       LID 45\n"
		"       0.000ms    |----PerfGet(ClassPortInfo)---->|         "
		"    |                           |  tid=0x1\n"
		"       1.000ms    |<-PerfGetResp(ClassPortInfo)---|         "
		"    |                           |  tid=0x1\n"
		"       2.000ms    |                               |         "
		"    |--PerfGet(ClassPortInfo)-->|  tid=0x2\n"
		"       3.000ms    |                               |         "
		"    |--PerfGet(ClassPortInfo)-->|  tid=0x2\n"
		"       4.000ms    |-----------PerfGet(ClassPortInfo)--------"
		"--->|                           |  tid=0x3\n");
	free(ladder);
	free(svg);
	g_unlink(path);
}

/* Each port takes part under its name, in each reading. */
static void test_moved_names(void)
{
	static const char *const arrows[] = {
		"p0->>p1: PerfGet(ClassPortInfo) tid=0x1", "p1->>p0: PerfGetResp",
		"p2->>p3: PerfGet(ClassPortInfo) tid=0x2",
		"p0->>p2: PerfGet(ClassPortInfo) tid=0x3",
	};
	g_autofree char *path = write_capture(moved, G_N_ELEMENTS(moved));
	char *diagram = shown(path, &mermaid_view);

	for (size_t i = 0; i < G_N_ELEMENTS(arrows); i++)
		if (!strstr(diagram, arrows[i]))
			g_error("no '%s' in\n%s", arrows[i], diagram);
	free(diagram);
	g_unlink(path);
}

/* So many ports that the rest share a place, whose name one of them has: none is named twice. */
static void test_others(void)
{
	g_autofree struct row *rows = g_new0(struct row, PORTS);
	g_autofree char *path = NULL;
	g_auto(GStrv) lines = NULL;
	unsigned int last = 0;
	char *diagram;

	for (unsigned int i = 0; i < PORTS; i++)
		rows[i] = (struct row){ i ? g_strdup_printf("P%u[1]", i) : g_strdup("(others)"),
					(uint16_t)(i + 1), 1, .tid = i };
	path = write_capture(rows, PORTS);
	diagram = shown(path, &mermaid_view);
	lines = g_strsplit(diagram, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_autofree char *wanted = NULL;

		if (!g_str_has_prefix(*line, "    participant "))
			continue;
		wanted = g_strdup_printf("    participant p%u as %s", last, rows[last].port);
		g_assert_cmpstr(*line, ==, wanted);
		last++;
	}
	g_assert_cmpuint(last, ==, 999);
	for (unsigned int i = 0; i < PORTS; i++)
		g_free((char *)rows[i].port);
	free(diagram);
	g_unlink(path);
}

/* ---- a file that grows ---- */

struct growth {
	FILE *file;		/* NULL: it has grown */
	const char *more;
	size_t more_size;
};

static ssize_t grow(void *cookie, const char *bytes, size_t size)
{
	struct growth *growth = cookie;

	(void)bytes;
	if (growth->file) {
		g_assert_cmpuint(fwrite(growth->more, 1, growth->more_size, growth->file), ==,
				 growth->more_size);
		fclose(growth->file);
		growth->file = NULL;
	}
	return (ssize_t)size;
}

static char *warned;

static void keep_warning(const char *warning)
{
	g_free(warned);
	warned = g_strdup(warning);
}

/* Ports and MADs that come while the ladder is drawn are not drawn, and are counted. */
static void test_grown(void)
{
	g_autofree struct row *rows = g_new0(struct row, MANY + MORE);
	g_autofree char *path = NULL, *whole = NULL, *wanted = NULL, *text = NULL, *bytes = NULL;
	g_autoptr(GError) error = NULL;
	struct growth growth = { NULL, NULL, 0 };
	struct reading reading = { .kind = &ladder_view, .columns = 80, .warn = keep_warning };
	gsize size, whole_size;

	for (unsigned int i = 0; i < MANY + MORE; i++)
		rows[i] = (struct row){ i < MANY ? "A[1]" : "New[1]", 5, i < MANY ? 6 : 7,
					.tid = i };
	path = write_capture(rows, MANY);
	whole = write_capture(rows, MANY + MORE);
	g_assert_true(g_file_get_contents(path, &text, &size, NULL));
	g_assert_true(g_file_get_contents(whole, &bytes, &whole_size, NULL));
	g_assert_true(whole_size > size && memcmp(text, bytes, size) == 0);
	growth = (struct growth){ fopen(path, "ab"), bytes + size, whole_size - size };
	reading.path = path;
	reading.stream = fopencookie(&growth, "w", (cookie_io_functions_t){ .write = grow });
	setvbuf(reading.stream, NULL, _IONBF, 0);
	reading_show(&reading, &error);
	g_assert_no_error(error);
	fclose(reading.stream);
	g_assert_null(growth.file);
	wanted = g_strdup_printf("%s has grown while it was drawn: %d more MADs are not in the "
				 "drawing", path, MORE);
	g_assert_cmpstr(warned, ==, wanted);
	g_clear_pointer(&warned, g_free);
	g_unlink(path);
	g_unlink(whole);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/reading/moved", test_moved);
	g_test_add_func("/reading/moved-names", test_moved_names);
	g_test_add_func("/reading/others", test_others);
	g_test_add_func("/reading/grown", test_grown);
	return leak_end(g_test_run());
}
