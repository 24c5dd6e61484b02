# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# shellcheck shell=sh
# elsewhere.sh: the same command as other people's machines would run it. Sourced; $work is a
# directory of the test's own.

# NUMBER PATH COMMAND...: runs it with none of this environment, in a home of its own: a PATH that
# begins with PATH and has another length for each number, another zone, terminal and locale, and
# variables that say nothing.
elsewhere() {
	elsewhere=$1 path=$2
	shift 2
	long=$(printf "%${elsewhere}s" | tr ' ' x)
	case $((elsewhere % 4)) in 0) zone= ;; 1) zone=Asia/Tokyo ;; 2) zone=America/New_York ;; *) zone=UTC ;; esac
	case $((elsewhere % 3)) in 0) terminal= ;; 1) terminal=dumb ;; *) terminal=xterm-256color ;; esac
	case $((elsewhere % 2)) in 0) locale=C ;; *) locale=C.UTF-8 ;; esac
	mkdir -p "$work/home$long/tmp"
	(cd "$work/home$long" &&
		env -i PATH="$path:/usr/sbin:/usr/bin:/sbin:/bin:/$long:/$long" HOME="$PWD" TMPDIR="$PWD/tmp" \
			LANG=$locale ${zone:+"TZ=$zone"} ${terminal:+"TERM=$terminal"} "V$long=$long" "$@")
}
