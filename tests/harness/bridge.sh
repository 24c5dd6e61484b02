#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# bridge: programs join a fabric over a stream of bytes, such as ssh carries; here "sh -c" replaces
# ssh.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs opensm saquery ibping ibnetdiscover ibstat
umadrig=$(cd "$top_builddir" && pwd)/umadrig
probe=$top_builddir/tests/tools/exec-probe
mkdir "$work/tmp" "$work/far"
TMPDIR=$work/tmp OSM_TMP_DIR=$work/tmp OSM_CACHE_DIR=$work/tmp
export TMPDIR OSM_TMP_DIR OSM_CACHE_DIR
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT

bridge="TMPDIR=$work/far exec $umadrig bridge --socket $work/socket"
over() {
	"$umadrig" exec --attach-command "$bridge" "$@"
}
here() {
	"$umadrig" exec --attach "$work/socket" "$@"
}

mkfifo "$work/ready"
"$umadrig" serve --fabric generate:fat-tree:400,state=cold --socket "$work/socket" >"$work/ready" &
server=$!
read -r line <"$work/ready"

# The SM at this end of the bridge, its clients at either.
has_sm() {
	here -- ibstat 2>/dev/null | grep -q 'Capability mask: 0x.......[2367abef]'
}
has_no_sm() {
	! has_sm
}
tap_ok "no SM is there before" has_no_sm
# shellcheck disable=SC2016
over -- sh -c 'timeout -k 5 100 opensm -f "$0/log" >/dev/null 2>&1 & echo $! >"$0/sm"; wait' \
	"$work/tmp" 2>"$work/sm.err" &
sm=$!
tap_ok "opensm over the bridge opens its issm path: IsSM is set" within 60 has_sm
tap_ok "it brings the subnet up" within 60 here -- saquery NR
direct=$(here -- saquery NR 2>"$work/err" | grep -v '^$' | sort)
bridged=$(over -- saquery NR 2>>"$work/err" | grep -v '^$' | sort)
tap_is "saquery has all nodes" "$(echo "$direct" | grep -c 'NodeRecord dump')" \
	"$(here -- ibnetdiscover 2>/dev/null | grep -c '^\(Switch\|Ca\)')"
tap_is "also over a second bridge: a large answer comes whole" "$bridged" "$direct"
kill -9 "$(pgrep -P "$(cat "$work/tmp/sm")" opensm)"
wait "$sm"
tap_ok "opensm is killed: IsSM is cleared" within 60 has_no_sm
tap_lacks "nothing was wrong" "$(cat "$work/sm.err" "$work/err")" "umadrig"

tap_is "umadrig ctl speaks to the server over it" "$(over -- "$umadrig" ctl dump 2>/dev/null)" \
	"$("$umadrig" ctl --socket "$work/socket" dump 2>/dev/null)"

fabric() {
	grep -v '^#'
}
tap_is "ibnetdiscover sees the same" "$(over -- ibnetdiscover 2>/dev/null | fabric)" \
	"$(here -- ibnetdiscover 2>/dev/null | fabric)"
first=$(here -- ibstat -l 2>/dev/null | head -n 1)
tap_is "and the same devices" "$(over -- ibstat -l 2>/dev/null)" "$first"
tap_is "the program's exit status is ours" \
	"$(over -- "$probe" status 42 >/dev/null 2>&1; echo $?)" 42
tap_is "a program that opens nothing: 124" "$(over -- "$probe" nothing >/dev/null 2>&1; echo $?)" \
	124
tap_has "the banner says that it is simulated" "$(over -- "$probe" open 2>&1)" "simulated fabric"
over --host nowhere -- "$probe" open >/dev/null 2>"$work/err"
tap_is "a host that is not there: refused" "$?" 125
tap_has "and named" "$(cat "$work/err")" "there is no host 'nowhere'"
if unshare -rm true 2>/dev/null || unshare -m true 2>/dev/null; then
	# Files do not cross: what they say does, and follows what the fabric does.
	cat >"$work/look" <<'END'
