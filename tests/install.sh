#!/bin/sh
# install: what "make install" puts where. Nothing stands in the way of the usual libibumad and its
# development files, and the installed umadrig runs programs from where it landed.
set -u
. "$top_srcdir/tests/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
root=$work/root

${MAKE:-make} -s -C "$top_builddir" install DESTDIR="$root" >"$work/log" 2>&1
tap_is "make install DESTDIR= succeeds" "$?:$(grep -i error "$work/log")" 0:

umadrig=$(find "$root" -path '*/bin/umadrig' -type f)
prefix=${umadrig%/bin/umadrig}
libdir=$(dirname "$(find "$root" -name libumadrig.so.0 | head -n 1)")
usual=$(cd "$root" && find . \( -name 'libibumad*' -o -path '*/infiniband/*' \) \
	! -type d ! -path '*/umadrig/*')
tap_is "no libibumad file but below directories of our own" "$usual" ""
tap_ok "our libibumad.so.3 is below the library directory" \
	test -e "$libdir/umadrig/libibumad.so.3"
tap_ok "and its headers, below a directory of their own" \
	test -e "$prefix/include/umadrig/infiniband/umad.h"
tap_ok "umadrig.h" test -e "$prefix/include/umadrig.h"
tap_ok "its pkg-config file" test -e "$libdir/pkgconfig/umadrig.pc"
tap_ok "the manual page" test -e "$prefix/share/man/man1/umadrig.1"
tap_is "the libraries' insides are not installed" \
	"$(find "$root" -name 'libsim*' -o -name 'libkmod*' -o -name 'libumad.*')" ""

# Put together for another place than this, so the loader has to be told.
LD_LIBRARY_PATH=$libdir:$libdir/umadrig
export LD_LIBRARY_PATH
tap_is "the installed umadrig runs" "$("$umadrig" --version 2>&1)" \
	"$("$top_builddir/umadrig" --version 2>&1)"
out=$("$umadrig" exec -- sh -c "echo \"\$LD_PRELOAD\"; $top_builddir/tests/exec-probe open" 2>&1)
tap_has "and a program on its fabric" "$out" "H1 lid 1"
tap_has "with its own libraries" "$out" "$libdir/umadrig/libibumad.so.3"
if command -v ibnetdiscover >/dev/null 2>&1; then
	out=$("$umadrig" exec -- ibnetdiscover 2>&1)
	tap_has "ibnetdiscover, unmodified, too" "$out" '"H2" lid 2'
else
	tap_skip "ibnetdiscover, unmodified, too" "infiniband-diags is not installed"
fi

tap_done
