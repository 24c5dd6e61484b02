#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# findings: what check-static makes of findings and of tests/static/accepted; what the real list
# accepts is there; and make coverage fails below its share.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/lib"
printf 'int a;\n\tb = *c;\n\td = *e;\n' >"$work/lib/x.c"
printf '# a comment\n\ncore.Null | lib/x.c | b = *c | c is never null\n' >"$work/accepted"

# FINDING...: what is printed of them, and the exit status.
left() {
	printf '%s\n' "$@" | awk -v srcdir="$work" -v tools=" ${tools:-clang} " \
		-f "$top_srcdir/tests/static/findings.awk" "$work/accepted" -
	echo "$?"
}
tap_is "what is accepted" "$(left 'lib/x.c:2: core.Null: a: b')" 0
echo "unix.Malloc | lib/x.c | pointed to by 'c' | freed elsewhere" >>"$work/accepted"
tap_is "by what is said of it" "$(left 'lib/x.c:2: core.Null: a' "lib/x.c:3: unix.Malloc: leak, pointed to by 'c'")" 0
sed -i '$d' "$work/accepted"
tap_is "another line is not" "$(left 'lib/x.c:2: core.Null: a' 'lib/x.c:3: core.Null: a: b')" \
	"lib/x.c:3: core.Null: a: b
1"
tap_is "nor another check" "$(left 'lib/x.c:2: core.Null: a' 'lib/x.c:2: unix.Malloc: a')" \
	"lib/x.c:2: unix.Malloc: a
1"
tap_is "nor a line that is not there" "$(left 'lib/x.c:2: core.Null: a' 'lib/x.c:9: core.Null: a')" \
	"lib/x.c:9: core.Null: a
1"
: >"$work/none"
tap_is "what is accepted in vain is named" "$(awk -v srcdir="$work" -v tools=' clang ' \
	-f "$top_srcdir/tests/static/findings.awk" "$work/accepted" "$work/none"; echo "$?")" \
	"$work/accepted:3: core.Null is not found in lib/x.c any more
1"
tap_is "but not where its tool has not run" "$(awk -v srcdir="$work" -v tools=' cppcheck ' \
	-f "$top_srcdir/tests/static/findings.awk" "$work/accepted" "$work/none"; echo "$?")" 0
echo "core.Null | lib/x.c | no reason" >>"$work/accepted"
tap_has "a row without a reason" "$(left 'lib/x.c:2: core.Null: a')" \
	"$work/accepted:4: expected CHECK | FILE | TEXT | REASON"

# Without running the tools: each line that is accepted is still there.
gone() {
	grep -v -e '^#' -e '^$' -e " | pointed to by '" "$top_srcdir/tests/static/accepted" | while IFS= read -r row; do
		file=$(printf '%s\n' "$row" | awk -F ' [|] ' '{ print $2 }')
		text=$(printf '%s\n' "$row" | awk -F ' [|] ' '{ print $3 }')
		[ "$file" = '*' ] ||
			grep -qF -e "$text" "$top_srcdir/$file" || printf '%s\n' "$row"
	done
}
tap_is "the lines that the project's list accepts are there" "$(gone)" ""

# ---- make coverage ----

# MIN: the first two rows, and the exit status, of a file with three lines of four taken.
share() {
	printf '%s\n' '        -:    0:Source:lib/x.c' '        1:    1:a' '        2:    2:b' \
		'        -:    3:c' '    #####:    4:d' '        1:    5:e' |
		awk -v min="$1" -f "$top_srcdir/tests/tools/coverage.awk" >"$work/coverage"
	echo "$?:$(awk '$1 == "all" { print $2, $3 }' "$work/coverage")"
}
tap_is "coverage: enough" "$(share 75)" "0:4 75.0%"
tap_is "too little" "$(share 76)" "1:4 75.0%"
tap_has "which is said" "$(cat "$work/coverage")" "coverage: less than 76% of the lines"
tap_done
