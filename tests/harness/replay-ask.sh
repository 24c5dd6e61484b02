#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# replay-ask: the requests of a capture, sent again to the fabric that was captured, and to others.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/samples.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

# Three hosts on a switch; the second one's description, and which host the first is beside.
net() {
	printf 'Switch 4 "S1"\n[1] "H1"[1]\n[%s] "H2"[1]\n[%s] "H3"[1]\n\n' "$2" "$3"
	printf 'Hca 1 "H1"\n[1] "S1"[1]\n\nHca 1 "H2" # "%s"\n[1] "S1"[%s]\n\n' "$1" "$2"
	printf 'Hca 1 "H3"\n[1] "S1"[%s]\n' "$3"
}
net H2 2 3 >one.net
net renamed 2 3 >renamed.net
net H2 3 2 >moved.net

ask='timeout=10ms, '
{
	printf '%s\n' 'scenario "asked"' 'topology "one.net"' 'ignore > class=0x81' 'ignore > class=1' \
		'ignore > class=4' '0  fd = umad_open_port($CA, $PORT)' \
		'+0 dr = umad_register(fd, class=SUBN_DR)' '+0 sm = umad_register(fd, class=SUBN_LID)' \
		'+0 pm = umad_register(fd, class=PERF)'
	send() {
		printf '%s\n' "+1ms umad_send(fd, $1, $ask$2) = 0" "* umad_recv(fd) = $1"
	}
	send dr 'SubnGet(NodeInfo) path={1}'
	send dr 'SubnGet(NodeDescription) path={1, 2}'
	send dr 'SubnGet(NodeInfo) path={1, 3}'
	send sm 'SubnGet(PortInfo) to=peer class=SUBN_LID modifier=1'
	send sm 'SubnSet(PortInfo) to=peer class=SUBN_LID modifier=1'
	send pm 'PerfSet(PortCounters) to=peer { PortSelect=1 }'
	send pm 'PerfGet(ClassPortInfo) to=peer'
	send sm 'SubnGet(NodeInfo) dlid=77 class=SUBN_LID'
} >asked.mad
tap_ok "a capture" "$umadrig" run --keep . asked.mad

# NAME STATUS PART... -- ARGUMENT...: how it ends, and what it prints.
row() {
	name=$1 status=$2
	shift 2
	: >parts
	while [ "$1" != -- ]; do
		printf '%s\n' "$1" >>parts
		shift
	done
	shift
	"$umadrig" replay "$@" >raw 2>&1
	tap_is "$name: status" $? "$status"
	out=$(tr -s ' ' <raw)
	while IFS= read -r part; do
		tap_has "$name: $part" "$out" "$part"
	done <parts
}

row "the captured fabric" 0 "no difference in 6 conversations" "skipped: 1 SubnSet(PortInfo)" \
	"skipped: 1 PerfSet(PortCounters)" "6 asked: 6 answered the same, 0 differently, 0 not at all" \
	"2 would change the fabric and were skipped" -- asked.pcapng --mode ask \
	--fabric one.net,capture=sent.pcapng
tap_is "no request that changes anything was sent" \
	"$("$umadrig" show --fields sent.pcapng | awk '$7 == "0x02"' | wc -l | tr -d ' ')" 0
tap_is "the others were" \
	"$("$umadrig" show --fields sent.pcapng | awk '$7 == "0x01" && !seen[$9]++' | wc -l | tr -d ' ')" 6
row "--mode goes without saying" 0 "no difference" -- asked.pcapng --fabric one.net
row "a description" 1 "1 changed" "5 the same" "changed SubnGet(NodeDescription)" \
	"answer NodeDescription.NodeDesc H2 -> renamed" -- asked.pcapng -f renamed.net
row "a description that does not count" 0 "no difference" -- asked.pcapng -f renamed.net -i NodeDesc
row "two cables changed" 1 "answer NodeInfo.PortGuid" -- asked.pcapng -f moved.net
row "a lost answer" 1 "1 changed" "changed SubnGet(PortInfo)" "answer there yes -> no" \
	"0 differently, 1 not at all" -- asked.pcapng -f "one.net,fault=drop 1 attr=0x15 method=0x81"
row "one request" 0 "no difference in 1 conversations" -- asked.pcapng -f one.net \
	-w 'SubnGet(NodeDescription)'
row "JSON" 1 '"b":null' '"same":5,"changed":1' '"field":"NodeDescription.NodeDesc","a":"H2","b":"renamed"' \
	-- asked.pcapng -f renamed.net --json
row "another host asks" 1 "differently" -- asked.pcapng -f one.net --host H3

# NAME FABRIC COUNTS: all of the output is as in standard input.
whole() {
	"$umadrig" replay asked.pcapng --mode ask -f "$2" >raw 2>err
	tap_is "$1: all that is printed" "$(cat raw)" "$(cat)"
	tap_is "$1: all that is counted" "$(grep -v '^simulated fabric' err)" \
		"umadrig replay: skipped: 1 PerfSet(PortCounters)
umadrig replay: skipped: 1 SubnSet(PortInfo)
umadrig replay: 6 asked: $3; 2 would change the fabric and were skipped (--allow-writes sends them); 0 of other ports"
}
whole "the captured fabric" one.net "6 answered the same, 0 differently, 0 not at all" <<'END'
no difference in 6 conversations
END
whole "a moved cable" moved.net "4 answered the same, 2 differently, 0 not at all" <<'END'
        2 changed
        4 the same

