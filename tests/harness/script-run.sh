#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# script-run: how a scenario fails, is skipped, is selected; that its capture depends only on its
# seed.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# What most scripts begin with: a listening peer, a handle, an agent.
begin='scenario "s"
0  peer listens class=0x32 oui=0x001405 methods={Get, Set}
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register_oui(fd, class=0x32, oui=0x001405, methods={Set})
'

# NAME LINES AT MESSAGE [FURTHER...]: 'begin' and LINES fail at line:column AT with MESSAGE, and the
# output has each FURTHER line.
fails() {
	name=$1 at=$3 message=$4
	printf '%s%s\n' "$begin" "$2" >t.mad
	out=$("$umadrig" run t.mad 2>/dev/null)
	tap_is "$name: status" $? 1
	tap_is "$name" "$(printf '%s\n' "$out" | sed -n 's/^  at: t.mad:\(.*\)/\1/p
		s/^  message: "\(.*\)"$/\1/p' | tr '\n' ' ')" "$at $message "
	shift 4
	for further; do
		tap_has "$name: $further" "$out" "$further"
	done
	[ -s t.pcapng ] || tap_fail "$name: a capture is kept"
	rm -f t.pcapng
}

fails "a packet that is late" \
	'+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
90ms > same' 7:6 'late by 10ms' 'expected: "90ms  > same"' \
	'actual: "100ms  > VendGet(0x0010)' 'line 7   LATE' \
	'#     7 | 90ms > same' '#       |      ^'
fails "a packet that is early" \
	'+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
110ms > same' 7:7 'early by 10ms'
fails "a packet that never comes" '0 > VendGet(0x0010)' 5:3 \
	'nothing can happen any more: line 5 waits for a MAD that leaves H1[1], no timer is armed, and the peer only listens' \
	'actual: "nothing"'
fails "a packet that nobody expects" \
	'+0 umad_send(fd, a, VendGet(0x0010)) = 0
1ms umad_poll(fd) = -ETIMEDOUT' 6:5 \
	'unexpected > VendGet(0x0010) class=0x32 tid=0x0000000100000001 at 0' 'UNEXPECTED'
fails "a packet behind the last line" \
	'+0 umad_send(fd, a, VendGet(0x0010)) = 0' 5:4 \
	'unexpected > VendGet(0x0010) class=0x32 tid=0x0000000100000001 at 0'
fails "a packet in a silence" \
	'+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
+0~+100ms > nothing
+0~+101ms > nothing' 8:11 \
	'expected nothing to leave from 0 up to 101ms: at 100ms came VendGet(0x0010) class=0x32 tid=0x0000000100000001'
fails "a field that differs" \
	'+0 umad_send(fd, a, VendGet(0x0010) tid.low=0x1235) = 0
0  > VendGet(0x0010) tid.low=0x1234' 6:4 'the MAD differs: tid.low: expected 0x00001234, actual 0x00001235' \
	'tid.low  expected 0x00001234  actual 0x00001235  (bytes 12..15)'
fails "a value that has a name" \
	'+0 s = umad_register(fd, class=0x81, version=1)
