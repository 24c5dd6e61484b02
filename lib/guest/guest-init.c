/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * umadrig-guest-init: the first process of a guest (User-mode Linux with umadrig_hca). It mounts
 * file systems, and does what the fabric wants: runs programs, gives them their input, tells their
 * output and their end, has device files open for others, and switches the guest off. Not for
 * people: the kernel starts it.
 *
 * umadrig_write=DIR on the kernel's command line: where the host's files may be changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/guest/device-file.h"
#include "lib/guest/guest-channel.h"
#include "lib/guest/guest-mounts.h"
#include "lib/guest/guest-order.h"
#include "lib/guest/guest-program.h"

#define CHANNEL "/dev/umadrig_guest"

enum {
	PROGRAMS_MAX = 256,
	PER_PROGRAM = 3,	/* pipes */
	FIXED = 2,		/* the channel, ends of children */
};

static int channel = -1, children = -1;
static struct guest_program *programs;	/* the oldest first */
static unsigned int count;
static struct guest_order order;
static struct device_file *files;	/* the newest first */
static unsigned int file_count;

static void say(const char *text)
{
	if (channel >= 0)
		guest_channel_send(channel, UMADRIG_GUEST_MESSAGE, 0, 0, text, strlen(text));
	else
		fprintf(stderr, "umadrig-guest-init: %s\n", text);
}

static void power_off(void) __attribute__((noreturn));

static void power_off(void)
{
	kill(-1, SIGKILL);
	if (channel >= 0)
		guest_channel_send(channel, UMADRIG_GUEST_POWERING_OFF, 0, 0, NULL, 0);
	sync();
	reboot(RB_POWER_OFF);
	_exit(1);
}

/* ---- programs ---- */

static struct guest_program *find(uint32_t number)
{
	struct guest_program *program = programs;

	while (program && (program->number != number || program->pid == 0))
		program = program->next;
	return program;
}

static void forget_over(void)
{
	struct guest_program **place = &programs;

	while (*place) {
		struct guest_program *program = *place;

		if (!guest_program_is_over(program)) {
			place = &program->next;
			continue;
		}
		*place = program->next;
		guest_program_free(program);
		count--;
	}
}

static void start(const struct guest_message *message)
{
	struct guest_program *program = NULL, **place = &programs;
	int ret = guest_order_add(&order, message);

	if (ret == 0 && !order.is_whole)
		return;
	if (ret == 0 && find(order.program))
		ret = -EEXIST;
	if (ret == 0 && count >= PROGRAMS_MAX)
		ret = -EAGAIN;
	if (ret == 0)
		program = guest_program_start(&order, channel);
	else
		guest_channel_send(channel, UMADRIG_GUEST_STARTED, message->program, (uint32_t)-ret,
				   NULL, 0);
	guest_order_clear(&order);
	if (!program)
		return;
	while (*place)
		place = &(*place)->next;
	*place = program;
	count++;
}

static void reap(void)
{
	struct signalfd_siginfo info;
	struct guest_program *program;
	int status;
	pid_t pid;

	/* Several ends may be one signal. */
	if (read(children, &info, sizeof(info)) < 0 && errno != EAGAIN)
		return;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		for (program = programs; program && program->pid != pid;)
			program = program->next;
		if (program)
			guest_program_end(program, status, channel);
	}
}

/* ---- files ---- */

static void open_file(const struct guest_message *message)
{
	struct device_file *file;

	if (file_count >= DEVICE_FILES_MAX) {
		device_file_answer_none(message->program, EMFILE, channel);
		return;
	}
	file = device_file_open(message, channel);
	if (!file)
		return;
	file->next = files;
	files = file;
	file_count++;
}

static void close_file(struct device_file **place)
{
	struct device_file *file = *place;
	uint32_t number = file->number;

	*place = file->next;
	device_file_free(file);
	file_count--;
	device_file_answer_none(number, 0, channel);
}

static void act_on_file(const struct guest_message *message)
{
	struct device_file **place = &files;

	while (*place && (*place)->number != message->program)
		place = &(*place)->next;
	if (message->type == UMADRIG_GUEST_FILE_OPEN && !*place)
		open_file(message);
	else if (!*place)
		device_file_answer_none(message->program, EBADF, channel);
	else if (message->type == UMADRIG_GUEST_FILE_CLOSE)
		close_file(place);
	else
		device_file_act(*place, message, channel);
}

