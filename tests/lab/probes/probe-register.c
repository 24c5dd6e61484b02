/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* umadprobe: agents that are registered, and refused. */
#include "tests/lab/probes/umadprobe.h"

void t_register(void)
{
	int fd = openp(0), fd2 = openp(0), fd3 = openp(1), i, a, n;
	long m[2];
	uint32_t id;
	struct umad_reg_attr ra;

	say("vendor 0x0a v1 Get", "id %s", RV(a = reg1(fd, 0x0a, 1, 0, 1)));
	say("same class+version+method, same fd", "%s", RV(reg1(fd, 0x0a, 1, 0, 1)));
	say("same class+version+method, other fd on the port", "%s", RV(reg1(fd2, 0x0a, 1, 0, 1)));
	say("same class+version+method, other device", "id %s", RV(reg1(fd3, 0x0a, 1, 0, 1)));
	say("same class, other method (Set), same fd", "id %s", RV(reg1(fd, 0x0a, 1, 0, 2)));
	say("same class, other method (Send), other fd", "id %s", RV(reg1(fd2, 0x0a, 1, 0, 3)));
	say("same class+method, version 2", "id %s", RV(reg1(fd, 0x0a, 2, 0, 1)));
	m[0] = (1l << 1) | (1l << 5); m[1] = 0;
	say("mask overlapping one used method", "%s", RV(umad_register(fd, 0x0a, 1, 0, m)));
	say("unregister Get agent", "%s", RV(umad_unregister(fd, a)));
	say("unregister again", "%s", RV(umad_unregister(fd, a)));
	say("unregister 31 (never registered)", "%s", RV(umad_unregister(fd, 31)));
	say("unregister 32", "%s", RV(umad_unregister(fd, 32)));
	say("unregister -1", "%s", RV(umad_unregister(fd, -1)));
	say("register Get again", "id %s (lowest free id)", RV(reg1(fd, 0x0a, 1, 0, 1)));
	say("version 7", "id %s", RV(reg1(fd, 0x0b, 7, 0, 1)));
	say("version 8", "%s", RV(reg1(fd, 0x0b, 8, 0, 1)));
	say("version 255", "%s", RV(reg1(fd, 0x0b, 255, 0, 1)));
	say("no methods (NULL mask), class 0x0a", "id %s", RV(umad_register(fd, 0x0a, 1, 0, NULL)));
	say("no methods, class 0x0a, again", "id %s", RV(umad_register(fd, 0x0a, 1, 0, NULL)));
	say("class 0, NULL mask", "id %s", RV(umad_register(fd, 0, 0, 0, NULL)));
	say("class 0, mask Get", "%s", RV(reg1(fd, 0, 1, 0, 1)));
	say("class 0, rmpp 1", "id %s", RV(umad_register(fd, 0, 0, 1, NULL)));
	say("class 0x01 (SM, LID routed; QP0)", "%s", RV(reg1(fd, 0x01, 1, 0, 1)));
	say("class 0x81 (SM, directed; QP0)", "%s", RV(reg1(fd, 0x81, 1, 0, 1)));
	say("class 0x50", "id %s", RV(reg1(fd, 0x50, 1, 0, 1)));
	say("class 0x51", "%s", RV(reg1(fd, 0x51, 1, 0, 1)));
	say("class 0x7f", "%s", RV(reg1(fd, 0x7f, 1, 0, 1)));
	say("class 0xff", "%s", RV(reg1(fd, 0xff, 1, 0, 1)));
	umad_close_port(fd);
	fd = openp(0);
	say("0x30 with umad_register (no OUI)", "%s", RV(reg1(fd, 0x30, 1, 0, 1)));
	say("0x30 with umad_register_oui", "id %s", RV(regoui(fd, 0x30, 1, 1)));
	say("0x30 same OUI, same method", "%s", RV(regoui(fd, 0x30, 1, 1)));
	{
		uint8_t oui2[3] = {0, 0x14, 0x06}, zero[3] = {0, 0, 0};

		m[0] = 2; m[1] = 0;
		say("0x30 other OUI, same method", "id %s", RV(umad_register_oui(fd, 0x30, 1, oui2, m)));
		say("0x30 zero OUI", "%s", RV(umad_register_oui(fd, 0x31, 1, zero, m)));
		say("0x0a with umad_register_oui", "%s", RV(umad_register_oui(fd, 0x0a, 1, oui2, m)));
		say("0x50 with umad_register_oui", "%s", RV(umad_register_oui(fd, 0x50, 1, oui2, m)));
		say("0x4f with umad_register_oui", "id %s", RV(umad_register_oui(fd, 0x4f, 1, oui2, m)));
	}
	say("SA 0x03 v2 rmpp 1, GetTable", "id %s", RV(reg1(fd, 0x03, 2, 1, 0x12)));
	say("SA 0x03 v2 rmpp 2", "%s", RV(reg1(fd, 0x03, 2, 2, 0x13)));
	say("0x0a rmpp 1 (a class without RMPP)", "%s", RV(reg1(fd, 0x0a, 1, 1, 1)));
	say("0x04 rmpp 1", "%s", RV(reg1(fd, 0x04, 1, 1, 1)));
	say("0x10 (DevMgt 0x06) rmpp 1", "id %s", RV(reg1(fd, 0x06, 1, 1, 1)));
	say("BIS 0x12 rmpp 1", "id %s", RV(reg1(fd, 0x12, 1, 1, 1)));
	say("CM 0x07 v2 Send (kernel's ib_cm has it)", "%s", RV(reg1(fd, 0x07, 2, 0, 3)));
	umad_close_port(fd);

	fd = openp(0);
	for (i = 0; i < 40; i++) {
		n = umad_register(fd, 0x0a, 1, 0, NULL);
		if (n < 0)
			break;
	}
	say("agents on one fd", "%d, then %d (%s), errno %s", i, n, en(-n), en(errno));
	umad_close_port(fd);

	fd = openp(0);
	memset(&ra, 0, sizeof ra);
	ra.mgmt_class = 0x0a; ra.mgmt_class_version = 1; ra.method_mask[0] = 1 << 4; ra.flags = 1 << 1;
	id = 99;
	n = umad_register2(fd, &ra, &id);
	say("register2 flags 2", "%d (%s), errno %s; id %u, attr.flags now %#x", n, en(n < 0 ? -n : n), en(errno), id, ra.flags);
	ra.flags = 0x80000001; id = 99;
	n = umad_register2(fd, &ra, &id);
	say("register2 flags 0x80000001", "%d (%s); id %u, attr.flags now %#x", n, en(n < 0 ? -n : n), id, ra.flags);
	ra.flags = 0;
	n = umad_register2(fd, &ra, &id);
	say("register2 flags 0", "%d; id %u", n, id);
	n = umad_register2(fd, &ra, &id);
	say("register2 duplicate method", "%d (%s)", n, en(n < 0 ? -n : n));
	ra.mgmt_class = 0x03; ra.mgmt_class_version = 2; ra.flags = 1; ra.rmpp_version = 1; ra.method_mask[0] = 1 << 4;
	n = umad_register2(fd, &ra, &id);
	say("register2 SA USER_RMPP rmpp 1", "%d; id %u", n, id);
	ra.rmpp_version = 0; ra.method_mask[0] = 1 << 5;
	n = umad_register2(fd, &ra, &id);
	say("register2 SA USER_RMPP rmpp 0", "%d (%s); id %u", n, en(n < 0 ? -n : n), id);
	ra.mgmt_class = 0x0a; ra.method_mask[0] = 1 << 6;
	n = umad_register2(fd, &ra, &id);
	say("register2 0x0a USER_RMPP rmpp 0", "%d (%s); id %u", n, en(n < 0 ? -n : n), id);
	ra.mgmt_class = 0x30; ra.flags = 0; ra.oui = 0x01000000; ra.method_mask[0] = 2;
	n = umad_register2(fd, &ra, &id);
	say("register2 0x30 oui 0x01000000", "%d (%s)", n, en(n < 0 ? -n : n));
	ra.oui = 0x001405; ra.mgmt_class_version = 1;
	n = umad_register2(fd, &ra, &id);
	say("register2 0x30 oui 0x001405", "%d; id %u", n, id);
	say("then register_oui 00:14:05 same method", "%s", RV(regoui(fd, 0x30, 0, 1)));
	ra.mgmt_class = 0; ra.flags = 1; ra.oui = 0; ra.method_mask[0] = 0;
	n = umad_register2(fd, &ra, &id);
	say("register2 class 0 USER_RMPP", "%d (%s)", n, en(n < 0 ? -n : n));
	umad_close_port(fd);
	say("closing frees the registrations", "id %s", RV(reg1(fd2, 0x0a, 1, 0, 4)));
	umad_close_port(fd2);
	umad_close_port(fd3);

	/* the raw device: ioctls in the wrong order, unknown ioctl, wrong sizes */
	fd = open("/dev/infiniband/umad0", O_RDWR);
	struct ib_user_mad_reg_req rq;
	memset(&rq, 0, sizeof rq);
	rq.qpn = 2; rq.mgmt_class = 0x0a; rq.mgmt_class_version = 1;
	say("raw REGISTER_AGENT qpn 2", "%s", RV(ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &rq)));
	rq.qpn = 1;
	n = ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &rq);
	say("raw REGISTER_AGENT without ENABLE_PKEY", "%d; id %u", n, rq.id);
	say("raw ENABLE_PKEY after REGISTER", "%s", RV(ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL)));
	say("raw unknown ioctl (0x1b,9)", "%s", RV(ioctl(fd, _IO(0x1b, 9), NULL)));
	say("raw REGISTER_AGENT bad pointer", "%s", RV(ioctl(fd, IB_USER_MAD_REGISTER_AGENT, (void *)8)));
	say("raw UNREGISTER bad pointer", "%s", RV(ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, (void *)8)));
	close(fd);
	fd = open("/dev/infiniband/umad0", O_RDWR);
	struct ib_user_mad_reg_req2 rq2;
	memset(&rq2, 0, sizeof rq2);
	rq2.qpn = 1; rq2.mgmt_class = 0x0a; rq2.mgmt_class_version = 1; rq2.flags = 2;
	n = ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &rq2);
	say("raw REGISTER_AGENT2 flags 2", "%d errno %s; flags in the struct now %#x", n, en(errno), rq2.flags);
	rq2.flags = 0; rq2.qpn = 1; rq2.res = 7; memset(rq2.reserved, 9, 3);
	n = ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &rq2);
	say("raw REGISTER_AGENT2, reserved fields set", "%d; id %u", n, rq2.id);
	say("raw ENABLE_PKEY", "%s", RV(ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL)));
	say("raw ENABLE_PKEY again", "%s", RV(ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL)));
	say("raw lseek", "%s", RV((int)lseek(fd, 0, SEEK_SET)));
	close(fd);
	say("open O_RDONLY", "%s", (fd = open("/dev/infiniband/umad0", O_RDONLY)) >= 0 ? "ok" : en(errno));
	say("ioctl on O_RDONLY fd", "%s", RV(ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &rq)));
	char b[512] = {0};
	say("write on O_RDONLY fd", "%s", RV((int)write(fd, b, sizeof b)));
	close(fd);
}
