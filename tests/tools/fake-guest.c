/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A guest without a kernel: speaks what a User-mode Linux with umadrig_hca and its first program
 * speak, in a few hundred lines, for tests of the other side (sim/guests/).
 *
 *	fake-guest MODE GUEST'S COMMAND LINE ...
 *
 * Commands that it knows, each a program in its own time: "sleep SECONDS", "echo WORD", "ask LID"
 * (a PerfMgt ClassPortInfo of that LID), "serve SECONDS" (answers vendor MADs), "call LID" (sends
 * one), "cat", "exit STATUS", "state" (of its port), "spill BYTES" (on its output), "env NAME".
 *
 * MODE is "good", "die:N" (ends before the Nth message that it sends), or a word of enum wrong.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "kmod-stub/linux/hca/umadrig_hca.h"

enum { ACK, START, REQUEST, WAIT, GET, UPDATE, RUN, FREE_UNTIL, GET_TOD };
enum { RING = 64, BUFFERS = 32, UP_AT = 0x10000, DOWN_AT = 0x40000, BUFFERS_AT = 0x80000,
       MEMORY = 0x100000, PROGRAMS = 300 };

#define NEVER INT64_MAX
#define BASE UINT64_C(0x60000000)	/* its physical address 0 */
#define NS_PER_S INT64_C(1000000000)

static const char *const wrongs[] = {
	"none", "silent", "busy", "request-past", "update-back", "update-beyond", "time-op",
	"wait-twice", "not-start", "vhost-size", "vhost-request", "table-count", "table-fds",
	"region-outside", "ring-size", "ring-outside", "index-far", "head-far", "chain-circle",
	"chain-far", "indirect", "buffer-outside", "shrink", "length-says", "version", "type",
	"hca",
	"grh-short", "query-short", "taken-more", "program-none", "features", "config-long",
	"same-instant", "down-outside", "down-direction", "call-fds",
};

enum wrong {
	NONE, SILENT, BUSY, REQUEST_PAST, UPDATE_BACK, UPDATE_BEYOND, TIME_OP, WAIT_TWICE,
	NOT_START, VHOST_SIZE, VHOST_REQUEST, TABLE_COUNT, TABLE_FDS, REGION_OUTSIDE, RING_SIZE,
	RING_OUTSIDE, INDEX_FAR, HEAD_FAR, CHAIN_CIRCLE, CHAIN_FAR, INDIRECT, BUFFER_OUTSIDE,
	SHRINK, LENGTH_SAYS, VERSION, TYPE, HCA, GRH_SHORT, QUERY_SHORT, TAKEN_MORE, PROGRAM_NONE,
	FEATURES, CONFIG_LONG, SAME_INSTANT, DOWN_OUTSIDE, DOWN_DIRECTION, CALL_FDS,
};

static enum wrong wrong;
static long dies_at, sent;

struct time_message {
	uint32_t op, sequence;
	uint64_t time;
};

static int time_fd, vhost_fd, call_fd, memory_fd;
static uint8_t *memory;
static int64_t now, free_until;
static uint16_t up_index, down_index, down_seen;
static struct umadrig_hca_port port;
static bool is_there;
static struct umadrig_hca_config told_config;	/* behind the first words of the last reply */

struct program {
	uint32_t number;
	char *word[8], *environment[200];
	int words;
	int64_t wakes;		/* NEVER: by a message only */
	bool is_over, has_closed, waits_for_answer, serves;
	uint32_t given;
};

static struct program programs[PROGRAMS];
static unsigned int program_count;
static char run[65536];
static size_t run_size;

/* Of umadN, what the tests need: a MAD that is written goes out, and answers can be read. */
struct file {
	uint32_t number;
	bool is_open;
	uint8_t written[64 + 256], waiting[8][64 + 256];
	size_t size;
	unsigned int count;
};

static struct file files[8];

static void fail(const char *what)
{
	fprintf(stderr, "fake-guest: %s: %s\n", what, strerror(errno));
	_exit(9);
}

static void put(int fd, const void *bytes, size_t size)
{
	if (++sent == dies_at)
		_exit(3);
	if (send(fd, bytes, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(4);
}

static void get(int fd, void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t got = read(fd, (char *)bytes + done, size - done);

		if (got <= 0)
			_exit(5);
		done += (size_t)got;
	}
}

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0)
		fail(path);
	return fd;
}

