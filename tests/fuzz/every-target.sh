#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# every-target: make check runs each fuzz target, according to tests/fuzz/local.mk, on a corpus that
# is not empty and is part of the distribution.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
rules=$top_srcdir/tests/fuzz/local.mk
# Everything in TESTS or EXTRA_DIST, one word per line.
words_of() {
	awk -v variable="$1" '
		{ more = /\\$/; line = $0; sub(/\\$/, "", line) }
		!inside && $1 == variable && $2 == "+=" { inside = 1; sub(/^[^=]*=/, "", line) }
		inside { count = split(line, words); for (i = 1; i <= count; i++) print words[i] }
		!more { inside = 0 }' "$rules"
}
words_of TESTS | sort >"$work/tests"
words_of EXTRA_DIST | sort >"$work/files"

targets=$(grep -l LLVMFuzzerTestOneInput "$top_srcdir"/tests/fuzz/*.c | grep -v replay-main)
tap_has "there are targets" "$targets" bridge.c
for target in $targets; do
	name=$(basename "$target" .c)
	tap_ok "$name is in TESTS" grep -qxF "tests/fuzz/replay-$name" "$work/tests"
	corpus=$(cd "$top_srcdir" && ls -d "tests/fuzz/corpus-$name"/*)
	tap_ok "$name has a corpus" test -n "$corpus"
	for file in $corpus; do
		grep -qxF "$file" "$work/files" || echo "$file"
	done >"$work/left"
	tap_is "$name: all of its corpus is distributed" "$(cat "$work/left")" ""
done
tap_done