changed SubnGet(NodeDescription) tid=0x0000000100000002 path=0,1,2 hop=1/2
         frames 3, 4 of asked.pcapng, asked again
         answer   NodeDescription.NodeDesc      H2  ->  H3

changed SubnGet(NodeInfo) tid=0x0000000100000003 path=0,1,3 hop=1/2
         frames 5, 6 of asked.pcapng, asked again
         answer   NodeInfo.SystemGuid           0x0000000000100004  ->  0x0000000000100002
         answer   NodeInfo.Guid                 0x0000000000100004  ->  0x0000000000100002
         answer   NodeInfo.PortGuid             0x0000000000100005  ->  0x0000000000100003
END
whole "a changed answer" renamed.net "5 answered the same, 1 differently, 0 not at all" <<'END'
        1 changed
        5 the same

changed SubnGet(NodeDescription) tid=0x0000000100000002 path=0,1,2 hop=1/2
         frames 3, 4 of asked.pcapng, asked again
         answer   NodeDescription.NodeDesc      H2  ->  renamed
END
whole "a lost answer" "one.net,fault=drop 1 attr=0x15 method=0x81" \
	"5 answered the same, 0 differently, 1 not at all" <<'END'
        1 changed
        5 the same

changed SubnGet(PortInfo) tid=0x0000000200000004 modifier=0x1
         frames 7, 8 of asked.pcapng, asked again
         answer   there                         yes  ->  no
END
row "nothing is left to ask" 2 "nothing was asked: no request of the captured host is left" \
	"skipped: 1 SubnSet(PortInfo)" -- asked.pcapng -f one.net -w 'SubnSet(PortInfo)'

# In scripts, the same.
script() {
	printf '%s\n' 'scenario "ask"' "topology \"$1\"" "0 replay \"asked.pcapng\" ask $2" '+0~+1s > nothing' >ask.mad
	out=$("$umadrig" run ask.mad 2>&1)
	status=$?
}
script one.net ""
tap_is "a script asks the captured fabric" "$status" 0
script renamed.net ""
tap_is "a script asks another one: status" "$status" 1
tap_has "a script asks another one" "$out" '1 of 6 answers are not those of asked.pcapng'
tap_has "and says what differs" "$out" "NodeDescription.NodeDesc  expected H2  actual renamed"
script renamed.net "ignoring NodeDesc, tid"
tap_is "a script ignores a field" "$status" 0
script renamed.net "where attr == 0x11"
tap_is "a script asks some of it" "$status" 0
script one.net "ignoring statu"
tap_has "a script names a field that is not there" "$out" "there is no field 'statu': did you mean status?"
printf '%s\n' 'scenario "ask"' '0 replay "asked.pcapng" timed' >ask.mad
tap_has "a script with the wrong mode" "$("$umadrig" run ask.mad 2>&1)" "expected 'ask'"

# Writes: only from the port that is named.
row "writes allowed" 0 "8 asked" "0 would change the fabric and were skipped; 0 of" -- asked.pcapng \
	-f one.net,capture=written.pcapng --port sim0/1 --allow-writes sim0/1 -i 'bytes[0..255]'
tap_is "they were sent" \
	"$("$umadrig" show --fields written.pcapng | awk '$7 == "0x02" && !seen[$9]++' | wc -l | tr -d ' ')" 2
row "writes allowed for another port" 2 "--allow-writes 'sim1/1': the requests are sent from sim0/1" \
	-- asked.pcapng -f one.net --allow-writes sim1/1

row "no fabric" 2 "--fabric or --backend ib_umad is expected" -- asked.pcapng --mode ask
row "no such fabric" 2 "nothing.net" -- asked.pcapng -f nothing.net
row "no such port" 2 "cannot be opened" -- asked.pcapng -f one.net -p sim0/7
row "not a port" 2 "--port 'sim0': expected CA/PORT" -- asked.pcapng -f one.net -p sim0
if [ ! -e /sys/class/infiniband_mad ]; then
	row "no real port" 2 "cannot be opened" -- asked.pcapng --backend ib_umad
else
	tap_skip "no real port" "there are devices"
fi
row "another backend" 2 "expected ib_umad" -- asked.pcapng --backend sim
row "no such mode" 2 "--mode 'asks': expected answer, timed or ask" -- asked.pcapng -m asks -f one.net
row "a command" 2 "--mode ask runs no command" -- asked.pcapng -m ask -f one.net -- true
row "options of the other mode" 2 "--fabric is for --mode timed or ask, not --mode answer" -- asked.pcapng -m answer -f one.net
row "no such field" 2 "there is no field 'statu': did you mean 'status'?" -- asked.pcapng -f one.net \
	-i statu

sample_make .
row "the sample" 1 "4 asked" "skipped: 1 ComMgtSend(ConnectRequest)" -- sample.pcapng -f one.net
[ -z "$real_sample" ] || row "a capture of real hardware" 1 "4 asked" \
	"skipped: 2 ComMgtSend(ConnectRequest)" -- "$real_sample" -f one.net

tap_done
