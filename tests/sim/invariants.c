/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The checks of invariants of a fabric, its handles, its server and of lock-step find each rule
 * broken; and a build with --enable-checks ends at the event that breaks one.
 */
#include <glib.h>
#include <unistd.h>

#include "lib/base/invariant.h"
#include "lib/lockstep/table-check.h"
#include "sim/api/umadrig.h"
#include "sim/fabric/cable.h"
#include "sim/fabric/fabric-sa.h"
#include "sim/fabric/host.h"
#include "sim/fabric/link.h"
#include "sim/fabric/node.h"
#include "sim/fabric/partition.h"
#include "sim/fabric/plane.h"
#include "sim/fabric/subnet.h"
#include "sim/fabric/virtual-function.h"
#include "sim/host/device.h"
#include "sim/host/fabric-check.h"
#include "sim/host/handle.h"
#include "sim/host/kernel.h"
#include "sim/host/power.h"
#include "sim/server/letter-queue.h"
#include "sim/server/file.h"
#include "sim/server/client.h"
#include "tests/rig/fabric-text.h"
#include "tests/rig/invariant-rig.h"

/* H1[1] - S1 - H2[1]; H1[2] has no cable; R1 is on S1. */
static const char net[] =
	"Switch 8 \"S1\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"R1\"[1]\n\n"
	"Hca 2 \"H1\"\n[1] \"S1\"[1]\n\n"
	"Hca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
	"Rt 1 \"R1\"\n[1] \"S1\"[3]\n";

static struct umadrig_fabric *make(void)
{
	return fabric_of_text(net, "clock=virtual");
}

static struct port *port_of(struct umadrig_fabric *fabric, const char *name, unsigned int num)
{
	return &fabric_find(fabric, name)->ports[num];
}

static const char *says(const struct umadrig_fabric *fabric)
{
	size_t work = 0;

	return fabric_check(fabric, &work);
}

static void test_port(void)
{
	struct umadrig_fabric *fabric = make();
	struct port *port = port_of(fabric, "H1", 1), *down = port_of(fabric, "H1", 2);
	struct port *of_switch = port_of(fabric, "S1", 1);
	uint16_t pkeys[PARTITION_KEYS] = { 0 };

	BREAKS(says(fabric), fabric->is_watched, true,
	       "fabric: it knows whether somebody looks on");
	BREAKS(says(fabric), port->node->index, 7,
	       "node: its fabric has it under its number");
	BREAKS(says(fabric), down->node, of_switch->node, "node: its ports are its own");
	BREAKS(says(fabric), port->num, 2, "port: its node has it under its number");
	BREAKS(says(fabric), port->end->port, down, "port: it is its end port's");
	BREAKS(says(fabric), of_switch->end, port->end, "port: it is its end port's");
	BREAKS(port_check(port), port->end, NULL,
	       "port: all ports of CAs and routers are end ports, of switches port 0");
	BREAKS(says(fabric), port->pkeys, pkeys,
	       "port: never the P_Keys of a switch's port in an end port");
	BREAKS(says(fabric), port->state, 5, "port: its state is Down, Init, Armed or Active");
	BREAKS(port_check(port), port->phys_state, 4,
	       "port: its physical state is Sleep, Polling, Disabled or LinkUp");
	BREAKS(says(fabric), port->phys_wanted, PORT_PHYS_LINK_UP,
	       "port: what an SM wants is Sleep, Polling or Disabled");
	BREAKS(says(fabric), port->link_down_default, PORT_PHYS_DISABLED,
	       "port: after its link went down it sleeps or polls");
	BREAKS(says(fabric), down->state, PORT_INIT,
	       "port: never Init, Armed or Active without LinkUp");
	BREAKS(says(fabric), port->state, PORT_DOWN, "port: never Down with LinkUp, except port 0");
	BREAKS(says(fabric), port->width_active, 3, "port: it has one active width");
	BREAKS(says(fabric), port->speed_active, 3, "port: it has one active speed");
	BREAKS(says(fabric), port->speed_ext_active, 3, "port: it has one active extended speed");
	BREAKS(says(fabric), port->speed_active, 0, "port: it has a speed");
	BREAKS(port_check(port), port->fdr10_active, true,
	       "port: never FDR10 where it does not exist, or with an extended speed");
	BREAKS(says(fabric), port->neighbor_mtu, 6, "port: its neighbour's MTU is at most its own");
	BREAKS(says(fabric), port->operational_vls, 0,
	       "port: it has VL 0, and no more VLs than it can have");
	BREAKS(says(fabric), port->speed_ext_enabled, 0x80,
	       "port: never an extended speed enabled that it has not");
	BREAKS(says(fabric), port->speed_enabled, 0x80,
	       "port: never a speed enabled that it has not");
	BREAKS(says(fabric), port->width_enabled, 0x80,
	       "port: never a width enabled that it has not");
	umadrig_fabric_close(fabric);
}

