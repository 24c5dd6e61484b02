#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# kmod-stub/linux/build: what it says of a tree that it cannot build, and by which exit status.
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"
build=$top_srcdir/kmod-stub/linux/build
: "${CC:=cc}"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fresh() {
	rm -rf "$work/tree"
	cp -R "$top_srcdir/tests/kmod-stub/fake-tree" "$work/tree" &&
		chmod -R u+w "$work/tree" || exit 99
}
fresh
core=$work/tree/drivers/infiniband/core

# OPTION...: what build prints, and its exit status.
build() {
	sh "$build" --tree "$work/tree" --output "$work/k.so" --release 0.1.2 --identity 0 --cc "$CC" \
		"$@" >"$work/out" 2>"$work/err"
	echo "$?: $(cat "$work/out")"
}

tap_is "a tree whose interfaces are all there" "$(build)" "0: "
tap_ok "gives a file" test -s "$work/k.so"

# Two interfaces that no shim has, one of them in two files, and a member.
line=$(($(wc -l <"$core/smi.c") + 1))
cat >>"$core/smi.c" <<'END'
int warp(struct ib_device *device) { return engage_warp(device->warp_factor); }
flux_t flux;
END
echo 'int impulse(void) { return engage_warp(0); }' >>"$core/mad_rmpp.c"
at=$(wc -l <"$core/mad_rmpp.c")
rm "$work/k.so"
tap_is "one that needs more: a line for each" "$(build | sort)" "$(sort <<END
3: engage_warp drivers/infiniband/core/mad_rmpp.c:$((at))
flux_t drivers/infiniband/core/smi.c:$((line + 1))
warp_factor drivers/infiniband/core/smi.c:$line
END
)"
tap_ok "and no file" test ! -e "$work/k.so"

fresh
echo 'int broken( {' >"$core/smi.c"
tap_is "a file that is no C" "$(build)" "1: "
tap_ok "the compiler's words" grep -q 'smi.c:1' "$work/err"

rm "$core/smi.c"
tap_is "a file that is missing" "$(build)" "1: "
tap_ok "its name" grep -q 'core/smi.c: not there; expected the top of a kernel tree' "$work/err"
fresh
tap_is "no compiler" "$(CC=/no/such/cc build)" "1: "
tap_ok "the cure" grep -q '/no/such/cc: no C compiler of this name; install gcc or clang' "$work/err"

# Objects of the shim's own are kept for the next build, and none of the tree's.
fresh
kept() {
	find "$work"/objects-* -name '*.o' 2>/dev/null | sed 's,.*/,,' | sort | tr '\n' ' '
}
tap_is "with a directory for objects" "$(build --objects "$work/objects-1")" "0: "
own=$(cd "$top_srcdir/kmod-stub/linux" && ls ./*.c | sed -n '/-door\.c$/d; /kernel-file\.c$/d; s,^\./,,; s,c$,o,p' |
	sort | tr '\n' ' ')
tap_is "they are there" "$(kept)" "$own"
for object in "$work"/objects-1/*/linux-locks.o; do
	echo "no object" >"$object"
done
tap_is "and are used" "$(build --objects "$work/objects-1" | cut -d: -f1)" 1
tap_is "not with other options" "$(build --objects "$work/objects-1" --debug)" "0: "
tap_is "nor where the files are others" "$(build --objects "$work/objects-2")" "0: "
tap_is "for which the old ones go" "$(ls -d "$work"/objects-*)" "$work/objects-2"
tap_is "where none can be kept it goes without" "$(build --objects /dev/null/objects-3)" "0: "
tap_is "an option that is none" "$(build --fast)" "1: "
tap_done
