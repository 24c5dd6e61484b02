#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# explore: mistakes that were planted are found, the command that is printed repeats them, and what
# is left of their faults is the least that does.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/process-session.sh"

umadrig=$top_builddir/umadrig
tools=$top_builddir/tests/tools
probe=$tools/exec-probe
planted=$tools/planted
walker=$tools/fabric-walk
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"
. "$top_srcdir/tests/rig/audit.sh"

if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi

# OPTION...: what it prints is in out, what it says in err; failures go to $work/found.
explore() {
	rm -rf "$work/found"
	out=$(timeout -s KILL 120 "$umadrig" explore --output "$work/found" "$@" 2>"$work/err" </dev/null)
	status=$?
	err=$(cat "$work/err")
}
# A line of a failure: with, shrunk to, kept in.
line() {
	printf '%s\n' "$out" | sed -n "s/^  $1: *//p"
}
last() {
	printf '%s\n' "$out" | tail -n 1
}
# The command that was printed.
repeat() {
	command=$(line repeat | sed 's/^umadrig //')
	again=$(eval "timeout -s KILL 120 '$umadrig' $command" </dev/null 2>&1)
	again_status=$?
	rm -rf "$TMPDIR"/umadrig-explore-*
}

# ---- nothing fails ----
explore --runs 20 -j 2 --fabric "generate:fat-tree:20,8$audit" -- "$walker"
tap_is "nothing fails" "$status" 0
tap_is "one program alone has one order, whatever the seed" "$(last)" \
	"20 runs, 0 failed; 1 order of MADs, 1 different capture, 10560 MADs in all"
tap_is "nothing is kept" "$(ls "$work/found")" ""
explore --runs 20 --fabric "generate:fat-tree:20,8,fault=drop 2%" -- "$walker" -r 20
tap_is "with losses, all orders are different" "$status:$(last | sed 's/ [0-9]* MADs in all//')" \
	"0:20 runs, 0 failed; 20 orders of MADs, 20 different captures,"
explore --runs 5 --fabric "generate:fat-tree:20,8,seed=3,fault=drop 2%" -- "$walker" -r 20
tap_is "but not with the same seed" "$status:$(last | sed 's/ [0-9]* MADs in all//')" \
	"0:5 runs, 0 failed; 1 order of MADs, 1 different capture,"
explore --runs 3 --twice -j 3 --fabric "generate:fat-tree:20,8,fault=drop 2%" -- "$walker" -r 20
tap_is "twice the same" "$status:${out%%;*}" "0:3 runs, 0 failed"

# ---- a race that some schedules show ----
explore --runs 200 -j 2 --fabric "$audit" -- "$planted" race
tap_is "a race is found" "$status:$(printf '%s\n' "$out" | sed -n 's/^run [0-9]*: //p')" "1:exit status 3"
tap_lacks "the usual schedule does not show it" "$(line with)" "schedule=0"
tap_is "one switch between the two is what it takes" \
	"$(line 'shrunk to' | grep -c '^seed=[0-9]* schedule=0 switches=1000\.\([12]\)@[0-9]*:1000\.[12]$')" 1
tap_is "which is said in words" "$(line switch |
	grep -c '^planted 1000\.[12] lets others in at its choice [0-9]*, and planted 1000\.[12] goes on$')" 1
tap_is "the output is kept" \
	"$(grep -v '^umadrig: audit: ' "$(line 'kept in')/output" | tail -n 1)" "number 1"
tap_ok "and the capture" test -s "$(line 'kept in')/capture.pcapng"
tap_is "the command is kept, too" "$(cat "$(line 'kept in')/command")" "$(line repeat)"
repeat
tap_is "the command repeats it" "$again_status:$(printf '%s\n' "$again" | head -n 1)" "1:run 1: exit status 3"
tap_has "with the same seeds and switches" "$again" "$(line 'shrunk to' | sed 's/ .*//') schedule=0"
first=$(printf '%s\n' "$out" | head -n 2)
explore --runs 200 -j 1 -- "$planted" race
tap_is "the first failure is the same with one job" "$(printf '%s\n' "$out" | head -n 2)" "$first"
explore --runs 60 -j 2 --keep-going -- "$planted" race
found=$(printf '%s\n' "$out" | grep -c '^run ')
tap_ok "--keep-going finds more" test "$found" -gt 1
tap_has "and counts them" "$(last)" "60 runs, $found failed; "
tap_is "one of those that fail in the same way is kept" "$(find "$work/found" -name command | grep -c .)" 1
tap_has "the others are counted" "$out" "
$found failed: exit status 3; the first is run "
first=$(printf '%s\n' "$out" | sed -n 's/^run \([0-9]*\): exit status 3$/\1/p')
tap_is "and named" "$(printf '%s\n' "$out" | grep -c "^run [0-9]*: exit status 3, as run $first$")" "$((found - 1))"
explore --runs 12 -j 2 --keep-going --no-shrink -- sh -c \
	'"$0" open; test $((UMADRIG_SEED % 3)) = 0 && kill -s ABRT $$; exit $((UMADRIG_SEED % 3))' "$probe"