/* ---- messages ---- */

static void act(const struct guest_message *message)
{
	struct guest_program *program = find(message->program);

	switch (message->type) {
	case UMADRIG_GUEST_RUN:
		start(message);
		break;
	case UMADRIG_GUEST_STDIN:
		if (program)
			guest_program_input(program, message->content, message->size, channel);
		break;
	case UMADRIG_GUEST_SIGNAL:
		if (program)
			kill(-program->pid, (int)message->value);
		break;
	case UMADRIG_GUEST_POWER_OFF:
		power_off();
	case UMADRIG_GUEST_FILE_OPEN:
	case UMADRIG_GUEST_FILE_IOCTL:
	case UMADRIG_GUEST_FILE_WRITE:
	case UMADRIG_GUEST_FILE_READ:
	case UMADRIG_GUEST_FILE_CLOSE:
		act_on_file(message);
	}
}

/* All that is there: what the fabric has sent at one instant. */
static void listen_to_fabric(void)
{
	uint8_t bytes[UMADRIG_HCA_DOWN_MAX];
	struct guest_message message;
	ssize_t size;

	while ((size = read(channel, bytes, sizeof(bytes))) > 0) {
		if (guest_message_parse(&message, bytes, (size_t)size) == 0)
			act(&message);
		else
			say("a message of the fabric is malformed");
	}
	if (size == 0 || (errno != EAGAIN && errno != EINTR))
		power_off();
}

/* ---- the loop ---- */

static nfds_t fill(struct pollfd *fds)
{
	nfds_t used = FIXED;

	fds[0] = (struct pollfd){ .fd = channel, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = children, .events = POLLIN };
	for (const struct guest_program *program = programs; program; program = program->next) {
		bool waits = program->waiting_size > 0;

		fds[used++] = (struct pollfd){ .fd = program->output, .events = POLLIN };
		fds[used++] = (struct pollfd){ .fd = program->errors, .events = POLLIN };
		fds[used++] = (struct pollfd){ .fd = waits ? program->input : -1,
					       .events = POLLOUT };
	}
	for (const struct device_file *file = files; file; file = file->next) {
		/* What has been said is not waited for, until the next call on it. */
		short awaited = (short)(POLLIN & ~file->said);

		fds[used++] = (struct pollfd){ .fd = file->said & POLLERR ? -1 : file->fd,
					       .events = awaited };
	}
	return used;
}

static void serve(const struct pollfd *fds)
{
	const struct pollfd *at = fds + FIXED;

	for (struct guest_program *program = programs; program; program = program->next) {
		if (at[0].revents)
			guest_program_output(program, &program->output, channel);
		if (at[1].revents)
			guest_program_output(program, &program->errors, channel);
		if (at[2].revents)
			guest_program_pump(program, channel);
		at += PER_PROGRAM;
	}
	for (struct device_file *file = files; file; file = file->next) {
		device_file_ready(file, at->revents, channel);
		at++;
	}
	if (fds[1].revents)
		reap();
	forget_over();
	/* Last, as it adds programs. */
	if (fds[0].revents)
		listen_to_fabric();
}

static void watch_children(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int main(void)
{
	static struct pollfd fds[FIXED + PROGRAMS_MAX * PER_PROGRAM + DEVICE_FILES_MAX];

	if (getpid() != 1) {
		fprintf(stderr, "umadrig-guest-init: it is the first process of a guest, which "
			"'umadrig exec --kernel uml:RELEASE' starts\n");
		return 2;
	}
	guest_mounts_make(getenv("umadrig_write"), say);
	channel = open(CHANNEL, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	watch_children();
	if (channel < 0 || children < 0) {
		fprintf(stderr, "umadrig-guest-init: " CHANNEL ": %s: this kernel is none of "
			"'umadrig kernel build --uml', or of another umadrig: build it again\n",
			strerror(errno));
		power_off();
	}
	guest_channel_send(channel, UMADRIG_GUEST_READY, 0, 0, NULL, 0);
	for (;;) {
		nfds_t used = fill(fds);

		if (poll(fds, used, -1) > 0)
			serve(fds);
	}
}