/* ---- time ---- */

static void acknowledge(const struct time_message *message)
{
	const struct time_message answer = { ACK, message->sequence, 0 };

	if (message->op == FREE_UNTIL)
		free_until = (int64_t)message->time;
	put(time_fd, &answer, sizeof(answer));
}

/* Sends one, and takes what comes before its answer. */
static uint64_t say(uint32_t op, int64_t time)
{
	static uint32_t sequence;
	struct time_message message = { op, ++sequence, (uint64_t)time };

	put(time_fd, &message, sizeof(message));
	for (;;) {
		struct time_message answer;

		get(time_fd, &answer, sizeof(answer));
		if (answer.op == ACK && answer.sequence == message.sequence)
			return answer.time;
		acknowledge(&answer);
	}
}

/* ---- the device ---- */

struct vhost {
	uint32_t request, flags, size;
	uint8_t payload[256];
};

static void put_with(int fd, struct vhost *message, const int *fds, size_t count)
{
	char control[256] = { 0 };
	struct iovec piece = { message, 12 + message->size };
	struct msghdr header = { .msg_iov = &piece, .msg_iovlen = 1 };
	struct cmsghdr *rights;

	if (count > 0) {
		header.msg_control = control;
		header.msg_controllen = CMSG_SPACE(count * sizeof(int));
		rights = CMSG_FIRSTHDR(&header);
		rights->cmsg_level = SOL_SOCKET;
		rights->cmsg_type = SCM_RIGHTS;
		rights->cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(rights), fds, count * sizeof(int));
	}
	if (++sent == dies_at)
		_exit(3);
	if (sendmsg(fd, &header, MSG_NOSIGNAL) < 0)
		_exit(4);
}

/* Sends a request and reads its reply; the time socket is served meanwhile. */
static uint64_t ask(uint32_t request, const void *payload, size_t size, const int *fds,
		    size_t count)
{
	struct vhost message = { .request = request, .flags = 1 | 8, .size = (uint32_t)size };

	memcpy(message.payload, payload, size);
	put_with(vhost_fd, &message, fds, count);
	for (;;) {
		struct pollfd ready[] = {
			{ .fd = vhost_fd, .events = POLLIN }, { .fd = time_fd, .events = POLLIN },
		};
		struct time_message told;
		uint64_t value;

		poll(ready, 2, -1);
		if (ready[1].revents) {
			get(time_fd, &told, sizeof(told));
			acknowledge(&told);
		} else {
			get(vhost_fd, &message, 12);
			if (message.size > sizeof(message.payload))
				_exit(6);
			get(vhost_fd, message.payload, message.size);
			memcpy(&told_config, message.payload + 12, sizeof(told_config));
			memcpy(&value, message.payload, sizeof(value));
			return value;
		}
	}
}

static void state(uint32_t request, uint32_t queue, uint32_t value)
{
	const uint32_t payload[2] = { queue, value };

	ask(request, payload, sizeof(payload), NULL, 0);
}

static void addresses(uint32_t queue, uint64_t at)
{
	const struct {
		uint32_t queue, flags;
		uint64_t descriptors, used, available, log;
	} payload = { queue, 0, at, at + 0x8000, at + 0x4000, 0 };

	ask(9, &payload, sizeof(payload), NULL, 0);
}

struct descriptor {
	uint64_t at;
	uint32_t size;
	uint16_t flags, next;
};

static struct descriptor *descriptors(size_t at)
{
	return (void *)(memory + at);
}

static uint16_t *available(size_t at)
{
	return (void *)(memory + at + 0x4000);
}

static uint16_t *used(size_t at)
{
	return (void *)(memory + at + 0x8000);
}

static void offer_down(uint16_t number)
{
	descriptors(DOWN_AT)[number] = (struct descriptor) {
		.at = wrong == DOWN_OUTSIDE ? 0x10 :
		      BASE + BUFFERS_AT + number * (uint64_t)UMADRIG_HCA_DOWN_MAX,
		.size = UMADRIG_HCA_DOWN_MAX, .flags = wrong == DOWN_DIRECTION ? 0 : 2,
	};
	available(DOWN_AT)[2 + down_index % RING] = number;
	available(DOWN_AT)[1] = ++down_index;
}