+0 umad_send(fd, s, SubnGet(PortInfo) path={1, 2} { LinkState=Init PhysLinkState=9 }) = 0
0  > SubnGet(PortInfo) { LinkState=Active PhysLinkState=2 }' 7:4 \
	'the MAD differs: LinkState: expected Active, actual Init (2); PhysLinkState: expected Polling, actual 9' \
	'LinkState  expected Active  actual Init (2)  (byte' \
	'PhysLinkState  expected Polling  actual 9  (byte'
fails "another method and attribute" \
	'+0 umad_send(fd, a, VendGet(0x0010)) = 0
0  > VendSet(0x0011)' 6:4 \
	'the MAD differs: method: expected VendSet, actual VendGet; attribute: expected 0x0011, actual 0x0010' 'method  expected VendSet  actual VendGet' \
	'attribute  expected 0x0011  actual 0x0010'
fails "another destination" \
	'+0 umad_send(fd, a, VendGet(0x0010)) = 0
0  > VendGet(0x0010) to=self' 6:4 \
	'the MAD differs: to: expected self (LID 1), actual LID 2 (peer)' \
	'to  expected self (LID 1)  actual LID 2 (peer)'
fails "the wrong order" \
	'+0 umad_send(fd, a, VendGet(0x0010) tid.low=7) = 0
+0 umad_send(fd, a, VendGet(0x0010) tid.low=8) = 0
0  > VendGet(0x0010) tid.low=8' 7:4 'the MAD differs: tid.low: expected 0x00000008, actual 0x00000007' \
	'a later one fits: VendGet(0x0010) class=0x32 tid=0x0000000100000008 at 0: is the order right?'
fails "the same that is not" \
	'+0 umad_send(fd, a, VendGet(0x0010) tid.low=7) = 0
+0 umad_send(fd, a, VendGet(0x0010) tid.low=8) = 0
0  > VendGet(0x0010)
0  > same' 8:4 \
	'the MAD differs: tid: expected 0x0000000100000007, actual 0x0000000100000008' \
	'byte      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15' \
	'expected                                              07' \
	'actual   01 32 01 01 00 00 00 00 00 00 00 01 00 00 00 08'
fails "exact, and something else is not zero" \
	'+0 umad_send(fd, a, VendGet(0x0010) modifier=3) = 0
0  > VendGet(0x0010) exact' 6:4 'the MAD differs: exact: byte 23: expected 0x00, actual 0x03' 'exact: byte 23  expected 0x00  actual 0x03'
fails "a MAD that is read late" \
	'+0 < VendSet(0x0010) class=0x32
+1ms umad_recv(fd) = a' 6:6 'early by 1ms'
fails "a retry that does not come, as there was an answer" \
	'+0 peer answers VendGet(0x0010) class=0x32 after 3ms
+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
100ms > same' 8:7 \
	'nothing can happen any more: line 8 waits for a MAD that leaves H1[1], no timer is armed, and the peer has answered all that it was sent' \
	'    3.000ms  < VendGetResp(0x0010) class=0x32 tid=0x0000000100000001' \
	'    3.000ms    recv VendGetResp(0x0010) class=0x32 tid=0x0000000100000001'
fails "a MAD that is read in a window, late" \
	'+0 peer answers VendGet(0x0010) class=0x32 after 3ms
+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
0~2ms umad_recv(fd) = a' 8:7 'late by 1ms: the window is 0 .. 2ms' \
	'expected: "0 .. 2ms  umad_recv(fd) = a"' \
	'actual: "3ms  recv VendGetResp(0x0010) class=0x32 tid=0x0000000100000001"' \
	'    recv VendGetResp(0x0010) class=0x32 tid=0x0000000100000001  line 8   LATE'
fails "at the end of its window it is late, too" \
	'+0 peer answers VendGet(0x0010) class=0x32 after 3ms
+0 umad_send(fd, a, timeout=100ms, retries=1, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
0~3ms umad_recv(fd) = a' 8:7 'late: the window 0 .. 3ms ends before that'
fails "packets that no line asks for" \
	'+0 umad_send(fd, a, timeout=1ms, retries=100, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
0~1s umad_recv(fd) = a, status=0' 7:6 \
	'umad_recv(): status: expected 0, actual ETIMEDOUT' \
	'not shown: the first 40 packets that no line asks for' \
	'      41.000ms  > VendGet(0x0010) class=0x32 tid=0x0000000100000001
' '     100.000ms  > VendGet(0x0010) class=0x32 tid=0x0000000100000001
' '(a send that failed)  line 7   DIFFERS'
sed 's/^scenario.*/&\nignore > class=0x81\nignore > VendGet(0x0010) class=0x32/' t.mad >ignore.mad
tap_has "ignored packets are counted" "$("$umadrig" run ignore.mad 2>/dev/null)" \
	"ignored by line 2: 0 packets
# ignored by line 3: 101 packets"
fails "a MAD that nobody reads" \
	'+0 < VendSet(0x0010) class=0x32' 5:4 \
	'unexpected: at 0 umad_recv() had VendSet(0x0010) class=0x32 tid=0x0000000000000001, which no line reads'
fails "a report that nobody reads" \
	'+0 umad_send(fd, a, timeout=10ms, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
+0~+20ms > nothing' 7:10 \
	'unexpected: at 10ms umad_recv() had VendGet(0x0010) class=0x32 tid=0x0000000100000001 (a send that failed), which no line reads'
fails "a MAD where nothing was to come" \
	'+0~+5ms umad_recv(fd) = nothing
+4ms < VendSet(0x0010) class=0x32' 5:9 \
	'expected nothing to arrive from 0 up to 5ms: at 4ms came VendSet(0x0010) class=0x32 tid=0x0000000000000001'
fails "a MAD for another agent" \
	'+0 b = umad_register(fd, class=0x06)
+0 < VendSet(0x0010) class=0x32
+0 umad_recv(fd) = b' 7:4 'umad_recv() returned a (agent 0), not b (agent 1)' \
	'expected: "b (agent 1)"' 'actual: "a (agent 0)"'
fails "a MAD with another status" \
	'+0 < VendSet(0x0010) class=0x32
+0 umad_recv(fd) = a, status=ETIMEDOUT length=24' 6:4 \
	'umad_recv(): status: expected ETIMEDOUT, actual 0; length: expected 24, actual 256'
fails "a call that should fail" '+0 umad_register(fd, class=4) = -EPERM' 5:4 \
	'umad_register() returned 1, not -EPERM' 'expected: "-EPERM"'
fails "a call that should not" '+0 umad_register(fd, class=0x50) = 1' 5:4 \
	'umad_register() returned -EPERM, not 1' 'expected: "1"' 'actual: "-EPERM"'
fails "a call whose result is named and that fails" '+0 b = umad_register(fd, class=0x50)' 5:4 \
	'umad_register() failed: -EPERM (errno EINVAL)'
fails "another errno" '+0 umad_register(fd, class=0x50) = -EPERM, errno=ENOMEM' 5:4 \
	'umad_register(): errno: expected ENOMEM, actual EINVAL'
begin="data d = pattern(20)
$begin"
fails "data with a byte that differs" '+0 < VendSet(0x0010) class=0x32 data=d bytes[43]=0
+0 umad_recv(fd) = a, VendSet(0x0010) data=d' 7:4 \
	'umad_recv(): data byte 3: expected 0xba, actual 0x00'
fails "data of another size" '+0 < VendSet(0x0010) class=0x32 data=d
+0 umad_recv(fd) = a, data=d' 7:4 'umad_recv(): data: expected 20 bytes, actual 216'
fails "a piece that there is not" '+0 < VendSet(0x0010) class=0x32 data=d[2]' 6:4 \
	'd has no piece 2'
fails "nothing from a handle that was closed" '+0 umad_close_port(fd)
+0~+5ms umad_recv(fd) = nothing' 7:9 \
	'umad_recv() of a handle that was closed returns -EINVAL at once: it does not wait for nothing'
fails "at a point, too" '+0 umad_close_port(fd)
+0 umad_recv(fd) = nothing' 7:4 \
	'umad_recv() of a handle that was closed returns -EINVAL at once: it does not wait for nothing'
fails "a handle that is closed while nothing is to come" '+0~+5ms umad_recv(fd) = nothing
+1ms umad_close_port(fd)' 6:9 \
	'umad_recv() would wait up to 5ms, but line 7 closes its handle at 1ms, and it returns -EINVAL'
begin="timeout 1s
$begin"
fails "a scenario that takes longer than it may" '2s umad_poll(fd) = -ETIMEDOUT' 7:4 \
	'the scenario is not over within its timeout (1s)'

# ---- skipped, chosen, listed ----

cat >some.mad <<'END'
tags all
scenario "for real ports"
needs hw
0~1ms > nothing
scenario "for the simulator"
tags second
needs sim, ports 2
0~1ms > nothing
on hw {
	5ms > VendGet()
}
each (n) {
	1
	"two": 2
} do {
	0~$n*1ms > nothing
}
END
out=$("$umadrig" run some.mad 2>/dev/null)
tap_is "a skipped scenario is no failure" $? 0
tap_is "points in order, with reasons" "$(printf '%s\n' "$out" | grep -v '^#')" \
"TAP version 13
1..3
ok 1 - some.mad: for real ports # SKIP needs hw: run it with --backend ib_umad
ok 2 - some.mad: for the simulator [1]
ok 3 - some.mad: for the simulator [two]"
tap_is "chosen by tag" "$("$umadrig" run -k second some.mad 2>/dev/null | grep -c '^ok')" 2
tap_is "listed" "$("$umadrig" run --list some.mad | head -n 2)" \
"some.mad:2: for real ports
some.mad:13: for the simulator [1]"

cat >one-world.mad <<'END'
scenario "all on hw"
on hw {
	0~1ms > nothing
}
scenario "all on sim"
on sim {
	0~1ms > nothing
}
scenario "closed at last"
0  fd = umad_open_port($CA, $PORT)
0~5ms umad_recv(fd) = nothing
5ms umad_close_port(fd)
+0 umad_recv(fd) = -EINVAL
END
tap_is "a scenario without events in this world is skipped" \
	"$("$umadrig" run one-world.mad 2>/dev/null | grep -v '^#')" \
"TAP version 13
1..3
ok 1 - one-world.mad: all on hw # SKIP needs hw: all its events are 'on hw': run it with --backend ib_umad
ok 2 - one-world.mad: all on sim
ok 3 - one-world.mad: closed at last"
printf 'scenario "s"\non hw {\n}\n' >no-events.mad
tap_has "one without any is an error" "$("$umadrig" run no-events.mad 2>/dev/null)" \
	"no-events.mad:1:10: error: this scenario has no events"

# NAME EXPECTED ARGUMENT...: the status, how many points pass and fail, and the message.
on_skip() {
	name=$1 expected=$2
	shift 2
	out=$("$umadrig" run "$@" 2>&1)
	status=$?
	tap_is "$name" "$status:$(printf '%s\n' "$out" | grep -c '^ok'):$(printf '%s\n' "$out" |
		grep -c '^not ok')$(printf '%s\n' "$out" | sed -n 's/^  message: /:/p')" "$expected"
}
skipped='"skipped (--fail-on-skip): needs hw: run it with --backend ib_umad"'
on_skip "--fail-on-skip fails what is skipped" "1:2:1:$skipped" --fail-on-skip some.mad
on_skip "behind the script, too" "1:2:1:$skipped" some.mad --fail-on-skip
on_skip "for a reason" "1:2:1:$skipped" --fail-on-skip=hw some.mad
on_skip "of a pattern" "1:2:1:$skipped" --fail-on-skip='needs h?:*umad' some.mad
on_skip "but for no other" 0:3:0 --fail-on-skip=program --fail-on-skip=root some.mad
on_skip "what is not skipped passes" 0:2:0 -k second --fail-on-skip some.mad

cat >numbers.mad <<'END'
scenario "a"
tags rule:1, rule:3
0~1ms > nothing
scenario "b"
tags rule:3
vary n in 1, 2
0~1ms > nothing
scenario "c"
tags ruler
0~1ms > nothing
END
tap_is "what covers each number" "$("$umadrig" run --list -k rule numbers.mad)" \
"rule   1  numbers.mad:1: a
rule   2  missing
rule   3  numbers.mad:1: a
rule   3  numbers.mad:4: b [n=1]
rule   3  numbers.mad:4: b [n=2]"
cat >row-numbers.mad <<'END'
scenario "r"
tags rule:1, row
each (n) {
	"one": 1
	tags rule:2
	"two": 2
} do {
	+$n*1ms~+5ms > nothing
}
+0~1ms > nothing
END
tap_is "rows have numbers of their own" "$("$umadrig" run --list row-numbers.mad --tag rule)" \
"rule   1  row-numbers.mad:4: r [one]
rule   1  row-numbers.mad:1: r
rule   2  row-numbers.mad:6: r [two]"
tap_is "and are chosen by them" \
	"$("$umadrig" run -k rule:2 row-numbers.mad 2>/dev/null | grep '^ok')" \
	"ok 1 - row-numbers.mad: r [two]"
tap_is "or by their scenario's" \
	"$("$umadrig" run -k row row-numbers.mad 2>/dev/null | grep -c '^ok')" 3
tap_is "a tag with any number" "$("$umadrig" run -k rule numbers.mad 2>/dev/null | grep -c '^ok')" 3
tap_is "the profiles are printed" \
	"$(sed 's/^tags ruler/profile linux-6.17/' numbers.mad >profile.mad
	"$umadrig" run profile.mad 2>/dev/null | sed -n 's/^#.*profile/profile/p')" \
	"profile linux-6.1, linux-6.17"
tap_is "--profile is for scenarios that name none, or it" \
	"$("$umadrig" run --profile linux-6.12 profile.mad \
	2>/dev/null | sed -n 's/^#.*profile/profile/p')" "profile linux-6.12, linux-6.17"
sed 's/^tags ruler/profile linux-5.10, linux-6.12/' numbers.mad >profiles.mad
tap_is "of several profiles the first one is taken" "$("$umadrig" run profiles.mad 2>/dev/null |
	sed -n 's/^#.*profile/profile/p')" "profile linux-6.1, linux-5.10"
