#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# type-page: what make check-distros types of README in bare systems is in the order of a reader, on
# a terminal, and red where a command fails, prints something else, or ends the shell.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"
command -v python3 >/dev/null 2>&1 || tap_skip_all "python3 is not installed"
command -v bash >/dev/null || tap_skip_all "bash is not installed"
[ -c /dev/ptmx ] || tap_skip_all "there are no terminals here"

mkdir bin one
printf '#!/bin/sh\necho "$0 $*" >>typed; test -t 0 && test -t 1\n' >quickstart
cp quickstart one/run.sh
printf '#!/bin/sh\nprintf "12%%%%"; printf "\\r\\033[K"; echo "umadrig $*"\n' >bin/umadrig
chmod +x quickstart one/run.sh bin/umadrig

# [OPTION...]: the page, typed; its TAP, and the status in the last line.
typed() {
	rm -f typed
	PYTHONDONTWRITEBYTECODE=1 PATH="$PATH:$work/bin" python3 "$top_srcdir/tests/distros/type-page" \
		page "$@" -- bash --norc --noprofile --noediting -i 2>&1
	echo "status $?"
}
cat >page <<'END_OF_PAGE'
title
=====

    $ umadrig exec -- ibnetdiscover
    umadrig ... ibnetdiscover
    $ false
    $ echo $?
    1

Commands
--------

    ./quickstart run      builds
    ./quickstart test     builds, and tests

    ./quickstart install some-package

Then:

    $ export PATH=$PWD/bin:$PATH

Others
------

    one/run.sh     an example

And more:

    $ sleep 0 &
    $ kill $! || \
          true
END_OF_PAGE
said=$(typed)
tap_has "green" "$said" "
1..10
first: scenarios after 0 s; ibnetdiscover after 0 s
status 0"
tap_is "what is plain text is typed as well" "$(cat typed)" "./quickstart run
./quickstart test
./quickstart install some-package
one/run.sh "
tap_is "first what README has first" "$(echo "$said" | sed -n 's/^ok \([15]\) - line //p')" \
	"13: ./quickstart run
4: umadrig exec -- ibnetdiscover"
said=$(typed --without test)
tap_is "without a command" "$(sed -n 2p typed):$(echo "$said" | tail -n 1)" \
	"./quickstart install some-package:status 0"

# NAME TEXT SED: the page with a mistake is red, and says so.
red() {
	cp page right
	sed "$3" right >page
	said=$(typed)
	tap_has "$1" "$said" "$2"
	tap_has "... it is red" "$said" "status 1"
	cp right page
}
red "another output" "not ok 5 - line 4: umadrig exec -- ibnetdiscover" 's/^    umadrig .*/    umadrig run/'
red "a command that fails" "its status is 1, and no 'echo \$?' shows that" 's/sleep 0 &/false/'
red "one that ends the shell" "it did not come to its end" 's/sleep 0 &/exit 0/'
red "no ibnetdiscover" "first: scenarios after 0 s
" 's/-- ibnetdiscover/-- ibstat/; s/\.\.\. ibnetdiscover/... ibstat/'

tap_done
