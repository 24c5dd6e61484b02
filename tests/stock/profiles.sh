#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-profiles: what the kernels of doc/fidelity.md do differently, as the distribution's programs
# meet it: each of them on each profile.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs ibnetdiscover ibping osmtest tshark
cd "$work" || exit 99

# PROFILE: the most requests that are out at once while ibnetdiscover may send 400.
most_outstanding() {
	"$umadrig" exec --fabric "generate:fat-tree:300,16,clock=virtual,latency=1ms,profile=$1,\
capture=outstanding.pcap" -- ibnetdiscover -o 400 >nodes 2>err &&
		[ "$(grep -c '^Ca' nodes)" = 300 ] &&
		tshark -r outstanding.pcap -T fields -e infiniband.mad.method 2>/dev/null |
		"$AWK" '{ now += $1 == "0x01" ? 1 : -1 } now > most { most = now } END { print most }'
}

# PROFILE: osmtest's ACK of the last segment of an answer is lost, so that the SA sends what was in
# the window again 2 s later, while osmtest asks for something else. Is it acknowledged again?
repeats_ack() {
	"$umadrig" exec --fabric "generate:fat-tree:60,16,clock=virtual,latency=10ms,profile=$1,\
host=host-1,fault=drop 1 rmpp=ack seg=43 from host-1[1],capture=ack.pcap" -- \
		osmtest -f c -i inventory >osmtest.out 2>&1 || echo "osmtest: $?"
	acks=$(tshark -r ack.pcap -Y 'infiniband.rmpp.rmpptype == 2 &&
		infiniband.rmpp.segmentnumber == 43' 2>/dev/null | wc -l)
	case $acks in
	0) echo "no ACK at all" ;;
	1) echo once ;;
	*) echo again ;;
	esac
}

cat >pull <<'END'
ibping -S &
server=$!
sleep 1
"$umadrig" ctl device remove host-0 >/dev/null || exit
sleep 1
kill -0 $server 2>/dev/null && echo waits || echo ended
kill -9 $server 2>/dev/null
END

# PROFILE: what ibping's server does when its adapter is pulled out.
when_pulled_out() {
	umadrig=$umadrig "$umadrig" exec --fabric "generate:fat-tree:4,4,clock=virtual,profile=$1" -- \
		sh pull 2>err
}

# PROFILE: the issm devices beside a RoCE port, which is the first.
issm_devices() {
	"$umadrig" exec --fabric \
		"generate:rail:2,2,4,profile=$1,quirk=roce:host-0 mlx5_0" -- \
		ls /sys/class/infiniband_mad 2>err | grep issm | paste -s -d ' ' -
}

cat >table <<'END'
linux-5.10 400 again waits issm0 issm1
linux-6.1 400 once ended issm0 issm1
linux-6.12 400 again ended issm1
linux-6.17 128 again ended issm1
linux-7.2 128 once ended issm1
END
while read -r profile outstanding ack pulled issm; do
	tap_is "$profile: ibnetdiscover's requests" "$(most_outstanding "$profile")" "$outstanding"
	tap_is "$profile: osmtest acknowledges" "$(repeats_ack "$profile")" "$ack"
	tap_is "$profile: ibping's adapter is pulled out" "$(when_pulled_out "$profile")" "$pulled"
	tap_is "$profile: issm devices" "$(issm_devices "$profile")" "$issm"
done <table
# The message that refuses any other lists them.
tap_is "each profile has a row" "$(cut -d ' ' -f 1 table | sort)" \
	"$("$umadrig" exec --fabric ,profile=none -- true 2>&1 | grep -o 'linux-[0-9.]*' | sort)"
tap_done
