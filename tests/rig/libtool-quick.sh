#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# libtool-quick: build-aux/libtool-quick compiles a file as libtool does, byte for byte, links the
# programs of the tests with the same libraries, and leaves all else to libtool.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${top_builddir:=$PWD}"
. "$top_srcdir/tests/rig/tap.sh"
quick=$top_srcdir/build-aux/libtool-quick
: "${CC:=cc}"
grep -q '^LIBTOOL = .*/libtool-quick ' "$top_builddir/Makefile" ||
	tap_skip_all "this build has libtool's own way"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat >"$work/one.c" <<'TEXT'
#include <stddef.h>
static int value = sizeof(DEFINED);
int *address(void);
int *address(void) { return &value; }
int one(void);
int one(void) { return *address(); }
TEXT
echo 'int one(void) { return nothing; }' >"$work/wrong.c"

# FOLDER FILE LIBTOOL...: compiles the file into the folder, as Automake's rules do.
# shellcheck disable=SC2086 # CC is the compiler and its options
compile() {
	mkdir -p "$work/$1/below"
	file=$2
	(cd "$work/$1" && shift 2 && "$@" --silent --tag=CC --mode=compile \
		$CC -DDEFINED='"two words"' -O1 -fPIE -MT "below/$file.lo" -MD -MP -MF "$file.Tpo" \
		-c -o "below/$file.lo" "../$file.c")
}

for kinds in shared 'shared static'; do
	case $kinds in *static) static=yes ;; *) static=no ;; esac
	sed -e 's/^build_libtool_libs=.*/build_libtool_libs=yes/' \
		-e "s/^build_old_libs=.*/build_old_libs=$static/" "$top_builddir/libtool" >"$work/libtool"
	chmod +x "$work/libtool"
	rm -rf "$work/usual" "$work/ours"
	tap_ok "$kinds: libtool" compile usual one "$work/libtool"
	# shellcheck disable=SC2086 # two words
	tap_ok "$kinds: libtool-quick" compile ours one "$quick" "$kinds" false
	tap_is "$kinds: the same files" \
		"$(diff -r -I '^#' -I '^$' "$work/usual" "$work/ours" 2>&1)" ""
	tap_is "$kinds: how many" "$(find "$work/ours" -name '*.*o' -type f | wc -l)" \
		"$(if [ $static = yes ]; then echo 4; else echo 3; fi)"
	compile ours wrong "$quick" "$kinds" false 2>/dev/null
	tap_is "$kinds: a mistake is one" "$?:$(find "$work/ours/below" -name 'wrong.*o')" 1:
done

# A program with a library of each kind.
cd "$work/usual/below" || exit 99
echo 'int two(void); int two(void) { return 2; }' >two.c
cat >main.c <<'TEXT'
#include <stdio.h>
int one(void), two(void);
int main(void) { return printf("%d %d\n", one(), two()) < 0; }
TEXT
# shellcheck disable=SC2086 # CC is the compiler and its options
{
	$CC -c -o main.o main.c
	"$quick" 'shared static' "$work/libtool" --silent --tag=CC --mode=compile $CC -c -o two.lo two.c
	for library in 'libinner.la one.lo' 'libouter.la two.lo -lz -rpath /nowhere'; do
		"$quick" 'shared static' "$work/libtool" --silent --tag=CC --mode=link $CC -o $library
	done
	for libtool in "$work/libtool" "$quick shared false"; do
		$libtool --silent --tag=CC --mode=link $CC -Wl,-z,now -no-install -o main main.o libinner.la \
			-L. -louter -lpthread
		tap_is "${libtool##*/}: a program runs from anywhere" "$(cd / && "$work/usual/below/main")" "10 2"
		tap_is "${libtool##*/}: where it looks for libraries" "$(readelf -d main | grep -F 'PATH)' |
			sed "s/.*\[//; s/].*//; s|$PWD|HERE|g; s|:/nowhere||")" HERE/.libs
		readelf -dW main | grep -F '(NEEDED)' | sed 's/.*\[/[/' | sort >"needs.${libtool##*/}"
	done
}
tap_is "a program needs the same libraries" "$(diff needs.libtool 'needs.libtool-quick shared false')" ""
tap_has "of which one is ours" "$(cat needs.libtool)" "[libouter.so.0]"

# A program to install: the script in front of it starts the program, and nothing else.
cat >main.c <<'TEXT'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int one(void), two(void);
int main(int argc, char **argv)
{
	const char *path = getenv("LD_LIBRARY_PATH");

	if (argc > 2)
		printf("%s|%s|%s|", argv[1], argv[2], path ? strrchr(path, '/') : "");
	return printf("%d %d\n", one(), two()) < 0;
}
TEXT
# shellcheck disable=SC2086 # CC is the compiler and its options
{
	$CC -c -o main.o main.c
	"$quick" shared "$work/libtool" --silent --tag=CC --mode=link $CC -o main main.o libinner.la \
		-L. -louter
}
started() {
	strace -f -e trace=clone,clone3,fork,vfork,execve "$@" 2>&1 | grep -c '(.* = [0-9]'
}
tap_is "a program to install: arguments, and libraries of the build" \
	"$(./main 'two words' '')" "two words||/.libs|10 2"
tap_is "the caller's libraries come later" "$(LD_LIBRARY_PATH=/n/w ./main 'a"$b' '*')" 'a"$b|*|/w|10 2'
mkdir elsewhere
ln -s ../main elsewhere/main
tap_is "by a link to it" "$(elsewhere/main)" "10 2"
tap_is "from PATH" "$(cd / && PATH="$work/usual/below:$PATH" && main)" "10 2"
tap_is "with an option of libtool's" "$(./main --lt-debug 2>&1 | sed -n '1s/:.*: / /p; $p' | tail -n 1)" "10 2"
if ! command -v strace >/dev/null; then
	tap_skip "what it starts" "no strace here"
else
	tap_is "it starts one process, twice" "$(started ./main)" 2
fi
mkdir installed
"$work/libtool" --silent --mode=install install -c main "$PWD/installed/main" >install.log 2>&1
tap_is "what is installed is the program" "$(od -An -c -N4 installed/main | tr -d ' ')" '177ELF'

echo 'int main(void) { return nothing(); }' >main.c
$CC -w -c -o main.o main.c
"$quick" shared false --silent --tag=CC --mode=link "${CC##* }" -no-install -o none main.o 2>/dev/null
tap_is "what cannot be linked is a mistake" "$?:$(find . -name none)" 1:

# LIBTOOL's arguments, where it is called.
for arguments in '--silent --tag=CC --mode=link cc -o x x.lo' '--mode=install cp x y' \
	'--tag=CC --mode=compile cc -c -o x.lo x.c' \
	'--silent --tag=CC --mode=compile cc -static -c -o x.lo x.c' \
	'--silent --tag=CC --mode=compile cc -prefer-non-pic -c -o x.lo x.c' \
	'--silent --tag=CC --mode=compile cc -c -o x.o x.c' \
	'--silent --tag=CC --mode=link cc -no-install -o x x.lo' \
	'--silent --tag=CC --mode=link cc -no-install -export-dynamic -o x x.o' \
	'--silent --tag=CC --mode=link cc -no-install -o x x.o nosuch.la' \
	'--silent --tag=CC --mode=link cc -no-install -module -o x.la x.lo -rpath /nowhere'; do
	# shellcheck disable=SC2086 # words
	tap_is "libtool's: $arguments" "$("$quick" shared echo $arguments 2>&1)" "$arguments"
done
tap_done