static void test_cable(void)
{
	struct umadrig_fabric *fabric = make(), *other = make();
	struct port *port = port_of(fabric, "H1", 1), *none = port_of(fabric, "H1", 2);
	struct port *peer = port->peer;
	struct node *node = peer->node;
	struct subnet *subnet = node->ends->subnet;

	BREAKS(cable_check(none), none->unplugged, true,
	       "cable: never pulled, or bad, without being there");
	BREAKS(cable_check(none), none->speed_left, LINK_SDR,
	       "cable: never pulled, or bad, without being there");
	BREAKS(cable_check(port), peer->peer, none, "cable: its ends know each other");
	peer->peer = peer;
	g_assert_cmpstr(cable_check(peer), ==, "cable: never with both ends in one port");
	peer->peer = port;
	BREAKS(cable_check(port), port->num, 0, "cable: never at port 0");
	BREAKS(cable_check(port), node->fabric, other, "cable: its ends are of one fabric");
	BREAKS(cable_check(port), port->unplugged, true, "cable: it is pulled at both ends");
	BREAKS(cable_check(port), port->widths_left, 1, "cable: it is as bad at both ends");
	BREAKS(cable_check(port), node->ends->subnet, NULL, "cable: its ends are in one subnet");
	g_assert_true(node->ends->subnet == subnet);
	umadrig_fabric_close(fabric);
	umadrig_fabric_close(other);
}

static void test_link(void)
{
	struct umadrig_fabric *fabric = make();
	struct port *port = port_of(fabric, "H1", 1), *peer = port->peer;
	struct port *lone = port_of(fabric, "S1", 8);

	BREAKS(link_check(port), port->phys_wanted, PORT_PHYS_POLLING,
	       "link: never does an SM wait in vain for a state");
	BREAKS(link_check(lone), lone->phys_state, PORT_PHYS_LINK_UP,
	       "link: a switch's port without a cable has none");
	BREAKS(link_check(port), peer->phys_state, PORT_PHYS_POLLING,
	       "link: it is up at both ends");
	BREAKS(link_check(port), port->unplugged, true, "link: never up with its cable pulled");
	BREAKS(link_check(port), port->node->removed, true, "link: never up without power");
	BREAKS(link_check(port), port->fdr10_active, true,
	       "link: both ends have agreed on FDR10");
	BREAKS(link_check(port), port->fec_active, 2,
	       "link: both ends have agreed on error correction");
	/* Both poll, and nothing is to come. */
	port->phys_state = PORT_PHYS_POLLING;
	peer->phys_state = PORT_PHYS_POLLING;
	g_assert_cmpstr(link_check(port), ==, "link: never could it come up, and does not");
	port->phys_state = peer->phys_state = PORT_PHYS_LINK_UP;
	umadrig_fabric_close(fabric);
}

