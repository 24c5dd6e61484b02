/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Changes captures so that they stay captures: packets trade places, come twice or not at all, are
 * recorded elsewhere, or take over a stretch of another packet (its LIDs, its route, its TID). A
 * change of any byte, as fuzzers make it, mostly breaks the file instead.
 *
 * Targets that read captures are linked with this: make check tries so many changes of each file of
 * their corpora (replay-main.c), always the same ones, and libFuzzer makes more of them.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

enum {
	PCAPNG_MAGIC = 0x0a0d0d0a,
	PCAPNG_PACKET = 6,		/* an enhanced packet block, and where its fields are */
	BLOCK_LENGTH = 4,
	BLOCK_INTERFACE = 8,
	BLOCK_TIME = 16,		/* the low half */
	BLOCK_SIZE = 20,
	BLOCK_PACKET = 28,
	BLOCK_END = 4,			/* its length again */
	BLOCK_LEAST = 12,
	PCAP_HEADER = 24,
	PCAP_TIME = 4,
	PCAP_SIZE = 8,
	PCAP_PACKET = 16,
	CRCS = 6,			/* ICRC and VCRC, at the end of a packet */
	INTERFACES = 6,
	CHANGES_MAX = 6,
	STRETCH_MAX = 24,
};

/* A stretch of the file that stays together. */
struct piece {
	GByteArray *bytes;
	bool is_packet;
};

struct file {
	GPtrArray *pieces;	/* of struct piece *, which are the whole file */
	GPtrArray *packets;	/* of struct piece *: those that are packets */
	bool is_pcapng;
};

static uint32_t get_le32(const uint8_t *from)
{
	return (uint32_t)from[3] << 24 | (uint32_t)from[2] << 16 | (uint32_t)from[1] << 8 | from[0];
}

