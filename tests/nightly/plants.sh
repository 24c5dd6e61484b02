#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# The bugs that make check-plants plants into OpenSM: each says what it is, and has its row in
# doc/nightly.md. None is built here.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
command -v python3 >/dev/null || tap_skip_all "no python3"
nightly=$top_srcdir/tests/nightly

check() {
	python3 -B "$nightly/plant.py" check "$work/plants" "$nightly" "$work/nightly.md" 2>&1
}
again() {
	rm -rf "$work/plants"
	cp -R "$nightly/plants" "$work/plants"
	chmod -R u+w "$work/plants"
	cp "$top_srcdir/doc/nightly.md" "$work/nightly.md"
	chmod u+w "$work/nightly.md"
}
# NAME SCRIPT EXPECTED: once sed has edited one of the patches.
wrong() {
	again
	sed -i "$2" "$work/plants/hup-lost.patch"
	tap_has "$1" "$(check)" "$3"
}
again
tap_is "patches and table" "$(check)" ""
tap_ok "there are twenty at least" test "$(ls "$work/plants" | wc -l)" -ge 20
wrong "no plan of that name" 's/^Plan: .*/Plan: none/' "hup-lost: there is no plan none"
wrong "a pattern that is none" 's/^Signature: .*/Signature: (/' "hup-lost.patch: Signature: "
wrong "a field that is missing" '/^Breaks: /d' "hup-lost.patch:1: expected Breaks, too"
wrong "a field that is none" 's/^Breaks: /Brakes: /' "hup-lost.patch:2: expected one each of Breaks"
wrong "a signature that the failure has not" 's/^Signature: .*/Signature: unheard of/' \
	"hup-lost: the table's failure is not like its signature"
wrong "more context" 's/^@@ /   \n&/; s/^+++/ a\n b\n c\n&/' "hup-lost: more than one line of context"
again
mv "$work/plants/hup-lost.patch" "$work/plants/other.patch"
tap_is "a table of others" "$(check)" "other: no row in the table
hup-lost: a row without a patch"
tap_done
