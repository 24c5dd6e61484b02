# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/record: bundles of umadrig record.
umadrig_SOURCES += \
	harness/record/archive.c harness/record/archive.h \
	harness/record/attached.c harness/record/attached.h \
	harness/record/bundle.c harness/record/bundle.h \
	harness/record/tapped.c harness/record/tapped.h
