# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/capture: filters that select MADs of a capture, and the ports at the ends of MADs.
libscript_a_SOURCES += \
	harness/capture/filter.c harness/capture/filter.h \
	harness/capture/frame-traits.c harness/capture/frame-traits.h \
	harness/capture/mad-ends.c harness/capture/mad-ends.h
