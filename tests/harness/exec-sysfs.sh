#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-sysfs: with "umadrig exec --sysfs", programs that read /sys/class themselves see the
# simulated devices in their present state.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibstatus ibsrpdm srp_daemon opensm
[ $# -gt 0 ] || . "$top_srcdir/tests/rig/tool-rows.sh"
[ $# -gt 0 ] || tool_watch ibstatus ibsrpdm srp_daemon
mkdir "$work/tmp" "$work/few"
TMPDIR=$work/tmp OSM_TMP_DIR=$work/tmp OSM_CACHE_DIR=$work/tmp
export TMPDIR OSM_TMP_DIR OSM_CACHE_DIR
# Instead of the test: what a machine without the right to namespaces prints.
if ! unshare -rm true 2>/dev/null && ! unshare -m true 2>/dev/null; then
	"$umadrig" exec --sysfs -- ibstatus >"$work/out" 2>"$work/err"
	tap_is "without the right to namespaces it is refused" $? 125
	tap_has "with the cure" "$(cat "$work/err")" "user namespaces"
	tap_done
	exit
fi

until_is_sm() {
	within 60 grep -q '^0x.......[2367abef]$' $port/cap_mask
}
until_is_no_sm() {
	within 60 grep -q '^0x.......[014589cd]$' $port/cap_mask
}

# A fabric after power-up, and opensm on it.
if [ "${1:-}" = follow ]; then
	port=/sys/class/infiniband/$2/ports/1
	echo "before: $(cat $port/lid) $(cat $port/state) $(cat $port/sm_lid) $(ibstatus "$2" |
		grep lid | tr -d '\t ' | tr '\n' ' ')"
	timeout -k 5 60 opensm -f "$TMPDIR/log" >/dev/null 2>&1 &
	sm=$!
	within 60 grep -q ACTIVE $port/state
	echo "up: $(cat $port/lid) $(cat $port/state) $(cat $port/sm_lid)"
	ibstatus "$2" | sed -n 's/^\t\(base lid\|state\):[\t ]*/\1 /p'
	until_is_sm && echo "IsSM"
	kill -9 "$(pgrep -P "$sm" opensm)"
	wait "$sm" 2>/dev/null
	until_is_no_sm && echo "no IsSM"
	exit 0
fi

# SRP targets: none, and then one on H2.
if [ "${1:-}" = targets ]; then
	timeout -k 5 60 opensm -d 2 -f "$TMPDIR/log-targets" >/dev/null 2>&1 &
	sm=$!
	within 60 grep -q "SUBNET UP" "$TMPDIR/log-targets"
	# Where srp_daemon looks for targets that are already there: not every machine has this
	# list.
	[ -d /sys/class/scsi_host ] || mkdir /sys/class/scsi_host
	preload=$LD_PRELOAD
	ask() {
		LD_PRELOAD=$preload:$verbs "$@"
	}
	verbs=$2
	ask srp_daemon -v -o -d /dev/infiniband/umad0 | grep Query
	ask ibsrpdm -d /dev/infiniband/umad0
	echo "ibsrpdm: $?"
	UMADRIG_HOST=H2 "$3" 2>/dev/null >"$TMPDIR/target" &
	target=$!
	within 20 grep -q ready "$TMPDIR/target"
	"$umadrig" ctl capability set 'H2[1]' 0x80000
	within 30 sh -c "saquery PIR 2 2>/dev/null | grep -q 'CapMask:\.*0x...[89a-f]'"
	ask ibsrpdm -d /dev/infiniband/umad0 | sed 's/  */ /g'
	ask srp_daemon -o -c -a -d /dev/infiniband/umad0
	echo "guid: $(UMADRIG_HOST=H2 ibstat -p)"
	kill "$target" "$sm"
	wait
	exit 0
fi

# The contents of the files against what libibumad returns, which comes from the server.
if [ "${1:-}" = same ]; then
	for ca in /sys/class/infiniband/*; do
		name=${ca##*/}
		for port in "$ca"/ports/*; do
			set -- $(cat "$port/lid" "$port/sm_lid" "$port/cap_mask" "$port/lid_mask_count")
			set -- "$@" "$(cut -d' ' -f1 "$port/rate")" "$(cut -d: -f1 "$port/state")"
			echo "$name ${port##*/} $(($1)) $(($2)) $3 $4 $5 $6 $(sed 's/^.: //' "$port/phys_state")"
		done
	done >"$TMPDIR/files"
	ibstat | awk '
		$1 == "CA" && $2 ~ /^.*\x27$/ { gsub("\x27", "", $2); name = $2 }
		$1 == "Port" && $2 ~ /^[0-9]+:$/ { port = $2 + 0 }
		$1 == "Physical" { phys = $3 }
		$1 == "State:" { state = $2 == "Active" ? 4 : $2 == "Initializing" ? 2 : $2 == "Down" ? 1 : 3 }
		$1 == "Rate:" { rate = $2 }
		$1 == "Base" { lid = $3 }
		$1 == "LMC:" { lmc = $2 }
		$1 == "SM" { sm = $3 }
		$1 == "Capability" { cap = $3 }
		$1 == "Link" { print name, port, lid, sm, cap, lmc, rate, state, phys }
	' >"$TMPDIR/ibstat"
	wc -l <"$TMPDIR/files"
	diff "$TMPDIR/files" "$TMPDIR/ibstat" && echo same
	exit 0