tap_is "or the one that --profile names" \
	"$("$umadrig" run --profile linux-6.12 profiles.mad 2>/dev/null |
	sed -n 's/^#.*profile/profile/p')" "profile linux-6.12"
"$umadrig" run --profile linux-2.6 profiles.mad >out 2>err
tap_is "an unknown profile is refused" "$?:$(grep -c -e "--profile .*: expected" err)" 2:1

cat >counter.mad <<'END'
scenario "c"
0 check counter(self, PortRcvErrors) == 0
+0 check counter("H2[1]", RcvErrors) < 1
scenario "e"
0 check counter(peer, PortRcvErrors) > 0
END
out=$("$umadrig" run counter.mad 2>/dev/null)
tap_is "a counter that differs" "$(printf '%s\n' "$out" |
	sed -n 's/^  message: //p; s/^  expected: //p')" \
'"PortRcvErrors of H2[1] is 0"
"> 0"'

# ---- captures ----

cat >many.mad <<'END'
scenario "41 requests"
ignore > class=0x32
0       fd = umad_open_port($CA, $PORT)
+0      a  = umad_register_oui(fd, class=0x32, oui=0x001405)
+0      umad_send(fd, a, timeout=10ms, retries=40, VendGet(0x0010) dlid=99) = 0
+0~+1s  umad_recv(fd) = a, status=ETIMEDOUT
END
out=$("$umadrig" run --keep whole many.mad 2>/dev/null)
tap_is "a capture that is kept" "$?:$(ls whole)" 0:many.pcapng
# Smaller than the capture, and larger than what is written as it begins.
out=$(ulimit -f 4; "$umadrig" run --keep part many.mad 2>/dev/null)
tap_is "one that cannot be written whole fails its scenario" \
	"$?:$(printf '%s\n' "$out" | sed -n 's/^# .*error: //p')" \
	"1:the capture part/many.pcapng is incomplete: File too large"

