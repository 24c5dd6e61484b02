/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Captures of taps, at the end: see harness/record/tapped.h.
 */
#include "config.h"

#include "harness/record/tapped.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/command.h"
#include "lib/base/wire.h"

enum {
	FILE_HEADER_SIZE = 24,
	MARK_AT = 12,			/* lib/tap-file.c */
	RECORD_HEADER_SIZE = 16,
	CAPTURED_AT = 8,
	ORIGINAL_AT = 12,
	ERF_SIZE = 16,
	ERF_INFINIBAND = 21,
	ERF_SECONDS_AT = 4,
	ERF_TYPE_AT = 8,
	ERF_LENGTH_AT = 10,
	PACKET_SIZE = LRH_SIZE + BTH_SIZE + DETH_SIZE + MAD_SIZE + ICRC_SIZE,
};

/* A whole record of the file. */
struct place {
	int64_t time_ns;
	size_t at, size;
};

static uint32_t get_le32(const uint8_t *p)
{
	return __builtin_bswap32(get_be32(p));
}

/* The size of the record that begins here, of those that a tap writes; 0: none does. */
static size_t record_size(const uint8_t *p, size_t left)
{
	const uint8_t *erf = p + RECORD_HEADER_SIZE;
	size_t size;

	if (left < RECORD_HEADER_SIZE + ERF_SIZE)
		return 0;
	size = get_le32(p + CAPTURED_AT);
	if ((size != ERF_SIZE + PACKET_SIZE && size != ERF_SIZE + PACKET_SIZE + GRH_SIZE) ||
	    get_le32(p + ORIGINAL_AT) != size || left - RECORD_HEADER_SIZE < size ||
	    erf[ERF_TYPE_AT] != ERF_INFINIBAND || get_be16(erf + ERF_LENGTH_AT) != size ||
	    get_le32(erf + ERF_SECONDS_AT) != get_le32(p))
		return 0;
	return RECORD_HEADER_SIZE + size;
}

/*
 * The same, unless only a piece of it is there: then what follows is no record, and another begins
 * within.
 */
static size_t whole_size(const uint8_t *p, size_t left)
{
	size_t size = record_size(p, left);

	if (!size || left == size || record_size(p + size, left - size))
		return size;
	for (size_t at = 1; at < size; at++)
		if (record_size(p + at, left - at))
			return 0;
	return size;
}

/* The whole records. Behind a piece of one, on a disk that was full, others may have written. */
static GArray *find_records(const uint8_t *data, size_t size, struct tapped_report *report)
{
	GArray *places = g_array_new(false, false, sizeof(struct place));
	bool is_torn = false;

	for (size_t at = FILE_HEADER_SIZE; at < size;) {
		struct place place = { .at = at, .size = whole_size(data + at, size - at) };

		if (!place.size) {
			report->cut += !is_torn;
			report->cut_bytes++;
			is_torn = true;
			at++;
			continue;
		}
		is_torn = false;
		place.time_ns = get_le32(data + at) * INT64_C(1000000000) +
				get_le32(data + at + 4);
		g_array_append_val(places, place);
		at += place.size;
	}
	report->records = places->len;
	return places;
}

/* Of the same time, those that were written first come first. */
static gint compare_places(gconstpointer a, gconstpointer b)
{
	const struct place *one = a, *two = b;
	int order = (one->time_ns > two->time_ns) - (one->time_ns < two->time_ns);

	return order ? order : (one->at > two->at) - (one->at < two->at);
}

static void put_in_order(GArray *places, struct tapped_report *report)
{
	int64_t latest_ns = INT64_MIN, back_ns = 0;
	size_t moved = 0;

	for (guint i = 0; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);

		if (place->time_ns >= latest_ns) {
			latest_ns = place->time_ns;
			continue;
		}
		moved++;
		back_ns = MAX(back_ns, latest_ns - place->time_ns);
	}
	if (back_ns > TAPPED_REORDER_NS) {
		report->set_back_ns = back_ns;
		return;
	}
	report->moved = moved;
	if (moved)
		g_array_sort(places, compare_places);
}

static bool fail(GError **error, const char *path)
{
	g_set_error(error, COMMAND_ERROR, COMMAND_FAILED, "cannot write %s in order: %s; it is as "
		    "it was recorded", path, g_strerror(errno));
	return false;
}

/* Beside the file, whose name it takes. */
static bool write_records(const char *path, const uint8_t *data, const GArray *places,
			  GError **error)
{
	g_autofree char *beside = g_strconcat(path, ".XXXXXX", NULL);
	int fd = g_mkstemp_full(beside, O_WRONLY | O_CLOEXEC, 0600);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "wb");
	bool ok;

	if (!to)
		return fail(error, path);
	fwrite(data, 1, FILE_HEADER_SIZE, to);
	for (guint i = 0; i < places->len && !ferror(to); i++) {
		const struct place *place = &g_array_index(places, struct place, i);

		fwrite(data + place->at, 1, place->size, to);
	}
	ok = !ferror(to);
	ok = fclose(to) == 0 && ok && rename(beside, path) == 0;
	if (!ok) {
		fail(error, path);
		unlink(beside);
	}
	return ok;
}

/* Where the records end, if all of them are at the beginning of the file and in order; else 0. */
static size_t end_of(const GArray *places, const struct tapped_report *report)
{
	size_t end = FILE_HEADER_SIZE;

	if (report->moved)
		return 0;
	for (guint i = 0; i < places->len; i++) {
		const struct place *place = &g_array_index(places, struct place, i);

		if (place->at != end)
			return 0;
		end += place->size;
	}
	return end;
}

/* On a disk that is full a piece at the end can still be cut off. */
static bool set_right(const char *path, const uint8_t *data, const GArray *places,
		      const struct tapped_report *report, GError **error)
{
	size_t end = end_of(places, report);

	if (!end)
		return write_records(path, data, places, error);
	return truncate(path, (off_t)end) == 0 || fail(error, path);
}

bool tapped_finish(const char *path, struct tapped_report *ret, GError **error)
{
	g_autoptr(GError) cause = NULL;
	GMappedFile *file = g_mapped_file_new(path, false, &cause);
	g_autoptr(GArray) places = NULL;
	const uint8_t *data;
	bool ok = true;

	memset(ret, 0, sizeof(*ret));
	if (!file || g_mapped_file_get_length(file) < FILE_HEADER_SIZE) {
		g_set_error(error, COMMAND_ERROR, COMMAND_FAILED, "%s", cause ? cause->message :
			    "the header of the capture is gone");
		g_clear_pointer(&file, g_mapped_file_unref);
		return false;
	}
	data = (const uint8_t *)g_mapped_file_get_contents(file);
	ret->has_ended = data[MARK_AT];
	places = find_records(data, g_mapped_file_get_length(file), ret);
	put_in_order(places, ret);
	if (ret->moved || ret->cut)
		ok = set_right(path, data, places, ret, error);
	g_mapped_file_unref(file);
	return ok;
}