fi

# Everything that ibstatus prints, derived from what libibumad returns.
if [ "${1:-}" = status ]; then
	ibstat | awk '
		$1 == "CA" && NF == 2 { gsub("\x27", "", $2); name = $2 }
		$1 == "Port" && $2 ~ /^[0-9]+:$/ { port = $2 + 0 }
		/^\t\t/ { at = index($0, ":"); key = substr($0, 3, at - 3); value[key] = substr($0, at + 2) }
		/Link layer/ {
			guid = value["Port GUID"]
			printf "%s port %d|fe80:0000:0000:0000:%s:%s:%s:%s|0x%x|0x%x|%s|%s|%s Gb/sec|%s\n", name, port,
				substr(guid, 3, 4), substr(guid, 7, 4), substr(guid, 11, 4), substr(guid, 15, 4),
				value["Base lid"], value["SM lid"], toupper(value["State"]), value["Physical state"],
				value["Rate"] + 0, value["Link layer"]
		}' >"$TMPDIR/want"
	ibstatus | awk '
		/^Infiniband device/ { gsub("\x27", ""); line = $3 " port " $5 }
		/^\t/ { at = index($0, ":"); value = substr($0, at + 1); gsub(/^[ \t]+|^[ \t]*[0-9]+: | \(.*/, "", value)
			line = line "|" value }
		/link_layer/ { print line }' >"$TMPDIR/got"
	diff "$TMPDIR/want" "$TMPDIR/got" && wc -l <"$TMPDIR/got"
	name=$(ibstat -l | tail -n 1)
	ibstatus "$name:1" | grep -c "^Infiniband device '$name' port 1 status"
	ibstatus "$name:1" | grep -c 'base lid'
	exit 0
fi

# Counters, compared with those of the console, which changes none itself.
if [ "${1:-}" = counters ]; then
	files=/sys/class/infiniband/H1/ports/1/counters
	console() {
		"$umadrig" ctl counters 'H1[1]' "$1" | sed -n "s/^$2: //p"
	}
	find $files -type f | wc -l
	is_as_told() {
		[ "$(cat "$files/$1")" = "$(console "$2" "$3")" ]
	}
	smpquery nodeinfo 2 >/dev/null
	[ "$(console PortCountersExtended PortXmitPkts)" -gt 0 ] || echo "nothing was sent"
	within 20 is_as_told port_xmit_packets PortCountersExtended PortXmitPkts || echo packets
	within 20 is_as_told port_rcv_data PortCountersExtended PortRcvData || echo data
	within 20 is_as_told unicast_rcv_packets PortCountersExtended PortUnicastRcvPkts ||
		echo unicast
	"$umadrig" ctl PerformanceSet 'H1[1]' PortCounters.SymbolErrorCounter=7 >/dev/null
	"$umadrig" ctl link error 'H1[1]' integrity
	"$umadrig" ctl Unlink 'H1[1]'
	for file in symbol_error local_link_integrity_errors link_downed VL15_dropped; do
		case $file in symbol_error) want=7 ;; VL15*) want=0 ;; *) want=1 ;; esac
		is_so() {
			[ "$(cat $files/$file)" = $want ]
		}
		within 20 is_so || echo "$file is $(cat $files/$file)"
	done
	exit 0
fi

