/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A port of a fabric of three switches, and which packets were dropped.
 */
#ifndef UMADRIG_TESTS_RIG_FABRIC_RIG_H
#define UMADRIG_TESTS_RIG_FABRIC_RIG_H

#include <stdio.h>
#include <string.h>

#include "tests/rig/rig.h"

/*
 *	H1[1]-[1]S1[3]=[3]S2[1]-[1]H3
 *	H2[1]-[2]S1[4]=[4]S2[2]-[1]S3[2]-[1]H4		LIDs: H1 1 ... H4 4, S1 5, S2 6, S3 7
 */
static const char three_switches[] =
	"Hca 1 \"H1\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Hca 1 \"H3\"\n[1] \"S2\"[1]\n\nHca 2 \"H4\"\n[1] \"S3\"[2]\n\n"
	"Switch 8 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"S2\"[3]\n[4] \"S2\"[4]\n\n"
	"Switch 8 \"S2\"\n[1] \"H3\"[1]\n[2] \"S3\"[1]\n[3] \"S1\"[3]\n[4] \"S1\"[4]\n\n"
	"Switch 4 \"S3\"\n[1] \"S2\"[2]\n[2] \"H4\"[1]\n";

enum { NODE_DESCRIPTION = 0x0010, NODE_INFO = 0x0011, CLASS_PORT_INFO = 0x0001 };
enum { CLASS_VENDOR = 0x32 };

/* The causes of dropped packets that the fabric traced, one after the other. */
static inline void note_death(void *ctx, int64_t at_ns, const char *who, const char *text)
{
	GString *deaths = ctx;

	(void)at_ns;
	if (g_str_has_prefix(text, "drop "))
		g_string_append_printf(deaths, "%s|%s;", who, text + strspn(text + 4, " ") + 4);
}

struct run {
	struct rig rig;
	int fd;
	uint32_t agent;
	GString *deaths;
};

static inline struct run run_begin(const char *options, uint8_t mgmt_class)
{
	struct run run = { .rig = rig_open_text(three_switches, options) };

	run.deaths = g_string_new(NULL);
	umadrig_trace(run.rig.fabric, note_death, run.deaths);
	run.fd = rig_open_port(&run.rig, "H1", "sim0", 1);
	run.agent = rig_register(&run.rig, run.fd, mgmt_class, 0);
	return run;
}

static inline void run_end(struct run *run)
{
	run->rig.backend->close(run->fd);
	rig_close(&run->rig);
	g_string_free(run->deaths, true);
}

static inline void write_down(void *ctx, int64_t at_ns, bool outbound, const uint8_t *bytes,
			      size_t size)
{
	GString *record = ctx;

	g_string_append_printf(record, "%" G_GINT64_FORMAT " %c %zu ", at_ns, outbound ? '>' : '<',
			       size);
	for (size_t i = 0; i < size; i++)
		g_string_append_printf(record, "%02x", bytes[i]);
	g_string_append_c(record, '\n');
}

#endif
