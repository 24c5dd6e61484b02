#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# false-greens: what has done nothing of what it was asked for does not end with status 0: a row for
# each way to be green for nothing.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe
unset UMAD_BACKEND

# red NAME STATUS PART COMMAND...: ends with that status, and says PART
red() {
	red_name=$1 red_status=$2 red_part=$3
	shift 3
	said=$(timeout -s KILL 60 "$@" 2>&1)
	red_was=$?
	case $red_was:$said in
	"$red_status:"*"$red_part"*) tap_pass "$red_name" ;;
	*) tap_fail "$red_name" "expected: status $red_status, $red_part" "actual: status $red_was" "$said" ;;
	esac
}
# script NAME LINE...: NAME.mad
script() {
	file=$1.mad
	shift
	printf '%s\n' 'scenario "s"' "$@" >"$file"
}

# ---- programs ----

red "a command that opens nothing" 124 "nothing opened the fabric" "$umadrig" exec -- true
red "of several, too" 124 "nothing opened the fabric" "$umadrig" exec -- sh -c 'true; true'

# ended NAME STATUS PART COMMAND: with a server, which COMMAND ends before it ends itself
ended() {
	mkfifo ready
	"$umadrig" serve --socket "$work/socket" >ready 2>/dev/null &
	server=$!
	read -r _ <ready
	rm ready
	red "$1" "$2" "$3" "$umadrig" exec --attach "$work/socket" -- \
		sh -c "kill -KILL $server; while grep -q '^State:[^Z]*$' /proc/$server/status 2>&1; do
			sleep 0.05; done; $4"
	wait "$server" 2>/dev/null
	rm -f socket
}
ended "the server is killed, and the command does not mind" 1 \
	"the fabric server has ended before it" "exit 0"
ended "a command that minds keeps its status" 7 "the fabric server has ended before it" "exit 7"

red "explore a command that opens nothing" 1 "nothing opened the fabric" "$umadrig" explore --runs 2 -- true
red "a part without a run of explore: that is said" 0 "nothing was run: part 3 of 3 has none of the 2 runs" \
	"$umadrig" explore --runs 2 --shard 3/3 -- "$probe" open
red "no runs of explore" 2 "--runs 0" "$umadrig" explore --runs 0 -- true
red "record a command that opens nothing" 124 "nothing opened the fabric" \
	"$umadrig" record -o bundle --fabric generate:fat-tree:8,4 -- true

# ---- scenarios ----

script program '0 run true'
red "a program that opens nothing" 1 "true has not opened the fabric" "$umadrig" run program.mad
script second "0 run $probe open" "+0 start p = run sh -c \"sleep 600\"" '+1s stop p' '+0~+1s end p = 143'
red "the second of two, of which the first does" 1 \
	"second.mad:3:18: error: sh has not opened the fabric" "$umadrig" run second.mad
script real 'clock real' '0 run true'
red "in real time" 1 "true has not opened the fabric" "$umadrig" run real.mad
red "below the filter" 1 "true has not opened the fabric" "$umadrig" run --how both real.mad
script window '0~1s run true'
red "in a window" 1 "true has not opened the fabric" "$umadrig" run window.mad
script opens "0 run sh -c \"$probe open\"" '+0 run true fabric=no' \
	"+0 start p = run sh -c \"sleep 1; $probe open\"" '+0~+5s end p = 0'
red "those that do, and one that need not" 0 "ok 1" "$umadrig" run opens.mad
sed -i '1a clock real' opens.mad
red "the same in real time, below the filter" 0 "ok 1" "$umadrig" run --how both opens.mad

script skipped 'needs program no-such-program' '0 run no-such-program'
red "all is skipped: that is said" 0 "nothing was run: 1 of 1 points were skipped" \
	"$umadrig" run skipped.mad
red "and fails with --fail-on-skip" 1 "not ok 1" "$umadrig" run --fail-on-skip skipped.mad
for template in action.yml doc/ci/gitlab.yml; do
	tap_ok "$template: what is skipped fails" \
		grep -q 'umadrig run .*--fail-on-skip' "$top_srcdir/$template"
done
script one '0 note "x"'
red "a part without a point: that is said" 0 "nothing was run: part 2 of 2 has none of the 1 points" \
	"$umadrig" run --shard 2/2 one.mad
red "and fails with --fail-on-skip" 1 "part 2 of 2 has none of the 1 points" \
	"$umadrig" run --fail-on-skip --shard 2/2 one.mad
red "diagrams of captures that nobody keeps: that is said" 0 \
	"--mermaid has drawn nothing: captures of points that pass are kept with --keep DIR" \
	"$umadrig" run --mermaid one.mad
