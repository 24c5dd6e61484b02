#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stand-in-calls: each system call that this machine's headers have is answered by umadrig-stand-in,
# or is known to be harmless (tests/data/harmless-calls), or is newer than both know, and stopped.
set -u
. "$top_srcdir/tests/rig/tap.sh"

calls=$top_srcdir/lib/stand-in/stopped-calls.c
harmless=$top_srcdir/tests/data/harmless-calls
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
newest=$(sed -n 's/^enum { CALL_PAST_UNKNOWN = \([0-9]*\) };$/\1/p' \
	"$top_srcdir/lib/stand-in/call-past.h")
tap_ok "the first number that is not known is there" [ "${newest:-0}" -gt 400 ]
printf '#include <sys/syscall.h>\n' | ${CC:-cc} -E -dM - 2>"$work/log" |
	sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\2 \1/p' >"$work/all"
tap_ok "the headers have calls" [ "$(wc -l <"$work/all")" -gt 200 ]
awk -v newest="$newest" '$1 < newest { print $2 }' "$work/all" | LC_ALL=C sort -u >"$work/known"
grep -oE '\bSYS_[a-z0-9_]+' "$calls" | sed 's/^SYS_//' | LC_ALL=C sort -u >"$work/stopped"
sed '/^#/d' "$harmless" | LC_ALL=C sort -u >"$work/harmless"
LC_ALL=C sort -mu "$work/stopped" "$work/harmless" >"$work/either"
tap_is "each is one or the other" "$(LC_ALL=C comm -23 "$work/known" "$work/either" | xargs)" ""
tap_is "none is both" "$(LC_ALL=C comm -12 "$work/stopped" "$work/harmless" | xargs)" ""
tap_is "one that is missing is seen" \
	"$(grep -v '^mmap$' "$work/either" | LC_ALL=C comm -23 "$work/known" - | xargs)" mmap
tap_done