# Counters that move while nothing happens.
if [ "${1:-}" = moving ]; then
	files=/sys/class/infiniband/H1/ports/1/counters
	cat $files/port_xmit_data
	sleep "$2"
	cat $files/port_xmit_data $files/symbol_error
	exit 0
fi

# What an HCA counts of its queue pairs: the number of files, those that are not 0, and one after so
# many seconds.
if [ "${1:-}" = hardware ]; then
	for port in /sys/class/infiniband/*/ports/*; do
		files=$port/hw_counters
		[ -d "$files" ] || continue
		echo "$(echo "$port" | cut -d/ -f5) $(find "$files" -type f | wc -l)"
		grep -v '^0$' "$files"/* | sed 's,.*/,,'
		sleep "$2"
		cat "$files/rx_write_requests"
	done
	[ -d /sys/class/infiniband/H1/hw_counters ] && echo "the device has some of its own"
	exit 0
fi

# What each plane counts, and its HCA; what virtual functions count, and their HCA.
if [ "${1:-}" = shares ]; then
	cd /sys/class/infiniband || exit 1
	if [ -d smi0 ]; then
		sleep 10
		cat smi0/ports/*/counters/port_xmit_data mlx5_0/ports/1/counters/port_xmit_data
	else
		"$umadrig" ctl vf port host-1 0 0x1122334455667788
		"$umadrig" ctl vf policy host-1 0 up
		saquery -C mlx5_1 NR >"$TMPDIR/records"
		sleep 1
		cat mlx5_[0-2]/ports/1/counters/port_xmit_packets
		"$umadrig" ctl counters 'host-1 mlx5_0[1]' PortCountersExtended |
			sed -n 's/^PortXmitPkts: //p'
	fi
	exit 0
fi

# Rates of links that fall and come.
if [ "${1:-}" = rates ]; then
	"$umadrig" ctl link down 'host-0 mlx5_0[1]'
	cat /sys/class/infiniband/*/ports/1/rate
	ibstat mlx5_0 1 | sed -n 's/^.*\(State\|Rate\)/\1/p'
	"$umadrig" ctl link up 'host-0 mlx5_0[1]'
	sleep 5
	cat /sys/class/infiniband/mlx5_0/ports/1/state /sys/class/infiniband/mlx5_0/ports/1/rate
	exit 0
fi

# Virtual functions: those of PCI, what the host's administrator reads, and their devices.
if [ "${1:-}" = functions ]; then
	classes=/sys/class/infiniband
	pf=$classes/mlx5_0/device
	ls $classes | tr '\n' ' '
	(cd $pf && echo sriov*)
	cat $pf/sriov_totalvfs $pf/sriov_numvfs $pf/sriov_offset $pf/sriov_stride \
		$pf/sriov_vf_device $pf/sriov_drivers_autoprobe $classes/mlx5_2/device/device
	[ $pf/virtfn1 -ef $classes/mlx5_2/device ] && [ $pf/virtfn1/physfn -ef $pf ] && echo linked
	[ -e $pf/virtfn2 ] || [ -e $pf/physfn ] || echo "and no others"
	cat $pf/sriov/1/node $pf/sriov/1/port $pf/sriov/1/policy
	cat $classes/mlx5_2/node_guid $classes/mlx5_2/ports/1/gids/0 $classes/mlx5_2/ports/1/state
	"$umadrig" ctl vf node host-1 1 0x1122334455667788
	"$umadrig" ctl vf port host-1 1 0x1122334455667799
	"$umadrig" ctl vf policy host-1 1 follow
	within 20 grep -q ACTIVE $classes/mlx5_2/ports/1/state
	cat $pf/sriov/1/node $pf/sriov/1/port $pf/sriov/1/policy $pf/sriov/0/policy
	cat $classes/mlx5_2/node_guid $classes/mlx5_2/ports/1/gids/0 $classes/mlx5_2/ports/1/state
	cmp $classes/mlx5_0/ports/1/rate $classes/mlx5_2/ports/1/rate &&
		cmp $classes/mlx5_0/ports/1/lid $classes/mlx5_2/ports/1/lid && echo "as the port"
	"$umadrig" ctl Unlink "host-1 mlx5_0"
	within 20 grep -q DOWN $classes/mlx5_2/ports/1/state
	cat $classes/mlx5_2/ports/1/state
	"$umadrig" ctl device remove mlx5_1
	within 20 [ ! -e $classes/mlx5_1 ] || echo "mlx5_1 is still there"
	ls $classes | tr '\n' ' '
	"$umadrig" ctl device remove "host-1 mlx5_0"
	within 20 [ ! -e $classes/mlx5_2 ] || echo "mlx5_2 is still there"
	ls $classes
	exit 0
