#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-manual: the manual of the scenario language knows every word, and its examples run.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig
manual=$top_srcdir/doc/scenario-language.md
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# KIND WORD...: each is in the manual, as code.
knows() {
	kind=$1
	shift
	missing=
	for word; do
		grep -q "[\`(, ]${word}[\`(,=: \"[]" "$manual" || missing="$missing $word"
	done
	[ $# -gt 0 ] || missing=' the words themselves: the source is not as this test reads it'
	tap_is "$kind: $# words" "missing:$missing" "missing:"
}

source=$top_srcdir/harness/script
knows "directives" $(sed -n '/^static const struct directive directives/,/^}/s/.*{ "\([a-z]*\)".*/\1/p' \
	"$source/parse/directive.c")
knows "fields" $(sed -n 's/^	IN_[A-Z]*("\([^"]*\)".*/\1/p; s/^	{ "\([a-z]*\)", NULL, MAD_.*/\1/p' \
	"$top_srcdir/sim/filter/term.c" | sort -u)
knows "calls" $(sed -n 's/^	{ "\([a-z_0-9.]*\)", {.*/\1/p' "$source/verb/call-table.c")
knows "arguments" $(sed -n 's/^	{ "[a-z_0-9.]*", {//; s/{ "\([a-z]*\)", PARAM_/\n@\1\n/gp' \
	"$source/verb/call-table.c" | sed -n 's/^@//p' | sort -u | grep -v -x -e mad -e request)
knows "what calls tell" $(sed -n '/^const struct fact_kind/,/^}/s/{ "\([a-z_]*\)", FACT_/\n@\1\n/gp' \
	"$source"/verb/call-*.c | sed -n 's/^@//p' | sort -u)
knows "needs" $(sed -n '/^static const struct need_word need_words/,/^}/s/.*{ "\([a-z_]*\)".*/\1/p' \
	"$source/parse/directive.c")

# Every block that is a complete scenario; the files that they name are here.
cp "$top_srcdir"/scenarios/programs/*.net "$work"
awk -v dir="$work" '
	/^```/ { on = !open && $0 == "```"; open = !open; n += on; next }
	on { print >(dir "/example-" n ".mad") }
' "$manual"
for example in "$work"/example-*.mad; do
	out=$(cd "$work" && "$umadrig" run --twice "$example" 2>/dev/null)
	tap_is "an example: $(sed -n 1p "$example")" "$?:$(printf '%s\n' "$out" | grep '^not ok')" 0:
done

tap_done
