/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * capture: what reading a capture costs.
 *
 *	capture [--smoke]
 *
 * The processor time of reading and decoding every MAD of a file, without and with a check of both
 * CRCs, as a multiple of a bare loop of libpcap over the same file, which looks at nothing. This is
 * measured for pcap and pcapng, alternately, and medians count. Then the peak memory of a process
 * that reads 1 and 10 million MADs from a pipe, and how much an array takes for each MAD.
 * --smoke: a little of everything, TAP; memory is checked, times are not.
 */
#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/capture/frame.h"
#include "sim/capture/stream.h"

enum {
	RECORDS = 64,			/* different ones, over and over */
	FILE_MADS = 200000,
	ROUNDS = 7,
	ROUNDS_MAX = 15,
};

static bool smoke;
static int failures;

static void check(bool ok, const char *what)
{
	if (!ok && failures++ < 5)
		fprintf(stderr, "capture: %s\n", what);
}

/* ---- captures of any length ---- */

struct generator {
	GByteArray *head;
	GByteArray *records[RECORDS];
};

static void put(GByteArray *to, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		g_byte_array_append(to, (const uint8_t[]){ (uint8_t)(value >> 8 * i) }, 1);
}

/* A MAD in its packet, with both CRCs, in an ERF record. */
static GByteArray *make_erf(unsigned int number)
{
	const struct packet_addr addr = {
		.slid = 1, .dlid = (uint16_t)(2 + number), .pkey = 0xffff, .src_qp = 1,
		.dest_qp = 1, .qkey = QKEY_GSI,
	};
	GByteArray *bytes = g_byte_array_new();
	struct packet packet = { .next = NULL };
	uint8_t *mad;

	packet_build(&packet, &addr);
	mad = packet_mad(&packet);
	for (unsigned int i = 0; i < MAD_SIZE; i++)
		mad[i] = (uint8_t)(i * 7 + number);
	memcpy(mad, "\1\4\1\1", 4);
	packet_seal(&packet);
	put(bytes, 0, 8);
	put(bytes, ERF_TYPE_INFINIBAND | 0x0400, 2);
	put(bytes, __builtin_bswap16((uint16_t)(ERF_HEADER_SIZE + packet_size(&packet))), 2);
	put(bytes, 0, 2);
	put(bytes, __builtin_bswap16((uint16_t)packet_size(&packet)), 2);
	g_byte_array_append(bytes, packet.bytes, (guint)packet_size(&packet));
	return bytes;
}

static void make_pcap(struct generator *generator)
{
	GByteArray *head = generator->head;

	put(head, 0xa1b23c4d, 4);
	put(head, 0x00040002, 4);
	put(head, 0, 8);
	put(head, 65535, 4);
	put(head, LINKTYPE_ERF, 4);
	for (unsigned int i = 0; i < RECORDS; i++) {
		GByteArray *erf = make_erf(i);

		put(generator->records[i], 0, 8);
		put(generator->records[i], erf->len, 4);
		put(generator->records[i], erf->len, 4);
		g_byte_array_append(generator->records[i], erf->data, erf->len);
		g_byte_array_free(erf, true);
	}
}

static void make_pcapng(struct generator *generator)
{
	static const uint64_t section[] = { 0x0000001c0a0d0d0a, 0x000000011a2b3c4d };
	GByteArray *head = generator->head;

	put(head, section[0], 8);
	put(head, section[1], 8);
	put(head, UINT64_MAX, 8);
	put(head, 28, 4);
	put(head, 1, 4);
	put(head, 40, 4);
	put(head, LINKTYPE_ERF, 4);
	put(head, 65535, 4);
	g_byte_array_append(head, (const uint8_t *)"\2\0\3\0ib0\0" "\11\0\1\0\11\0\0\0" "\0\0\0\0",
			    20);
	put(head, 40, 4);
	for (unsigned int i = 0; i < RECORDS; i++) {
		GByteArray *record = generator->records[i], *erf = make_erf(i);
		guint padding = -erf->len & 3, total = 28 + erf->len + padding + 12 + 4;

		put(record, 6, 4);
		put(record, total, 4);
		put(record, 0, 4);
		put(record, 0, 8);
		put(record, erf->len, 4);
		put(record, erf->len, 4);
		g_byte_array_append(record, erf->data, erf->len);
		put(record, 0, padding);
		g_byte_array_append(record, (const uint8_t *)"\2\0\4\0\2\0\0\0\0\0\0\0", 12);
		put(record, total, 4);
		g_byte_array_free(erf, true);
	}
}

static struct generator *generator_new(bool pcapng)
{
	struct generator *generator = g_new(struct generator, 1);

	generator->head = g_byte_array_new();
	for (unsigned int i = 0; i < RECORDS; i++)
		generator->records[i] = g_byte_array_new();
	if (pcapng)
		make_pcapng(generator);
	else
		make_pcap(generator);
	return generator;
}

static void generator_free(struct generator *generator)
{
	g_byte_array_free(generator->head, true);
	for (unsigned int i = 0; i < RECORDS; i++)
		g_byte_array_free(generator->records[i], true);
	g_free(generator);
}

static void generate(const struct generator *generator, unsigned int mads, FILE *to)
{
	fwrite(generator->head->data, 1, generator->head->len, to);
	for (unsigned int i = 0; i < mads; i++)
		fwrite(generator->records[i % RECORDS]->data, 1,
		       generator->records[i % RECORDS]->len, to);
	check(fflush(to) == 0, "a capture cannot be written");
}

