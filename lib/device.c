/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* device.c: CAs by name, as array, as list, one at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/backend-list.h"
#include "lib/debug.h"
#include "lib/fail.h"
#include "lib/umad-port.h"
#include "lib/ca-list.h"
#include "lib/select.h"

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	const struct umad_backend *backend = umad_backend_get();
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;
	int r, stored = 0;

	if (!backend)
		return -1;
	if (!cas && max > 0) {
		errno = EINVAL;
		return -1;
	}
	r = umad_list_cas(backend, &names, &count);
	if (r < 0) {
		errno = -r;
		return -1;
	}
	for (size_t i = 0; i < count && stored < max; i++)
		if (strlen(names[i]) < UMAD_CA_NAME_LEN)
			umad_copy_name(cas[stored++], UMAD_CA_NAME_LEN, names[i]);
	free(names);
	umad_trace("%d of %zu CAs", stored, count);
	return stored;
}

/* One block holds the node and its name. */
static struct umad_device_node *make_node(const char *name)
{
	struct umad_device_node *node = malloc(sizeof(*node) + strlen(name) + 1);

	if (node) {
		node->next = NULL;
		node->ca_name = strcpy((char *)(node + 1), name);
	}
	return node;
}

struct umad_device_node *umad_get_ca_device_list(void)
{
	const struct umad_backend *backend = umad_backend_get();
	struct umad_device_node *head = NULL, **link = &head;
	char (*names)[UMAD_BACKEND_NAME_SIZE];
	size_t count;
	int r;

	if (!backend)
		return NULL;
	r = umad_list_cas(backend, &names, &count);
	if (r < 0) {
		errno = -r;
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		*link = make_node(names[i]);
		if (!*link) {
			umad_free_ca_device_list(head);
			free(names);
			errno = ENOMEM;
			return NULL;
		}
		link = &(*link)->next;
	}
	free(names);
	errno = 0;
	return head;
}

void umad_free_ca_device_list(struct umad_device_node *head)
{
	while (head) {
		struct umad_device_node *next = head->next;

		free(head);
		head = next;
	}
}

static int compare_nodes(const void *a, const void *b)
{
	const struct umad_device_node *const *x = a, *const *y = b;

	return strcmp((*x)->ca_name, (*y)->ca_name);
}

int umad_sort_ca_device_list(struct umad_device_node **head, size_t size)
{
	struct umad_device_node *node, **nodes;
	size_t count = 0;

	if (!head)
		return EINVAL;
	for (node = *head; node; node = node->next)
		count++;
	if (size != 0 && size != count)
		return EINVAL;
	if (count < 2)
		return 0;
	nodes = calloc(count, sizeof(*nodes));
	if (!nodes)
		return ENOMEM;
	count = 0;
	for (node = *head; node; node = node->next)
		nodes[count++] = node;
	qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t i = 0; i + 1 < count; i++)
		nodes[i]->next = nodes[i + 1];
	nodes[count - 1]->next = NULL;
	*head = nodes[0];
	free(nodes);
	return 0;
}

/* Reads the ports that the public struct has room for; ports that cannot be read are left out. */
static int fill_ports(const struct umad_backend *backend, const struct umad_backend_ca *from,
		      umad_ca_t *ca)
{
	struct umad_backend_port port;
	int r;

	for (size_t i = 0; i < from->port_count; i++) {
		unsigned int portnum = from->port_nums[i];

		if (portnum >= UMAD_CA_MAX_PORTS)
			continue;
		r = backend->get_port(from->name, portnum,
				      UMAD_BACKEND_PORT_STATE | UMAD_BACKEND_PORT_PKEYS, &port);
		if (r == -ENOMEM)
			return r;
		if (r < 0)
			continue;
		ca->ports[portnum] = malloc(sizeof(umad_port_t));
		if (!ca->ports[portnum]) {
			umad_backend_port_release(&port);
			return -ENOMEM;
		}
		umad_fill_port(from->name, &port, ca->ports[portnum]);
		ca->numports = (int)portnum;
	}
	return 0;
}

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	const struct umad_backend *backend = umad_backend_get();
	char name[UMAD_BACKEND_NAME_SIZE];
	struct umad_backend_ca from;
	umad_ca_t filled = { .numports = 0 };
	int r;

	if (!ca)
		return umad_fail(-EINVAL);
	if (!backend)
		return -errno;
	r = umad_choose_ca(backend, ca_name, name);
	if (r == 0)
		r = backend->get_ca(name, &from);
	umad_trace("%s: %d", ca_name ? ca_name : "(default)", r);
	if (r < 0)
		return umad_fail(r);
	umad_copy_name(filled.ca_name, sizeof(filled.ca_name), name);
	umad_copy_name(filled.fw_ver, sizeof(filled.fw_ver), from.fw_ver);
	umad_copy_name(filled.hw_ver, sizeof(filled.hw_ver), from.hw_rev);
	umad_copy_name(filled.ca_type, sizeof(filled.ca_type), from.hca_type);
	filled.node_type = from.node_type;
	filled.node_guid = htobe64(from.node_guid);
	filled.system_guid = htobe64(from.sys_image_guid);
	r = fill_ports(backend, &from, &filled);
	umad_backend_ca_release(&from);
	if (r < 0) {
		umad_release_ca(&filled);
		return umad_fail(r);
	}
	*ca = filled;
	return 0;
}

int umad_release_ca(umad_ca_t *ca)
{
	if (!ca)
		return umad_fail(-ENODEV);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		if (!ca->ports[i])
			continue;
		umad_release_port(ca->ports[i]);
		free(ca->ports[i]);
		ca->ports[i] = NULL;
	}
	return 0;
}

int umad_get_ca_portguids(const char *ca_name, __be64 *portguids, int max)
{
	const struct umad_backend *backend = umad_backend_get();
	char name[UMAD_BACKEND_NAME_SIZE];
	struct umad_backend_port port;
	struct umad_backend_ca ca;
	int r, count = 0;

	if (!backend)
		return -errno;
	r = umad_choose_ca(backend, ca_name, name);
	if (r == 0)
		r = backend->get_ca(name, &ca);
	if (r < 0)
		return umad_fail(r);
	for (size_t i = 0; portguids && i < ca.port_count; i++) {
		unsigned int portnum = ca.port_nums[i];

		if (max <= 0 || portnum >= (unsigned int)max)
			break;
		while (count <= (int)portnum)
			portguids[count++] = 0;
		if (backend->get_port(name, portnum, UMAD_BACKEND_PORT_STATE, &port) < 0)
			continue;
		portguids[portnum] = htobe64(port.attr.port_guid);
		umad_backend_port_release(&port);
	}
	umad_backend_ca_release(&ca);
	return count;
}
