/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fake guest's programs: see tests/tools/fake-guest.h.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/fake-guest.h"

enum { PROGRAMS = 300, STEP_NS = 1000000 };

struct program {
	uint32_t number;
	char *word[8], *environment[200];
	int words;
	int64_t wakes;		/* NEVER: by a message only */
	int steps;		/* that it still has to make, a millisecond each */
	bool is_over, has_closed, waits_for_answer, hears;
};

static struct program programs[PROGRAMS];
static unsigned int program_count;
static char run[65536];
static size_t run_size;

static void say_of(const struct program *program, uint8_t type, uint32_t value, const char *text)
{
	struct umadrig_hca_header header = {
		.type = type, .sequence = htole32(program->number), .value = htole32(value),
	};

	if (fake_wrong == PROGRAM_NONE)
		header.sequence = htole32(1000);
	fake_up(&header, text, strlen(text));
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

void fake_give_programs(const struct umadrig_hca_header *header, const uint8_t *mad)
{
	char text[100];

	for (unsigned int i = 0; i < program_count; i++) {
		struct program *program = &programs[i];

		if (program->is_over || !program->waits_for_answer || !(mad[3] & 0x80))
			continue;
		snprintf(text, sizeof(text), "class 0x%02x method 0x%02x from %d at %lld\n", mad[1],
			 mad[3], le16toh(header->slid), (long long)fake_now);
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	}
}

void fake_give_heard(const char *line)
{
	for (unsigned int i = 0; i < program_count; i++) {
		if (programs[i].is_over || !programs[i].hears)
			continue;
		say_of(&programs[i], UMADRIG_GUEST_STDOUT, 0, line);
		finish(&programs[i], 0);
	}
}

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
	program->wakes = fake_now + NS_PER_S;
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
		program->wakes = fake_now + argument * NS_PER_S;
	} else if (strcmp(word, "echo") == 0) {
		snprintf(text, sizeof(text), "%s\n", program->words > 1 ? program->word[1] : "");
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	} else if (strcmp(word, "query") == 0) {
		program->waits_for_answer = true;
		fake_send_mad((uint16_t)argument, 3, 1, 7);
	} else if (strcmp(word, "ask") == 0 || strcmp(word, "call") == 0) {
		program->waits_for_answer = true;
		fake_send_mad((uint16_t)argument, word[0] == 'a' ? 4 : 0x32,
			      word[0] == 'a' ? 1 : 2, 7);
	} else if (strcmp(word, "send") == 0 && program->words == 4) {
		fake_send_datagram((uint16_t)argument, (uint32_t)atoi(program->word[2]),
				   (size_t)atoi(program->word[3]));
		finish(program, 0);
	} else if (strcmp(word, "hear") == 0) {
		program->hears = true;
	} else if (strcmp(word, "spill") == 0) {
		spill(program, argument);
	} else if (strcmp(word, "steps") == 0) {
		program->steps = argument;
		program->wakes = fake_now;
	} else if (strcmp(word, "log") == 0 || strcmp(word, "part") == 0) {
		print(program->words > 1 ? program->word[1] : "", word[0] == 'l' ? "\n" : "");
		finish(program, 0);
	} else if (strcmp(word, "panic") == 0) {
		print("Kernel_panic_-_not_syncing:_", "");
		print(program->words > 1 ? program->word[1] : "", "\n");
		_exit(6);
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
		snprintf(text, sizeof(text), "state %d lid %d sm_lid %d\n", fake_port.state,
			 le16toh(fake_port.lid), le16toh(fake_port.sm_lid));
		say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
		finish(program, 0);
	} else if (strcmp(word, "cat") != 0) {
		say_of(program, UMADRIG_GUEST_STDERR, 0, "not known\n");
		finish(program, 127 << 8);
	}
}

/* Directory, count, words, environment. */
void fake_take_run(const struct umadrig_hca_header *header, const uint8_t *payload, size_t size)
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

void fake_take_input(uint32_t number, const uint8_t *payload, size_t size)
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
	say_of(program, UMADRIG_GUEST_TAKEN,
	       fake_wrong == TAKEN_MORE ? 1U << 20 : (uint32_t)size, "");
	say_of(program, UMADRIG_GUEST_STDOUT, 0, text);
}

void fake_take_signal(uint32_t number, uint32_t signal)
{
	if (!programs[number - 1].is_over)
		finish(&programs[number - 1], signal);
}

static void wake(struct program *program)
{
	if (program->steps == 0) {
		finish(program, 0);
		return;
	}
	program->steps--;
	program->wakes = fake_now + STEP_NS;
	say_of(program, UMADRIG_GUEST_STDOUT, 0, "step\n");
}

bool fake_steps(void)
{
	for (unsigned int i = 0; i < program_count; i++) {
		if (!programs[i].is_over && programs[i].steps > 0)
			return true;
	}
	return false;
}

int64_t fake_wake_programs(void)
{
	int64_t next = NEVER;

	for (unsigned int i = 0; i < program_count; i++) {
		struct program *program = &programs[i];

		if (!program->is_over && program->wakes <= fake_now)
			wake(program);
		if (!program->is_over && program->wakes < next)
			next = program->wakes;
	}
	return next;
}
