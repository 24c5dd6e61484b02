#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# verbs: below a filter, programs find verbs devices (/dev/infiniband/uverbsN) with the values of
# the simulated fabric, and are told when its ports change; what would move data is refused, with
# one line that says why.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch ibv_devices ibv_devinfo ibv_asyncwatch ibv_rc_pingpong ibv_srq_pingpong \
	ibv_uc_pingpong ibv_ud_pingpong ibv_xsrq_pingpong rdma srp_daemon ibacm ucx_info \
	rping rdma_client rdma_server ucmatose udaddy rstream

fabric=$top_srcdir/tests/data/two-switches.net,host=HostB
any_needs_filter

below() {
	timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" "$@" >out 2>err
}
# NAME PROGRAM: skips what follows in its line where there is no such program.
has() {
	command -v "$2" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin
	command -v "$2" >/dev/null 2>&1 && return
	any_lacks "$1" "no $2 here (Debian: $3)"
	return 1
}

# ---- system calls alone: the errno of Linux's ib_uverbs and mlx5 ----

any_builds_static verbs "$top_srcdir/tests/any/verbs.c"
cat >expected <<'END'
20600 231:192
read: EINVAL
writev: EINVAL
of nothing: 0
lseek: ESPIPE
mmap: ENODEV
dup: 0
a write of what is open for reading: EBADF
a write that no trap sees: EBADF
short header: EINVAL
nothing: EINVAL
no memory: EFAULT
unmapped: EFAULT
less than it says: EINVAL
no command: EOPNOTSUPP
a gap in the commands: EOPNOTSUPP
flags: EINVAL
no extended command: EOPNOTSUPP
query before context: EINVAL
PD before context: EINVAL
context, a small request: EINVAL
context, little room: ENOSPC
context with DevX: EINVAL
context to nowhere: EFAULT
context: 48
ports 2, CQEs 1, doorbells 0, bytes 72
close-on-exec of its events: 1
no event: EAGAIN
a write there: EBADF
an ioctl there: ENOTTY
context again: EINVAL
device: 16
ports 2, then 0 ffffffff
device, little room: ENOSPC
device to nowhere: EFAULT
port: 24
state 4, LID 4, SM's 3
port 0: EINVAL
port 3: EINVAL
port, a small request: ENOSPC
device_ex: 32
ports 2, length 304 of 304
device_ex, some room: 32
length 184
device_ex, little room: ENOSPC
device_ex, no room: 32
device_ex, room nowhere: EINVAL
device_ex with a mask: EINVAL
device_ex and more: EOPNOTSUPP
PD: 16
handle 0
PDs: 64, then ENOMEM
no PD: ENOENT
PD away: 12
twice: ENOENT
MR: EOPNOTSUPP
MR, a small request: ENOSPC
CQ: EOPNOTSUPP
QP: EOPNOTSUPP
QP_EX: EOPNOTSUPP
port by ioctl: 0
LID 5, valid
and little room: EINVAL
and room nowhere: EFAULT
and no room: EINVAL
and twice the same: EINVAL
and what nobody knows: EPROTONOSUPPORT
GIDs: 0
GIDs: EINVAL
2 entries, port 2, GID ending in 4
GIDs of no size: EINVAL
GIDs of an odd size: EINVAL
GID: 0
GID: ENODATA
GID: EINVAL
another ioctl: ENOTTY
no memory: EFAULT
a wrong length: EINVAL
a wrong count: EINVAL
another driver: EINVAL
no method: EPROTONOSUPPORT
no object: EPROTONOSUPPORT
a CQ: EOPNOTSUPP
an MR: EOPNOTSUPP
a command by ioctl, cut short: ENOSPC
many, then EMFILE
and again: 0
END
for how in filter both; do
	below --how $how -- ./verbs
	any_is "a program without any library, --how $how" $? expected
	tap_is "what is refused is said once" "$(grep -c EOPNOTSUPP err)" 1
	tap_has "with the command, and why" "$(cat err)" \
		"wants REG_MR of sim0: it fails (EOPNOTSUPP), as verbs are simulated for queries and"
done

# ---- the communication manager ----

any_builds_static rdma-cm "$top_srcdir/tests/any/rdma-cm.c"
cat >expected <<'END'
20666 10:58
no event: 0
short header: EINVAL
nowhere: EFAULT
less than it says: EINVAL
create: EOPNOTSUPP
in parts: EOPNOTSUPP
given up: ENOSYS
no command: EINVAL
an event: EOPNOTSUPP
read: EINVAL
ioctl: ENOTTY
copy: 0
open for reading: EBADF
a directory: ENOTDIR
END
for how in filter both; do
	below --how $how -- ./rdma-cm
	any_is "rdma_cm opens, and each command is refused, --how $how" $? expected
	tap_is "once with the command, and why" "$(grep -c 'wants CREATE_ID of rdma_cm: it fails' err)" 1
