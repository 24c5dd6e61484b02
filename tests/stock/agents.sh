#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# agents: what monitors adapters by the files of /sys, unmodified, on a simulated fabric; and the
# shape that these files have with Linux 6.1 and mlx5, by each way to show them.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs python3 ibstat
. "$top_srcdir/tests/rig/any.sh"
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch prometheus-node-exporter collectd netdata
# What is seen after some seconds is to the nanosecond.
PATH=$(cd "$top_builddir" && pwd)/tests/tools/exact:$PATH

# ---- the shape ----

# What tools look for, with what is in it. The adapter is the first.
cat >"$work/shape" <<'END'
cd /sys/class/infiniband/* || exit
card=$(readlink -f device)
echo "${card%/*} $(cat device/vendor device/class device/numa_node | tr '\n' ' ')"
for name in . device/driver device/subsystem subsystem device/driver/module; do
	echo "$name ${PWD##*/} $(readlink -f "$name" | sed 's,.*/,,')"
done
for name in board_id uevent ports/1/gid_attrs/types/0 ports/1/gid_attrs/ndevs/0 device/uevent; do
	[ -f "$name" ] && echo "$name $(head -n 1 "$name")"
done
for number in device/infiniband_mad/*; do
	mad=/sys/class/infiniband_mad/${number##*/}
	[ "$(readlink -f "$mad")" = "$(readlink -f "$number")" ] &&
		[ "$(readlink -f "$mad/device")" = "$card" ] &&
		echo "${mad##*/} $(cat "$mad/ibdev" "$mad/dev" "$mad/uevent" | tr '\n' ' ')"
done
for module in ib_core ib_umad mlx5_core mlx5_ib; do
	echo "$module $(cat "/sys/module/$module/initstate")"
done
ls "/sys/bus/pci/devices/${card##*/}/infiniband"
END
want="/sys/devices/pci0000:00/0000:00:1e.7 0x15b3 0x020700 0 
. mlx5_0 mlx5_0
device/driver mlx5_0 mlx5_core
device/subsystem mlx5_0 pci
subsystem mlx5_0 infiniband
device/driver/module mlx5_0 mlx5_core
board_id SIM0000004129
uevent NAME=mlx5_0
ports/1/gid_attrs/types/0 IB/RoCE v1
ports/1/gid_attrs/ndevs/0 
device/uevent DRIVER=mlx5_core
issm0 mlx5_0 231:64 MAJOR=231 MINOR=64 DEVNAME=infiniband/issm0 
umad0 mlx5_0 231:0 MAJOR=231 MINOR=0 DEVNAME=infiniband/umad0 
ib_core live
ib_umad live
mlx5_core live
mlx5_ib live
mlx5_0"
fabric=generate:rail:2,1,4
shown=no
if unshare -m mount -t tmpfs none /sys/class 2>/dev/null ||
	unshare -rm mount -t tmpfs none /sys/class 2>/dev/null; then
	shown=yes
fi
filtered=no
"$umadrig" exec --how filter -- cat /sys/class/infiniband/H1/board_id >/dev/null 2>&1 && filtered=yes

# shape NAME CAN OPTION...
shape() {
	name=$1 can=$2
	shift 2
	if [ "$can" = no ]; then
		tap_skip "$name" "that way is closed here"
		return
	fi
	tap_is "$name" "$("$umadrig" exec "$@" -- sh "$work/shape" 2>"$work/err")" "$want"
}
shape "the shape of mlx5, with --sysfs" $shown --fabric "$fabric" --how preload --sysfs
shape "the same below the filter" $filtered --fabric "$fabric" --how filter
shape "the same in virtual time" $shown --fabric "$fabric,clock=virtual" --sysfs
mkfifo "$work/ready"
"$umadrig" serve --fabric "$fabric" --socket "$work/socket" >"$work/ready" 2>/dev/null &
server=$!
read -r line <"$work/ready"
shape "the same on a server, with --sysfs" $shown --attach "$work/socket" --how preload --sysfs
shape "the same on a server, below the filter" $filtered --attach "$work/socket" --how filter
kill "$server"
wait "$server"

