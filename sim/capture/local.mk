# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/capture: captures: reading, writing and replay.
libformats_la_SOURCES += \
	sim/capture/capture.h \
	sim/capture/cause.c sim/capture/cause.h \
	sim/capture/container.c sim/capture/container.h \
	sim/capture/cooked.c \
	sim/capture/conversation.c sim/capture/conversation.h \
	sim/capture/erf.c \
	sim/capture/erf-file.c \
	sim/capture/frame.h \
	sim/capture/identity.c sim/capture/identity.h \
	sim/capture/infiniband.c \
	sim/capture/mad-role.c sim/capture/mad-role.h \
	sim/capture/names.c sim/capture/names.h \
	sim/capture/order.c \
	sim/capture/pace.c sim/capture/pace.h \
	sim/capture/pcap-direct.c \
	sim/capture/pcap-file.c \
	sim/capture/pcapng.c sim/capture/pcapng.h \
	sim/capture/read.c \
	sim/capture/replay.c sim/capture/replay.h \
	sim/capture/replay-asker.c sim/capture/replay-asker.h \
	sim/capture/replay-closest.c sim/capture/replay-closest.h \
	sim/capture/replay-question.c sim/capture/replay-question.h \
	sim/capture/replay-store.c sim/capture/replay-store.h \
	sim/capture/roce.c \
	sim/capture/rows.h \
	sim/capture/sa-mask.c sim/capture/sa-mask.h \
	sim/capture/shown.c sim/capture/shown.h \
	sim/capture/side.c sim/capture/side.h \
	sim/capture/source.c sim/capture/source.h \
	sim/capture/stable-sort.h \
	sim/capture/stream.c sim/capture/stream.h \
	sim/capture/tar.c sim/capture/tar.h \
	sim/capture/transfer.c sim/capture/transfer.h \
	sim/capture/writer.c
