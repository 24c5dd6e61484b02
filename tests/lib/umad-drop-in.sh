#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# umad-drop-in: programs that were linked with another libibumad start and run on ours: with the
# distribution's, and with upstream's newest; and programs can be built with the installed library,
# by pkg-config and as a static library.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"

ours=$top_builddir/.libs
[ -e "$ours/libibumad.so.3" ] || tap_skip_all "no shared library was built (--disable-shared)"
if nm -D "$ours/libibumad.so.3" | grep -q __asan_; then
	tap_skip_all "a library with sanitizers cannot be put below a program without"
fi
ours=$(cd "$ours" && pwd)
CC=${CC:-cc}
umadrig=$top_builddir/umadrig
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset UMAD_BACKEND

# PROGRAM: which libibumad does the loader use for it, with ours first?
loaded() {
	LD_LIBRARY_PATH=$ours LD_TRACE_LOADED_OBJECTS=1 "$1" |
		awk '$1 == "libibumad.so.3" { print $3 }'
}

# ---- the distribution's
usual=
for dir in /usr/lib/*/ /usr/lib64/ /usr/lib/; do
	[ -e "${dir}libibumad.so.3" ] && usual=${dir%/} && break
done
headers=
for dir in /usr/include /usr/local/include; do
	[ -e "$dir/infiniband/umad_str.h" ] && headers=$dir && break
done
if [ -n "$usual" ] && [ -n "$headers" ]; then
	tap_ok "a program links with the usual library" $CC -std=gnu11 -isystem "$headers" \
		-o "$work/usual" "$top_srcdir/tests/lib/umad-calls.c" "$usual/libibumad.so.3"
	tap_is "and is loaded with ours" "$(loaded "$work/usual")" "$ours/libibumad.so.3"
	while IFS='|' read -r call result; do
		# shellcheck disable=SC2086 # a call and its arguments
		tap_is "$call" "$("$umadrig" exec -- "$work/usual" $call 2>/dev/null)" "$result"
	done <<'END'
names|names: H1 = 1
open - 0|open: = 0
open H1 2|open: = -22
portguids H1|portguids: 0 2c90300000001 = 2
END
else
	tap_skip "a program linked with the usual library" "no libibumad-dev"
fi

# ---- upstream's newest: all 42 calls of its nodes 1.0 to 1.4, with a library that has only the
# names
awk '$2 ~ /^IBUMAD_1\.[0-4]$/' "$top_srcdir/tests/lib/umad-symbols.txt" >"$work/upstream"
tap_is "upstream's newest has 42 calls" "$(wc -l <"$work/upstream" | tr -d ' ')" 42
awk '{ printf "void %s(void); void %s(void) { }\n", $1, $1 }' "$work/upstream" >"$work/stub.c"
awk '{ calls[$2] = calls[$2] $1 "; " }
     END { for (i = 0; i <= 4; i++) {
		node = "IBUMAD_1." i
		printf "%s { global: %s%s } %s;\n", node, calls[node], i ? "" : "local: *;", before
		before = node } }' "$work/upstream" >"$work/stub.map"
{
	awk '{ printf "void %s(void);\n", $1 }' "$work/upstream"
	printf '#include <stdio.h>\nstatic void (*volatile calls[])(void) = {\n'
	awk '{ printf "%s,\n", $1 }' "$work/upstream"
	printf '};\nint main(void)\n{\n\tint n = 0;\n'
	printf '\tfor (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++) n += calls[i] != 0;\n'
	printf '\tprintf("%%d\\n", n);\n\treturn 0;\n}\n'
} >"$work/all.c"
tap_ok "a library with their names and nodes" $CC -shared -fPIC -Wl,-soname,libibumad.so.3 \
	-Wl,--version-script="$work/stub.map" -o "$work/stub.so" "$work/stub.c"
tap_ok "a program links with it" $CC -o "$work/all" "$work/all.c" "$work/stub.so"
tap_is "and is loaded with ours" "$(loaded "$work/all")" "$ours/libibumad.so.3"
tap_is "and finds them all" "$(LD_BIND_NOW=1 LD_LIBRARY_PATH=$ours "$work/all" 2>&1)" 42
if [ -n "$usual" ] && ! nm -D "$usual/libibumad.so.3" | grep -q IBUMAD_1.4; then
	tap_has "which an older library does not have" \
		"$(LD_LIBRARY_PATH=$usual "$work/all" 2>&1)" "IBUMAD_1."
else
	tap_skip "which an older library does not have" "none here"
fi

# ---- an installed one
${MAKE:-make} -s -C "$top_builddir" install DESTDIR="$work/root" >"$work/log" 2>&1
pc=$(find "$work/root" -name libibumad.pc)
if [ ! -w "$top_builddir" ]; then
	tap_skip "a program builds by pkg-config" "make install links in the build directory, which is not writable"
elif command -v pkg-config >/dev/null; then
	flags=$(PKG_CONFIG_SYSROOT_DIR=$work/root PKG_CONFIG_PATH=${pc%/*} \
		pkg-config --cflags --libs libibumad 2>&1)
	tap_has "pkg-config finds the headers" "$flags" "/include/umadrig"
	# shellcheck disable=SC2086 # flags
	tap_ok "a program builds by pkg-config" $CC -std=gnu11 -o "$work/by-pc" \
		"$top_srcdir/tests/lib/umad-calls.c" $flags
	tap_is "and is loaded with ours" "$(loaded "$work/by-pc")" "$ours/libibumad.so.3"
	tap_is "and runs" "$("$umadrig" exec -- "$work/by-pc" names 2>/dev/null)" "names: H1 = 1"
	tap_ok "libibumad is as new as a program may ask" env PKG_CONFIG_PATH="${pc%/*}" \
		pkg-config --atleast-version=3.4 libibumad
else
	tap_skip "a program builds by pkg-config" "no pkg-config"
fi
archive=$(find "$work/root" -name libibumad.a)
if [ -n "$archive" ]; then
	tap_ok "a program links with the static library" $CC -std=gnu11 \
		-I"$top_srcdir/lib/include" -o "$work/static" "$top_srcdir/tests/lib/umad-calls.c" \
		"$archive"
	tap_is "which needs no libibumad then" "$(loaded "$work/static")" ""
	libumadrig=$(find "$work/root" -name libumadrig.so.0)
	tap_is "and runs in a simulated fabric" "$(UMAD_BACKEND=sim LD_PRELOAD=$libumadrig \
		"$work/static" names 2>/dev/null)" "names: H1 = 1"
else
	tap_skip "a program links with the static library" "this build makes none (--enable-static)"
fi
tap_done
