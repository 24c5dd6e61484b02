# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/diff: what differs between captures.
libformats_la_SOURCES += \
	sim/diff/align.c sim/diff/align.h \
	sim/diff/diff.c sim/diff/diff.h \
	sim/diff/diff-item.c sim/diff/diff-item.h \
	sim/diff/field-name.c sim/diff/field-name.h \
	sim/diff/form.c sim/diff/form.h \
	sim/diff/ignored-fields.c sim/diff/ignored-fields.h \
	sim/diff/message-bytes.c sim/diff/message-bytes.h \
	sim/diff/message-difference.c sim/diff/message-difference.h \
	sim/diff/diff-reader.c sim/diff/diff-reader.h \
	sim/diff/unordered.c sim/diff/unordered.h
