/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Programs that run in a guest: see sim/guests/guest-programs.h.
 */
#include "config.h"

#include "sim/guests/guest-programs.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/guests/guest-letter.h"
#include "sim/guests/guest-port.h"
#include "sim/guests/guest-set.h"
#include "sim/guests/guest.h"
#include "sim/time/clock.h"

enum { PAYLOAD_MAX = UMADRIG_HCA_DOWN_MAX - sizeof(struct umadrig_hca_header) };

static const struct guest_program_calls no_calls;

static void tell(struct guest_program *program, enum umadrig_hca_type type, uint32_t value,
		 uint8_t flags, const void *payload, size_t size)
{
	const struct umadrig_hca_header header = {
		.type = (uint8_t)type, .sequence = GUINT32_TO_LE(program->number),
		.value = GUINT32_TO_LE(value), .flags = flags,
	};

	guest_send(program->guest, &header, payload, size);
}

static void close_descriptor(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* What waits there is lost. */
static void close_stream(struct guest *guest, struct guest_program_stream *stream)
{
	close_descriptor(&stream->fd);
	guest->waiting -= stream->size;
	g_clear_pointer(&stream->waiting, g_free);
	stream->size = 0;
}

static void call(void (*function)(void *ctx), const struct guest_program *program)
{
	if (function)
		function(program->ctx);
}

/* ---- its beginning ---- */

static void append(GByteArray *words, const char *text)
{
	g_byte_array_append(words, (const guint8 *)text, (guint)strlen(text) + 1);
}

/* Directory, number of arguments, arguments, environment, each with its NUL. */
static GByteArray *words_of(const struct guest_program_start *start)
{
	GByteArray *words = g_byte_array_new();
	char count[16];

	append(words, start->directory);
	g_snprintf(count, sizeof(count), "%u", g_strv_length((char **)(uintptr_t)start->argv));
	append(words, count);
	for (const char *const *word = start->argv; *word; word++)
		append(words, *word);
	for (const char *const *word = start->environment; *word; word++)
		append(words, *word);
	return words;
}

static void send_words(struct guest_program *program)
{
	uint32_t value = program->input < 0 ? UMADRIG_GUEST_RUN_NO_STDIN : 0;
	size_t done = 0;

	while (done < program->words_size) {
		size_t part = MIN(program->words_size - done, (size_t)PAYLOAD_MAX);
		bool is_last = done + part == program->words_size;

		tell(program, UMADRIG_GUEST_RUN, is_last ? value : 0,
		     is_last ? 0 : UMADRIG_HCA_FLAG_MORE, program->words + done, part);
		done += part;
	}
	g_clear_pointer(&program->words, g_free);
}

static int duplicate(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static unsigned int running_in(const struct guest *guest)
{
	unsigned int running = 0;

	for (guint i = 0; i < guest->programs->len; i++) {
		const struct guest_program *program = g_ptr_array_index(guest->programs, i);

		running += !program->is_over;
	}
	return running;
}

int guest_program_start(struct guest *guest, const struct guest_program_start *start,
			struct guest_program **ret)
{
	GByteArray *words;
	struct guest_program *program;

	if (guest->state == GUEST_OFF)
		return -EHOSTDOWN;
	if (running_in(guest) >= GUEST_PROGRAMS_MAX)
		return -EAGAIN;
	words = words_of(start);
	if (words->len > UMADRIG_GUEST_RUN_MAX) {
		g_byte_array_unref(words);
		return -E2BIG;
	}
	program = g_new0(struct guest_program, 1);
	program->guest = guest;
	program->number = guest->programs->len + 1;
	program->name = g_path_get_basename(start->argv[0]);
	program->words_size = words->len;
	program->words = (char *)g_byte_array_free(words, false);
	program->window = UMADRIG_GUEST_WINDOW;
	program->calls = start->calls ? start->calls : &no_calls;
	program->ctx = start->ctx;
	program->input = start->input ? duplicate(start->input) : -1;
	program->output.fd = duplicate(start->output ? start->output : STDOUT_FILENO);
	program->errors.fd = duplicate(start->errors ? start->errors : STDERR_FILENO);
	g_ptr_array_add(guest->programs, program);
	guest_programs_begin(guest);
	*ret = program;
	return 0;
}

const char *guest_program_reason(int err)
{
	switch (err) {
	case -EHOSTDOWN:
		return "it has no power";
	case -E2BIG:
		return "the arguments and the environment are longer than a guest takes, which is "
		       "1 MB";
	case -EAGAIN:
		return "as many programs run there as a guest may have at once, which is 256";
	}
	return g_strerror(-err);
}


/* ---- its end ---- */

static void finish(struct guest_program *program, int status)
{
	if (program->is_over)
		return;
	program->is_over = true;
	program->status = status;
	close_descriptor(&program->input);
	call(program->calls->over, program);
}

void guest_program_forget(struct guest_program *program)
{
	program->calls = &no_calls;
}

void guest_programs_free(struct guest *guest)
{
	for (guint i = 0; i < guest->programs->len; i++) {
		struct guest_program *program = g_ptr_array_index(guest->programs, i);

		close_descriptor(&program->input);
		close_stream(guest, &program->output);
		close_stream(guest, &program->errors);
		call(program->calls->freed, program);
		g_free(program->words);
		g_free(program->name);
		g_free(program);
	}
	g_ptr_array_free(guest->programs, true);
}

/* ---- what it reads ---- */

static bool is_ready(int fd, short events)
{
	struct pollfd pollfd = { .fd = fd, .events = events };

	return poll(&pollfd, 1, 0) == 1;
}

/* A file is always there; of anything else, what has come by now. */
static bool has_input(const struct guest_program *program)
{
	return program->has_started && program->input >= 0 && program->window > 0 &&
	       is_ready(program->input, POLLIN);
}

static void feed(struct guest_program *program)
{
	while (has_input(program)) {
		uint8_t bytes[PAYLOAD_MAX];
		ssize_t got = read(program->input, bytes, MIN(sizeof(bytes), program->window));

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			return;
		if (got < 0)
			got = 0;
		tell(program, UMADRIG_GUEST_STDIN, 0, 0, bytes, (size_t)got);
		program->window -= (size_t)got;
		if (got == 0)
			close_descriptor(&program->input);
	}
}

/* ---- what it writes ---- */

/* Something can be read of its output, or that has ended; who started it may be gone by now. */
static void tell_readers(const struct guest_set *set)
{
	if (set->wrote)
		set->wrote(set->wrote_ctx);
}

/* Without the signal that a pipe brings which nobody reads: it is not we who write. */
static ssize_t write_quietly(int fd, const uint8_t *bytes, size_t size)
{
	sigset_t pipe, before;
	const struct timespec at_once = { 0, 0 };
	ssize_t put;
	int err;

	put = send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (put >= 0 || errno != ENOTSOCK)
		return put;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	put = write(fd, bytes, size);
	err = errno;
	if (put < 0 && err == EPIPE)
		sigtimedwait(&pipe, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = err;
	return put;
}

static bool has_room(const struct guest_program_stream *stream)
{
	return stream->size > 0 && is_ready(stream->fd, POLLOUT);
}

static void lose(const struct guest_program *program, struct guest_program_stream *stream,
		 const char *why)
{
	fprintf(stderr, "umadrig: what %s of %s writes is lost: %s\n", program->name,
		program->guest->host->name, why);
	close_stream(program->guest, stream);
}

/* As with a pipe of its own, which nobody reads any more. */
static void fail(struct guest_program *program, struct guest_program_stream *stream)
{
	if (errno != EPIPE) {
		lose(program, stream, g_strerror(errno));
		return;
	}
	close_stream(program->guest, stream);
	guest_program_signal(program, SIGPIPE);
}

/*
 * As much as goes without a wait: who reads it may be a program of the fabric's, which cannot run
 * before we are done. A pipe that poll(2) finds ready takes PIPE_BUF bytes.
 */
static void drain(struct guest_program *program, struct guest_program_stream *stream)
{
	size_t done = 0;

	while (done < stream->size && is_ready(stream->fd, POLLOUT)) {
		ssize_t put = write_quietly(stream->fd, stream->waiting + done,
					    MIN(stream->size - done, (size_t)PIPE_BUF));

		if (put >= 0) {
			done += (size_t)put;
		} else if (errno == EAGAIN) {
			break;
		} else if (errno != EINTR) {
			fail(program, stream);
			return;
		}
	}
	stream->size -= done;
	program->guest->waiting -= done;
	if (stream->size > 0)
		memmove(stream->waiting, stream->waiting + done, stream->size);
	else
		g_clear_pointer(&stream->waiting, g_free);
	if (stream->size == 0 && stream->ends)
		close_stream(program->guest, stream);
}

/* 'size' 0: nothing more will come. */
static void pass_on(struct guest_program *program, struct guest_program_stream *stream,
		    const uint8_t *bytes, size_t size)
{
	if (stream->fd < 0)
		return;
	if (size > GUEST_WAITING_MAX - program->guest->waiting) {
		lose(program, stream, "64 MB of its guest's output wait for readers");
	} else {
		stream->ends = size == 0;
		if (size > 0) {
			stream->waiting = g_realloc(stream->waiting, stream->size + size);
			memcpy(stream->waiting + stream->size, bytes, size);
		}
		stream->size += size;
		program->guest->waiting += size;
		drain(program, stream);
	}
	tell_readers(program->guest->set);
}

static bool can_write(const struct guest_program *program)
{
	return has_room(&program->output) || has_room(&program->errors);
}

static void write_on(struct guest_program *program)
{
	if (!can_write(program))
		return;
	drain(program, &program->output);
	drain(program, &program->errors);
	tell_readers(program->guest->set);
}

/* It has ended in a way after which nothing can come of it: who reads it finds the end. */
static void end_for_good(struct guest_program *program, int status)
{
	struct guest_program_stream *const streams[] = { &program->output, &program->errors };

	for (size_t i = 0; i < G_N_ELEMENTS(streams); i++) {
		if (streams[i]->fd < 0)
			continue;
		drain(program, streams[i]);
		close_stream(program->guest, streams[i]);
	}
	tell_readers(program->guest->set);
	finish(program, status);
}

static bool any(const struct guest *guest, bool (*is_so)(const struct guest_program *program))
{
	for (guint i = 0; i < guest->programs->len; i++) {
		if (is_so(g_ptr_array_index(guest->programs, i)))
			return true;
	}
	return false;
}

bool guest_programs_have_input(const struct guest *guest)
{
	return any(guest, has_input);
}

bool guest_programs_can_write(const struct guest *guest)
{
	return any(guest, can_write);
}

void guest_programs_pass(struct guest *guest, bool with_input)
{
	for (guint i = 0; i < guest->programs->len; i++) {
		struct guest_program *program = g_ptr_array_index(guest->programs, i);

		if (with_input)
			feed(program);
		write_on(program);
	}
}

/* ---- its end, from outside ---- */

/* One that has not begun, as its guest still boots, has set no handler. */
static void end_before_start(struct guest_program *program, int sig)
{
	if (sig == SIGCHLD || sig == SIGCONT || sig == SIGURG || sig == SIGWINCH)
		return;
	g_clear_pointer(&program->words, g_free);
	end_for_good(program, sig);
}

void guest_program_signal(struct guest_program *program, int sig)
{
	if (program->is_over)
		return;
	if (program->words)
		end_before_start(program, sig);
	else
		tell(program, UMADRIG_GUEST_SIGNAL, (uint32_t)sig, 0, NULL, 0);
}

void guest_programs_end(struct guest *guest)
{
	for (guint i = 0; i < guest->programs->len; i++)
		end_for_good(g_ptr_array_index(guest->programs, i), SIGKILL);
}

/* ---- messages ---- */

static void say_started(struct guest_program *program, uint32_t err)
{
	program->has_started = true;
	if (err == 0)
		return;
	program->err = (int)MIN(err, 4095U);
	fprintf(stderr, "umadrig: %s could not be started on %s: %s\n", program->name,
		program->guest->host->name, g_strerror(program->err));
	/* As a shell has it: 127, it is not there; 126, it cannot run. */
	end_for_good(program, (err == ENOENT ? 127 : 126) << 8);
}

static int take(struct guest_program *program, const struct umadrig_hca_header *header,
		const uint8_t *payload, size_t size)
{
	uint32_t value = GUINT32_FROM_LE(header->value);

	if (header->type == UMADRIG_GUEST_STARTED)
		say_started(program, value);
	else if (header->type == UMADRIG_GUEST_STDOUT)
		pass_on(program, &program->output, payload, size);
	else if (header->type == UMADRIG_GUEST_STDERR)
		pass_on(program, &program->errors, payload, size);
	else if (header->type == UMADRIG_GUEST_EXITED)
		finish(program, (int)(value & 0xffff));
	else if (header->type != UMADRIG_GUEST_TAKEN ||
		 value > UMADRIG_GUEST_WINDOW - program->window)
		return -EPROTO;
	else
		program->window += value;
	return 0;
}

/* Init speaks: on a terminal only what can be printed is. */
static void say_message(const struct guest *guest, const uint8_t *payload, size_t size)
{
	g_autofree char *text = g_strndup((const char *)payload, size);

	for (char *c = text; *c; c++)
		*c = g_ascii_isprint(*c) ? *c : '?';
	fprintf(stderr, "umadrig: the guest of %s: %s\n", guest->host->name, text);
}

/* Its devices come first: a program finds what it would find on a machine that is up. */
bool guest_is_up(const struct guest *guest)
{
	return guest->has_init && guest->driver.is_ready && !hca_driver_has_to_come(&guest->driver);
}

void guest_programs_begin(struct guest *guest)
{
	if (!guest_is_up(guest))
		return;
	guest_ports_look(&guest->driver);
	for (guint i = 0; i < guest->programs->len; i++) {
		struct guest_program *program = g_ptr_array_index(guest->programs, i);

		if (program->words && !program->is_over)
			send_words(program);
	}
}

int guest_program_up(struct guest *guest, const struct umadrig_hca_header *header,
		     const uint8_t *payload, size_t size)
{
	uint32_t number = GUINT32_FROM_LE(header->sequence);

	if (header->type == UMADRIG_GUEST_READY) {
		guest->has_init = true;
		guest_programs_begin(guest);
	} else if (header->type == UMADRIG_GUEST_MESSAGE) {
		say_message(guest, payload, size);
	} else if (header->type == UMADRIG_GUEST_POWERING_OFF) {
		guest->is_leaving = true;
	} else if (number < 1 || number > guest->programs->len) {
		return -EPROTO;
	} else {
		return take(g_ptr_array_index(guest->programs, number - 1), header, payload, size);
	}
	return 0;
}
