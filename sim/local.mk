# sim: fabric, clock, captures. libsim.la holds all of it (and kmod-stub), for unit tests;
# libumadrig.so.0 is the same with an export list. libformats.la is what of it knows of no fabric and
# has no state (MAD dictionary, captures, topology files, private directories): the umadrig command has its own
# copy beside libumadrig.
noinst_LTLIBRARIES += libformats.la libsim.la
libformats_la_SOURCES =
libsim_la_LIBADD = libformats.la libkmod-stub.la $(GLIB_LIBS) $(PCAP_LIBS)
libsim_la_SOURCES = \
	sim/umadrig.h sim/fabric.h

# -- clock, queue, chance
libformats_la_SOURCES += \
	sim/chance.c sim/chance.h
libsim_la_SOURCES += \
	sim/event-queue.c sim/event-queue.h

# -- directories for sockets and what else stands for devices
libformats_la_SOURCES += \
	sim/private-directory.c sim/private-directory.h

# -- topology files
libformats_la_SOURCES += \
	sim/topology.c sim/topology.h sim/topology-reader.h \
	sim/topology-comment.c sim/topology-detect.c sim/topology-guid.c \
	sim/topology-ibdm.c sim/topology-ibnetdiscover.c sim/topology-ibnl.c sim/topology-ibnl.h \
	sim/topology-ibsim.c \
	sim/topology-lid.c sim/topology-line.c sim/topology-line.h \
	sim/topology-generate.c sim/topology-generate.h \
	sim/topology-generate-dragonfly.c sim/topology-generate-fat-tree.c \
	sim/topology-generate-torus.c \
	sim/topology-link.c sim/topology-lst.c sim/topology-model.c sim/topology-port.c sim/topology-rate.c \
	sim/topology-record.c sim/topology-write-dot.c sim/topology-write-ibnetdiscover.c \
	sim/topology-write-json.c

# -- MAD dictionary, SMA, PMA and others
libformats_la_SOURCES += \
	sim/mad-dictionary.c sim/mad-dictionary.h sim/mad-dictionary-tables.h \
	sim/mad-dictionary-cm.c \
	sim/mad-dictionary-mgt.c \
	sim/mad-dictionary-perf.c \
	sim/mad-dictionary-sa.c \
	sim/mad-dictionary-smp.c
libsim_la_SOURCES += \
	sim/cc.c sim/cc.h \
	sim/gs-agent.c sim/gs-agent.h \
	sim/mlnx-agent.c sim/mlnx-agent.h \
	sim/pma.c sim/pma.h sim/pma-counters.c sim/pma-samples.c \
	sim/port-counters.c sim/port-counters.h \
	sim/sma.c sim/sma.h sim/sma-device.c sim/sma-node.c sim/sma-port.c \
	sim/sma-table.c

# -- captures and replay
libformats_la_SOURCES += \
	sim/capture.h \
	sim/capture-erf.c \
	sim/capture-frame.h \
	sim/capture-infiniband.c \
	sim/capture-pcapng.c sim/capture-pcapng.h \
	sim/capture-read.c \
	sim/capture-side.c sim/capture-side.h \
	sim/capture-roce.c \
	sim/capture-writer.c \
	sim/replay.c sim/replay.h \
	sim/replay-asker.c sim/replay-asker.h \
	sim/replay-question.c sim/replay-question.h \
	sim/sa-mask.c sim/sa-mask.h

# -- fabric, forwarding, hosts, the door
libsim_la_SOURCES += \
	sim/attach.c sim/attach.h \
	sim/cable.c sim/cable.h \
	sim/clock.c sim/clock.h \
	sim/console.c sim/console.h \
	sim/console-counters.c sim/console-counters.h \
	sim/console-link.c sim/console-set.c sim/console-show.c \
	sim/device.c sim/device.h \
	sim/sysfs-counters.c sim/sysfs-counters.h \
	sim/sysfs-view.c sim/sysfs-view.h \
	sim/door.c \
	sim/fabric.c sim/fabric-port.c sim/fabric-topology.c \
	sim/fault.c sim/fault.h \
	sim/fault-corrupt.c \
	sim/fault-hold.c \
	sim/fault-text.c \
	sim/forward.c sim/forward.h sim/forward-switch.c \
	sim/handle.c sim/handle.h \
	sim/host.c \
	sim/issm-path.c sim/issm-path.h \
	sim/lane.c sim/lane.h \
	sim/link.c sim/link.h \
	sim/link-error.c sim/link-error.h \
	sim/partition.c sim/partition.h \
	sim/raw-packet.c sim/raw-packet.h \
	sim/replay-fabric.c \
	sim/replay-timed.c sim/replay-timed.h \
	sim/presence.c sim/presence.h \
	sim/record.c \
	sim/report.c sim/report.h \
	sim/report-group.c sim/report-group.h \
	sim/route.c \
	sim/server.c sim/server.h sim/server-parts.h \
	sim/server-call.c sim/server-client.c sim/server-console.c sim/server-file.c \
	sim/server-page.c sim/server-ring.c \
	sim/session.c sim/session.h \
	sim/options.h sim/spec.c sim/spec.h \
	sim/trace.c \
	sim/trap.c sim/trap.h \
	sim/umadrig.c sim/umadrig-node.c

lib_LTLIBRARIES += libumadrig.la
libumadrig_la_SOURCES =
libumadrig_la_LIBADD = libsim.la
libumadrig_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-Wl,--version-script=$(srcdir)/sim/libumadrig.map
EXTRA_libumadrig_la_DEPENDENCIES = sim/libumadrig.map
EXTRA_DIST += sim/libumadrig.map
include_HEADERS += sim/umadrig.h
pkgconfig_DATA += sim/umadrig.pc
