#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-manual: every call has a manual page, every synopsis matches the headers, and each header
# compiles alone, as C and as C++.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"

man=$top_srcdir/man
include=$top_srcdir/lib/include
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

calls=$(cut -d' ' -f1 "$top_srcdir/tests/lib/umad-symbols.txt")
tap_has "calls are listed" "$calls" umad_open_port
missing=
for call in $calls umad_alloc umad_free; do
	[ -e "$man/$call.3umadrig" ] || missing="$missing $call"
done
tap_is "every call has a manual page" "$missing" ""

unlisted=
for page in "$man"/*.3umadrig; do
	name=${page##*/}
	target=$(sed -n 's/^\.so man3\///p' "$page")
	[ -z "$target" ] || page=$man/$target
	# An alias is listed in the NAME section of the page that it leads to.
	sed -n '/^\.SH NAME/,/^\.SH SYNOPSIS/p' "$page" 2>/dev/null |
		grep -qw "${name%.3umadrig}" || unlisted="$unlisted $name"
done
tap_is "every page names its calls, and every alias leads to one" "$unlisted" ""

# A declaration that differs from the header's does not compile beside it.
compiled=0 synopses=0
for page in "$man"/*.3umadrig; do
	grep -q '^\.SH SYNOPSIS' "$page" || continue
	synopses=$((synopses + 1))
	sed -n '/^\.SH SYNOPSIS/,/^\.fi/{s/^\.B #/#/p;s/^\.B "\(.*\)"$/\1/p}' "$page" \
		>"$work/synopsis.c"
	if grep -q '(' "$work/synopsis.c" &&
	   output=$(${CC:-cc} -std=gnu11 -Wall -Werror -I"$include" -fsyntax-only \
	"$work/synopsis.c" 2>&1)
	then
		compiled=$((compiled + 1))
		continue
	fi
	tap_fail "synopsis of ${page##*/}" "$output"
done
tap_ok "there are synopses" test "$synopses" -gt 9
tap_is "every synopsis was compiled" "$compiled" "$synopses"

for header in "$include"/infiniband/*.h; do
	name=${header##*/}
	printf '#include <infiniband/%s>\n#include <infiniband/%s>\n' "$name" "$name" \
		>"$work/header.c"
	tap_ok "$name compiles alone as C99" ${CC:-cc} -std=gnu99 \
		-Wall -Wextra -Werror -I"$include" \
		-fsyntax-only "$work/header.c"
	if command -v "${CXX:-c++}" >/dev/null; then
		tap_ok "$name compiles alone as C++" "${CXX:-c++}" \
			-Wall -Wextra -Werror -I"$include" \
			-x c++ -fsyntax-only "$work/header.c"
	else
		tap_skip "$name compiles alone as C++" "no C++ compiler"
	fi
done

if command -v groff >/dev/null; then
	warnings=
	for page in "$man"/*.3umadrig "$man/umad.7"; do
		grep -q '^\.so' "$page" && continue
		warnings=$warnings$(groff -man -ww -Tutf8 -z "$page" 2>&1)
	done
	tap_is "the pages are clean troff" "$warnings" ""
else
	tap_skip "the pages are clean troff" "no groff"
fi
tap_done
