#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# api-symbols: libumadrig exports exactly what umadrig.h declares, and each function has a comment
# and a test that calls it.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

header=$top_srcdir/sim/api/umadrig.h
library=$top_builddir/.libs/libumadrig.so.0
# Functions that the header declares: names before a parenthesis, except in types and comments.
declared=$(sed -e 's,/\*.*\*/,,' -e '/\/\*/,/\*\//d' -e '/^typedef/d' "$header" |
	grep -o 'umadrig_[a-z_]*(' | tr -d '(' | LC_ALL=C sort)
tap_ok "the header declares functions" test "$(echo "$declared" | wc -l)" -gt 40
tap_is "each of them once" "$(echo "$declared" | uniq -d)" ""

if [ -e "$library" ] && command -v nm >/dev/null; then
	tap_is "the library exports just these" "$(nm -D --defined-only "$library" |
		sed -n 's/^[0-9a-f]* T \(umadrig_[a-z_]*\)@@UMADRIG_0$/\1/p' | LC_ALL=C sort)" \
		"$declared"
else
	tap_skip "the library exports just these" "no shared library, or no nm"
fi

# A declaration follows the end of a comment, or another declaration that does.
tap_is "a comment before each" "$(awk '
	/\*\/[ \t]*$/ { said = 1; next }
	/^$/ { said = 0; next }
	/^[a-z].*umadrig_[a-z_]*\(/ && !/^typedef/ && !said { print }' "$header")" ""

unused=
for function in $declared; do
	grep -qrw --include='*.c' --include='*.h' "$function" "$top_srcdir/tests" \
		"$top_srcdir/doc/examples" ||
		unused="$unused $function"
done
tap_is "tests call every one" "$unused" ""

tap_done
