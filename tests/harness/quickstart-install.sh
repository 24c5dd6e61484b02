#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# quickstart-install: "quickstart install" never starts or enables a service, and leaves the
# machine's own policy as it was. Everything happens in a directory that replaces /; apt-get,
# dpkg-query, systemctl, update-rc.d, id and sudo are made up, and real packages are not touched.
set -u
: "${top_srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
fake=$work/fake
machine=$work/machine
events=$work/events
mkdir "$fake"

fake_program() {
	{ printf '#!/bin/sh\n'; cat; } >"$fake/$1"
	chmod 755 "$fake/$1"
}

fake_program id <<'END'
echo "${FAKE_UID:-0}"
END
# A user whom sudo does not know.
fake_program sudo <<'END'
exit 1
END
fake_program dpkg-query <<'END'
[ -e "$FAKE_STATE/installed" ] || { for p; do :; done; echo "installed:gcc "; exit 1; }
for p; do printf 'installed:%s ' "$p"; done
END
# What apt has lists of, if the file is there: the release has no netdata-core.
fake_program apt-cache <<'END'
[ -e "$FAKE_STATE/lists" ] || exit 0
shift
for p; do [ "$p" = netdata-core ] || printf ' %s | 1.0 | http://deb.example.org trixie/main amd64\n' "$p"; done
END
# What dpkg does with opensm's scripts: enables it for systemd and SysV init, and asks the policy to
# start it.
fake_program apt-get <<'END'
echo "apt-get $*" >>"$FAKE_EVENTS"
case $* in *update*) : >"$FAKE_STATE/lists" ;; esac
case $* in *install*) ;; *) exit 0 ;; esac
if [ -e "$FAKE_STATE/lists" ]; then lists=yes; else lists=; fi
case ${FAKE_APT:-}:$lists:$* in trixie::* | trixie:*:*netdata-core*) exit 100 ;; esac
root=$QUICKSTART_ROOT
if "$root/usr/sbin/policy-rc.d" opensm start 2>/dev/null; then policy=0; else policy=$?; fi
case $policy in
101) echo "service barred" ;;
*) echo "SERVICE STARTED (policy-rc.d: $policy)" ;;
esac >>"$FAKE_EVENTS"
[ "$(readlink "$root/etc/systemd/system/opensm.service")" != /dev/null ] ||
	echo "unit masked" >>"$FAKE_EVENTS"
mkdir -p "$root/etc/systemd/system/network-online.target.wants" "$root/etc/rc2.d"
ln -sf /lib/systemd/system/opensm.service "$root/etc/systemd/system/network-online.target.wants/"
ln -sf ../init.d/opensm "$root/etc/rc2.d/S01opensm"
case ${FAKE_APT:-} in
fail) exit 100 ;;
interrupt) kill -INT "$PPID"; exit 130 ;;
terminate) kill -TERM "$PPID"; exit 143 ;;
esac
: >"$FAKE_STATE/installed"
END
fake_program systemctl <<'END'
echo "systemctl $*" >>"$FAKE_EVENTS"
unit=$QUICKSTART_ROOT/etc/systemd/system/opensm.service
case $* in
*unmask*) rm -f "$unit" ;;
*mask*) ln -s /dev/null "$unit" ;;
esac
END
fake_program update-rc.d <<'END'
echo "update-rc.d $*" >>"$FAKE_EVENTS"
[ "$2" = disable ] && [ "$DPKG_ROOT" = "$QUICKSTART_ROOT" ] || exit 1
for link in "$DPKG_ROOT"/etc/rc?.d/S??"$1"; do
	mv "$link" "$(dirname "$link")/K01$1"
done
END

# A machine on which some other service is enabled and nothing of ours is installed.
new_machine() {
	rm -rf "$machine" "$work/state"
	mkdir -p "$machine/usr/sbin" "$machine/etc/systemd/system/multi-user.target.wants" \
		"$machine/etc/rc2.d" "$work/state"
	ln -s /lib/systemd/system/ssh.service "$machine/etc/systemd/system/multi-user.target.wants/"
	ln -s ../init.d/ssh "$machine/etc/rc2.d/S01ssh"
	: >"$events"
}

# Every name, mode, link and content of the machine.
picture() {
	(cd "$machine" && find . ! -type d ! -name 'K01opensm' -printf '%p %m %l ' \
		\( -type f -exec cksum {} \; -o -printf '\n' \) | sort)
}

quickstart() {
	output=$(PATH=$fake:$PATH QUICKSTART_ROOT=$machine FAKE_STATE=$work/state \
		FAKE_EVENTS=$events env --default-signal=INT "$top_srcdir/quickstart" "$@" 2>&1 \
		</dev/null)
	status=$?
}

own_policy() {
	printf '#!/bin/sh\n# what the administrator decided\nexit 104\n' >"$machine/usr/sbin/policy-rc.d"
	chmod 750 "$machine/usr/sbin/policy-rc.d"
}

