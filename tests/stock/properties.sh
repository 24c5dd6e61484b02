#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-properties: what must hold while OpenSM manages a fabric, by umadrig exec --do and by
# umadrig explore: kept, broken, seen sometimes, and true again after healing.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs opensm saquery smpquery
opensm=$(command -v opensm)
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch opensm saquery smpquery
TMPDIR=$work
UMADRIG=$umadrig
export TMPDIR UMADRIG

# Two subnets that one cable joins.
cat >"$work/two.net" <<'END'
Hca 1 "H1"
[1] "S1"[1]

Hca 1 "H2"
[1] "S2"[1]

Switch 4 "S1"
[1] "H1"[1]
[2] "S2"[2]

Switch 4 "S2"
[1] "H2"[1]
[2] "S1"[2]
END

# OpenSM for SECONDS of virtual time; with a second one on H2.
cat >"$work/one" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -f log >out 2>&1 & sm=$!
sleep "$1"; kill $sm; wait $sm
END
cat >"$work/two" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -f log >out 2>&1 & sm=$!
UMADRIG_HOST=H2 opensm -f log2 >out2 2>&1 & sm2=$!
sleep "$1"; "$UMADRIG" ctl property list; kill $sm $sm2; wait $sm $sm2
END

cat >"$work/killed" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -f log >out 2>&1 & sm=$!
wait $sm; echo "opensm: $?" >ended; date +%S.%N >when; sleep 1
opensm -f log2 >out2 2>&1 & sm=$!
sleep 60; kill $sm; wait $sm
END

# CAPTURE SCRIPT SECONDS OPTION...: below umadrig exec.
manage() {
	UMADRIG_RUN=$work/run; export UMADRIG_RUN
	rm -rf "$work/run"; mkdir "$work/run"
	capture=$work/$1; script=$work/$2; seconds=$3
	shift 3
	"$umadrig" exec --fabric "$work/two.net,state=cold,clock=virtual,capture=$capture" "$@" -- \
		sh "$script" "$seconds" >"$work/out" 2>"$work/err"
	status=$?
	unset UMADRIG_RUN
}
tap=$(printf '\t')

# ---- umadrig exec ----
manage plain.pcapng one 30
tap_is "OpenSM alone" "$status" 0
manage held.pcapng one 30 --do 'always all-active within 10s' --do 'always every-way-leads' \
	--do 'always unique-lids' --do 'always one-master' --do 'never log-has log ERR' \
	--do 'finally report = active 4' --do 'sometimes log-has log "SUBNET UP"'
tap_is "what must hold does" "$status" 0
tap_ok "looking changes nothing" cmp "$work/plain.pcapng" "$work/held.pcapng"

manage apart.pcapng two 120 --do 'after 20s link down S1[2]' --do 'after 80s link up S1[2]' \
	--do 'always one-master within 0' --do 'always one-master within 1s' \
	--do 'sometimes log-has log2 "Entering MASTER"' --do 'never log-has log2 "Entering MASTER"'
tap_is "a property that is broken is the exit status" "$status" 1
tap_has "both parts of a subnet have a master, and one when they meet" "$(cat "$work/out")" \
"1${tap}always one-master${tap}broken at 80.010s${tap}H1[1] and H2[1] are masters
2${tap}always one-master within 1s${tap}holds"
tap_has "a line of a log is seen" "$(cat "$work/out")" \
	"3${tap}sometimes log-has log2 Entering MASTER${tap}met at 70."
tap_has "or must not be there" "$(cat "$work/err")" \
	"umadrig: at 70.000s: never log-has log2 Entering MASTER: log2: Nov 14 22:14:30"
tap_has "at the end they are counted" "$(cat "$work/err")" \
	"umadrig exec: 2 of 4 properties did not hold"
tap_has "the capture has it where it was" "$("$umadrig" show "$work/apart.pcapng" 2>/dev/null)" \
	"always one-master: H1[1] and H2[1] are masters"

# The answer that OpenSM throws away is one that it waits for, for ever.
freeze() {
	UMADRIG_RUN=$work/run; export UMADRIG_RUN
	rm -rf "$work/run"; mkdir "$work/run"
	"$umadrig" exec --fabric "$work/two.net,state=cold,clock=virtual,fault=$1" --do "$2" -- \
		sh "$work/one" 100 >"$work/out" 2>"$work/err"
	status=$?
	unset UMADRIG_RUN
}
freeze 'lie modifier 1 SubnGetResp(NodeInfo)' 'always every-request-ends'
tap_is "a request that OpenSM waits for, for ever" "$status" 1
tap_has "is named, with why" "$(cat "$work/err")" "umadrig: at 30.000s: always every-request-ends: \
SubnGet(NodeInfo) of H1[1] to 0,1, sent at 0.000s, is forgotten: the answer has modifier 0x"
freeze 'drop 40%' 'always every-request-ends within 100ms'
tap_is "those that are lost are asked again" "$status:$(grep -c 'every-request' "$work/err")" 0:0