device=$(ls /sys/class/infiniband)
echo "$device: $(cat "/sys/class/infiniband/$device/ports/1/state")"
"$1" ctl Unlink "$device[1]" >/dev/null
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	state=$(cat "/sys/class/infiniband/$device/ports/1/state")
	[ "$state" = "1: DOWN" ] && break
	sleep 0.1
done
echo "$state"
"$1" ctl Link "$device[1]" >/dev/null
END
	out=$(over --sysfs -- sh "$work/look" "$umadrig" 2>"$work/err" | sed 's/[24]: [A-Z]*$/up/')
	tap_is "--sysfs over the bridge: what is in /sys, and how it changes" "$out" "$first: up
1: DOWN"
else
	tap_skip "--sysfs over the bridge" "no namespace can be made here"
fi

# The link breaks: the program gets an error, and the server loses only that program.
mkfifo "$work/pid" "$work/go"
cat >"$work/killed" <<'END'
echo $$ >"$1"
exec "$2" bridge --socket "$3"
END
"$umadrig" exec --attach-command "sh $work/killed $work/pid $umadrig $work/socket" -- \
	"$probe" gone "$work/go" >"$work/out" 2>"$work/err" &
run=$!
read -r far <"$work/pid"
read -r line <"$work/go"
tap_is "a program has its port open" "$line" "open"
kill -9 "$far"
wait "$run"
tap_is "the link is killed: the program sees that its device has gone, and has not succeeded" \
	"$?:$(tail -n 1 "$work/out")" \
	"1:gone: -5"
tap_has "and its user that the bridge has ended" "$(cat "$work/err")" "the bridge has ended"
tap_ok "others go on" here -- "$probe" open
descriptors() {
	ls "/proc/$server/fd" | wc -l
}
few_descriptors() {
	[ "$(descriptors)" -le "$before" ]
}
before=$(descriptors)
over -- sh -c "$probe open; $probe open; kill -9 \$\$" >/dev/null 2>&1
tap_ok "the server has nothing left of those that ended" within 60 few_descriptors

"$umadrig" exec --attach-command 'echo Welcome to this machine' -- "$probe" open >/dev/null \
	2>"$work/err"
tap_is "a command that says something else: refused" "$?" 125
tap_has "with what may be wrong" "$(cat "$work/err")" "login script"
"$umadrig" exec --attach-command 'echo no such host >&2; exit 255' -- "$probe" open 2>"$work/err"
tap_is "one that fails: refused" "$?" 125
tap_has "its own words are seen" "$(cat "$work/err")" "no such host"
"$umadrig" exec --attach-command "$umadrig bridge --socket $work/none" -- "$probe" open \
	2>"$work/err"
tap_has "a server that is not there is named" "$(cat "$work/err")" "$work/none: no fabric server"
head -c 300 /dev/zero | "$umadrig" bridge --socket "$work/socket" >/dev/null 2>"$work/err"
tap_is "bytes that are no frames end a bridge" "$?" 125
tap_has "which says so" "$(cat "$work/err")" "frame"
tap_ok "and nothing else" here -- "$probe" open

# ssh, as far as its arguments are concerned.
mkdir "$work/bin"
cat >"$work/bin/ssh" <<END
#!/bin/sh
[ "\$1" = -T ] && [ "\$2" = node7 ] || exit 255
shift 2
PATH=$(dirname "$umadrig"):\$PATH exec sh -c "\$*"
END
chmod +x "$work/bin/ssh"
PATH=$work/bin:$PATH
out=$("$umadrig" exec --attach "ssh:node7:$work/socket" -- ibstat -l 2>"$work/err")
tap_is "--attach ssh:HOST:SOCKET runs it there" "$out" "$first"
"$umadrig" exec --attach "ssh:-oProxyCommand=x:$work/socket" -- ibstat -l 2>"$work/err"
tap_is "a host that would be an option is refused" "$?" 125
"$umadrig" exec --attach ssh:node7 -- ibstat -l 2>"$work/err"
tap_has "and a socket is needed" "$(cat "$work/err")" "ssh:HOST:SOCKET"

kill -TERM "$server"
wait "$server"
tap_is "the server ends in peace" "$?" 0
tap_is "nothing is left" "$(ls "$work/tmp" "$work/far" | grep umadrig-)" ""
tap_done
