/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Replay, mode "answer": how much memory a large capture takes.
 */
#include <glib/gstdio.h>
#include <unistd.h>

#include "tests/rig/leak.h"
#include "tests/rig/peak-memory.h"
#include "tests/rig/replay-rig.h"

enum { LARGE = 100000 };	/* questions, and as many answers */

/* Different questions with different answers. */
static char *write_large(void)
{
	char message[512] = "", *path;
	struct capture_writer *writer;
	unsigned int port;

	close(g_file_open_tmp("umadrig-XXXXXX.pcapng", &path, NULL));
	writer = capture_writer_open(path, NULL, true, message, sizeof(message));
	g_assert_nonnull(writer);
	port = capture_writer_interface(writer, "H1[1]", NULL);
	for (uint32_t i = 0; i < LARGE; i++) {
		const struct mad_row rows[] = {
			MAD(4, 7, MAD_CLASS_PERF, MAD_METHOD_GET, 0x12, i, i + 1, 0),
			MAD(7, 4, MAD_CLASS_PERF, MAD_METHOD_GET_RESP, 0x12, i, i + 1, (uint8_t)i),
		};

		for (unsigned int n = 0; n < G_N_ELEMENTS(rows); n++) {
			int64_t at_ns = (int64_t)i * 10000 + n * 1000;
			struct packet packet;

			make_mad(&rows[n], &packet);
			capture_writer_packet(writer, port, at_ns, true, &packet, NULL);
			capture_writer_advance(writer, at_ns);
		}
	}
	g_assert_cmpint(capture_writer_close(writer), ==, 0);
	return path;
}

/*
 * 200,000 MADs, none like another: at most 100 bytes for each beside its own. While they are read,
 * the conversations that may go on add a window of 16 MiB at most, and the reader and the counts of
 * LIDs a little.
 */
static void memory_process(void)
{
	const size_t window = 20u << 20;
	char *path = write_large(), message[512] = "";
	size_t before = peak_memory(), used;
	struct replay *replay = replay_new(path, &in_order, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	used = peak_memory() - before;
	g_test_message("%zu bytes for each MAD at the peak, %zu kept", used / (2 * LARGE),
		       replay_size(replay) / (2 * LARGE));
	g_assert_cmpuint(replay_size(replay), <=, 2 * LARGE * (MAD_SIZE + 100));
	g_assert_cmpuint(replay_size(replay), >, 2 * LARGE * MAD_SIZE);
	g_assert_cmpuint(used, <=, 2 * LARGE * (MAD_SIZE + 100) + window);
	replay_free(replay);
	g_unlink(path);
	g_free(path);
}

static void test_memory(void)
{
	peak_memory_test(memory_process);
}

int main(int argc, char **argv)
{
	leak_begin();
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/replay/memory", test_memory);
	return leak_end(g_test_run());
}
