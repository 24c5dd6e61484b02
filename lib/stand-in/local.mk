# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/stand-in: umadrig-stand-in, which libumadlockstep starts in the place of programs that no
# library can be put into. Without sanitizers: it is a program of sessions as others are.
umadlib_PROGRAMS = umadrig-stand-in
umadrig_stand_in_CPPFLAGS = $(libumad_la_CPPFLAGS)
umadrig_stand_in_CFLAGS = -std=gnu11 $(BIND_CFLAGS) $(WARN_CFLAGS) $(HARDEN_CFLAGS)
umadrig_stand_in_LDFLAGS = $(HARDEN_LDFLAGS) $(PIE_LDFLAGS)
umadrig_stand_in_SOURCES = \
	lib/base/elf-strings.h \
	lib/base/environment-padding.c lib/base/environment-padding.h \
	lib/base/environment-read.c lib/base/environment-read.h \
	lib/base/lockstep-variable.h \
	lib/base/syslog-action.h \
	lib/lockstep/error-queue.h \
	lib/lockstep/kernel-signals.h \
	lib/lockstep/proc-file.c lib/lockstep/proc-file.h \
	lib/lockstep/stand-in-door.h \
	lib/lockstep/system-call.h \
	lib/lockstep/terminal-device.h \
	lib/stand-in/call-changes.c lib/stand-in/call-changes.h \
	lib/stand-in/call-files.c lib/stand-in/call-files.h \
	lib/stand-in/call-locks.c lib/stand-in/call-locks.h \
	lib/stand-in/call-looks.c lib/stand-in/call-looks.h \
	lib/stand-in/call-machine.c lib/stand-in/call-machine.h \
	lib/stand-in/call-messages.c lib/stand-in/call-messages.h \
	lib/stand-in/call-owners.c lib/stand-in/call-owners.h \
	lib/stand-in/call-past.c lib/stand-in/call-past.h \
	lib/stand-in/call-priorities.c lib/stand-in/call-priorities.h \
	lib/stand-in/call-processes.c lib/stand-in/call-processes.h \
	lib/stand-in/call-queues.c lib/stand-in/call-queues.h \
	lib/stand-in/call-sockets.c lib/stand-in/call-sockets.h \
	lib/stand-in/call-splices.c lib/stand-in/call-splices.h \
	lib/stand-in/call-time.c lib/stand-in/call-time.h \
	lib/stand-in/call-transfers.c lib/stand-in/call-transfers.h \
	lib/stand-in/foreign-answer.c lib/stand-in/foreign-answer.h \
	lib/stand-in/foreign-birth.c lib/stand-in/foreign-birth.h \
	lib/stand-in/foreign-call.c lib/stand-in/foreign-call.h \
	lib/stand-in/foreign-children.c lib/stand-in/foreign-children.h \
	lib/stand-in/foreign-descriptor.c lib/stand-in/foreign-descriptor.h \
	lib/stand-in/foreign-end.c lib/stand-in/foreign-end.h \
	lib/stand-in/foreign-filter.c lib/stand-in/foreign-filter.h \
	lib/stand-in/foreign-futex.c lib/stand-in/foreign-futex.h \
	lib/stand-in/foreign-host.c lib/stand-in/foreign-host.h \
	lib/stand-in/foreign-image.c lib/stand-in/foreign-image.h \
	lib/stand-in/foreign-kept.c lib/stand-in/foreign-kept.h \
	lib/stand-in/foreign-memory.c lib/stand-in/foreign-memory.h \
	lib/stand-in/foreign-notices.c lib/stand-in/foreign-notices.h \
	lib/stand-in/foreign-process.c lib/stand-in/foreign-process.h \
	lib/stand-in/foreign-robust.c lib/stand-in/foreign-robust.h \
	lib/stand-in/foreign-signals.c lib/stand-in/foreign-signals.h \
	lib/stand-in/foreign-socket.c lib/stand-in/foreign-socket.h \
	lib/stand-in/foreign-stat.c lib/stand-in/foreign-stat.h \
	lib/stand-in/foreign-trace.c lib/stand-in/foreign-trace.h \
	lib/stand-in/foreign-umad.c lib/stand-in/foreign-umad.h \
	lib/stand-in/foreign-view.c lib/stand-in/foreign-view.h \
	lib/stand-in/stand-in.c \
	lib/stand-in/stopped-calls.c lib/stand-in/stopped-calls.h \
	lib/words/number.c lib/words/number.h