# ---- what varies ----

cat >vary.mad <<'END'
scenario "v"
vary of in 1, 0x2
vary n in 1..$of, 9
vary gap in 1ms, 2*1ms
define ask(m) = $m(0x0010) class=0x32 tid=$n
0 fd = umad_open_port($CA, $PORT)
each (m, answer) {
	"a": VendGet VendGetResp
	VendSet VendGetResp
} do {
	+$gap < ask($m)
	+0 > $answer(0x0010) tid=$n status=0x000c
}
END
tap_is "every combination is a point" "$("$umadrig" run --list vary.mad | sed -n '1,3p;$p')" \
"vary.mad:8: v [a, of=1 n=1 gap=1ms]
vary.mad:9: v [VendSet VendGetResp, of=1 n=1 gap=1ms]
vary.mad:8: v [a, of=1 n=1 gap=2ms]
vary.mad:9: v [VendSet VendGetResp, of=0x2 n=9 gap=2ms]"
tap_is "and passes" "$("$umadrig" run vary.mad 2>/dev/null | grep -c '^ok')" 20

# ---- the command line ----

# NAME STATUS PART ARGUMENT...
says() {
	name=$1 status=$2 part=$3
	shift 3
	out=$("$umadrig" run "$@" 2>&1 >/dev/null)
	tap_is "$name: status" $? "$status"
	tap_has "$name" "$out" "$part"
}
mkdir empty
says "no script" 2 "no scripts given"
says "a script that is not there" 99 "nosuch.mad: no such file" nosuch.mad
says "a script that is not there, nearly" 99 "did you mean 'some.mad'?" soem.mad
says "with what is there" 99 "in .: counter.mad, empty/, " nosuch.mad
says "a directory that is not there" 99 "did you mean 'empty/'?" emty
says "a directory without scripts" 99 "empty: no *.mad file in or below this directory" empty
says "a tag that no scenario has" 99 "no scenario has the tag 'nosuch'" -k nosuch some.mad
says "nearly a tag" 99 "did you mean 'second'?" -k secnd some.mad
says "with the tags that there are" 99 "The tags are: all, second" -k nosuch some.mad
says "a number that no scenario has" 99 "no scenario has the tag 'rule:2'" -k rule:2 numbers.mad
says "one tag of two that no scenario has" 99 "nothing was run: no scenario has the tag 'nosuch'" \
	-k second -k nosuch some.mad
