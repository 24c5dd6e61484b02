# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/filter: programs that load no library of ours. libfilter.a is for unit tests too.
noinst_LIBRARIES += libfilter.a
libfilter_a_SOURCES = \
	harness/base/view-copy.c harness/base/view-copy.h \
	harness/filter/call-lane.c harness/filter/call-lane.h \
	harness/filter/call-queue.c harness/filter/call-queue.h \
	harness/filter/call-trap.h \
	harness/filter/fabric-supervisor.c harness/filter/fabric-supervisor.h \
	harness/filter/filter-check.c harness/filter/filter-check.h \
	harness/filter/filter-listener.c harness/filter/filter-listener.h \
	harness/filter/host-view.c harness/filter/host-view.h \
	harness/filter/memory.c harness/filter/memory.h \
	harness/filter/mount-call.c harness/filter/mount-call.h \
	harness/filter/path-call.h \
	harness/filter/path-directory.c \
	harness/filter/path-find.c harness/filter/path-find.h \
	harness/filter/path-give.c harness/filter/path-give.h \
	harness/filter/path-look.c \
	harness/filter/path-open.c \
	harness/filter/path-stat.c \
	harness/filter/path-watch.c \
	harness/filter/path.c harness/filter/path.h \
	harness/filter/seccomp-abi.h \
	harness/filter/seccomp-filter.c harness/filter/seccomp-filter.h \
	harness/filter/supervisor.c harness/filter/supervisor.h \
	harness/filter/supervisor-threads.c harness/filter/supervisor-threads.h \
	harness/filter/supervisor-turn.c harness/filter/supervisor-turn.h \
	harness/filter/thread-chdir.c harness/filter/thread-chdir.h \
	harness/filter/thread-hold.c harness/filter/thread-hold.h \
	harness/filter/thread-inject.c harness/filter/thread-inject.h \
	harness/filter/thread-reap.c harness/filter/thread-reap.h \
	harness/filter/thread-registers.c harness/filter/thread-registers.h \
	harness/filter/trap-table.c harness/filter/trap-table.h \
	harness/filter/view-names.c harness/filter/view-names.h
# Umad files.
libfilter_a_SOURCES += \
	harness/filter/file-buffer.c harness/filter/file-buffer.h \
	harness/filter/file-call.c harness/filter/file-call.h \
	harness/filter/file-ioctl.c harness/filter/file-read.c harness/filter/file-write.c \
	harness/filter/file-table.c harness/filter/file-table.h \
	harness/filter/filter-file.c harness/filter/filter-file.h \
	harness/filter/flight.c harness/filter/flight.h \
	harness/filter/issm-file.c harness/filter/issm-file.h \
	harness/filter/numbers.c harness/filter/numbers.h \
	harness/filter/program-descriptor.c harness/filter/program-descriptor.h \
	harness/filter/store-file.c harness/filter/store-file.h \
	harness/filter/thread-restart.c harness/filter/thread-restart.h \
	harness/filter/thread-signal.c harness/filter/thread-signal.h \
	harness/filter/thread-status.c harness/filter/thread-status.h
# Files that follow what a host shows.
libfilter_a_SOURCES += \
	harness/filter/copy-watch.c harness/filter/copy-watch.h \
	harness/filter/view-file.c harness/filter/view-file.h
# What a kernel says by itself.
libfilter_a_SOURCES += \
	harness/filter/kernel-reader.c harness/filter/kernel-reader.h \
	harness/filter/kernel-ring-read.c harness/filter/kernel-ring-read.h \
	harness/filter/kmsg-file.c harness/filter/kmsg-file.h harness/filter/kmsg-syslog.c \
	harness/filter/netlink-call.c harness/filter/netlink-call.h \
	harness/filter/uevent-receive.c harness/filter/uevent-receive.h \
	harness/filter/uevent-socket.c harness/filter/uevent-socket.h
# Verbs devices, and netlink for RDMA.
libfilter_a_SOURCES += \
	harness/filter/rdma-answer.c harness/filter/rdma-answer.h \
	harness/filter/rdma-cm-write.c harness/filter/rdma-cm-write.h \
	harness/filter/rdma-socket.c harness/filter/rdma-socket.h \
	harness/filter/uverbs-answer.c harness/filter/uverbs-answer.h \
	harness/filter/uverbs-call.c harness/filter/uverbs-call.h \
	harness/filter/uverbs-command.c harness/filter/uverbs-command.h \
	harness/filter/uverbs-context.c harness/filter/uverbs-context.h \
	harness/filter/uverbs-file.c harness/filter/uverbs-file.h \
	harness/filter/uverbs-ioctl.c \
	harness/filter/uverbs-query.c harness/filter/uverbs-query.h \
	harness/filter/uverbs-write.c \
	harness/filter/verbs-values-read.c harness/filter/verbs-values-read.h
