/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures without the names of their site: see sim/scrub/scrub.h.
 */
#include "sim/scrub/scrub.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/scrub/scrub-format.h"

/* ---- a file in memory ---- */

static int walk(struct scrub_pass *pass, enum scrub_step step, const uint8_t *data, size_t size)
{
	pass->step = step;
	pass->values.replace = step == SCRUB_WRITE;
	segments_rewind(pass->segments);
	return scrub_pcap_is(data, size) ? scrub_pcap(pass, data, size, pass->report->why) :
					   scrub_pcapng(pass, data, size, pass->report->why);
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
	if (!scrub_pcap_is(data, size) && !scrub_pcapng_is(data, size)) {
		g_snprintf(reterr, reterr_size, "%s: neither pcap nor pcapng; unpack it if it is "
			   "compressed, or convert it: editcap -F pcapng %s OUT.pcapng", name,
			   name);
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

static bool is_same_file(const char *a, const char *b)
{
	struct stat first, second;

	return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

/* Opens a new file beside 'out'; its name, to be freed with g_free(). */
static FILE *open_beside(const char *out, char **ret_path)
{
	FILE *file;
	int fd;

	*ret_path = g_strconcat(out, ".XXXXXX", NULL);
	fd = g_mkstemp_full(*ret_path, O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return NULL;
	file = fdopen(fd, "wb");
	if (!file) {
		close(fd);
		unlink(*ret_path);
	}
	return file;
}

static int scrub_to(const char *out, GMappedFile *in, const char *name,
		    const struct scrub_options *options, struct scrub_report *ret, char *reterr,
		    size_t reterr_size)
{
	g_autofree char *path = NULL;
	FILE *to = open_beside(out, &path);
	int err = to ? 0 : -errno;

	if (!err) {
		err = scrub_bytes((const uint8_t *)g_mapped_file_get_contents(in),
				  g_mapped_file_get_length(in), name, to, options, ret, reterr,
				  reterr_size);
		if (fclose(to) && !err)
			err = -errno;
		else if (err)
			goto end;
		if (!err && rename(path, out) < 0)
			err = -errno;
	}
	if (err)
		g_snprintf(reterr, reterr_size, "cannot write %s: %s", out, g_strerror(-err));
end:
	if (err && to)
		unlink(path);
	return err;
}

int scrub_file(const char *in, const char *out, const struct scrub_options *options,
	       struct scrub_report *ret, char *reterr, size_t reterr_size)
{
	g_autoptr(GError) error = NULL;
	GMappedFile *file;
	int err;

	if (is_same_file(in, out)) {
		g_snprintf(reterr, reterr_size, "%s and %s are one file: the capture would be "
			   "lost; give the output another name", in, out);
		return -EEXIST;
	}
	file = g_mapped_file_new(in, false, &error);
	if (!file) {
		g_snprintf(reterr, reterr_size, "cannot read the capture: %s", error->message);
		return -EIO;
	}
	err = scrub_to(out, file, in, options, ret, reterr, reterr_size);
	g_mapped_file_unref(file);
	return err;
}
