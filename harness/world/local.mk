# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/world: where scripts run, on the simulator or on real ports.
libscript_a_SOURCES += \
	harness/world/program.c \
	harness/world/world.c harness/world/world.h
umadrig_SOURCES += \
	harness/world/hw.c harness/world/hw-world.h \
	harness/world/hw-attribute.c \
	harness/world/hw-device.c \
	harness/world/hw-file.c \
	harness/world/hw-wire.c harness/world/hw-wire.h \
	harness/world/sim.c harness/world/sim-world.h \
	harness/world/sim-ends.c \
	harness/world/sim-programs.c harness/world/sim-programs.h \
	harness/world/sim-wire.c \
	harness/world/sm-address.c harness/world/sm-address.h \
	harness/world/turns.c harness/world/turns.h
