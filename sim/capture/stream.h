/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A capture, item by item: a file of any length in constant memory, and the data of a pipe as soon
 * as they arrive.
 *
 *	stream = capture_stream_open(path, 0, message, sizeof(message));
 *	while (capture_stream_next(stream, &item))
 *		if (item.kind == CAPTURE_ITEM_MAD)
 *			show(&item);
 *	capture_stream_close(stream);
 *
 * It holds a window of the file (256 KiB, or its longest block, at most 16 MiB), a decompressor's
 * state (zstd: the window that its frame requires, at most 128 MiB), the names of the interfaces,
 * and at most a hundred warnings. A stream belongs to one thread at a time.
 */
#ifndef UMADRIG_SIM_CAPTURE_STREAM_H
#define UMADRIG_SIM_CAPTURE_STREAM_H

#include "sim/capture/capture.h"

struct capture_stream;

enum capture_stream_flags {
	CAPTURE_CHECK_CRCS = 1,		/* look at ICRC and VCRC */
	/* Hand out frames without a MAD, too; then what is odd about frames is no warning. */
	CAPTURE_EVERY_FRAME = 2,
};

enum capture_item_kind {
	CAPTURE_ITEM_MAD,
	CAPTURE_ITEM_NOTE,
	CAPTURE_ITEM_UNUSED,		/* no MAD, or one that cannot be read */
};

/* One frame of the file. Its pointers are valid until the next call of capture_stream_next(). */
struct capture_item {
	enum capture_item_kind kind;
	unsigned int frame;		/* number in the file, from 1 */
	int64_t time_ns;		/* since the first frame of the file */
	const struct capture_mad *mad;	/* of CAPTURE_ITEM_MAD, else NULL */
	const struct capture_headers *headers;	/* of its packet; else NULL */
	const struct capture_note *note;	/* of CAPTURE_ITEM_NOTE, else NULL */
	enum capture_cause cause;	/* why it is unused, or why no port would take the MAD */
	const char *why;		/* more about it, or "" */
};

/*
 * The message, with the cure, about a file in no format of captures: its first 'size' bytes, 16 or
 * all of them; 0: it is empty.
 */
void capture_say_no_format(const uint8_t *bytes, size_t size, const char *name, char *reterr,
			   size_t reterr_size);

/*
 * Opens 'path', "-" for standard input, and reads up to the first frame: if the file is no capture,
 * or is broken before that, returns NULL with a message that names file, place and cure. 'flags':
 * of enum capture_stream_flags.
 */
struct capture_stream *capture_stream_open(const char *path, unsigned int flags, char *reterr,
					   size_t reterr_size);
/* The same from memory, which must outlive the stream; 'name' is its name in messages. */
struct capture_stream *capture_stream_parse(const uint8_t *data, size_t size, const char *name,
					    unsigned int flags, char *reterr, size_t reterr_size);
/*
 * A compressed file that unpacks to more bytes than this is not read to its end; 0: any number. For
 * those who keep what they read: a file of some kilobytes may unpack to gigabytes.
 */
void capture_stream_limit(struct capture_stream *stream, uint64_t size_max);
/*
 * At the end: was that the end? Then writes a message that names the file and the cure.
 */
bool capture_stream_is_too_large(const struct capture_stream *stream, char *reterr,
				 size_t reterr_size);

/* NULL is allowed. */
void capture_stream_close(struct capture_stream *stream);

/*
 * A link type that is read: its number and name, "" if the one before has the same. NULL after the
 * last.
 */
const char *capture_link_type(unsigned int at, uint32_t *ret_number);

/*
 * The next item. False at the end of the file, and where it is damaged or was cut off: the last
 * warning then says so.
 */
bool capture_stream_next(struct capture_stream *stream, struct capture_item *ret);

/*
 * The next warning about what has been read, without a newline ("FILE: frame 7: ..."), valid until
 * the next call; NULL: there is no other yet. After a hundred, warnings are only counted, and the
 * last one gives their number.
 */
const char *capture_stream_warning(struct capture_stream *stream);

/* What has been read so far; at the end, the whole file. Owned by the stream. */
const struct capture_counts *capture_stream_counts(const struct capture_stream *stream);

/* The file's name, or "standard input". Owned by the stream. */
const char *capture_stream_file(const struct capture_stream *stream);

/* The time of the first frame, since 1970: a MAD's own time is this plus its time_ns. */
int64_t capture_stream_first_ns(const struct capture_stream *stream);

/*
 * The interface that a pcapng file declares under this number; NULL: none so far. Its strings
 * belong to the stream, like the names in MADs.
 */
const struct capture_interface *capture_stream_interface(const struct capture_stream *stream,
							 unsigned int number);

/*
 * 'fn' is called before each read that may have to wait for another process to write: the time to
 * flush what has been printed. It is not called for regular files.
 */
void capture_stream_on_wait(struct capture_stream *stream, void (*fn)(void *ctx), void *ctx);

#endif