freeze 'lie modifier 1 SubnGetResp(NodeInfo)' 'always alive'
tap_is "it answers SMInfo all the same" "$status:$(grep -c ': always alive' "$work/err")" 0:0

# One that is stopped or gone does not.
cat >"$work/stopped" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -f log >out 2>&1 & sm=$!
sleep "$1"; kill -CONT $sm; kill $sm; wait $sm
END
manage stopped.pcapng stopped 100 --do 'always alive' --do 'after 33s signal opensm STOP'
tap_has "a subnet manager that is stopped" "$(cat "$work/err")" \
	"umadrig: at 55.000s: always alive: the subnet manager at H1[1] answers no SMInfo, for 20s"
manage stopped2.pcapng stopped 100 --do 'always alive' --do 'after 33s signal opensm STOP' \
	--do 'after 50s signal opensm CONT'
tap_is "not for long" "$status" 0
manage gone.pcapng killed 0 --do 'always alive within 6s' --do 'after 33s signal opensm KILL'
tap_is "one that is soon followed by another" "$(grep -c ': always alive' "$work/err")" 0
tap_has "the capture says who has asked" "$("$umadrig" show "$work/gone.pcapng" 2>/dev/null)" \
	"# asked by 'alive'"

# A LID that two ports have: OpenSM gives another at its next sweep, which nothing brings about.
manage lids.pcapng one 60 --do 'after 20s Baselid H2[1] 1' --do 'always unique-lids within 5s'
tap_has "LIDs that are not unique" "$(cat "$work/err")" \
	"umadrig: at 25.000s: always unique-lids: H1[1] and H2[1] have LID 1, for 5s"

# Memory, of each program.
cat >"$work/grows" <<'END'
text=0123456789abcdef i=0
while [ $i -lt 22 ]; do
	text=$text$text i=$((i + 1)); sleep 1; smpquery nodedesc -D 0,1 >/dev/null
done
END
manage grows.pcapng grows 0 --do 'always memory-bounded 1G' --do 'always memory-bounded 20M'
tap_has "a program that has too much memory is named" "$(cat "$work/err")" \
	"umadrig: at 19.100s: always memory-bounded 20M: sh (1000) has more
umadrig exec: 1 of 2 properties did not hold"

# Engines that promise no credit loop have none; those that need SLs say them in path records.
cat >"$work/engine" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -Q -R "$1" -f log >out 2>&1 & sm=$!
sleep 30; saquery -p >paths; sleep 40; kill $sm; wait $sm
END
engine() {
	UMADRIG_RUN=$work/run; export UMADRIG_RUN
	rm -rf "$work/run"; mkdir "$work/run"
	"$umadrig" exec --fabric "generate:torus:5x5,1,state=cold,clock=virtual" \
		--do 'always no-credit-loop within 35s' --do 'finally no-credit-loop' -- \
		sh "$work/engine" "$1" >"$work/out" 2>"$work/err"
	status=$?
	unset UMADRIG_RUN
}
for name in lash dfsssp nue; do
	engine $name
	tap_is "$name has no credit loop in a torus" "$status" 0
done
tap_has "lash has several SLs" "$(engine lash; grep 'sl\.' "$work/run/paths" | sort -u)" "0x2"
engine minhop
tap_has "min-hop has one" "$(cat "$work/err")" " VL 0 wait for each other, for 35s"

manage wrong.pcapng one 1 --do 'always all-actve'
tap_is "a wrong condition is refused" "$status:$(cat "$work/err" | tail -n 1)" \
	"125:umadrig exec: always all-actve: expected all-active, unique-lids, every-way-leads, one-master, every-request-ends, alive, no-credit-loop, memory-bounded, log-has, program, or \"COMMAND = PATTERN\", not 'all-actve'"

# ---- umadrig explore ----
explore() {
	rm -rf "$work/found"
	"$umadrig" explore --output "$work/found" --fabric "$@" >"$work/out" 2>"$work/err"
	status=$?
}
fabric="$work/two.net,state=cold,fault=drop 60%"
explore "$fabric" --runs 4 --heal 20s --finally 'all-active within 30s' \
	--finally 'every-way-leads within 30s' --sometimes 'log-has log "SUBNET UP"' -- sh "$work/one" 100
