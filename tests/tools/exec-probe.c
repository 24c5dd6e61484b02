/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * exec-probe: a minimal program under test for "umadrig exec".
 *
 * 	exec-probe open			opens port 1 of the first device, prints its name and LID
 * 	exec-probe nothing		makes no MAD call
 * 	exec-probe status N		opens, and ends with status N
 * 	exec-probe signal N		opens, and is killed by signal N
 * 	exec-probe wait FIFO		opens, writes its process id to FIFO, awaits SIGTERM: 33
 * 	exec-probe hold			opens twice, reads its input, prints a receive's result
 * 	exec-probe enter HOST		opens, and opens that of HOST as well
 * 	exec-probe gone FIFO		opens, writes "open" to FIFO, prints how a receive ends
 * 	exec-probe load LIBRARY		prints the names of the devices that this libibumad has
 * 	exec-probe init			starts libibumad, and does not look at devices
 * 	exec-probe nap SECONDS		sleeps for exactly that, as sleep(1) may not
 * 	exec-probe then COMMAND...	opens, and runs COMMAND in a child; ends with its status
 * 	exec-probe job COMMAND...	opens nothing, and runs COMMAND as a shell with job control
 *					does: in a process group of its own, with signals of a
 *					terminal that are not ignored
 */
#include <dlfcn.h>
#include <infiniband/umad.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_fabric(void)
{
	umad_port_t port;

	if (umad_init() < 0 || umad_get_port(NULL, 1, &port) < 0)
		return -1;
	printf("%s lid %u\n", port.ca_name, port.base_lid);
	fflush(stdout);
	umad_release_port(&port);
	return umad_open_port(NULL, 1) < 0 ? -1 : 0;
}

static int wait_for_term(const char *fifo)
{
	FILE *file;
	sigset_t set;
	int sig;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	file = fopen(fifo, "w");
	if (!file)
		return 1;
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	return sigwait(&set, &sig) == 0 ? 33 : 1;
}

/* The state of the handle after the other end has closed our input. */
static int hold(void)
{
	union {
		char bytes[512];
		struct ib_user_mad umad;
	} room;
	int length = 256, fd = umad_open_port(NULL, 1), ret;

	puts("open");
	fflush(stdout);
	while (getchar() != EOF)
		;
	ret = umad_recv(fd, &room, &length, 0);
	printf("receive: %s\n", ret < 0 ? strerror(-ret) : "a MAD");
	return 0;
}

static int wait_for_end(const char *fifo)
{
	int fd = umad_open_port(NULL, 1);
	FILE *file = fopen(fifo, "w");
	char umad[512];
	int length = 256, ret;

	if (fd < 0 || !file)
		return 1;
	fprintf(file, "open\n");
	fclose(file);
	ret = umad_recv(fd, umad, &length, -1);
	printf("gone: %d\n", ret);
	return ret == -5 ? 0 : 1;
}

static int load(const char *path)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int (*get_names)(char (*names)[UMAD_CA_NAME_LEN], int max);
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int count;

	if (!library) {
		fprintf(stderr, "exec-probe: %s\n", dlerror());
		return 1;
	}
	*(void **)&get_names = dlsym(library, "umad_get_cas_names");
	count = get_names ? get_names(names, UMAD_MAX_DEVICES) : -1;
	for (int i = 0; i < count; i++)
		puts(names[i]);
	return count > 0 ? 0 : 3;
}

static int run_then(char **argv)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What "set -m" would do, which not every shell does without a terminal. */
static int run_job(char **argv)
{
	static const int of_terminal[] = { SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP };

	for (size_t i = 0; i < sizeof(of_terminal) / sizeof(of_terminal[0]); i++)
		signal(of_terminal[i], SIG_DFL);
	setpgid(0, 0);
	execvp(argv[0], argv);
	return 127;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (strcmp(verb, "nothing") == 0)
		return 0;
	if (strcmp(verb, "init") == 0)
		return umad_init() < 0;
	if (strcmp(verb, "load") == 0 && argc > 2)
		return load(argv[2]);
	if (strcmp(verb, "nap") == 0 && argc > 2)
		return (int)sleep((unsigned int)atoi(argv[2]));
	if (strcmp(verb, "job") == 0 && argc > 2)
		return run_job(argv + 2);
	if (open_fabric() < 0) {
		fprintf(stderr, "exec-probe: no fabric\n");
		return 1;
	}
	if (strcmp(verb, "open") == 0)
		return 0;
	if (strcmp(verb, "hold") == 0)
		return hold();
	if (argc < 3)
		return 2;
	if (strcmp(verb, "status") == 0)
		return atoi(argv[2]);
	if (strcmp(verb, "signal") == 0)
		return raise(atoi(argv[2]));
	if (strcmp(verb, "enter") == 0)
		return umad_host_enter(argv[2]) < 0 || open_fabric() < 0;
	if (strcmp(verb, "gone") == 0)
		return wait_for_end(argv[2]);
	if (strcmp(verb, "wait") == 0)
		return wait_for_term(argv[2]);
	if (strcmp(verb, "then") == 0)
		return run_then(argv + 2);
	return 2;
}
