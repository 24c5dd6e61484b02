#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# fields-tshark: tshark and umadrig show read the same from every attribute with every method and
# random data, wherever both know a field; the Lua dissector loads, shows what Wireshark does not,
# and shows it right.
set -u
. "$top_srcdir/tests/rig/tap.sh"

command -v tshark >/dev/null 2>&1 || tap_skip_all "no tshark: install tshark"
command -v python3 >/dev/null 2>&1 || tap_skip_all "no python3"

umadrig=$top_builddir/umadrig
tools=$top_builddir/tests/tools
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/tmp"
# The user's Wireshark preferences are not part of the comparison.
HOME=$work/home
XDG_CONFIG_HOME=$work/home
TMPDIR=$work/tmp
PYTHONDONTWRITEBYTECODE=1
export HOME XDG_CONFIG_HOME TMPDIR PYTHONDONTWRITEBYTECODE
unset UMAD_BACKEND

"$umadrig" fields --json >"$work/json" || exit 99
"$umadrig" fields --wireshark >"$work/lua" || exit 99

# NAME [OPTION...]: of the capture, and of what is shown of it.
agree() {
	name=$1
	shift
	# shellcheck disable=SC2086
	if python3 "$top_srcdir/tests/tools/agree-tshark" $newer "$@" "$work/json" "$work/shown" \
		"$work/capture" >"$work/said" 2>&1; then
		tap_pass "$name: $(cat "$work/said")"
	else
		tap_fail "$name" "$(cat "$work/said")"
	fi
}

# The dictionary has the errors of Wireshark 4.0.
case $(tshark -v 2>/dev/null) in
*" 4.0."*) newer="" ;;
*) newer=--newer ;;
esac
# The Lua of a tshark that was built without it would not be missed; and from Wireshark 4.4 on root
# has none.
"$tools/every-mad" "$work/capture" >/dev/null || exit 99
echo 'io.stderr:write("Lua is run\n")' >"$work/probe.lua"
lua=yes
tshark -X "lua_script:$work/probe.lua" -r "$work/capture" -c 1 2>&1 | grep -q 'Lua is run' || lua=""

for seed in 1 2; do
	"$tools/every-mad" --random $seed "$work/capture" >/dev/null || exit 99
	"$umadrig" show --json --segments "$work/capture" >"$work/shown" || exit 99
	agree "what is shown of random data, seed $seed" --every
	if [ -n "$lua" ]; then
		agree "with the dissector" --lua "$work/lua"
		agree "the dissector alone" --lua "$work/lua" --all --every
	else
		tap_skip "the dissector" "this tshark runs no Lua, or none for this user"
	fi
done

if [ -n "$lua" ]; then
	out=$(tshark -n -X "lua_script:$work/lua" -r "$work/capture" -c 10 2>&1 >/dev/null |
		grep -v '^Running as user')
	tap_is "the dissector loads without a word" "$out" ""
fi

# A field that only Wireshark knows has a reason.
case $(tshark -v 2>/dev/null) in
*" 4.0."*)
	tshark -G fields 2>/dev/null | awk -F '\t' '$1 == "F" && $3 ~ /^infiniband\./ { print $3 }' |
		sort -u >"$work/theirs"
	sed -n 's/.*"name": "\(infiniband[^"]*\)".*/\1/p' "$work/json" | sort -u >"$work/both"
	awk '!/^#/ && NF { gsub(/\./, "\\.", $1); gsub(/\*/, ".*", $1); gsub(/\]\.\*/, "]*", $1)
		print "^" $1 "$" }' "$top_srcdir/tests/harness/wireshark-only" >"$work/only"
	tap_is "every field of Wireshark's is in the dictionary or has a reason" \
		"$(comm -23 "$work/theirs" "$work/both" | grep -vEf "$work/only")" ""
	tap_is "the dictionary has no name that Wireshark does not have" \
		"$(comm -13 "$work/theirs" "$work/both")" ""
	tap_is "what has a reason is not in the dictionary" "$(grep -Ef "$work/only" "$work/both")" \
		""
	;;
*)
	tap_skip "fields that only Wireshark has" "the list is Wireshark 4.0's"
	;;
esac

tap_done
