#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-programs: one program in each language and by each compiler that is at hand, and in each tool
# that programs are looked at with, prints the same under "umadrig exec", with nothing preloaded
# and by default. make check-any demands all of them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

programs=$top_srcdir/tests/any
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB
any_needs_filter

any_expected

# NAME EXPECTED COMMAND...: what it prints, either way.
prints() {
	name=$1 expected=$2
	shift 2
	for how in filter both; do
		timeout -s KILL 120 "$umadrig" exec --how $how --fabric "$fabric" -- "$@" \
			>out 2>err
		any_is "$name, --how $how" $? "$expected"
	done
}

# NAME EXPECTED PROGRAM COMPILER ARGUMENT...: the same of what the compiler makes of it.
builds() {
	name=$1 expected=$2 program=$3
	shift 3
	if ! command -v "$1" >/dev/null 2>&1; then
		any_lacks "$name" "no $1 here"
	elif ! "$@" >log 2>&1; then
		tap_fail "$name is built" "$*" "$(cat log)"
	else
		prints "$name" "$expected" "./$program"
	fi
}

flags="-std=gnu11 -O2 -Wall -Wextra -Werror"
# shellcheck disable=SC2086 # flags
{
builds "C, dynamic" everything dynamic gcc $flags -o dynamic "$programs/neighbour.c"
builds "C, static" everything static gcc $flags -static -o static "$programs/neighbour.c"
builds "C with musl, static" everything musl musl-gcc $flags -static -o musl \
	"$programs/neighbour.c"
# Its loader is a file of its own, which not every machine has.
if any_links musl-gcc && ./none; then
	builds "C with musl, dynamic" everything musl-dynamic musl-gcc $flags -o musl-dynamic \
		"$programs/neighbour.c"
	# The shell has umadrig's library, which needs glibc, and passes it on.
	prints "C with musl, dynamic, below a shell" everything sh -c ./musl-dynamic
else
	any_lacks "C with musl, dynamic" "no musl-gcc, or not its loader"
fi
if any_links gcc -static -libmad -libumad; then
	builds "Debian's libibumad.a and libibmad.a" everything library gcc $flags -static \
		-o library "$programs/neighbour-library.c" -libmad -libumad
else
	any_lacks "a distribution's libibumad.a and libibmad.a" "not both are here"
fi
if any_links gcc -libmad -libumad; then
	builds "libibumad and libibmad, dynamic" everything dynamic-library gcc $flags \
		-o dynamic-library "$programs/neighbour-library.c" -libmad -libumad
else
	any_lacks "libibumad and libibmad, dynamic" "not both are here"
fi
for kind in address undefined thread; do
	if any_links gcc "-fsanitize=$kind" && ./none; then
		builds "C with gcc's $kind sanitizer" everything $kind gcc $flags \
			"-fsanitize=$kind" -o $kind "$programs/neighbour.c"
	else
		any_lacks "C with gcc's $kind sanitizer" "no gcc with it here"
	fi
done
}
GOCACHE=$work/go CGO_ENABLED=0 GOFLAGS=-mod=mod
export GOCACHE CGO_ENABLED GOFLAGS
builds "Go" everything go-program go build -o go-program "$programs/neighbour.go"
if command -v rustc >/dev/null 2>&1 && ! rustc --version >/dev/null 2>&1; then
	any_lacks "Rust, static" "rustc does not start here, as rustup's without a home"
else
	builds "Rust, static" everything rust rustc --edition 2021 -O \
		-C target-feature=+crt-static -o rust "$programs/neighbour.rs"
fi
prints "Python" everything "${PYTHON:-python3}" "$programs/neighbour.py"
prints "a shell" files sh "$programs/neighbour-shell"
if command -v bash >/dev/null 2>&1; then
	prints "bash" files bash "$programs/neighbour-shell"
else
	any_lacks "bash" "no bash here"
fi

# ---- inside of what looks at programs ----

# TOOL COMMAND...: the same where the tool is there.
inside() {
	tool=$1
	shift
	if command -v "$tool" >/dev/null 2>&1; then
		prints "in $tool" everything "$@"
	else
		any_lacks "in $tool" "no $tool here"
	fi
}
inside strace strace -f -o strace.log ./static
if command -v strace >/dev/null 2>&1; then
	tap_ok "which has seen the call" grep -q 'REGISTER_AGENT2\|ioctl(' strace.log
else
	any_lacks "which has seen the call" "no strace here"
fi
inside strace strace -c -f -o strace.log "${PYTHON:-python3}" "$programs/neighbour.py"
inside gdb sh -c 'gdb -q -batch -ex "run >told" -ex "quit \$_exitcode" ./static >gdb.log 2>&1 &&
	cat told'
inside valgrind valgrind -q --error-exitcode=9 ./dynamic
inside faketime faketime -f +400d ./dynamic
inside setsid setsid -w ./static
tap_done
