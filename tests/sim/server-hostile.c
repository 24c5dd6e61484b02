/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A fabric server among programs that mean harm (server-attacks.h). Beside them two innocent
 * programs get an answer to each request, and each is right.
 *
 * With UMADRIG_HOSTILE_SECONDS=60 each attack has a quarter of that time for itself before all of
 * them have it together; of most interest with --enable-sanitizers, too. How long the round trips
 * took beside each is appended to the file UMADRIG_HOSTILE_ROWS (tests/tools/hostile-table.awk).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/mix64.h"
#include "lib/base/monotonic.h"
#include "tests/sim/server-attacks.h"

enum {
	INNOCENTS = 2,
	TRIPS = 300,		/* at least, for each innocent program */
	BUCKETS = 1000000,	/* of latencies, one per microsecond; the last: more */
	PHASES_MAX = 16,
};

/* Shared with all of them. */
struct shared {
	_Atomic bool is_over;
	_Atomic uint32_t trips[INNOCENTS];
	_Atomic unsigned int phase;
	_Atomic bool is_phase_over;	/* for its attackers */
	_Atomic bool is_harmed;	/* an innocent has seen what it should not */
	_Atomic uint32_t latencies[PHASES_MAX][BUCKETS];
	_Atomic uint64_t attacks;
	_Atomic uint64_t cookies[INNOCENTS];	/* of their handles' sockets, as ss(8) shows them */
};

static int64_t seconds_wanted(void)
{
	const char *text = g_getenv("UMADRIG_HOSTILE_SECONDS");

	return text ? g_ascii_strtoll(text, NULL, 10) : 1;
}

static uint64_t cookie_of(int fd)
{
	uint64_t cookie = 0;
	socklen_t size = sizeof(cookie);

	getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size);
	return cookie;
}

/* ---- innocent programs ---- */

static const struct rig_get node_info = {
	.mgmt_class = MAD_CLASS_SUBN_DR, .attr = 0x11, .path = { 1, 1 }, .timeout_ms = 600000,
};

/* 0 if every response was correct. */
static int make_trips(struct server_rig *server, struct shared *shared, unsigned int number)
{
	int fd = server_rig_open_on(server, "H1");
	uint32_t agent = rig_register(&server->rig, fd, MAD_CLASS_SUBN_DR, 0);
	uint8_t umad[RIG_UMAD], first[64];
	struct rig_get get = node_info;

	atomic_store(&shared->cookies[number], cookie_of(fd));
	while (!atomic_load(&shared->is_over)) {
		int64_t from_ns = monotonic_ns(), us;

		get.tid++;
		rig_fill(umad, agent, &get);
		if (umad_backend_attach.send(fd, umad, sizeof(umad)) != RIG_UMAD ||
		    rig_recv(&server->rig, fd, umad, SERVER_WAIT_MS) != RIG_UMAD ||
		    rig_get_u32(umad, RIG_STATUS) != 0 ||
		    get_be32(umad + RIG_HEADER + MAD_TID + 4) != get.tid)
			return 2;
		if (get.tid == 1)
			memcpy(first, umad + RIG_HEADER + 64, sizeof(first));
		if (memcmp(first, umad + RIG_HEADER + 64, sizeof(first)) != 0)
			return 3;
		us = (monotonic_ns() - from_ns) / 1000;
		atomic_fetch_add(&shared->latencies[atomic_load(&shared->phase)]
						   [MIN(us, BUCKETS - 1)], 1);
		atomic_fetch_add(&shared->trips[number], 1);
	}
	return 0;
}

/* A process of its own. */
static int be_innocent(struct server_rig *server, struct shared *shared, unsigned int number)
{
	int ret = make_trips(server, shared, number);

	if (ret != 0)
		atomic_store(&shared->is_harmed, true);
	return ret;
}

/* ---- attackers ---- */

/* Each attack has a process of its own: what it leaves open ends with it. */
static int be_attacker(struct server_rig *server, struct shared *shared,
		       const struct server_attack *attack, uint64_t state)
{
	while (!atomic_load(&shared->is_phase_over)) {
		pid_t pid;

		state += MIX64_STEP;
		pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			attack->make(server, &state);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, NULL, 0);
		atomic_fetch_add(&shared->attacks, 1);
	}
	return 0;
}