says "to list, nothing selected is an error too" 99 "no scenario has the tag 'nosuch'" --list \
	-k nosuch some.mad
says "no tags at all" 99 "or any other" -k nosuch vary.mad
tap_is "nothing is printed for a harness to count" "$("$umadrig" run -k nosuch some.mad 2>/dev/null)" ""
printf 'scenario "s"\n0 nonsense\n' >broken.mad
says "a script with errors is listed as such" 1 "broken.mad:2:3: error: " --list broken.mad some.mad
"$umadrig" run -k second broken.mad some.mad >out 2>&1
tap_is "a script with errors fails, whatever is selected" "$?:$(grep -c '^not ok' out)" 1:1
says "a seed that is none" 2 "--seed x: expected a number" --seed x some.mad
says "a seed with a sign" 2 "--seed +1: expected a number" --seed +1 some.mad
says "a seed that is too large" 2 "expected a number" --seed 18446744073709551616 some.mad
says "too fine a limit" 2 "expected a time that is no finer than a nanosecond" \
	--timeout 1.0000000001 some.mad
says "jobs that are none" 2 "-j 1x: expected a number from 1 to 1024" -j 1x some.mad
# The same number as of umadrig explore (explore.sh), and in scenarios: 010 is not octal.
printf 'scenario "s"\n0 note "x"\n' >seeded.mad
printf 'scenario "s"\nseed 010\n0 note "x"\n' >seed-line.mad
seed_of() {
	"$umadrig" run --json seeded.json "$@" >/dev/null 2>&1
	grep -o '"seed":"[0-9]*"' seeded.json | tail -n 1
}
tap_is "--seed is decimal" "$(seed_of --seed 010 seeded.mad)" '"seed":"10"'
tap_is "or hexadecimal" "$(seed_of --seed 0x10 seeded.mad)" '"seed":"16"'
tap_has "and so is that of a scenario" "$("$umadrig" run --explain seed-line.mad)" "seed 10
"
tap_is "-j and --repeat as well" \
	"$("$umadrig" run -j 08 --repeat 010 seeded.mad 2>/dev/null | tail -n 1)" \
	"ok 10 - seeded.mad: s (round 10)"
