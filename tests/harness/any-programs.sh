#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# any-programs: one program in each language, by each compiler that is at hand, and what it prints
# under "umadrig exec" where libibumad is preloaded. make check-any demands all of them.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
. "$top_srcdir/tests/rig/any.sh"

programs=$top_srcdir/tests/any
fabric=$top_srcdir/tests/data/two-switches.net,host=HostB
any_expected

# NAME COMPILER ARGUMENT...
builds() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null 2>&1; then
		any_lacks "$name" "no $1 here"
	else
		tap_ok "$name" "$@"
	fi
}

flags="-std=gnu11 -O2 -Wall -Wextra -Werror"
# shellcheck disable=SC2086 # flags
{
builds "C, dynamic" gcc $flags -o dynamic "$programs/neighbour.c"
builds "C, static" gcc $flags -static -o static "$programs/neighbour.c"
builds "C with musl, static" musl-gcc $flags -static -o musl \
	"$programs/neighbour.c"
# Its loader is a file of its own, which not every machine has.
if echo 'int main(void) { return 0; }' >none.c && musl-gcc -o none none.c 2>log && ./none; then
	builds "C with musl, dynamic" musl-gcc $flags -o musl-dynamic \
		"$programs/neighbour.c"
else
	any_lacks "C with musl, dynamic" "no musl-gcc, or not its loader"
fi
if echo 'int main(void) { return 0; }' >none.c && gcc -static -o none none.c -libmad -libumad \
	2>log; then
	builds "Debian's libibumad.a and libibmad.a" gcc $flags -static \
		-o library "$programs/neighbour-library.c" -libmad -libumad
else
	any_lacks "a distribution's libibumad.a and libibmad.a" "not both are here"
fi
for kind in address undefined thread; do
	if gcc "-fsanitize=$kind" -o none none.c 2>log && ./none; then
		builds "C with gcc's $kind sanitizer" gcc $flags \
			"-fsanitize=$kind" -o $kind "$programs/neighbour.c"
	else
		any_lacks "C with gcc's $kind sanitizer" "no gcc with it here"
	fi
done
}
GOCACHE=$work/go CGO_ENABLED=0 GOFLAGS=-mod=mod
export GOCACHE CGO_ENABLED GOFLAGS
builds "Go" go build -o go-program "$programs/neighbour.go"
builds "Rust, static" rustc --edition 2021 -O -C target-feature=+crt-static \
	-o rust "$programs/neighbour.rs"
tap_ok "Python: its grammar" "${PYTHON:-python3}" -c \
	'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$programs/neighbour.py"
tap_ok "a shell: its grammar" sh -n "$programs/neighbour-shell"

# By libibumad's calls and raw ones, on the library that exec puts in front.
if gcc $flags -o dynamic-library "$programs/neighbour-library.c" -libmad -libumad 2>log; then
	timeout -s KILL 120 "$umadrig" exec --fabric "$fabric" -- ./dynamic-library >out 2>err
	any_is "libibumad and libibmad, dynamic" $? everything
else
	any_lacks "libibumad and libibmad, dynamic" "$(head -n 1 log)"
fi
tap_done