tap_is "OpenSM brings it up once faults have ended" "$status" 0
explore "$fabric" --runs 4 --finally all-active --keep-going --no-shrink -- sh "$work/one" 20
tap_is "and not in all runs while they go on" "$status" 1
tap_has "which the report names" "$(cat "$work/out")" "failed: finally all-active"
explore "$fabric" --runs 30 --no-shrink --always 'all-active within 15s' -- sh "$work/one" 40
tap_is "always: a run breaks it" "$status" 1
tap_has "with when, and why" "$(sed -n 1p "$work/out")" ": always all-active within 15s: "
command=$(sed -n 's/^  repeat:  umadrig //p' "$work/out")
tap_has "what must hold is in the command" "$command" "'--do=always all-active within 15s'"
mkdir "$work/again"
(cd "$work/again" && eval "\"\$umadrig\" $command" >"$work/again/out" 2>&1)
tap_has "which repeats it" "$(sed -n 1p "$work/again/out")" ": always all-active within 15s: "
explore "$work/two.net,state=cold" --runs 3 --json "$work/found.json" --junit "$work/found.xml" --sometimes 'log-has log "no such line"' \
	--sometimes all-active -- sh "$work/one" 20
tap_is "what is never seen fails all" "$status" 1
tap_is "and is named" "$(sed -n 1p "$work/out")" "in none of 3 runs: sometimes log-has log \"no such line\""
tap_has "in the JSON" "$(cat "$work/found.json")" '"never_seen":["log-has log \"no such line\""]'
tap_has "and in JUnit" "$(cat "$work/found.xml")" \
	'name="sometimes log-has log &quot;no such line&quot;" time="0.000000"><failure message="it was in no run"'

# ---- triggers ----
kill='when 1 SubnSet(PortInfo) after 5 do signal opensm KILL'
manage killed.pcapng killed 0 --do "$kill"
tap_is "a program is killed" "$(cat "$work/run/ended")" "opensm: 137"
manage again.pcapng killed 0 --do "$kill"
tap_ok "at the same packet each time" cmp "$work/killed.pcapng" "$work/again.pcapng"
manage later.pcapng killed 0 --do 'after 30s signal opensm TERM'
tap_is "or asked to end, at a time" "$(cat "$work/run/ended" "$work/run/when")" "opensm: 0
50.000000000"
# Whatever becomes of one, another comes after it, under another name.
ln -s "$opensm" "$work/heir"
cat >"$work/heirs" <<'END'
cd "$UMADRIG_RUN" || exit
opensm -f log >out 2>&1 & sm=$!
sleep 20; kill $sm; wait $sm
"$1" -f log2 >out2 2>&1 & sm=$!
sleep 40; kill $sm; wait $sm
END
explore "$work/two.net,state=cold" --runs 13 --each 'signal opensm KILL' \
	--finally all-active --keep-going --no-shrink -- sh "$work/heirs" "$work/heir"
tap_is "killed anywhere, the next one brings the fabric up" "$status:$(tail -n 1 "$work/out" | cut -d, -f1)" \
	"0:13 runs"
explore "$work/two.net,state=cold" --runs 13 --each 'link down S1[2]' --no-shrink \
	--finally 'report = ends 4 with-lid 4 ' -- sh "$work/one" 30
tap_is "a cable that is pulled at some packet is found" "$status" 1
tap_is "and the packet is named" "$(sed -n 's/.*schedule=0, after [0-9]* packets: //p' "$work/out")" \
	"link down S1[2]"
instant=$(sed -n 's/^  with: .*, after \([0-9]*\) packets.*/\1/p' "$work/out")
explore "$work/two.net,state=cold,fault=drop 1 PerfGet()" --runs 13 --each 'link down S1[2]' \
	--finally 'report = ends 4 with-lid 4 ' -- sh "$work/one" 30
tap_is "what is less of it is at the same packet" "$(sed -n 's/^  shrunk to: //p' "$work/out")" \
	"seed=1 schedule=0, after $instant packets: link down S1[2]"
tap_ok "and is in the command" grep -Eq "^  repeat: .*'--do=when 1 after [0-9]+ do link down S1\[2\]'" \
	"$work/out"

tool_rows subnet <<'END'
opensm (one and two of them, with what must hold: all-active, one-master, unique-lids, every-way-leads) | - | holds; two parts of a subnet have a master each, and one when they meet; a LID that two ports have stays so until the next heavy sweep; killed at any packet, the next one brings the subnet up | killed anywhere
opensm -Q, -R ENGINE, lash, dfsssp, nue, minhop (in a torus) | - | no credit loop; one with minhop | lash has no
END
tap_done
