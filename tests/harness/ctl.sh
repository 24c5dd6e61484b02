#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ctl: every command of the console, over a server's socket, in a net file's "do" lines, and below
# umadrig exec.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=.}"
. "$top_srcdir/tests/rig/tap.sh"
top_builddir=$(cd "$top_builddir" && pwd)
umadrig=$top_builddir/umadrig
probe=$top_builddir/tests/tools/exec-probe
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
net=$work/plain.net
sed '/^do /d' "$top_srcdir/tests/data/commands.net" >"$net"

# OPTIONS COMMAND: runs it with a server on the fabric, whose socket is $socket.
serve() {
	mkfifo "$work/ready"
	"$umadrig" serve --fabric "$1" --socket "$work/socket" >"$work/ready" 2>"$work/log" &
	server=$!
	read -r line <"$work/ready"
	rm "$work/ready"
}
ctl() {
	"$umadrig" ctl --socket "$work/socket" "$@" 2>&1
}

# NAME STATUS TEXT COMMAND...: expects the status, and the text somewhere in the output.
says() {
	says_name=$1 says_status=$2 says_text=$3
	shift 3
	out=$(ctl "$@")
	tap_is "$says_name: status" $? "$says_status"
	tap_has "$says_name" "$out" "$says_text"
}

# PORT-LINE: the line of Dump for that port of a node.
state() {
	ctl Dump "$1" | sed -n "s/^[0-9a-f]*	\[$2\]	//p"
}
until_state() {
	tries=100
	until state "$1" "$2" | grep -q "$3"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

serve "$net"

says "Start" 0 "started" Start
says "Help" 0 'Unlink "NODE"[[PORT]]' Help
says "Help of one" 0 "fault remove ID|RULE|all" help fault
says "? too" 0 "Baselid" '?'
says "Dump" 0 "#  dumped 5 nodes" Dump
says "Dump of one" 0 "#  dumped 1 nodes" dump '"S1"'
tap_has "with its links" "$out" '	"S2"[1]	 4xSDR Active/LinkUp'
says "Dump of what is not there" 1 "there is no node 'S9'; Dump lists them" Dump S9
tap_is "Route" "$(ctl Route 1 5 | sed 's/ lid.*//' | tr '\n' ' ')" "$(ctl route 1 5 | sed 's/ lid.*//' | tr '\n' ' ')"
h1=$(state H1 1 | sed 's/.*lid \([0-9]*\) lmc.*/\1/')
h3=$(state H3 1 | sed 's/.*lid \([0-9]*\) lmc.*/\1/')
tap_is "Route says each hop" "$(ctl Route "$h1" "$h3")" "From node \"H1\" port 1 lid $h1
[1] -> \"S1\"[1]
[3] -> \"S2\"[1]
[2] -> \"H3\"[1]
To node \"H3\" port 1 lid $h3"
says "Route to nobody" 1 "no port has LID 44" Route "$h1" 44

says "Unlink" 0 "" Unlink '"S1"[3]'
tap_has "the link is down" "$(state S1 3)" "Down/Polling"
says "Route where a link is down" 1 "the link at S1[3] is Down/Polling" Route "$h1" "$h3"
says "ReLink" 0 "" ReLink 'S2[1]'
tap_ok "the link comes up again" until_state S1 3 Init/LinkUp
says "Unlink without a cable" 1 "there is no cable at S1[4]; Link lays one" Unlink 'S1[4]'
says "Link" 0 "" Link '"S1"[4]' '"H3"[2]'
tap_ok "the new cable's link comes up" until_state H3 2 '"S1"\[4\].*Init/LinkUp'
says "Link where one is" 1 'S1[1] is linked with H1[1]; Unlink it first' Link 'S1[1]' 'S2[4]'
says "Link to itself" 2 "no cable goes from S2[4] to S2[4]" Link 'S2[4]' 'S2[4]'
says "Clear" 0 "" Clear '"H3"[2]'
tap_has "unlinks" "$(state S1 4)" "Down/Polling"
says "Unlink of a node" 0 "" Unlink '"S2"'
tap_has "takes all its links" "$(state H3 1)" "Down/Polling"
says "ReLink of a node" 0 "" Relink S2
tap_ok "brings them back" until_state H3 1 Init/LinkUp
says "link down" 0 "" link down 'S1[1]'
tap_has "is down" "$(state H1 1)" "Down/Polling"
says "link up" 0 "" link up 'S1[1]'
tap_ok "is up" until_state H1 1 Init/LinkUp

says "node off" 0 "" node off S2
tap_has "its neighbour's link is down" "$(state S1 3)" "Down/Polling"
tap_has "it is shown" "$(ctl Dump S2)" "has no power"
says "node on" 0 "" NODE ON S2
tap_ok "it is back" until_state S2 1 Init/LinkUp
says "node off of a port" 2 "expected a node, without a port" node off 'S2[1]'
says "device remove" 0 "" device remove H2
tap_has "no program sees the device any more" \
	"$("$umadrig" exec --attach "$work/socket" --host H2 -- "$probe" open 2>&1)" "no fabric"
says "device remove of a switch" 2 "is no host's device" device remove S2
says "a device can come back" 0 "" node on H2
tap_has "and is opened again" \
	"$("$umadrig" exec --attach "$work/socket" --host H2 -- "$probe" open 2>&1)" "lid 0"
says "sm off without an SM" 1 "no port says IsSM" sm off

says "Guid" 0 "" Guid '"H1"' 0xabc
tap_has "of the node" "$(ctl Dump H1)" "nodeguid abc"
says "Guid of a port" 0 "" Guid 'H1[1]' abd
tap_has "of the port" "$(ctl Dump H1)" "abd	[1]"
says "Guid that is none" 2 "expected a GUID" Guid H1 xyz
says "Guid of a switch's port" 2 "a switch's ports have the node's GUID" Guid 'S1[1]' 5
says "Baselid" 0 "" Baselid '"H1"[1]' 0x40 2
tap_has "has moved" "$(state H1 1)" "lid 64 lmc 2"
says "Baselid that is not aligned" 2 "LID 7 is not a multiple of 4" Baselid H1 7 2
says "Baselid of a switch's port" 2 "a switch's LID is its port 0's" Baselid 'S1[1]' 7
says "Baselid beyond the last" 2 "up to 49151" Baselid H1 65000

says "Error" 0 "" Error '"H1"[1]' 20 16
tap_has "is shown" "$(state H1 1)" "# err_rate 20	# err_attr 16"
tap_has "and is a rule" "$(ctl fault list)" "Error H1[1]	matched 0 acted 0"
says "Error again" 0 "" Error '"H1"[1]' 30
tap_is "takes its place" "$(ctl fault list | wc -l | tr -d ' ')" 1
says "Error 0" 0 "" Error 'H1[1]' 0
tap_is "is none" "$(ctl fault list)" ""
says "Error beyond 100" 2 "a rate in percent, a number up to 100" Error H1 300
says "fault add" 0 "" fault add 'drop 1 attr=0x11 on H2[1]'
id=$out
says "fault add that makes no sense" 2 "unknown word '5x'" fault add drop 5x
says "fault add with colons" 2 "write 'drop 5% on H2'" fault add drop:5%@H2
says "fault add where nothing is" 1 "there is no node 'S9'" fault add drop all on S9
says "fault list" 0 "$id	drop 1 attr=0x11 on H2[1]	matched 0 acted 0" fault list
says "fault remove" 0 "" fault remove "$id"
says "fault remove again" 1 "there is no rule '$id'; 'fault list' has them" fault remove "$id"
ctl fault add drop 1 on H1 >/dev/null
says "fault remove by rule" 0 "" fault remove drop 1 on H1
ctl fault add drop 1 on H1 >/dev/null
says "fault remove all" 0 "" fault remove all
tap_is "leaves none" "$(ctl fault list)" ""

says "counters" 0 "PortXmitPkts: " counters 'S1[1]'
says "PerformanceSet" 0 "S1[1] PortCounters.SymbolErrorCounter has been set to 5" \
	PerformanceSet '"S1"[1]' PortCounters.SymbolErrorCounter=5
says "is counted" 0 "SymbolErrorCounter: 5" counters 'S1[1]'
says "PerformanceSet of no counter" 1 "there is no counter 'SymbolErorCounter' in PortCounters: did you mean" \
	PerformanceSet 'S1[1]' PortCounters.SymbolErorCounter=5
says "PerformanceSet of no attribute" 1 "there is no attribute 'Foo'" PerformanceSet 'S1[1]' Foo.x=5
says "PerformanceSet of too much" 2 "SymbolErrorCounter has room for 65535" \
	PerformanceSet 'S1[1]' PortCounters.SymbolErrorCounter=65536
says "PerformanceSet without a value" 2 "expected ATTRIBUTE.FIELD=VALUE" PerformanceSet 'S1[1]' PortCounters

says "report" 0 "ends 6 with-lid" report
says "multicast" 0 "members 0 whole 0" multicast 0xc001
says "multicast of another LID" 2 "multicast LIDs begin with 0xc000" multicast 5
says "topology" 0 'switchguid=0x200000' topology
ctl topology >"$work/now.topo"
tap_ok "can be read again" "$umadrig" topology "$work/now.topo"
says "tables" 0 'pkeys 0x' tables
says "topology as JSON" 0 '"nodes"' topology json
says "topology as something else" 2 "there is no format 'xml'" topology xml

(cd "$work" && ctl capture start here.pcapng) >"$work/out"
tap_is "capture start, in the directory of the caller" "$(cat "$work/out")" ""
"$umadrig" exec --attach "$work/socket" --host H1 -- "$probe" open >/dev/null 2>&1
says "capture stop" 0 "" capture stop
tap_ok "it is whole" "$umadrig" show "$work/here.pcapng"
says "capture stop again" 1 "nothing is being captured" capture stop
says "capture start where one cannot write" 1 "/nowhere/x" capture start /nowhere/x

says "Verbose" 0 "simulator verbose level is 0" Verbose
says "Verbose 1" 0 "simulator verbose level is 1" Verbose 1
says "Verbose 0" 0 "simulator verbose level is 0" Verbose 0
says "Verbose 7" 2 "0 or 1" Verbose 7

# A program is attached, and is disconnected.
says "Attached" 0 "" Attached
mkfifo "$work/go"
"$umadrig" exec --attach "$work/socket" --host H1 -- "$probe" hold <"$work/go" >"$work/held" 2>&1 &
held=$!
exec 3>"$work/go"
tries=100
until grep -q open "$work/held" 2>/dev/null || [ $tries = 0 ]; do
	tries=$((tries - 1))
	sleep 0.05
done
says "clients" 0 'at host "H1", 2 open handles' clients
number=$(echo "$out" | sed -n 's/^Client \([0-9]*\): .*2 open handles/\1/p')
says "X" 0 "" X "$number"
exec 3>&-
wait "$held"
tap_has "its handle is dead" "$(cat "$work/held")" "receive: Input/output error"
says "X of nobody" 1 "there is no client 4711; Attached lists them" X 4711
says "kill of nobody" 1 "there is no client 4711" kill 4711

# Lines of files and of standard input.
printf 'Unlink "S1"[3]\n# nothing\n\nWait 10ms\nReLink "S1"[3]\n' >"$work/flap"
says "!FILE" 0 "" "!$work/flap"
tap_ok "does its lines" until_state S1 3 Init/LinkUp
printf '!flap\nDump "S9"\nWait soon\nFault lost\n' >"$work/bad"
says "!FILE with what is wrong" 1 "$work/bad:2: there is no node 'S9'" "!$work/bad"
tap_has "each line of it" "$out" "$work/bad:3: Wait 'soon': expected seconds"
tap_has "and its next" "$out" "$work/bad:4: 'Fault' what? There is 'fault add', 'fault drop', "
printf '!loop\n' >"$work/loop"
says "!FILE that runs itself" 1 "does it run itself?" "!$work/loop"
says "!FILE that is not there" 1 "No such file" '!/nowhere'
tap_is "standard input" "$(printf 'Verbose\nVerbose\n' | ctl)" "simulator verbose level is 0
simulator verbose level is 0"

says "a command that is none" 2 "there is no command 'unlinc': did you mean 'unlink'?" unlinc S1
says "words that are missing" 2 "expected: Route FROM TO" Route 1
says "a port that is not there" 1 "there is no port S1[9]; it has 0 to 4" Unlink 'S1[9]'
says "brackets that are none" 2 "expected a node" Unlink '"S1"[x]'
for place in 'H1[1x]' 'H1[+1]' 'H1[]' 'H1[4294967297]'; do
	for command in "Unlink $place" "load add $place H2 1G" "fault drop 1 from $place"; do
		# shellcheck disable=SC2086 # words
		says "$command" 2 "'$place': expected " $command
	done
done
says "too fine a time" 2 "expected a time that is no finer than a nanosecond" Wait 1.0000000001s
says "and one without a unit" 2 "expected a time that is no finer than a nanosecond" Wait 1.0000000001
says "too fine a time for later" 2 "expected a time that is no finer than a nanosecond" \
	after 1.0000000001s Dump
out=$(UMAD_BACKEND='' "$umadrig" ctl Dump 2>&1)
tap_is "without a socket: status" $? 2
tap_has "without a socket" "$out" "no server given: name its socket"
out=$("$umadrig" ctl --socket "$work/none" Dump 2>&1)
tap_is "where no server is: status" $? 125
tap_has "where no server is" "$out" "'umadrig serve' starts one"

says "Quit" 0 "" Quit
wait "$server"
tap_is "ends the server in peace" $? 0

# Below umadrig exec the socket need not be named.
out=$("$umadrig" exec --fabric "$net,state=cold" -- sh -c "$umadrig ctl Unlink S1; $umadrig ctl Dump S1; $probe open" 2>&1)
tap_has "below umadrig exec" "$out" "Down/Polling"
"$umadrig" exec --fabric "$net" -- "$umadrig" ctl Start >/dev/null 2>&1
tap_is "ctl alone has not opened the fabric" $? 124

# "do" lines.
"$umadrig" exec --fabric "$top_srcdir/tests/data/commands.net" -- sh -c "$umadrig ctl Dump; $probe open" \
	>"$work/out" 2>"$work/err"
tap_has "do Unlink" "$(grep '\[1\].*Down/Polling' "$work/out")" " lid "
tap_has "do Link" "$(cat "$work/out")" '"S1"[4]'
tap_has "do Baselid" "$(cat "$work/out")" "lid 32 lmc 0"
tap_has "do Error" "$(cat "$work/out")" "# err_rate 20	# err_attr 16"
tap_is "an error has file, line and cure" \
	"$(sed -n 's,^.*/commands.net:,,p' "$work/err")" \
	"23: error: do Unlink \"S9\": there is no node 'S9'; Dump lists them; left out
24: error: do frobnicate: there is no command 'frobnicate'; Help lists them; left out
25: error: do Wait 3: while a file is read there is nothing to wait for; leave it out; left out"
"$umadrig" topology --check "$top_srcdir/tests/data/commands.net" >"$work/out" 2>"$work/err"
tap_has "topology --check does them too" "$(cat "$work/out")" "2 switches, 3 CAs, 0 routers, 4 links; 3 errors"

tap_done
