#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# exec-guard: "umadrig exec --how preload" starts no program that would not load its library.
set -u
. "$top_srcdir/tests/rig/tap.sh"
. "$top_srcdir/tests/rig/own-directory.sh"

probe=$top_builddir/tests/tools/exec-probe

# NAME PART COMMAND...: is refused, with PART in the message, and has not run.
refused() {
	name=$1 part=$2
	shift 2
	output=$("$umadrig" exec --how preload -- "$@" 2>&1)
	tap_is "$name: refused" $? 125
	tap_has "$name: the error has the reason or the cure" "$output" "$part"
}

admitted() {
	name=$1
	shift
	output=$("$umadrig" exec --how preload -- "$@" 2>&1)
	tap_is "$name: runs" "$?:$(printf '%s' "$output" | grep -c 'lid 1')" 0:1
}

script() {
	cat >"$work/$1"
	chmod 755 "$work/$1"
}

admitted "a plain program" "$probe" open
cp "$probe" "$work/setuid" && chmod 4755 "$work/setuid"
refused "a setuid program" "is setuid" "$work/setuid" open
cp "$probe" "$work/setgid" && chmod 2755 "$work/setgid"
refused "a setgid program" "is setgid" "$work/setgid" open
cp "$work/setuid" "$work/plain" && chmod 755 "$work/plain"
admitted "a plain copy of it" "$work/plain" open

cp "$probe" "$work/capable"
if PATH=$PATH:/usr/sbin:/sbin setcap cap_net_raw+ep "$work/capable" 2>/dev/null; then
	refused "a program with file capabilities" "has file capabilities" "$work/capable" open
else
	tap_skip "a program with file capabilities" "no capabilities can be set here (root and setcap)"
fi

cat >"$work/static.c" <<'END'
int main(void) { return 0; }
END
for link in -static -static-pie; do
	if ${CC:-cc} "$link" -o "$work/static$link" "$work/static.c" 2>/dev/null; then
		refused "a program linked with $link" "linked statically" "$work/static$link"
	else
		tap_skip "a program linked with $link" "the compiler cannot link so here"
	fi
done

for changer in sudo su doas pkexec; do
	script "$changer" <<'END'
#!/bin/sh
echo "this ran"
END
	cure=$changer
	[ "$changer" != su ] || cure="su -c '"
	refused "$changer" "$(echo "$cure umadrig exec" | sed "s/' /'/")" "$work/$changer" opensm
done
PATH=$work:$PATH output=$("$umadrig" exec --how preload -- sudo opensm -g 1 2>&1)
tap_has "the cure for sudo is the line to type" "$output" "sudo umadrig exec ... -- opensm -g 1"
ln -s "$probe" "$work/pseudo"
admitted "a program whose name only looks like it" "$work/pseudo" open

script script <<END
#!/bin/sh
exec "$probe" "\$@"
END
admitted "a script" "$work/script" open
script script-of-script <<END
#!$work/script
END
output=$("$umadrig" exec --how preload -- "$work/script-of-script" 2>&1)
tap_lacks "a script whose interpreter is a script: not refused" "$output" "is a script for"
script env-script <<END
#!/usr/bin/env sh
exec "$probe" "\$@"
END
admitted "a script through env" "$work/env-script" open
printf 'exec "%s" "$@"\n' "$probe" >"$work/bare" && chmod 755 "$work/bare"
admitted "a script without #!, which the shell runs" "$work/bare" open
script setuid-script <<END
#!$work/setuid
END
refused "a script for a setuid program" "is a script for $work/setuid" "$work/setuid-script"
script nested-script <<END
#!$work/setuid-script
END
refused "a script for such a script" "is setuid" "$work/nested-script"
script sudo-script <<'END'
#!/usr/bin/env -S sudo -n
END
PATH=$work:$PATH refused "a script through env and sudo" "sudo" "$work/sudo-script"
script loop <<END
#!$work/loop
END
refused "a script that is its own interpreter" "levels of interpreters" "$work/loop"
printf '#!\n' >"$work/nobody" && chmod 755 "$work/nobody"
refused "a script of nobody" "names no interpreter" "$work/nobody"
script lost <<END
#!$work/no-such-interpreter
END
refused "a script whose interpreter is gone" "no-such-interpreter" "$work/lost"

head -c 40 "$probe" >"$work/short" && chmod 755 "$work/short"
refused "a program cut short" "truncated" "$work/short"
head -c 100 "$probe" >"$work/headless" && chmod 755 "$work/headless"
refused "a program without its headers" "damaged" "$work/headless"
# e_machine, at 18: no processor is number 0xfefe.
{ head -c 18 "$probe" && printf '\376\376' && tail -c +21 "$probe"; } >"$work/foreign"
chmod 755 "$work/foreign"
refused "a program for another processor" "another architecture" "$work/foreign"
cp "$probe" "$work/secret" && chmod 111 "$work/secret"
# Root reads everything, unless it gives up the right to.
if [ "$(id -u)" = 0 ]; then
	set -- setpriv --bounding-set -dac_override,-dac_read_search --inh-caps -all
else
	set --
fi
if "$@" test ! -r "$work/secret"; then
	output=$("$@" "$umadrig" exec --how preload -- "$work/secret" open 2>&1)
	tap_is "a program that cannot be read: refused" $? 125
	tap_has "a program that cannot be read: the error has the reason" "$output" "cannot read"
else
	tap_skip "a program that cannot be read" "root reads everything (setpriv: util-linux)"
fi

tap_done
