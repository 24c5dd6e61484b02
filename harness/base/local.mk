# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/base: what the commands and the rooms below them share.
umadrig_SOURCES += \
	harness/base/attach-client.c harness/base/attach-client.h \
	harness/base/command-options.c \
	harness/base/command.c harness/base/command.h \
	harness/base/end-signals.c harness/base/end-signals.h \
	harness/base/option-value.c harness/base/option-value.h \
	harness/base/plan-file.c harness/base/plan-file.h \
	harness/base/session-lines.c harness/base/session-lines.h \
	harness/base/status-line.c harness/base/status-line.h \
	harness/base/whole-file.c harness/base/whole-file.h \
	harness/base/xml.c harness/base/xml.h
libscript_a_SOURCES += \
	harness/base/directory-names.c harness/base/directory-names.h \
	harness/base/missing-file.c harness/base/missing-file.h \
	harness/base/missing-program.c harness/base/missing-program.h \
	harness/base/program-package.c harness/base/program-package.h
