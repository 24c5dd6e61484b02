/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The parts of lockstep-foreign that are about what several processes share: memory, files and
 * their locks, semaphores and queues.
 */
#include "tests/tools/lockstep-foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Across processes, by a word in shared memory; and a FIFO. */
void part_shared(void)
{
	struct {
		pthread_mutex_t mutex;
		pthread_cond_t condition;
		int is_set;
	} *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t mutex_attr;
	pthread_condattr_t condition_attr;
	char name[] = "fifo";
	int fd;
	pid_t pid;

	pthread_mutexattr_init(&mutex_attr);
	pthread_mutexattr_setpshared(&mutex_attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &mutex_attr);
	pthread_condattr_init(&condition_attr);
	pthread_condattr_setpshared(&condition_attr, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared->condition, &condition_attr);
	pid = fork();
	if (pid == 0) {
		pause_us(4000000);
		pthread_mutex_lock(&shared->mutex);
		shared->is_set = 1;
		pthread_cond_signal(&shared->condition);
		pthread_mutex_unlock(&shared->mutex);
		_exit(0);
	}
	pthread_mutex_lock(&shared->mutex);
	while (!shared->is_set)
		pthread_cond_wait(&shared->condition, &shared->mutex);
	pthread_mutex_unlock(&shared->mutex);
	say("shared", shared->is_set);
	waitpid(pid, NULL, 0);
	unlink(name);
	if (mkfifo(name, 0600) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		pause_us(6000000);
		fd = open(name, O_WRONLY);
		_exit(write(fd, "x", 1) != 1);
	}
	fd = open(name, O_RDONLY);
	say("fifo", read(fd, name, 1));
	waitpid(pid, NULL, 0);
	unlink("fifo");
}

/* Ns from the session's start to a file's time. */
static void say_time(const char *what, const struct stat *st)
{
	say(what, (st->st_mtim.tv_sec - 1700000000) * 1000000000 + st->st_mtim.tv_nsec);
}

static void say_file(const char *what, const char *path)
{
	struct stat st = { .st_mode = 0 };

	if (lstat(path, &st) < 0)
		say(what, -errno);
	else
		say_time(what, &st);
}

/* Times of files: what is made, written, cut off, and set, after a second each. */
void part_files(void)
{
	const struct timespec times[2] = { { 1, 0 }, { 1600000000, 5 } };
	struct stat st;
	int fd, end;

	unlink("a-file");
	unlink("a-link");
	rmdir("a-directory");
	fd = open("a-file", O_RDWR | O_CREAT, 0600);
	say_file("made", "a-file");
	pause_us(1000000);
	close(open("a-file", O_RDWR | O_CREAT, 0600));
	say_file("opened", "a-file");
	say("written", write(fd, "abc", 3));
	say_file("then", "a-file");
	pause_us(1000000);
	say("written in place", pwrite(fd, "abc", 3, 7));
	say("looked at", fstat(fd, &st));
	say_time("then", &st);
	pause_us(1000000);
	say("cut off", ftruncate(fd, 1));
	say_file("then", "a-file");
	pause_us(1000000);
	say("cut off by name", truncate("a-file", 2));
	say_file("then", "a-file");
	pause_us(1000000);
	end = open("a-file", O_RDONLY | O_TRUNC);
	say("emptied", fstatat(AT_FDCWD, "a-file", &st, 0));
	say_time("then", &st);
	say("not written", write(end, "x", 1) < 0 ? errno : 0);
	close(end);
	say_file("then", "a-file");
	pause_us(1000000);
	say("set", futimens(fd, times));
	say_file("then", "a-file");
	pause_us(1000000);
	say("a directory", mkdir("a-directory", 0700));
	say_file("then", "a-directory");
	pause_us(1000000);
	say("not again", mkdir("a-directory", 0700) < 0 ? errno : 0);
	say_file("then", "a-directory");
	say("a link", symlink("a-file", "a-link"));
	say_file("then", "a-link");
	say("what it leads to", stat("a-link", &st));
	say_time("then", &st);
	say_file("none", "no-file");
	say("by descriptor", fstatat(fd, "", &st, AT_EMPTY_PATH));
	say_time("then", &st);
	close(fd);
	unlink("a-file");
	unlink("a-link");
	rmdir("a-directory");
}

static struct flock lock_of(short type, off_t start, off_t size)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET, .l_start = start,
			       .l_len = size };
}