tap_is "each way to fail has its own report" "$(printf '%s\n' "$out" | grep 'failed: ')" \
	"4 failed: exit status 1; the first is run 1
4 failed: exit status 2; the first is run 2
4 failed: signal 6 (Aborted); the first is run 3"
tap_is "and its example" "$(ls "$work/found" | tr '\n' ' ')" "failure-000001 failure-000002 failure-000003 "

# ---- reports for other programs ----
report() {
	rm -f "$work"/found.*
	explore --junit "$work/found.xml" --json "$work/found.json" "$@"
}
# EXPRESSION...: what of the object Python makes of them, a line each; then what JUnit has.
reported() {
	python3 -c 'import json, runpy, sys
found = json.load(open(sys.argv[1]))
failures = found["failures"]
for expression in sys.argv[3:]:
    print(eval(expression))
sys.argv = [sys.argv[2] + "/tests/rig/junit_check.py", sys.argv[1].replace("json", "xml")]
runpy.run_path(sys.argv[0], run_name="__main__")' "$work/found.json" "$top_srcdir" "$@" 2>&1
}
if command -v python3 >/dev/null 2>&1; then
	report --runs 6 -j 2 --keep-going --fabric ',fault=drop 1%' -- sh -c \
		'"$0" open; exit $((UMADRIG_SEED % 3))' "$probe"
	tap_is "a failure for each way, and a case for each" "$(reported \
		'[(f["kind"], f["message"], f["count"], f["first_run"], f["seed"]) for f in failures]' \
		'failures[0]["faults"], failures[0]["shrunk"]["faults"]' 'failures[1]["repeat"]' \
		'failures[1]["directory"]' 'found["totals"]["runs"], found["totals"]["failed"], found["status"]')" \
		"[('exit status', 'exit status 1', 2, 1, '1'), ('exit status', 'exit status 2', 2, 2, '2')]
(['drop 1%'], [])
$(line repeat | tail -n 1)
$(line 'kept in' | tail -n 1)
(6, 4, 1)
umadrig explore|exit status 1|failure|2 of 6 runs: exit status 1
umadrig explore|exit status 2|failure|2 of 6 runs: exit status 2"
	tap_has "with the command" "$(cat "$work/found.xml")" "
repeat: umadrig explore --runs=1 "
	tap_has "and the script" "$(cat "$work/found.json")" "/failure-000001-small/repeat\""
	report --runs 1 -- "$probe" open
	tap_is "nothing fails" "$(reported failures 'found["status"]')" "[]
0
umadrig explore|no run fails|passed|"
	report -- not-there
	tap_is "nothing runs, which is an error" "$(reported 'found["cut_off"], found["status"]')" \
		"('the command cannot be run', 127)
umadrig explore|all runs are done|error|the command cannot be run"
	explore --runs 1 --json /dev/full -- "$probe" open
	tap_has "a full disk is said" "$status:$err" "1:umadrig explore: --json: cannot write /dev/full: No space left on device"
else
	tap_skip "a failure for each way, and a case for each" "no python3"
fi

# ---- a page ----
# What a browser shows: text that was printed is no markup; what has to be is there, as XML as well.
page=$work/page.html
explore --runs 6 --keep-going --html "$page" --fabric 'generate:fat-tree:4,4,fault=lie any 100% 1' -- sh -c \
	'"$0" -r 1; echo "<script>alert(1)</script> & so on"; exit 7' "$walker"
tap_is "a page is written" "$status:$(grep -c '<h2>1\. exit status 7</h2>' "$page")" 1:1
tap_lacks "what programs print is only text" "$(cat "$page")" "<script"
tap_has "and is there" "$(cat "$page")" "&lt;script&gt;alert(1)&lt;/script&gt; &amp; so on"
tap_has "so are the command" "$(cat "$page")" "umadrig explore --runs=1 --no-shrink --fabric"
tap_has "what is kept" "$(cat "$page")" "$(line 'kept in')"
tap_has "the kinds of MADs, in how many runs they were" "$(cat "$page")" \
	'<td>SubnGet(NodeInfo)</td><td class="number">6</td>'
