#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# contributing: every file that CONTRIBUTING.md names exists; each file in its table of changes
# contains the word given there; the pages on top lead somewhere; and hosted workflows run
# ./quickstart.
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# FILE: the paths in its code spans that do not exist.
paths_missing() {
	grep -o '`[^` ]*`' "$1" | tr -d '`' | grep -E '^(lib|kmod-stub|sim|harness|tests|doc|man|scenarios)/' | sort -u |
	while read -r path; do
		[ -e "$top_srcdir/$path" ] || echo "$path"
	done
}

# FILE: "change|file|word" of each row of its table.
rows() {
	sed -n 's/^| \([^|]*[^ |]\) | `\([^`|]*\)` | `\([^`|]*\)` |$/\1|\2|\3/p' "$1"
}

# FILE: rows whose file does not contain the word.
rows_wrong() {
	rows "$1" | while IFS='|' read -r change path word; do
		grep -q -F -e "$word" "$top_srcdir/$path" 2>/dev/null || echo "$change"
	done
}

manual=$top_srcdir/CONTRIBUTING.md
tap_is "every path that it names is there" "$(paths_missing "$manual")" ""
tap_ok "it names many" test "$(grep -o '`[a-z-]*/[^` ]*`' "$manual" | sort -u | wc -l)" -gt 40
rows "$manual" >"$work/rows"
tap_is "each row of the table is one of three cells" \
	"$(grep -c '^|' "$manual")" "$(($(wc -l <"$work/rows") + 2))"
while IFS='|' read -r change path word; do
	tap_ok "$change: $path has '$word'" grep -q -F -e "$word" "$top_srcdir/$path"
done <"$work/rows"

# What a project has on top, and where it leads.
links_missing() {
	for file; do
		grep -o '](\([^)#:]*\))' "$file" | sed 's/^](//; s/)$//' | while read -r path; do
			[ -e "$top_srcdir/$path" ] || echo "${file##*/}: $path"
		done
	done
}
tap_is "links of the pages on top lead somewhere" "$(links_missing "$top_srcdir"/*.md)" ""
for page in CODE_OF_CONDUCT CONTRIBUTING GOVERNANCE ROADMAP SECURITY; do
	tap_has "README names $page.md" "$(cat "$top_srcdir/README")" "    $page.md "
done
tap_has "commits are signed off" "$(cat "$manual")" "Signed-off-by: NAME <ADDRESS>"

# The hosted workflows run what people run, with words that quickstart knows.
for file in .github/workflows/test.yml .gitlab-ci.yml; do
	tap_ok "$file runs ./quickstart test" grep -q '[:-] *\./quickstart test$' "$top_srcdir/$file"
done
tap_has "which has that command" "$("$top_srcdir/quickstart" --help)" "run|test|install"

# "make check TESTS=tests/sim/fault" after a change of sim/fabric/fault.c: it makes all, then the
# programs of TESTS. What is linked, the archives that go into it left out; make -n only says so.
# It would take the header of configure for remade, as that is older than its stamp.
sources=$(sed -n 's/^srcdir = //p' "$top_builddir/Makefile")
would_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u TESTS make -C "$top_builddir" -n -o config.h "$@" 2>&1
}
# GOAL [OPTION...]: what is linked.
links() {
	goal=$1
	shift
	for made in all-am "$goal"; do
		would_make "$@" "$made"
	done | sed -n 's/.*--mode=link.* -o \([^ ]*\) .*/\1/p' | sort -u |
	grep -v -E '^lib(filter|formats|sim|script)\.la$'
}
changed() {
	links "$@" -W sim/fabric/fault.c -W "$sources/sim/fabric/fault.c"
}
# What would be linked anyway is not the change's: here a test that is out of date at least.
three='libsim-check.la libumadrig.la umadrig'
old=$sources/tests/sim/fault.c
links tests/sim/fault -W "$old" >"$work/links"
tap_has "a test that is out of date is linked" "$(cat "$work/links")" tests/sim/fault
grep -v -x -F "$(printf '%s\n' $three)" "$work/links" >"$work/anyway"
tap_is "a change of one file links three things" \
	"$(changed tests/sim/fault -W "$old" | grep -v -x -F -f "$work/anyway" | tr '\n' ' ')" "$three "
tap_has "that make would link more is seen" "$(changed tests/sim/clock)" tests/sim/clock
tap_has "a test is made alone" "$(would_make check TESTS=tests/sim/fault | tr -s ' ')" \
	" check_PROGRAMS='tests/rig/test-run tests/sim/fault' tests/rig/test-run tests/sim/fault lib"

# A test program finds its files when it is started by hand, wherever that is.
tests=$(cd "$top_builddir/tests" && pwd)
tap_is "a test runs by hand" "$(cd / && env -u top_srcdir -u top_builddir -u G_TEST_SRCDIR \
	-u G_TEST_BUILDDIR "$tests/sim/fault" -p /fault/mistakes 2>&1 | grep -E '^(not )?ok')" \
	"ok 1 /fault/mistakes"

# The checks find errors.
sed 's|`kmod-stub/rmpp-send.c`|`kmod-stub/rmpp-sent.c`|; s|`FAULT_ACTIONS` \||`FAULT_WORDS` \||' "$manual" >"$work/wrong.md"
tap_is "a path that is not there is found" "$(paths_missing "$work/wrong.md")" kmod-stub/rmpp-sent.c
printf '[gone](nowhere.md)\n' >"$work/leads.md"
tap_is "a link to nothing is found" "$(links_missing "$work/leads.md")" "leads.md: nowhere.md"
tap_is "and a file without the word" "$(rows_wrong "$work/wrong.md" | tr '\n' ';')" \
	"how a lost segment is sent again;what a fault does with a packet;"

tap_done