/* ---- time ---- */

typedef unsigned int read_fn(const char *path);

static unsigned int read_bare(const char *path)
{
	char errbuf[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO,
							       errbuf);
	struct pcap_pkthdr *header;
	const u_char *bytes;
	unsigned int frames = 0;

	if (!pcap)
		return 0;
	while (pcap_next_ex(pcap, &header, &bytes) == 1)
		frames++;
	pcap_close(pcap);
	return frames;
}

static unsigned int read_items(const char *path, unsigned int flags)
{
	char message[512];
	struct capture_stream *stream = capture_stream_open(path, flags, message, sizeof(message));
	struct capture_item item;
	unsigned int mads = 0;

	if (!stream)
		return 0;
	while (capture_stream_next(stream, &item))
		mads += item.kind == CAPTURE_ITEM_MAD && item.cause == CAUSE_NONE;
	capture_stream_close(stream);
	return mads;
}

static unsigned int read_unchecked(const char *path)
{
	return read_items(path, 0);
}

static unsigned int read_checked(const char *path)
{
	return read_items(path, CAPTURE_CHECK_CRCS);
}

static double processor_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *one = a, *two = b;

	return (*one > *two) - (*one < *two);
}

static void bench_time(const char *path, bool pcapng, unsigned int mads, int rounds)
{
	static read_fn *const readers[] = { read_bare, read_unchecked, read_checked };
	static const char *const names[] = { "bare libpcap", "every MAD", "with both CRCs" };
	double times[G_N_ELEMENTS(readers)][ROUNDS_MAX];
	struct generator *generator = generator_new(pcapng);
	FILE *file = fopen(path, "wb");

	check(file != NULL, "the capture cannot be made");
	if (!file)
		return;
	generate(generator, mads, file);
	fclose(file);
	for (int round = 0; round < rounds; round++) {
		for (size_t i = 0; i < G_N_ELEMENTS(readers); i++) {
			double before_s = processor_s();

			check(readers[i](path) == mads, "a MAD was not read");
			times[i][round] = processor_s() - before_s;
		}
	}
	for (size_t i = 0; i < G_N_ELEMENTS(readers) && !smoke; i++) {
		qsort(times[i], (size_t)rounds, sizeof(times[i][0]), compare_doubles);
		printf("%-8s %-16s %8.0f ns a MAD %8.2f of bare%s\n", pcapng ? "pcapng" : "pcap",
		       names[i], times[i][rounds / 2] / mads * 1e9,
		       times[i][rounds / 2] / times[0][rounds / 2],
		       i == 1 ? "  (at most 4)" : "");
	}
	generator_free(generator);
}

/* ---- memory ---- */

static bool read_array(const char *path, unsigned int mads)
{
	char message[512];
	struct capture *capture = capture_read(path, message, sizeof(message));
	bool all = capture && capture->mad_count == mads;

	capture_free(capture);
	return all;
}

/* The peak of a process that reads so many MADs from a pipe, in KiB. */
static long peak_kib(unsigned int mads, bool array)
{
	struct generator *generator = generator_new(true);
	struct rusage usage = { .ru_maxrss = 0 };
	int fds[2], status = 0;
	FILE *file;
	pid_t pid;

	check(pipe(fds) == 0, "no pipe");
	pid = fork();
	if (pid == 0) {
		dup2(fds[0], STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		_exit(array ? !read_array("-", mads) : read_unchecked("-") != mads);
	}
	close(fds[0]);
	file = fdopen(fds[1], "wb");
	generate(generator, mads, file);
	fclose(file);
	generator_free(generator);
	check(pid > 0 && wait4(pid, &status, 0, &usage) == pid && status == 0,
	      "a MAD was not read from the pipe");
	return usage.ru_maxrss;
}

static void bench_memory(unsigned int few, unsigned int many)
{
	long few_kib = peak_kib(few, false), many_kib = peak_kib(many, false);
	long array_kib = peak_kib(few, true);

	if (!smoke) {
		printf("memory   %8u MADs %8ld KiB\n", few, few_kib);
		printf("memory   %8u MADs %8ld KiB  (at most 65536, and as above)\n", many,
		       many_kib);
		printf("an array of %8u   %8.0f bytes a MAD  (at most 356)\n", few,
		       (double)(array_kib - few_kib) * 1024 / few);
	}
	check(many_kib < few_kib + 2048, "memory grows with the number of MADs");
#ifndef __SANITIZE_ADDRESS__
	/* A small array may be copied when it grows, and leave a hole in the heap. */
	check((array_kib - few_kib) * 1024 / (long)few < (smoke ? 2 : 1) * 356 + 8,
	      "an array takes too much");
#endif
}

int main(int argc, char **argv)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "umadrig-capture-XXXXXX", NULL);
	int fd = g_mkstemp(path);

	smoke = argc > 1 && strcmp(argv[1], "--smoke") == 0;
	if (fd < 0) {
		perror("capture: no temporary file");
		return 1;
	}
	close(fd);
	bench_memory(smoke ? 20000 : 1000000, smoke ? 300000 : 10000000);
	for (int pcapng = 0; pcapng < 2; pcapng++)
		bench_time(path, pcapng, smoke ? 1000 : FILE_MADS, smoke ? 1 : ROUNDS);
	unlink(path);
	if (smoke)
		printf("%s 1 - every MAD is read, memory does not grow with their number\n1..1\n",
		       failures ? "not ok" : "ok");
	return failures != 0;
}