static void set_memory(void)
{
	struct {
		uint32_t count, padding;
		uint64_t physical, size, user, offset;
	} table = { 1, 0, BASE, MEMORY, BASE, 0 };
	int fds[2];

	memory_fd = memfd_create("fake-guest", MFD_CLOEXEC);
	if (memory_fd < 0 || ftruncate(memory_fd, MEMORY) < 0)
		fail("memory");
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
	if (wrong == TABLE_COUNT)
		table.count = 1000;
	if (wrong == REGION_OUTSIDE)
		table.size = UINT64_MAX - 5;
	if (wrong == REGION_OUTSIDE && pipe(fds) < 0)
		fail("pipe");
	ask(5, &table, sizeof(table), &memory_fd, wrong == TABLE_FDS ? 0 : 1);
}

static void set_call(void)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		fail("socketpair");
	ask(21, "", 0, &pair[0], wrong == CALL_FDS ? 0 : 1);
	close(pair[0]);
	call_fd = pair[1];
}

static void plug_in(const char *path)
{
	const uint64_t features = wrong == FEATURES ? UINT64_MAX : 1ULL << 32 | 1ULL << 30;
	const uint64_t more = 1 << 3 | 1 << 5 | 1 << 9 | 1 << 14;
	uint32_t config[3 + 4] = { 0, wrong == CONFIG_LONG ? 4096 : 16, 0 };

	vhost_fd = connect_to(path);
	if (wrong == VHOST_SIZE)
		put(vhost_fd, "\1\0\0\0\1\0\0\0\377\377\377\177", 12);
	if (wrong == VHOST_REQUEST)
		ask(99, "", 0, NULL, 0);
	ask(3, "", 0, NULL, 0);
	if (ask(1, "", 0, NULL, 0) != (1ULL << 32 | 1ULL << 30) || ask(15, "", 0, NULL, 0) != more)
		_exit(10);
	ask(16, &more, sizeof(more), NULL, 0);
	set_call();
	ask(24, config, sizeof(config), NULL, 0);
	if (told_config.magic != htole32(UMADRIG_HCA_VIRTIO_MAGIC))
		_exit(11);
	ask(2, &features, sizeof(features), NULL, 0);
	set_memory();
	for (uint32_t queue = 0; queue < 2; queue++) {
		state(8, queue, wrong == RING_SIZE ? 63 : RING);
		state(10, queue, 0);
		addresses(queue, wrong == RING_OUTSIDE ? 0x1000 : BASE + (queue ? DOWN_AT : UP_AT));
		state(18, queue, 1);
	}
	for (uint16_t i = 0; i < BUFFERS; i++)
		offer_down(i);
}

/* ---- messages up ---- */

static void spoil_descriptor(struct descriptor *first)
{
	if (wrong == CHAIN_CIRCLE)
		*first = (struct descriptor){ first->at, 4, 1, 0 };
	else if (wrong == CHAIN_FAR)
		*first = (struct descriptor){ first->at, 4, 1, 4000 };
	else if (wrong == INDIRECT)
		first->flags = 4;
	else if (wrong == BUFFER_OUTSIDE)
		first->at = BASE + MEMORY - 4;
}

static void spoil_message(struct umadrig_hca_header *header)
{
	if (wrong == LENGTH_SAYS)
		header->length = htole32(4000);
	else if (wrong == VERSION)
		header->version = 77;
	else if (wrong == TYPE)
		header->type = 55;
	else if (wrong == HCA)
		header->hca = 63;
}

static void up(struct umadrig_hca_header *header, const void *payload, size_t size)
{
	uint8_t *at = memory + UP_AT + 0xc000;
	uint32_t kick[2] = { 0, 0 };

	header->version = UMADRIG_HCA_VERSION;
	header->length = htole32((uint32_t)(sizeof(*header) + size));
	if (header->type == UMADRIG_HCA_HELLO)
		spoil_message(header);
	memcpy(at, header, sizeof(*header));
	memcpy(at + sizeof(*header), payload, size);
	descriptors(UP_AT)[0] = (struct descriptor) {
		.at = BASE + UP_AT + 0xc000, .size = (uint32_t)(sizeof(*header) + size),
	};
	spoil_descriptor(descriptors(UP_AT));
	available(UP_AT)[2 + up_index % RING] = wrong == HEAD_FAR ? 4000 : 0;
	up_index++;
	available(UP_AT)[1] = wrong == INDEX_FAR ? (uint16_t)(up_index + 5000) : up_index;
	if (wrong == SHRINK && ftruncate(memory_fd, 0x1000) < 0)
		fail("ftruncate");
	/* Nobody sees anything of it before the time is known. */
	say(UPDATE, wrong == UPDATE_BACK && now > 1000 ? 5 :
	    wrong == UPDATE_BEYOND && now > 1000 ? now + 100 * NS_PER_S : now);
	ask(35, kick, sizeof(kick), NULL, 0);
}