static void test_subnet(void)
{
	struct umadrig_fabric *fabric = make(), *other = make();
	struct subnet *subnet = fabric_subnet(fabric, 0);
	struct fabric_sa elsewhere = { .end = port_of(other, "H1", 1)->end };
	struct end_port *one = port_of(fabric, "H1", 1)->end, *two = port_of(fabric, "H2", 1)->end;
	uint16_t lid = one->attr.lid;
	struct end_port **place = &subnet->by_lid[0][lid];

	BREAKS(subnet_check(subnet), fabric->subnets->pdata[0], NULL,
	       "subnet: the fabric has it under its number");
	BREAKS(subnet_check(subnet), subnet->sa, &elsewhere, "subnet: its own SA is in it");
	BREAKS(subnet_check(subnet), *place, elsewhere.end,
	       "subnet: a LID leads to an end port of the subnet");
	BREAKS(subnet_check(subnet), one->subnet, NULL, "subnet: its end ports are in no other");
	BREAKS(subnet_check(subnet), *place, NULL,
	       "subnet: a LID that an end port has leads to one that has it");
	BREAKS(subnet_check(subnet), *place, two, "subnet: a LID leads to an end port that has it");
	BREAKS(subnet_check(subnet), fabric->lid_top, 1,
	       "subnet: never a LID above the fabric's top");
	BREAKS(subnet_check(subnet), subnet->ends->pdata[0], subnet->ends->pdata[1],
	       "subnet: its end ports are in order of nodes, none ever twice");
	BREAKS(subnet_check(subnet), subnet->routers->len, 0,
	       "subnet: its routers are those of its end ports");
	BREAKS(subnet_check(subnet), subnet->by_lid[0][200], one,
	       "subnet: a LID leads to an end port that has it");
	one->attr.lmc = 1;
	one->attr.lid = 0;
	g_assert_cmpstr(subnet_check(subnet), ==, "subnet: no LMC without a LID");
	one->attr.lmc = 0;
	one->attr.lid = lid;
	umadrig_fabric_close(fabric);
	umadrig_fabric_close(other);
}

static struct umadrig_fabric *generate(const char *spec)
{
	char message[512] = "";
	struct umadrig_fabric *fabric = umadrig_fabric_open(spec, message, sizeof(message));

	g_assert_cmpstr(message, ==, "");
	g_assert_nonnull(fabric);
	return fabric;
}

static void test_planes(void)
{
	struct umadrig_fabric *fabric =
		generate("generate:rail:2,1,4,speed=XDR,planes=4,clock=virtual");
	struct node *node = fabric_node(fabric, "host-1 mlx5_0");
	struct end_port *first = port_speaker(&node->ports[1]), *second = node->ports[2].end;
	struct subnet *subnet = first->subnet;
	struct end_port **place = &subnet->by_lid[0][first->attr.lid];

	g_assert_true(*place == first);
	BREAKS(subnet_check(subnet), *place, second, "subnet: a LID of planes leads to the first");
	umadrig_fabric_close(fabric);
}

static void test_function(void)
{
	struct umadrig_fabric *fabric =
		generate("generate:rail:2,1,4,vfs=3:host-1,clock=virtual");
	struct node *pf = fabric_node(fabric, "host-1 mlx5_0");
	struct virtual_function *function = &pf->functions->at[0];

	BREAKS(says(fabric), pf->functions->pf, function->node,
	       "functions: they are of the node that has them");
	BREAKS(says(fabric), function->node->vport, 2, "function: its node has its index");
	BREAKS(says(fabric), function->lid_of, 4,
	       "function: the vport whose LID it has is there");
	node_power(pf, false);
	BREAKS(says(fabric), function->node->removed, false,
	       "function: there is no device without that of its HCA");
	umadrig_fabric_close(fabric);
}

static void test_handle(void)
{
	struct umadrig_fabric *fabric = make(), *other = make();
	struct handle *handle;
	struct end_port *end = port_of(fabric, "H1", 1)->end;
	int fd = handle_open(fabric, end, end_port_kmod(end), &handle);
	struct kmod_file *file = handle->file;
	struct handle *second, stray = { .changed = true, .settle = handle_forget };
	int second_fd = handle_open(fabric, end, end_port_kmod(end), &second);

	BREAKS(says(fabric), second->fd, fd, "handle: never two for one descriptor");
	BREAKS(says(fabric), fabric->handles_changed, &stray,
	       "handle: one that is to be settled is open, and of this fabric");
	handle->settle = handle_forget;
	BREAKS(says(fabric), handle->fd_readable, true,
	       "handle: never readable by a descriptor that is not settled");
	handle->settle = NULL;
	BREAKS(says(fabric), handle->fabric, other, "handle: it is of the fabric that lists it");
	BREAKS(says(fabric), handle->file, NULL, "handle: it has a file");
	BREAKS(says(fabric), handle->own_fd, fd,
	       "handle: our descriptor is never the program's");
	BREAKS(says(fabric), handle->changed, true,
	       "handle: one that has changed is to be settled");
	BREAKS(says(fabric), fabric->handles_changed, handle,
	       "handle: one that is to be settled has changed");
	g_assert_true(handle->file == file);
	g_assert_cmpint(handle_close(fd), ==, 0);
	g_assert_cmpint(handle_close(second_fd), ==, 0);
	umadrig_fabric_close(fabric);
	umadrig_fabric_close(other);
}