done

# ---- netlink for RDMA ----

any_builds_static rdma-asks "$top_srcdir/tests/any/rdma.c"
cat >expected <<'END'
before bind: send: Transport endpoint is not connected
devices: one of 1 done
a device: 1
with an acknowledgement: 1 error Success
no device: error Invalid argument
which?: error Invalid argument
ports: one of 5 one of 5 done
a port: 5
no port: error Invalid argument
the system: 6
uverbs: 15
a change: error Operation not permitted
resources: error Operation not supported
no command: error Invalid argument
another client: error Invalid argument
longer than it is: 0
shorter than a header: 0
less than a header: 0
nothing: 0
too much: Message too long, 0
nowhere: Bad address, 0
an attribute that is too long: 1
and one of no length: 1
no request: 0
a hundred lists: the first, and refusals: 101
END
below --how filter -- ./rdma-asks
any_is "netlink: what asks is answered, what is wrong has an error" $? expected
if has "rdma" rdma iproute2; then
	cat >rdma.sh <<'END'
rdma dev | sed 's/ *$//'
$CTL link down 'HostB[1]'
$CTL Baselid '"HostB"[2]' 76 1
rdma link | sed 's/ *$//'
rdma system | grep -o 'netns shared'
rdma dev set sim0 name other 2>&1
rdma dev show none 2>&1 | grep -c sim0
rdma -j dev | tr -d ' "' | grep -o 'ifname:[^,]*'
rdma -d link show sim0/1 | grep -o 'caps:'
rdma resource 2>&1
rdma statistic 2>&1
$CTL device remove HostB
rdma dev
END
	CTL="$umadrig ctl"
	export CTL
	below -- sh rdma.sh
	tap_is "rdma dev, link, system: as the fabric is" \
		"$(sed 's/ protocol ib / /' out)" "0: sim0: node_type ca fw $("$umadrig" --version | sed -n '1s/.* //p') node_guid \
0000:0000:0010:0002 sys_image_guid 0000:0000:0010:0002
link sim0/1 subnet_prefix fe80:0000:0000:0000 lid 4 sm_lid 3 lmc 0 state DOWN physical_state POLLING
link sim0/2 subnet_prefix fe80:0000:0000:0000 lid 76 sm_lid 3 lmc 1 state ACTIVE physical_state LINK_UP
netns shared
error: Operation not permitted
0
ifname:sim0
caps:
error: Operation not supported
error: Operation not supported"
fi

# ---- events ----

cat >events.sh <<'END'
# What the program before wrote is gone before this one is waited for.
: >events
"$@" >>events 2>&1 &
i=0
while [ $i -lt 1000 ] && ! grep -q 'waits\|async event FD' events; do
	sleep 0.05
	i=$((i + 1))
done
# shellcheck disable=SC2086 # words
for change in 'link down HostB[1]' 'Baselid "HostB"[2] 77' 'device remove HostB'; do
	$CTL $change
done
wait $!
$CTL node on HostB
[ -c /dev/infiniband/uverbs0 ] && cat /sys/class/infiniband_verbs/uverbs0/ibdev
END
UMADRIG=$umadrig CTL="$umadrig ctl"
export UMADRIG CTL
events="waits
too little room: EINVAL
event 10 of port 1
event 11 of port 2
event 8 of port 0
the end: 0
a command then: EIO"
below -- sh events.sh ./verbs events
tap_is "events: a link falls, a LID changes, the device is pulled out; then EIO" "$(cat events)" \
	"$events"
tap_is "one that is put back can be found" "$(cat out)" "sim0"
# Over a bridge the supervisor has a copy of what is shown.
"$umadrig" serve --fabric "$fabric" --socket "$work/socket" >ready 2>serve.err &
server=$!
while [ ! -s ready ]; do sleep 0.05; done
mkdir far
CTL="$umadrig ctl --socket $work/socket" timeout -s KILL 60 "$umadrig" exec \
	--attach-command "TMPDIR=$work/far exec $umadrig bridge --socket $work/socket" -- \
	sh events.sh ./verbs events >out 2>err
tap_is "events over a bridge" "$(cat events)" "$events"
kill "$server"
wait "$server"
if has "ibv_asyncwatch" ibv_asyncwatch ibverbs-utils; then
	below -- sh events.sh stdbuf -oL ibv_asyncwatch -d sim0
	tap_is "ibv_asyncwatch: the same" \
		"$(sed -n 's/.*\(IBV_EVENT.*\)/\1/p' events)" \
		"IBV_EVENT_PORT_ERR (10), port 1
