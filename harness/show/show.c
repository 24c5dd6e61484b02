/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture as text, MAD by MAD. See harness/show/show.h.
 */
#include "harness/show/show.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "harness/show/mad-text.h"
#include "lib/base/wire.h"

enum { FIELDS_INDENT = 8 };

static const uint8_t ipv4_prefix[12] = { [10] = 0xff, [11] = 0xff };

static char *gid_text(const uint8_t gid[16])
{
	char text[INET6_ADDRSTRLEN];

	/* RoCE v2 on IPv4. */
	if (memcmp(gid, ipv4_prefix, sizeof(ipv4_prefix)) == 0)
		return g_strdup(inet_ntop(AF_INET, gid + 12, text, sizeof(text)));
	return g_strdup(inet_ntop(AF_INET6, gid, text, sizeof(text)));
}

static char *address(const struct capture_mad *mad, uint16_t lid, const uint8_t gid[16])
{
	if (mad->transport != CAPTURE_INFINIBAND)
		return gid_text(gid);
	if (lid == LID_PERMISSIVE)
		return g_strdup("DR");
	return g_strdup_printf("LID %u", lid);
}

char *show_source(const struct capture_mad *mad)
{
	return address(mad, mad->addr.slid, mad->addr.sgid);
}

char *show_destination(const struct capture_mad *mad)
{
	return address(mad, mad->addr.dlid, mad->addr.dgid);
}

/* How wide the columns must be for all lines to fit. */
struct widths {
	int port, source, destination;
};

static char *source_column(const struct capture_mad *mad)
{
	g_autofree char *source = show_source(mad);

	return g_strdup_printf("%s QP%u", source, mad->addr.src_qp);
}

static char *destination_column(const struct capture_mad *mad)
{
	g_autofree char *destination = show_destination(mad);

	return g_strdup_printf("%s QP%u", destination, mad->addr.dest_qp);
}

static struct widths measure(const struct capture *capture)
{
	struct widths widths = { 0, 0, 0 };

	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];
		g_autofree char *source = source_column(mad);
		g_autofree char *destination = destination_column(mad);

		widths.source = MAX(widths.source, (int)strlen(source));
		widths.destination = MAX(widths.destination, (int)strlen(destination));
		if (mad->interface_name)
			widths.port = MAX(widths.port, (int)strlen(mad->interface_name));
	}
	return widths;
}

/* What is unusual in the packet's headers around the MAD. */
static void append_packet(GString *out, const struct capture_mad *mad)
{
	if (mad->transport == CAPTURE_INFINIBAND && mad->addr.has_grh) {
		g_autofree char *sgid = gid_text(mad->addr.sgid);
		g_autofree char *dgid = gid_text(mad->addr.dgid);

		g_string_append_printf(out, " sgid=%s dgid=%s", sgid, dgid);
	}
	if (mad->addr.sl)
		g_string_append_printf(out, " sl=%u", mad->addr.sl);
	if (mad->addr.pkey != PKEY_DEFAULT)
		g_string_append_printf(out, " pkey=0x%04x", mad->addr.pkey);
	if (mad->addr.dest_qp == 1 && mad->addr.qkey != QKEY_GSI)
		g_string_append_printf(out, " qkey=0x%08x", mad->addr.qkey);
	if (mad->icrc_wrong)
		g_string_append(out, " (ICRC wrong)");
	if (mad->vcrc_wrong)
		g_string_append(out, " (VCRC wrong)");
}

/* The frame's comment on the same line; newlines in it become blanks. */
static void append_comment(GString *out, const char *comment)
{
	g_string_append(out, "  # ");
	for (; *comment; comment++)
		g_string_append_c(out, g_ascii_iscntrl(*comment) ? ' ' : *comment);
}

static void append_line(GString *out, const struct capture_mad *mad, const struct widths *widths)
{
	g_autofree char *source = source_column(mad);
	g_autofree char *destination = destination_column(mad);

	g_string_append_printf(out, "%6u %16.6fms  ", mad->frame, (double)mad->time_ns / 1e6);
	if (widths->port)
		g_string_append_printf(out, "%-*s ", widths->port,
				       mad->interface_name ? mad->interface_name : "");
	if (widths->port)
		g_string_append_printf(out, "%c  ", mad->direction == CAPTURE_INBOUND ? '<' :
				       mad->direction == CAPTURE_OUTBOUND ? '>' : ' ');
	g_string_append_printf(out, "%-*s -> %-*s  ", widths->source, source,
			       widths->destination, destination);
	mad_text_line(out, mad->mad);
	append_packet(out, mad);
	if (mad->comment)
		append_comment(out, mad->comment);
	g_string_append_c(out, '\n');
}

/* Prints the notes from '*next' on that precede 'frame' in the file. */
static void show_notes(const struct capture *capture, size_t *next, unsigned int frame,
		       FILE *stream)
{
	for (; *next < capture->note_count && capture->notes[*next].frame < frame; (*next)++) {
		const struct capture_note *note = &capture->notes[*next];

		fprintf(stream, "%6u %16.6fms  # %s\n", note->frame, (double)note->time_ns / 1e6,
			note->text);
	}
}

void show_lines(const struct capture *capture, bool verbose, FILE *stream)
{
	struct widths widths = measure(capture);
	GString *out = g_string_new(NULL);
	size_t note = 0;

	for (size_t i = 0; i < capture->mad_count; i++) {
		show_notes(capture, &note, capture->mads[i].frame, stream);
		g_string_truncate(out, 0);
		append_line(out, &capture->mads[i], &widths);
		if (verbose)
			mad_text_fields(out, capture->mads[i].mad, FIELDS_INDENT);
		fwrite(out->str, 1, out->len, stream);
	}
	show_notes(capture, &note, UINT_MAX, stream);
	g_string_free(out, true);
	fprintf(stream, "# %" PRIu64 " frames: %zu MADs, ", capture->counts.frames,
		capture->mad_count);
	if (capture->note_count)
		fprintf(stream, "%zu notes, ", capture->note_count);
	fprintf(stream, "%" PRIu64 " others, %" PRIu64 " damaged\n", capture->counts.skipped,
		capture->counts.damaged);
}

void show_fields(const struct capture *capture, FILE *stream)
{
	fputs("frame\tslid\tdlid\tsqp\tdqp\tclass\tmethod\tattr\ttid\tstatus\tmodifier\n", stream);
	for (size_t i = 0; i < capture->mad_count; i++) {
		const struct capture_mad *mad = &capture->mads[i];

		fprintf(stream, "%u\t", mad->frame);
		if (mad->transport == CAPTURE_INFINIBAND)
			fprintf(stream, "%u\t%u\t", mad->addr.slid, mad->addr.dlid);
		else
			fputs("\t\t", stream);
		fprintf(stream, "0x%08x\t0x%06x\t0x%02x\t0x%02x\t0x%04x\t0x%016" PRIx64
			"\t0x%04x\t0x%08x\n",
			mad->addr.src_qp, mad->addr.dest_qp, mad->mad[MAD_CLASS],
			mad->mad[MAD_METHOD], get_be16(mad->mad + MAD_ATTR_ID),
			get_be64(mad->mad + MAD_TID), get_be16(mad->mad + MAD_STATUS),
			get_be32(mad->mad + MAD_ATTR_MOD));
	}
}
