/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * tests/lib/umad-calls.c: makes one call, named by its arguments, and prints its result. For
 * tests/lib/umad-usual.sh, which runs it with the usual library and with ours.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

static void print_port(const umad_port_t *port)
{
	printf(" %s/%d lid %u/%u sm %u/%u state %u/%u rate %u cap %x gid %llx:%llx %s pkeys",
	       port->ca_name, port->portnum, port->base_lid, port->lmc, port->sm_lid, port->sm_sl,
	       port->state, port->phys_state, port->rate, be32toh(port->capmask),
	       (unsigned long long)be64toh(port->gid_prefix),
	       (unsigned long long)be64toh(port->port_guid), port->link_layer);
	for (unsigned int i = 0; i < port->pkeys_size; i++)
		printf(" %x", port->pkeys[i]);
}

static int call_names(const char *ca_name, int portnum)
{
	char names[8][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, 8);

	(void)ca_name;
	(void)portnum;
	for (int i = 0; i < count; i++)
		printf(" %s", names[i]);
	return count;
}

static int call_ca(const char *ca_name, int portnum)
{
	umad_ca_t ca;
	int r;

	(void)portnum;
	memset(&ca, 0, sizeof(ca));
	r = umad_get_ca(ca_name, &ca);
	if (r < 0)
		return r;
	printf(" %s type %u ports %d %s/%s/%s %llx/%llx", ca.ca_name, ca.node_type, ca.numports,
	       ca.fw_ver, ca.hw_ver, ca.ca_type, (unsigned long long)be64toh(ca.node_guid),
	       (unsigned long long)be64toh(ca.system_guid));
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++)
		if (ca.ports[i])
			print_port(ca.ports[i]);
	umad_release_ca(&ca);
	return r;
}

static int call_port(const char *ca_name, int portnum)
{
	umad_port_t port;
	int r;

	memset(&port, 0, sizeof(port));
	r = umad_get_port(ca_name, portnum, &port);
	if (r == 0) {
		print_port(&port);
		umad_release_port(&port);
	}
	return r;
}

static int call_portguids(const char *ca_name, int portnum)
{
	__be64 guids[16];
	int count = umad_get_ca_portguids(ca_name, guids, 16);

	(void)portnum;
	for (int i = 0; i < count; i++)
		printf(" %llx", (unsigned long long)be64toh(guids[i]));
	return count;
}

static int call_issm(const char *ca_name, int portnum)
{
	char path[64] = "";
	int r = umad_get_issm_path(ca_name, portnum, path, sizeof(path));

	printf(" %s", path);
	return r;
}

static int call_open(const char *ca_name, int portnum)
{
	int fd = umad_open_port(ca_name, portnum);

	return fd < 0 ? fd : 0;
}

static int call_reopen(const char *ca_name, int portnum)
{
	call_open(ca_name, portnum);
	return call_open(ca_name, portnum);
}

/* The device is a FIFO: it returns what is sent. */
static int call_send(const char *ca_name, int portnum)
{
	static uint8_t buf[64 + 256];
	int fd = umad_open_port(ca_name, portnum);

	return umad_send(fd, 0, buf, 256, 100, 0);
}

static int call_recv(const char *ca_name, int portnum)
{
	static uint8_t buf[64 + 256];
	int fd = umad_open_port(ca_name, portnum);
	int length = 256;

	umad_send(fd, 0, buf, 256, 100, 0);
	return umad_recv(fd, buf, &length, 1000) < 0 ? -1 : length;
}

static int call_poll(const char *ca_name, int portnum)
{
	static uint8_t buf[64 + 256];
	int fd = umad_open_port(ca_name, portnum);

	umad_send(fd, 0, buf, 256, 100, 0);
	return umad_poll(fd, 1000);
}

/* Refused, since a FIFO has no agents. */
static int call_register(const char *ca_name, int portnum)
{
	int fd = umad_open_port(ca_name, portnum);

	return umad_register(fd, 4, 1, 0, NULL);
}

static int call_close(const char *ca_name, int portnum)
{
	return umad_close_port(umad_open_port(ca_name, portnum));
}

static int call_none(const char *ca_name, int portnum)
{
	(void)ca_name;
	(void)portnum;
	return 0;
}

static const struct {
	const char *name;
	int (*call)(const char *ca_name, int portnum);
} calls[] = {
	{ "none", call_none }, { "names", call_names }, { "ca", call_ca }, { "port", call_port },
	{ "portguids", call_portguids }, { "issm", call_issm }, { "open", call_open },
	{ "reopen", call_reopen }, { "send", call_send }, { "recv", call_recv },
	{ "poll", call_poll }, { "register", call_register }, { "close", call_close },
};

/* CALL [CA [PORT]], "-" for no CA. */
int main(int argc, char **argv)
{
	const char *ca_name = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL;
	int portnum = argc > 3 ? atoi(argv[3]) : 0;

	/* What is done once per process is not counted. */
	umad_init();
	for (size_t i = 0; argc > 1 && i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (strcmp(argv[1], calls[i].name) != 0)
			continue;
		printf("%s:", argv[1]);
		printf(" = %d\n", calls[i].call(ca_name, portnum));
		return 0;
	}
	return 2;
}