tap_is "a ladder" "$(grep -c '<svg ' "$page")" 1
tap_lacks "and nothing that is elsewhere" "$(grep -v 'xmlns' "$page")" "http"
if command -v python3 >/dev/null 2>&1; then
	tap_is "it is XML, of elements that HTML has" "$(python3 -c 'import sys
import xml.etree.ElementTree as tree
names = {at.tag.split("}")[1] for at in tree.parse(sys.argv[1]).iter() if "xhtml" in at.tag}
known = "html head meta title style body main h1 h2 h3 p pre table thead tbody tr th td a section div"
print(*sorted(names - set(known.split())))' "$page" 2>&1)" ""
else
	tap_skip "it is XML" "no python3"
fi
browser=$(command -v chromium || command -v google-chrome)
if [ -n "$browser" ]; then
	shown=$(HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --dump-dom "file://$page" \
		2>"$work/browser")
	tap_has "a browser shows it" "$shown" '<title>6 of 6 runs failed</title>'
else
	tap_skip "a browser shows it" "no chromium here"
fi
explore --runs 1 --html "$page" -- "$probe" open
tap_has "nothing has failed" "$(cat "$page")" "<h1>0 of 1 runs failed</h1>"

# ---- bugs that one order of two threads shows ----
# Each strategy that there is, and its parameters, are in the command that repeats it.
for seed in 1 1001 77777; do
	explore --runs 10 -j 2 --seed $seed --no-shrink -- "$planted" late 100
	tap_is "a step after 100 others is found within 10 runs, from seed $seed" "$status" 1
	repeat
	tap_has "and repeated" "$again" "run 1: exit status 3"
done
explore --runs 10 -j 2 -- "$planted" late 100
tap_is "100 others behind one step take one switch" "$(line 'shrunk to' | sed 's/.* //')" \
	switches=1000.0@3:1000.2
explore --runs 120 -j 2 -- "$planted" mid 8
tap_is "and a step in the middle of others takes two" "$(printf '%s\n' "$out" | sed -n '/^  switch:/,/^  kept/p')" \
	"  switch:  planted 1000.0 waits for end of thread at its choice 3, and planted 1000.2 goes on
           planted 1000.2 lets others in at its choice 4, and planted 1000.1 goes on
  kept in: $(line 'kept in')"
repeat
tap_has "these alone repeat it" "$again" "run 1: exit status 3"
explore --runs 120 -j 2 --no-shrink -- "$planted" mid 8
tap_is "one in the middle of others" "$status" 1
tap_is "by a schedule with its points" \
	"$(line with | grep -c '^seed=[0-9]* schedule=pct:[0-9]*:[1-5]:1[0-9]$')" 1
repeat
tap_has "is repeated" "$again" "run 1: exit status 3"
# The answer is there when the send returns, and what receives it need not wait for the next.
explore --runs 20 -j 2 --no-shrink -- "$planted" answer
tap_has "an answer that another thread has before the next send is found" "$out" ": exit status 3"
# Two neighbours have both orders; all points have their turn.
found=0
for i in 0 1 2 3 4 5 6 7 8 9; do
	for j in 0 1; do
		"$umadrig" exec --fabric ",clock=virtual,schedule=pct:$((2 * i + j)):1" -- "$planted" late 50 \
			>"$work/order" 2>&1 || found=$((found + 1))
	done
done
tap_is "an odd seed reverses the order of threads of the even one before it" "$found" 10
found=0
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
	"$umadrig" exec --fabric ",clock=virtual,schedule=pct:$i:2:8" -- "$planted" mid 4 >"$work/order" 2>&1 ||
		found=$((found + 1))
done
tap_is "one point of all is the right one, in one of both orders" "$found" 1
explore --runs 17 --keep-going --no-shrink -- false
tap_is "each strategy has its turn" "$(line with | sed 's/.*schedule=//; s/:[0-9]*$//' | tr '\n' ' ')" \
	"0 pct:0:1 pct:1:1 pct:0:2 pct:1:2 pct:5:3 pct:6:4 pct:7:5 pos pct:2:1 pct:3:1 pct:2:2 pct:3:2 pct:13:3 \
pct:14:4 pct:15:5 16 "
explore --runs 2 --keep-going --no-shrink --fabric ,schedule=pct:4:2:50 -- false
tap_is "but where one is given" "$(line with | sed 's/.* //' | sort -u)" "schedule=pct:4:2:50"

