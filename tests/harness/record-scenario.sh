#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# record-scenario: what a program did becomes a scenario that passes without the program.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

walker=$top_builddir/tests/tools/fabric-walk
mad_write=$top_builddir/tests/harness/mad-write
two=$top_srcdir/tests/data/two-switches.net

# ---- the writer: MADs of captures are the same when they are read again ----

"$top_builddir/tests/tools/every-mad" every.pcapng >/dev/null
"$top_builddir/tests/tools/every-mad" --random 7 random.pcapng >/dev/null
sample_make "$work"
for capture in every.pcapng random.pcapng sample.pcapng "$top_srcdir"/../shared/captures/*.pcap*; do
	name=$(basename "$capture")
	if [ ! -r "$capture" ]; then
		tap_skip "the MADs of $name" "it is not beside the tree"
		continue
	fi
	tap_ok "the MADs of $name" "$mad_write" "$capture"
done

# ---- scenarios ----

# recorded NAME OPTION... -- PROGRAM...: NAME.mad is made, passes, is formatted, and nothing is
# odd about it.
recorded() {
	scenario=$1
	shift
	"$umadrig" record -o "$scenario.mad" "$@" >"$scenario.out" 2>"$scenario.err"
	tap_has "$scenario: it passes at once" "$(cat "$scenario.err")" ": passes"
	tap_lacks "$scenario: it is as it was" "$(cat "$scenario.err")" "it was different"
	tap_is "$scenario: and later" "$("$umadrig" run "$scenario.mad" 2>/dev/null |
		grep -c '^ok 1 ')" 1
	tap_is "$scenario: the same twice" "$("$umadrig" run --twice "$scenario.mad" 2>/dev/null |
		grep -c '^ok 1 ')" 1
	tap_is "$scenario: lint and format" "$("$umadrig" lint "$scenario.mad" 2>&1
		"$umadrig" format --check "$scenario.mad" 2>&1)" ""
}
# stock NAME PROGRAM OPTION...: the same of a program that may not be installed, or not run here
stock() {
	if ! command -v "$2" >/dev/null 2>&1; then
		tap_skip "$1" "$2 is not installed"
		return
	fi
	if grep -q '^CFLAGS = .*-fsanitize' "$top_builddir/Makefile"; then
		tap_skip "$1" "a library with sanitizers cannot be put in front of it"
		return
	fi
	recorded_name=$1
	shift 2
	recorded "$recorded_name" "$@"
}

recorded walk -f generate:fat-tree:4,4,2 -- "$walker"
tap_is "a generated fabric is named" "$(grep '^topology' walk.mad)" \
	'topology "generate:fat-tree:4,4,2" self="H-0002c90300000040[1]"'
tap_is "the command is the title" "$(grep -c "^scenario \"$walker\"" walk.mad)" 1
"$umadrig" record -o walk -f generate:fat-tree:4,4,2 -- "$walker" >/dev/null 2>&1
tap_is "every request of the run is there" "$(grep -c 'umad_send(' walk.mad)" \
	"$("$umadrig" show walk/capture.pcapng 2>/dev/null |
		grep -c ' H-0002c90300000040\[1\] .* [A-Za-z]*Get(')"
recorded host -f generate:fat-tree:4,4,2 --host host-2 -- sh -c "\"$walker\"; UMADRIG_HOST=host-0 \"$walker\"
	UMADRIG_HOST=host-0 \"$walker\""
tap_is "another host, although others ask more" "$(grep '^topology' host.mad)" \
	'topology "generate:fat-tree:4,4,2" self="H-0002c90300000060[1]"'
tap_is "which is said" "$(grep -c '^# [0-9]* requests of other ports are not part of it' host.mad)" 1
recorded virtual -f "$two,clock=virtual" -- "$walker"
recorded cold -f "$two,state=cold" --host HostB -- "$walker"
tap_ok "a fabric's file is copied" cmp "$two" cold.net
tap_is "a cold fabric" "$(grep '^topology' cold.mad)" \
	'topology "cold.net" self="HostB[1]" state=cold'
# A line that is not true of it fails: the scenario is no formality.
sed 's/NumPorts=8/NumPorts=9/' virtual.mad >wrong.mad
tap_is "it can fail" "$("$umadrig" run wrong.mad 2>/dev/null | grep -c '^not ok 1 ')" 1

stock smpquery smpquery -f "$two" -- smpquery -D nodeinfo 0,1
stock latency smpquery -f "$two,latency=1ms" -- smpquery -D nodeinfo 0,1
[ ! -e latency.mad ] || tap_is "latency is written, and times follow" \
	"$(grep '^latency' latency.mad; grep -o '^+[0-9a-z]* *umad_recv' latency.mad)" \
	"latency  1ms
+2ms     umad_recv"
stock perfquery perfquery -f "$two" -- perfquery 5
stock ibnetdiscover ibnetdiscover -f "$two" -- ibnetdiscover
stock ibping ibping -f "$two" -- ibping -c 1 5
if command -v saquery >/dev/null 2>&1; then
	stock sm opensm -f "$two,state=cold" -- opensm -o -f osm.log
	# An answer in three segments, of a program at another node; the SM's sweep arrives as well.
	cat >sa.sh <<'END'
UMADRIG_HOST=HostB opensm -f osm.log -s 0 -t 100 >/dev/null 2>&1 &
i=0
while [ $i -lt 300 ] && ! saquery NR >nodes 2>/dev/null; do
	sleep 0.1
	i=$((i + 1))
done
kill $!
wait
END
	stock saquery opensm -f "$two,state=cold" --port 'HostA[1]' -- sh sa.sh
	[ ! -e saquery.mad ] || tap_is "segments and their data" \
		"$(grep -c -e '^data     d' -e 'data=d[0-9]*\[3\]' -e 'umad_recv(fd) = sa, status=0 data=d' saquery.mad)" 3
fi

# ---- of a capture, of a bundle ----

"$umadrig" record -o bundle -f "$two" -- "$walker" >/dev/null 2>&1
recorded of-bundle --from bundle
"$umadrig" exec -f "$two,capture=of.pcapng" -- "$walker" >/dev/null 2>&1
recorded of-capture -f "$two" --from of.pcapng
# They are of two runs: what is asked and answered is the same, in whatever order.
asked() {
	sed -n 's/?t[0-9]*/?t/; s/\$t[0-9]*/$t/; s/^+[^ ]* *\(> .*\|umad_recv.*\)/\1/p' "$1" | sort |
		cksum
}
tap_is "the same of both" "$(asked of-bundle.mad)" "$(asked of-capture.mad)"