new_machine
before=$(picture)
quickstart install
tap_is "installing succeeds" "$status" 0
tap_has "apt-get is asked without recommended packages" "$(cat "$events")" \
	"install -y --no-install-recommends"
tap_has "opensm is among what is installed" "$(cat "$events")" " opensm "
tap_lacks "what is there already is not" "$(grep install "$events")" " gcc "
tap_has "while packages install, policy-rc.d says 101" "$(cat "$events")" "service barred"
tap_lacks "no service starts" "$(cat "$events")" "STARTED"
tap_has "while packages install, opensm.service is masked" "$(cat "$events")" "unit masked"
tap_is "afterwards nothing is enabled, masked or barred that was not" "$(picture)" "$before"
: >"$events"
quickstart install
tap_is "a second time apt-get is not asked" "$status:$(cat "$events")" 0:

new_machine
before=$(picture)
quickstart install some-package another
tap_is "packages that are named are installed, and no others" \
	"$(sed -n 's/.* install -y --no-install-recommends //p' "$events" | head -n 1)" \
	"some-package another"
tap_is "nothing is enabled after that either" "$(picture)" "$before"
quickstart install --some
tap_is "an option is no package" "$status:$output" "1:quickstart: unknown option '--some'; try --help"
quickstart run some-package
tap_is "run takes no packages" "$status:$output" "1:quickstart: unknown argument 'some-package'; try --help"

# What the release does not have.
new_machine
FAKE_APT=trixie quickstart install
tap_has "a package for tests that the release does not have is left out" "$status:$output" \
	"quickstart: left out, as this release has no netdata-core
"
tap_has "... and all others are there" "$output" "quickstart: all packages are there"
tap_is "... after lists were fetched" "$(sed -n 's/^apt-get .*300 \(update\|install\).*/\1/p' "$events" | tr '\n' ' ')" \
	"install update install "
rm "$work/state/installed"
quickstart --no-install install
tap_lacks "nor is it named as missing" "$output" "  netdata-core"
tap_has "... as others are" "$status:$output" "  opensm
"
new_machine
: >"$work/state/lists"
FAKE_APT=trixie quickstart install gdb netdata-core
tap_has "one that is named is not left out" "$status:$output" "  apt-get install --no-install-recommends gdb netdata-core"

new_machine
own_policy
before=$(picture)
quickstart install
tap_has "with a policy of the administrator's, services are barred too" "$(cat "$events")" \
	"service barred"
tap_is "his policy is back, byte for byte and with its mode" "$status:$(picture)" "0:$before"

new_machine
ln -s /opt/policy "$machine/usr/sbin/policy-rc.d"
before=$(picture)
quickstart install
tap_is "a policy that is a link, even a dangling one, is back" "$status:$(picture)" "0:$before"

new_machine
ln -s /dev/null "$machine/etc/systemd/system/opensm.service"
before=$(picture)
quickstart install
tap_is "a unit that was masked before stays so" "$status:$(picture)" "0:$before"
tap_lacks "and systemctl is not asked" "$(cat "$events")" "systemctl"

new_machine
own_policy
before=$(picture)
FAKE_APT=fail quickstart install
tap_is "when apt-get fails, all is as before" "$status:$(picture)" "1:$before"
tap_has "it is tried again with new lists" "$(cat "$events")" "update"
tap_has "and the missing packages are named" "$output" "  opensm"

for signal in interrupt:130 terminate:143; do
	new_machine
	own_policy
	before=$(picture)
	FAKE_APT=${signal%:*} quickstart install
	tap_is "after ${signal%:*}, all is as before" "$status:$(picture)" "${signal#*:}:$before"
done

new_machine
own_policy
before=$(picture)
mv "$machine/usr/sbin/policy-rc.d" "$machine/usr/sbin/policy-rc.d.before-quickstart"
printf '#!/bin/sh\n# umadrig quickstart: ...\n# pid 999999999\n# masked opensm\nexit 101\n' \
	>"$machine/usr/sbin/policy-rc.d"
ln -s /dev/null "$machine/etc/systemd/system/opensm.service"
quickstart install
tap_is "what a killed run left behind is put right by the next" "$status:$(picture)" "0:$before"

new_machine
printf '#!/bin/sh\n# umadrig quickstart: ...\n# pid %s\nexit 101\n' "$$" \
	>"$machine/usr/sbin/policy-rc.d"
before=$(picture)
quickstart install
tap_is "a quickstart that is still installing is not disturbed" "$status:$(picture)" "1:$before"
tap_has "and is named" "$output" "process $$"