# ---- seeds reach the command ----
# SEED: what a program can know by chance.
by_chance() {
	"$umadrig" exec --fabric ",clock=virtual,seed=$1" -- bash -c '"$0" open >&2 &&
		echo "$UMADRIG_SEED $RANDOM $(od -An -tx8 -N8 /dev/urandom) $(mktemp -u) $(cat /proc/sys/kernel/random/uuid)" &&
		"$1" at_random && python3 -c "import ctypes
libc = ctypes.CDLL(None)
for name, words in ((\"arc4random\", ()), (\"arc4random_uniform\", (10 ** 9,))):
    if hasattr(libc, name):
        print(name, getattr(libc, name)(*words))" &&
		python3 -c "import os, random; print(os.urandom(4).hex(), random.random())"' \
		"$probe" "$tools/lockstep-calls" 2>/dev/null
}
one=$(by_chance 1)
two=$(by_chance 2)
tap_is "the same seed has the same chance" "$(by_chance 1)" "$one"
tap_is "also another one" "$(by_chance 2)" "$two"
tap_is "the command knows it" "${one%% *} ${two%% *}" "1 2"
at=0
for word in UMADRIG_SEED RANDOM urandom mktemp uuid; do
	at=$((at + 1))
	tap_ok "$word is another for another seed" test "$(echo "$one" | awk "NR == 1 { print \$$at }")" \
		!= "$(echo "$two" | awk "NR == 1 { print \$$at }")"
done
tap_ok "so are AT_RANDOM's bytes" test "$(echo "$one" | grep AT_RANDOM)" != "$(echo "$two" | grep AT_RANDOM)"
for word in arc4random arc4random_uniform; do
	if echo "$one" | grep -q "^$word "; then
		tap_ok "so is $word" test "$(echo "$one" | grep "^$word ")" != "$(echo "$two" | grep "^$word ")"
	else
		tap_skip "so is $word" "the C library has none"
	fi
done
tap_ok "and Python's" test "$(echo "$one" | tail -n 1)" != "$(echo "$two" | tail -n 1)"
explore --runs 40 -j 2 --no-shrink -- bash -c '"$0" open && test $((RANDOM % 8)) != 3' "$probe"
tap_is "a test that chooses by chance is explored" "$status" 1
repeat
tap_has "and repeated" "$again" "run 1: exit status 1"

# ---- the directory of a run is the command's ----
explore --runs 2 --no-shrink -- sh -c '"$0" open; echo mine >"$UMADRIG_RUN/points"; exit 1' "$probe"
tap_is "what it leaves there is kept" "$(cat "$(line 'kept in')/points")" mine
tap_is "and nothing of ours beside it" "$(ls "$work/found")" "failure-000001"

# ---- the environment of a failure ----
wait='one "two"
three'
env -u TZ LC_ALL=C LANG= CI_TOKEN=hush "WAIT=$wait" "PATH=$(cd "$tools" && pwd):$PATH" \
	"$umadrig" explore --runs 1 --no-shrink --output "$work/wait" -- \
	bash -c 'exec-probe open && [ "$WAIT" = "$1" ] && [ "$TZ" = UTC0 ] && exit 7' sh "$wait" >"$work/out" 2>&1 </dev/null
script=$(sed -n 's/^  script: *//p' "$work/out")
# What it does is checked in DIRECTORY, with these VARIABLES alone.
scripted() {
	again=$(cd "$1" && shift && env -i TMPDIR="$TMPDIR" "$@" "$script" 2>&1)
	printf '%s' "$again" | sed -n '1s/^run //p'
}
tap_is "the script repeats it in an empty environment" "$(scripted /)" "1: exit status 7"
tap_is "and in another" "$(scripted "$work" TZ=Asia/Tokyo LC_ALL=xx_XX WAIT=no HOME=/nowhere PATH=/bin:/usr/bin)" \
	"1: exit status 7"
tap_lacks "what has the name of a secret is not kept" "$(cat "$script")" "hush"
tap_has "which is said" "$(cat "$script")" "# Not kept, for its name: CI_TOKEN"
tap_is "nobody else may read the rest" "$(stat -c %a "$script")" 700
rm -rf "$TMPDIR"/umadrig-explore-*

# ---- a terminal ----
if command -v python3 >/dev/null 2>&1; then
	cat >"$work/terminal.py" <<'END'
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs)
os.close(theirs)
try:
    while part := os.read(ours, 4096):
        sys.stdout.write(part.decode().replace("\r", "\\r").replace("\033", "\\e"))
except OSError:
    pass
END
	seen=$(TERM=xterm python3 "$work/terminal.py" "$umadrig" explore --runs 3 -- "$probe" open)
	tap_has "a terminal is told how far it is" "$seen" '\r\e[K1 of 3 runs, 2 traits, the last new one in run 1, '
	tap_is "at the end that is taken away" "$(printf '%s' "$seen" | tail -c 6)" '\r\e[K'
	seen=$(TERM=xterm python3 "$work/terminal.py" "$umadrig" explore --runs 3 --output "$work/line" -- \
		"$planted" late 5)
	tap_has "and that a failure is looked into" "$seen" "failed; looking for less that fails in the same way"
	tap_is "without a line nothing is drawn" "$(TERM=dumb python3 "$work/terminal.py" "$umadrig" explore --runs 1 -- \
		"$probe" open)" ""
else
	tap_skip "a terminal is told how far it is" "no python3"
fi

# ---- deaths ----
explore --runs 200 -- "$planted" death
tap_has "a death by a signal is found" "$out" ": signal 11 ("
repeat
tap_has "and repeated" "$again" "run 1: signal 11 ("

# Where it was tells them apart. Without gdb functions that are no dynamic symbols have no name.
explore --runs 8 -j 2 --keep-going --no-shrink -- sh -c \
	'set null abort jump child; shift $((UMADRIG_SEED % 4)); "$0" end "$1"' "$planted"
places=$(printf '%s\n' "$out" | sed -n 's/qsort_r/qsort/; s/^2 failed: exit status \([0-9]*, .*\); the first is .*/\1/p')
if command -v gdb >/dev/null; then
	tap_is "deaths are told apart by functions" "$places" "134, planted: signal 6 (Aborted) in give_up
139, planted: signal 11 (Segmentation fault) in ?, jump
1, planted: signal 11 (Segmentation fault) in compare, qsort, end_child
139, planted: signal 11 (Segmentation fault) in compare, qsort, end"
else
	tap_is "deaths are told apart by functions" "$(printf '%s\n' "$places" | wc -l)" 4
fi
tap_has "a backtrace is kept" "$(cat "$work/found/failure-000004/backtrace")" " s after the start
#0   "
tap_is "with functions of libraries, whoever calls them" \
	"$(grep -c ' qsort\(_r\)* (/.*/libc.so.6+0x' "$work/found/failure-000004/backtrace")" 1
noted=$(PATH=/nowhere; "$umadrig" explore --runs 1 --no-shrink --output "$work/none" -- "$planted" end null)
tap_has "without gdb that is said" "$noted" "gdb, which is not installed, may know more functions"
tap_has "and the place is named" "$noted" ": signal 11 (Segmentation fault) in planted+0x"
explore --runs 4 -j 2 --keep-going --no-shrink -- sh -c \
	'"$0" open; echo "SUMMARY: AddressSanitizer: heap-use-after-free a.c:7:3 in f$((UMADRIG_SEED % 2))"; exit 1' "$probe"
tap_is "so are errors that a sanitizer has found" "$(printf '%s\n' "$out" | grep 'failed: ')" \
	"2 failed: exit status 1, AddressSanitizer: heap-use-after-free a.c:7:3 in f1; the first is run 1
2 failed: exit status 1, AddressSanitizer: heap-use-after-free a.c:7:3 in f0; the first is run 2"

# ---- a MAD is lost ----
faults="fault=delay all by 1us,fault=drop 1% class=0x81,fault=duplicate 1% class=0x04"
explore --runs 20 -j 2 --all-faults --fabric "generate:fat-tree:20,8,$faults" -- "$walker" -r 0
tap_has "a lost MAD is found" "$out" ": exit status "
tap_is "one fault is left, on one packet" "$(line 'shrunk to' | sed 's/.* fault=/fault=/')" \
	"fault=drop 1% class=0x81 1"
repeat
tap_is "the command repeats it" "$again_status:$(printf '%s\n' "$again" | head -n 1)" \
	"1:$(printf '%s\n' "$out" | sed -n '1s/run [0-9]*/run 1/p')"
tap_is "one packet was lost" "$("$umadrig" show "$(line 'kept in')/capture.pcapng" 2>/dev/null |
	grep -c 'fault drop')" 1
