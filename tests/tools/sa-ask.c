/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * sa-ask [-g MS] <TABLE: sends requests to the SA, and prints what each answer says.
 *
 * A line of the table is a request:
 *
 *	NAME: METHOD ATTRIBUTE [WORD=VALUE]...
 *
 * All numbers are hexadecimal, except offsets. METHOD: get, set, table, multi, delete, or a number.
 * Words: mask (the ComponentMask), mod (the AttributeModifier), key (the SM_Key), version (of the
 * class, otherwise 2), rmpp (the flags of a message in segments), size (of the data, otherwise that
 * of one MAD). OFFSET=BYTES fills in the record from that byte on; "gid" and "lid" stand for those
 * of the port that asks. Empty lines and those with a # are left out.
 *
 * Prints a line for each: the status, or for an answer without error its AttributeOffset, the
 * number of its records, and the record if there is one alone, without zeros at its end.
 * After each request a second one, which every SA answers, is sent: what is not answered some time
 * (-g) after that will not be. Exit status 2: the SA does not answer at all, or a line is wrong.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "lib/base/wire.h"

enum {
	ATTR_CLASS_PORT_INFO = 1,
	METHOD_REPORT_RESP = 0x86,
	DATA_MAX = 1000,
	GRACE_MS = 300,
	SENTINEL_MS = 20000,
	TIMEOUT_MS = 60000,
	ANSWER_MAX = 64 << 10,
};

struct ask {
	umad_port_t port;
	int fd, agent;
	int grace_ms;
	uint32_t sent;			/* requests so far: the TID's lower half */
	uint8_t *umad;			/* umad_size() + ANSWER_MAX */
};

struct request {
	uint8_t mad[SA_DATA + DATA_MAX];
	unsigned int size;
};

/* ---- the table ---- */

static bool read_number(const char *text, guint64 max, guint64 *ret)
{
	g_autoptr(GError) error = NULL;

	return g_ascii_string_to_unsigned(text, 16, 0, max, ret, &error);
}

static bool put_bytes(struct request *request, unsigned int at, const char *hex)
{
	size_t size = strlen(hex) / 2;

	if (strlen(hex) % 2 || at + size > DATA_MAX)
		return false;
	for (size_t i = 0; i < size; i++) {
		const char *digits = hex + 2 * i;

		if (!g_ascii_isxdigit(digits[0]) || !g_ascii_isxdigit(digits[1]))
			return false;
		request->mad[SA_DATA + at + i] = (uint8_t)(g_ascii_xdigit_value(digits[0]) << 4 |
							   g_ascii_xdigit_value(digits[1]));
	}
	return true;
}

/* 'at' bytes from the beginning of the record. */
static bool put_field(const struct ask *ask, struct request *request, const char *at_text,
		      const char *value)
{
	uint8_t *data = request->mad + SA_DATA;
	guint64 at;

	if (!g_ascii_string_to_unsigned(at_text, 10, 0, DATA_MAX - 16, &at, NULL))
		return false;
	if (strcmp(value, "gid") == 0) {
		memcpy(data + at, &ask->port.gid_prefix, 8);	/* both as on the wire */
		memcpy(data + at + 8, &ask->port.port_guid, 8);
		return true;
	}
	if (strcmp(value, "lid") == 0) {
		put_be16(data + at, (uint16_t)ask->port.base_lid);
		return true;
	}
	return put_bytes(request, (unsigned int)at, value);
}

