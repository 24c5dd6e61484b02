/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Hashes of what was seen: see harness/explore/explore-orders.h.
 */
#include "harness/explore/explore-orders.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/directory-names.h"
#include "harness/explore/explore-hash.h"
#include "harness/explore/explore-traits.h"
#include "harness/show/mad-text.h"
#include "sim/capture/stream.h"

/* ---- captures ---- */

static void add_text(struct explore_hash *sum, const char *text)
{
	explore_hash_bytes(sum, text ? text : "", text ? strlen(text) : 0);
}

/* Where it goes and what it is. */
static void add_order(struct explore_hash *sum, const struct capture_mad *mad)
{
	const struct packet_addr *addr = &mad->addr;
	const uint8_t *bytes = mad->mad;

	add_text(sum, mad->interface_name);
	explore_hash_number(sum, mad->direction);
	explore_hash_number(sum, (uint64_t)addr->slid << 16 | addr->dlid);
	explore_hash_number(sum, (uint64_t)addr->src_qp << 32 | addr->dest_qp);
	explore_hash_number(sum, (uint64_t)bytes[MAD_CLASS] << 56 |
			(uint64_t)bytes[MAD_METHOD] << 48 |
			(uint64_t)get_be16(bytes + MAD_ATTR_ID) << 32 |
			get_be32(bytes + MAD_ATTR_MOD));
	if (bytes[MAD_CLASS] == MAD_CLASS_SUBN_DR) {
		explore_hash_bytes(sum, bytes + SMP_HOP_PTR, 2);
		explore_hash_bytes(sum, bytes + SMP_INITIAL_PATH, SMP_PATH_SIZE);
	}
}

static void add_contents(struct explore_hash *sum, const struct capture_mad *mad)
{
	const struct packet_addr *addr = &mad->addr;

	add_order(sum, mad);
	explore_hash_number(sum, (uint64_t)mad->time_ns);
	explore_hash_number(sum, (uint64_t)addr->sl << 32 | (uint64_t)addr->vl << 16 | addr->pkey);
	explore_hash_number(sum, (uint64_t)addr->qkey << 32 | addr->psn);
	if (addr->has_grh) {
		explore_hash_number(sum, (uint64_t)addr->traffic_class << 40 |
				(uint64_t)addr->hop_limit << 32 | addr->flow_label);
		explore_hash_bytes(sum, addr->sgid, sizeof(addr->sgid));
		explore_hash_bytes(sum, addr->dgid, sizeof(addr->dgid));
	}
	explore_hash_bytes(sum, mad->mad, sizeof(mad->mad));
	add_text(sum, mad->comment);
}

static void add_kind(GHashTable *kinds, const struct text *name)
{
	if (!g_hash_table_contains(kinds, name->bytes))
		g_hash_table_add(kinds, g_strdup(name->bytes));
}

void explore_orders_read(struct explore_orders *orders, const char *path, GHashTable *traits)
{
	struct explore_hash order = { 0, 0 }, contents = { 0, 0 };
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, 0, message, sizeof(message));
	struct capture_item item;
	struct text name = { .length = 0 };
	struct explore_traffic traffic;

	*orders = (struct explore_orders){ .mads = 0 };
	if (!stream)
		return;
	orders->kinds = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	explore_traffic_begin(&traffic, traits);
	while (capture_stream_next(stream, &item)) {
		if (item.kind != CAPTURE_ITEM_MAD)
			continue;
		orders->mads++;
		add_order(&order, item.mad);
		add_contents(&contents, item.mad);
		name.length = 0;
		mad_text_name(&name, item.mad->mad);
		text_char(&name, '\0');
		add_kind(orders->kinds, &name);
		explore_traffic_take(&traffic, item.mad, name.bytes);
	}
	explore_traffic_end(&traffic);
	text_clear(&name);
	capture_stream_close(stream);
	orders->order = explore_hash_text(&order);
	orders->contents = explore_hash_text(&contents);
}

void explore_orders_clear(struct explore_orders *orders)
{
	g_clear_pointer(&orders->order, g_free);
	g_clear_pointer(&orders->contents, g_free);
	g_clear_pointer(&orders->kinds, g_hash_table_unref);
}

/* ---- all files ---- */

static bool add_file(struct explore_hash *sum, const char *path)
{
	uint8_t block[65536];
	ssize_t got;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return false;
	while ((got = read(fd, block, sizeof(block))) > 0)
		explore_hash_bytes(sum, block, (size_t)got);
	close(fd);
	return got == 0;
}

/* What is no file (a pipe, a socket, a link) counts by its name. */
static bool add_tree(struct explore_hash *sum, const char *directory)
{
	g_auto(GStrv) names = directory_names(directory);

	for (char **name = names; name && *name; name++) {
		g_autofree char *path = g_build_filename(directory, *name, NULL);
		struct stat info;

		if (lstat(path, &info) < 0)
			return false;
		add_text(sum, *name);
		explore_hash_number(sum, info.st_mode & S_IFMT);
		if (S_ISDIR(info.st_mode) && !add_tree(sum, path))
			return false;
		if (S_ISREG(info.st_mode)) {
			explore_hash_number(sum, (uint64_t)info.st_size);
			if (!add_file(sum, path))
				return false;
		}
	}
	add_text(sum, "");
	return names;
}

char *explore_orders_of_files(const char *directory)
{
	struct explore_hash sum = { 0, 0 };

	return add_tree(&sum, directory) ? explore_hash_text(&sum) : NULL;
}