explore --runs 1 --fabric "generate:fat-tree:20,8,seed=1,fault=drop 100% class=0x81 from \"host-0 HCA-1[1]\"" \
	-- "$walker" -r 0
tap_is "so is one of a node with blanks" "$(line 'shrunk to' | sed 's/.* fault=/fault=/')" \
	'fault=drop 100% class=0x81 from "host-0 HCA-1[1]" 1'
explore --runs 1 --no-shrink --fabric "generate:fat-tree:20,8,$faults,seed=1" -- "$walker" -r 0
tap_is "--no-shrink: all are left" "$(line 'shrunk to')$(printf '%s\n' "$out" | grep shrinking)" ""
tap_is "in the command, too" "$(line repeat | grep -o 'fault=' | grep -c .)" 3

# ---- some of the faults ----
explore --runs 80 -j 2 --keep-going --no-shrink --fabric ",$faults" -- false
tap_is "the first run has all faults, as they are" "$(line with | head -n 1 | grep -o 'fault=.*')" \
	"$(echo "$faults" | tr , ' ')"
line with | tail -n +2 | grep -o 'schedule.*' | sed 's/^[^ ]* *//' | sort -u >"$work/drawn"
tap_is "others have each a part of them" \
	"$(sed 's/[0-9.]*%/P/g' "$work/drawn" | sort -u | sed 's/fault=//g' | tr '\n' ';')" \
	";delay all by 1us;delay all by 1us drop P class=0x81;delay all by 1us drop P class=0x81 duplicate P class=0x04;\
delay all by 1us duplicate P class=0x04;drop P class=0x81;drop P class=0x81 duplicate P class=0x04;duplicate P class=0x04;"
tap_is "and other rates" "$(grep -o 'drop [0-9.]*%' "$work/drawn" | sort -u | tr '\n' ' ')" \
	"drop 0.25% drop 0.5% drop 1% drop 2% drop 4% "
