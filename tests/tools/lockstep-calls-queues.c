/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* System V's semaphores and message queues. */
#include <errno.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/lockstep-calls.h"

struct message {
	long type;
	char text[8];
};

static bool ends_well(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && status == 0;
}

/* A child gives one after 3 s; a semaphore that is removed lets those go that wait. */
bool row_semop(void)
{
	int set = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf take = { 0, -1, 0 }, give = { 0, 1, 0 };
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		sleep(3);
		if (semop(set, &give, 1) < 0)
			_exit(1);
		sleep(2);
		_exit(semctl(set, 0, IPC_RMID) < 0);
	}
	return semop(set, &take, 1) == 0 && passed(from, 3 * S) &&
	       semop(set, &take, 1) == -1 && errno == EIDRM && passed(from, 5 * S) &&
	       ends_well(pid);
}

bool row_semtimedop(void)
{
	int set = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf take = { 0, -1, 0 };
	const struct timespec wait = { 7, 5 }, wrong = { 0, -1 };
	int64_t from = now();

	return semtimedop(set, &take, 1, &wrong) == -1 && errno == EINVAL &&
	       semtimedop(set, &take, 1, &wait) == -1 && errno == EAGAIN &&
	       passed(from, 7 * S + 5) && semctl(set, 0, IPC_RMID) == 0;
}

/* The end of a page with nothing behind it. */
static char *edge(void)
{
	long size = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * (size_t)size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return pages == MAP_FAILED || munmap(pages + size, (size_t)size) < 0 ? NULL : pages + size;
}

/* Addresses where nothing is are errors, as the kernel's are. */
bool row_semop_fault(void)
{
	int set = semget(IPC_PRIVATE, 1, 0600);
	struct sembuf give = { 0, 1, 0 };
	char *behind = edge();
	struct sembuf *halfway = (struct sembuf *)(void *)(behind - sizeof(give));

	if (!behind)
		return false;
	*halfway = give;
	return semop(set, (struct sembuf *)(void *)behind, 1) == -1 && errno == EFAULT &&
	       semop(set, halfway, 2) == -1 && errno == EFAULT &&
	       semtimedop(set, &give, 1, (struct timespec *)(void *)(behind - 8)) == -1 &&
	       errno == EFAULT && semctl(set, 0, GETVAL) == 0 && semop(set, halfway, 1) == 0 &&
	       semctl(set, 0, GETVAL) == 1 && semctl(set, 0, IPC_RMID) == 0;
}

/* The queue is full until a child reads, after 4 s. */
bool row_msgsnd(void)
{
	int queue = msgget(IPC_PRIVATE, 0600);
	struct message message = { .type = 1 };
	int64_t from = now();
	pid_t pid;

	while (msgsnd(queue, &message, sizeof(message.text), IPC_NOWAIT) == 0)
		;
	if (errno != EAGAIN)
		return false;
	pid = fork();
	if (pid == 0) {
		sleep(4);
		_exit(msgrcv(queue, &message, sizeof(message.text), 0, 0) < 0);
	}
	return msgsnd(queue, &message, sizeof(message.text), 0) == 0 && passed(from, 4 * S) &&
	       ends_well(pid) && msgctl(queue, IPC_RMID, NULL) == 0;
}

bool row_msgrcv(void)
{
	int queue = msgget(IPC_PRIVATE, 0600);
	struct message message = { 5, "five" }, got = { .type = 0 };
	int64_t from = now();
	pid_t pid = fork();

	if (pid == 0) {
		sleep(2);
		if (msgsnd(queue, &message, sizeof(message.text), 0) < 0)
			_exit(1);
		sleep(1);
		message.type = 6;
		_exit(msgsnd(queue, &message, sizeof(message.text), 0) < 0);
	}
	if (msgrcv(queue, &got, sizeof(got.text), 6, IPC_NOWAIT) != -1 || errno != ENOMSG)
		return false;
	return msgrcv(queue, &got, sizeof(got.text), 6, 0) == sizeof(got.text) &&
	       passed(from, 3 * S) && got.type == 6 && ends_well(pid) &&
	       msgctl(queue, IPC_RMID, NULL) == 0;
}