static void test_event_queue(void)
{
	struct umadrig_fabric *fabric = make();
	struct event_queue *queue = &fabric->queue;

	/* Four links that train. */
	g_assert_cmpint(cable_pull(port_of(fabric, "H1", 1)), ==, 0);
	for (int i = 0; i < 4; i++) {
		cable_pull(port_of(fabric, "H2", 1));
		cable_plug(port_of(fabric, "H2", 1));
	}
	g_assert_cmpuint(queue->count, >=, 4);
	BREAKS(event_queue_check(queue), queue->size, 1,
	       "event queue: there is room for its events");
	BREAKS(event_queue_check(queue), queue->heap[1]->slot, 1,
	       "event queue: an event knows its slot");
	BREAKS(event_queue_check(queue), queue->heap[1]->kind, EVENT_CLASS_COUNT,
	       "event queue: an event is of a class, and does something");
	BREAKS(event_queue_check(queue), queue->now_ns, INT64_MAX,
	       "event queue: never an event in the past");
	BREAKS(event_queue_check(queue), queue->sequence, 0,
	       "event queue: it has armed its events");
	BREAKS(event_queue_check(queue), queue->heap[0]->at_ns, queue->heap[1]->at_ns + 1,
	       "event queue: never an event that comes before its parent");
	umadrig_fabric_close(fabric);
}

static void test_ring(void)
{
	struct attach_ring *shared = g_new0(struct attach_ring, 1);
	struct server_ring ring = { .shared = shared, .bell = { WATCH_BELL, 0 } };
	struct server_rings rings = { 0 };

	server_ring_wake(&rings, &ring);
	BREAKS(server_ring_check(&rings, &ring), ring.is_awake, false,
	       "ring: it is in the list of those that are awake, if it is");
	BREAKS(server_ring_check(&rings, &ring), rings.awake, NULL,
	       "ring: it is in the list of those that are awake, if it is");
	BREAKS(server_ring_check(&rings, &ring), ring.shared, NULL,
	       "ring: never awake without memory");
	BREAKS(server_ring_check(&rings, &ring), ring.skip_naps, 257,
	       "ring: so many naps are not skipped");
	BREAKS(server_ring_check(&rings, &ring), ring.is_malformed, true,
	       "ring: never outlives what its owner has done to it");
	BREAKS(server_ring_check(&rings, &ring), ring.seen, 1,
	       "ring: what has been seen in it is sent");
	BREAKS(server_ring_check(&rings, &ring), ring.bell.fd, -1, "ring: it has a bell");
	rings.awake = NULL;
	ring.is_awake = ring.is_heard = false;
	BREAKS(server_ring_check(&rings, &ring), ring.is_heard, true,
	       "ring: never is a bell heard that wakes nobody");
	/* What a program writes into the memory is no error of ours. */
	BREAKS(server_ring_check(&rings, &ring), shared->put, 77, NULL);
	g_free(shared);
}

static void test_letters(void)
{
	struct letter_queue queue = { 0 };
	struct attach_record record = { .size = 1 };

	letter_queue_put(&queue, &record, -1);
	letter_queue_put(&queue, &record, -1);
	BREAKS(letter_queue_check(&queue), queue.count, 1, "letter queue: it counts its letters");
	BREAKS(letter_queue_check(&queue), queue.count, 3, "letter queue: it counts its letters");
	BREAKS(letter_queue_check(&queue), queue.last, queue.first,
	       "letter queue: 'first' leads to 'last'");
	record.size = sizeof(record.bytes) + 1;
	letter_queue_put(&queue, &record, -1);
	g_assert_cmpstr(letter_queue_check(&queue), ==,
			"letter queue: a record has room for its bytes");
	letter_queue_clear(&queue);
	record = (struct attach_record){ .is_large = 1 };
	letter_queue_put(&queue, &record, -1);
	g_assert_cmpstr(letter_queue_check(&queue), ==,
			"letter queue: a large message, and no other, is in memory of its own");
	letter_queue_clear(&queue);
}

