#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# explore-plan: what plans say is as if the command line said it, which adds to that or replaces
# it; what is wrong in one is named with its file and line.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
probe=$top_builddir/tests/tools/exec-probe
export probe

# OPTION...: standard output is in $out, and errors are in $err.
explore() {
	rm -rf found
	out=$(timeout -s KILL 60 "$umadrig" explore --output found "$@" 2>err </dev/null)
	status=$?
	err=$(cat err)
}
line() {
	printf '%s\n' "$out" | sed -n "s/^  $1: *//p"
}

cat >one.plan <<'END'
# A program that opens the fabric, and fails by its seed.

fabric	,fault=drop 0.5%,fault=delay 1 by 1us
runs 4
keep-going
no-shrink
has ^H1 lid [0-9]# 2$|lid
always log-has told '#'
command

	cd "$UMADRIG_RUN"
	echo '#' >told
	# What a script says is its own.
	"$probe" open
	exit $((UMADRIG_SEED % 2))

always all-active
END
explore --plan one.plan
tap_is "all options of a plan count" "$status:${out##*
}" "1:4 runs, 4 failed; 1 order of MADs, 1 different capture, 0 MADs in all"
tap_is "properties that do not hold" "$(printf '%s\n' "$out" | sed -n 's/^4 failed: //p')" \
	"always log-has told '#': told has no such line (broken at 0.000s); the first is run 1"
sed -i '/log-has/d' one.plan
explore --plan one.plan
tap_is "the command is a script" "$(printf '%s\n' "$out" | sed -n 's/^2 failed: //p')" \
	"exit status 1; the first is run 1"
tap_is "which is in what repeats it" "$(tail -n 1 found/failure-000001/command)" "exit \$((UMADRIG_SEED % 2))'"
again=$(found/failure-000001/repeat 2>&1)
tap_has "and repeats it" "$again" "run 1: exit status 1"
tap_has "with its faults" "$(sed -n 1p found/failure-000001/command)" "fault=delay 1 by 1us"

# ---- more than one, and the command line ----
cat >two.plan <<'END'
runs 3
always unique-lids
command "$probe" open; exit 3
END
explore --plan one.plan --plan two.plan
tap_is "the last plan counts" "$(printf '%s\n' "$out" | grep ' failed: ')" "3 failed: exit status 3; the first is run 1"
tap_is "what may be given again is from all of them" "$(sed -n 1p found/failure-000001/command | grep -o "'--do=[^']*'" |
	tr '\n' ' ')" "'--do=always all-active' '--do=always unique-lids' "
explore --runs 2 --always one-master --plan two.plan -- "$probe" open
tap_is "the command line counts, wherever it is" "$status:${out%%;*}" "0:2 runs, 0 failed"
explore --plan=two.plan --never all-active --runs 1
tap_has "and adds" "$out" "run 1: never all-active: it is so"
printf 'runs 1\r\ncommand\r\n\t"$probe" open\r\n\texit 5' >windows.plan
explore --plan windows.plan
tap_has "lines of Windows, and one without an end" "$out" "run 1: exit status 5"
mkfifo pipe
cat two.plan >pipe &
explore --plan pipe --no-shrink
tap_has "a pipe" "$out" "run 1: exit status 3"

# ---- mistakes ----
# NAME STATUS TEXT PLAN...: plans have '\n' and '\t'.
refused() {
	name=$1 wanted=$2 text=$3
	printf -- "$4" >wrong.plan
	explore --plan wrong.plan -- "$probe" open
	tap_is "$name: status" "$status" "$wanted"
	tap_has "$name: why" "$err" "$text"
}
refused "an option that is none" 2 "wrong.plan:2: there is no option 'run': did you mean 'runs'?" '\nrun 3\n'
refused "one like none" 2 "wrong.plan:1: there is no option 'colour': expected an option of --help without its dashes" \
	'colour blue\n'
refused "dashes" 2 "wrong.plan:1: expected 'runs' and its value, without dashes or =, instead of '--runs'" '--runs 3'
refused "an equals sign" 2 "wrong.plan:1: expected 'runs' and its value, without dashes or =, instead of 'runs=3'" 'runs=3'
refused "a value that is missing" 2 "wrong.plan:1: expected a value after 'always': CONDITION" 'always\n'
refused "one too many" 2 "wrong.plan:1: 'keep-going' has no value: leave 'yes' out" 'keep-going yes\n'
refused "a blank" 2 "wrong.plan:2: only lines of a command begin with a blank" 'runs 3\n\talways all-active\n'
refused "two commands" 2 "wrong.plan:3: there is a command already" 'command a\n\tb\ncommand c\n'
refused "an empty one" 2 "wrong.plan: expected a script for sh after 'command'" 'command\n\n'
refused "a plan in a plan" 2 "wrong.plan:1: a plan cannot name others: give --plan more than once" 'plan one.plan\n'
refused "no text" 2 "wrong.plan: expected text in UTF-8" 'runs 3\n\377\n'
refused "all of them" 2 "wrong.plan:3: " 'run 3\nrun 4\nrun 5\n'
refused "a number" 2 "wrong.plan:2: --runs abc: expected a number from 1 to 999999" '\nruns abc\n'
refused "a time" 2 "wrong.plan:1: --limit 3: expected a time with a unit" 'limit 3\n'
refused "a pattern" 2 "wrong.plan:3: --lacks '(': " '\n\nlacks (\n'
refused "an expectation" 2 "wrong.plan:1: --expect '(': " 'expect report = (\n'
refused "a condition" 125 "wrong.plan:2: always all-actve: expected all-active" 'runs 1\nalways all-actve\n'
refused "a line" 125 "wrong.plan:1: Linkk up: there is no command 'Linkk'" 'do Linkk up\n'
explore --plan nowhere
tap_has "a plan that is not there" "$status:$err" "2:umadrig explore: --plan: "
explore --plan .
tap_has "one that is no file" "$status:$err" "2:umadrig explore: --plan: "
printf 'runs 1\n' >short.plan
explore --plan short.plan
tap_has "nothing to be run" "$status:$err" "2:umadrig explore: no command given: put it after --, or in a plan"
tap_done
