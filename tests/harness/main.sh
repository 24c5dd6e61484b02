#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# main: how to get help from umadrig, and its error about an unknown word.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$top_builddir/umadrig

# NAME STATUS OUT ERR ARGUMENT...: what stdout and stderr contain ("": nothing at all).
row() {
	name=$1 status=$2 out=$3 err=$4
	shift 4
	actual_err=$("$umadrig" "$@" 2>&1 >/dev/null)
	actual_out=$("$umadrig" "$@" 2>/dev/null)
	tap_is "$name: status" $? "$status"
	if [ -n "$out" ]; then tap_has "$name: printed" "$actual_out" "$out"
	else tap_is "$name: nothing printed" "$actual_out" ""; fi
	if [ -n "$err" ]; then tap_has "$name: error" "$actual_err" "$err"
	else tap_is "$name: no error" "$actual_err" ""; fi
}

row "--help" 0 "Usage: umadrig COMMAND" "" --help
row "--help names the commands" 0 "exec     run a program" "" --help
row "--version" 0 "umadrig " "" --version
row "no command" 2 "Usage: umadrig COMMAND" ""
row "help of a command" 0 "-- COMMAND" "" help exec
row "a command's own --help" 0 "-- COMMAND" "" exec --help
row "a typo" 2 "" "did you mean 'exec'" exce
row "another word" 2 "" "unknown command 'frobnicate'" frobnicate
row "a wrong option of a command" 2 "" "umadrig exec --help" exec --frobnicate
row "a server that is not named" 2 "" "no server given: name its socket (--socket PATH)" bridge
row "an argument too many" 2 "" "unexpected argument 'x'" bridge x
row "an option's value" 2 "" "run: --seed x: expected a number" run --seed x one.mad
row "an option's other value" 2 "" "serve: --limit x=1: " serve --limit x=1
row "a value of an option that takes none" 2 "" "fields: --json takes no value: leave '=x.json' out" fields --json=x.json
row "the same by its letter" 2 "" "show: --json takes no value: leave '=x' out" show -j=x one.pcapng
row "a value of one that may have one" 99 "" "run: nothing was run: no.mad" run --shuffle=7 no.mad
row "words of a command are no options" 125 "" "no fabric server answers" ctl --socket /no-such report --json=x
row "nor is an option's value" 2 "" "show: the filter cannot be used" show --where --json=x one.pcapng
row "a value at once after an option's letter" 2 "" "show: the filter cannot be used" show -wx one.pcapng
row "a number" 2 "" "explore: --runs x: expected a number" explore -nx -- true
row "letters of options that take none, together" 1 "" "no.pcapng: cannot be read" show -vs no.pcapng
row "a wrong option's name" 2 "" "frobnicate" exec --frobnicate

# Lines of a row's text ("  NAME  text" and those below, in its column) that fit on the one before.
early_in_row='{
	indent = match($0, /[^ ]/) - 1
	if (indent > 0 && indent == text && length(before) + 1 + length($1) <= 80) print
	rest = substr($0, indent + 1)
	gap = match(rest, /   *[^ ]/) ? RLENGTH - 1 : 0
	text = gap ? indent + RSTART - 1 + gap : indent == text ? text : 0
	before = $0
}'
tap_is "a line of a row that ends early is seen" \
	"$(printf '  --name=X  the first\n            words\n' | awk "$early_in_row")" "            words"

# What --help prints of each command fits a terminal, and has the exit statuses.
for command in $("$umadrig" --help | sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p'); do
	help=$("$umadrig" "$command" --help)
	tap_has "$command --help: its usage" "$help" "umadrig $command"
	tap_has "$command --help: its exit statuses" "$help" "Exit status: "
	tap_is "$command --help: no line is wider than 80 columns" \
		"$(printf '%s\n' "$help" | sed 's/…/./g' | awk 'length($0) > 80')" ""
	# A word that would have fitted on the line before: prose is filled again for 80 columns.
	tap_is "$command --help: no line of prose ends early" "$(printf '%s\n' "$help" |
		awk '/^[^ ]/ && before ~ /^[^ ]/ && length(before) + 1 + length($1) <= 80 { print } { before = $0 }')" ""
	tap_is "$command --help: nor one of a row's text" "$(printf '%s\n' "$help" | awk "$early_in_row")" ""
	tap_is "$command -h is the same" "$("$umadrig" "$command" -h)" "$help"
done
tap_is "--help: no line is wider than 80 columns" "$("$umadrig" --help | awk 'length($0) > 80')" ""

# One list of statuses, in the manual and in the code.
tap_is "every exit status is in the manual" \
	"$(sed -n '/^\.SH EXIT STATUS/,/^\.SH ENV/s/^\.B \([0-9]*\)$/\1/p' "$top_srcdir/man/umadrig.1")" \
	"$(sed -n 's/^\tCOMMAND_[A-Z_]* = \([0-9]*\),.*/\1/p' "$top_srcdir/harness/base/command.h")"

# Every command fails, and says so, if its output could not be written.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat >"$work/one.mad" <<EOT
scenario "one"
0 note "text"
EOT
"$umadrig" run --keep "$work" "$work/one.mad" >/dev/null 2>&1
while read -r line; do
	# shellcheck disable=SC2086
	err=$(cd "$work" && "$umadrig" $line 2>&1 >/dev/full)
	tap_is "$line to a full disk: status" $? 1
	tap_has "$line to a full disk: reported" "$err" \
		"umadrig ${line%% *}: cannot write the output"
done <<EOT
run one.mad
run --list one.mad
show one.pcapng
topology --generate fat-tree:8,4
fields
EOT

for line in --help --version help; do
	err=$("$umadrig" $line 2>&1 >/dev/full)
	tap_is "$line to a full disk" "$?:$err" "1:umadrig: cannot write the output: No space left on device"
done

# The usual libibumad instead of ours: nothing is run on it.
usual=$(PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null |
	sed -n 's/^\tlibibumad\.so\.3 .* => //p' | head -n 1)
if [ -n "$usual" ]; then
	out=$(LD_PRELOAD=$usual "$umadrig" exec -- true 2>&1)
	tap_is "another libibumad than ours: refused" $? 125
	tap_has "and the error names it" "$out" "not umadrig's"
else
	tap_skip "another libibumad than ours: refused" "no other libibumad is installed"
fi

tap_done
