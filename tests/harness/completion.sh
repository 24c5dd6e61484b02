#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# completion: what bash and zsh offer for the words of umadrig's command line. (That they know all
# commands and options, tests/harness/tables.sh shows.)
set -u
. "$top_srcdir/tests/rig/tap.sh"

work=$(mktemp -d) || exit 99
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
files=$top_srcdir/data/completion
tools=$top_srcdir/tests/tools
mkdir "$work/bin" "$work/here" "$work/here/more"
printf '#!/bin/sh\nexec "%s/umadrig" "$@"\n' "$top_builddir" >"$work/bin/umadrig"
chmod +x "$work/bin/umadrig"
PATH=$work/bin:$PATH
cp "$top_srcdir/scenarios/programs/three-hosts.net" "$work/here/three.net"
printf 'scenario "one"\ntags red, statement:7  # no\n0 note "x"\n' >"$work/here/one.mad"
printf 'tags blue\nscenario "two"\n0 note "x"\n' >"$work/here/more/two.mad"
: >"$work/here/a.pcapng"
mkdir "$work/evil"
# shellcheck disable=SC2016
printf 'tags $(touch>%s/ran), `touch>%s/ran`, green\n' "$work" "$work" >"$work/evil/x.mad"
cd "$work/here" || exit 99
umadrig serve --fabric three.net --socket "$work/fabric" >"$work/ready" 2>/dev/null &
server=$!
tries=0
until grep -q UMAD_BACKEND "$work/ready" || [ $((tries += 1)) -gt 600 ]; do sleep 0.1; done

# A line, what bash offers and what zsh offers ("same"). bash's words begin after the last '=' or
# ':', zsh's after a comma, too.
cat >"$work/rows" <<EOT
umadrig re|record replay report|same
umadrig help sc|scrub|same
umadrig run --ti|--timeout=|--timeout
umadrig run --backend |ib_umad sim|same
umadrig run --backend=i|ib_umad|same
umadrig run --profile linux-6.1|linux-6.1 linux-6.12 linux-6.17|same
umadrig run |more one.mad|same
umadrig lint more/|more/two.mad|more two.mad
umadrig run one.mad --tag |red statement|same
umadrig run more -k |blue|same
umadrig run --keep |more|same
umadrig run $work/evil --tag g|green|same
umadrig run $work/evil --tag \$|@|same
umadrig show |a.pcapng more|same
umadrig show a.pcapng SubnGet|SubnGet SubnGetResp|same
umadrig topology --form|--format=|--format
umadrig topology --format=|dot ibnetdiscover json|same
umadrig topology -g tor|torus:|same
umadrig exec --fabric th|three.net|same
umadrig exec --fabric gen|generate:|same
umadrig exec --fabric generate:fat|fat-tree:|same
umadrig exec --fabric generate:rail:2,1,4,na|2,1,4,names=|names=
umadrig exec --fabric generate:rail:2,1,4,names=|plain vendor|same
umadrig exec --fabric generate:rail:2,1,4,state=|active cold|same
umadrig exec --fabric three.net,quirk=hgx|hgx-b200|same
umadrig exec --fabric three.net,st|three.net,state=|state=
umadrig exec --fabric three.net,state=|active cold|same
umadrig exec --fabric=three.net,state=c|cold|same
umadrig exec --host |H1 H2|same
umadrig exec -f three.net --host |H1 H2 H3|same
umadrig exec --fabric=generate:fat-tree:2,4 --host=|host-0 host-1|same
umadrig exec --fabric=generate:fat-tree:4,4,state=cold,hcas=2 --host=|host-0 host-1|same
umadrig exec --attach $work/fabric --host |H1 H2 H3|same
umadrig exec |--|same
umadrig serve --limit ha|handles=|same
umadrig diff -i sta|status|same
umadrig diff --ignoring=tid,PortInfo.LinkSt|tid,PortInfo.LinkState|PortInfo.LinkState
umadrig replay --unmatched=|drop status= timeout|same
umadrig fields SwitchI|SwitchInfo SwitchInfoRecord|same
umadrig ctl Un|Unlink|same
umadrig ctl link |degrade down error flap restore up|same
umadrig ctl -s $work/fabric link |H1 H2 H3 S1 S2 degrade down error flap restore up|same
umadrig ctl --socket $work/fabric node off S|S1 S2|same
umadrig ctl --socket=$work/fabric json Du|Dump|same
umadrig ctl link error X |integrity overrun watchdog|same
umadrig ctl fault add d|delay drop duplicate|same
umadrig ctl topology |dot ibnetdiscover json|same
umadrig format --ch|--check|same
umadrig run --seed |nothing|same
EOT
cut -d'|' -f1 "$work/rows" >"$work/lines"

# compare SHELL COLUMN: what was offered, against a column of the table.
compare() {
	while IFS='|' read -r line first second; do
		[ "$2" = 1 ] || [ "$second" = same ] || first=$second
		[ "$first" != nothing ] || first=
		# What a shell would expand is only offered, quoted; how is the shell's affair.
		[ "$first" != @ ] || continue
		tap_is "$1: $line" "$(grep -F -- "$line => " "$work/offered" | head -n 1)" \
			"$line => $first"
	done <"$work/rows"
}

if command -v bash >/dev/null 2>&1; then
	bash --norc "$tools/bash-complete" "$files/umadrig" <"$work/lines" >"$work/offered" 2>"$work/said"
	tap_is "bash says nothing" "$(cat "$work/said")" ""
	compare bash 1
else
	tap_skip "bash completes" "no bash"
fi

# Typed, in an interactive shell; also with bash-completion, where it is.
python=${PYTHON:-python3}
typed() {
	tap_is "typed into bash$1" "$(shift; mkdir "$work/typed"
		printf '%s\n' 'umadrig help sc' 'umadrig exec --fabric=three.net,state=c' 'umadrig run --ti' \
			'umadrig exec --fabric three.net -- unam' |
			TERM=dumb "$python" "$tools/bash-types" "$work/typed" "$@" 2>&1; rm -r "$work/typed")" \
"[umadrig help scrub ]
[umadrig exec --fabric=three.net,state=cold ]
[umadrig run --timeout=]
[umadrig exec --fabric three.net -- uname ]"
}
if command -v bash >/dev/null 2>&1 && command -v "$python" >/dev/null 2>&1 && [ "$python" != : ]; then
	typed "" "$files/umadrig"
	if [ -e /usr/share/bash-completion/bash_completion ]; then
		typed ", with bash-completion" /usr/share/bash-completion/bash_completion "$files/umadrig"
	else
		tap_skip "typed into bash, with bash-completion" "bash-completion is not installed"
	fi
else
	tap_skip "typed into bash" "no bash, or no Python"
fi

if command -v zsh >/dev/null 2>&1; then
	mkdir "$work/zsh"
	zsh -f "$tools/zsh-complete" "$files" "$work/zsh" <"$work/lines" >"$work/offered" 2>&1
	tap_is "zsh answers" "$?" 0
	compare zsh 2
else
	tap_skip "zsh completes" "zsh is not installed"
fi
tap_ok "nothing in a file that is read for completion is run" test ! -e "$work/ran"
tap_done