/* Two files of a server. */
static void test_file(void)
{
	struct umadrig_fabric *fabric = make(), *other = make();
	struct end_port *end = port_of(fabric, "H1", 1)->end;
	struct server_files *files = g_new0(struct server_files, 1);
	struct server_account account = { 0 };
	struct attach_record record = { .size = 1 };
	struct watch_set watches;
	struct server_file *file;
	int fds[2];

	g_assert_cmpint(watch_set_init(&watches), ==, 0);
	server_files_init(files, fabric, &watches);
	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		g_assert_cmpint(server_file_open(files, end, 1, &account, &fds[i]), ==, 0);
	file = files->first;
	BREAKS(server_files_check(files), files->count, 1, "files: they are counted");
	BREAKS(server_files_check(files), files->count, 3, "files: they are counted");
	BREAKS(server_files_check(files), file->link, &file->next,
	       "file: it knows what leads to it");
	BREAKS(server_files_check(files), files->large, 1,
	       "files: those with a large message are counted");
	BREAKS(server_files_check(files), file->files, NULL, "file: it is one of its server's");
	BREAKS(server_files_check(files), file->token, file->token + 1,
	       "file: it is found by its token");
	BREAKS(server_files_check(files), file->handle.fabric, other,
	       "file: its handle is of the server's fabric");
	BREAKS(server_files_check(files), file->handle.fd, fds[0],
	       "file: its handle is the server's end of the socket");
	BREAKS(server_files_check(files), file->is_blocked, true,
	       "file: never is room awaited that nothing waits for");
	BREAKS(server_files_check(files), account.handles, 0,
	       "file: never without being counted for its process");
	letter_queue_put(&file->waiting, &record, -1);
	file->is_blocked = true;
	BREAKS(server_files_check(files), file->is_blocked, false,
	       "file: never does a letter wait while there is room");
	server_files_clear(files);
	watch_set_clear(&watches);
	for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
		close(fds[i]);
	g_free(files);
	umadrig_fabric_close(fabric);
	umadrig_fabric_close(other);
}

static void test_client(void)
{
	struct server_rings rings = { 0 };
	struct server_account account = { 0 };
	struct server_clients clients = { .rings = &rings, .count = 1, .last_serial = 1 };
	struct server_client client = { .link = &clients.first, .serial = 1, .account = &account };

	clients.first = &client;
	BREAKS(server_clients_check(&clients), clients.count, 0, "clients: they are counted");
	BREAKS(server_clients_check(&clients), clients.count, 2, "clients: they are counted");
	BREAKS(server_clients_check(&clients), client.link, &client.next,
	       "client: it knows what leads to it");
	BREAKS(server_clients_check(&clients), client.serial, 0,
	       "client: its serial has been given");
	BREAKS(server_clients_check(&clients), client.serial, 2,
	       "client: its serial has been given");
	BREAKS(server_clients_check(&clients), client.account, NULL,
	       "client: its process has an account");
	BREAKS(server_clients_check(&clients), clients.awaiting, 1,
	       "clients: those that await changes are counted");
	BREAKS(server_clients_check(&clients), client.ring.skip_naps, 257,
	       "ring: so many naps are not skipped");
}