static void put_le32(uint8_t *to, uint32_t value)
{
	for (unsigned int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

/* ---- the file in pieces ---- */

static struct piece *piece_new(const uint8_t *data, size_t size, bool is_packet)
{
	struct piece *piece = g_new0(struct piece, 1);

	piece->bytes = g_byte_array_new();
	g_byte_array_append(piece->bytes, data, (guint)size);
	piece->is_packet = is_packet;
	return piece;
}

static void piece_free(void *data)
{
	struct piece *piece = data;

	g_byte_array_unref(piece->bytes);
	g_free(piece);
}

/* How long the piece is that begins here (all that is left, if unsure), and is it a packet? */
static size_t piece_size(const struct file *file, const uint8_t *data, size_t size,
			 bool *ret_packet)
{
	size_t length = size;

	*ret_packet = false;
	if (file->is_pcapng && size >= BLOCK_PACKET) {
		length = get_le32(data + BLOCK_LENGTH);
		*ret_packet = get_le32(data) == PCAPNG_PACKET &&
			      length >= BLOCK_PACKET + BLOCK_END &&
			      get_le32(data + BLOCK_SIZE) <= length - BLOCK_PACKET - BLOCK_END;
	} else if (!file->is_pcapng && !file->pieces->len && size >= PCAP_HEADER) {
		return PCAP_HEADER;
	} else if (!file->is_pcapng && size >= PCAP_PACKET) {
		length = PCAP_PACKET + (size_t)get_le32(data + PCAP_SIZE);
		*ret_packet = true;
	}
	if (length >= BLOCK_LEAST && length <= size)
		return length;
	*ret_packet = false;
	return size;
}

static void add_piece(struct file *file, guint at, struct piece *piece)
{
	g_ptr_array_insert(file->pieces, (gint)at, piece);
	if (piece->is_packet)
		g_ptr_array_add(file->packets, piece);
}

static struct file file_read(const uint8_t *data, size_t size)
{
	struct file file = {
		.pieces = g_ptr_array_new_with_free_func(piece_free),
		.packets = g_ptr_array_new(),
		.is_pcapng = size >= 4 && get_le32(data) == PCAPNG_MAGIC,
	};

	while (size) {
		bool is_packet;
		size_t length = piece_size(&file, data, size, &is_packet);

		add_piece(&file, file.pieces->len, piece_new(data, length, is_packet));
		data += length;
		size -= length;
	}
	return file;
}

/* As much of it as there is room for. Frees it. */
static size_t file_write(struct file *file, uint8_t *data, size_t room)
{
	size_t size = 0;

	for (guint i = 0; i < file->pieces->len; i++) {
		const struct piece *piece = file->pieces->pdata[i];

		if (piece->bytes->len > room - size)
			break;
		memcpy(data + size, piece->bytes->data, piece->bytes->len);
		size += piece->bytes->len;
	}
	g_ptr_array_unref(file->packets);
	g_ptr_array_unref(file->pieces);
	return size;
}

/* ---- changes ---- */

static struct piece *any_packet(const struct file *file, GRand *chance)
{
	return file->packets->pdata[g_rand_int_range(chance, 0, (gint32)file->packets->len)];
}

static guint place_of(const struct file *file, const struct piece *piece)
{
	guint at = 0;

	g_ptr_array_find(file->pieces, piece, &at);
	return at;
}

/* The packet in a piece. */
static uint8_t *packet_of(const struct file *file, const struct piece *piece, size_t *ret_size)
{
	uint8_t *bytes = piece->bytes->data;

	*ret_size = get_le32(bytes + (file->is_pcapng ? BLOCK_SIZE : PCAP_SIZE));
	return bytes + (file->is_pcapng ? BLOCK_PACKET : PCAP_PACKET);
}

static void trade_places(struct file *file, GRand *chance)
{
	struct piece *one = any_packet(file, chance), *other = any_packet(file, chance);
	guint at = place_of(file, one), other_at = place_of(file, other);

	file->pieces->pdata[at] = other;
	file->pieces->pdata[other_at] = one;
}

static void come_again(struct file *file, GRand *chance)
{
	const struct piece *from = any_packet(file, chance);
	guint at = place_of(file, any_packet(file, chance));

	add_piece(file, at, piece_new(from->bytes->data, from->bytes->len, true));
}

static void leave_out(struct file *file, GRand *chance)
{
	struct piece *piece = any_packet(file, chance);

	if (file->packets->len == 1)
		return;
	g_ptr_array_remove(file->packets, piece);
	g_ptr_array_remove(file->pieces, piece);
}

/* At another interface, or at another time. */
static void record_elsewhere(struct file *file, GRand *chance)
{
	uint8_t *bytes = any_packet(file, chance)->bytes->data;

	if (file->is_pcapng && g_rand_boolean(chance))
		put_le32(bytes + BLOCK_INTERFACE, g_rand_int(chance) % INTERFACES);
	else
		put_le32(bytes + (file->is_pcapng ? BLOCK_TIME : PCAP_TIME), g_rand_int(chance));
}

/* A packet that is changed has no CRCs: wrong ones would keep some views from looking at it. */
static void drop_crcs(uint8_t *packet, size_t size)
{
	if (size >= CRCS)
		memset(packet + size - CRCS, 0, CRCS);
}

static void take_over(struct file *file, GRand *chance)
{
	size_t size, from_size, at, length;
	uint8_t *to = packet_of(file, any_packet(file, chance), &size);
	const uint8_t *from = packet_of(file, any_packet(file, chance), &from_size);

	size = MIN(size, from_size);
	if (!size)
		return;
	at = (size_t)g_rand_int_range(chance, 0, (gint32)size);
	length = (size_t)g_rand_int_range(chance, 1, STRETCH_MAX);
	length = MIN(length, size - at);
	memmove(to + at, from + at, length);
	drop_crcs(to, size);
}

static void set_byte(struct file *file, GRand *chance)
{
	static const uint8_t edges[] = { 0, 1, 2, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xfe, 0xff };
	size_t size;
	uint8_t *packet = packet_of(file, any_packet(file, chance), &size);
	size_t at = size ? (size_t)g_rand_int_range(chance, 0, (gint32)size) : 0;
	uint32_t value = g_rand_int(chance);

	if (!size)
		return;
	packet[at] = value & 0x100 ? (uint8_t)value : edges[value % G_N_ELEMENTS(edges)];
	drop_crcs(packet, size);
}

/* What is behind the packet in its block: comments, and the direction. */
static void change_options(struct file *file, GRand *chance)
{
	struct piece *piece = any_packet(file, chance);
	size_t size;
	uint8_t *packet = packet_of(file, piece, &size);
	size_t begin = (size_t)(packet - piece->bytes->data) + size;
	size_t end = piece->bytes->len - BLOCK_END;

	if (file->is_pcapng && begin < end)
		piece->bytes->data[begin + g_rand_int(chance) % (end - begin)] ^=
			(uint8_t)(1 << g_rand_int_range(chance, 0, 8));
}

static void (*const changes[])(struct file *file, GRand *chance) = {
	trade_places, come_again, leave_out, record_elsewhere, take_over, take_over, set_byte,
	set_byte, change_options,
};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	GRand *chance = g_rand_new_with_seed(seed);
	int count = g_rand_int_range(chance, 1, CHANGES_MAX + 1);
	struct file file = file_read(data, size);

	while (file.packets->len && count--)
		changes[g_rand_int_range(chance, 0, G_N_ELEMENTS(changes))](&file, chance);
	size = file_write(&file, data, max_size);
	/* Now and then any byte: the file's own headers, too. */
	if (g_rand_int_range(chance, 0, 8) == 0)
		size = LLVMFuzzerMutate(data, size, max_size);
	g_rand_free(chance);
	return size;
}