IBV_EVENT_LID_CHANGE (11), port 2
IBV_EVENT_DEVICE_FATAL (8), port 0"
fi
if has "a subnet manager" opensm opensm && [ -f verbs ]; then
	cat >sm.sh <<'END'
: >events
./verbs events >>events 2>&1 &
while ! grep -q waits events; do sleep 0.05; done
OSM_TMP_DIR=. OSM_CACHE_DIR=. opensm -o -f osm.log >/dev/null 2>&1
"$UMADRIG" ctl device remove HostB
wait
END
	timeout -s KILL 60 "$umadrig" exec --fabric "$fabric,state=cold" -- sh sm.sh >out 2>err
	tap_is "events of a port while a subnet manager brings it up" \
		"$(sed -n 's/event \(.*\) of port 1/\1/p' events | tr '\n' ' ')" "11 17 9 "
fi

# ---- the distribution's programs ----

# What /sys has of port $2 of device $1.
cat >port-of <<'END'
port=/sys/class/infiniband/$1/ports/$2
printf 'state %s\n' "$(cut -d: -f1 <"$port/state")"
printf 'sm_lid %d\n' "$(cat "$port/sm_lid")"
printf 'lid %d\n' "$(cat "$port/lid")"
printf 'lmc %d\n' "$(cat "$port/lid_mask_count")"
printf 'cap %s\n' "$(cat "$port/cap_mask")"
printf 'sm_sl %s\n' "$(cat "$port/sm_sl")"
printf 'pkeys %s\n' "$(ls "$port/pkeys" | wc -l)"
printf 'gids %s\n' "$(ls "$port/gids" | wc -l)"
printf 'width %s\n' "$(sed 's/.*(\([0-9]*X\) .*/\1/' "$port/rate")"
printf 'phys %s\n' "$(cut -d: -f1 <"$port/phys_state")"
printf 'gid %s\n' "$(cat "$port/gids/0")"
END
# What it prints of port $1.
said_of() {
	awk -v port="$1" '
		/^\t\tport:/ { here = $2 == port }
		!here { next }
		$1 == "state:" { gsub(/[()]/, "", $3); print "state " $3 }
		$1 == "phys_state:" { gsub(/[()]/, "", $3); print "phys " $3 }
		$1 == "port_lid:" { print "lid " $2 }
		$1 == "sm_lid:" { print "sm_lid " $2 }
		$1 == "port_lmc:" { print "lmc " $2 + 0 }
		$1 == "port_cap_flags:" { print "cap " $2 }
		$1 == "sm_sl:" { print "sm_sl " $2 }
		$1 == "GID[" && $2 == "0]:" { print "gid " $3 }
		$1 == "active_width:" { print "width " $2 }
		$1 == "gid_tbl_len:" { print "gids " $2 }
		$1 == "pkey_tbl_len:" { print "pkeys " $2 }'
}
if has "ibv_devinfo" ibv_devinfo ibverbs-utils && has "ibv_devices" ibv_devices ibverbs-utils; then
	cat >look.sh <<'END'
ibv_devices >devices
ibv_devinfo -v >said
ibv_devinfo -l | tr -d ' \t' >list
ibv_devinfo -d sim0 -i 2 | grep '^[[:space:]]*port:' | tr -d ' \t' >one
sh ./port-of sim0 1 >port1
sh ./port-of sim0 2 >port2
"$UMADRIG" ctl link down 'HostB[1]'
ibv_devinfo -v >fallen
ls /dev/infiniband
END
	below -- sh look.sh
	tap_has "ibv_devices lists the device" "$(cat devices)" "0000000000100002"
	tap_has "ibv_devinfo has its GUID" "$(cat said)" "node_guid:			0000:0000:0010:0002"
	tap_has "and its ports" "$(cat said)" "phys_port_cnt:			2"
	for number in 1 2; do
		tap_is "port $number as in /sys" "$(said_of $number <said)" "$(cat "port$number")"
	done
	tap_is "ibv_devinfo -l, and of one port" "$(cat list one)" "1HCAfound:
sim0

