#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# stock-seeds: the distribution's OpenSM and its tools in virtual time, over many orders of threads
# and many losses, each twice: output, logs and captures are the same, all end by themselves, and
# where nothing is lost every one does its work. Prints how long that takes, in both times.
# $EXPLORE_RUNS: that many seeds for each scenario, and a hundredth for osmtest's flood, which takes
# 10 s of a processor each time.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs opensm osmtest sminfo ibping ibaddr
. "$top_srcdir/tests/rig/tool-rows.sh"
tool_watch osmtest opensm ibping sminfo ibaddr
umadrig=$(realpath "$umadrig")
seeds=${EXPLORE_RUNS:-6}
few=${EXPLORE_RUNS:-7}
fabric=generate:fat-tree:4,4,state=cold
: >"$work/table"

# What each begins and ends with: $sm is OpenSM on the first host, whose log the output vouches for.
echo "umadrig='$umadrig'" >"$work/begin"
cat >>"$work/begin" <<'END'
cd "$UMADRIG_RUN" || exit 1
OSM_TMP_DIR=$UMADRIG_RUN OSM_CACHE_DIR=$UMADRIG_RUN
export OSM_TMP_DIR OSM_CACHE_DIR
opensm -f log >/dev/null & sm=$!
sleep 20
flow() {
	UMADRIG_HOST=host-3 osmtest -f "$1" -i inventory -t 500 -l osmtest.log | tail -n 1
	cksum <osmtest.log
}
on() {
	UMADRIG_HOST=$1
	export UMADRIG_HOST
	shift
	exec "$@"
}
END
cat >"$work/end" <<'END'
kill $sm && wait $sm || exit 1
for log in log*; do cksum <"$log"; done
date +%s
END

# NAME LOSS SEEDS WANTED: the shell commands of $work/NAME on a fabric that loses so many of a
# hundred MADs on each link. WANTED is how often its output says that something has gone well, if
# nothing is lost.
explore() {
	name=$1 loss=$2 runs=$3 wanted=$4
	what="$name, $loss % lost"
	lossy=$fabric
	[ "$loss" = 0 ] || lossy="$fabric,fault=drop $loss%"
	mkdir "$work/run"
	UMADRIG_RUN=$work/run "$umadrig" exec --fabric "$lossy,clock=virtual" -- \
		sh -c "$(cat "$work/$name")" >"$work/out" 2>"$work/err" </dev/null
	tap_is "$what: it ends" "$?" 0
	[ "$loss" != 0 ] || tap_is "$what: all goes well" \
		"$(grep -c -e PASS -e MASTER -e ' 0% packet loss' -e '^ends 8 with-lid 8 active 8' "$work/out")" "$wanted"
	rm -r "$work/run"
	virtual=$(($(tail -n 1 "$work/out") - 1700000000))
	from=$(date +%s%N)
	"$umadrig" explore --runs "$runs" --twice --jobs 2 --timeout 300 --output "$work/$name-$loss" \
		--fabric "$lossy" -- sh -c "$(cat "$work/$name")" >"$work/explored" 2>&1 </dev/null
	status=$?
	wall=$((($(date +%s%N) - from) / 1000000))
	tap_is "$what: $runs seeds, twice the same" \
		"$status:$(sed -n '$s/ runs*, \([0-9]*\) failed.*/ \1/p' "$work/explored")" "0:$runs 0"
	[ "$status" = 0 ] || sed 's/^/# /' "$work/explored"
	printf '%-10s %4d %% %6d %9d %9d.%03d\n' "$name" "$loss" "$runs" "$virtual" \
		$((wall / 1000)) $((wall % 1000)) >>"$work/table"
}

# NAME: the commands on standard input are it.
scenario() {
	cat "$work/begin" - "$work/end" >"$work/$1"
}

scenario osmtest <<'END'
for flow in c v e m q s a; do flow $flow; done
END
scenario flood <<'END'
flow c
flow f
END
scenario links <<'END'
for host in 2 3; do
	"$umadrig" ctl link down "host-$host[1]"
	sleep 40
	"$umadrig" ctl report | head -n 1
	"$umadrig" ctl link up "host-$host[1]"
	sleep 80
	"$umadrig" ctl report | head -n 1
done
END
# The first SM is killed, and comes again when the other one has taken over.
scenario failover <<'END'
on host-1 opensm -f log2 >/dev/null & other=$!
sleep 60; sminfo
kill -9 $sm; wait $sm
sleep 100; sminfo
opensm -f log >/dev/null & sm=$!
sleep 100; sminfo
kill $other; wait $other
END
scenario ibping <<'END'
on host-1 ibping -S & server=$!
sleep 1
ibping -c 20 -L "$(on host-1 ibaddr -L | sed 's/.* //')" | grep packets
kill $server; wait $server
END

for loss in 0 2; do
	explore osmtest $loss "$seeds" 7
	explore links $loss "$seeds" 2
	explore failover $loss "$few" 3
	explore ibping $loss "$seeds" 1
	[ -z "${EXPLORE_RUNS:-}" ] || explore flood $loss $(((EXPLORE_RUNS + 99) / 100)) 2
done
printf '# %-10s %6s %6s %9s %13s\n' scenario loss seeds 'virtual s' 'wall s, all'
sed 's/^/# /' "$work/table"

tool_rows subnet <<'END'
opensm, osmtest, ibping, sminfo (in virtual time: many orders of threads and many losses) | cannot | each twice the same | osmtest, 0
END
tap_done