explore --runs 3 --keep-going --no-shrink --all-faults --fabric ",$faults" -- false
tap_is "--all-faults: all have all" "$(line with | grep -o 'fault=.*' | sort -u)" "$(echo "$faults" | tr , ' ')"
explore --runs 3 --keep-going --no-shrink --fabric ",seed=4,$faults" -- false
tap_is "so they have where the seed is given" "$(line with | grep -o 'fault=.*' | sort -u)" \
	"$(echo "$faults" | tr , ' ')"
explore --runs 30 --keep-going --no-shrink --fabric ',fault=drop 60% from H1[1]' -- false
tap_is "one fault alone is always there, up to 100 %" "$(line with | grep -o 'fault=.*' | sort -u | tr '\n' ' ')" \
	'fault=drop 100% from H1[1] fault=drop 15% from H1[1] '\
'fault=drop 30% from H1[1] fault=drop 60% from H1[1] '

# ---- it hangs ----
explore --runs 2 --limit 50000s --no-shrink -- sh -c "$probe open; while :; do sleep 10000; done"
tap_has "one that goes on for ever" "$out" "run 1: stuck: "
tap_has "at the limit of virtual time" "$out" "virtual time is at its limit"
tap_has "the command has the limit" "$(line repeat)" "--limit=50000s"
explore --runs 2 -- sh -c "$probe open; $tools/lockstep-stuck deadlock"
tap_has "one that waits for itself" "$out" "run 1: stuck: "
tap_has "nothing can happen" "$out" "nothing can happen any more"
tap_has "and who waits for what" "$(line where)" "waits: sh for a child's end; lockstep-stuck for mutex"
explore --runs 2 --timeout 0.3 --no-shrink --fabric ,clock=real -- sh -c "$probe open; exec sleep 1000"
tap_has "real time" "$out" "run 1: not over after 0.3 s"
tap_lacks "has no schedules" "$out" "schedule"
explore --runs 3 --timeout 1 --no-shrink --keep-going -- sh -c "sleep 1000 & $probe open; while :; do :; done"
tap_is "what computes for ever, while others wait, is one way to fail" "$(line where)" "runs: sh"
explore --runs 1 --timeout 1 --no-shrink -- sh -c "$probe open; (trap '' TERM; while :; do :; done); :"
tap_is "also if it cannot be asked to end" "$(line where)" "runs: sh"

