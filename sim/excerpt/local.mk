# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/excerpt: some frames of a capture, as they are.
libformats_la_SOURCES += sim/excerpt/excerpt.c sim/excerpt/excerpt.h
