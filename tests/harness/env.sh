#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# env: a shell that evaluates what "umadrig env" prints has its programs on the server's fabric,
# with umadrig's library; and what is said if there is no server.
set -u
. "$top_srcdir/tests/rig/tap.sh"

umadrig=$(cd "$top_builddir" && pwd)/umadrig
probe=$(cd "$top_builddir" && pwd)/tests/tools/exec-probe
work=$(mktemp -d) || exit 99
server=
# shellcheck disable=SC2154 # set by the trap
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
unset UMAD_BACKEND UMADRIG_HOST LD_PRELOAD LD_LIBRARY_PATH

odd="$work/it's a \$(socket)"
mkfifo "$work/ready"
"$umadrig" serve --socket "$odd" >"$work/ready" 2>"$work/err" &
server=$!
read -r line <"$work/ready"
tap_is "serve is ready" "$line" "UMAD_BACKEND=attach:$odd"

# The command that serve prints, as a user would paste it; "umadrig" is found in PATH.
mkdir "$work/bin" && printf '#!/bin/sh\nexec %s "$@"\n' "$umadrig" >"$work/bin/umadrig" &&
	chmod 755 "$work/bin/umadrig"
command=$(sed -n 's/^  \(eval .*\)/\1/p' "$work/err")
tap_has "serve prints the command" "$command" 'eval "$(umadrig env --attach '
tap_has "its help, too" "$("$umadrig" serve --help)" 'eval "$(umadrig env --attach SOCKET)"'

# SCRIPT: what a shell prints that has run the command and then this.
shell() {
	PATH=$work/bin:$PATH sh -c "set -e
$command
$1" 2>&1
}
shell "$probe open" >"$work/out"
tap_has "a program of that shell is on the fabric" "$(cat "$work/out")" "H1 lid 1"
tap_has "which is simulated" "$(cat "$work/out")" "simulated fabric"
library=$(shell 'echo "${LD_PRELOAD%%:*}"')
tap_is "its library is ours" "$(shell "LD_DEBUG=libs $probe open" |
	sed -n 's/.*calling init: \(.*libibumad.*\)/\1/p')" "$library"
if command -v ibstat >/dev/null; then
	tap_has "ibstat, too" "$(shell ibstat)" "Base lid: 1"
else
	tap_skip "ibstat, too" "ibstat is not installed"
fi
tap_is "on another host" "$(PATH=$work/bin:$PATH sh -c 'eval "$(umadrig env --host H2 --attach "$1")"
	exec "$2" open' - "$odd" "$probe" 2>/dev/null)" "H2 lid 2"

# Lists keep what is in them, and are not longer after a second time.
export LD_LIBRARY_PATH="/it's/there"
lists='echo "$LD_LIBRARY_PATH:$LD_PRELOAD"'
tap_has "what was there stays" "$(shell "$lists")" "/libibumad.so.3"
tap_has "and follows ours" "$(shell "$lists")" ":/it's/there:"
tap_is "twice is as once" "$(shell "$command
$lists")" "$(shell "$lists")"
tap_is "--unset takes out what was put in" "$(shell 'eval "$(umadrig env --unset)"
echo "$LD_LIBRARY_PATH:${LD_PRELOAD-}:${UMAD_BACKEND-}:${UMADRIG_HOST-none}"')" \
	"/it's/there:::none"
unset LD_LIBRARY_PATH
tap_is "and nothing else" "$(shell 'eval "$(umadrig env --unset)"
echo "${LD_LIBRARY_PATH-none}:${LD_PRELOAD-none}"')" none:none
tap_is "without --attach it is the server of the environment" "$(shell 'umadrig env' |
	sed -n 's/^export UMAD_BACKEND=//p' | grep -c socket)" 1

# No server: an error that says so, and eval fails.
# NAME STATUS PART ARGUMENT...
refused() {
	name=$1 status=$2 part=$3
	shift 3
	out=$("$umadrig" env "$@" 2>"$work/err")
	tap_is "$name: status" "$?:$out" "$status:false"
	tap_has "$name" "$(cat "$work/err")" "$part"
}
refused "no server at the socket" 125 "$work/none" --attach "$work/none"
refused "a file that is none" 125 "$work/err" --attach "$work/err"
refused "no socket" 2 "no server given: name its socket (--attach SOCKET)"
refused "a host that is not there" 125 "there is no host 'H9'" --attach "$odd" --host H9
refused "a path that UMAD_BACKEND cannot have" 2 "a comma" --attach "$work/a,b"
refused "an argument" 2 "unexpected argument" "$odd"
PATH=$work/bin:$PATH sh -ec 'eval "$(umadrig env --attach "$1")"; echo goes on' - \
	"$work/none" >"$work/out" 2>/dev/null
tap_is "a shell with -e stops there" "$?:$(cat "$work/out")" 1:

"$umadrig" env --attach "$odd" --host H2 --json >"$work/json" 2>"$work/err2"
tap_is "--json" $? 0
tap_has "has the variables, for programs" "$(cat "$work/json")" '"UMADRIG_HOST": "H2"'
"$umadrig" env --unset --json >"$work/json"
tap_has "and null for what is to be unset" "$(cat "$work/json")" '"UMAD_BACKEND": null'
tap_is "where it fails it prints nothing" "$("$umadrig" env --attach "$work/none" --json 2>&1 >"$work/json" |
	grep -c none):$(cat "$work/json")" "1:"

kill "$server"
wait "$server"
server=
tap_done
