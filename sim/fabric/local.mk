# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/fabric: nodes, ports, links, forwarding of packets, and faults.
libformats_la_SOURCES += \
	sim/fabric/fault-action.c sim/fabric/fault-action.h \
	sim/fabric/fault-check.c \
	sim/fabric/fault-colons.c \
	sim/fabric/fault-filter-word.c sim/fabric/fault-filter-word.h \
	sim/fabric/fault-parse.c sim/fabric/fault-parse.h \
	sim/fabric/fault-sentence.c \
	sim/fabric/fault-text.c \
	sim/fabric/fault-where-parse.c sim/fabric/fault-where.h \
	sim/fabric/lie-parse.c \
	sim/fabric/quirk-name.c sim/fabric/quirk-name.h
libsim_la_SOURCES += \
	sim/fabric/cable.c sim/fabric/cable.h \
	sim/fabric/credit-loop.c sim/fabric/credit-loop.h \
	sim/fabric/drop.c sim/fabric/drop.h \
	sim/fabric/end-port.c sim/fabric/end-port.h \
	sim/fabric/entry.c sim/fabric/entry.h \
	sim/fabric/fabric.c sim/fabric/fabric.h \
	sim/fabric/fabric-delivery.c sim/fabric/fabric-delivery.h \
	sim/fabric/fabric-load.c sim/fabric/fabric-load.h \
	sim/fabric/fabric-programs.h \
	sim/fabric/fabric-sa.h \
	sim/fabric/fabric-trace.c sim/fabric/fabric-trace.h \
	sim/fabric/fault.c sim/fabric/fault.h \
	sim/fabric/fault-corrupt.c \
	sim/fabric/fault-hold.c \
	sim/fabric/fault-where.c \
	sim/fabric/forward.c sim/fabric/forward.h \
	sim/fabric/forward-switch.c sim/fabric/forward-switch.h \
	sim/fabric/function-make.c sim/fabric/function-make.h \
	sim/fabric/host.c sim/fabric/host.h \
	sim/fabric/kernel-message.c sim/fabric/kernel-message.h \
	sim/fabric/lane.c sim/fabric/lane.h \
	sim/fabric/lie.c sim/fabric/lie.h \
	sim/fabric/link.c sim/fabric/link.h \
	sim/fabric/link-error.c sim/fabric/link-error.h \
	sim/fabric/load-share.c sim/fabric/load-share.h \
	sim/fabric/load-text.c \
	sim/fabric/load-touch.h \
	sim/fabric/motion.c sim/fabric/motion.h \
	sim/fabric/node-change.h \
	sim/fabric/node.c sim/fabric/node.h \
	sim/fabric/observer.h \
	sim/fabric/options.c sim/fabric/options.h \
	sim/fabric/partition.c sim/fabric/partition.h \
	sim/fabric/plane.c sim/fabric/plane.h \
	sim/fabric/port.c sim/fabric/port.h \
	sim/fabric/port-counters.c sim/fabric/port-counters.h \
	sim/fabric/quirk.c sim/fabric/quirk.h \
	sim/fabric/raw-packet.c sim/fabric/raw-packet.h \
	sim/fabric/record.c sim/fabric/record.h \
	sim/fabric/report.c sim/fabric/report.h \
	sim/fabric/report-group.c sim/fabric/report-group.h \
	sim/fabric/route.c sim/fabric/route.h sim/fabric/route-map.c sim/fabric/route-map.h \
	sim/fabric/router.c sim/fabric/router.h \
	sim/fabric/subnet.c sim/fabric/subnet.h \
	sim/fabric/switch.c sim/fabric/switch.h \
	sim/fabric/trap.c sim/fabric/trap.h \
	sim/fabric/virtual-function.c sim/fabric/virtual-function.h