# ---- what it prints, and what the fabric is like ----
explore --runs 2 --has '^H1 lid [0-9]$' --lacks 'lid 2' --expect 'report = ^ways 4 lead 4$' -- "$probe" open
tap_is "all as expected" "$status:${out%%;*}" "0:2 runs, 0 failed"
explore --runs 2 --has 'lid 2' -- "$probe" open
tap_has "a pattern that is missing" "$out" "run 1: the output lacks 'lid 2'"
repeat
tap_has "repeats" "$again" "run 1: the output lacks 'lid 2'"
explore --runs 2 --lacks 'lid [0-9]' -- "$probe" open
tap_has "one that is there" "$out" "run 1: the output has 'lid [0-9]'"
broken="$umadrig ctl link down 'H1[1]' && $probe open"
explore --runs 2 --expect 'report = ^ways 4 lead 4$' -- sh -c "$broken"
tap_has "ways that do not lead" "$out" "run 1: report: ends 2 "
repeat
tap_has "again" "$again" "run 1: report: ends 2 "
explore --runs 2 --expect 'counters "H9"[1]' -- "$probe" open
tap_has "a console that says no" "$out" "run 1: counters \"H9\"[1]: error: "
# What lies outside of a session may change between its two times.
count="echo again >>'$work/times'; wc -l <'$work/times'"
explore --runs 2 --twice -- sh -c "$probe open; $count"
tap_has "twice something else" "$out" "run 1: not the same the second time"
tap_ok "both are kept" test -s "$(line 'kept in')/first/output"
explore --runs 2 --twice --no-shrink -- sh -c "$probe open; { $count; } >\"\$UMADRIG_RUN/log\""
tap_has "also in what the program writes" "$out" "run 1: not the same the second time"

# ---- bytes that depend on addresses ----
explore --find-leaks -- "$planted" tight
tap_is "all bytes are set" "$status:$(printf '%s\n' "$out" | head -n 1)" \
	"0:0 of 2 MADs have 0 bytes that depend on addresses"
tap_is "nothing is kept of that" "$(ls "$work/found")" ""
if [ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ] && [ "$(setarch -R true 2>/dev/null; echo $?)" = 0 ]; then
	explore --find-leaks --runs 8 -- "$planted" leak
	# The highest bytes of an address are the same in most programs.
	tap_is "an address is found" "$status:$(printf '%s\n' "$out" | sed -n '1s/\.\.[0-9]*\]$//p')" \
		"1:frame 1 at H1[1], SubnGet(NodeInfo): NodeInfo.Guid bytes[76"
	tap_is "it is in a file, too" "$(head -n 1 "$work/found/leaks")" "$(printf '%s\n' "$out" | head -n 1)"
	tap_ok "with the capture" test -s "$work/found/first.pcapng"
else
	tap_skip "an address is found" "addresses are not randomised here"
fi
explore --find-leaks -- "$planted" race
tap_is "a program that passes by itself does so" "$status" 0
explore --find-leaks -- sh -c "$probe open; exit 4"
tap_has "one that fails does, too" "$out" "run 1: exit status 4"

# ---- refusals ----
# NAME STATUS TEXT OPTION...
refused() {
	name=$1 wanted=$2 text=$3
	shift 3
	explore "$@"
	tap_is "$name: status" "$status" "$wanted"
	tap_has "$name: why" "$err" "$text"
}
refused "no command" 2 "no command given"
refused "a condition that is none" 125 "always all-actve: expected all-active" --always all-actve -- true
refused "leaks in one run" 2 "--find-leaks needs two runs" --find-leaks --runs 1 -- true
refused "leaks twice" 2 "--find-leaks excludes --twice" --find-leaks --twice -- true
refused "leaks in a report" 2 "--find-leaks excludes --json" --find-leaks --json "$work/x" -- true
refused "a page that cannot be written" 2 "--html: nothing was run: /nowhere/x" --html /nowhere/x -- true
refused "a report that cannot be written" 2 "--junit: nothing was run: /nowhere/x" --junit /nowhere/x -- true
refused "no runs" 2 "--runs 0: expected a number from 1 to 999999" --runs 0 -- true
refused "a number of runs that is none" 2 "--runs 1x: expected a number" --runs 1x -- true
refused "too fine a time" 2 "--limit 1.0000000001s: expected a time that is no finer than a nanosecond" \
	--limit 1.0000000001s -- true
refused "too fine a timeout" 2 "expected a time that is no finer than a nanosecond" \
	--timeout 1.0000000001 -- true
# The same numbers as of umadrig run (script-run.sh): 010 is not octal.
explore --runs 010 --seed 010 --keep-going --no-shrink -- false
tap_is "numbers are decimal" "$(line with | sed -n '1p;$p' | sed 's/ .*//')" "seed=10
seed=19"
explore --runs 1 --seed 0x11 --no-shrink -- false
tap_is "or hexadecimal" "$(line with)" "seed=17 schedule=16"
for bad in pct: pct:1:0 pct:1:17 pct:1:2:0 pos: walk:0 best:1; do
	refused "no schedule: $bad" 125 \
		"schedule=$bad: expected a number, walk:N, pct:N[:DEPTH[:POINTS]] or pos:N" \
		--fabric ",clock=virtual,schedule=$bad" -- true
