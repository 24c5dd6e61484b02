# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# sim/dictionary: the MAD dictionary, one file for each group of classes.
libformats_la_SOURCES += \
	sim/dictionary/cm.c \
	sim/dictionary/ip-cm.c \
	sim/dictionary/mad-change.c sim/dictionary/mad-change.h \
	sim/dictionary/mad-dictionary.c sim/dictionary/mad-dictionary.h \
	sim/dictionary/mad-header.c sim/dictionary/mad-header.h \
	sim/dictionary/mgt.c \
	sim/dictionary/notice.c \
	sim/dictionary/perf.c \
	sim/dictionary/sa.c \
	sim/dictionary/sa-component.c sim/dictionary/sa-component.h \
	sim/dictionary/smp.c \
	sim/dictionary/tables.h \
	sim/dictionary/wireshark-names.c sim/dictionary/wireshark-names.h \
	sim/dictionary/wireshark.c sim/dictionary/wireshark.h
