#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# check-current: make check-current is red where a root cannot be made, rdma-core's tests are not
# built, or a test fails, is cut short or does not run; and says why points are skipped. Programs
# of this test stand in for mmdebstrap and for what is run in the roots.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

mkdir bin roots build
# The root is made as its tar; the last argument but two of unshare is the script.
cat >bin/mmdebstrap <<'END_OF_PROGRAM'
#!/bin/sh
[ -z "${NO_ROOT:-}" ] || { echo "no mirror"; exit 25; }
for tar; do case $tar in *.tar) : >empty; tar -cf "$tar" empty ;; esac; done
END_OF_PROGRAM
cat >bin/unshare <<'END_OF_PROGRAM'
#!/bin/sh
case $* in
*tests/stock/*) cat "$POINTS"; exit "${STATUS:-0}" ;;
*'clone -q'*) exit "${NO_FETCH:-0}" ;;
*ninja*) exit "${NO_BUILD:-0}" ;;
*autogen*) exit "${NO_OPENSM:-0}" ;;
*dpkg-query*) echo "infiniband-diags 65.0" ;;
esac
END_OF_PROGRAM
printf '#!/bin/sh\necho 0\n' >bin/id
printf '#!/bin/sh\nmkdir -p "$1/etc"\n' >bin/chroot
# Its etc is not there in the empty root.
printf '#!/bin/sh\ncase $* in *-xf*) mkdir -p "$4/etc" ;; *) exec %s "$@" ;; esac\n' "$(command -v tar)" >bin/tar
chmod +x bin/*

# POINTS [NAME=VALUE...]: what is said of a test with these points; the last line is its status.
current() {
	printf "$1" >points
	shift
	env PATH="$work/bin:$PATH" POINTS="$work/points" DISTROS_TMP="$work/roots" \
		top_srcdir="$top_srcdir" top_builddir="$work/build" CURRENT=sid \
		CURRENT_TESTS=tests/stock/links.sh "$@" "$top_srcdir/tests/distros/check-current" 2>&1
	echo "status $?"
}

# NAME SAID TEXT
is_red() {
	tap_has "$1: red" "$2" "status 1"
	tap_has "$1: it says why" "$2" "$3"
}

said=$(current 'ok 1 - a\nok 2 - b # SKIP not here\n1..2\n')
tap_has "green" "$said" "5 passed, 0 failed, 0 skipped
status 0"
tap_has "what is skipped, and why" "$said" "skipped: b: not here"
tap_has "the versions" "$said" "# infiniband-diags 65.0"
is_red "no root" "$(current '' NO_ROOT=1)" "not ok - sid-root"
is_red "rdma-core's tests are not built" "$(current 'ok 1 - a\n1..1\n' NO_BUILD=1)" \
	"not ok - sid-builds-rdma-core"
is_red "OpenSM is not built" "$(current 'ok 1 - a\n1..1\n' NO_OPENSM=1)" \
	"not ok - sid-builds-opensm"
is_red "a point" "$(current 'ok 1 - a\nnot ok 2 - b\n1..2\n')" "1 points are not ok"
is_red "a status" "$(current 'ok 1 - a\n1..1\n' STATUS=9)" "its status is 9"
is_red "all is skipped" "$(current '1..0 # SKIP no links here\n')" \
	"nothing of it has run: no links here"
is_red "all points are skipped" "$(current 'ok 1 - a # SKIP no a\n1..1\n')" "all points are skipped"
is_red "no point" "$(current '1..0\n')" "nothing of it has run"
is_red "no plan" "$(current 'ok 1 - a\n')" "its points have 0 plans"
is_red "nothing" "$(current '')" "its points have 0 plans"
is_red "cut short" "$(current 'ok 1 - a\n1..2\n')" "1 points, not the 2 of its plan"
said=$(current 'ok 1 - a\n1..1\n' NO_FETCH=1 TOPOGRAPH='')
tap_has "what no package has and cannot be fetched is said" "$said" \
	"# sid: treydock cannot be fetched or built: its points are skipped"
tap_has "and is no failure" "$said" "status 0"
tap_lacks "what is not to be fetched is not" "$said" "topograph"
tap_is "no root is left" "$(ls roots)" ""

printf '#!/bin/sh\necho 1000\n' >bin/id
tap_has "a user: not green" "$(current 'ok 1 - a\n1..1\n')" "status 77"
tap_done
