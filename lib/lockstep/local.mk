# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/lockstep: libumadlockstep.so, which umadrig exec preloads with clock=virtual, in front of all
# other libraries: programs in virtual time. The first constructor of all (initfirst); it changes
# the canary, so it has none itself. Cancellation unwinds through it.
umadlib_LTLIBRARIES += libumadlockstep.la
libumadlockstep_la_CPPFLAGS = $(libumad_la_CPPFLAGS)
libumadlockstep_la_CFLAGS = -std=gnu11 $(BIND_CFLAGS) $(WARN_CFLAGS) $(HARDEN_CFLAGS) \
	-fno-stack-protector -fasynchronous-unwind-tables -fvisibility=hidden
libumadlockstep_la_LDFLAGS = $(HARDEN_LDFLAGS) -module -avoid-version -shared -Wl,-z,nodelete \
	-Wl,-z,initfirst -Wl,-Bsymbolic-functions
libumadlockstep_la_SOURCES = \
	lib/base/environment-padding.c lib/base/environment-padding.h \
	lib/lockstep/advance.c lib/lockstep/advance.h \
	lib/lockstep/audit.c lib/lockstep/audit.h \
	lib/lockstep/audit-calls.c lib/lockstep/audit-calls.h \
	lib/lockstep/barriers.c \
	lib/lockstep/baton.c lib/lockstep/baton.h \
	lib/lockstep/begin.c \
	lib/lockstep/c11.c \
	lib/lockstep/call-name.h \
	lib/lockstep/calls-by-number.c \
	lib/lockstep/chance.c lib/lockstep/lockstep-chance.h \
	lib/lockstep/clock-settings.c lib/lockstep/clock-settings.h \
	lib/lockstep/clocks.c lib/lockstep/clocks.h \
	lib/lockstep/commands.c \
	lib/lockstep/conditions.c lib/lockstep/conditions.h \
	lib/lockstep/crash.c lib/lockstep/crash.h \
	lib/lockstep/credentials.c lib/lockstep/credentials.h \
	lib/lockstep/death.c lib/lockstep/death.h \
	lib/lockstep/delivery.c lib/lockstep/delivery.h \
	lib/lockstep/descriptors.c lib/lockstep/descriptors.h \
	lib/lockstep/dispatch.c lib/lockstep/dispatch.h \
	lib/lockstep/error-queue.h \
	lib/lockstep/file-locks.c lib/lockstep/file-locks.h \
	lib/lockstep/file-owner.c lib/lockstep/file-owner.h \
	lib/lockstep/file-times.c lib/lockstep/file-times.h \
	lib/lockstep/futexes.c lib/lockstep/futexes.h \
	lib/lockstep/hooks.c lib/lockstep/hooks.h \
	lib/lockstep/images.c lib/lockstep/images.h \
	lib/lockstep/kernel-signals.h \
	lib/lockstep/mappings.c lib/lockstep/mappings.h \
	lib/lockstep/library-cache.c lib/lockstep/library-cache.h \
	lib/lockstep/locks.c lib/lockstep/locks.h \
	lib/lockstep/look-row.c lib/lockstep/look-row.h \
	lib/lockstep/looks.c lib/lockstep/looks.h \
	lib/lockstep/machine.c lib/lockstep/machine.h \
	lib/lockstep/machine-files.c lib/lockstep/machine-files.h \
	lib/lockstep/message-queues.c \
	lib/lockstep/message-times.c lib/lockstep/message-times.h \
	lib/lockstep/mq-notices.c \
	lib/lockstep/next.c lib/lockstep/next.h \
	lib/lockstep/once.c lib/lockstep/once.h \
	lib/lockstep/opens.c lib/lockstep/opens.h \
	lib/lockstep/past-libc.c lib/lockstep/past-libc.h \
	lib/lockstep/ports.c lib/lockstep/ports.h \
	lib/lockstep/priorities.c lib/lockstep/priorities.h \
	lib/lockstep/proc-names.c lib/lockstep/proc-names.h \
	lib/lockstep/proc-file.c lib/lockstep/proc-file.h \
	lib/lockstep/process-state.c lib/lockstep/process-state.h \
	lib/lockstep/processes.c lib/lockstep/processes.h \
	lib/lockstep/processors.c lib/lockstep/processors.h \
	lib/lockstep/refusals.c lib/lockstep/refusals.h \
	lib/lockstep/semaphores.c \
	lib/lockstep/lockstep-session.h \
	lib/lockstep/shared.c lib/lockstep/shared.h \
	lib/lockstep/signal-senders.c lib/lockstep/signal-senders.h \
	lib/lockstep/signal-waits.c lib/lockstep/signal-waits.h \
	lib/lockstep/signals.c lib/lockstep/signals.h \
	lib/lockstep/sleeps.c lib/lockstep/sleeps.h \
	lib/lockstep/sockets.c lib/lockstep/sockets.h \
	lib/lockstep/stand-in-door.h \
	lib/lockstep/stand-ins.c lib/lockstep/stand-ins.h \
	lib/lockstep/stops.c lib/lockstep/stops.h \
	lib/lockstep/strategy.c lib/lockstep/strategy.h \
	lib/lockstep/system-call.h \
	lib/lockstep/system-log.c \
	lib/lockstep/system-v.c \
	lib/lockstep/table.c lib/lockstep/table.h \
	lib/lockstep/table-check.c lib/lockstep/table-check.h \
	lib/lockstep/spin-locks.c \
	lib/lockstep/splices.c lib/lockstep/splices.h \
	lib/lockstep/tasks.c lib/lockstep/tasks.h \
	lib/lockstep/tcp.c lib/lockstep/tcp.h \
	lib/lockstep/tcp-end.c lib/lockstep/tcp-end.h \
	lib/lockstep/tcp-peer.c lib/lockstep/tcp-peer.h \
	lib/lockstep/temporary-names.c \
	lib/lockstep/terminal-device.h \
	lib/lockstep/terminals.c lib/lockstep/terminals.h \
	lib/lockstep/thread-signals.c lib/lockstep/thread-signals.h \
	lib/lockstep/thread-timers.c lib/lockstep/thread-timers.h \
	lib/lockstep/threads.c lib/lockstep/threads.h \
	lib/lockstep/timer-files.c lib/lockstep/timer-files.h \
	lib/lockstep/timer-signals.c lib/lockstep/timer-signals.h \
	lib/lockstep/timers.c lib/lockstep/timers.h \
	lib/lockstep/turn.c lib/lockstep/turn.h \
	lib/user-memory.c lib/user-memory.h \
	lib/words/number.c lib/words/number.h
