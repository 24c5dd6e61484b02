#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# promises: whatever has a number and is relied on by programs of others, schemas of JSON and
# protocols, says what was recorded under that number; and a change without a new number is seen.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
promises() {
	python3 -B "$top_srcdir/tests/release/record" "$@" 2>&1
	printf ':%s' $?
}
tap_is "all is as recorded" "$(promises check "$top_srcdir")" :0

tree=$work/tree
mkdir -p "$tree/doc" "$tree/lib/attach" "$tree/lib/base" "$tree/harness/bridge" "$tree/tests/release"
fresh() {
	rm -rf "$tree/doc/schema"
	cp -R "$top_srcdir/doc/schema" "$tree/doc/"
	cp "$top_srcdir/lib/attach/protocol.h" "$tree/lib/attach/"
	cp "$top_srcdir/lib/backend.h" "$tree/lib/"
	cp "$top_srcdir/lib/base/port-attr.h" "$tree/lib/base/"
	cp "$top_srcdir/harness/bridge/bridge.h" "$tree/harness/bridge/"
	cp "$top_srcdir/tests/release/versions" "$tree/tests/release/"
	chmod -R u+w "$tree"
}
run=$tree/doc/schema/run.json number=$(sed -n 's/^schema-run \([0-9]*\) .*/\1/p' "$top_srcdir/tests/release/versions" | tail -n 1)
fresh
sed -i 's/"title": "[^"]*"/"title": "other words"/' "$run"
tap_is "words for people alone are no change" "$(promises check "$tree")" :0
promises release 0.1.0 "$tree" >/dev/null
tap_is "a release has all of it" "$(grep -c ' -$' "$tree/tests/release/versions")" 0

sed -i 's/"backend": /"back_end": /' "$run"
said="run.json: umadrig 0.1.0 has version $number, which said something else: make it version $((number + 1)), then make record-promises"
tap_is "what a release has is not changed" "$(promises check "$tree")" "$said
:1"
tap_is "nor recorded with the same number" "$(promises record "$tree")" "$said
:1"
sed -i "s/\(\"urn:umadrig:schema:run:\)[0-9]*/\1$((number + 1))/" "$run"
tap_is "a new number is to be recorded" "$(promises check "$tree")" \
	"run.json: version $((number + 1)) is not recorded: make record-promises
:1"
tap_is "and is" "$(promises record "$tree")$(promises check "$tree"):$(grep -c '^schema-run ' "$tree/tests/release/versions")" \
	":0:0:$((number + 1))"
sed -i "s/\(\"urn:umadrig:schema:run:\)[0-9]*/\1$number/" "$run"
tap_has "no number comes again" "$(promises check "$tree")" "there was a version $((number + 1))"
fresh
sed -i '/"[$]id"/d' "$run"
tap_is "none is not enough" "$(promises check "$tree")" \
	'record: doc/schema/run.json: "$id" must be "urn:umadrig:schema:run:NUMBER"
:1'
for header in lib/attach/protocol.h harness/bridge/bridge.h lib/backend.h; do
	fresh
	promises release 0.1.0 "$tree" >/dev/null
	sed -i '0,/uint32_t /s//uint64_t /' "$tree/$header"
	tap_has "$header: a member of another type" "$(promises check "$tree")" "$header: umadrig 0.1.0 has version"
	fresh
	sed -i 's,^#include <stdint.h>,/* a comment */\n\n&,' "$tree/$header"
	tap_is "$header: a comment is no change" "$(promises check "$tree")" :0
done
fresh
promises release 0.1.0 "$tree" >/dev/null
sed -i 's/^	TEXT(rate,/	NUMBER(more, "more", UMAD_BACKEND_PORT_STATE, PORT_ATTR_HEX) \\\n&/' "$tree/lib/base/port-attr.h"
out=$(promises check "$tree")
for header in lib/attach/protocol.h lib/backend.h; do
	tap_has "an attribute of a port more: $header" "$out" "$header: umadrig 0.1.0 has version"
done

tap_done
