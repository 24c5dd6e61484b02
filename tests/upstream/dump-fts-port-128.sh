#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# upstream-dump-fts-port-128: dump_fts reads entries of a forwarding table as signed, and takes
# ports from 128 on for "no route": they are missing from its dump. rdma-core 03472ce0b, in 63.0.
# ibroute had the same until 35.0 (12260b645), and shows what is there.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/upstream/upstream.sh"
stock_needs dump_fts ibroute ibstat
bug_is rdma-core "$(rdma_core_release)" 0.0 63.0
{
	printf 'vendid=0x2c9\ndevid=0xcf08\nswitchguid=0x100(100)\n'
	printf 'Switch\t200 "S-0000000000000100"\t\t# "spine" base port 0 lid 1 lmc 0\n'
	for port in 1 127 128 200; do
		printf '[%d]\t"H-%016x"[1]\n' $port $((4096 + 16 * port))
	done
	lid=1
	for port in 1 127 128 200; do
		lid=$((lid + 1)) guid=$((4096 + 16 * port))
		printf '\nvendid=0x2c9\ndevid=0x1003\ncaguid=0x%x\n' $guid
		printf 'Ca\t1 "H-%016x"\t\t# "h%d mlx5_0"\n' $guid $port
		printf '[1](%x)\t"S-0000000000000100"[%d]\t\t# lid %d\n' $((guid + 1)) $port $lid
	done
} >wide.net
routes() {
	stock "" wide.net "$@" 2>/dev/null | sed -n 's/^\(0x[0-9a-f]*\) \([0-9]*\) : .*/\1 \2/p'
}
all="0x0001 000
0x0002 001
0x0003 127
0x0004 128
0x0005 200"
tap_is "ibroute dumps each entry" "$(routes ibroute 1)" "$all"
bug_shows "dump_fts, ports 128 and 200" "$(routes dump_fts)" "$(echo "$all" | head -n 3)" "$all"

tap_done
