#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exporters: an hour of a port with a load, errors, flaps, a slower link and a dead cable, in
# virtual time: what prometheus-node-exporter and collectd say at each minute is what the fabric
# did, but for what doc/exporters.md lists.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/stock/stock.sh"
stock_needs python3 opensm smpquery prometheus-node-exporter collectd
. "$top_srcdir/tests/rig/tool-rows.sh"
# PCP's programs are where Debian has them, or where PCP_ROOT has its packages unpacked (dpkg -x).
pcp=${PCP_ROOT:-}
pmdaib=$pcp/usr/lib/pcp/pmdas/infiniband/pmdaib
PATH=$PATH:$pcp/usr/bin:$pcp/usr/lib/pcp/bin:${pmdaib%/*}
tool_watch prometheus-node-exporter collectd netdata pmcd pmdaib pminfo
[ -e /usr/lib/collectd/infiniband.so ] || tap_skip_all "collectd has no plugin for InfiniBand"
script=$(cd "$top_srcdir" && pwd)/tests/stock/exporters-hour.py
TMPDIR=$work OSM_TMP_DIR=$work OSM_CACHE_DIR=$work
export TMPDIR OSM_TMP_DIR OSM_CACHE_DIR
cd "$work" || exit 99
collectd_conf 60 >collectd.conf

page=$top_srcdir/doc/exporters.md
# hour NAME: the hour, with the exporters that the environment asks for: out.NAME and err.NAME.
hour()
{
	timeout -k 5 300 "$umadrig" exec --host host-0 --fabric \
		generate:rail:4,1,4,clock=virtual,load=host-0:host-1:8G -- \
		python3 -B "$script" "$umadrig" "$work/collectd.conf" >"out.$1" 2>"err.$1"
	set -- "$1" $?
	grep -v '^simulated' "err.$1" | sed 's/^/# /'
	return "$2"
}
# differs NAME: what differed in that hour, as the page has it.
differs()
{
	sed -n 's/: [0-9]* times, first/: first/p' "out.$1"
}
# listed MARKER: the page's lines between its markers: they are what differs, and nothing else does.
listed()
{
	sed -n "/^<!-- BEGIN $1 -->/,/^<!-- END $1 -->/s/^    //p" "$page"
}

for run in 1 2; do
	hour "$run"
	status=$?
	tap_ok "an hour, run $run: $(sed -n 's/ values compared/ values/p' "out.$run")" \
		test $status -eq 0
done
tap_ok "the same twice" cmp out.1 out.2
tap_has "all minutes are looked at" "$(cat out.1)" "collectd: 1440 lines of 60 moments"
tap_has "in each of the states" "$(cat out.1)" \
	"minutes by state: {'4/5/4X': 28, '1/2/4X': 24, '2/5/4X': 3, '4/5/1X': 5}"
wanted=$(listed differs)
if [ -n "${UMADRIG_REWRITE:-}" ]; then
	differs 1 | sed 's/^/    /' >lines
	sed -i -e '/^<!-- BEGIN differs -->/,/^<!-- END differs -->/{/^    /d}' \
		-e '/^<!-- BEGIN differs -->/r lines' "$page"
fi
tap_is "what differs is what doc/exporters.md lists" "$(differs 1)" "$wanted"

# netdata, which looks each five seconds, where it is asked for.
if command -v netdata >/dev/null && [ -n "${NETDATA_HOUR:-}" ]; then
	mkdir netdata
	netdata_conf 5 >netdata/netdata.conf
	(
		export NETDATA_CONF="$work/netdata/netdata.conf"
		hour netdata
	)
	tap_is "what netdata says over an hour, and doc/exporters.md has of it" \
		"$(differs netdata)" "$(listed netdata)"
	tap_is "all of it is looked at, while the port is Active" \
		"$(grep compared out.netdata)" "672 values compared"
else
	tap_skip "what netdata says over an hour" \
		"there is no netdata here (Debian: netdata-core), or no NETDATA_HOUR=1"
fi

# PCP's daemon and its agent, as they are: what the agent asks in band by the port of its host, a
# client is told by the daemon.
if [ -x "$pmdaib" ] && command -v pmcd pminfo >/dev/null; then
	mkdir pcp pcp/run pcp/tmp
	sed -n "s,^\(PCP_[A-Z0-9_]*=\)/,\1$pcp/,p" "$pcp/etc/pcp.conf" |
		sed -e '/^PCP_\(RUN\|TMP\|TMPFILE\)_DIR=/d' >pcp/conf
	printf 'PCP_RUN_DIR=%s\nPCP_TMP_DIR=%s\nPCP_TMPFILE_DIR=%s\n' "$work/pcp/run" \
		"$work/pcp/tmp" "$work/pcp/tmp" >>pcp/conf
	{ echo 'root { infiniband }'; sed 's/\<IB:/91:/' "${pmdaib%/*}/pmns"; } >pcp/names
	printf 'infiniband\t91\tpipe\tbinary\t%s -d 91\n' "$(command -v pmdaib)" >pcp/pmcd.conf
	(
		LD_LIBRARY_PATH=$pcp/usr/lib PCP_CONF=$work/pcp/conf
		PMCD="pmcd -f -U $(id -un) -c $work/pcp/pmcd.conf -n $work/pcp/names -i 127.0.0.1"
		PMCD="$PMCD -l $work/pcp/log -s $work/pcp/socket"
		export LD_LIBRARY_PATH PCP_CONF PMCD
		hour pcp
	)
	[ ! -s pcp/log ] || sed 's/^/# /' pcp/log
	tap_is "what pmdaib says over an hour, and doc/exporters.md has of it" \
		"$(differs pcp)" "$(listed pmdaib)"
	tap_is "all that it has is looked at" "$(grep compared out.pcp)" "2186 values compared"
else
	tap_skip "what pmdaib says over an hour" \
		"there is no pmdaib here (Debian: pcp and pcp-pmda-infiniband, or PCP_ROOT with both)"
fi

# guilbaults/infiniband-exporter, where INFINIBAND_EXPORTER names its program.
if ! python3 -c 'import prometheus_client' 2>/dev/null; then
	tap_skip "an exporter that asks in band" "python3 has no prometheus_client here"
elif [ ! -f "${INFINIBAND_EXPORTER:-}" ]; then
	tap_skip "an exporter that asks in band" \
		"INFINIBAND_EXPORTER does not name the program of guilbaults/infiniband-exporter"
else
	(
		export IN_BAND="$INFINIBAND_EXPORTER"
		hour band
	)
	tap_is "what an exporter that asks in band says, and doc/exporters.md has of it" \
		"$(differs band)" "$(listed "in band")"
fi

# treydock/infiniband_exporter, where TREYDOCK_EXPORTER names its program.
if [ ! -x "${TREYDOCK_EXPORTER:-}" ]; then
	tap_skip "what treydock's exporter shows" \
		"TREYDOCK_EXPORTER does not name the program of treydock/infiniband_exporter"
else
	(
		export TREYDOCK="$TREYDOCK_EXPORTER"
		hour trey
	)
	sed 's/^/# /' out.trey
	tap_is "what treydock's exporter shows is right" "$(grep first out.trey)" ""
	tap_is "what treydock's exporter shows of the port is there whenever it is Active" \
		"$(tail -n +1 out.trey)" "Active, and not shown: 0 minutes
264 values compared"
fi

tool_rows agents <<'END'
prometheus-node-exporter --web.listen-address, --log.level, --collector.disable-defaults, --collector.infiniband (an hour of loads, flaps, a slower link, a dead cable) | right, but for what [this page](exporters.md) lists | what differs
netdata -D, -c FILE, -W (the same hour) | right, but for what [this page](exporters.md#netdata) lists | what netdata says
pmcd -f, -U USER, -c FILE, -n FILE, -i ADDRESS, -l FILE, -s FILE, -p PORT, pmdaib -d 91, pminfo -h HOST, -f, infiniband.port (the same hour) | right, but for what [this page](exporters.md#pcp) lists | what pmdaib says
collectd -f, -C FILE (the same hour) | right, but for what [this page](exporters.md) lists | what differs
END
tap_done
