/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The guests of a fabric: see sim/guests/guest-set.h.
 */
#include "sim/guests/guest-set.h"

#include <errno.h>
#include <sys/resource.h>

#include "sim/fabric/fabric.h"
#include "sim/fabric/host.h"
#include "sim/fabric/node.h"
#include "sim/guests/guest-programs.h"
#include "sim/guests/guest-stream.h"
#include "sim/guests/guest.h"
#include "sim/guests/hca-driver.h"

enum { TURNS_MAX = 100000 };

const char guest_set_wants_virtual_time[] =
	"a guest has the time of its fabric, which has to be virtual: add clock=virtual, or 'clock "
	"virtual' in a scenario; 'umadrig serve' has no guests, but 'umadrig exec --fabric' has";

static struct guest *at(const struct guest_set *set, guint i)
{
	return g_ptr_array_index(set->guests, i);
}

/* ---- the party ---- */

static int64_t due_ns(void *ctx)
{
	const struct guest_set *set = ctx;
	int64_t first_ns = TIME_NEVER;

	for (guint i = 0; i < set->guests->len; i++)
		first_ns = MIN(first_ns, guest_due_ns(at(set, i)));
	return first_ns;
}

static int64_t limit_ns(struct guest_set *set, const struct guest *but)
{
	int64_t first_ns = clock_limit_ns(set->fabric->clock, &set->party);

	for (guint i = 0; i < set->guests->len; i++) {
		if (at(set, i) != but)
			first_ns = MIN(first_ns, guest_due_ns(at(set, i)));
	}
	/*
	 * What has come for it meanwhile it sees as soon as it waits; and others go on at this
	 * instant, who have its files open.
	 */
	return but->down.length == 0 && !guest_programs_have_input(but) &&
	       !set->fabric->handles_changed ? first_ns : set->fabric->queue.now_ns;
}

/* One of those that are due, as the schedule has it; NULL: none is. */
static struct guest *choose(struct guest_set *set)
{
	int64_t now_ns = set->fabric->queue.now_ns;
	struct guest *chosen = NULL;
	uint64_t count = 0;

	for (guint i = 0; i < set->guests->len; i++) {
		if (guest_due_ns(at(set, i)) > now_ns)
			continue;
		count++;
		if (!chosen || (!set->is_in_order && chance_below(&set->chance, count) == 0))
			chosen = at(set, i);
	}
	return chosen;
}

static void run(void *ctx)
{
	struct guest_set *set = ctx;
	const struct event_queue *queue = &set->fabric->queue;
	int64_t now_ns = queue->now_ns;

	while (queue->now_ns == now_ns && event_queue_next(queue) > now_ns) {
		struct guest *guest = choose(set);

		if (!guest)
			return;
		guest_turn(guest);
	}
}

static bool advance(void *ctx, int64_t until_ns)
{
	struct guest_set *set = ctx;
	struct clock *clock = set->fabric->clock;
	int64_t next_ns = clock_next_ns(clock);

	if (next_ns == TIME_NEVER || next_ns > until_ns)
		return false;
	if (!clock_next_instant(clock, next_ns) && next_ns > set->fabric->queue.now_ns)
		set->fabric->queue.now_ns = next_ns;
	run(set);
	return true;
}

/* ---- its members ---- */

static struct guest_set *make(struct umadrig_fabric *fabric)
{
	struct guest_set *set = g_new0(struct guest_set, 1);
	const struct schedule *schedule = &fabric->options.schedule;

	set->fabric = fabric;
	set->party = (struct clock_party){ NULL, advance, run, due_ns, set };
	set->guests = g_ptr_array_new();
	set->limit_ns = limit_ns;
	set->await = guest_await;
	set->is_in_order = schedule->strategy == SCHEDULE_IN_ORDER && !schedule->seed;
	set->patience_ms = GUEST_PATIENCE_MS;
	set->turns_max = TURNS_MAX;
	chance_init(&set->chance, schedule->seed, "guests");
	clock_add_party(fabric->clock, &set->party);
	return set;
}

/* As guest_cut() and guest_restore(), for the fabric. */
static void power(struct umadrig_host *host, bool on)
{
	struct guest *guest = guest_of_kernel(host->kernel);

	if (on)
		guest_restore(guest);
	else if (guest->is_in_turn)
		guest->is_to_be_cut = true;
	else
		guest_cut(guest, NULL);
}

/* How many guests this process has descriptors for. */
static guint most_guests(void)
{
	/*
	 * Of each: its directory's lock, its console, its memory, and three sockets. Beside them
	 * what the fabric and its server have, and what a guest that begins has for a moment.
	 */
	enum { OF_GUEST = 6, OF_OTHERS = 40 };
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
	    limit.rlim_cur / OF_GUEST > G_MAXUINT)
		return G_MAXUINT;
	return limit.rlim_cur > OF_OTHERS ? (guint)((limit.rlim_cur - OF_OTHERS) / OF_GUEST) : 0;
}

int guest_set_add(struct umadrig_fabric *fabric, struct umadrig_host *host, const char *image,
		  char *reterr, size_t reterr_size)
{
	guint count = fabric->guests ? fabric->guests->guests->len : 0, most = most_guests();
	const char *why = hca_driver_objection(host);

	if (!clock_is_virtual(fabric->clock)) {
		g_strlcpy(reterr, guest_set_wants_virtual_time, reterr_size);
		return -EOPNOTSUPP;
	}
	if (why) {
		g_snprintf(reterr, reterr_size, "%s cannot run on a guest: %s", host->name, why);
		return -E2BIG;
	}
	if (guest_set_find(host)) {
		g_snprintf(reterr, reterr_size, "%s has a kernel already", host->name);
		return -EEXIST;
	}
	if (count >= most) {
		g_snprintf(reterr, reterr_size, "%s would be guest number %u, and this process "
			   "has descriptors for %u: raise its limit (ulimit -n), or have fewer",
			   host->name, count + 1, most);
		return -EMFILE;
	}
	if (!fabric->guests)
		fabric->guests = make(fabric);
	g_ptr_array_add(fabric->guests->guests, guest_new(fabric->guests, host, image,
							  fabric->guests->guests->len));
	host->power = power;
	return 0;
}

struct guest *guest_set_find(const struct umadrig_host *host)
{
	const struct guest_set *set = host->fabric->guests;

	for (guint i = 0; set && i < set->guests->len; i++) {
		if (at(set, i)->host == host)
			return at(set, i);
	}
	return NULL;
}

uint32_t guest_set_kernel_agents(const struct end_port *end)
{
	const struct guest *guest = guest_set_find(node_host(end->port->node));

	return guest ? guest->driver.own_agents : 0;
}

void guest_set_stop(struct umadrig_fabric *fabric)
{
	struct guest_set *set = fabric->guests;

	if (!set)
		return;
	clock_remove_party(fabric->clock, &set->party);
	for (guint i = 0; i < set->guests->len; i++)
		guest_stop(at(set, i));
}

void guest_set_free(struct umadrig_fabric *fabric)
{
	struct guest_set *set = fabric->guests;

	if (!set)
		return;
	for (guint i = 0; i < set->guests->len; i++)
		guest_free(at(set, i));
	g_ptr_array_free(set->guests, true);
	g_clear_pointer(&fabric->guests, g_free);
}
