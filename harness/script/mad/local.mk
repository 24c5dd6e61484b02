# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# harness/script/mad: MADs in scripts: resolved, built, compared.
libscript_a_SOURCES += \
	harness/script/mad/build.c \
	harness/script/mad/compare.c \
	harness/script/mad/hex-ruler.c harness/script/mad/hex-ruler.h \
	harness/script/mad/mad-hex.c harness/script/mad/mad-hex.h \
	harness/script/mad/mad-write.c harness/script/mad/mad-write.h \
	harness/script/mad/pattern.h \
	harness/script/mad/pattern-term.c \
	harness/script/mad/payload.c harness/script/mad/payload.h \
	harness/script/mad/resolve.c \
	harness/script/mad/term-value.c harness/script/mad/term-value.h \
	harness/script/mad/term-words.c harness/script/mad/term-words.h \
	harness/script/mad/term-write.c \
	harness/script/mad/where.c harness/script/mad/where.h \
	harness/script/mad/whole-packet.c harness/script/mad/whole-packet.h
