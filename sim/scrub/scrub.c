/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures without the names of their site: see sim/scrub/scrub.h.
 */
#include "sim/scrub/scrub.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/capture/stream.h"
#include "sim/scrub/scrub-format.h"
#include "sim/scrub/scrub-input.h"
#include "sim/scrub/scrub-output.h"

/* ---- a file in memory ---- */

static enum scrub_format format_of(const uint8_t *data, size_t size, const char *name)
{
	if (scrub_pcap_is(data, size))
		return SCRUB_PCAP;
	if (scrub_pcapng_is(data, size))
		return SCRUB_PCAPNG;
	return scrub_erf_is(data, size, name) ? SCRUB_ERF : SCRUB_NO_FORMAT;
}

static int walk(struct scrub_pass *pass, enum scrub_step step, const uint8_t *data, size_t size)
{
	pass->step = step;
	pass->values.replace = step == SCRUB_WRITE;
	segments_rewind(pass->segments);
	switch (pass->report->format) {
	case SCRUB_PCAP:
		return scrub_pcap(pass, data, size, pass->report->why);
	case SCRUB_PCAPNG:
		return scrub_pcapng(pass, data, size, pass->report->why);
	case SCRUB_ERF:
		return scrub_erf(pass, data, size, pass->report->why);
	case SCRUB_NO_FORMAT:
		break;
	}
	return -EBADMSG;
}

static void count_aliases(const struct alias_book *book, struct scrub_report *report)
{
	for (unsigned int kind = 0; kind < ALIAS_KINDS; kind++)
		report->replaced[kind] = alias_count(book, kind);
	report->names = alias_name_count(book);
}

int scrub_bytes(const uint8_t *data, size_t size, const char *name, FILE *to,
		const struct scrub_options *options, struct scrub_report *ret, char *reterr,
		size_t reterr_size)
{
	struct scrub_pass pass = {
		.options = options,
		.report = ret,
		.to = to,
	};
	int err;

	memset(ret, 0, sizeof(*ret));
	ret->format = format_of(data, size, name);
	if (ret->format == SCRUB_NO_FORMAT) {
		capture_say_no_format(data, size, name, reterr, reterr_size);
		return -EBADMSG;
	}
	pass.values.aliases = alias_book_new(options->key);
	pass.values.lids = options->lids;
	pass.values.keep_p_keys = options->keep_p_keys;
	pass.segments = segments_new();
	pass.frame = g_byte_array_new();
	walk(&pass, SCRUB_INDEX, data, size);
	walk(&pass, SCRUB_LEARN, data, size);
	if (options->also)
		options->also(options->also_ctx, &pass.values);
	alias_book_seal(pass.values.aliases);
	err = walk(&pass, SCRUB_WRITE, data, size);
	if (options->also)
		options->also(options->also_ctx, &pass.values);
	count_aliases(pass.values.aliases, ret);
	if (err && !ret->frames)
		g_snprintf(reterr, reterr_size, "%s: cannot be read: %s", name, ret->why);
	else
		err = 0;
	if (!err && (fflush(to) || ferror(to))) {
		err = errno ? -errno : -EIO;
		g_snprintf(reterr, reterr_size, "cannot write what is left of %s: %s", name,
			   g_strerror(-err));
	}
	alias_book_free(pass.values.aliases);
	segments_free(pass.segments);
	g_byte_array_unref(pass.frame);
	return err;
}

/* ---- from file to file ---- */

/*
 * A name that promises another format would mislead its readers. 'message' gets what is wrong; "":
 * nothing is.
 */
static void check_name(const char *out, const char *in, enum scrub_format format, char *message,
		       size_t message_size)
{
	static const struct {
		const char *suffix, *name;
	} formats[] = {
		[SCRUB_PCAP] = { ".pcap", "pcap" },
		[SCRUB_PCAPNG] = { ".pcapng", "pcapng" },
		[SCRUB_ERF] = { ".erf", "ERF" },
	};
	g_autofree char *plain = g_strdup(out);

	if (g_str_has_suffix(plain, ".gz") || g_str_has_suffix(plain, ".zst"))
		*strrchr(plain, '.') = '\0';
	for (unsigned int i = SCRUB_PCAP; i < G_N_ELEMENTS(formats); i++)
		if (i != format && g_str_has_suffix(plain, formats[i].suffix))
			g_snprintf(message, message_size, "%s is %s, and so is what is made of it: "
				   "give the output a name that ends in %s, not in %s", in,
				   formats[format].name, formats[format].suffix,
				   formats[i].suffix);
}

static int scrub_to(const char *out, const struct scrub_input *in,
		    const struct scrub_options *options, struct scrub_report *ret, char *reterr,
		    size_t reterr_size)
{
	struct scrub_output *output = scrub_output_open(out);
	char misnamed[2 * SCRUB_WHY_SIZE] = "";
	int err = output ? 0 : -errno, closed;
	bool unwritten;

	if (!err) {
		err = scrub_bytes(in->data, in->size, in->name, scrub_output_file(output), options,
				  ret, reterr, reterr_size);
		if (!err)
			check_name(out, in->name, ret->format, misnamed, sizeof(misnamed));
		unwritten = ferror(scrub_output_file(output));
		closed = scrub_output_close(output, !err && !*misnamed);
		if (err && !unwritten)
			return err;
		err = err ? err : closed;
	}
	if (err)
		g_snprintf(reterr, reterr_size, "cannot write %s: %s", out, g_strerror(-err));
	if (!err && *misnamed) {
		g_strlcpy(reterr, misnamed, reterr_size);
		err = -EINVAL;
	}
	return err;
}

int scrub_file(const char *in, const char *out, const struct scrub_options *options,
	       struct scrub_report *ret, char *reterr, size_t reterr_size)
{
	struct scrub_input input;
	int err;

	if (scrub_input_is(in, out, reterr, reterr_size))
		return -EEXIST;
	if (!scrub_input_open(in, &input, reterr, reterr_size))
		return -EIO;
	err = scrub_to(out, &input, options, ret, reterr, reterr_size);
	/* Of what could not be unpacked there is too little to tell. */
	if (err == -EBADMSG && *input.why && ret->format == SCRUB_NO_FORMAT)
		g_snprintf(reterr, reterr_size, "%s: cannot be read: %s", input.name,
			   input.why);
	if (!err && *input.why && !*ret->why)
		g_strlcpy(ret->why, input.why, sizeof(ret->why));
	scrub_input_close(&input);
	return err;
}