static void say_of(const struct program *program, uint8_t type, uint32_t value, const char *text)
{
	struct umadrig_hca_header header = {
		.type = type, .sequence = htole32(program->number), .value = htole32(value),
	};

	if (wrong == PROGRAM_NONE)
		header.sequence = htole32(1000);
	up(&header, text, strlen(text));
}

static void finish(struct program *program, uint32_t status)
{
	program->is_over = true;
	if (!program->has_closed) {
		say_of(program, UMADRIG_GUEST_STDOUT, 0, "");
		say_of(program, UMADRIG_GUEST_STDERR, 0, "");
	}
	say_of(program, UMADRIG_GUEST_EXITED, status, "");
}

/* ---- packets ---- */

static void send_mad(uint16_t dlid, uint8_t mgmt_class, uint8_t method, uint8_t tid)
{
	struct umadrig_hca_header header = {
		.type = UMADRIG_HCA_MAD, .port = 1, .source_qp = htole32(1),
		.destination_qp = htole32(1), .qkey = htole32(0x80010000),
		.slid = port.lid, .dlid = htole16(dlid), .pkey = htole16(0xffff),
	};
	uint8_t mad[256] = { 1, mgmt_class, 1, method, [15] = tid, [17] = 1 };

	if (wrong == GRH_SHORT) {
		header.flags = UMADRIG_HCA_FLAG_GRH;
		up(&header, mad, 30);
	}
	up(&header, mad, sizeof(mad));
}

/* ---- files ---- */

static uint32_t revents_of(const struct file *file)
{
	return htole32(POLLOUT | (file->count ? POLLIN : 0));
}

static void say_of_file(uint32_t number, uint8_t type, uint32_t value, const void *payload,
			size_t size)
{
	struct umadrig_hca_header header = {
		.type = type, .sequence = htole32(number), .value = htole32(value),
	};

	up(&header, payload, size);
}

static void done(const struct file *file, uint32_t number, int32_t value, const void *argument,
		 size_t size)
{
	uint8_t payload[4 + 64] = { 0 };
	uint32_t revents = file ? revents_of(file) : 0;

	memcpy(payload, &revents, 4);
	if (size)
		memcpy(payload + 4, argument, size);
	say_of_file(number, UMADRIG_GUEST_FILE_DONE, (uint32_t)value, payload, 4 + size);
}

static void open_file(uint32_t number)
{
	struct file *file = files;

	while (file < files + 8 && file->is_open)
		file++;
	if (file == files + 8) {
		done(NULL, number, -EMFILE, NULL, 0);
		return;
	}
	*file = (struct file){ .number = number, .is_open = true };
	done(file, number, 0, NULL, 0);
}

static void write_file(struct file *file, const struct umadrig_hca_header *header,
		       const uint8_t *payload, size_t size)
{
	uint16_t lid;

	if (file->size + size > sizeof(file->written))
		_exit(12);
	memcpy(file->written + file->size, payload, size);
	file->size += size;
	if (header->flags & UMADRIG_HCA_FLAG_MORE)
		return;
	memcpy(&lid, file->written + 28, sizeof(lid));
	send_mad(be16toh(lid), file->written[64 + 1], file->written[64 + 3], 9);
	size = file->size;
	file->size = 0;
	done(file, file->number, (int32_t)size, NULL, 0);
}

static void read_file(struct file *file, uint32_t count)
{
	if (file->count == 0) {
		done(file, file->number, -EAGAIN, NULL, 0);
		return;
	}
	if (count < sizeof(file->waiting[0])) {
		say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0], count);
		done(file, file->number, -ENOSPC, NULL, 0);
		return;
	}
	say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0], 200);
	say_of_file(file->number, UMADRIG_GUEST_FILE_DATA, 0, file->waiting[0] + 200, 120);
	file->count--;
	memmove(file->waiting[0], file->waiting[1], file->count * sizeof(file->waiting[0]));
	done(file, file->number, 320, NULL, 0);
}

