# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/scrub: captures without the names of their site.
libformats_la_SOURCES += \
	sim/scrub/alias.c sim/scrub/alias.h \
	sim/scrub/alias-book.h \
	sim/scrub/alias-kind.c sim/scrub/alias-kind.h \
	sim/scrub/alias-name.c \
	sim/scrub/alias-search.c \
	sim/scrub/packet-layout.c sim/scrub/packet-layout.h \
	sim/scrub/scrub.c sim/scrub/scrub.h \
	sim/scrub/scrub-erf.c \
	sim/scrub/scrub-format.h \
	sim/scrub/scrub-input.c sim/scrub/scrub-input.h \
	sim/scrub/scrub-mad.c sim/scrub/scrub-mad.h \
	sim/scrub/scrub-output.c sim/scrub/scrub-output.h \
	sim/scrub/scrub-packet.c sim/scrub/scrub-packet.h \
	sim/scrub/scrub-pass.c sim/scrub/scrub-pass.h \
	sim/scrub/scrub-pcap.c \
	sim/scrub/scrub-pcapng.c \
	sim/scrub/scrub-text.c sim/scrub/scrub-text.h \
	sim/scrub/scrub-value.c sim/scrub/scrub-value.h \
	sim/scrub/segments.c sim/scrub/segments.h
