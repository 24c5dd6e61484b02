/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Writing captures: pcapng with ERF records (link type 197, record type 21), nanoseconds, one
 * interface per port; or the same records as pcap, which has no place for more. We have our own
 * code because libpcap cannot write pcapng, and because the bytes have to depend on the records
 * alone: they are little-endian on every machine, say nothing about this machine, and number
 * interfaces in the order of their first packets.
 */
#include "sim/capture/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/write-quietly.h"
#include "sim/capture/frame.h"
#include "sim/capture/pcapng.h"
#include "kmod-stub/event.h"

enum {
	BUFFER_SIZE = 64 * 1024,
	ERF_FLAG_OUTBOUND = 1,		/* like the interface bits of ibdump's two directions */
	ERF_FLAG_VARYING = 4,		/* lengths vary */
	PCAP_SNAP_SIZE = 65535,
};

#define PCAP_MAGIC_NS UINT32_C(0xa1b23c4d)

/* A packet waiting for its turn. */
struct record {
	int64_t at_ns;
	uint64_t sequence;
	unsigned int interface;
	bool outbound;
	char *comment;
	bool is_note;			/* only the comment, no packet */
	size_t size;
	uint8_t bytes[];
};

struct interface {
	char *name;
	char *description;
	char *comment;
	int file_id;			/* -1: not declared in the file yet */
};

struct capture_writer {
	int fd;
	bool is_pcap;			/* else pcapng */
	int err;			/* 0, or the negative errno of the first failure */
	int64_t date_ns;		/* of time 0, since 1970 */
	bool is_real;			/* no two records have one time */
	int64_t last_ns;		/* real: of the last record that was written */
	uint64_t sequence;
	int next_file_id;
	GArray *interfaces;		/* of struct interface */
	GPtrArray *heap;		/* of struct record *, earliest first */
	GByteArray *buffer;		/* blocks on their way to the file */
};

/* ---- the file ---- */

/* The capture may be a pipe into Wireshark: when that is closed, only the capture ends. */
int capture_writer_flush(struct capture_writer *writer)
{
	if (!writer->err && writer->buffer->len)
		writer->err = write_all_quietly(writer->fd, writer->buffer->data,
						 writer->buffer->len);
	g_byte_array_set_size(writer->buffer, 0);
	return writer->err;
}

/* ---- blocks ---- */

static void append_le16(GByteArray *to, uint16_t v)
{
	uint8_t b[] = { (uint8_t)v, (uint8_t)(v >> 8) };

	g_byte_array_append(to, b, sizeof(b));
}

static void append_le32(GByteArray *to, uint32_t v)
{
	append_le16(to, (uint16_t)v);
	append_le16(to, (uint16_t)(v >> 16));
}

static void append_padded(GByteArray *to, const void *bytes, size_t size)
{
	static const uint8_t zero[4];

	g_byte_array_append(to, bytes, (guint)size);
	g_byte_array_append(to, zero, (guint)(-size & 3));
}

static void append_option(GByteArray *to, uint16_t code, const void *bytes, size_t size)
{
	append_le16(to, code);
	append_le16(to, (uint16_t)size);
	append_padded(to, bytes, size);
}

/*
 * pcapng wants UTF-8; a node description may be anything. Text longer than an option can hold is
 * cut at a character. NULL and "": no option.
 */
static void append_text_option(GByteArray *to, uint16_t code, const char *text)
{
	char *valid;
	size_t size;

	if (!text || !*text)
		return;
	valid = g_utf8_make_valid(text, -1);
	size = strlen(valid);
	if (size > PCAPNG_OPTION_SIZE_MAX)
		size = (size_t)(g_utf8_find_prev_char(valid, valid + PCAPNG_OPTION_SIZE_MAX + 1) -
				valid);
	append_option(to, code, valid, size);
	g_free(valid);
}

/* Begins a block whose length is not known yet; block_end() fills it in at both ends. */
static guint block_begin(GByteArray *to, uint32_t type)
{
	guint at = to->len;

	append_le32(to, type);
	append_le32(to, 0);
	return at;
}

static void block_end(GByteArray *to, guint at)
{
	uint32_t size = to->len - at + 4;

	append_le32(to, size);
	memcpy(to->data + at + 4, to->data + to->len - 4, 4);
}