static void take_file(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size)
{
	uint32_t number = le32toh(header->sequence);
	struct file *file = files;
	uint8_t argument[64];

	while (file < files + 8 && (!file->is_open || file->number != number))
		file++;
	if (header->type == UMADRIG_GUEST_FILE_OPEN) {
		open_file(number);
	} else if (file == files + 8) {
		done(NULL, number, -EBADF, NULL, 0);
	} else if (header->type == UMADRIG_GUEST_FILE_IOCTL) {
		memcpy(argument, payload, size);
		memcpy(argument, &(uint32_t){ 5 }, 4);
		done(file, number, size ? 0 : -EFAULT, argument, size);
	} else if (header->type == UMADRIG_GUEST_FILE_WRITE) {
		write_file(file, header, payload, size);
	} else if (header->type == UMADRIG_GUEST_FILE_READ) {
		read_file(file, le32toh(header->value));
	} else {
		file->is_open = false;
		done(NULL, number, 0, NULL, 0);
	}
}

/* An answer is for the first file. */
static void give_file(const uint8_t *mad)
{
	struct file *file = &files[0];

	if (!file->is_open || !(mad[3] & 0x80) || file->count == 8)
		return;
	memset(file->waiting[file->count], 0, 64);
	memcpy(file->waiting[file->count++] + 64, mad, 256);
	say_of_file(file->number, UMADRIG_GUEST_FILE_READY, le32toh(revents_of(file)), "", 0);
}

static void take_mad(const struct umadrig_hca_header *header, const uint8_t *mad)
{
	char text[100];

	give_file(mad);	if (mad[1] == 0x32 && mad[3] == 2)
		send_mad(le16toh(header->slid), 0x32, 0x82, mad[15]);
	for (unsigned int i = 0; i < program_count; i++) {
		struct program *program = &programs[i];

		if (program->is_over || !program->waits_for_answer || !(mad[3] & 0x80))
			continue;
		snprintf(text, sizeof(text), "class 0x%02x method 0x%02x from %d at %lld\n", mad[1],
			 mad[3], le16toh(header->slid), (long long)now);
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	}
}

/* ---- programs ---- */

/* It is over when all is said, or by a signal before. */
static void spill(struct program *program, int bytes)
{
	char line[1001];

	memset(line, 'x', sizeof(line) - 2);
	strcpy(line + sizeof(line) - 2, "\n");
	for (; bytes > 0 && !program->is_over; bytes -= (int)strlen(line))
		say_of(program, UMADRIG_GUEST_STDOUT, 0, line + (bytes < 1000 ? 1000 - bytes : 0));
	say_of(program, UMADRIG_GUEST_STDOUT, 0, "");
	say_of(program, UMADRIG_GUEST_STDERR, 0, "");
	program->has_closed = true;
	program->wakes = now + NS_PER_S;
}

static void say_variable(const struct program *program)
{
	size_t length = strlen(program->word[1]);

	for (char *const *one = program->environment; *one; one++) {
		if (strncmp(*one, program->word[1], length) == 0 && (*one)[length] == '=')
			say_of(program, UMADRIG_GUEST_STDOUT, 0, *one + length + 1);
	}
	say_of(program, UMADRIG_GUEST_STDOUT, 0, "\n");
}

