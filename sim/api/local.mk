# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/api: the public functions, and the door to libibumad.
libsim_la_SOURCES += \
	sim/api/attach.c sim/api/attach.h \
	sim/api/device.c sim/api/device.h \
	sim/api/door.c \
	sim/api/handle.c sim/api/handle.h \
	sim/api/issm-path.c sim/api/issm-path.h \
	sim/api/node.c \
	sim/api/umadrig.c sim/api/umadrig.h
