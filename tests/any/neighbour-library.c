/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * neighbour-library: what neighbour.c does, by the calls of libibumad and libibmad, to be linked
 * with the static libraries of a distribution.
 */
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void list_devices(void)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);
	umad_port_t port;
	umad_ca_t ca;

	for (int i = 0; i < count; i++) {
		const uint8_t *guid = (const uint8_t *)&ca.node_guid;

		if (umad_get_ca(names[i], &ca) < 0)
			continue;
		printf("device %s: GUID ", names[i]);
		for (int at = 0; at < 8; at += 2)
			printf("%02x%02x%s", guid[at], guid[at + 1], at < 6 ? ":" : "\n");
		umad_release_ca(&ca);
	}
	if (count < 1 || umad_get_port(names[0], 1, &port) < 0)
		return;
	printf("umad0: port %d of %s, a character device\n", port.portnum, port.ca_name);
	umad_release_port(&port);
}

static void *request(void *umad)
{
	uint8_t *mad = umad_get_mad(umad);

	memset(umad, 0, umad_size() + IB_MAD_SIZE);
	umad_set_addr(umad, 0xffff, 0, 0, 0);
	mad_set_field(mad, 0, IB_MAD_BASEVER_F, 1);
	mad_set_field(mad, 0, IB_MAD_MGMTCLASS_F, IB_SMI_DIRECT_CLASS);
	mad_set_field(mad, 0, IB_MAD_CLASSVER_F, 1);
	mad_set_field(mad, 0, IB_MAD_METHOD_F, IB_MAD_METHOD_GET);
	mad_set_field(mad, 0, IB_DRSMP_HOPCNT_F, 1);
	memcpy(mad + 12, "any!", 4);
	mad_set_field(mad, 0, IB_MAD_ATTRID_F, IB_ATTR_NODE_INFO);
	memset(mad + 32, 0xff, 4);
	mad[129] = 1;
	return umad;
}

static void ask(int fd, int agent, void *umad)
{
	uint8_t *mad = umad_get_mad(umad), *info = mad + IB_SMP_DATA_OFFS;
	int size = IB_MAD_SIZE;

	if (umad_send(fd, agent, request(umad), IB_MAD_SIZE, 1000, 0) < 0 ||
	    umad_poll(fd, 5000) < 0 || umad_recv(fd, umad, &size, 0) != agent)
		printf("no answer: errno %d\n", errno);
	else
		printf("neighbour: method 0x%x, TID %.4s, type %u, %u ports\n",
		       mad[3], mad + 12, mad_get_field(info, 0, IB_NODE_TYPE_F),
		       mad_get_field(info, 0, IB_NODE_NPORTS_F));
}

static void refused(const char *call, long result)
{
	printf("%s: %ld, errno %d\n", call, result, result < 0 ? errno : 0);
}

int main(void)
{
	void *umad = umad_alloc(1, umad_size() + IB_MAD_SIZE);
	int fd, agent;

	if (!umad || umad_init() < 0)
		return 1;
	list_devices();
	fd = umad_open_port(NULL, 1);
	if (fd < 0) {
		fprintf(stderr, "umad_open_port: %d\n", fd);
		return 1;
	}
	agent = umad_register(fd, IB_SMI_DIRECT_CLASS, 1, 0, NULL);
	if (agent >= 0)
		ask(fd, agent, umad);
	else
		printf("register: errno %d\n", errno);
	/* The library's calls hide what these show. */
	request(umad);
	refused("write of 20 bytes", write(umad_get_fd(fd), umad, 20));
	*(uint32_t *)umad = 31;
	refused("write for agent 31", write(umad_get_fd(fd), umad, umad_size() + IB_MAD_SIZE));
	refused("read of 20 bytes", read(umad_get_fd(fd), umad, 20));
	refused("unknown ioctl", ioctl(umad_get_fd(fd), _IO(0x1b, 9), 0));
	umad_close_port(fd);
	umad_free(umad);
	return 0;
}