/* On the console, where a kernel has its messages; '_' stands for a blank. */
static void print(const char *text, const char *end)
{
	char *line = strdup(text);

	for (char *c = line; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	dprintf(STDOUT_FILENO, "%s%s", line, end);
	free(line);
}

static void begin(struct program *program)
{
	const char *word = program->word[0];
	int argument = program->words > 1 ? atoi(program->word[1]) : 0;
	char text[200];

	say_of(program, UMADRIG_GUEST_STARTED, 0, "");
	program->wakes = NEVER;
	if (strcmp(word, "sleep") == 0 || strcmp(word, "serve") == 0) {
		program->wakes = now + argument * NS_PER_S;
	} else if (strcmp(word, "echo") == 0) {
		snprintf(text, sizeof(text), "%s\n", program->words > 1 ? program->word[1] : "");
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	} else if (strcmp(word, "ask") == 0 || strcmp(word, "call") == 0) {
		program->waits_for_answer = true;
		send_mad((uint16_t)argument, word[0] == 'a' ? 4 : 0x32, word[0] == 'a' ? 1 : 2, 7);
	} else if (strcmp(word, "spill") == 0) {
		spill(program, argument);
	} else if (strcmp(word, "log") == 0 || strcmp(word, "part") == 0) {
		print(program->words > 1 ? program->word[1] : "", word[0] == 'l' ? "\n" : "");
		finish(program, 0);
	} else if (strcmp(word, "fill") == 0) {
		for (int i = 0; i < argument; i++)
			print(program->words > 2 ? program->word[2] : "a_line_of_sixteen",
			      "\n");
		finish(program, 0);
	} else if (strcmp(word, "env") == 0) {
		say_variable(program);
		finish(program, 0);
	} else if (strcmp(word, "exit") == 0) {
		finish(program, (uint32_t)argument << 8);
	} else if (strcmp(word, "state") == 0) {
		snprintf(text, sizeof(text), "state %d lid %d sm_lid %d\n", port.state,
			 le16toh(port.lid), le16toh(port.sm_lid));
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	} else if (strcmp(word, "cat") != 0) {
		say_of(program, UMADRIG_GUEST_STDERR, 0, "not known\n");
		finish(program, 127 << 8);
	}
}

/* Directory, count, words, environment. */
static void take_run(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size)
{
	struct program *program = &programs[program_count];
	char *at = run, *end;

	if (run_size + size > sizeof(run) || program_count == PROGRAMS)
		_exit(7);
	memcpy(run + run_size, payload, size);
	run_size += size;
	if (header->flags & UMADRIG_HCA_FLAG_MORE)
		return;
	end = run + run_size;
	*program = (struct program){ .number = le32toh(header->sequence) };
	program_count++;
	at += strlen(at) + 1;
	program->words = atoi(at);
	for (int i = 0; i < program->words && i < 8; i++) {
		at += strlen(at) + 1;
		program->word[i] = strdup(at);
	}
	for (int i = 0; i < 199 && (at += strlen(at) + 1) < end; i++)
		program->environment[i] = strdup(at);
	run_size = 0;
	begin(program);
}

static void take_input(uint32_t number, const uint8_t *payload, size_t size)
{
	struct program *program = &programs[number - 1];
	char text[UMADRIG_HCA_DOWN_MAX + 1] = "";

	if (program->is_over)
		return;
	if (size == 0) {
		if (strcmp(program->word[0], "cat") == 0)
			finish(program, 0);
		return;
	}
	memcpy(text, payload, size);
	say_of(program, UMADRIG_GUEST_TAKEN, wrong == TAKEN_MORE ? 1U << 20 : (uint32_t)size, "");
	say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
}

static void take_add(const struct umadrig_hca_header *add, const uint8_t *payload, size_t size)
{
	struct umadrig_hca_header header = { .type = UMADRIG_HCA_HELLO, .hca = add->hca };
	struct umadrig_hca_header query = { .type = UMADRIG_HCA_QUERY, .port = 1, .sequence = 1 };
	uint8_t mad[256] = { 1, 4, 1, 1, [17] = 1 };

	/* Registering asks for counters, before HELLO. */
	up(&query, mad, wrong == QUERY_SHORT ? 100 : sizeof(mad));
	up(&header, payload, size);
	is_there = true;
}

static void take_remove(const struct umadrig_hca_header *remove)
{
	struct umadrig_hca_header header = { .type = UMADRIG_HCA_GONE, .hca = remove->hca };

	is_there = false;
	up(&header, "", 0);
}

static void take_down(const uint8_t *message)
{
	struct umadrig_hca_header header;
	const uint8_t *payload = message + sizeof(header);
	size_t size;

	memcpy(&header, message, sizeof(header));
	size = le32toh(header.length) - sizeof(header);
	if (header.type == UMADRIG_HCA_ADD)
		take_add(&header, payload, size);
	else if (header.type == UMADRIG_HCA_REMOVE)
		take_remove(&header);
	else if (header.type == UMADRIG_HCA_PORT)
		memcpy(&port, payload, sizeof(port));
	else if (header.type == UMADRIG_HCA_MAD)
		take_mad(&header, payload + (header.flags & UMADRIG_HCA_FLAG_GRH ? 40 : 0));
	else if (header.type >= UMADRIG_GUEST_FILE_OPEN)
		take_file(&header, payload, size);
	else if (header.type == UMADRIG_GUEST_RUN)
		take_run(&header, payload, size);
	else if (header.type == UMADRIG_GUEST_STDIN)
		take_input(le32toh(header.sequence), payload, size);
	else if (header.type == UMADRIG_GUEST_SIGNAL &&
		 !programs[le32toh(header.sequence) - 1].is_over)
		finish(&programs[le32toh(header.sequence) - 1], le32toh(header.value));
}

static void take_all_down(void)
{
	while (down_seen != __atomic_load_n(&used(DOWN_AT)[1], __ATOMIC_ACQUIRE)) {
		uint32_t number;
		uint8_t message[UMADRIG_HCA_DOWN_MAX];

		memcpy(&number, (uint8_t *)(used(DOWN_AT) + 2) + 8 * (down_seen % RING), 4);
		memcpy(message, memory + BUFFERS_AT + number * UMADRIG_HCA_DOWN_MAX,
		       sizeof(message));
		down_seen++;
		offer_down((uint16_t)number);
		take_down(message);
	}
}

static int64_t wake_programs(void)
{
	int64_t next = NEVER;

	for (unsigned int i = 0; i < program_count; i++) {
		struct program *program = &programs[i];

		if (!program->is_over && program->wakes <= now)
			finish(program, 0);
		if (!program->is_over && program->wakes < next)
			next = program->wakes;
	}
	return next;
}

/* ---- its life ---- */

/* An interrupt: it is served at this instant, and the guest wants to run at once. */
static void interrupted(void)
{
	struct vhost message;
	const struct {
		uint32_t request, flags, size, value[2];
	} answer = { 4, 5, 8, { 0, 0 } };

	get(call_fd, &message, 12);
	get(call_fd, message.payload, message.size);
	now = (int64_t)say(GET, 0);
	say(REQUEST, now);
	put(call_fd, &answer, sizeof(answer));
}

static void sleep_until(int64_t at)
{
	if (wrong == REQUEST_PAST && now > 1000)
		at = 5;
	say(REQUEST, at);
	say(WAIT, 0);
	if (wrong == WAIT_TWICE)
		say(WAIT, 0);
	for (;;) {
		struct pollfd ready[] = {
			{ .fd = time_fd, .events = POLLIN }, { .fd = call_fd, .events = POLLIN },
		};
		struct time_message message;

		poll(ready, call_fd > 0 ? 2 : 1, -1);
		if (ready[0].revents) {
			get(time_fd, &message, sizeof(message));
			acknowledge(&message);
			if (message.op != RUN)
				continue;
			now = (int64_t)message.time;
			return;
		}
		interrupted();
	}
}

static const char *argument(char **argv, const char *name)
{
	for (; *argv; argv++) {
		if (strncmp(*argv, name, strlen(name)) == 0)
			return *argv + strlen(name);
	}
	fprintf(stderr, "fake-guest: no %s\n", name);
	exit(8);
}

static void choose(const char *mode)
{
	if (strncmp(mode, "die:", 4) == 0)
		dies_at = atol(mode + 4);
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		if (strcmp(mode, wrongs[i]) == 0)
			wrong = (enum wrong)i;
	}
}

/* A guest that computes: it looks at the clock now and then, or never. */
static void misuse_time(void)
{
	if (wrong == SILENT)
		pause();
	while (wrong == BUSY)
		;
	if (wrong == TIME_OP)
		say(77, 0);
	while (wrong == SAME_INSTANT)
		sleep_until(now);
}

int main(int argc, char **argv)
{
	struct umadrig_hca_header ready = { .type = UMADRIG_HCA_READY };
	struct umadrig_hca_header init = { .type = UMADRIG_GUEST_READY };
	char *device;

	if (argc < 3)
		return 2;
	choose(argv[1]);
	time_fd = connect_to(argument(argv, "time-travel=ext:0:"));
	say(wrong == NOT_START ? WAIT : START, 0);
	say(GET_TOD, 0);
	misuse_time();
	sleep_until(1000000);
	device = strdup(argument(argv, "virtio_uml.device="));
	*strrchr(device, ':') = '\0';
	plug_in(device);
	up(&ready, "", 0);
	up(&init, "", 0);
	for (;;) {
		int64_t next;

		take_all_down();
		next = wake_programs();
		sleep_until(next < now + 4 * NS_PER_S ? next : now + 4 * NS_PER_S);
	}
}
