# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/exec: programs on a fabric.
umadrig_SOURCES += \
	harness/exec/attach.c \
	harness/exec/attached-view.c harness/exec/attached-view.h \
	harness/exec/attendant.c harness/exec/attendant.h \
	harness/exec/bridge.c \
	harness/exec/descriptors.c \
	harness/exec/detach.c \
	harness/exec/die-like.c harness/exec/die-like.h \
	harness/exec/environment.c \
	harness/exec/exec.h \
	harness/exec/guard.c \
	harness/exec/hide.c \
	harness/exec/in-guest.c harness/exec/in-guest.h \
	harness/exec/keeper.c \
	harness/exec/keeper.h \
	harness/exec/keeper-process.c \
	harness/exec/launch.c \
	harness/exec/launch.h \
	harness/exec/library.c \
	harness/exec/means.c harness/exec/means.h \
	harness/exec/mount.c \
	harness/exec/passed-signals.c harness/exec/passed-signals.h \
	harness/exec/preload.c \
	harness/exec/properties.c harness/exec/properties.h \
	harness/exec/run.c \
	harness/exec/session.c \
	harness/exec/subnet-manager.c \
	harness/exec/subnet-manager.h \
	harness/exec/sysfs.c