/* A child that has locked what 'lock' says, for a time. */
static pid_t lock_in_child(const char *path, int command, struct flock lock, long us)
{
	int ready[2];
	char c = 'x';
	pid_t pid;

	if (pipe(ready) < 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		int fd = open(path, O_RDWR);

		if (fcntl(fd, command, &lock) < 0 || write(ready[1], &c, 1) != 1)
			_exit(1);
		pause_us(us);
		_exit(0);
	}
	if (read(ready[0], &c, 1) != 1)
		exit(1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

void part_locks(void)
{
	struct flock all = lock_of(F_WRLCK, 0, 0), head = lock_of(F_WRLCK, 0, 10);
	struct flock shared = lock_of(F_RDLCK, 0, 20), tail = lock_of(F_WRLCK, 10, 10);
	int fd = open("a-lock", O_RDWR | O_CREAT, 0600), status;
	pid_t pid;

	pid = lock_in_child("a-lock", F_SETLK, head, 2000000);
	say("beside it", fcntl(fd, F_SETLKW, &tail));
	say("waited", fcntl(fd, F_SETLKW, &head));
	waitpid(pid, &status, 0);
	say("status", status);
	say("shared", fcntl(fd, F_SETLKW, &shared));
	pid = lock_in_child("a-lock", F_SETLK, shared, 3000000);
	say("both read", fcntl(fd, F_SETLKW, &shared));
	say("and then one writes", fcntl(fd, F_SETLKW, &all));
	waitpid(pid, &status, 0);
	all.l_type = F_UNLCK;
	say("let go", fcntl(fd, F_SETLKW, &all));
	all.l_type = F_WRLCK;
	pid = lock_in_child("a-lock", F_OFD_SETLK, all, 500000);
	say("an open file's", fcntl(fd, F_OFD_SETLKW, &all));
	waitpid(pid, &status, 0);
	handle(SIGALRM, 0);
	all.l_type = F_UNLCK;
	fcntl(fd, F_OFD_SETLK, &all);
	all.l_type = F_WRLCK;
	pid = lock_in_child("a-lock", F_SETLK, all, 9000000);
	alarm(4);
	say("interrupted", fcntl(fd, F_SETLKW, &all) < 0 && errno == EINTR);
	waitpid(pid, &status, 0);
	close(fd);
	unlink("a-lock");
}

struct message {
	long type;
	char text[16];
};

void part_semaphores(void)
{
	int set = semget(IPC_PRIVATE, 2, 0600);
	struct sembuf take = { 0, -1, 0 }, give = { 0, 2, 0 }, zero = { 0, 0, 0 };
	struct sembuf never = { 0, -1, IPC_NOWAIT };
	struct sembuf both[2] = { { 0, -1, 0 }, { 1, -1, IPC_NOWAIT } };
	struct timespec second = { 1, 0 };
	int status;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		pause_us(3000000);
		semop(set, &give, 1);
		pause_us(1000000);
		take.sem_flg = SEM_UNDO;
		semop(set, &take, 1);
		pause_us(1000000);
		_exit(0);
	}
	say("not at once", semop(set, &never, 1) < 0 ? errno : 0);
	say("in a second", semtimedop(set, &take, 1, &second) < 0 ? errno : 0);
	say("nor with another, that may not wait", semop(set, both, 2) < 0 ? errno : 0);
	say("taken", semop(set, &take, 1));
	say("none left", semop(set, &zero, 1));
	say("undone", semop(set, &take, 1));
	waitpid(pid, &status, 0);
	pid = fork();
	if (pid == 0) {
		pause_us(2000000);
		_exit(semctl(set, 0, IPC_RMID) < 0);
	}
	say("removed", semop(set, &take, 1) < 0 ? errno : 0);
	waitpid(pid, &status, 0);
	say("status", status);
}

void part_queues(void)
{
	int queue = msgget(IPC_PRIVATE, 0600), n = 0, status;
	struct mq_attr attr = { .mq_maxmsg = 2, .mq_msgsize = 16 };
	struct message message = { 3, "hello" };
	struct timespec until = { 1700000100, 0 };
	unsigned int priority = 0;
	char text[16] = "";
	pid_t pid;
	mqd_t mq;

	pid = fork();
	if (pid == 0) {
		pause_us(2000000);
		msgsnd(queue, &message, 6, 0);
		pause_us(2000000);
		for (int i = 0; i < 20000; i++)
			n += (int)msgrcv(queue, &message, sizeof(message.text), 5, 0) == 16;
		say("read", n);
		_exit(0);
	}
	say("none of it",
	    msgrcv(queue, &message, sizeof(message.text), 0, IPC_NOWAIT) < 0 ? errno : 0);
	say("room for a gigabyte", msgrcv(queue, &message, (size_t)1 << 30, 3, 0));
	say("less than none", msgrcv(queue, &message, (size_t)-1, 3, 0) < 0 ? errno : 0);
	say("type", message.type);
	message.type = 5;
	for (int i = 0; i < 20000; i++)
		n += msgsnd(queue, &message, sizeof(message.text), 0) == 0;
	say("sent", n);
	waitpid(pid, &status, 0);
	msgctl(queue, IPC_RMID, NULL);
	snprintf(text, sizeof(text), "/umad%d", getpid());
	mq_unlink(text);
	mq = mq_open(text, O_RDWR | O_CREAT, 0600, &attr);
	mq_unlink(text);
	if (mq == (mqd_t)-1 && (errno == ENOSYS || errno == EACCES)) {
		say("no queues here", 0);
		return;
	}
	pid = fork();
	if (pid == 0) {
		pause_us(1000000);
		mq_send(mq, "one", 3, 1);
		pause_us(1000000);
		mq_send(mq, "four", 4, 4);
		mq_send(mq, "two", 3, 2);
		mq_send(mq, "three", 5, 3);
		say("all sent", 0);
		_exit(0);
	}
	say("mq", mq_receive(mq, text, sizeof(text), &priority));
	say("priority", priority);
	pause_us(3000000);
	for (int i = 0; i < 3; i++) {
		say("mq", mq_receive(mq, text, sizeof(text), &priority));
		say("priority", priority);
	}
	waitpid(pid, &status, 0);
	say("in vain", mq_timedreceive(mq, text, (size_t)1 << 30, NULL, &until) < 0 ? errno : 0);
	mq_close(mq);
}