printf 'scenario "s"\n1.0000000001s note "x"\n' >fine.mad
tap_has "a time is no finer than a nanosecond" "$("$umadrig" run fine.mad 2>&1)" \
	"fine.mad:2:1: error: expected a time that is no finer than a nanosecond"
says "a limit that is none" 2 "--timeout soon: expected a number of seconds" --timeout soon some.mad
says "less than nothing" 2 "--timeout -1: expected a number of seconds" --timeout=-1 some.mad
says "a backend that is none" 2 "--backend real: expected sim, ib_umad or attach" --backend real some.mad
says "ib_umad without a port" 2 "needs --port A=DEVICE/PORT" --backend ib_umad some.mad
says "a port that is none" 2 "--port rxe0: expected A=DEVICE/PORT" --backend ib_umad --port rxe0 \
	some.mad
says "a port on the simulator" 2 "--port needs --backend ib_umad" --port A=rxe0/1 some.mad
says "real devices only are for --allow-writes" 2 "--allow-writes needs --backend ib_umad" \
	--allow-writes nosuch0/1 some.mad

mkdir -p tree/b tree/a
for dir in tree/b tree/a tree; do cp some.mad "$dir/x.mad"; done
tap_is "directories, sorted" \
	"$("$umadrig" run --list tree | sed 's/:.*//' | uniq | tr '\n' ' ')" \
	"tree/a/x.mad tree/b/x.mad tree/x.mad "