new_machine
mkdir -p "$machine/dev/infiniband"
: >"$machine/dev/infiniband/umad0"
quickstart install
tap_is "with InfiniBand devices and nobody to ask, nothing is installed" "$status:$(cat "$events")" 1:
tap_has "the reason is given" "$output" "has InfiniBand devices"
tap_has "and the cure" "$output" "--yes"
quickstart --yes install
tap_is "--yes answers" "$status" 0
tap_has "and services are barred there as well" "$(cat "$events")" "service barred"

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	for answer in y n; do
		new_machine
		mkdir -p "$machine/dev/infiniband"
		: >"$machine/dev/infiniband/umad0"
		printf '%s\n' "$answer" | PATH=$fake:$PATH QUICKSTART_ROOT=$machine \
			FAKE_STATE=$work/state FAKE_EVENTS=$events \
			script -qec "$top_srcdir/quickstart install" /dev/null >"$work/dialogue" 2>&1
		tap_has "at a terminal it asks (answer $answer)" "$(cat "$work/dialogue")" "[y/N]"
		case $answer in
		y) tap_has "y installs" "$(cat "$events")" "service barred" ;;
		n) tap_is "n installs nothing" "$(cat "$events")" "" ;;
		esac
	done
else
	tap_skip "at a terminal it asks" "script(1) can make no terminal here"
fi

new_machine
FAKE_UID=1000 quickstart install
tap_is "without root and sudo nothing is done" "$status:$(cat "$events")" 1:
tap_has "the list names each package" "$output" "
  libpcap-dev
"
tap_has "and the command" "$output" "apt-get install --no-install-recommends"
tap_has "and warns of opensm's subnet manager" "$output" "subnet manager"

new_machine
quickstart --no-install install
tap_is "--no-install installs nothing" "$status:$(cat "$events")" 1:
tap_has "and lists what is missing" "$output" "
  libpcap-dev
"

# ---- how far it is ----

# A checkout whose make waits until its line has been seen, with tests.
clone=$work/clone
mkdir -p "$clone/build/tests" "$clone/scenarios"
cp "$top_srcdir/quickstart" "$clone"
printf '#!/bin/sh\n: >Makefile\n' >"$clone/configure"
printf '#!/bin/sh\n:\n' >"$clone/build/umadrig"
chmod 755 "$clone/configure" "$clone/build/umadrig"
fake_program make <<'END'
case $* in
*count-check*) echo 7; exit ;;
*" check"*)
	sleep 1.1
	: >"$FAKE_BUILD/tests/one.trs"
	: >"$FAKE_BUILD/tests/two.trs"
	echo 'PASS: tests/two 1 - this'
	until [ -e "$FAKE_GO" ]; do sleep 0.01; done ;;
*check* | *clang* | *sanitizers*) ;;
*)
	echo '  CC       this.o'
	[ "$FAKE_GO" = none ] || until [ -e "$FAKE_GO" ]; do sleep 0.01; done ;;
esac
END
: >"$work/state/installed"
# TEXT COMMAND: what a terminal shows; make goes on when it has seen TEXT.
terminal() {
	rm -f "$work/go"
	seen=$(cd "$clone" && PATH=$fake:$PATH FAKE_STATE=$work/state FAKE_EVENTS=$events \
		FAKE_BUILD=$clone/build FAKE_GO=$work/go TERM=xterm \
		python3 "$top_srcdir/tests/rig/terminal.py" --when "$1" "$work/go" ./quickstart "$2")
}
if command -v python3 >/dev/null; then
	terminal "this.o" run
	tap_has "a terminal: the step, what it does, for how long, and the log's last line" \
		"$(printf '%s' "$seen" | sed 's/, [0-9]* s:/, N s:/g')" \
		'\r\e[Kquickstart: step 2 of 2: make, N s: CC this.o'
	tap_has "the line goes" "$seen" '\r\e[K
quickstart: every packet'
	rm -f "$clone/build/tests"/*.trs
	sed -i 's/^	echo .  CC.*/	exit/' "$fake/make"
	terminal "2 of 7 tests" test
	tap_has "tests, so far, of how many" "$(printf '%s' "$seen" | sed 's/, [0-9]* s,/, N s,/g')" \
		'\r\e[Kquickstart: step 3 of 7: the whole suite, gcc, N s, 2 of 7 tests: PASS: tests/'
	seen=$(cd "$clone" && PATH=$fake:$PATH FAKE_STATE=$work/state FAKE_EVENTS=$events FAKE_GO=none \
		TERM=xterm ./quickstart run 2>&1)
	tap_lacks "no terminal: nothing" "$seen" "step"
else
	tap_skip "a terminal: how far it is" "python3 is not installed"
fi

# ---- where it cannot build ----

for name in 'a blank' 'a$dollar' "an'apostrophe"; do
	mkdir -p "$work/$name"
	cp "$top_srcdir/quickstart" "$work/$name"
	: >"$events"
	for command in run test; do
		said=$(PATH=$fake:$PATH FAKE_EVENTS=$events FAKE_STATE=$work QUICKSTART_ROOT=$machine \
			"$work/$name/quickstart" $command 2>&1)
		tap_is "$command in '$name' is refused at once" "$?:$said:$(cat "$events")" \
			"1:quickstart: cannot build in '$work/$name': its name has a blank, a quote or one of # \$ & \\ \`; move the checkout:"
	done
done

tap_done