port:2"
	tap_has "with its MTU" "$(cat said)" "active_mtu:		4096 (5)"
	tap_has "and its speed" "$(cat said)" "active_speed:		2.5 Gbps (1)"
	tap_has "the state of one whose link has fallen" "$(cat fallen)" \
		"state:			PORT_DOWN (1)"
	tap_has "which has no speed, and a width that mlx5_ib takes instead" "$(cat fallen)" \
		"active_width:		4X (2)
			active_speed:		invalid speed (0)"
	tap_is "/dev/infiniband has it" "$(tr '\n' ' ' <out)" "issm0 issm1 rdma_cm umad0 umad1 uverbs0 "
	tap_is "and nobody has been refused anything" "$(grep -c EOPNOTSUPP err)" 0
fi
# PROGRAM PACKAGE COMMAND ARGUMENT...: it finds the device, and then says what it cannot have.
is_refused() {
	program=$1 package=$2 wanted=$3
	shift 3
	has "$program" "$program" "$package" || return
	timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" -- timeout 3 "$program" "$@" \
		>out 2>err
	tap_has "$program finds the device, and is refused $wanted" "$(cat err)" \
		"wants $wanted of sim0: it fails (EOPNOTSUPP)"
}
for kind in rc srq uc ud xsrq; do
	is_refused ibv_${kind}_pingpong ibverbs-utils REG_MR
done
is_refused srp_daemon srptools CREATE_COMP_CHANNEL -o -c -i sim0 -p 1
if [ "$(id -u)" = 0 ]; then
	is_refused ibacm ibacm CREATE_COMP_CHANNEL --systemd
else
	tap_skip "ibacm finds the device" "only root may start it"
fi
is_refused ucx_info ucx-utils "a CQ" -d
# PROGRAM WHAT ARGUMENT...: it gets as far as the first command of rdma_cm, and says (unless WHAT
# is "") why it fails.
fails_well() {
	program=$1 said=$2
	shift 2
	has "$program" "$program" rdmacm-utils || return
	timeout -s KILL 60 "$umadrig" exec --fabric "$fabric" -- timeout 5 "$program" "$@" \
		>out 2>&1
	tap_has "$program: a channel for events, but no connection" "$(cat out)" \
		"wants CREATE_ID of rdma_cm: it fails (EOPNOTSUPP)"
	[ -z "$said" ] || tap_has "which it says itself" "$(cat out)" \
		"$said: Operation not supported"
}
fails_well rping rdma_create_id -c -a 127.0.0.1 -C 1
# This one asks rdma_getaddrinfo() before.
fails_well rdma_client rdma_create_ep -s 127.0.0.1
fails_well rdma_server rdma_create_ep
fails_well rstream 'rsocket failed' -s 127.0.0.1
fails_well ucmatose '' -s 127.0.0.1
fails_well udaddy '' -s 127.0.0.1
below --how preload -- sh -c 'command -v ibv_devices >/dev/null || exit 0; ibv_devices 2>&1'
tap_is "without a filter there is no device" "$(grep -c 00100002 out)" 0
tool_rows verbs <<'END'
ibv_devices | right: the device, and its GUID | ibv_devices lists the device
ibv_devinfo, -v | right: ports with state, LIDs, LMC, GIDs, MTU, width and speed, as /sys has them; one whose link falls | port 1 as in /sys
ibv_devinfo -l, -d DEVICE, -i PORT | right | ibv_devinfo -l
ibv_asyncwatch -d DEVICE | right: a link that falls, a LID that changes, an adapter that is pulled out | ibv_asyncwatch
ibv_rc_pingpong, ibv_srq_pingpong, ibv_uc_pingpong, ibv_ud_pingpong, ibv_xsrq_pingpong | find it; a memory region is refused (EOPNOTSUPP): no data moves | ibv_rc_pingpong
rdma dev, link, system, -j, -d | right, as the kernel says it by netlink | rdma dev
rdma dev set | refused (EPERM): netlink is read only | rdma dev
rdma resource, statistic | refused (EOPNOTSUPP): there is nothing to count | rdma dev
ibacm --systemd | finds it and its ports; a completion channel is refused (EOPNOTSUPP), and it goes on without the device | ibacm finds the device
srp_daemon -o, -c, -i DEVICE, -p PORT | finds it; a completion channel is refused (EOPNOTSUPP) | srp_daemon
ucx_info -d | finds it; a CQ is refused (EOPNOTSUPP), and what is no verbs device is listed | ucx_info
rping -c, -a ADDRESS, -C COUNT | has a channel for events; an identifier is refused (EOPNOTSUPP), which it says | rping
rdma_client -s ADDRESS | the same | rdma_client
rdma_server | the same | rdma_server
rstream -s ADDRESS | the same | rstream
ucmatose -s ADDRESS | the same, and does not say it | ucmatose
udaddy -s ADDRESS | the same, and does not say it | udaddy
END
tap_done
