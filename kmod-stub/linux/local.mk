# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kmod-stub/linux: what stands for Linux's interfaces when the MAD layer of a kernel's tree is
# compiled, on the user's machine, by kmod-stub/linux/build. Installed as in the tree, with the
# headers that it includes. The build of umadrig compiles it for tests only.
kerneldir = $(pkgdatadir)/kernel
nobase_dist_kernel_SCRIPTS = kmod-stub/linux/build kmod-stub/linux/hca/build-uml
nobase_dist_kernel_DATA = \
	kmod-stub/event.h kmod-stub/kmod-kernel.h kmod-stub/kmod-profile.h kmod-stub/kmod.h \
	kmod-stub/packet.h lib/base/wire.h \
	kmod-stub/linux/interfaces.h \
	kmod-stub/linux/kernel-file.c kmod-stub/linux/kernel-file.h \
	kmod-stub/linux/kernel-layout.h \
	kmod-stub/linux/linux-addresses.c kmod-stub/linux/linux-addresses.h \
	kmod-stub/linux/linux-attributes.h \
	kmod-stub/linux/linux-devices.c kmod-stub/linux/linux-devices.h \
	kmod-stub/linux/linux-drop.c kmod-stub/linux/linux-drop.h \
	kmod-stub/linux/linux-host.c kmod-stub/linux/linux-host.h \
	kmod-stub/linux/linux-lists.h \
	kmod-stub/linux/linux-locks.c kmod-stub/linux/linux-locks.h \
	kmod-stub/linux/linux-memory.c kmod-stub/linux/linux-memory.h \
	kmod-stub/linux/linux-numbers.c kmod-stub/linux/linux-numbers.h \
	kmod-stub/linux/linux-port.c kmod-stub/linux/linux-port.h \
	kmod-stub/linux/linux-processors.c kmod-stub/linux/linux-processors.h \
	kmod-stub/linux/linux-text.c kmod-stub/linux/linux-text.h \
	kmod-stub/linux/linux-tracepoints.c kmod-stub/linux/linux-tracepoints.h \
	kmod-stub/linux/linux-types.h \
	kmod-stub/linux/linux-umad.c kmod-stub/linux/linux-umad.h \
	kmod-stub/linux/linux-verbs.h \
	kmod-stub/linux/linux-wire.c kmod-stub/linux/linux-wire.h \
	kmod-stub/linux/linux-work.c kmod-stub/linux/linux-work.h \
	kmod-stub/linux/mad-door.c kmod-stub/linux/mad-door.h \
	kmod-stub/linux/services.c kmod-stub/linux/services.h \
	kmod-stub/linux/user-mad-door.c kmod-stub/linux/user-mad-door.h \
	kmod-stub/linux/hca/Kbuild kmod-stub/linux/hca/dkms.conf \
	kmod-stub/linux/hca/config/debug.config kmod-stub/linux/hca/config/edges.config \
	kmod-stub/linux/hca/config/kasan.config \
	kmod-stub/linux/hca/config/kcov.config kmod-stub/linux/hca/config/lockdep.config \
	kmod-stub/linux/hca/config/uml.config \
	kmod-stub/linux/hca/edges_user.c kmod-stub/linux/hca/entropy_user.c \
	kmod-stub/linux/hca/hca-device.c kmod-stub/linux/hca/hca-edges.c \
	kmod-stub/linux/hca/hca-edges.h kmod-stub/linux/hca/hca-fabric.c \
	kmod-stub/linux/hca/hca-file.c kmod-stub/linux/hca/hca-guest.c \
	kmod-stub/linux/hca/hca-main.c kmod-stub/linux/hca/hca-packet.c \
	kmod-stub/linux/hca/hca-datagram.c \
	kmod-stub/linux/hca/hca-port.c kmod-stub/linux/hca/hca-queue.c \
	kmod-stub/linux/hca/hca-virtio.c kmod-stub/linux/hca/hca.h \
	kmod-stub/linux/hca/umadrig_hca.h
