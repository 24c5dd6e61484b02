# shellcheck shell=sh
# stock.sh: what the tests with the distribution's own programs share. Sourced, after tap.sh.

umadrig=$top_builddir/umadrig
data=$top_srcdir/tests/data
shared=$top_srcdir/../shared/topologies
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# PROGRAM...: the whole script is skipped where one is missing.
stock_needs() {
	if nm -D "$top_builddir/.libs/libibumad.so.3" 2>/dev/null | grep -q __asan_; then
		tap_skip_all "a library with sanitizers cannot be put in front of a program without"
	fi
	for program; do
		command -v "$program" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin
		command -v "$program" >/dev/null 2>&1 ||
			tap_skip_all "no $program here (Debian: infiniband-diags, opensm)"
	done
}

# HOST FABRIC PROGRAM...: the program, unmodified, on the simulated fabric; "" is the usual host.
stock() {
	stock_host=$1
	stock_fabric=$2
	shift 2
	"$umadrig" exec --fabric "$stock_fabric" ${stock_host:+--host "$stock_host"} -- "$@"
}

# SCRIPT ARGUMENT...: one of the awk programs that know what a description says.
graph() {
	graph_script=$1
	shift
	"$AWK" -f "$top_srcdir/tests/graph-read.awk" -f "$top_srcdir/tests/$graph_script" "$@" 2>&1
}
