/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: what the kernel says of devices and ports. */
#include "tests/lab/probes/umadprobe.h"

void t_discover(void)
{
	char names[8][UMAD_CA_NAME_LEN];
	__be64 guids[8];
	umad_ca_t ca;
	umad_port_t p;
	int n, i;
	char path[128];

	n = umad_get_cas_names(names, 8);
	say("get_cas_names(max 8)", "%d: %s %s", n, n > 0 ? names[0] : "", n > 1 ? names[1] : "");
	say("get_cas_names(max 1)", "%s", RV(umad_get_cas_names(names, 1)));
	memset(&ca, 0xee, sizeof ca);
	say("get_ca(rxe0)", "%s", RV(umad_get_ca("rxe0", &ca)));
	say("get_ca(rxe0) fields", "name '%s' node_type %u numports %d fw '%s' type '%s' hw '%s' guid %016lx sys %016lx ports[0] %s ports[1] %s",
	    ca.ca_name, ca.node_type, ca.numports, ca.fw_ver, ca.ca_type, ca.hw_ver,
	    (long)be64toh(ca.node_guid), (long)be64toh(ca.system_guid),
	    ca.ports[0] ? "set" : "NULL", ca.ports[1] ? "set" : "NULL");
	say("release_ca", "%s", RV(umad_release_ca(&ca)));
	say("get_ca(NULL)", "%s", RV(umad_get_ca(NULL, &ca)));
	say("get_ca(nosuch)", "%s", RV(umad_get_ca("nosuch", &ca)));
	say("get_port(rxe0,1)", "%s", RV(umad_get_port("rxe0", 1, &p)));
	say("get_port fields", "ca '%s' portnum %d base_lid %u lmc %u sm_lid %u sm_sl %u state %u phys %u rate %u capmask %08x prefix %016lx guid %016lx pkeys %u [0]=%#x link '%s'",
	    p.ca_name, p.portnum, p.base_lid, p.lmc, p.sm_lid, p.sm_sl, p.state, p.phys_state, p.rate,
	    ntohl(p.capmask), (long)be64toh(p.gid_prefix), (long)be64toh(p.port_guid),
	    p.pkeys_size, p.pkeys[0], p.link_layer);
	umad_release_port(&p);
	say("get_port(rxe0,0)", "%s", RV(umad_get_port("rxe0", 0, &p)));
	say("get_port(rxe0,2)", "%s", RV(umad_get_port("rxe0", 2, &p)));
	n = umad_get_port(NULL, 0, &p);
	say("get_port(NULL,0)", "%d -> %s %d", n, p.ca_name, p.portnum);
	n = umad_get_ca_portguids("rxe0", guids, 8);
	for (i = 0; i < n; i++)
		say("get_ca_portguids(rxe0)", "%d of %d: %016lx", i, n, (long)be64toh(guids[i]));
	say("get_issm_path(rxe0,1)", "%s -> %s", RV(umad_get_issm_path("rxe0", 1, path, sizeof path)), path);
	say("get_issm_path(rxe0,2)", "%s", RV(umad_get_issm_path("rxe0", 2, path, sizeof path)));

	i = umad_open_port("rxe0", 1);
	say("open_port(rxe0,1)", "%s", i >= 0 ? "ok (an fd)" : en(-i));
	n = umad_open_port("rxe0", 1);
	say("open_port(rxe0,1) again", "%s", n >= 0 ? "ok (another fd)" : en(-n));
	say("get_fd", "%s", umad_get_fd(i) == i ? "the port id itself" : "another number");
	say("fd flags", "%#x, FD_CLOEXEC %d", fcntl(i, F_GETFL), fcntl(i, F_GETFD));
	say("close_port", "%s", RV(umad_close_port(n)));
	say("close_port again", "%s", RV(umad_close_port(n)));
	umad_close_port(i);
	i = umad_open_port("rxe0", 0); say("open_port(rxe0,0)", "%s", i >= 0 ? "ok" : en(-i)); if (i >= 0) close(i);
	i = umad_open_port(NULL, 0); say("open_port(NULL,0)", "%s", i >= 0 ? "ok" : en(-i)); if (i >= 0) close(i);
	say("open_port(rxe0,2)", "%s", RV(umad_open_port("rxe0", 2)));
	say("open_port(nosuch,1)", "%s", RV(umad_open_port("nosuch", 1)));
}
