# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/server: one fabric for many processes.
libformats_la_SOURCES += \
	sim/server/letter-queue.c sim/server/letter-queue.h
libsim_la_SOURCES += \
	sim/server/account.c sim/server/account.h \
	sim/server/call-request.h \
	sim/server/client.c sim/server/client.h \
	sim/server/closer.c sim/server/closer.h \
	sim/server/descent.c sim/server/descent.h \
	sim/server/device-call.c sim/server/device-call.h \
	sim/server/errand-call.c sim/server/errand-call.h \
	sim/server/errands.c sim/server/errands.h \
	sim/server/event-call.c sim/server/event-call.h \
	sim/server/event-filter.c sim/server/event-filter.h \
	sim/server/event-socket.c sim/server/event-socket.h \
	sim/server/exchange.c sim/server/exchange.h \
	sim/server/file.c sim/server/file.h \
	sim/server/guest-call.c sim/server/guest-call.h \
	sim/server/handle-call.c sim/server/handle-call.h \
	sim/server/large-letter.c sim/server/large-letter.h \
	sim/server/large-send.c sim/server/large-send.h \
	sim/server/limits.c sim/server/limits.h \
	sim/server/listener.c sim/server/listener.h \
	sim/server/lockstep.c sim/server/lockstep.h \
	sim/server/lockstep-end.c sim/server/lockstep-end.h \
	sim/server/lockstep-cache.c sim/server/lockstep-cache.h \
	sim/server/lockstep-holder.c sim/server/lockstep-holder.h \
	sim/server/lockstep-schedule.c sim/server/lockstep-schedule.h \
	sim/server/lockstep-switches.c sim/server/lockstep-switches.h \
	sim/server/lockstep-owner.c sim/server/lockstep-owner.h \
	sim/server/log-call.c sim/server/log-call.h \
	sim/server/log-file.c sim/server/log-file.h \
	sim/server/memfd.c sim/server/memfd.h \
	sim/server/own-write.h \
	sim/server/page.c sim/server/page.h \
	sim/server/program-memory.c sim/server/program-memory.h \
	sim/server/program-signal.c sim/server/program-signal.h \
	sim/server/ready-socket.c sim/server/ready-socket.h \
	sim/server/reply.h \
	sim/server/served-fabric.c sim/server/served-fabric.h \
	sim/server/server.c sim/server/server.h \
	sim/server/server-call.c sim/server/server-call.h \
	sim/server/server-console.c sim/server/server-console.h \
	sim/server/server-loop.c sim/server/server-loop.h \
	sim/server/server-ring.c sim/server/server-ring.h \
	sim/server/shared-memory.c sim/server/shared-memory.h \
	sim/server/sysfs-card.c sim/server/sysfs-card.h \
	sim/server/sysfs-counters.c sim/server/sysfs-counters.h \
	sim/server/sysfs-functions.c sim/server/sysfs-functions.h \
	sim/server/sysfs-hfi1.c sim/server/sysfs-hfi1.h \
	sim/server/sysfs-hw-counters.c sim/server/sysfs-hw-counters.h \
	sim/server/sysfs-journal.c sim/server/sysfs-journal.h \
	sim/server/sysfs-kernel.c sim/server/sysfs-kernel.h \
	sim/server/sysfs-port.c sim/server/sysfs-port.h \
	sim/server/sysfs-store.c sim/server/sysfs-store.h \
	sim/server/sysfs-tree.c sim/server/sysfs-tree.h \
	sim/server/sysfs-udev.c sim/server/sysfs-udev.h \
	sim/server/sysfs-umad.c sim/server/sysfs-umad.h \
	sim/server/sysfs-verbs.c sim/server/sysfs-verbs.h \
	sim/server/sysfs-view.c sim/server/sysfs-view.h \
	sim/server/sysfs-views.c sim/server/sysfs-views.h \
	sim/server/udev-message.c sim/server/udev-message.h \
	sim/server/users.c sim/server/users.h \
	sim/server/view-reader.c sim/server/view-reader.h \
	sim/server/watch.c sim/server/watch.h
