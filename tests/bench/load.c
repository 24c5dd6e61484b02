/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * load [--smoke]: what counters that move cost.
 *
 * The start and the memory of the full subnet, all 49,151 LIDs in use, with a load at each adapter
 * and without; a simulated day in which nobody reads; and one in which an exporter asks all of
 * 10,000 ports for PortCountersExtended every five minutes, by MADs. Processor time alone, in
 * processes of their own. --smoke: small, TAP, nothing is judged by its time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kmod-stub/event.h"
#include "sim/api/umadrig.h"
#include "tests/rig/peak-memory.h"
#include "tests/rig/rig.h"

enum {
	EXTENDED = 0x001d,
	PERF_SELECT = 64 + 1,		/* PortSelect, in the MAD */
	PERF_COUNTERS = 64 + 8,		/* the first counter */
	DAY_S = 24 * 3600,
	POLL_S = 300,
};

struct cost {
	double cpu_ms;
	long rss_kb;
	uint64_t gets;
	uint64_t digest;		/* of all answers */
};

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* ---- what is measured ---- */

struct task {
	const char *spec;
	unsigned int seconds;		/* that pass */
	unsigned int ports;		/* that are asked; 0: none */
};

struct asker {
	struct rig *rig;
	int fd;
	uint32_t agent, tid;
};

/* One port's answer, into the digest (FNV-1a). */
static void ask(struct asker *asker, uint16_t lid, unsigned int num, struct cost *cost)
{
	struct rig_get get = {
		.mgmt_class = MAD_CLASS_PERF, .attr = EXTENDED, .dlid = lid,
		.tid = ++asker->tid, .timeout_ms = 1000,
	};
	uint8_t umad[RIG_UMAD];

	rig_fill(umad, asker->agent, &get);
	umad[RIG_HEADER + PERF_SELECT] = (uint8_t)num;
	g_assert_cmpint(asker->rig->backend->send(asker->fd, umad, sizeof(umad)), ==,
			sizeof(umad));
	g_assert_cmpint(rig_recv(asker->rig, asker->fd, umad, 1000), ==, RIG_UMAD);
	g_assert_cmpuint(rig_get_u32(umad, RIG_STATUS), ==, 0);
	for (unsigned int i = PERF_COUNTERS; i < MAD_SIZE; i++)
		cost->digest = (cost->digest ^ umad[RIG_HEADER + i]) * UINT64_C(1099511628211);
	cost->gets++;
}

static void ask_all(struct asker *asker, unsigned int ports, struct cost *cost)
{
	struct umadrig_fabric *fabric = asker->rig->fabric;
	unsigned int left = ports;
	const char *node;

	for (unsigned int i = 0; left && (node = umadrig_node(fabric, i)); i++) {
		const struct umadrig_port *speaker = umadrig_port(fabric, node, 0);
		int count = umadrig_node_ports(fabric, node);

		for (int num = 1; left && num <= count; num++, left--) {
			const struct umadrig_port *port = speaker ? speaker :
				umadrig_port(fabric, node, (unsigned int)num);

			ask(asker, umadrig_port_lid(port), (unsigned int)num, cost);
		}
	}
}

/* That of the default host: the first adapter of the file. */
static const char *first_device(const struct rig *rig)
{
	const char *node;

	for (unsigned int i = 0; (node = umadrig_node(rig->fabric, i)); i++) {
		if (!umadrig_port(rig->fabric, node, 0))
			return umadrig_port_device(umadrig_port(rig->fabric, node, 1));
	}
	return NULL;
}

static struct cost carry_out(const struct task *task)
{
	struct cost cost = { .digest = UINT64_C(14695981039346656037) };
	struct rig rig = rig_open(task->spec);
	struct asker asker = { .rig = &rig };

	if (!task->ports)
		umadrig_step(rig.fabric, task->seconds * NS_PER_S);
	if (task->ports) {
		asker.fd = rig_open_port(&rig, NULL, first_device(&rig), 1);
		asker.agent = rig_register(&rig, asker.fd, MAD_CLASS_PERF, 0);
	}
	for (unsigned int now_s = POLL_S; task->ports && now_s <= task->seconds; now_s += POLL_S) {
		umadrig_step(rig.fabric, now_s * NS_PER_S);
		ask_all(&asker, task->ports, &cost);
	}
	cost.cpu_ms = cpu_ms();
	cost.rss_kb = rss_kb();
	if (task->ports)
		rig.backend->close(asker.fd);
	rig_close(&rig);
	return cost;
}

/* In a process of its own. */
static struct cost measure(const struct task *task)
{
	struct cost cost = { 0 };
	int ends[2], status;
	pid_t pid;

	if (pipe(ends) < 0)
		g_error("pipe: %s", g_strerror(errno));
	pid = fork();
	if (pid == 0) {
		cost = carry_out(task);
		_exit(write(ends[1], &cost, sizeof(cost)) != sizeof(cost));
	}
	close(ends[1]);
	if (read(ends[0], &cost, sizeof(cost)) != sizeof(cost) || waitpid(pid, &status, 0) != pid ||
	    status != 0)
		g_error("%s: it did not work", task->spec);
	close(ends[0]);
	return cost;
}

/* ---- the table ---- */

static void compare(const char *what, const char *fabric, unsigned int seconds, unsigned int ports)
{
	g_autofree char *without = g_strdup_printf("%s,clock=virtual", fabric);
	g_autofree char *with = g_strdup_printf("%s,load=all:next:50G", without);
	struct cost a = measure(&(struct task){ without, seconds, ports });
	struct cost b = measure(&(struct task){ with, seconds, ports });

	printf("%-28s %10.1f %10.1f %6.2f %9ld %9ld %6.2f %10" G_GUINT64_FORMAT "\n", what,
	       a.cpu_ms, b.cpu_ms, b.cpu_ms / a.cpu_ms, a.rss_kb, b.rss_kb,
	       (double)b.rss_kb / (double)a.rss_kb, b.gets);
}

static int smoke(void)
{
	static const char spec[] = "generate:fat-tree:18,clock=virtual,load=all:next:50G,seed=7";
	const struct task task = { spec, 2 * POLL_S, 60 };
	struct cost first = measure(&task), second = measure(&task);
	const struct task quiet = { "generate:fat-tree:18,clock=virtual", 2 * POLL_S, 60 };

	printf("1..3\n%s 1 - all ports answer\n", first.gets == 120 ? "ok" : "not ok");
	printf("%s 2 - the same seed gives the same counters\n",
	       first.digest == second.digest ? "ok" : "not ok");
	printf("%s 3 - and without a load they are others\n",
	       first.digest != measure(&quiet).digest ? "ok" : "not ok");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--smoke") == 0)
		return smoke();
	printf("%-28s %10s %10s %6s %9s %9s %6s %10s\n", "processor time and memory", "quiet/ms",
	       "load/ms", "ratio", "quiet/kB", "load/kB", "ratio", "Gets");
	compare("49,151 LIDs: start", "generate:fat-tree:45551,64", 0, 0);
	compare("49,151 LIDs: a port is read", "generate:fat-tree:45551,64", POLL_S, 1);
	compare("49,151 LIDs: a day, unread", "generate:fat-tree:45551,64", DAY_S, 0);
	compare("10,000 ports: polled once", "generate:fat-tree:1700", POLL_S, 10000);
	compare("10,000 ports: polled a day", "generate:fat-tree:1700", DAY_S, 10000);
	return 0;
}
