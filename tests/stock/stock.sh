# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# stock.sh: what the tests with the distribution's own programs share; they begin with
#
#	: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
#	. "$top_srcdir/tests/stock/stock.sh"
#
# or stock-fabric.sh, which sources this one.

set -u
: "${top_builddir:=.}"
: "${AWK:=awk}"
. "$top_srcdir/tests/rig/tap.sh"
umadrig=$top_builddir/umadrig
data=$top_srcdir/tests/data
shared=$top_srcdir/../shared/topologies
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# SECONDS: a configuration of collectd that prints what its plugin for InfiniBand reads, so often.
collectd_conf() {
	cat <<END
FQDNLookup false
Hostname "h"
Interval $1
TypesDB "/usr/share/collectd/types.db"
PluginDir "/usr/lib/collectd"
BaseDir "$work"
PIDFile "$work/collectd.pid"
LoadPlugin csv
LoadPlugin infiniband
<Plugin csv>
  DataDir "stdout"
</Plugin>
END
}

# SECONDS: a configuration of netdata that reads what /proc and /sys have, so often; it writes into
# $work/netdata.
netdata_conf() {
	cat <<END
[global]
	run as user = $(id -un)
	update every = $1
[directories]
	config = $work/netdata
	cache = $work/netdata
	lib = $work/netdata
	log = $work/netdata
[db]
	mode = ram
[health]
	enabled = no
[ml]
	enabled = no
[statsd]
	enabled = no
[plugins]
	apps = no
	cgroups = no
	checks = no
	diskspace = no
	enable running new plugins = no
	idlejitter = no
	netdata monitoring = no
	statsd = no
	tc = no
	timex = no
	proc = yes
END
}

# PROGRAM...: skips the whole script if one is missing.
stock_needs() {
	if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
		tap_skip_all "a library with sanitizers cannot be put in front of a program without"
	fi
	for program; do
		command -v "$program" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin
		command -v "$program" >/dev/null 2>&1 ||
			tap_skip_all \
			"no $program here (Debian: infiniband-diags, opensm, ibutils, srptools)"
	done
}

# The release of infiniband-diags, without its minor number.
diags_release() {
	ibstat -V 2>&1 | sed -n 's/.*BUILD VERSION: \([0-9]*\).*/\1/p'
}

# HOST FABRIC PROGRAM...: runs the unmodified program on the simulated fabric; "" is the default
# host.
stock() {
	stock_host=$1
	stock_fabric=$2
	shift 2
	"$umadrig" exec --fabric "$stock_fabric" ${stock_host:+--host "$stock_host"} -- "$@"
}

# SCRIPT ARGUMENT...: runs one of the awk programs that read a description.
graph() {
	graph_script=$1
	shift
	"$AWK" -f "$top_srcdir/tests/stock/graph-read.awk" \
		-f "$top_srcdir/tests/stock/$graph_script" "$@" 2>&1
}

# SECONDS COMMAND...: repeats it until it succeeds, or this much time has passed.
within() {
	within_tries=$(($1 * 20))
	shift
	while ! "$@" >/dev/null 2>&1; do
		within_tries=$((within_tries - 1))
		[ "$within_tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

# FILE: prints the fields on standard input, NAME=VALUE, one per line, that are not in it as
# "NAME:...VALUE".
fields_wrong() {
	"$AWK" '
		FNR == 1 { file++ }
		file == 1 {
			name = $0
			sub(/:.*/, "", name)
			value = substr($0, length(name) + 2)
			sub(/^\.*/, "", value)
			got[name] = value
			next
		}
		{
			name = $0
			sub(/=.*/, "", name)
			value = substr($0, length(name) + 2)
			if (got[name] != value)
				print name " is " got[name] ", not " value
			checked++
		}
		END { if (!checked) print "nothing to check" }' "$1" -
}

# NAME FILE "Field=value ...": the program's output has each field with this value.
shows() {
	shows_wrong=$(printf '%s\n' "$3" | tr ' ' '\n' | fields_wrong "$2")
	if [ -z "$shows_wrong" ]; then
		tap_pass "$1"
	else
		tap_fail "$1" "$shows_wrong" "$(cat "$2")"
	fi
}

# NAME FILE LINE...: the file has each of the lines, in this order.
has_lines() {
	lines_name=$1
	lines_file=$2
	shift 2
	lines_missing=$(printf '%s\n' "$@" | "$AWK" '
		FNR == NR { wanted[++count] = $0; next }
		at < count && $0 == wanted[at + 1] { at++ }
		END { if (at < count) print "no line: " wanted[at + 1] }' - "$lines_file")
	if [ -z "$lines_missing" ]; then
		tap_pass "$lines_name"
	else
		tap_fail "$lines_name" "$lines_missing" "$(cat "$lines_file")"
	fi
}