static void test_lockstep(void)
{
	struct lockstep_table *table = g_new0(struct lockstep_table, 1);
	struct lockstep_slot *self = &table->slot[0], *waits = &table->slot[1];
	struct lockstep_slot *timer = &table->slot[2];

	table->magic = LOCKSTEP_MAGIC;
	table->count = 3;
	table->holder = self->pid = 10;
	table->holder_tid = self->tid = 10;
	self->state = LOCKSTEP_RUNNING;
	waits->state = timer->state = LOCKSTEP_WAITING;
	timer->kind = LOCKSTEP_TIMER;
	BREAKS(lockstep_table_check(table, self), table->magic, 0, "table: it is one");
	BREAKS(lockstep_table_check(table, self), table->count, LOCKSTEP_SLOTS + 1,
	       "table: it has room for its slots");
	BREAKS(lockstep_table_check(table, self), table->handles, LOCKSTEP_HANDLES + 1,
	       "table: it has room for its handles");
	BREAKS(lockstep_table_check(table, self), table->findings, LOCKSTEP_FINDINGS + 1,
	       "table: it has room for its findings");
	BREAKS(lockstep_table_check(table, self), table->outsides, LOCKSTEP_OUTSIDE + 1,
	       "table: it has room for what leads out");
	BREAKS(lockstep_table_check(table, self), table->now, -1, "table: time begins at 0");
	BREAKS(lockstep_table_check(table, self), self->state, LOCKSTEP_RUNNABLE,
	       "slot: one that has the turn is running");
	BREAKS(lockstep_table_check(table, self), table->holder, 11,
	       "table: it names the thread that has the turn");
	BREAKS(lockstep_table_check(table, self), table->dying, 11,
	       "table: never does one go on before the dead are buried");
	BREAKS(lockstep_table_check(table, self), table->stopping, 11,
	       "table: never does one go on before another has stopped");
	BREAKS(lockstep_table_check(table, self), waits->state, LOCKSTEP_RUNNING,
	       "slot: never do two threads run");
	BREAKS(lockstep_table_check(table, self), waits->state, LOCKSTEP_DEAD + 1,
	       "slot: its state is one of those that there are");
	BREAKS(lockstep_table_check(table, self), waits->kind, LOCKSTEP_KINDS,
	       "slot: it waits for something that there is");
	BREAKS(lockstep_table_check(table, self), waits->reason, LOCKSTEP_DELIVERY + 1,
	       "slot: it goes on for a reason that there is");
	BREAKS(lockstep_table_check(table, self), waits->cookies, LOCKSTEP_COOKIES + 1,
	       "slot: it has room for the handles that it awaits");
	BREAKS(lockstep_table_check(table, self), waits->name[LOCKSTEP_NAME_SIZE - 1], 'x',
	       "slot: its name is terminated");
	BREAKS(lockstep_table_check(table, self), waits->seq, 1,
	       "slot: never has it waited since a time to come");
	BREAKS(lockstep_table_check(table, self), timer->state, LOCKSTEP_RUNNABLE,
	       "slot: what is no thread never runs");
	BREAKS(lockstep_table_check(table, self), timer->interval, -1,
	       "slot: a timer's interval is no negative time");
	BREAKS(lockstep_table_check(table, self), timer->baton, 1,
	       "slot: what is no thread never has the baton");
	BREAKS(lockstep_table_check(table, self), table->files_due, 1,
	       "table: it counts the timers that are due");
	g_free(table);
}

/* A child that goes on with a port that is broken. */
static void test_event(void)
{
	if (!INVARIANTS_ARE_CHECKED) {
		g_test_skip("this build has no --enable-checks");
		return;
	}
	if (g_test_subprocess()) {
		struct umadrig_fabric *fabric = make();

		port_of(fabric, "H1", 1)->neighbor_mtu = 9;
		umadrig_step(fabric, NS_PER_S);
		_exit(0);
	}
	g_test_trap_subprocess(NULL, 0, 0);
	g_test_trap_assert_failed();
	g_test_trap_assert_stderr("*an invariant is broken (*): port: its neighbour's MTU is at "
				  "most its own*");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/invariants/port", test_port);
	g_test_add_func("/invariants/cable", test_cable);
	g_test_add_func("/invariants/link", test_link);
	g_test_add_func("/invariants/subnet", test_subnet);
	g_test_add_func("/invariants/planes", test_planes);
	g_test_add_func("/invariants/function", test_function);
	g_test_add_func("/invariants/handle", test_handle);
	g_test_add_func("/invariants/event-queue", test_event_queue);
	g_test_add_func("/invariants/ring", test_ring);
	g_test_add_func("/invariants/letters", test_letters);
	g_test_add_func("/invariants/file", test_file);
	g_test_add_func("/invariants/client", test_client);
	g_test_add_func("/invariants/lockstep", test_lockstep);
	g_test_add_func("/invariants/event", test_event);
	return g_test_run();
}
