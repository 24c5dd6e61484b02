# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/verb: what a line of a script may begin with, one file each.
libscript_a_SOURCES += \
	harness/script/verb/arrives.c \
	harness/script/verb/attribute-line.c harness/script/verb/attribute-line.h \
	harness/script/verb/call.c \
	harness/script/verb/call-arg.c \
	harness/script/verb/call-buffer.c \
	harness/script/verb/call-check.c harness/script/verb/call-check.h \
	harness/script/verb/call-device.c \
	harness/script/verb/call-fact.c harness/script/verb/call-fact.h \
	harness/script/verb/call-file.c \
	harness/script/verb/call-run.h \
	harness/script/verb/call-string.c \
	harness/script/verb/call-table.c harness/script/verb/call-table.h \
	harness/script/verb/call-umad.c \
	harness/script/verb/check.c \
	harness/script/verb/do.c \
	harness/script/verb/fault.c \
	harness/script/verb/fault-line.c harness/script/verb/fault-line.h \
	harness/script/verb/fault-parse.c \
	harness/script/verb/fault-run.c \
	harness/script/verb/leaves.c \
	harness/script/verb/link.c \
	harness/script/verb/newer-umad.c harness/script/verb/newer-umad.h \
	harness/script/verb/note.c \
	harness/script/verb/peer.c harness/script/verb/peer-line.h \
	harness/script/verb/peer-sends.c \
	harness/script/verb/peer-withholds.c \
	harness/script/verb/program.c harness/script/verb/program.h \
	harness/script/verb/recv.c harness/script/verb/recv.h \
	harness/script/verb/replay.c \
	harness/script/verb/start.c \
	harness/script/verb/verbs.h \
	harness/script/verb/wire.c \
	harness/script/verb/wire-capture.c \
	harness/script/verb/wire-line.h \
	harness/script/verb/words.c harness/script/verb/words.h
