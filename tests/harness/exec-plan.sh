#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-plan: umadrig exec reads plans, and says what must hold, in the words of umadrig explore.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

unset UMAD_BACKEND LD_PRELOAD UMADRIG_HOST
if grep -qE "^(SANITIZE_)?CFLAGS = .*-fsanitize" "$top_builddir/Makefile"; then
	tap_skip_all "a library with sanitizers cannot be put in front of programs"
fi
probe=$top_builddir/tests/tools/exec-probe
export probe

# OPTION...: standard output is in $out, and errors are in $err.
run() {
	out=$(timeout -s KILL 60 "$umadrig" exec "$@" 2>err </dev/null)
	status=$?
	err=$(cat err)
}

cat >one.plan <<'END'
# Two hosts, and what must hold of them.
fabric ,clock=virtual
host H2
always all-active within 1s
finally unique-lids
after-all
command
	"$probe" open
	sleep 5
	echo "$UMADRIG_HOST"
END
run --plan one.plan
tap_is "a word that is none is named with its line" "$status:${err%%:*}:$(printf '%s' "$err" | grep -c 'one.plan:6: ')" \
	"2:umadrig exec:1"
sed -i '/after-all/d' one.plan
run --plan one.plan
tap_is "a plan has options, properties and the command" "$status:$(printf '%s\n' "$out" | tail -n 1)" "0:H2"
run --plan one.plan --host H1 --do 'after 1s link down H1[1]' --finally 'report = links 2'
tap_is "the command line adds to it" "$status" 1
tap_is "or replaces what it says" "$(printf '%s\n' "$out" | tail -n 1)" "H1"
tap_has "with what did not hold" "$err" "finally report = links 2: the answer is"
run --plan one.plan -- sh -c "$probe open; echo other"
tap_is "the command behind -- counts" "$status:$(printf '%s\n' "$out" | tail -n 1)" "0:other"
sed -i '/^always/d' one.plan
run --plan one.plan --heal 2s --do 'link down H1[1]' --finally 'report = links 1 within 1s'
tap_is "healing" "$status" 0
run --plan one.plan --do 'link down H1[1]' --finally 'report = links 1 within 1s'
tap_is "without it the link stays down" "$status" 1
run --plan one.plan --when 'all-active do link down H1[1]' --never 'report = links 0'
tap_has "triggers" "$err" "never report = links 0: it is so"

# Each option of umadrig explore is one of exec's, or is refused with what to do.
for name in $("$umadrig" explore --help | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
	case $name in
	help|plan|fabric|kernel|host|grace|always|never|sometimes|finally|heal|when|do) continue ;;
	esac
	printf '%s 1\ncommand true\n' "$name" >foreign.plan
	run --plan foreign.plan
	tap_is "$name is for umadrig explore" "$status:$(printf '%s\n' "$err" | sed -n 1p)" \
		"2:umadrig exec: foreign.plan:1: '$name' is an option of umadrig explore: leave it out, or run 'umadrig explore --plan'"
done
printf 'always all-actve\ncommand true\n' >wrong.plan
run --plan wrong.plan
tap_has "a wrong value is named with its line" "$status:$err" "wrong.plan:1: always all-actve: expected all-active"
run --plan nowhere.plan
tap_has "a plan that is not there" "$status:$err" "2:umadrig exec: --plan: Failed to open file"
run
tap_has "no command" "$status:$err" "2:umadrig exec: no command given: put it after --, or in a plan, after 'command'"
tap_done