# What a real host has: each name is here, or has a reason why not; and nothing else is here.
cat >"$work/names" <<'END'
cd /sys/class/infiniband/mlx5_0 || exit
for of in device . ports/1; do
	for name in "$of"/*; do
		name=${name#./}
		[ "$name" = device ] || echo "$name"
	done
done
END
if [ $filtered = yes ] || [ $shown = yes ]; then
	[ $filtered = yes ] && how="--how filter" || how="--how preload --sysfs"
	# shellcheck disable=SC2086
	"$umadrig" exec --fabric "$fabric" $how -- sh "$work/names" 2>"$work/err" |
		sort >"$work/ours"
	grep -v '^#' "$data/mlx5-sysfs.txt" | grep -v "$(printf '\t')" | sort >"$work/theirs"
	tap_is "the names of a real mlx5 adapter: those without a reason are here, and no others" \
		"$(diff "$work/theirs" "$work/ours")" ""
	tap_is "all names of a real host are looked at" \
		"$(grep -c '^[^#]' "$data/mlx5-sysfs.txt")" 90
else
	tap_skip "the names of a real mlx5 adapter" "neither way is open here"
fi

# The same of hfi1's, by the names of its driver: the device's and its port's own.
cat >"$work/hfi1" <<'END'
cd /sys/class/infiniband/hfi1_0 || exit
ls | grep -vx hca_type
find ports/1 -type f | grep -v -e ^ports/1/counters/ -e ^ports/1/gid -e ^ports/1/pkeys/
END
# The names, or those with reasons: NAME{0..N} are N + 1.
hfi1_names() {
	grep -v '^#' "$data/hfi1-sysfs.txt" | "$AWK" -F '\t' -v reasons="$1" '(NF > 1) == reasons {
		if (!match($1, /\{0\.\.[0-9]+\}/)) {
			print $1
			next
		}
		last = substr($1, RSTART + 4, RLENGTH - 5) + 0
		for (i = 0; i <= last; i++)
			print substr($1, 1, RSTART - 1) i substr($1, RSTART + RLENGTH)
	}' | sort
}
if [ $filtered = yes ] || [ $shown = yes ]; then
	# shellcheck disable=SC2086
	"$umadrig" exec --fabric "$fabric,names=plain,device=hfi1_%d" $how -- sh "$work/hfi1" \
		2>"$work/err" | sort >"$work/ours"
	hfi1_names 0 >"$work/theirs"
	tap_is "the names of an hfi1 adapter: those without a reason are here, and no others" \
		"$(diff "$work/theirs" "$work/ours")" ""
	tap_is "none that has a reason is here" "$(hfi1_names 1 | comm -12 - "$work/ours")" ""
	tap_is "all names of its driver are looked at" \
		"$(hfi1_names 0 | wc -l) $(hfi1_names 1 | wc -l)" "334 28"
else
	tap_skip "the names of an hfi1 adapter" "neither way is open here"
fi
out=$("$umadrig" exec --fabric "$fabric,names=plain,device=hfi1_%d,clock=virtual,load=all:next:8G" \
	--do 'after 2s link down host-0[1]' -- sh -c 'cd /sys/class/infiniband/hfi1_0/ports/1
	sleep 1; cat hw_counters/TxPkt counters/port_xmit_packets hw_counters/RxWords \
		counters/port_rcv_data hw_counters/SwLinkDown,32
	sleep 2; cat hw_counters/TxPkt hw_counters/SwLinkDown,32 vl2mtu/0 vl2mtu/15 sc2vl/9 \
		sl2sc/9 CCMgtA/cc_prescan' 2>"$work/err")
tap_is "what hfi1 counts is what the port counts" "$(echo "$out" | tr '\n' ' ')" \
	"244140 244140 250000000 250000000 0 488281 1 4096 2048 0 9 off "

# ---- names of devices ----

# names FABRIC: those of its first host
names() {
	"$umadrig" exec --fabric "$1" -- ibstat -l 2>"$work/err" | tr '\n' ' '
}
tap_is "device=mlx5_0, on the default fabric" "$(names ,device=mlx5_0)" "mlx5_0 "
tap_is "device=, what the file does not name" "$(names "$data/ring.net,device=mlx5_%d")" "mlx5_0 "
tap_is "device=, counted on from a number" "$(names "$data/ring.net,device=ibp3")" "ibp3 "
tap_is "device=, what the file names stays" "$(names "$fabric,device=mlx4_0")" "$(names "$fabric")"
names ,device=adapter >"$work/out"
tap_has "device= without a number is refused" "$(cat "$work/err")" "such as mlx5_0 or mlx5_%d"
names ,device=a/0 >"$work/out"
tap_has "device= leads nowhere" "$(cat "$work/err")" "such as mlx5_0 or mlx5_%d"

# ---- agents ----

cat >"$work/metrics.py" <<'END'
import os, re, socket, subprocess, sys, time, urllib.request
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
at = "127.0.0.1:%d" % port
agent = subprocess.Popen([word.replace("ADDRESS", at) for word in sys.argv[2:]],
                         stderr=subprocess.DEVNULL)
try:
    text = ""
    for attempt in range(300):
        try:
            text = urllib.request.urlopen("http://%s%s" % (at, sys.argv[1])).read().decode()
            if re.search(os.environ.get("WANTED", "mlx5_0"), text):
                break
        except OSError:
            pass
        time.sleep(0.1)
    sys.stdout.write(text)
finally:
    agent.terminate()
    agent.wait()
END

if command -v prometheus-node-exporter >/dev/null; then
	for how in filter preload; do
		[ $how = filter ] && can=$filtered || can=$shown
		name="prometheus-node-exporter, $how"
		if [ $can = no ]; then
			tap_skip "$name" "that way is closed here"
			continue
		fi
		[ $how = filter ] && options= || options=--sysfs
		out=$("$umadrig" exec --fabric "$fabric" --how $how $options -- python3 \
			"$work/metrics.py" /metrics prometheus-node-exporter \
			--collector.disable-defaults --collector.infiniband \
			--web.listen-address=ADDRESS 2>"$work/err")
		tap_has "$name: it succeeds" "$out" \
			'node_scrape_collector_success{collector="infiniband"} 1'
		tap_has "$name: the adapter" "$out" 'board_id="SIM0000004129",device="mlx5_0"'
		tap_ok "$name: 25 metrics or more" test \
			"$(echo "$out" | grep -c '^node_infiniband_.*device="mlx5_0"')" -ge 25
		tap_has "$name: the rate of NDR" "$out" \
			'node_infiniband_rate_bytes_per_second{device="mlx5_0",port="1"} 5e+10'
	done
else
	tap_skip "prometheus-node-exporter" "it is not here"
fi

if [ -e /usr/lib/collectd/infiniband.so ] && [ $filtered = yes ]; then
	collectd_conf 1 >"$work/collectd.conf"
	# It reads at once, and then each second until it is ended.
	out=$("$umadrig" exec --fabric "$fabric" --how filter -- \
		timeout 5 collectd -f -C "$work/collectd.conf" 2>"$work/err")
	tap_has "collectd: the state of the port" "$(echo "$out" | sed 's/ interval=.*:/ /')" \
		"PUTVAL h/infiniband-mlx5_0:1/ib_state 4.000000"
else
	tap_skip "collectd" "collectd-core, or a filter, is not here"
fi
if [ -e "$work/collectd.conf" ]; then
	for run in 1 2; do
		"$umadrig" exec --fabric "$fabric,clock=virtual,load=all:next:8G" -- timeout 4.5 \
			collectd -f -C "$work/collectd.conf" 2>"$work/err" >"$work/collectd.$run"
	done
	tap_ok "collectd in virtual time: the same twice" \
		cmp "$work/collectd.1" "$work/collectd.2"
	tap_is "what a load moves in its four seconds, of each packet" \
		"$(sed -n 's/^PUTVAL h.infiniband-mlx5_0:1.ib_packets-total .*:\(.*:.*\)/\1/p' \
		"$work/collectd.1" | tr '\n' ' ')" \
		"0:0 244140:244140 488281:488281 732421:732421 976562:976562 "
else
	tap_skip "collectd in virtual time" "collectd-core is not here"
fi

# A daemon of many threads, of which one reads the files each second.
if command -v netdata >/dev/null && [ $filtered = yes ]; then
	mkdir "$work/netdata"
	netdata_conf 1 >"$work/netdata/netdata.conf"
	# Its first look at the counters, and at times its second, finds no difference.
	out=$(WANTED='ib_cntpackets_mlx5_0-1.?,.*=.?Received.?} [0-9]{5}' \
		"$umadrig" exec --fabric "$fabric,load=all:next:8G" --how filter -- python3 \
		"$work/metrics.py" '/api/v1/allmetrics?format=prometheus' netdata -D \
		-c "$work/netdata/netdata.conf" -W set web "bind to" ADDRESS 2>"$work/err" |
		tr -d '"')
	tap_ok "netdata: packets are received" test "$(echo "$out" | sed -n \
		's/^netdata_ib_packets_.*chart=Infiniband.ib_cntpackets_mlx5_0-1,.*=Received} \([0-9]*\).*/\1/p')" \
		-gt 10000
	tap_has "netdata: what an HCA counts of its queue pairs" "$out" \
		"chart=Infiniband.ib_hwcnterrors_mlx5_0-1,family=mlx5_0-1,dimension=CQE err Req"
else
	tap_skip "netdata" "netdata-core, or a filter, is not here"
fi

tool_rows agents <<'END'
prometheus-node-exporter --collector.disable-defaults, --collector.infiniband, --web.listen-address (board_id, fw_ver, hca_type, ports, counters, hw_counters) | right: 25 metrics | prometheus-node-exporter
collectd -f, -C FILE (the plugin infiniband: state, phys_state, rate, cap_mask, LIDs, counters) | right; in virtual time the same twice | collectd
netdata -D, -c FILE, -W (ports: counters, hw_counters) | right | netdata
END
tap_done