static bool put_word(const struct ask *ask, struct request *request, char *word)
{
	char *value = strchr(word, '=');
	uint8_t *mad = request->mad;
	guint64 number;

	if (!value)
		return false;
	*value++ = '\0';
	if (g_ascii_isdigit(*word))
		return put_field(ask, request, word, value);
	if (!read_number(value, UINT64_MAX, &number))
		return false;
	if (strcmp(word, "mask") == 0) {
		put_be64(mad + SA_COMP_MASK, number);
	} else if (strcmp(word, "mod") == 0) {
		put_be32(mad + MAD_ATTR_MOD, (uint32_t)number);
	} else if (strcmp(word, "key") == 0) {
		put_be64(mad + SA_SM_KEY, number);
	} else if (strcmp(word, "version") == 0) {
		mad[MAD_CLASS_VERSION] = (uint8_t)number;
	} else if (strcmp(word, "rmpp") == 0) {
		mad[RMPP_VERSION] = 1;
		mad[RMPP_TYPE] = RMPP_TYPE_DATA;
		mad[RMPP_FLAGS] = (uint8_t)number;
	} else if (strcmp(word, "size") == 0 && number <= DATA_MAX) {
		request->size = SA_DATA + (unsigned int)number;
	} else {
		return false;
	}
	return true;
}

static bool read_method(const char *word, uint8_t *ret)
{
	static const struct {
		const char *word;
		uint8_t method;
	} methods[] = {
		{ "get", MAD_METHOD_GET }, { "set", MAD_METHOD_SET }, { "table", 0x12 },
		{ "multi", 0x14 }, { "delete", 0x15 },
	};
	guint64 number;

	for (size_t i = 0; i < G_N_ELEMENTS(methods); i++) {
		if (strcmp(word, methods[i].word) == 0) {
			*ret = methods[i].method;
			return true;
		}
	}
	if (!read_number(word, UINT8_MAX, &number))
		return false;
	*ret = (uint8_t)number;
	return true;
}

/* 'words': METHOD ATTRIBUTE ... */
static bool read_request(const struct ask *ask, const char *text, struct request *request)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t\n", -1);
	unsigned int number = 0;
	guint64 attr_id;

	*request = (struct request){ .size = MAD_SIZE };
	request->mad[MAD_BASE_VERSION] = 1;
	request->mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	request->mad[MAD_CLASS_VERSION] = 2;
	for (unsigned int i = 0; words[i]; i++) {
		bool ok;

		if (!*words[i])
			continue;
		if (number == 0) {
			ok = read_method(words[i], &request->mad[MAD_METHOD]);
		} else if (number == 1) {
			ok = read_number(words[i], UINT16_MAX, &attr_id);
			put_be16(request->mad + MAD_ATTR_ID, ok ? (uint16_t)attr_id : 0);
		} else {
			ok = put_word(ask, request, words[i]);
		}
		if (!ok)
			return false;
		number++;
	}
	return number >= 2;
}

/* ---- sending and receiving ---- */

static int send_mad(struct ask *ask, const uint8_t *mad, unsigned int size)
{
	uint8_t *copy = umad_get_mad(ask->umad);

	memset(ask->umad, 0, umad_size());
	umad_set_addr(ask->umad, (int)ask->port.sm_lid, 1, (int)ask->port.sm_sl, (int)QKEY_GSI);
	memcpy(copy, mad, size);
	put_be32(copy + MAD_TID + 4, ++ask->sent);
	return umad_send(ask->fd, ask->agent, ask->umad, (int)size, TIMEOUT_MS, 0);
}

/*
 * Receives the next answer, to whatever. Its size, or 0: none has come. Requests that have timed
 * out are of long ago.
 */
static int receive(struct ask *ask, int timeout_ms)
{
	int size;

	do {
		size = ANSWER_MAX;
		if (umad_recv(ask->fd, ask->umad, &size, timeout_ms) < 0)
			return 0;
	} while (umad_status(ask->umad));
	return size;
}

static void print_bytes(const uint8_t *bytes, unsigned int size)
{
	while (size && !bytes[size - 1])
		size--;
	for (unsigned int i = 0; i < size; i++)
		printf("%02x", bytes[i]);
}

