#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# row-check: tests/rig/tool-rows.sh compares rows of doc/programs.md with what a test has run.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/tool-rows.sh"

mkdir programs
for program in find-it count-it; do
	printf '#!/bin/sh\necho "%s $*"\n' "$program" >"programs/$program"
done
chmod 755 programs/*
PATH=$work/programs:$PATH
tool_watch find-it count-it no-such-program

tap_is "a program that is watched does what it did" "$(sh -c 'find-it -a --long=5 query "a b"')" \
	"find-it -a --long=5 query a b"
count-it -x >out
tap_pass "counts"
tap_skip "something that is not here" "it is not here"

tap_is "rows of what was run" "$(tool_rows_wrong <<'END'
find-it -a LEVEL, --long, query (of ANYTHING) | right | a program
count-it -x | right | counts
no-such-program -y | right | nothing
find-it -z | right | something
END
)" ""
# NAME WRONG ROW: one more row.
wrong() {
	tap_is "$1" "$({ cat <<'END'; echo "$3"; } | tool_rows_wrong
find-it -a, --long, query | right | a program
count-it -x | right | counts
END
)" "$2"
}
wrong "an option that was not tried" "count-it was not run with -y: count-it -x, -y | right | counts" \
	"count-it -x, -y | right | counts"
wrong "a subcommand that was not" "find-it was not run with verify: find-it verify | right | counts" \
	"find-it verify | right | counts"
wrong "a point that there is none of" "no point begins as that of the row: count-it | right | sums" \
	"count-it | right | sums"
wrong "under ibsim, which is a field of its own" \
	"no point begins as that of the row: count-it | - | right | sums" "count-it | - | right | sums"
wrong "options of programs that stand beside each other" \
	"count-it was not run with --long: find-it, count-it --long | right | counts" \
	"find-it, count-it --long | right | counts"
tap_is "and not of one that stands apart" "$(printf '%s\n' 'find-it -a, --long, count-it -x | - | right | counts' |
	tool_rows_wrong)" ""
tap_is "an option that no row has, and a program" "$(echo 'find-it -a | right | a program' |
	tool_rows_wrong | sort)" "count-it was run with -x, which no row has
count-it was run, and no row has it
find-it was run with --long, which no row has"
# Another test has rows of them.
mkdir -p other/tests/stock other/tests/harness
: >other/tests/harness/none.sh
cat >other/tests/stock/one.sh <<'END_OF_TEST'
tool_rows fabric <<'END'
find-it -a, count-it -x | - | right | a point
find-it --long | - | right | another
END
END_OF_TEST
tap_is "rows of other tests are rows" "$(echo 'find-it -a | right | a program' |
	top_srcdir=$work/other tool_rows_wrong)" ""
tap_done