mkdir empty
red "a directory without scenarios" 99 "nothing was run" "$umadrig" run empty
red "beside one with a scenario" 99 "nothing was run" "$umadrig" run one.mad empty
red "a pattern that fits no file" 99 "no such file" "$umadrig" run 'no-*.mad'
mkdir -p suite/locked suite/more
cp one.mad suite
cp one.mad suite/more
ln -s . suite/here
ln -s .. suite/more/back
red "links that lead back: each script once" 0 "1..2" "$umadrig" run suite
if [ "$(id -u)" = 0 ] && ! setpriv --reuid 4711 --clear-groups "$umadrig" --version >/dev/null 2>&1; then
	tap_skip "a directory that may not be read" "only root can be other users, who need to reach $umadrig"
else
	chmod 0 suite/locked
	chmod a+rx . suite suite/more
	chmod a+r suite/*.mad suite/more/*.mad
	as_other=
	[ "$(id -u)" != 0 ] || as_other="setpriv --reuid 4711 --regid 4711 --clear-groups"
	# shellcheck disable=SC2086
	red "a directory that may not be read, which may have any script" 99 \
		"nothing was run: Error opening directory" $as_other "$umadrig" run suite
	chmod 755 suite/locked
fi
echo '# nothing' >comment.mad
red "a file without a scenario" 1 "there is no scenario in this file" "$umadrig" run comment.mad
printf 'scenario "s"\n' >eventless.mad
red "a scenario without an event" 1 "this scenario has no events" "$umadrig" run eventless.mad
red "a tag that no scenario has" 99 "no scenario has the tag 'no-such'" \
	"$umadrig" run --tag no-such one.mad
echo 'one.mad: other # gone' >expected
red "an expected failure of no scenario" 2 "one.mad has no such point" "$umadrig" run --expected-failures expected one.mad
for command in lint format; do
	red "$command of a directory without scenarios" 2 "empty: no *.mad file" "$umadrig" $command empty
done

# ---- properties ----

red "a property of exec does not hold" 1 "umadrig exec: 1 of 1 property did not hold" \
	"$umadrig" exec --do 'never unique-lids' -- "$probe" open
red "one of explore is never seen" 1 "in none of 2 runs: sometimes report = ends 77" \
	"$umadrig" explore --runs 2 --sometimes 'report = ends 77' -- "$probe" open
script property '0 do always all-active within 1s' '+0 link down peer' '+1s link up peer' \
	'+5s do report = 0'
red "one of a script does not hold" 1 \
	"property.mad:5:5: error: always all-active within 1s: H1[1] is not Active, for 1s (broken at 2" \
	"$umadrig" run property.mad
script finally '0 do finally "report = ends 3"' '+1s do report = 0'
red "nor what must be true at its end" 1 "error: finally report = ends 3: the answer is 'ends 2 " \
	"$umadrig" run finally.mad
script kept '0 do always all-active' '+0 do sometimes "report = ends 77"' '+1s do report = 0'
red "one that holds is no error" 0 "ok 1" "$umadrig" run kept.mad

# ---- captures ----

"$umadrig" exec --fabric generate:fat-tree:8,4,capture=none.pcapng -- "$probe" open >probe.out 2>&1
red "two captures without a MAD do not agree" 2 "nothing was compared: neither capture has a MAD" \
	"$umadrig" diff none.pcapng none.pcapng
red "an empty file is no capture" 1 "the file is empty" "$umadrig" show /dev/null
red "a capture without a request does not answer" 125 "nothing to replay" \
	"$umadrig" replay none.pcapng -- "$probe" open
red "nor is anything asked" 2 "nothing was asked" \
	"$umadrig" replay none.pcapng --fabric generate:fat-tree:8,4
red "nor has it a fabric" 2 "no fabric in it" "$umadrig" topology --from-capture none.pcapng

# ---- these tests ----

# Not every shell has the status of a command there: dash has that of the command before it.
tap_is "no test takes another command's status for that of a substitution" "$(cd "$top_srcdir" &&
	grep -nE '[$]\(.*\):[$][?]"' tests/*/*.sh | grep -v false-greens.sh)" ""

# ---- fabrics ----

red "a fault at a node that is not there" 125 "there is no node 'nobody'" \
	"$umadrig" exec --fabric 'generate:fat-tree:8,4,fault=drop 1% from nobody[1]' -- "$probe" open
red "a console command that is none" 2 "unlinc" sh -c \
	"'$umadrig' serve --socket ./there >ready & until [ -s ready ]; do sleep 0.1; done
	echo unlinc | '$umadrig' ctl --socket ./there; status=\$?; kill \$!; wait; exit \$status"

tap_done
