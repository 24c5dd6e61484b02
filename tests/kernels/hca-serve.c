/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * hca-serve: unmodified programs of a machine whose kernel has the HCAs of two hosts of "umadrig
 * serve --hca", and a server that is killed and started again. The first program of the machine of
 * check-hca-module, in which /bin has these programs, /lib what they need, and /fabric.net the
 * fabric (tests/data/two-switches.net). Prints lines of TAP on the console, and at last the plan.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/kernels/module-machine.h"

enum {
	PROGRAM_S = 120,	/* the longest that one may take: qemu translates */
	READY_MS = 120000,
	SEEN_MS = 60000,	/* until the kernel knows */
};

#define A "/sys/class/infiniband/sim0/ports/1/"
#define B "/sys/class/infiniband/umadrig0/ports/"

static char out[1 << 16];	/* of the last program */

/* ---- programs ---- */

static void read_out(void)
{
	int fd = open("/tmp/out", O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	ssize_t ret = 0;

	while (fd >= 0 && (ret = read(fd, out + size, sizeof(out) - 1 - size)) > 0)
		size += (size_t)ret;
	out[size] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Words with blanks between; its output goes to the file, and 'ready_fd' is its descriptor 3. */
static pid_t start(const char *line, const char *file, int ready_fd)
{
	pid_t child = fork();
	char *words[32] = { NULL }, text[512], *rest;
	size_t count = 0;
	int fd;

	if (child != 0)
		return child;
	snprintf(text, sizeof(text), "%s", line);
	for (char *word = strtok_r(text, " ", &rest); word && count < 31;
	     word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	if (ready_fd >= 0)
		dup2(ready_fd, 3);
	execvp(words[0], words);
	_exit(127);
}

/* Its status, or -1: it was ended by a signal; its output is in 'out'. */
static int run(const char *line)
{
	pid_t child = start(line, "/tmp/out", -1);
	int status = -1;

	bool is_over = false;

	for (int i = 0; i < PROGRAM_S * 100 && !is_over; i++) {
		is_over = waitpid(child, &status, WNOHANG) == child;
		if (!is_over)
			nap(10000);
	}
	if (!is_over) {
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	read_out();
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static unsigned int count(const char *part)
{
	unsigned int ret = 0;

	for (const char *at = out; (at = strstr(at, part)); at += strlen(part))
		ret++;
	return ret;
}

/* What was printed is shown where it is not what was to come. */
static void check_out(bool holds, const char *what)
{
	char *line, *rest;

	if (check(holds, "%s", what))
		return;
	for (line = strtok_r(out, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		printf("# %s\n", line);
}

static void check_run(const char *line, const char *part)
{
	int status = run(line);
	char what[600];

	snprintf(what, sizeof(what), "%s: '%s'", line, part);
	check_out(status == 0 && strstr(out, part), what);
}

/* ---- the server ---- */

static pid_t serve(const char *fabric)
{
	char line[256], byte;
	struct pollfd ready = { .events = POLLIN };
	int ends[2];
	pid_t server;

	if (pipe(ends) < 0)
		return -1;
	snprintf(line, sizeof(line), "umadrig serve --fabric %s --hca HostA,HostB "
		 "--socket /tmp/fabric --ready-fd 3", fabric);
	server = start(line, "/tmp/served", ends[1]);
	close(ends[1]);
	ready.fd = ends[0];
	if (poll(&ready, 1, READY_MS) != 1 || read(ends[0], &byte, 1) != 1) {
		kill(server, SIGKILL);
		waitpid(server, NULL, 0);
		server = -1;
	}
	close(ends[0]);
	return server;
}

static void check_server(pid_t server, const char *what)
{
	run("cat /tmp/served");
	check_out(server > 0 && strstr(out, "sim0 of HostA is sim0 here") &&
		  strstr(out, "sim0 of HostB is umadrig0 here"), what);
}

/* Waits until the file begins so. */
static bool becomes(const char *path, const char *text)
{
	char is[256] = "";

	for (int i = 0; i < SEEN_MS; i += 20) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		ssize_t size = fd < 0 ? -1 : read(fd, is, sizeof(is) - 1);

		if (fd >= 0)
			close(fd);
		is[size > 0 ? size : 0] = '\0';
		if (*text && strncmp(is, text, strlen(text)) == 0)
			return true;
		if (!*text && fd < 0)
			return true;
		nap(20000);
	}
	printf("# %s: %s\n", path, is);
	return false;
}

/* ---- what is tried ---- */

static void look_around(void)
{
	check_run("ibstat", "Link layer: InfiniBand");
	check_out(count("State: Active") == 3 && count("CA '") == 2 &&
		  strstr(out, "CA 'umadrig0'"), "ibstat: two HCAs, three active ports");
	check_run("ibnetdiscover", "\"Spine\"");
	check_out(count("\nSwitch\t") == 2 && count("\nCa\t") == 2,
		  "ibnetdiscover: the whole fabric");
	check_run("sminfo", "SMINFO_MASTER");
	check_run("smpquery -D nodedesc 0", "HostA");
	check_run("smpquery -D nodedesc 0,1", "Leaf");
	check_run("saquery NR", "NodeRecord dump");
	check_out(count("NodeRecord dump") == 5, "saquery: each end port, by the kernel's RMPP");
	check_out(run("cat " A "counters/port_xmit_packets") == 0 && *out != '0',
		  "sysfs: packets are counted");
}

static void ping(void)
{
	pid_t server = start("ibping -S -C sim0", "/tmp/pinged", -1);
	char line[64], lid[16] = "";
	int fd = open(A "lid", O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, lid, sizeof(lid) - 1) < 0)
		lid[0] = '\0';
	close(fd);
	lid[strcspn(lid, "\n")] = '\0';
	nap(3000000);
	snprintf(line, sizeof(line), "ibping -c 5 -C umadrig0 -P 2 %s", lid);
	check_run(line, "5 packets transmitted, 5 received, 0% packet loss");
	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
}

static void pull(void)
{
	check_run("umadrig ctl --socket /tmp/fabric link down HostA[1]", "");
	check(becomes(A "state", "1: DOWN"), "a cable is pulled: the port is down");
	check(becomes(B "1/state", "4: ACTIVE"), "and the others are not");
	check_run("umadrig ctl --socket /tmp/fabric link up HostA[1]", "");
	check(becomes(A "phys_state", "5: LinkUp"), "it is plugged in again: its link is up");
	check_run("umadrig ctl --socket /tmp/fabric node off HostB", "");
	check(becomes(B "1/state", ""), "a host without power has no HCA");
	check_run("umadrig ctl --socket /tmp/fabric node on HostB", "");
	check(becomes(B "1/phys_state", "5: LinkUp"), "and has it again");
}

/* A program has the device open meanwhile, and is a subnet manager. */
static pid_t start_again(pid_t server)
{
	int fd = open("/dev/infiniband/umad0", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	int issm = open("/dev/infiniband/issm0", O_RDONLY | O_CLOEXEC);
	struct pollfd umad = { .fd = fd, .events = POLLIN };
	struct stat before, after;

	check(fd >= 0 && issm >= 0 && stat(A, &before) == 0, "a program has its files open");
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	check(becomes(A "state", "1: DOWN") && becomes(B "2/state", "1: DOWN"),
	      "the server is killed: all cables are out");
	server = serve("/fabric.net");
	check_server(server, "another server has the same HCAs");
	check(becomes(A "state", "4: ACTIVE"), "and plugs the cables in");
	check(stat(A, &after) == 0 && before.st_ino == after.st_ino && poll(&umad, 1, 0) == 0,
	      "the program's file is alive");
	check_out(run("smpquery -D portinfo 0") == 0 && strstr(out, "\tIsSM\n"),
		  "the new server knows that there is a subnet manager");
	close(fd);
	close(issm);
	return server;
}

/* OpenSM of this machine brings a fabric up that nobody has managed. */
static void manage(void)
{
	pid_t server = serve("/fabric.net,state=cold");

	check_server(server, "a fabric that nobody has managed");
	check(becomes(A "state", "2: INIT"), "its ports are up, and not active");
	run("opensm -o -f /tmp/opensm.log");
	check_out(becomes(A "state", "4: ACTIVE") && becomes(B "2/state", "4: ACTIVE"),
		  "OpenSM of this machine brings all up");
	check_run("ibnetdiscover", "\"HostB\"");
	kill(server, SIGTERM);
	waitpid(server, NULL, 0);
}

int main(void)
{
	int status = -1;
	pid_t server;

	if (getpid() != 1) {
		fputs("hca-serve: the first program of a machine, by make check-hca-module\n",
		      stderr);
		return 2;
	}
	mount_all();
	mount("tmp", "/tmp", "tmpfs", 0, NULL);
	/* OpenSM's. */
	mkdir("/var", 0755);
	mkdir("/var/cache", 0755);
	mkdir("/var/cache/opensm", 0755);
	mkdir("/var/log", 0755);
	setenv("PATH", "/bin", 1);
	setenv("LD_LIBRARY_PATH", "/lib", 1);
	check(run("umadrig serve --fabric /fabric.net --hca HostA") == 125 &&
	      strstr(out, "'modprobe umadrig_hca' as root"), "without the module it is refused");
	listen_to_kernel();
	check(insmod() == 0, "the module is loaded");
	server = serve("/fabric.net");
	check_server(server, "the server makes the HCAs");
	check_out(run("umadrig serve --fabric /fabric.net --hca HostA") == 125 &&
		  strstr(out, "is the fabric of this machine already"), "there is one fabric");
	look_around();
	ping();
	pull();
	server = start_again(server);
	check_run("smpquery -D nodedesc 0,1", "Leaf");
	kill(server, SIGTERM);
	waitpid(server, &status, 0);
	check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "SIGTERM ends the server well");
	manage();
	check(take_away(), "the module is taken away");
	look_for_leaks();
	judge_kernel();
	machine_off();
	return 0;
}