# What the kernel sends again is one umad_send(), and what nothing answers comes back.
cat >again.mad <<'END'
scenario "s"
0  peer listens class=0x32 oui=0x0002c9 methods={Get}
0  fd = umad_open_port($CA, $PORT)
+0 a = umad_register_oui(fd, class=0x32, oui=0x0002c9)
+0 umad_send(fd, a, timeout=70ms, retries=2, VendGet(0x0010) to=peer bytes[40..41]=0x0102) = 0
+0 > VendGet(0x0010)
+70ms > same
+70ms > same
+70ms umad_recv(fd) = a, status=ETIMEDOUT
END
"$umadrig" run --keep . again.mad >again.tap 2>&1
recorded retries --from again.pcapng
tap_is "retries and the timeout are seen" "$(sed -n '/umad_open_port/,$p' retries.mad)" \
'0        fd = umad_open_port($CA, $PORT)
+0       c32_0002c9 = umad_register_oui(fd, class=0x32, oui=0x0002c9)

+0       umad_send(fd, c32_0002c9, timeout=70ms, retries=2,
             VendGet(0x0010) to=peer class=0x32 oui=0x0002c9 bytes[40..41]=0x0102) = 0
+0       > VendGet(0x0010) to=peer class=0x32 tid=?t1 oui=0x0002c9 bytes[40..41]=0x0102 exact
+70ms    > same
+70ms    > same
+70ms    umad_recv(fd) = c32_0002c9, status=ETIMEDOUT tid=$t1
+0~+1s   > nothing'

# ---- what is refused ----

# NAME STATUS MESSAGE ARGUMENT...
fails() {
	name=$1 status=$2 message=$3
	shift 3
	"$umadrig" record -o new.mad "$@" >out 2>err
	tap_is "$name: status" "$?" "$status"
	tap_has "$name: message" "$(cat err)" "$message"
	tap_ok "$name: there is none" test ! -e new.mad -a ! -e new.net
}
fails "nothing to record" 2 "of a command, after --" -f "$two"
fails "both" 2 "of a command, after --" --from of.pcapng -- true
fails "scrubbed" 2 "--attach, --backend and --scrub go with bundles" --scrub -- true
fails "a fabric with faults" 2 "write 'fault' lines by hand" -f "$two,fault=drop 5%" -- true
fails "a fabric that is a capture" 2 "write 'replay' by hand" -f of.pcapng -- true
fails "a port that does nothing" 2 "host 'X[1]' sent nothing in the capture" -f "$two" --port "X[1]" \
	-- "$walker"
printf 'scenario "s"\n0 fd = umad_open_port($CA, $PORT)\n' >quiet.mad
cat >answers.mad <<'END'
scenario "s"
0  fd = umad_open_port($CA, $PORT)
+0 sa = umad_register(fd, class=SA, methods={Get})
+0 < SubnAdmGet(ClassPortInfo) tid=7
+0 umad_recv(fd) = sa
+0 umad_send(fd, sa, SubnAdmGetResp(ClassPortInfo) tid=7) = 0
+0 > SubnAdmGetResp(ClassPortInfo)
+0 umad_send(fd, sa, SubnAdmGet(ClassPortInfo)) = 0
+0 > SubnAdmGet(ClassPortInfo)
END
"$umadrig" run --keep . quiet.mad answers.mad >/dev/null 2>&1
fails "a capture of no MADs" 2 "there is no MAD in the capture" --from quiet.pcapng
echo kept >there.mad
tap_is "one that is there" "$("$umadrig" record -o there.mad -f "$two" -- "$walker" 2>&1):$(cat there.mad)" \
	"umadrig record: there.mad is there already:kept"
"$umadrig" record -o nowhere/new.mad -- touch ran 2>err
tap_is "a directory that is not there is named first" "$?:$(cat err)" \
	"2:umadrig record: nowhere/new.mad cannot be written: nowhere: No such file or directory"
tap_ok "before the program runs" test ! -e ran
# Its answers are those of a program at the port: that is said, and where.
fails "a port that answers" 1 "SubnAdmGetResp(ClassPortInfo) tid=0x0000000000000007: an answer" \
	--from answers.pcapng
tap_done
