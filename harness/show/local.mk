# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/show: captures as text and as ladders. What scenarios say of captures is in libscript.a.
SHOW_SOURCES = \
	harness/show/arrow-window.c harness/show/arrow-window.h \
	harness/show/columns.c harness/show/columns.h \
	harness/show/conversation-text.c harness/show/conversation-text.h \
	harness/show/conversations.c harness/show/conversations.h \
	harness/show/fabric-difference.c harness/show/fabric-difference.h \
	harness/show/json-field.c harness/show/json-field.h \
	harness/show/json-lines.c harness/show/json-lines.h \
	harness/show/json-schema.c \
	harness/show/show-excerpt.c harness/show/show-excerpt.h \
	harness/show/look-ahead.c harness/show/look-ahead.h \
	harness/show/ladder.c harness/show/ladder.h \
	harness/show/history.c harness/show/history.h \
	harness/show/ladder-plan.c harness/show/ladder-plan.h \
	harness/show/lines.c harness/show/lines.h \
	harness/show/mad-address.c harness/show/mad-address.h \
	harness/show/mad-detail.c harness/show/mad-detail.h \
	harness/show/mermaid.c harness/show/mermaid.h \
	harness/show/packet-header.c harness/show/packet-header.h \
	harness/show/perfetto.c harness/show/perfetto.h \
	harness/show/protobuf.c harness/show/protobuf.h \
	harness/show/rail-name.c harness/show/rail-name.h \
	harness/show/reading.c harness/show/reading.h \
	harness/show/rmpp-fold.c harness/show/rmpp-fold.h \
	harness/show/show-clock.c harness/show/show-clock.h \
	harness/show/svg.c harness/show/svg.h \
	harness/show/table-text.c harness/show/table-text.h \
	harness/show/trip-times.c harness/show/trip-times.h \
	harness/show/view.h \
	harness/show/why.c harness/show/why.h
umadrig_SOURCES += $(SHOW_SOURCES)
libscript_a_SOURCES += \
	harness/show/difference.c harness/show/difference.h \
	harness/show/mad-text.c harness/show/mad-text.h \
	harness/show/text.c harness/show/text.h