static void append_section(GByteArray *to, const char *comment)
{
	guint at = block_begin(to, PCAPNG_SECTION);

	append_le32(to, PCAPNG_BYTE_ORDER_MAGIC);
	append_le16(to, 1);		/* version 1.0 */
	append_le16(to, 0);
	append_le32(to, UINT32_MAX);	/* the section's length: not specified */
	append_le32(to, UINT32_MAX);
	append_text_option(to, PCAPNG_OPT_COMMENT, comment);
	append_text_option(to, PCAPNG_SHB_USERAPPL, "umadrig");
	append_option(to, PCAPNG_OPT_END, NULL, 0);
	block_end(to, at);
}

/* The header of a pcap, which has no comment and no names. */
static void append_pcap_header(GByteArray *to)
{
	append_le32(to, PCAP_MAGIC_NS);
	append_le16(to, 2);		/* version 2.4 */
	append_le16(to, 4);
	append_le32(to, 0);		/* times are UTC */
	append_le32(to, 0);
	append_le32(to, PCAP_SNAP_SIZE);
	append_le32(to, LINKTYPE_ERF);
}

static void append_interface(GByteArray *to, const struct interface *interface)
{
	static const uint8_t nanoseconds = 9;
	guint at = block_begin(to, PCAPNG_INTERFACE);

	append_le16(to, LINKTYPE_ERF);
	append_le16(to, 0);
	append_le32(to, 0);		/* snap length: no limit */
	append_text_option(to, PCAPNG_OPT_COMMENT, interface->comment);
	append_text_option(to, PCAPNG_IF_NAME, interface->name);
	append_text_option(to, PCAPNG_IF_DESCRIPTION, interface->description);
	append_option(to, PCAPNG_IF_TSRESOL, &nanoseconds, sizeof(nanoseconds));
	append_option(to, PCAPNG_OPT_END, NULL, 0);
	block_end(to, at);
}

/* The header of an ERF packet: the time as little-endian 32.32 seconds, the rest big-endian. */
static void append_erf_header(GByteArray *to, const struct record *record, int64_t epoch_ns)
{
	uint64_t fraction = ((uint64_t)(epoch_ns % NS_PER_S) << 32) + (uint64_t)NS_PER_S / 2;
	uint8_t tail[8] = { ERF_TYPE_INFINIBAND };

	append_le32(to, (uint32_t)(fraction / (uint64_t)NS_PER_S));
	append_le32(to, (uint32_t)(epoch_ns / NS_PER_S));
	tail[1] = ERF_FLAG_VARYING | (record->outbound ? ERF_FLAG_OUTBOUND : 0);
	put_be16(tail + 2, (uint16_t)(ERF_HEADER_SIZE + record->size));
	put_be16(tail + 6, (uint16_t)record->size);
	g_byte_array_append(to, tail, sizeof(tail));
}

/* Virtual time has a larger range than dates: the date is clamped to its range. */
static int64_t epoch_of(const struct capture_writer *writer, int64_t at_ns)
{
	int64_t epoch_ns;

	if (__builtin_add_overflow(at_ns, writer->date_ns, &epoch_ns))
		return INT64_MAX;
	return MAX(epoch_ns, 0);
}

static void append_packet(GByteArray *to, const struct record *record, int64_t epoch_ns,
			  int file_id)
{
	uint32_t size = (uint32_t)(ERF_HEADER_SIZE + record->size);
	uint8_t flags[4] = { record->outbound ? PCAPNG_OUTBOUND : PCAPNG_INBOUND };
	guint at = block_begin(to, PCAPNG_ENHANCED_PACKET);

	append_le32(to, (uint32_t)file_id);
	append_le32(to, (uint32_t)((uint64_t)epoch_ns >> 32));
	append_le32(to, (uint32_t)epoch_ns);
	append_le32(to, size);		/* captured */
	append_le32(to, size);		/* on the wire */
	append_erf_header(to, record, epoch_ns);
	append_padded(to, record->bytes, record->size);
	append_text_option(to, PCAPNG_OPT_COMMENT, record->comment);
	append_option(to, PCAPNG_EPB_FLAGS, flags, sizeof(flags));
	append_option(to, PCAPNG_OPT_END, NULL, 0);
	block_end(to, at);
}

/* The same in a pcap, whose seconds have 32 bits and end in 2106. */
static void append_pcap_packet(GByteArray *to, const struct record *record, int64_t epoch_ns)
{
	uint32_t size = (uint32_t)(ERF_HEADER_SIZE + record->size);

	append_le32(to, (uint32_t)MIN(epoch_ns / NS_PER_S, (int64_t)UINT32_MAX));
	append_le32(to, (uint32_t)(epoch_ns % NS_PER_S));
	append_le32(to, size);		/* captured */
	append_le32(to, size);		/* on the wire */
	append_erf_header(to, record, epoch_ns);
	g_byte_array_append(to, record->bytes, (guint)record->size);
}