/* Of each thousand round trips 'part' took at most this, in microseconds. */
static int percentile(const _Atomic uint32_t *latencies, unsigned int part)
{
	uint64_t all = 0, sum = 0;
	int us = 0;

	for (unsigned int i = 0; i < BUCKETS; i++)
		all += latencies[i];
	while (us < BUCKETS - 1 && (sum += latencies[us]) * 1000 < all * part)
		us++;
	return us;
}

static void write_row(const char *name, int median_us, int p99_us, int worst_us)
{
	const char *path = g_getenv("UMADRIG_HOSTILE_ROWS");
	FILE *file = path ? fopen(path, "a") : NULL;

	g_test_message("%s: median %d us, p99 %d us, worst %d us", name, median_us, p99_us,
		       worst_us);
	g_assert_true(file || !path);
	if (!file)
		return;
	fprintf(file, "server %s %d %d %d\n", name, median_us, p99_us, worst_us);
	g_assert_cmpint(fclose(file), ==, 0);
}

/* Of the phase that is over now. */
static void end_phase(struct shared *shared, const char *name)
{
	const _Atomic uint32_t *latencies = shared->latencies[atomic_load(&shared->phase)];
	int worst = BUCKETS - 1;

	atomic_fetch_add(&shared->phase, 1);
	/* A trip that ended just now may be on its way into the table. */
	g_usleep(1000);
	while (worst > 0 && latencies[worst] == 0)
		worst--;
	write_row(name, percentile(latencies, 500), percentile(latencies, 990), worst);
}

/* For so long, and until each innocent has made TRIPS more. */
static void wait_for_trips(const struct server_rig *server, struct shared *shared, int64_t ms)
{
	int64_t until_us = g_get_monotonic_time() + ms * 1000;
	uint32_t from[INNOCENTS];

	for (unsigned int i = 0; i < INNOCENTS; i++)
		from[i] = atomic_load(&shared->trips[i]);
	for (unsigned int i = 0; i < INNOCENTS; i++) {
		while (g_get_monotonic_time() < until_us ||
		       atomic_load(&shared->trips[i]) - from[i] < TRIPS) {
			g_assert_cmpint(kill(server->pid, 0), ==, 0);
			g_assert_false(atomic_load(&shared->is_harmed));
			g_usleep(10000);
		}
	}
}

static pid_t start_attacker(struct server_rig *server, struct shared *shared, unsigned int number)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(be_attacker(server, shared, &server_attacks[number], number + 3));
	}
	return pid;
}

static void end_well(pid_t pid)
{
	int status;

	g_assert_cmpint(waitpid(pid, &status, 0), ==, pid);
	g_assert_cmpint(status, ==, 0);
}

/* The innocent go on beside the attacks from 'first' to before 'end', and that is a phase. */
static void go_on_beside(struct server_rig *server, struct shared *shared, unsigned int first,
			 unsigned int end, int64_t ms)
{
	pid_t pids[SERVER_ATTACKS];

	atomic_store(&shared->is_phase_over, false);
	for (unsigned int i = first; i < end; i++)
		pids[i] = start_attacker(server, shared, i);
	wait_for_trips(server, shared, ms);
	atomic_store(&shared->is_phase_over, true);
	for (unsigned int i = first; i < end; i++)
		end_well(pids[i]);
	end_phase(shared, end - first > 1 ? "all" : server_attacks[first].name);
}

static void test_hostile(void)
{
	int64_t ms = seconds_wanted() * 1000;
	struct server_rig server = server_rig_start("", "H1");
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pids[INNOCENTS];

	server_attack_setup = (struct server_attack_setup){ shared->cookies, INNOCENTS, ms > 1000 };
	for (unsigned int i = 0; i < INNOCENTS; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			_exit(be_innocent(&server, shared, i));
		}
	}
	wait_for_trips(&server, shared, ms / 4);
	end_phase(shared, "alone");
	for (unsigned int i = 0; ms > 1000 && i < SERVER_ATTACKS; i++)
		go_on_beside(&server, shared, i, i + 1, ms / 4);
	go_on_beside(&server, shared, 0, SERVER_ATTACKS, ms);
	atomic_store(&shared->is_over, true);
	for (unsigned int i = 0; i < INNOCENTS; i++)
		end_well(pids[i]);
	g_test_message("%u round trips, %" G_GUINT64_FORMAT " attacks",
		       shared->trips[0] + shared->trips[1], (guint64)shared->attacks);
	munmap(shared, sizeof(*shared));
	server_rig_end(&server);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/server-hostile", test_hostile);
	return g_test_run();
}
