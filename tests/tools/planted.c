/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * planted: a program under test for "umadrig explore", with a mistake that only some seeds show. It
 * opens the fabric first.
 *
 * 	planted race	two threads add to a number, and let go of its lock in between: 3 if one
 * 			addition is lost
 * 	planted death	the same; then it is killed by SIGSEGV
 * 	planted late N	one thread takes a lock N times, another one once: 3 if that is last
 * 	planted mid N	3 if that is in the middle
 * 	planted end null|abort|jump|child
 * 			an error of its own ends it, or a child of its, and then it ends with 1
 * 	planted leak	asks LID 2 for its NodeInfo, with an address of its own in bytes 76 to 83
 * 	planted tight	the same without
 * 	planted answer	asks twice, and another thread receives: 3 if it has an answer before
 * 			the second request is sent
 */
#include <infiniband/umad.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/words/number.h"

enum { LOST = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number;

static int read_number(void)
{
	int ret;

	pthread_mutex_lock(&lock);
	ret = number;
	pthread_mutex_unlock(&lock);
	return ret;
}

static void *add(void *unused)
{
	int seen = read_number();

	(void)unused;
	pthread_mutex_lock(&lock);
	number = seen + 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static uint64_t steps, order_of_other;

static void *take_steps(void *count)
{
	for (uint64_t left = *(const uint64_t *)count; left > 0; left--) {
		pthread_mutex_lock(&lock);
		steps++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *take_one(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	order_of_other = steps;
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* How many of the N steps came before the other thread's one. */
static uint64_t steps_before(uint64_t n)
{
	pthread_t other, many;

	pthread_create(&other, NULL, take_one, NULL);
	pthread_create(&many, NULL, take_steps, &n);
	pthread_join(other, NULL);
	pthread_join(many, NULL);
	return order_of_other;
}

/* ---- errors ---- */

static int compare(const void *a, const void *b)
{
	static int *volatile nothing;

	*nothing = a < b;
	return 0;
}

static void *give_up(void *unused)
{
	(void)unused;
	abort();
}

__attribute__((noinline)) static int jump(int (*volatile *to)(void))
{
	return (*to)() + 1;
}

__attribute__((noinline)) static int end_child(void)
{
	char two[2] = { 'a', 'b' };
	pid_t pid = fork();

	if (pid == 0)
		qsort(two, 2, 1, compare);
	return waitpid(pid, NULL, 0) == pid ? 1 : 2;
}

__attribute__((noinline)) static int end(const char *how)
{
	static int (*volatile nowhere)(void);
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction action;
	char two[2] = { 'a', 'b' };
	pthread_t thread;

	/* What others have put there is not seen, and stays where the usual action is set. */
	if (sigaction(SIGSEGV, NULL, &action) < 0 || action.sa_handler != SIG_DFL ||
	    action.sa_flags != 0 || sigaction(SIGSEGV, &usual, NULL) < 0)
		return 2;
	if (strcmp(how, "null") == 0)
		qsort(two, 2, 1, compare);
	else if (strcmp(how, "abort") == 0 &&
		 pthread_create(&thread, NULL, give_up, NULL) == 0)
		pthread_join(thread, NULL);
	else if (strcmp(how, "jump") == 0)
		return jump(&nowhere);
	return end_child();
}

/* ---- bytes ---- */

union umad {
	char bytes[512];
	struct ib_user_mad umad;
};

/* SubnGet(NodeInfo) to LID 2, of this TID. */
static union umad request(uint8_t tid)
{
	union umad ret = { .bytes = "" };
	uint8_t *mad = umad_get_mad(&ret);

	mad[0] = mad[1] = mad[2] = mad[3] = 1;	/* Get */
	mad[15] = tid;
	mad[17] = 0x11;
	umad_set_addr(&ret, 2, 0, 0, 0);
	return ret;
}

enum { MAD_SIZE = 256 };

static int ask(int port, const void *address)
{
	enum { AT = 64 + 12 };	/* NodeGUID */
	union umad room = request(0);
	int agent = umad_register(port, 0x01, 1, 0, NULL), size = MAD_SIZE;

	memcpy((uint8_t *)umad_get_mad(&room) + AT, &address, sizeof(address));
	if (agent < 0 || umad_send(port, agent, &room, MAD_SIZE, 1000, 0) < 0 ||
	    umad_recv(port, &room, &size, 2000) < 0)
		return 2;
	return umad_status(&room);
}

/* ---- what another thread receives ---- */

static void *receive_two(void *port)
{
	for (int i = 0; i < 2; i++) {
		union umad room;
		int size = MAD_SIZE;

		umad_recv(*(const int *)port, &room, &size, 2000);
		add(NULL);
	}
	return NULL;
}

static int ask_twice(int port)
{
	union umad one = request(1), other = request(2);
	int agent = umad_register(port, 0x01, 1, 0, NULL), received;
	pthread_t receiver;

	pthread_create(&receiver, NULL, receive_two, &port);
	if (agent < 0 || umad_send(port, agent, &one, MAD_SIZE, 1000, 0) < 0)
		return 2;
	read_number();		/* lets the other thread in, or not */
	received = read_number();
	if (umad_send(port, agent, &other, MAD_SIZE, 1000, 0) < 0)
		return 2;
	pthread_join(receiver, NULL);
	return received > 0 ? LOST : 0;
}

int main(int argc, char **argv)
{
	pthread_t one, other;
	uint64_t n;
	int port;

	if (argc < 2 || umad_init() < 0 || (port = umad_open_port(NULL, 1)) < 0)
		return 2;
	if (strcmp(argv[1], "leak") == 0)
		return ask(port, &argc);
	if (strcmp(argv[1], "tight") == 0)
		return ask(port, NULL);
	if (strcmp(argv[1], "answer") == 0)
		return ask_twice(port);
	if (argc == 3 && strcmp(argv[1], "end") == 0)
		return end(argv[2]);
	if (argc == 3 && number_parse(argv[2], 1, 1000000, &n) == 0)
		return steps_before(n) == (strcmp(argv[1], "mid") == 0 ? n / 2 : n) ? LOST : 0;
	pthread_create(&one, NULL, add, NULL);
	pthread_create(&other, NULL, add, NULL);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	printf("number %d\n", number);
	fflush(stdout);
	if (number != 2 && strcmp(argv[1], "death") == 0)
		raise(SIGSEGV);
	return number == 2 ? 0 : LOST;
}
