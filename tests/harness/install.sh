#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# install: where "make install" puts files. Nothing conflicts with the usual libibumad and its
# development files, and the installed umadrig runs programs from its place.
set -u
. "$top_srcdir/tests/rig/tap.sh"

[ -w "$top_builddir" ] || tap_skip_all "make install links in the build directory, which is not writable"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
root=$work/root

${MAKE:-make} -s -C "$top_builddir" install DESTDIR="$root" >"$work/log" 2>&1
tap_is "make install DESTDIR= succeeds" "$?:$(grep -v errors\\.py "$work/log" | grep -i error)" 0:

umadrig=$(find "$root" -path '*/bin/umadrig' -type f)
prefix=${umadrig%/bin/umadrig}
libdir=$(dirname "$(find "$root" -name libumadrig.so.0 | head -n 1)")
libdir_below=${libdir#"$root"}
prefix_below=${prefix#"$root"}
usual=$(cd "$root" && find . \( -name 'libibumad*' -o -path '*/infiniband/*' \) \
	! -type d ! -path '*/umadrig/*')
tap_is "no libibumad file but below directories of our own" "$usual" ""
tap_ok "our libibumad.so.3 is below the library directory" \
	test -e "$libdir/umadrig/libibumad.so.3"
tap_ok "and its headers, below a directory of their own" \
	test -e "$prefix/include/umadrig/infiniband/umad.h"
tap_ok "umadrig.h" test -e "$prefix/include/umadrig.h"
tap_ok "its pkg-config file" test -e "$libdir/pkgconfig/umadrig.pc"
tap_has "the manual page, with the version of --version" "$(head -n 2 "$prefix/share/man/man1/umadrig.1")" \
	".TH UMADRIG 1 \"\" \"$("$top_builddir/umadrig" --version)\" \"User Commands\""
tap_is "and so all others" "$(grep -L -e '^\.so ' -e "\"$("$top_builddir/umadrig" --version)\"" "$prefix"/share/man/man*/*)" ""
tap_is "and pkg-config" "umadrig $(sed -n 's/^Version: //p' "$libdir/pkgconfig/umadrig.pc")" "$("$top_builddir/umadrig" --version)"
tap_ok "completion for bash and zsh" test -e "$prefix/share/bash-completion/completions/umadrig" \
	-a -e "$prefix/share/zsh/site-functions/_umadrig"
tap_ok "Vim's files" test -e "$prefix/share/vim/vimfiles/syntax/umadrig.vim" \
	-a -e "$prefix/share/vim/vimfiles/ftdetect/umadrig.vim"
tap_ok "VS Code's extension, with its grammar" \
	test -e "$prefix/share/umadrig/vscode/syntaxes/umadrig.tmLanguage.json"
tap_ok "an example" test -e "$(find "$prefix/share/doc" -name lost-answer.c)"
tap_is "the libraries' insides are not installed" \
	"$(find "$root" -name 'libsim*' -o -name 'libkmod*' -o -name 'libumad.*')" ""


# The Python module finds the libraries that were installed with it, or says where it looked.
module=$(find "$root" -path '*/umadrig/__init__.py')
if [ -n "$module" ]; then
	folder=${module%/umadrig/__init__.py}
	tap_ok "the Python module, typed, and its metadata" test -e "$folder/umadrig/py.typed" \
		-a -e "$(find "$folder" -path '*/umadrig-*.dist-info/METADATA')"
	sed -i "s,\"$prefix_below,\"$prefix,; s,\"$libdir_below,\"$libdir," "$folder/umadrig/installed.py"
	tap_is "the Python module runs" "$(unset UMADRIG_BUILD; PYTHONDONTWRITEBYTECODE=1 \
		PYTHONPATH=$folder LD_LIBRARY_PATH=$libdir:$libdir/umadrig "${PYTHON:-python3}" -c '
import umadrig
with umadrig.Fabric(clock="virtual") as fabric, fabric.open() as port:
    print(port.request(umadrig.Mad("SubnGet(NodeInfo)"), 2)["NodeType"])' 2>&1 |
		grep -v '^simulated fabric')" CA
else
	tap_skip "the Python module" "configured without Python"
fi

# The distribution's layout, beside its own libibumad and libibumad-dev: no path is in both. If
# manual pages are compressed, the name without .gz is the one that man looks for.
ours_listed=$(cd "$root" && find . ! -type d | sed \
	-e "s,^\.$libdir_below,LIBDIR," -e "s,^\.$prefix_below,PREFIX,")
collisions() {
	{ printf '%s\n' "$ours_listed" | sort -u; printf '%s\n' "$1" |
		sed -e 's,\.gz$,,' -e 's,^/usr/lib/[^/]*-linux-[^/]*,LIBDIR,' -e 's,^/usr/lib64,LIBDIR,' \
		-e 's,^/usr,PREFIX,' | sort -u; } | sort | uniq -d
}
if listed=$(dpkg -L libibumad3 libibumad-dev 2>/dev/null) ||
   listed=$(rpm -ql libibumad rdma-core-devel 2>/dev/null); then
	tap_is "no file of the distribution's libibumad and libibumad-dev is in the way" \
		"$(collisions "$(printf '%s\n' "$listed" | while read -r file; do
			[ -d "$file" ] || echo "$file"; done)")" ""
	tap_is "it would be seen" "$(collisions /usr/bin/umadrig)" PREFIX/bin/umadrig
else
	tap_skip "no file of the distribution's is in the way" "no package database, or no libibumad-dev"
fi

# Each file is in a Debian package, or debian/not-installed says that it need not be.
packaged=$(sed -e '/^#/d' -e 's,^debian/tmp/,,' "$top_srcdir"/debian/*.install \
	"$top_srcdir"/debian/*.examples "$top_srcdir/debian/not-installed")
unpackaged() {
	printf '%s\n' "$1" | sed -e '/__pycache__/d' \
		-e 's,.*/python3[^/]*/[a-z]*-packages/,usr/lib/python3/dist-packages/,' \
		-e 's,^LIBDIR/,usr/lib/ARCH/,' -e 's,^PREFIX/,usr/,' |
		while read -r file; do
			case $file in *.la | *.a) continue ;; esac
			for pattern in $packaged; do
				# shellcheck disable=SC2254
				case $file in $pattern | $pattern/*) continue 2 ;; esac
			done
			echo "$file"
		done
}
set -f
tap_is "debian/ says which package each file belongs to" "$(unpackaged "$ours_listed")" ""
tap_is "one that does not would be seen" "$(unpackaged PREFIX/bin/another)" usr/bin/another
set +f

# A call's manual page is found by the call's own name.
missing=
for call in $(cut -d' ' -f1 "$top_srcdir/tests/lib/umad-symbols.txt") umad_alloc umad_free; do
	[ -e "$prefix/share/man/man3/$call.3umadrig" ] || missing="$missing $call"
done
tap_is "each call's manual page, with the suffix 3umadrig" "$missing" ""
tap_ok "umad(7)" test -e "$prefix/share/man/man7/umad.7"
if command -v man >/dev/null 2>&1; then
	tap_has "man shows the page of an alias" \
		"$(MANPATH=$prefix/share/man man -P cat 3umadrig umad_mad_status_str 2>&1)" \
		"umad_common_mad_status_str(__be16 status)"
else
	tap_skip "man shows the page of an alias" "no man"
fi

# It was configured for another prefix, so the loader needs to know this one.
LD_LIBRARY_PATH=$libdir:$libdir/umadrig
export LD_LIBRARY_PATH
tap_is "the installed umadrig runs" "$("$umadrig" --version 2>&1)" \
	"$("$top_builddir/umadrig" --version 2>&1)"
out=$("$umadrig" exec -- sh -c "echo \"\$LD_PRELOAD\"; $top_builddir/tests/tools/exec-probe open" 2>&1)
tap_has "and a program on its fabric" "$out" "H1 lid 1"
tap_has "with its own libraries" "$out" "$libdir/umadrig/libibumad.so.3"
tap_has "all of them" "$out" "$libdir/umadrig/libumadraw.so"
out=$("$umadrig" exec --fabric ,clock=virtual -- \
	sh -c "sleep 3600; $top_builddir/tests/tools/exec-probe open" 2>&1)
tap_has "in virtual time, too" "$out" "H1 lid 1"
if command -v ibnetdiscover >/dev/null 2>&1; then
	out=$("$umadrig" exec -- ibnetdiscover 2>&1)
	tap_has "ibnetdiscover, unmodified, too" "$out" '"H2" lid 2'
else
	tap_skip "ibnetdiscover, unmodified, too" "infiniband-diags is not installed"
fi

# The examples that are folders, from where they are installed; with the programs that they need.
if command -v opensm >/dev/null 2>&1 && command -v ibqueryerrors >/dev/null 2>&1 &&
   [ -n "$module" ] && ! grep -q '^CFLAGS = .*-fsanitize' "$top_builddir/Makefile"; then
	examples=$(dirname "$(find "$prefix/share/doc" -name lost-answer.c)")
	for example in "discovery 16 2 8" exporter link-flap failover; do
		# shellcheck disable=SC2086
		set -- $example
		folder=$1
		shift
		# failover leaves captures where it is if it fails.
		out=$(cd "$work" && unset UMADRIG_BUILD && PATH=$prefix/bin:$PATH \
			PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=${module%/umadrig/__init__.py} \
			"$examples/$folder/run.sh" "$@" 2>&1)
		tap_is "the example $folder" "$?:$(printf '%s\n' "$out" | grep -e WRONG -e '^not ok')" 0:
	done
else
	tap_skip "the examples that are folders" "no opensm or ibqueryerrors here, or sanitizers"
fi

# A user's test, built with what pkg-config reports about the installed libraries.
PKG_CONFIG_PATH=$libdir/pkgconfig:$libdir/umadrig/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
if grep -q '^CFLAGS = .*-fsanitize' "$top_builddir/Makefile"; then
	tap_skip "the example with pkg-config" "the libraries have sanitizers, which pkg-config knows not of"
elif flags=$(pkg-config --cflags --libs umadrig libibumad 2>"$work/err"); then
	# shellcheck disable=SC2086
	tap_ok "the example is built with pkg-config" ${CC:-cc} -Wall -Wextra -Werror \
		-o "$work/lost-answer" "$(find "$prefix/share/doc" -name lost-answer.c)" $flags
	tap_is "and passes" "$("$work/lost-answer" "$work/example.pcapng" 2>"$work/err")" \
		"6 requests, 6 answers, 5 of them lost, in 31 virtual seconds"
	tap_ok "with a capture that umadrig shows" "$umadrig" show "$work/example.pcapng"
else
	tap_skip "the example with pkg-config" "$(cat "$work/err")"
fi
printf '#include <umadrig.h>\nint main(void) { umadrig_fabric_close(0); return 0; }\n' >"$work/use.c"
tap_ok "umadrig.h compiles alone as C99" ${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror \
	-I"$prefix/include" -c -o "$work/use.o" "$work/use.c"
if command -v "${CXX:-c++}" >/dev/null 2>&1; then
	cp "$work/use.c" "$work/use.cc"
	tap_ok "umadrig.h serves C++" "${CXX:-c++}" -Wall -Wextra -Werror -I"$prefix/include" \
		-o "$work/use" "$work/use.cc" -L"$libdir" -lumadrig
else
	tap_skip "umadrig.h serves C++" "no C++ compiler"
fi

tap_done