done
refused "switches of another schedule" 125 "switches= goes with schedule=0 only" \
	--fabric ",schedule=pct:1,switches=1000.0@1:1000.1" -- true
refused "a capture" 2 "capture= is given for each run" --fabric ,capture=x -- true
refused "a pattern" 2 "--has '('" --has '(' -- true
refused "an option of the fabric" 125 "unknown option 'sed=1'" --fabric ,sed=1 -- true
refused "no such program" 127 "there is no program 'not-there'" -- not-there
mkdir "$work/full"
refused "a directory that is there" 125 "File exists" --output "$work/full" -- true
tap_is "umadrig's own failure is not one of the program" "$(ls "$work/full")" ""
rm -rf "$work/found"
mkdir "$work/small"
if unshare -rm mount -t tmpfs -o size=64k none "$work/small" 2>/dev/null; then
	# shellcheck disable=SC2016 # the inner shell's
	out=$(small=$work/small umadrig=$top_builddir/umadrig unshare -rm sh -c '
		mount -t tmpfs -o size=64k none "$small"
		cat /dev/zero >"$small/fills" 2>/dev/null
		TMPDIR=$small exec "$umadrig" explore --runs 1 -- true' 2>&1)
	tap_is "a full disk, which has no room for the message: status" "$?" 125
	tap_has "and the cure" "$out" "TMPDIR or --output names another place"
else
	tap_skip "a full disk, which has no room for the message" "no file system can be mounted here"
fi

# ---- a real subnet manager ----
PATH=$PATH:/usr/sbin
if command -v opensm >/dev/null && command -v sminfo >/dev/null; then
	# Tools that start at once: where only the SM is at work, hardly anything is left to chance.
	explore --runs 25 -j 2 --twice --fabric "generate:fat-tree:20,8,state=cold$audit" -- sh -c \
		'opensm -f "$UMADRIG_RUN/log" >/dev/null & sm=$!
		sleep 30; sminfo & a=$!; saquery -N & b=$!; perfquery & c=$!; saquery -P & d=$!
		wait $a $b $c $d; kill $sm; wait $sm'
	tap_is "opensm in 25 orders, each twice the same" "$status:$err" "0:"
	# By chance some may be the same.
	tap_is "they are different ones" \
		"$(printf '%s\n' "$out" | grep -Ec '25 runs, 0 failed; (1[5-9]|2[0-5]) orders of MADs')" 1
else
	tap_skip "opensm in 25 orders, each twice the same" "no opensm and sminfo here"
	tap_skip "they are different ones" "no opensm and sminfo here"
fi

# ---- a signal ends all ----
rm -rf "$work/found"
setsid "$umadrig" explore -j 2 --output "$work/found" --fabric ,clock=real -- \
	sh -c ": >>\"$work/ready\"; exec sleep 10000" >"$work/out" 2>&1 </dev/null &
job=$!
while ! [ -e "$work/ready" ]; do
	sleep 0.05
done
tap_ok "it runs" session_runs "$job"
kill -TERM "$job"
wait "$job"
tap_is "SIGTERM" "$?" 143
tap_ok "no process is left" session_ends "$job"
tap_is "nothing is left of what ran" "$(ls "$work/found" "$TMPDIR")" "$(printf '%s:\n\n%s:' "$work/found" "$TMPDIR")"

# ---- one that is killed ----
rm -rf "$work/ready"
setsid "$umadrig" explore -j 2 --fabric ,clock=real -- \
	sh -c ": >>\"$work/ready\"; exec sleep 10000" >"$work/out" 2>&1 </dev/null &
job=$!
while ! [ -e "$work/ready" ]; do
	sleep 0.05
done
kill -KILL "$job"
wait "$job"
tap_ok "SIGKILL: no process is left" session_ends "$job"
# The test is ended if that never comes.
while [ "$(ls "$TMPDIR")" ]; do
	sleep 0.05
done
tap_pass "and no directory"
"$umadrig" explore --runs 1 --no-shrink -- sh -c "$probe open; exit 3" >"$work/out" 2>&1 </dev/null
kept=$(echo "$TMPDIR"/umadrig-explore-*)
run_again=$(cd "$work" && "$umadrig" exec -- "$probe" open 2>&1)
tap_has "what was kept of a failure stays" "$(ls "$kept" 2>&1)" "failure-"
tap_has "although the next umadrig looks for what is left" "$run_again" "H1"
rm -rf "$kept"
tap_done
