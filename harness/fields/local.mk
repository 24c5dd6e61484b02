# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/fields: prints the MAD dictionary.
umadrig_SOURCES += \
	harness/fields/fields.h \
	harness/fields/json.c \
	harness/fields/selection.c harness/fields/selection.h \
	harness/fields/text.c \
	harness/fields/wireshark-lua.c harness/fields/wireshark-lua.h \
	harness/fields/wireshark.c