"$umadrig" run --keep kept tree >/dev/null 2>&1
tap_is "every point's capture has its own name" "$(cd kept && echo *)" \
	"a-x-02.pcapng a-x-03.pcapng b-x-02.pcapng b-x-03.pcapng x-02.pcapng x-03.pcapng"

# FILES...: what the names of the points call them.
called() {
	"$umadrig" run "$@" 2>/dev/null | sed -n 's/^ok [0-9]* - \([^:]*\): .*/\1/p' | uniq |
		tr '\n' ' '
}

tap_is "a file's points have its path from the directory that is run" "$(called tree)" \
	"a/x.mad b/x.mad x.mad "
tap_is "a single file has its name" "$(called tree/a/x.mad)" "x.mad "
tap_is "several have their paths from what they have in common" \
	"$(called tree/a/x.mad ./tree/b)" "a/x.mad b/x.mad "
tap_is "which is made of whole names" "$(called tree/a tree/b/../a/x.mad)" "x.mad "
mkdir -p tree/ab && cp some.mad tree/ab/x.mad
tap_is "a and ab have the directory above in common" "$(called tree/ab tree/a)" \
	"ab/x.mad a/x.mad "
tap_has "--explain calls them the same" "$("$umadrig" run --explain tree)" \
	"b/x.mad: for the simulator [1]"
rm -rf tree/ab

# Failures without --keep: every one has its capture.
mkdir failures
for file in failures/a-x failures/a/x failures/x; do
	mkdir -p "${file%/*}"
	printf 'scenario "s"\n0 fd = umad_open_port($CA, $PORT)\n1ms umad_recv(fd) = 0\n' >"$file.mad"
done
out=$("$umadrig" run failures failures/a/x.mad 2>/dev/null)
captures=$(printf '%s\n' "$out" | sed -n 's/.*capture: "\(.*\)"/\1/p' | tr '\n' ' ')
tap_is "failures do not overwrite each other's captures" "$captures" \
	"a-x.pcapng a-x~2.pcapng x.pcapng a-x~3.pcapng "
# shellcheck disable=SC2086
tap_is "they are there" "$(ls $captures | wc -l)" 4
out=$("$umadrig" run failures/x.mad failures/a 2>/dev/null)
tap_has "a name has the directory" "$out" "- a/x.mad: s"

# In virtual time there is a limit only if one is given: here a timer goes off for days.
cat >long.mad <<'END'
scenario "long"
ignore > class=0x32
0  peer listens class=0x32 oui=0x001405 methods={Get}
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register_oui(fd, class=0x32, oui=0x001405)
0  umad_send(fd, a, timeout=1ms, retries=4000000000, VendGet(0x0010)) = 0
1000000s note "over"
END
out=$("$umadrig" run --timeout 0.2 long.mad 2>/dev/null)
tap_is "virtual time that takes too long: status" $? 1
tap_has "virtual time that takes too long" "$out" \
	'message: "TIMED OUT after 200ms of real time: this line is not over"'

# ---- one seed, one capture ----

cat >seeded.mad <<'END'
scenario "s"
latency 1ms
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register_oui(fd, class=0x32, oui=0x001405)
+0 peer answers VendGet(0x0010) class=0x32 after 3ms
+0 umad_send(fd, a, timeout=100ms, VendGet(0x0010)) = 0
0  > VendGet(0x0010)
5ms umad_recv(fd) = a, status=0
END
for run in 1 2; do "$umadrig" run --seed 7 --keep "seed$run" seeded.mad >/dev/null 2>&1; done
tap_ok "a seed's capture is the same twice" cmp seed1/seeded.pcapng seed2/seeded.pcapng
(mkdir elsewhere && cd elsewhere && "$umadrig" run --seed 7 --keep ../seed3 ../seeded.mad) \
	>/dev/null 2>&1
