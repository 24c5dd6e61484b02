# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kmod-stub: the kernel behind /dev/infiniband/umadN, as a hidden convenience library.
noinst_LTLIBRARIES += libkmod-stub.la
libkmod_stub_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
libkmod_stub_la_SOURCES = \
	kmod-stub/agent-table.c kmod-stub/agent-table.h \
	kmod-stub/agent.c kmod-stub/agent.h \
	kmod-stub/event.h \
	kmod-stub/flow-control.c kmod-stub/flow-control.h \
	kmod-stub/kmod-host.c kmod-stub/kmod-host.h \
	kmod-stub/kmod-kernel.h \
	kmod-stub/kmod-profile.h \
	kmod-stub/issm.c \
	kmod-stub/kmod.h \
	kmod-stub/mad-recv.c kmod-stub/mad-recv.h \
	kmod-stub/mad-send.c kmod-stub/mad-send.h \
	kmod-stub/mad-send-check.c \
	kmod-stub/packet.c kmod-stub/packet.h \
	kmod-stub/kmod-port.c kmod-stub/kmod-port.h \
	kmod-stub/profile.c kmod-stub/profile.h \
	kmod-stub/reflected-crc.c kmod-stub/reflected-crc.h \
	kmod-stub/rmpp-context.c kmod-stub/rmpp-context.h \
	kmod-stub/rmpp-control.c \
	kmod-stub/rmpp-recv.c \
	kmod-stub/rmpp-segment.c \
	kmod-stub/rmpp-send.c \
	kmod-stub/rmpp-table.h \
	kmod-stub/rmpp.h \
	kmod-stub/send-packet.c kmod-stub/send-packet.h \
	kmod-stub/send-queue.c kmod-stub/send-queue.h \
	kmod-stub/send-table.c kmod-stub/send-table.h \
	kmod-stub/smi.c kmod-stub/smi.h \
	kmod-stub/stub-check.c \
	kmod-stub/stub.c kmod-stub/stub.h \
	kmod-stub/trace.c kmod-stub/trace.h \
	kmod-stub/umad-file.c kmod-stub/umad-file.h \
	kmod-stub/umad-ioctl.c \
	kmod-stub/umad-message.c \
	kmod-stub/umad-write.c \
	kmod-stub/wait-heap.c kmod-stub/wait-heap.h \
	kmod-stub/wait-queue.c kmod-stub/wait-queue.h \
	kmod-stub/wire-crc.c kmod-stub/wire-crc.h