fi

# The GID table, and a device that is pulled out.
if [ "${1:-}" = tables ]; then
	classes=/sys/class
	gid=$classes/infiniband/H1/ports/1/gids/0
	cat $gid
	"$umadrig" ctl Guid 'H1[1]' 0x0011223344556677
	within 20 grep -q 0011:2233:4455:6677 $gid
	cat $gid
	"$umadrig" ctl Guid H1 0x8899aabbccddeeff
	within 20 grep -q 8899 $classes/infiniband/H1/node_guid
	cat $classes/infiniband/H1/node_guid
	find $classes/infiniband/H1/ $classes/infiniband_mad | sort >"$TMPDIR/before"
	"$umadrig" ctl device remove H1
	within 20 [ ! -e $classes/infiniband/H1 ] || echo "it is still there"
	ls $classes/infiniband $classes/infiniband_mad
	"$umadrig" ctl node on H1
	within 20 [ -e $classes/infiniband_mad/umad0 ] || echo "it is not back"
	find $classes/infiniband/H1/ $classes/infiniband_mad | sort | diff "$TMPDIR/before" - &&
		ibstat -p
	exit 0
fi

# Hundreds of functions of one host: most of their files say the same, and are one.
if [ "${1:-}" = many ]; then
	cd /sys/devices/pci0000:00/0000:00:1e.7 || exit 1
	ls -d */infiniband/* | wc -l
	cat 0000:1e:1f.7/infiniband/*/ports/1/state 0000:1e:1f.7/infiniband/*/fw_ver | head -1
	find . -type f | wc -l
	find . -type f -printf '%i\n' | sort -u | wc -l
	(echo 3 >0000:1e:00.0/sriov_numvfs) 2>&1 | sed 's/^.*: //'
	sed -n 's,^.* \(/[^ ]*\)/sysfs0/sys/[^ ]* /sys/devices/.* - tmpfs .*,/dev/shm\1,p' \
		/proc/self/mountinfo
	exit 0
fi

links() {
	find -L /sys/class/net /sys/class/tty -mindepth 1 -maxdepth 1 | sort
}
if [ "${1:-}" = others ]; then
	links
	ibstat -l >&2
	exit 0
fi

out=$("$umadrig" exec --fabric ,state=cold --sysfs -- sh "$0" follow H1 2>"$work/err")
tap_has "ibstatus before opensm: no LID" "$out" "before: 0x0 2: INIT 0x0 baselid:0x0 smlid:0x0"
tap_has "after it: Active, with a LID" "$out" "up: 0x1 4: ACTIVE 0x1
base lid 0x1
state 4: ACTIVE
IsSM"
tap_has "IsSM goes with opensm" "$out" "no IsSM"

tap_is "ibstatus and ibstatus DEVICE:PORT, the whole of it" \
	"$("$umadrig" exec --fabric "$data/tree.topo" --host node3 --sysfs -- sh "$0" status \
	2>/dev/null | tr '\n' ' ')" "3 1 1 "

for fabric in "" "$data/ring.net" generate:fat-tree:20,8; do
	out=$("$umadrig" exec --fabric "$fabric" --sysfs -- sh "$0" same 2>"$work/err")
	tap_has "ibstat and the files say the same: ${fabric:-default}" "$out" "
same"
done

out=$("$umadrig" exec --sysfs -- sh "$0" counters 2>"$work/err")
tap_is "counters follow what crosses the cable, and what is wrong with it" "$out" 21

load=load=H1:H2:3.2G
out=$("$umadrig" exec --sysfs --fabric ",clock=virtual,$load" -- sh "$0" moving 10 2>"$work/err")
tap_is "in virtual time files have what a load has moved by then" "$(echo $out)" "0 1000000000 0"
# An hour of real time, if they were written again and again while it sleeps.
out=$(timeout -s KILL 60 "$umadrig" exec --sysfs --fabric ",clock=virtual,$load" -- \
	sh "$0" moving 36000 2>"$work/err")
tap_is "ten hours of it" "$(echo $out)" "0 3600000000000 0"
# In real time they are written while anything moves: after half a second it is not what it was.
out=$("$umadrig" exec --sysfs --fabric ",$load" -- sh "$0" moving 0.5 2>"$work/err")
tap_ok "in real time they move as well" sh -c '[ "$2" -gt "$1" ]' sh $out

# 500,000,000 packets a second; MADs are none of them. 2^32 is passed once. (glibc 2.41 adds 1 ns.)
small=clock=virtual,load=all:next:768G:size=192
out=$("$umadrig" exec --sysfs --host host-1 --fabric "generate:rail:2,1,4,speed=XDR,$small" -- \
	sh "$0" hardware 10 2>"$work/err")
tap_is "hw_counters: a load is RDMA Writes, which 32 bits count" "$(echo $out)" \
	"mlx5_0 20 lifespan:12 $((10 * 500000000 % 4294967296))"
out=$("$umadrig" exec --sysfs --fabric ",clock=virtual" -- sh "$0" hardware 10 2>"$work/err")
tap_is "hw_counters: without a load there are none" "$(echo $out)" "H1 20 lifespan:12 0"
# What mlx5 of Linux 6.12 has and that of 6.1 has not.
hw_names() {
	"$umadrig" exec --sysfs --fabric ",clock=virtual,profile=$1" -- \
		ls /sys/class/infiniband/H1/ports/1/hw_counters 2>>"$work/err" | tr '\n' ' '
}
older="duplicate_request implied_nak_seq_err lifespan local_ack_timeout_err out_of_buffer \
out_of_sequence packet_seq_err req_cqe_error req_cqe_flush_error req_remote_access_errors \
req_remote_invalid_request resp_cqe_error resp_cqe_flush_error resp_local_length_error \
resp_remote_access_errors rnr_nak_retry_err rx_atomic_requests rx_icrc_encapsulated \
rx_read_requests rx_write_requests "
newer=$(echo $older req_rnr_retries_exceeded req_transport_retries_exceeded rx_dct_connect |
	tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' ')
for profile in 5.10 6.1; do
	tap_is "hw_counters of Linux $profile" "$(hw_names linux-$profile)" "$older"
done
for profile in 6.12 6.17 7.2; do
	tap_is "hw_counters of Linux $profile" "$(hw_names linux-$profile)" "$newer"
done
out=$("$umadrig" exec --sysfs --fabric generate:rail:1,4,4,quirk=roce:host-0 -- sh "$0" hardware 0 \
	2>"$work/err")
tap_is "hw_counters: RoCE has some more" "$(echo "$out" | grep -c ' 29$')" 4
load=load=host-0:host-1:8G,clock=virtual
out=$("$umadrig" exec --sysfs --fabric "generate:rail:2,1,4,speed=XDR,planes=4,$load" \
	--host host-0 -- \
	sh "$0" shares 2>"$work/err")
tap_is "counters of four planes, and of all of them" "$(echo $out)" \
	"625000000 625000000 625000000 625000000 2500000000"
out=$("$umadrig" exec --sysfs --fabric generate:rail:2,1,4,vfs=2,clock=virtual --host host-1 -- \
	sh "$0" shares 2>"$work/err")
tap_is "counters of an HCA, of a function that has sent, and of one that has not; the console's" \
	"$(echo $out)" "3 3 0 3"
out=$("$umadrig" exec --sysfs --fabric generate:rail:1,2,4,clock=virtual -- \
	sh "$0" rates 2>"$work/err")
tap_is "the rate of a link that is down, beside one that is up, and when it is up again" "$out" \
	"10 Gb/sec (4X SDR)
400 Gb/sec (4X NDR)
State: Down
Rate: 10
2: INIT
400 Gb/sec (4X NDR)"
out=$("$umadrig" exec --sysfs --fabric \
	generate:rail:2,1,4,speed=XDR,planes=4,clock=virtual,load=all:next:8G --host host-1 -- \
	sh "$0" hardware 1 2>"$work/err")
tap_is "hw_counters: of all planes at the GSI device, none at the SMI device" "$(echo $out)" \
	"mlx5_0 20 lifespan:12 $((8000000000 / 8 / 4096))"

out=$("$umadrig" exec --sysfs --fabric generate:rail:2,1,4,vfs=2:host-1 --host host-1 -- \
	sh "$0" functions 2>"$work/err")
tap_is "virtual functions: files of the HCA, devices of their own, and both follow" "$out" \
	"mlx5_0 mlx5_1 mlx5_2 sriov sriov_drivers_autoprobe sriov_numvfs sriov_offset sriov_stride \
sriov_totalvfs sriov_vf_device
2
2
8
8
101e
1
0x101e
linked
and no others
00:00:00:00:00:00:00:00
00:00:00:00:00:00:00:00
Down
0000:0000:0000:0000
fe80:0000:0000:0000:0000:0000:0000:0000
1: DOWN
11:22:33:44:55:66:77:88
11:22:33:44:55:66:77:99
Follow
Down
1122:3344:5566:7788
fe80:0000:0000:0000:1122:3344:5566:7799
4: ACTIVE
as the port
1: DOWN
mlx5_0 mlx5_2 "
out=$("$umadrig" exec --sysfs -- sh "$0" tables 2>"$work/err")
tap_is "a port's GIDs and the devices are those of the moment" "$(echo "$out" | tail -n +2)" \
	"fe80:0000:0000:0000:0011:2233:4455:6677
8899:aabb:ccdd:eeff
/sys/class/infiniband:

/sys/class/infiniband_mad:
abi_version
0x0011223344556677"
tap_lacks "and the server can write them" "$(cat "$work/err")" "not right any more"

out=$("$umadrig" exec --sysfs --host H2 -- sh -c 'ls /sys/class/infiniband; ibstat -l' 2>/dev/null)
tap_is "the host's devices" "$out" "H2
H2"
tap_is "other classes stay" "$("$umadrig" exec --sysfs -- sh "$0" others 2>/dev/null)" "$(links)"
tap_is "outside nothing is seen" "$(ls -d /sys/class/infiniband* 2>&1 | grep -c H1)" 0

# It goes on to libibverbs, which finds no device without a filter; it stops at a umad device that
# does not exist.
out=$("$umadrig" exec --how preload --sysfs -- ibsrpdm -d /dev/infiniband/umad0 2>&1)
tap_has "ibsrpdm finds its port through /sys" "$out" "IB device H1 wasn't found"
out=$("$umadrig" exec --sysfs -- ibsrpdm -d /dev/infiniband/umad1 2>&1)
tap_lacks "and only those that are there" "$out" "IB device"
out=$("$umadrig" exec --sysfs -- srp_daemon -v -o -d /dev/infiniband/umad0 2>/dev/null)
tap_has "srp_daemon finds it too" "$out" 'Device name                		: "H1"'
# With a replacement for libibverbs they get as far as their queries.
here=$(cd "$top_builddir" && pwd)/tests/tools
out=$("$umadrig" exec --fabric ,state=cold --sysfs -- sh "$0" targets \
	"$here/.libs/verbs-stand-in.so" "$here/srp-target" 2>"$work/err")
guid=$(echo "$out" | sed -n 's/^guid: 0x//p')
tap_has "srp_daemon and ibsrpdm ask the SM that sysfs names for targets, and there are none" \
	"$out" \
	"Query did not find any targets
ibsrpdm: 0
"
tap_has "a port says that it has device management: ibsrpdm asks there" "$out" "
IO Unit Info:
 port LID: 0002
 port GID: fe80000000000000$guid
 change ID: 0007
 max controllers: 0x01

 controller[ 1]
 GUID: 1122334455667788
 vendor ID: 0002c9
 device ID: 00101b
 IO class : 0100
 Maximum size of Send Messages in bytes: 8256
 ID: a disk
 service entries: 1
 service[ 0]: 00000000000000bb / SRP.T10:00000000000000AA
"
tap_has "and srp_daemon knows how to log in" "$out" "
id_ext=00000000000000AA,ioc_guid=1122334455667788,dgid=fe80000000000000$guid,pkey=ffff,service_id=00000000000000bb"

mkfifo "$work/ready"
"$umadrig" serve --socket "$work/socket" >"$work/ready" 2>"$work/err" &
server=$!
read -r line <"$work/ready"
out=$("$umadrig" exec --attach "$work/socket" --host H2 --sysfs -- sh -c \
	'ls /sys/class/infiniband; cat /sys/class/infiniband/H2/ports/1/lid; ibstat -l' 2>/dev/null)
tap_is "on somebody's server as well" "$out" "H2
0x2
H2"
"$umadrig" exec --attach "$work/socket" --sysfs -- true 2>/dev/null
tap_is "where a command that reads nothing is found out, too" $? 124
kill -TERM "$server"
wait "$server"

out=$(env -u TMPDIR "$umadrig" exec --how preload --fabric generate:rail:2,1,4,vfs=255:host-1 \
	--host host-1 --sysfs -- sh "$0" many 2>"$work/err")
set -- $out
tap_is "255 functions of a host are 256 devices in /sys" "$1 $2 $3" "256 1: DOWN"
tap_ok "of $4 files $5 are of their own" test "$4" -gt $((256 * 120)) -a "$5" -lt $((256 * 40))
tap_has "and cannot be written, by root neither" "$out" "Read-only file system
"
if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
	tap_has "they are in memory, where TMPDIR says nothing else" "$out" "
/dev/shm/umadrig-"
	tap_ok "and have gone" test ! -e "$(echo "$out" | tail -n 1)"
else
	tap_skip "they are in memory" "/dev/shm is no tmpfs"
fi
out=$("$umadrig" exec --fabric generate:rail:125,1,128,vfs=8 --host host-7 --sysfs -- \
	ls /sys/class/infiniband 2>"$work/err" | wc -l)
tap_is "a thousand functions, of 125 hosts: the host shows its own" "$out" 9

# What it is to use the fabric.
uses() {
	"$umadrig" exec --how preload --sysfs -- "$@" >"$work/out" 2>"$work/err"
	echo "$?"
}
tap_is "a command that reads nothing does not use the fabric" "$(uses sh -c 'sleep 0.5; exit 3')" 124
tap_has "which is said" "$(cat "$work/err")" "nothing opened the fabric, or read its files. Likely"
tap_is "nor one that reads other classes" "$(uses ls /sys/class /sys/class/net)" 124
tap_is "one that reads a file does" "$(uses cat /sys/class/infiniband/H1/ports/1/gids/0)" 0
tap_is "or one of a umad device" "$(uses cat /sys/class/infiniband_mad/umad0/ibdev)" 0
tap_is "or lists a directory" "$(uses ls /sys/class/infiniband)" 0
tap_is "or opens the fabric" "$(uses smpquery nodeinfo 2)" 0

"$umadrig" exec --fabric ,clock=virtual --sysfs -- ibstat >"$work/out" 2>"$work/err"
tap_is "with clock=virtual, too" $? 0
tap_is "the devices are there" "$(grep -c "^CA 'H1'" "$work/out")" 1
# Too few descriptors for a server, its view and its programs; exec-limits.sh has other limits.
few=$work/few
for n in $(seq 6 20) 40 64 95; do
	(ulimit -n "$n" && TMPDIR=$few timeout 60 "$umadrig" exec --host H1 --sysfs -- ibstat) \
		>"$few.out" 2>>"$few.err"
	echo $?
done >"$few.statuses"
tap_is "with few descriptors it is refused, and never waits for more" "$(sort -u "$few.statuses")" 125
out=$(cat "$few.err")
tap_has "with the limit" "$out" "(ulimit -n)"
if unshare -rm true 2>/dev/null; then
	unshare -rm sh -c 'echo 0 >/proc/sys/user/max_mnt_namespaces && exec "$@"' - \
		"$umadrig" exec --sysfs -- ibstat >"$work/out" 2>"$work/err"
	status=$?
	tap_is "without the right to namespaces it is refused" "$status:$(cat "$work/out")" "125:"
	tap_has "with the cure" "$(cat "$work/err")" "user namespaces"
	out=$(unshare -r sh -c 'exec setpriv --bounding-set -sys_admin --inh-caps -all "$@"' - \
		"$umadrig" exec --sysfs -- ibstatus 2>"$work/err")
	tap_has "who is not root has a user namespace for it" "$out" \
		"Infiniband device 'H1' port 1 status"
else
	tap_skip "without the right to namespaces it is refused" \
		"no user namespace can be made here"
fi
tap_is "nothing is left" "$(ls "$work/tmp" | grep umadrig)" ""

tool_rows fabric <<'END'
ibstatus DEVICE:PORT | "no devices" | right, by the filter or with --sysfs | ibstatus and
END
tool_rows gsi <<'END'
ibsrpdm -d DEVICE, srp_daemon -o, -c, -a, -v, -d DEVICE | no port | find their port and a device of libibverbs, on which they can make no completion channel; beyond that right: no target, and one that a program serves | srp_daemon and ibsrpdm
END
tap_done