tap_ok "wherever it runs from" cmp seed1/seeded.pcapng seed3/seeded.pcapng
tap_is "--twice compares them itself" \
	"$("$umadrig" run --twice seeded.mad 2>/dev/null | tail -n 1)" \
	"ok 1 - seeded.mad: s"
tap_is "lines are the comments" \
	"$("$umadrig" show seed1/seeded.pcapng | sed -n 's/.*# \(seeded.mad.*\)/\1/p' |
	tr '\n' ' ')" \
	"seeded.mad:6 seeded.mad:8 "
ladder=$("$umadrig" run --ladder seeded.mad 2>/dev/null)
tap_has "--ladder shows a good run too" "$ladder" "line 7   ok"

# ---- a fabric that cannot be made fails its own scenarios only ----

printf 'nonsense\n' >bad.net
printf '\324\303\262\241' >bad.pcap
printf 'scenario "a"\ntopology "bad.net"\n0~1ms > nothing\n' >topology.mad
printf 'scenario "b"\nreplay "bad.pcap" answer\n0~1ms > nothing\nscenario "c"\n0~1ms > nothing\n' \
	>capture.mad
printf 'scenario "d"\n0~1ms > nothing\n' >well.mad
out=$("$umadrig" run topology.mad capture.mad well.mad 2>/dev/null)
tap_is "a fabric that cannot be made, and other scripts" \
	"$?:$(printf '%s\n' "$out" | sed -n 's/^\(ok\|not ok\) \([0-9]*\).*/\1 \2/p' | tr '\n' ' ')" \
	"1:not ok 1 not ok 2 ok 3 ok 4 "
tap_has "a topology without a fabric" "$out" '# topology.mad:2:10: error: bad.net: no fabric found: it is '
tap_has "a capture without a packet" "$out" '# capture.mad:2:8: error: '
tap_has "and the caret" "$out" '#     2 | replay "bad.pcap" answer'
cat >useless.mad <<'END'
scenario "no file"
topology "nosuch.net"
0~1ms    > nothing
scenario "no fabric"
topology "bad.net"
each (n) {
    1
    2
} do {
    0~1ms    > nothing
}
scenario "no shape"
topology "generate:tree:8"
0~1ms    > nothing
scenario "one adapter"
topology "alone.net"
0~1ms    > nothing
scenario "well"
0~1ms    > nothing
scenario "of real ports"
needs    hw
topology "nosuch.net"
0~1ms    > nothing
END
printf 'Hca 1 "H1"\n' >alone.net
out=$("$umadrig" run useless.mad well.mad 2>/dev/null)
tap_is "scenarios of one script with topologies that are of no use, and without" \
	"$?:$(printf '%s\n' "$out" | sed -n 's/^\(ok\|not ok\) [0-9]* - [a-z./]*: \(.*\)/\1 \2/p' | tr '\n' ',')" \
	"1:not ok no file,not ok no fabric [1],not ok no fabric [2],not ok no shape,not ok one adapter,ok \
well,ok of real ports # SKIP needs hw: run it with --backend ib_umad,ok d,"
tap_has "no such file: where" "$out" '# useless.mad:2:10: error: nosuch.net: no such file
#     2 | topology "nosuch.net"
#       |          ^~~~~~~~~~~~'
tap_has "no such shape: where" "$out" "# useless.mad:13:10: error: generate:tree:8: no such shape 'tree'"
tap_has "one adapter: where" "$out" '# useless.mad:16:10: error: alone.net: a scenario needs two channel'
out=$("$umadrig" lint useless.mad 2>&1)
tap_is "lint names them all" "$?:$(printf '%s\n' "$out" | grep -c ': error: ')" 1:4
out=$("$umadrig" run --explain useless.mad)
tap_is "--explain, too, and the timelines of the others" \
	"$?:$(printf '%s\n' "$out" | grep -c ': error: '):$(printf '%s\n' "$out" | grep -c 'line')" 1:5:2
printf 'topology "nosuch.net"\nscenario "a"\n0~1ms > nothing\nscenario "b"\n0~1ms > nothing\n' >all.mad
tap_is "a topology of the whole script fails each scenario" \
	"$("$umadrig" run all.mad 2>/dev/null | grep -c '^not ok')" 2

tap_done
