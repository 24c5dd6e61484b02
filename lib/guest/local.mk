# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/guest: umadrig-guest-init, the first process of guests that hosts are (User-mode Linux).
umadlib_PROGRAMS += umadrig-guest-init
umadrig_guest_init_CPPFLAGS = $(libumad_la_CPPFLAGS)
umadrig_guest_init_CFLAGS = -std=gnu11 $(BIND_CFLAGS) $(WARN_CFLAGS) $(HARDEN_CFLAGS)
umadrig_guest_init_LDFLAGS = $(HARDEN_LDFLAGS) $(PIE_LDFLAGS)
# What tests use of it as well.
GUEST_SOURCES = \
	kmod-stub/linux/hca/umadrig_hca.h \
	lib/guest/device-file.c lib/guest/device-file.h \
	lib/guest/guest-channel.c lib/guest/guest-channel.h \
	lib/guest/guest-order.c lib/guest/guest-order.h \
	lib/guest/guest-program.c lib/guest/guest-program.h
umadrig_guest_init_SOURCES = $(GUEST_SOURCES) \
	lib/guest/guest-init.c \
	lib/guest/guest-mounts.c lib/guest/guest-mounts.h \
	lib/words/number.c lib/words/number.h
