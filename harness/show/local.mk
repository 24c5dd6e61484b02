# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/show: captures as text and as ladders.
umadrig_SOURCES += \
	harness/show/conversations.c harness/show/conversations.h \
	harness/show/difference.c harness/show/difference.h \
	harness/show/ladder.c harness/show/ladder.h \
	harness/show/mad-text.c harness/show/mad-text.h \
	harness/show/show.c harness/show/show.h \
	harness/show/why.c harness/show/why.h
