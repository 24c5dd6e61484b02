# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# lib/json: JSON, written. libc only; in no library that programs are given, because it aborts where
# its callers are wrong.
libformats_la_SOURCES += lib/json/json-writer.c lib/json/json-writer.h
