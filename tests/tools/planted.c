/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * planted: a program under test for "umadrig explore", with a mistake that only some seeds show. It
 * opens the fabric first.
 *
 * 	planted race	two threads add to a number, and let go of its lock in between: 3 if one
 * 			addition is lost
 * 	planted death	the same; then it is killed by SIGSEGV
 */
#include <infiniband/umad.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv)
{
	pthread_t one, other;

	if (argc != 2 || umad_init() < 0 || umad_open_port(NULL, 1) < 0)
		return 2;
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
