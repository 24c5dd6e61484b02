# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# tests/kmod-stub: kmod-stub.
check_PROGRAMS += tests/kmod-stub/dispatch tests/kmod-stub/file tests/kmod-stub/invariants \
	tests/kmod-stub/linux-kernel tests/kmod-stub/linux-rooms \
	tests/kmod-stub/memory \
	tests/kmod-stub/packet tests/kmod-stub/profile tests/kmod-stub/reflected-crc \
	tests/kmod-stub/registration \
	tests/kmod-stub/rmpp-dual tests/kmod-stub/rmpp-recv tests/kmod-stub/rmpp-send \
	tests/kmod-stub/send tests/kmod-stub/smi tests/kmod-stub/switch \
	tests/kmod-stub/timeout tests/kmod-stub/write
TESTS += tests/kmod-stub/packet tests/kmod-stub/reflected-crc \
	tests/kmod-stub/dispatch tests/kmod-stub/file tests/kmod-stub/invariants \
	tests/kmod-stub/registration tests/kmod-stub/send tests/kmod-stub/smi \
	tests/kmod-stub/switch tests/kmod-stub/timeout tests/kmod-stub/write \
	tests/kmod-stub/profile tests/kmod-stub/rmpp-dual tests/kmod-stub/rmpp-recv \
	tests/kmod-stub/rmpp-send tests/kmod-stub/memory tests/kmod-stub/linux-kernel \
	tests/kmod-stub/linux-build.sh tests/kmod-stub/linux-rooms

tests_kmod_stub_packet_LDADD = $(UNIT_LDADD)
tests_kmod_stub_reflected_crc_LDADD = $(UNIT_LDADD)
tests_kmod_stub_dispatch_LDADD = $(KMOD_LDADD)
tests_kmod_stub_file_LDADD = $(KMOD_LDADD)
tests_kmod_stub_invariants_LDADD = $(KMOD_LDADD)
tests_kmod_stub_registration_LDADD = $(KMOD_LDADD)
tests_kmod_stub_send_LDADD = $(KMOD_LDADD)
tests_kmod_stub_smi_LDADD = $(KMOD_LDADD)
tests_kmod_stub_switch_LDADD = $(KMOD_LDADD)
tests_kmod_stub_timeout_LDADD = $(KMOD_LDADD)
tests_kmod_stub_write_LDADD = $(KMOD_LDADD)
tests_kmod_stub_profile_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_dual_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_recv_LDADD = $(KMOD_LDADD)
tests_kmod_stub_rmpp_send_LDADD = $(KMOD_LDADD)
tests_kmod_stub_linux_kernel_LDADD = $(KMOD_LDADD)
tests_kmod_stub_linux_rooms_SOURCES = tests/kmod-stub/linux-rooms.c \
	kmod-stub/linux/linux-locks.c kmod-stub/linux/linux-memory.c \
	kmod-stub/linux/linux-numbers.c kmod-stub/linux/linux-text.c
tests_kmod_stub_linux_rooms_LDADD = $(GLIB_LIBS)
tests_kmod_stub_memory_SOURCES = tests/kmod-stub/memory.c tests/swarm/swarm-memory.c \
	tests/swarm/swarm-memory.h
tests_kmod_stub_memory_LDFLAGS = $(AM_LDFLAGS) $(WRAP_MEMORY)
tests_kmod_stub_memory_LDADD = libkmod-rig.la $(STATIC_LDADD)

# Five files of ours, for kmod-stub/linux/build.
FAKE_TREE = tests/kmod-stub/fake-tree
EXTRA_DIST += tests/kmod-stub/linux-build.sh $(FAKE_TREE)/Makefile \
	$(FAKE_TREE)/drivers/infiniband/core/agent.c $(FAKE_TREE)/drivers/infiniband/core/mad.c \
	$(FAKE_TREE)/drivers/infiniband/core/mad_rmpp.c $(FAKE_TREE)/drivers/infiniband/core/smi.c \
	$(FAKE_TREE)/drivers/infiniband/core/user_mad.c \
	tests/kmod-stub/fake-tree/include/rdma/ib_mad.h \
	tests/kmod-stub/fake-tree/include/uapi/rdma/hfi/hfi1_ioctl.h \
	tests/kmod-stub/fake-tree/include/uapi/rdma/ib_user_mad.h
