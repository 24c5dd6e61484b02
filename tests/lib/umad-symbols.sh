#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-symbols: libibumad.so.3 is binary compatible with the usual one and needs libc only.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

library=$top_builddir/.libs/libibumad.so.3
[ -e "$library" ] || tap_skip_all "no shared library was built (--disable-shared)"
for tool in nm readelf; do
	command -v $tool >/dev/null || tap_skip_all "no $tool (binutils)"
done

# "symbol node" of every function that a library exports.
exports() {
	nm -D --defined-only "$1" | awk '$2 == "T" { sub("@@", " ", $3); print $3 }' | LC_ALL=C sort
}

tap_is "symbols and version nodes are those of tests/lib/umad-symbols.txt" \
	"$(exports "$library")" "$(LC_ALL=C sort "$top_srcdir/tests/lib/umad-symbols.txt")"

tap_is "soname" "$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" libibumad.so.3

# Each node inherits the one before it: a loader that looks only for 1.0 accepts 1.4.
tap_is "version nodes are a chain" \
	"$(readelf -V "$library" | awk '
		/Version definition section/ { on = 1; next }
		/Version needs section/ { on = 0 }
		on && /Name: IBUMAD/ { sub(/.*Name: /, ""); name = $1 }
		on && /Parent/ { sub(/.*: /, ""); printf "%s<%s ", $1, name }')" \
	"IBUMAD_1.0<IBUMAD_1.1 IBUMAD_1.1<IBUMAD_1.2 IBUMAD_1.2<IBUMAD_1.3 IBUMAD_1.3<IBUMAD_1.4 IBUMAD_1.4<IBUMAD_UMADRIG_1.0 "

# What a preload shim such as umad2sim replaces must be called by its plain name, and what it does
# not know must not be called in its place.
imports=$(nm -D --undefined-only "$library" | awk '{ sub("@.*", "", $2); print $2 }')
for call in open close read write poll ioctl opendir readdir closedir; do
	tap_is "calls libc's $call" "$(printf '%s\n' "$imports" | grep -cx $call)" 1
done
# (fcntl only gives eventfds of ours a higher number, and the one system call without a name in libc
# is futex, on memory shared with a fabric server: no shim knows them. fstat is for taps and issm
# paths, to tell files apart: of a shim's descriptor the kernel knows nothing, and then the tap does
# not, either. lib/raw and lib/lockstep are libraries of their own, and lib/stand-in a program.)
tap_is "reaches the kernel in no other way" "$(printf '%s\n' "$imports" |
	grep -Ex '(__.*_chk|__open.*|open64|openat.*|fopen.*|popen|ppoll|select|epoll.*|p?readv?.*|p?writev?.*|stat|fstat.*|access|fcntl.+|dup.*)' |
	grep -Evx 'read|readdir|write|fstat')" ""
# And what libumadraw has a function of its own for, which calls this library
# (lib/base/issm-pipe-open.c, handle-name.c, handle-token.c, lib/attach/attach-device.c).
tap_is "and by number only for a futex, and below libumadraw" \
	"$(grep -oE '\bSYS_[a-z0-9_]+' "$top_srcdir"/lib/*.c "$top_srcdir"/lib/*/*.c |
	grep -Ev '/lib/(raw|lockstep|stand-in)/' | sed 's/.*://' | LC_ALL=C sort -u | xargs)" \
	"SYS_bind SYS_close SYS_fcntl SYS_futex SYS_getsockname SYS_getsockopt SYS_openat SYS_recvfrom"

case $(nm -D "$library") in
*__asan_*|*__ubsan_*)
	tap_skip "needs libc only" "built with sanitizers" ;;
*)
	tap_is "needs libc only" \
		"$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')" libc.so.6 ;;
esac

usual=
for dir in /usr/lib/*/ /usr/lib64/ /usr/lib/ /lib64/; do
	[ -e "${dir}libibumad.so.3" ] && usual=${dir}libibumad.so.3 && break
done
if [ -n "$usual" ]; then
	tap_is "has all that $usual has" \
		"$( { exports "$library"; exports "$usual"; } | LC_ALL=C sort | uniq -d)" \
		"$(exports "$usual")"
else
	tap_skip "has all that the usual library has" \
		"no libibumad.so.3 of the distribution (libibumad3)"
fi
tap_done