static void print_answer(const uint8_t *mad, unsigned int size)
{
	unsigned int record_size = get_be16(mad + SA_ATTR_OFFSET) * 8U;
	bool is_message = mad[RMPP_TYPE] == RMPP_TYPE_DATA;
	unsigned int count = is_message ? 0 : 1;

	if (get_be16(mad + MAD_STATUS)) {
		printf("status %04x", get_be16(mad + MAD_STATUS));
		return;
	}
	if (is_message && record_size)
		count = (size - SA_DATA) / record_size;
	printf("method %02x offset %u, records %u", mad[MAD_METHOD], record_size / 8, count);
	if (count == 1) {
		printf(" ");
		print_bytes(mad + SA_DATA, size - SA_DATA);
	}
}

static uint8_t *sentinel(uint8_t mad[MAD_SIZE])
{
	memset(mad, 0, MAD_SIZE);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = MAD_CLASS_SUBN_ADM;
	mad[MAD_CLASS_VERSION] = 2;
	mad[MAD_METHOD] = MAD_METHOD_GET;
	put_be16(mad + MAD_ATTR_ID, ATTR_CLASS_PORT_INFO);
	return mad;
}

/* False: the SA does not answer. */
static bool ask_one(struct ask *ask, const struct request *request)
{
	uint8_t mad[MAD_SIZE];
	uint32_t tid = ask->sent + 1;
	bool is_answered = false, is_there = false;

	if (send_mad(ask, request->mad, request->size) < 0) {
		printf("cannot be sent\n");
		return true;
	}
	if (send_mad(ask, sentinel(mad), MAD_SIZE) < 0)
		return false;
	while (!is_answered || !is_there) {
		int size = receive(ask, is_there ? ask->grace_ms : SENTINEL_MS);
		const uint8_t *got = umad_get_mad(ask->umad);

		if (!size)
			break;
		if (get_be32(got + MAD_TID + 4) == tid + 1) {
			is_there = true;
		} else if (get_be32(got + MAD_TID + 4) == tid && !is_answered) {
			print_answer(got, (unsigned int)size);
			is_answered = true;
		}
	}
	printf(is_answered ? "\n" : "no answer\n");
	return is_there;
}

static int ask_all(struct ask *ask)
{
	struct request request;
	char line[4096];

	while (fgets(line, sizeof(line), stdin)) {
		char *colon = strchr(line, ':');

		if (*line == '#' || *line == '\n')
			continue;
		if (!colon || !read_request(ask, colon + 1, &request)) {
			fprintf(stderr, "sa-ask: %s: not NAME: METHOD ATTRIBUTE [WORD=VALUE]...\n",
				g_strstrip(line));
			return 2;
		}
		*colon = '\0';
		printf("%s: ", line);
		if (!ask_one(ask, &request)) {
			fprintf(stderr, "sa-ask: no answer from the SA at LID %u\n",
				ask->port.sm_lid);
			return 2;
		}
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct ask ask = { .grace_ms = GRACE_MS };
	guint64 number;
	int ret = 2;

	if (argc == 3 && strcmp(argv[1], "-g") == 0 &&
	    g_ascii_string_to_unsigned(argv[2], 10, 1, SENTINEL_MS, &number, NULL)) {
		ask.grace_ms = (int)number;
	} else if (argc != 1) {
		fprintf(stderr, "usage: sa-ask [-g MS] <TABLE\n");
		return 2;
	}
	umad_init();
	if (umad_get_port(NULL, 0, &ask.port) < 0)
		return 2;
	ask.umad = umad_alloc(1, umad_size() + ANSWER_MAX);
	ask.fd = umad_open_port(ask.port.ca_name, ask.port.portnum);
	ask.agent = ask.fd < 0 ? -1 : umad_register(ask.fd, MAD_CLASS_SUBN_ADM, 2, 1, NULL);
	if (ask.umad && ask.agent >= 0)
		ret = ask_all(&ask);
	if (ask.fd >= 0)
		umad_close_port(ask.fd);
	umad_release_port(&ask.port);
	umad_free(ask.umad);
	umad_done();
	return ret;
}