/* In the format of journalctl -o export, padded with zeros to whole words. */
static void append_note(GByteArray *to, const struct record *record, int64_t epoch_ns)
{
	g_autofree char *valid = g_utf8_make_valid(record->comment, -1);
	g_autofree char *entry = NULL;
	guint at = block_begin(to, PCAPNG_JOURNAL_ENTRY);

	for (char *c = valid; *c; c++) {
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	}
	entry = g_strdup_printf(JOURNAL_TIME_US "%" G_GINT64_FORMAT "\n"
				JOURNAL_TIME_NS "%" G_GINT64_FORMAT "\n"
				JOURNAL_SENDER "umadrig\n" JOURNAL_TEXT "%s\n",
				epoch_ns / NS_PER_US, epoch_ns, valid);
	append_padded(to, entry, strlen(entry));
	block_end(to, at);
}

/* ---- records in order ---- */

static bool is_before(const struct record *a, const struct record *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->sequence < b->sequence;
}

static void heap_swap(GPtrArray *heap, guint a, guint b)
{
	gpointer keep = heap->pdata[a];

	heap->pdata[a] = heap->pdata[b];
	heap->pdata[b] = keep;
}

static void heap_push(GPtrArray *heap, struct record *record)
{
	guint at = heap->len;

	g_ptr_array_add(heap, record);
	while (at > 0 && is_before(heap->pdata[at], heap->pdata[(at - 1) / 2])) {
		heap_swap(heap, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

static struct record *heap_pop(GPtrArray *heap)
{
	struct record *first = heap->pdata[0];
	guint at = 0;

	heap_swap(heap, 0, heap->len - 1);
	g_ptr_array_set_size(heap, (gint)heap->len - 1);
	for (;;) {
		guint least = at;

		for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < heap->len; child++) {
			if (is_before(heap->pdata[child], heap->pdata[least]))
				least = child;
		}
		if (least == at)
			return first;
		heap_swap(heap, at, least);
		at = least;
	}
}

static void record_free(struct record *record)
{
	g_free(record->comment);
	g_free(record);
}

static void write_packet(struct capture_writer *writer, const struct record *record,
			 int64_t epoch_ns)
{
	struct interface *interface =
		&g_array_index(writer->interfaces, struct interface, record->interface);

	if (writer->is_pcap) {
		append_pcap_packet(writer->buffer, record, epoch_ns);
		return;
	}
	if (interface->file_id < 0) {
		interface->file_id = writer->next_file_id++;
		append_interface(writer->buffer, interface);
	}
	append_packet(writer->buffer, record, epoch_ns, interface->file_id);
}

static void write_record(struct capture_writer *writer, const struct record *record)
{
	int64_t at_ns = record->at_ns, epoch_ns;

	if (writer->is_real && at_ns <= writer->last_ns)
		at_ns = writer->last_ns + 1;
	writer->last_ns = at_ns;
	epoch_ns = epoch_of(writer, at_ns);
	if (record->is_note)
		append_note(writer->buffer, record, epoch_ns);
	else
		write_packet(writer, record, epoch_ns);
	if (writer->buffer->len >= BUFFER_SIZE)
		capture_writer_flush(writer);
}

void capture_writer_advance(struct capture_writer *writer, int64_t safe_ns)
{
	while (writer->heap->len) {
		const struct record *first = writer->heap->pdata[0];

		if (first->at_ns > safe_ns)
			return;
		write_record(writer, first);
		record_free(heap_pop(writer->heap));
	}
}

void capture_writer_packet(struct capture_writer *writer, unsigned int interface, int64_t at_ns,
			   bool outbound, struct packet *packet, const char *comment)
{
	struct record *record;

	g_assert(interface < writer->interfaces->len);
	if (writer->err)
		return;
	packet_seal(packet);
	record = g_malloc(sizeof(*record) + packet_size(packet));
	record->at_ns = at_ns;
	record->sequence = writer->sequence++;
	record->is_note = false;
	record->interface = interface;
	record->outbound = outbound;
	record->comment = g_strdup(comment);
	record->size = packet_size(packet);
	packet_gather(packet, record->bytes);
	heap_push(writer->heap, record);
}

void capture_writer_note(struct capture_writer *writer, int64_t at_ns, const char *text)
{
	struct record *record;

	if (writer->err || writer->is_pcap)
		return;
	record = g_new0(struct record, 1);
	record->at_ns = at_ns;
	record->sequence = writer->sequence++;
	record->is_note = true;
	record->comment = g_strdup(text);
	heap_push(writer->heap, record);
}

/* ---- life ---- */

/* Is it a file whose writes never wait for another program? */
static bool never_waits(int fd)
{
	struct stat st, null;

	return fstat(fd, &st) == 0 &&
	       (S_ISREG(st.st_mode) || (S_ISCHR(st.st_mode) && stat("/dev/null", &null) == 0 &&
					S_ISCHR(null.st_mode) && st.st_rdev == null.st_rdev));
}

/* The descriptor, or -1 with a message. */
static int open_file(const char *path, bool may_wait, char *reterr, size_t reterr_size)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY;
	int fd = open(path, may_wait ? flags | O_TRUNC : flags | O_NONBLOCK, 0666);
	int err = errno;

	if ((fd < 0 && err == ENXIO && !may_wait) || (fd >= 0 && !may_wait && !never_waits(fd))) {
		snprintf(reterr, reterr_size, "cannot write the capture %s: a fabric server writes "
			 "to regular files and /dev/null only", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	if (fd >= 0 && !may_wait && ftruncate(fd, 0) < 0 && errno != EINVAL) {
		err = errno;
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		snprintf(reterr, reterr_size, "cannot write the capture %s: %s", path,
			 g_strerror(err));
	return fd;
}

struct capture_writer *capture_writer_open(const char *path, const char *comment, bool may_wait,
					   char *reterr, size_t reterr_size)
{
	struct capture_writer *writer;
	int fd = open_file(path, may_wait, reterr, reterr_size);

	if (fd < 0)
		return NULL;
	writer = g_new0(struct capture_writer, 1);
	writer->fd = fd;
	writer->date_ns = CAPTURE_EPOCH_S * NS_PER_S;
	writer->interfaces = g_array_new(false, false, sizeof(struct interface));
	writer->heap = g_ptr_array_new();
	writer->buffer = g_byte_array_new();
	writer->is_pcap = g_str_has_suffix(path, ".pcap");
	if (writer->is_pcap)
		append_pcap_header(writer->buffer);
	else
		append_section(writer->buffer, comment);
	/* Report a full disk now rather than at the end. */
	if (capture_writer_flush(writer)) {
		snprintf(reterr, reterr_size, "cannot write the capture %s: %s", path,
			 g_strerror(-writer->err));
		capture_writer_close(writer);
		return NULL;
	}
	return writer;
}

void capture_writer_set_date(struct capture_writer *writer, int64_t date_ns)
{
	writer->date_ns = date_ns;
	writer->is_real = true;
	writer->last_ns = INT64_MIN;
}

bool capture_writer_has_comments(const struct capture_writer *writer)
{
	return !writer->is_pcap;
}

unsigned int capture_writer_interface(struct capture_writer *writer, const char *name,
				      const char *description)
{
	struct interface interface = {
		.name = g_strdup(name),
		.description = g_strdup(description),
		.file_id = -1,
	};

	g_array_append_val(writer->interfaces, interface);
	return writer->interfaces->len - 1;
}

void capture_writer_interface_comment(struct capture_writer *writer, unsigned int interface,
				      const char *comment)
{
	struct interface *of = &g_array_index(writer->interfaces, struct interface, interface);

	g_assert(interface < writer->interfaces->len);
	g_free(of->comment);
	of->comment = g_strdup(comment);
}

int capture_writer_close(struct capture_writer *writer)
{
	int err;

	if (!writer)
		return 0;
	capture_writer_advance(writer, TIME_NEVER);
	err = capture_writer_flush(writer);
	if (close(writer->fd) < 0 && !err && errno != EINTR)
		err = -errno;
	for (guint i = 0; i < writer->interfaces->len; i++) {
		struct interface *interface =
			&g_array_index(writer->interfaces, struct interface, i);

		g_free(interface->name);
		g_free(interface->description);
		g_free(interface->comment);
	}
	g_array_free(writer->interfaces, true);
	g_ptr_array_free(writer->heap, true);
	g_byte_array_free(writer->buffer, true);
	g_free(writer);
	return err;
}
