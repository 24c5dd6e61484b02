# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/host: a node at work: what arrives at it, its kernel, and what programs have open.
libsim_la_SOURCES += \
	sim/host/arrival.c sim/host/arrival.h \
	sim/host/device.c sim/host/device.h \
	sim/host/eventfd-id.c sim/host/eventfd-id.h \
	sim/host/fabric-check.c sim/host/fabric-check.h \
	sim/host/handle.c sim/host/handle.h \
	sim/host/handle-check.c \
	sim/host/handle-enter.c sim/host/handle-enter.h \
	sim/host/handle-index.c sim/host/handle-index.h \
	sim/host/handle-io.c \
	sim/host/issm-path.c sim/host/issm-path.h \
	sim/host/kernel.c sim/host/kernel.h \
	sim/host/poll-any.c sim/host/poll-any.h \
	sim/host/power.c sim/host/power.h \
	sim/host/sm-missed.c sim/host/sm-missed.h
